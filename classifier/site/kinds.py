"""Of what kinds the papers of a category are, and how many of each come with code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from classifier.site import paths
from classifier.survey.entry import Entry
from classifier.survey.facts.query import query_id
from classifier.survey.survey import Survey
from classifier.survey.wording import in_prose
from classifier.taxonomy.model import Facet

_WITH_CODE = ("code", "yes")


@dataclass(frozen=True, slots=True)
class KindRow:
    """The papers of one kind."""

    name: str
    number: int
    address: str
    """Where they are listed."""
    with_code: int
    """How many of them link code or announce a release."""
    code_address: str


@dataclass(frozen=True, slots=True)
class Kinds:
    """The papers of a category by the labels of another facet; all of them in the last row."""

    name: str
    """Of the facet, in small letters."""
    rows: tuple[KindRow, ...]


def kinds_of(edition: Survey, category_id: str, entries: Sequence[Entry]) -> Kinds | None:
    """Return the kinds of a category's papers: by the first facet that gives each paper one label.

    None where the taxonomy has no such facet, or the category no papers.
    """
    facet = _facet_of_kinds(edition)
    if facet is None or not entries:
        return None
    topic = (edition.taxonomy.first.id, category_id)
    rows = [
        _row(category.name, (topic, (facet.id, category.id)), found)
        for category in facet.walk()
        if (found := [entry for entry in entries if _is(entry, facet, category.id)])
    ]
    return Kinds(in_prose(facet.name), (*rows, _row("All", (topic,), entries)))


def _facet_of_kinds(edition: Survey) -> Facet | None:
    _, *others = edition.taxonomy.facets.values()
    return next((f for f in others if f.kind == "single" and not f.applies_to), None)


def _is(entry: Entry, facet: Facet, category_id: str) -> bool:
    labels = entry.labels.facets.get(facet.id)
    return labels is not None and category_id in labels.categories


def _row(name: str, terms: tuple[tuple[str, str], ...], entries: Sequence[Entry]) -> KindRow:
    return KindRow(
        name=name,
        number=len(entries),
        address=paths.browse(query_id(terms)),
        with_code=sum(entry.releases_something for entry in entries),
        code_address=paths.browse(query_id([*terms, _WITH_CODE])),
    )
