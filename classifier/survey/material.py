"""What the sections of the survey are written from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from classifier.papers.load import Corpus
from classifier.survey.changes.compare import Changes
from classifier.survey.edition import Entry, LeftOut
from classifier.survey.facts.facts import Facts
from classifier.taxonomy.claims import Claims
from classifier.taxonomy.model import Category, Facet, Taxonomy


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that a section may speak of; each section is a function of it."""

    taxonomy: Taxonomy
    corpus: Corpus
    facts: Facts
    entries: Sequence[Entry]
    """By reference number."""
    left_out: Sequence[LeftOut]
    quality: Sequence[tuple[str, str]]
    """(text, metric) sentences on the labels."""
    version: str
    """Hash of the data."""
    metrics: Mapping[str, Any] = field(default_factory=dict)
    """The content of metrics.json: how good the labels are."""
    changes: Changes | None = None
    """Against the baseline, else the lock; None where there is neither."""
    claims: Claims = field(default_factory=Claims)
    """What the editors argue, with the papers that they cite."""
    _by_id: dict[str, Entry] = field(default_factory=dict, repr=False)
    asked: dict[tuple[str, ...], list[Entry]] = field(default_factory=dict, repr=False)
    """What several sections ask for and is long to find: name and subject -> papers."""

    @property
    def first(self) -> Facet:
        """The facet by which the survey is grouped."""
        return self.taxonomy.first

    @property
    def categories(self) -> list[Category]:
        """The top categories in the order of the survey: core, the others, out of scope."""
        return ordered_categories(self.taxonomy)

    @property
    def in_scope(self) -> list[Category]:
        """The top categories that are about the field, in the order of the taxonomy."""
        return [
            category for category in current(self.first.categories) if not category.out_of_scope
        ]

    @property
    def tells_of_code(self) -> bool:
        """Whether any paper links code or states a release; many fields have none to link."""
        return self.facts.number("papers.with_code") > 0

    @property
    def tells_of_results(self) -> bool:
        """Whether any paper states a result with a figure; titles alone hardly do."""
        return self.facts.number("papers.with_figure") > 0

    def paper(self, identifier: str) -> Entry | None:
        """Return the paper of an id or former id; None where the survey does not hold it."""
        if not self._by_id:
            self._by_id.update({i: e for e in self.entries for i in (*e.aliases, e.paper.id)})
        return self._by_id.get(identifier)

    def filed(self, category: Category) -> int:
        """Return how many papers are filed under a category."""
        return self.facts.count(filed=category.id)


def ordered_categories(taxonomy: Taxonomy) -> list[Category]:
    """Return the top categories in the order of the survey: core, the others, out of scope."""
    used = current(taxonomy.first.categories)
    return sorted(used, key=lambda category: (category.out_of_scope, not category.core))


def current(categories: Sequence[Category]) -> list[Category]:
    """Return the categories that no other has replaced."""
    return [category for category in categories if not category.replaced_by]
