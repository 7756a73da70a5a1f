"""What can be asked of a paper: the terms that hold for it.

One vocabulary for the numbers of the survey, the tables and the browse page:

| key | values |
|---|---|
| filed | the category of the first facet under which the paper is filed |
| a facet's id | its categories, children too; `none` where it was asked and nothing is stated |
| a lexicon's id | the names that the text holds; `none` |
| status | reviewed, confident, provisional |
| code | yes: links code or states a release, and which of the two: linked, announced; no |
| result | stated: the text states a result with a figure; not-stated |
| several | yes: two or more top categories of the first facet; no |
| key | yes: marked by the editors as a key paper; no |
| text | abstract, digest, none: what the labels were drawn from |
| year, quarter, month | 2025, 2025-Q3, 2025-08; `undated` |
"""

from __future__ import annotations

from collections.abc import Iterator

from classifier.survey.entry import Entry
from classifier.survey.facts.query import Term
from classifier.survey.names import UNSOLVED
from classifier.taxonomy.model import Taxonomy

NONE = "none"
UNDATED = "undated"


def entry_terms(taxonomy: Taxonomy, entry: Entry) -> Iterator[Term]:
    """Yield every term that holds for a paper."""
    yield "filed", entry.first.primary
    for facet_id in taxonomy.facets:
        labels = entry.labels.facets.get(facet_id)
        if labels is not None:
            yield from ((facet_id, category) for category in labels.categories or (NONE,))
    for lexicon, names in entry.names.items():
        yield from ((lexicon, name) for name in names or (() if lexicon == UNSOLVED else (NONE,)))
    yield "status", entry.first.status
    yield "code", _yes(entry.releases_something)
    if entry.releases_something:
        yield "code", "linked" if entry.paper.code_urls else "announced"
    yield "result", "stated" if entry.result else "not-stated"
    yield "several", _yes(len(entry.first.top_categories) > 1)
    yield "key", _yes(entry.key is not None)
    yield "text", entry.paper.abstract_kind
    date = entry.paper.published.date
    yield "year", date[:4] or UNDATED
    month = date[:7] if len(date) >= len("2025-08") else UNDATED
    yield "month", month
    yield "quarter", UNDATED if month == UNDATED else quarter_of(month)


def quarter_of(month: str) -> str:
    """Return the quarter of a month.

    >>> quarter_of("2025-08")
    '2025-Q3'
    """
    return f"{month[:4]}-Q{(int(month[5:]) + 2) // 3}"


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"
