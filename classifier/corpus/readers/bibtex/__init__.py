"""BibTeX and biblatex: entries, LaTeX in them, names, groups of JabRef."""
