"""What arXiv states of a paper, in whatever format, as fields of ours."""

from __future__ import annotations

import re
from collections.abc import Sequence

from classifier.papers.code_urls import find_code_urls
from classifier.papers.dates import read_date
from classifier.papers.formats.arxiv_snapshot import unwrapped
from classifier.papers.formats.latex import latex_text

_MORE = re.compile(r"\W*\bet al\W*\(?(\d{1,5})?[^()]{0,60}\)?\W*\Z", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+")
_SUFFIX = re.compile(r"(?:[JS]r\.?|I{2,3}|IV)\Z")


def arxiv_fields(
    *,
    arxiv_id: str,
    title: str,
    abstract: str = "",
    authors: Sequence[str] = (),
    author_count: int | None = None,
    published: str = "",
    subjects: Sequence[str] = (),
    comment: str = "",
    journal: str = "",
    doi: str = "",
    url: str = "",
    report_number: str = "",
    license_url: str = "",
) -> dict[str, object]:
    """Return the fields of one record of arXiv; texts may be hard-wrapped.

    `subjects` (`cs.CL`) become keywords, `journal` is the reference to where the paper came out.
    """
    abstract = unwrapped(abstract)
    reference = {
        "type": "article",
        "note": _line(comment),
        "number": _line(report_number),
        "license": license_url.strip(),
    }
    fields: dict[str, object] = {
        "title": _line(title),
        "abstract": abstract,
        "authors": [_line(latex_text(name) if "\\" in name else name) for name in authors],
        "author_count": author_count,
        "published": read_date(published),
        "venue": _line(journal),
        "arxiv_id": arxiv_id,
        "doi": doi.split()[0] if doi.strip() else "",
        "url": url.strip(),
        "code_urls": list(find_code_urls(f"{abstract} {_line(comment)}")),
        "keywords": list(subjects),
        "reference": {name: value for name, value in reference.items() if value},
    }
    return {name: value for name, value in fields.items() if value not in ("", [], None)}


def arxiv_authors(text: str) -> tuple[list[str], int | None]:
    """Return the names in a line of authors, and their number where more are counted than named.

    Institutes in brackets are left out.

    >>> arxiv_authors("Ada One (Here), Bo Two Jr. and Cy Three, et al. (4 additional authors)")
    (['Ada One', 'Bo Two Jr.', 'Cy Three'], 7)
    """
    text = " ".join(text.split())
    more = _MORE.search(text, max(0, len(text) - 100))
    text = text[: more.start()] if more else text
    names: list[str] = []
    for part in _BETWEEN.split(_without_brackets(text)):
        name = part.strip(" .:;") + ("." if part.endswith(".") else "")
        if names and _SUFFIX.match(name):
            names[-1] += f" {name}"
        elif re.search(r"[^\W\d_]", name):
            names.append(name)
    count = len(names) + int(more[1]) if more and more[1] else None
    return names, count


def _without_brackets(text: str) -> str:
    """Return `text` without what stands in round brackets, which may hold further ones."""
    kept: list[str] = []
    depth = 0
    for part in re.split(r"([()])", text):
        if part == "(":
            depth += 1
        elif part == ")":
            depth = max(0, depth - 1)
        elif not depth:
            kept.append(part)
    return " ".join(" ".join(kept).split()).replace(" ,", ",")


def _line(text: str) -> str:
    return " ".join(text.split())
