"""The library functions behind the commands of the command line, one module per command."""
