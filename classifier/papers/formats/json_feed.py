"""Items of a JSON Feed of papers: https://www.jsonfeed.org/version/1.1/."""

from __future__ import annotations

from classifier.papers.code_urls import find_code_urls
from classifier.papers.dates import read_date
from classifier.papers.formats.values import (
    Object,
    arxiv_id_in,
    first_of,
    line_of,
    objects_of,
    text_of,
    texts_of,
    url_of,
)
from classifier.papers.plain import plain_text


def is_record(record: Object) -> bool:
    """Say whether an object is an item of a feed."""
    return "id" in record and ("content_text" in record or "content_html" in record)


def fields(record: Object) -> dict[str, object]:
    """Return the fields of an item."""
    html = plain_text(text_of(record.get("content_html")))
    abstract = text_of(record.get("content_text")) or html or text_of(record.get("summary"))
    links = [text_of(record.get(name)) for name in ("url", "external_url", "id")]
    people = objects_of(record.get("authors") or record.get("author"))
    return {
        "title": line_of(plain_text(text_of(record.get("title")))),
        "abstract": abstract,
        "authors": [name for person in people if (name := line_of(person.get("name")))],
        "published": read_date(first_of(record, "date_published")),
        "arxiv_id": arxiv_id_in(links),
        "doi": next((link for link in links if "doi.org/10." in link), ""),
        "url": url_of(*links),
        "code_urls": list(find_code_urls(abstract)),
        "keywords": texts_of(record.get("tags")),
        "reference": {"language": text_of(record.get("language"))},
    }
