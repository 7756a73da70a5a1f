"""The categories of a paper as keywords, which reference managers show as tags."""

from __future__ import annotations

from classifier.papers.fields import OWN_TAG
from classifier.survey.entry import Entry


def category_tags(entry: Entry) -> tuple[str, ...]:
    """Return `fieldguide:ID` for each category of the first facet, that of the filing first.

    What they begin with sets them apart from the keywords of authors and librarians: a person can
    take all of them away again, and our readers never take one for somebody's own keyword.
    """
    return tuple(f"{OWN_TAG}{category}" for category in entry.first.categories)
