"""`papers.json`, which a build writes: our own fields beside labels."""

from __future__ import annotations

from classifier.papers.fields import FIELDS
from classifier.papers.formats.values import Object


def is_record(record: Object) -> bool:
    """Say whether an object is a paper of `papers.json`."""
    return "title" in record and "text_digest" in record


def fields(record: Object) -> dict[str, object]:
    """Return our own fields as they are; labels are not read from them."""
    return {name: record[name] for name in FIELDS if record.get(name) not in (None, "")}
