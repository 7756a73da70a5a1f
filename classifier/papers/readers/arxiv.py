"""Read the Atom feed of the arXiv API (export.arxiv.org/api/query)."""

from __future__ import annotations

import re
from typing import Final

from classifier.papers.clean import join_wrapped_lines
from classifier.papers.code_links import find_code_urls
from classifier.papers.dates import read_date
from classifier.papers.paper import clean_arxiv_id
from classifier.papers.reader import require_signatures
from classifier.papers.readers.latex import latex_text
from classifier.papers.readers.xml_elements import Element, xml_reader

_ATOM = re.compile(r"<(?:\w+:)?(?:feed|entry)\b[^>]*http://www\.w3\.org/2005/Atom")
_ATOM_ID = re.compile(r"<(?:\w+:)?id>\s*https?://(?:export\.)?arxiv\.org/(?:abs|api)/")


def entry_fields(element: Element) -> dict[str, object]:
    """Return the fields of an entry; {} if the entry is an error message of the API."""

    def line(name: str) -> str:
        return " ".join((element.findtext(f"{{*}}{name}") or "").split())

    if "/api/errors" in line("id"):
        return {}
    links = {
        link.get("title") or link.get("rel"): link.get("href", "")
        for link in element.iterfind("{*}link")
    }
    abstract, comment = join_wrapped_lines(element.findtext("{*}summary") or ""), line("comment")
    institutes = _texts(element, "affiliation")
    fields: dict[str, object] = {
        "title": line("title"),
        "abstract": abstract,
        "authors": [" ".join(latex_text(name).split()) for name in _texts(element, "name")],
        "organisation": institutes[0] if len(set(institutes)) == 1 else "",
        "published": read_date(line("published")),
        "venue": line("journal_ref"),
        "arxiv_id": clean_arxiv_id(line("id")),
        "doi": (line("doi") or links.get("doi", "")).partition(" ")[0],
        "url": links.get("alternate", ""),
        "code_urls": list(find_code_urls(f"{abstract} {comment}")),
        # Subject classes such as `cs.CL`.
        "keywords": [t for part in element.iterfind("{*}category") if (t := part.get("term"))],
        "reference": {"type": "article", **({"note": comment} if comment else {})},
    }
    return {name: value for name, value in fields.items() if value not in ("", [])}


def _texts(entry: Element, name: str) -> list[str]:
    """Return the texts of these parts of the authors of an entry."""
    texts = ((part.text or "").strip() for part in entry.iterfind(f"{{*}}author/{{*}}{name}"))
    return [text for text in texts if text]


ARXIV_ATOM: Final = xml_reader(
    "arxiv-atom",
    ("entry",),
    entry_fields,
    lambda content: (
        require_signatures("no Atom feed", _ATOM)(content)
        or require_signatures("an Atom feed without ids of arXiv", _ATOM_ID)(content)
    ),
    "an Atom feed as the arXiv API answers (export.arxiv.org/api/query)",
    examples=(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://arxiv.org/api/q"/>'
        "<id>http://arxiv.org/api/x</id><entry><id>http://arxiv.org/abs/2403.00001v1</id>"
        "<title>Bees @@</title><summary>@@</summary></entry></feed>",
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<feed xmlns="http://www.w3.org/2005/Atom"><id>http://arxiv.org/api/x</id>@@',
    ),
)
