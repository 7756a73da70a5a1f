"""What the styles of natbib can cite: BibTeX cuts their labels at 250 bytes, in a command or not.

A label is made of up to three names, or of the name of the paper where nobody is named.
"""

from __future__ import annotations

import re
from dataclasses import replace

from classifier.papers.names import split_name
from classifier.papers.paper import Paper
from classifier.site.exports.bibtex import escape_latex
from classifier.site.exports.citation import one_line, with_few_authors

_MAX_OF_A_NAME = 70
_MAX_OF_A_TITLE = 200
_SIGNS = re.compile(r"[^\w\s.-]+|_")


def citable(paper: Paper) -> Paper:
    """Return a paper with as many names as a list prints, none of them too long for a label."""
    few = with_few_authors(paper)
    return replace(few, authors=tuple(_fitting_name(name) for name in few.authors))


def citable_title(title: str) -> str:
    """Return a title that a label can hold."""
    return _fitting(title, _MAX_OF_A_TITLE)


def _fitting_name(text: str) -> str:
    family, given = split_name(one_line(text))
    fitting = _fitting(family, _MAX_OF_A_NAME)
    if fitting == family:
        return text
    return f"{fitting}, {given}" if given else fitting


def _fitting(text: str, most: int) -> str:
    """Return text that is at most so many bytes of LaTeX; of longer ones the letters alone."""
    if len(escape_latex(text).encode()) <= most:
        return text
    letters = " ".join(_SIGNS.sub(" ", text).split())
    return letters.encode()[:most].decode(errors="ignore").strip() or "…"
