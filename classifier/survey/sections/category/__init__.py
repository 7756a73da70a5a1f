"""The section of a category, one module per kind of content."""
