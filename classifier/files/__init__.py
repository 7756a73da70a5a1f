"""The only code that touches the disk."""
