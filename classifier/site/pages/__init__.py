"""The variables of page templates, with one module per kind of page."""
