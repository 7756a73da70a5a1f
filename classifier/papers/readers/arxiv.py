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
from classifier.papers.readers.xml_elements import (
    Element,
    child_text,
    children_by_name,
    text_of,
    xml_reader,
)

_ATOM = re.compile(r"<(?:\w+:)?(?:feed|entry)\b[^>]*http://www\.w3\.org/2005/Atom")
_ATOM_ID = re.compile(r"<(?:\w+:)?id>\s*https?://(?:export\.)?arxiv\.org/(?:abs|api)/")


def entry_fields(element: Element) -> dict[str, object]:
    """Return the fields of an entry; {} if the entry is an error message of the API."""
    parts = children_by_name(element)
    if "/api/errors" in child_text(parts, "id"):
        return {}
    people = [part for author in parts.get("author", ()) for part in author]
    links = {
        link.get("title") or link.get("rel"): link.get("href", "") for link in parts.get("link", ())
    }
    abstract, comment = (
        join_wrapped_lines(child_text(parts, "summary")),
        _one_line(child_text(parts, "comment")),
    )
    institutes = set(_texts(people, "}affiliation"))
    fields: dict[str, object] = {
        "title": _one_line(child_text(parts, "title")),
        "abstract": abstract,
        "authors": [_one_line(latex_text(name)) for name in _texts(people, "}name")],
        "organisation": institutes.pop() if len(institutes) == 1 else "",
        "published": read_date(child_text(parts, "published")),
        "venue": _one_line(child_text(parts, "journal_ref")),
        "arxiv_id": clean_arxiv_id(_one_line(child_text(parts, "id"))),
        "doi": (child_text(parts, "doi") or links.get("doi", "")).partition(" ")[0],
        "url": links.get("alternate", ""),
        "code_urls": list(find_code_urls(f"{abstract} {comment}")),
        # Subject classes such as `cs.CL`.
        "keywords": [term for part in parts.get("category", ()) if (term := part.get("term"))],
        "reference": {"type": "article", **({"note": comment} if comment else {})},
    }
    return {name: value for name, value in fields.items() if value not in ("", [])}


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _texts(elements: list[Element], tag_end: str) -> list[str]:
    texts = (
        text_of(element).strip()
        for element in elements
        if isinstance(element.tag, str) and element.tag.endswith(tag_end)
    )
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
