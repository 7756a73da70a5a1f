"""A facet on the papers at hand: everything that advice on it is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from classifier.advice.cue_statistics import CueStatistics, Key, cue_statistics
from classifier.labelling.cue_index import Evidence
from classifier.labelling.facet_model import FacetModel
from classifier.labelling.features import terms
from classifier.labelling.labels import Decision, Decisions, FacetLabels, PaperLabels
from classifier.labelling.views import TextViews
from classifier.papers.paper import Paper
from classifier.taxonomy.document import Node
from classifier.taxonomy.lint import CategoryEntry, category_entries
from classifier.taxonomy.model import Facet


@dataclass(frozen=True)
class MeasuredTexts:
    """The texts of n papers, which all facets are measured on."""

    views: tuple[TextViews, ...]

    @cached_property
    def term_counts(self) -> Counter[str]:
        """In how many papers each term stands."""
        return Counter(term for view in self.views for term in set(terms(view.whole_text)))


@dataclass(frozen=True)
class MeasuredFacet:
    """A facet, and what its cues and its model do on n papers; rows are places among them."""

    facet: Facet
    entries: tuple[CategoryEntry, ...]
    """Its categories in use, and where they stand."""
    model: FacetModel
    """Learned from these papers."""
    papers: tuple[Paper, ...]
    texts: MeasuredTexts
    evidence: Evidence
    """What fires in each paper."""
    labels: tuple[FacetLabels | None, ...]
    """The labels in force; None where the facet does not apply."""
    decisions: tuple[Decision | None, ...]
    """What people decided; None where nobody did, or where the facet does not apply."""

    @property
    def is_cross_fitted(self) -> bool:
        """Whether people decided on enough papers for the model to be tried on them."""
        return bool(len(self.model.cross_fit_.filed)) and any(self.decisions)

    @cached_property
    def statistics(self) -> tuple[CueStatistics, ...]:
        """What each cue does, in the order of the taxonomy."""
        return tuple(cue_statistics(self.facet, self.evidence, self.labels, self.decisions))

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The papers to which the facet applies."""
        return tuple(row for row, label in enumerate(self.labels) if label is not None)

    @property
    def views(self) -> tuple[TextViews, ...]:
        """The papers as tokens."""
        return self.texts.views

    def rows_of(self, category: str) -> list[int]:
        """Return the papers that have a category, by the labels in force."""
        return [
            row
            for row, label in enumerate(self.labels)
            if label is not None and category in label.categories
        ]

    def titles(self, rows: Sequence[int]) -> tuple[str, ...]:
        """Return the titles of some papers, as people read them."""
        return tuple(self.papers[row].title_display for row in rows)

    def place(self, category: str, view: str = "", cue: str = "") -> Node:
        """Return where a cue stands; without one, or for one that stands nowhere, its category."""
        return self._places.get((category, view, cue), self._places[category, "", ""])

    @cached_property
    def _places(self) -> Mapping[Key, Node]:
        places: dict[Key, Node] = {}
        for entry in self.entries:
            name = entry.category.id
            places[name, "", ""] = entry.node
            for view, cue, _, node in entry.cues():
                places.setdefault((name, view, cue), node)
        return places


def measure_facet(
    model: FacetModel,
    document: Node,
    papers: Sequence[Paper],
    texts: MeasuredTexts,
    evidence: Evidence,
    labels: Sequence[PaperLabels],
    decisions: Decisions,
) -> MeasuredFacet:
    """Return a facet on its papers.

    document: the tree that the taxonomy was read from; texts, evidence, labels: of `papers`, in
    their order, labels with decisions in place of what they overrule.
    """
    facet = model.facet
    own = tuple(label.facets.get(facet.id) for label in labels)
    return MeasuredFacet(
        facet,
        tuple(category_entries(facet, document.at(("facets", facet.id)))),
        model,
        tuple(papers),
        texts,
        evidence,
        own,
        tuple(
            decisions.get(paper.id, {}).get(facet.id) if label else None
            for paper, label in zip(papers, own, strict=True)
        ),
    )
