"""Checks of a finished site: links, markup, templates, and that all it says agrees."""
