"""From a survey to files: its Markdown, the static site, the exports, and their checks."""
