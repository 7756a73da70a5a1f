"""Lists of papers in Markdown: outline, entries, links, titles."""
