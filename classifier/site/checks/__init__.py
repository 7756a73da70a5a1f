"""Check a finished site and the project's own templates."""
