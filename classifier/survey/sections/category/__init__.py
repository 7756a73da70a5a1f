"""The section of a category: what the data says of it, a kind of statement a file."""
