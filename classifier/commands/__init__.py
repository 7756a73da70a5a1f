"""The library functions of the commands, one module per command."""
