"""The review page: one self-contained HTML file."""
