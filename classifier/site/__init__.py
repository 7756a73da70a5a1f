"""Render a survey to files: Markdown, the static site and exports; check the result."""
