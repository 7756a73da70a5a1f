"""What arXiv states of a paper, in whatever format, as fields of ours."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.papers.code_urls import find_code_urls
from classifier.papers.dates import read_date
from classifier.papers.formats.latex import latex_text
from classifier.papers.plain import unwrapped


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


def _line(text: str) -> str:
    return " ".join(text.split())
