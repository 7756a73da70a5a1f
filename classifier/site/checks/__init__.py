"""Checks of a finished site and of the project's own templates."""
