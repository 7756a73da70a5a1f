"""BibTeX, one entry a paper; UTF-8 text, with LaTeX's own signs escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from classifier.corpus.paper import Paper
from classifier.site.paths import web_address

_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip
_SPECIAL = re.compile(r"[\\{}$&#%_^~]")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def bibtex(papers: Iterable[Paper], keys: Mapping[str, str]) -> str:
    """Return the entries of all papers, in their order."""
    return "\n".join(bibtex_entry(paper, keys[paper.id]) for paper in papers)


def bibtex_entry(paper: Paper, key: str) -> str:
    """Return the entry of one paper. A field that no source states is left out.

    The kind is always `misc`: no source says whether a venue is a journal or a conference.
    """
    lines = "".join(f"  {name} = {value},\n" for name, value in _fields(paper) if value)
    return f"@misc{{{key},\n{lines}}}\n"


def escape_latex(text: str) -> str:
    r"""Return text in which the signs that LaTeX reads as commands are escaped.

    >>> escape_latex("50% of R&D_x")
    '50\\% of R\\&D\\_x'
    """
    return _SPECIAL.sub(lambda match: _ESCAPES[match.group()], text)


def _fields(paper: Paper) -> list[tuple[str, str]]:
    month = paper.published.month[5:]
    return [
        ("title", f"{{{{{escape_latex(paper.title_display)}}}}}"),
        ("author", _braced(_authors(paper))),
        ("organization", _braced(escape_latex(paper.organisation))),
        ("year", _braced(paper.published.year)),
        ("month", _MONTHS[int(month) - 1] if month else ""),
        ("howpublished", _braced(escape_latex(paper.venue))),
        ("eprint", _braced(paper.arxiv_id)),
        ("archiveprefix", "{arXiv}" if paper.arxiv_id else ""),
        ("doi", _braced(escape_latex(paper.doi))),
        ("url", _braced(_verbatim(web_address(paper.link)))),
    ]


def _authors(paper: Paper) -> str:
    names = [_author(name) for name in paper.authors]
    if names and (paper.author_count or 0) > len(names):
        names.append("others")
    return " and ".join(names)


def _author(name: str) -> str:
    """A group whose name holds "and" is set in braces, or BibTeX would read two people."""
    escaped = escape_latex(" ".join(name.split()))
    return f"{{{escaped}}}" if re.search(r"\band\b", escaped, re.IGNORECASE) else escaped


def _verbatim(address: str) -> str:
    """Return an address without braces or backslashes, which would unbalance the entry."""
    return address.replace("{", "%7B").replace("}", "%7D").replace("\\", "%5C")


def _braced(text: str) -> str:
    return f"{{{text}}}" if text else ""
