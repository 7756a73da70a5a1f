"""The survey, or a part of it, as LaTeX: text with citations, tables, pictures, and a .bib."""
