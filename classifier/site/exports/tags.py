"""The categories of a paper as keywords, which reference managers show as tags."""

from __future__ import annotations

from classifier.survey.edition import Entry

PREFIX = "fieldguide:"
"""Sets the survey's categories apart from the keywords of authors and librarians: a person can
take all of them away again, and a reader of ours never takes one for somebody's own keyword."""


def category_tags(entry: Entry) -> tuple[str, ...]:
    """Return `fieldguide:ID` for each category of the first facet, that of the filing first."""
    return tuple(f"{PREFIX}{category}" for category in entry.first.categories)
