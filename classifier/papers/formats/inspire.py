"""Records of INSPIRE, the library of high-energy physics: https://github.com/inspirehep/rest-api-doc."""

from __future__ import annotations

from typing import Final

from classifier.papers.dates import read_date
from classifier.papers.formats.arxiv_snapshot import unwrapped
from classifier.papers.formats.values import (
    Object,
    filled,
    first_of,
    line_of,
    object_of,
    objects_of,
    text_of,
)
from classifier.papers.paper import clean_arxiv_id
from classifier.papers.plain import plain_text

_TYPES: Final = {
    "article": "article-journal", "book": "book", "book chapter": "chapter",
    "conference paper": "paper-conference", "proceedings": "book", "report": "report",
    "thesis": "thesis",
}  # fmt: skip


def is_record(record: Object) -> bool:
    """Say whether an object is a record, or one wrapped by the API."""
    data = _data(record)
    return isinstance(data.get("titles"), list) and "control_number" in data


def fields(record: Object) -> dict[str, object]:
    """Return the fields of a record."""
    data = _data(record)
    issue = next(iter(objects_of(data.get("publication_info"))), {})
    people = objects_of(data.get("authors"))
    ends = (text_of(issue.get("page_start")), text_of(issue.get("page_end")))
    dated = first_of(data, "preprint_date", "earliest_date", "imprint_date")
    kind = _TYPES.get(text_of(data.get("document_type")), "")
    return {
        "title": line_of(plain_text(_first(data, "titles", "title"))),
        "abstract": unwrapped(plain_text(_first(data, "abstracts", "value"))),
        "authors": [name for person in people if (name := line_of(person.get("full_name")))],
        "published": read_date(dated or text_of(issue.get("year"))),
        "venue": line_of(issue.get("journal_title")),
        "arxiv_id": clean_arxiv_id(_first(data, "arxiv_eprints", "value")),
        "doi": _first(data, "dois", "value"),
        "keywords": [w for k in objects_of(data.get("keywords")) if (w := line_of(k.get("value")))],
        "reference": filled(
            type=kind if issue or kind != "article-journal" else "article",
            volume=text_of(issue.get("journal_volume")),
            issue=text_of(issue.get("journal_issue")),
            page="-".join(dict.fromkeys(end for end in ends if end)),
            citation_key=text_of(data.get("texkeys")),
        ),
    }


def _data(record: Object) -> Object:
    return object_of(record.get("metadata")) or record


def _first(data: Object, name: str, key: str) -> str:
    return next(
        (found for item in objects_of(data.get(name)) if (found := text_of(item.get(key)))), ""
    )
