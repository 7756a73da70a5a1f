"""Render a survey to files (Markdown, the static site, exports), and check the result."""
