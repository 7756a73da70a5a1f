"""What each cue does on the papers at hand: where it fires, and how often it is right there."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from classifier.labelling.cue_index import VOTE_WEIGHTS, Evidence
from classifier.labelling.facet_model import FacetModel
from classifier.labelling.features import terms
from classifier.labelling.labels import Decision, Decisions, FacetLabels, PaperLabels
from classifier.labelling.views import TextViews
from classifier.papers.paper import Paper
from classifier.taxonomy.document import Node
from classifier.taxonomy.lint import CategoryEntry, category_entries
from classifier.taxonomy.model import CUE_VIEWS, Category, Facet

Array = NDArray[np.float64]

Key = tuple[str, str, str]
"""Category, view, cue."""

EVERYWHERE = 1 / 3
"""A cue that fires in a larger share of the papers fires everywhere: it says nothing of others."""
_SPEAKS = 1.0
"""The vote of one cue in passing: with less, nothing speaks for a category."""


@dataclass(frozen=True, slots=True)
class CueStatistics:
    """What one cue does. Rows are places in the sequence of papers that was looked at."""

    category: str
    """Id of the category, or child, that the cue belongs to."""
    view: str
    """One of `classifier.taxonomy.model.CUE_VIEWS`."""
    cue: str
    """As written in the taxonomy."""
    reached: int
    """Papers in which it could fire: of a child's cue, those of the parent."""
    fired: tuple[int, ...]
    """Rows of the reached papers in which it fires, ascending."""
    decided: int
    """Fired papers on which people decided; of a child's cue, for which they named a child."""
    right: int
    """Decided papers that have its category; of a cue `against`, that lack it."""
    base: float
    """The share that would be right by chance: of all decided papers reached; nan without any."""
    told: int
    """Undecided fired papers in which another cue speaks, for its category or one beside it."""
    standing: float
    """0 to 1: the mean, over told papers, of what the other cues of its category say as a share of
    what the loudest category says; what takes the place of decisions. nan where none is told."""
    instead: tuple[tuple[str, int], ...]
    """(category, papers), most first, of the fired papers that are decided to be elsewhere, and of
    the told ones where another category is loudest."""

    @property
    def precision(self) -> float:
        """Share of its decided papers where it is right; nan without any."""
        return self.right / self.decided if self.decided else math.nan

    @property
    def judged(self) -> int:
        """Papers that say whether it is right: decided and told ones."""
        return self.decided + self.told

    @property
    def credit(self) -> float:
        """Share of its judged papers where it is right, of told ones by standing; nan for none."""
        told = self.standing * self.told if self.told else 0.0
        return (self.right + told) / self.judged if self.judged else math.nan

    @property
    def lift(self) -> float:
        """Precision over what chance gives; nan where either is unknown."""
        return self.precision / self.base if self.base else math.nan

    @property
    def share(self) -> float:
        """Share of the reached papers in which it fires, 0 to 1."""
        return len(self.fired) / self.reached if self.reached else 0.0


def wilson_interval(right: float, of: int) -> tuple[float, float]:
    """Return the score interval of a share, one-sided 95 % at either end; (0, 1) for none of none.

    right: rounded, where it is a sum of parts. Wilson, "Probable inference, the law of succession,
    and statistical inference", JASA 22, 1927.

    >>> low, high = wilson_interval(1, 3)
    >>> round(low, 2), round(high, 2)
    (0.08, 0.74)
    """
    if not of:
        return 0.0, 1.0
    found = binomtest(round(right), of).proportion_ci(0.9, method="wilson")
    return float(found.low), float(found.high)


def cue_statistics(
    facet: Facet,
    evidence: Evidence,
    labels: Sequence[FacetLabels | None],
    decisions: Sequence[Decision | None],
) -> list[CueStatistics]:
    """Return the statistics of every cue of a facet, in the order of the taxonomy.

    The three sequences are of the same n papers: what fires (`EvidenceCounter.count`), the labels
    in force (None where the facet does not apply), and what people decided (None where nobody
    did). Cues of top categories are held against each other on all papers; a child's only tell
    children apart, so they are held against its siblings, on papers of the parent.
    """
    fired = _fired(evidence)
    asked = [label is not None for label in labels]
    tops = [category for category in facet.categories if not category.replaced_by]
    found = {}
    for siblings, reached in _siblings(tops, np.array(asked, dtype=bool), labels):
        contest = _Contest(siblings, reached, evidence, fired, decisions)
        found.update({category.id: list(contest.judge(category)) for category in siblings})
    return [statistics for category in facet.walk() for statistics in found[category.id]]


Reached = NDArray[np.bool_]
"""(n,) the papers that some sibling categories tell apart."""


def _siblings(
    categories: Sequence[Category], reached: Reached, labels: Sequence[FacetLabels | None]
) -> Iterator[tuple[Sequence[Category], Reached]]:
    """Yield the categories that stand beside each other, level by level, with their papers."""
    yield categories, reached
    for category in categories:
        children = [child for child in category.children if not child.replaced_by]
        if children:
            inside = [label is not None and category.id in label.categories for label in labels]
            yield from _siblings(children, reached & np.array(inside, dtype=bool), labels)


def _fired(evidence: Evidence) -> Mapping[Key, dict[int, int]]:
    """Return cue -> row -> how often it fires there."""
    fired: defaultdict[Key, dict[int, int]] = defaultdict(dict)
    for row, hits in enumerate(evidence.hits):
        for hit in hits:
            fired[hit.category, hit.view, hit.cue][row] = hit.count
    return fired


class _Contest:
    """Sibling categories, the papers that they tell apart, and what is known of these."""

    def __init__(
        self,
        categories: Sequence[Category],
        reached: Reached,
        evidence: Evidence,
        fired: Mapping[Key, dict[int, int]],
        decisions: Sequence[Decision | None],
    ) -> None:
        self.ids = [category.id for category in categories]
        self.reached = reached
        self.evidence = evidence
        self.fired = fired
        most = EVERYWHERE * reached.sum()
        self.loud = {key for key, hits in fired.items() if reached[list(hits)].sum() > most}
        self.counts = evidence.counts.copy()
        for category, view, cue in sorted(self.loud):
            column = evidence.category_ids.index(category)
            hits = fired[category, view, cue]
            self.counts[list(hits), column, CUE_VIEWS.index(view)] -= list(hits.values())
        self.votes = replace(evidence, counts=self.counts).votes(self.ids)
        self.silent = [frozenset(each.unknown if each else ()) for each in decisions]
        """Per paper the categories that did not exist when it was decided."""
        self.named = [
            self._named(decision) if inside else None
            for decision, inside in zip(decisions, reached, strict=True)
        ]

    def _named(self, decision: Decision | None) -> tuple[str, ...] | None:
        """Return which of the categories a person named, the primary first; None for undecided.

        Who named the parent alone has not said which child it is.
        """
        if decision is None:
            return None
        named = tuple(dict.fromkeys((decision.primary, *decision.values)))
        of_these = tuple(value for value in named if value in self.ids)
        return of_these if of_these or "/" not in self.ids[0] else None

    def judge(self, category: Category) -> Iterator[CueStatistics]:
        """Yield the statistics of each cue of a category."""
        known = self._told(category.id, range(len(self.named)))
        for view, cues in category.cues.views():
            for cue in dict.fromkeys(cues):
                yield self._statistics(category.id, view, cue, known)

    def _statistics(
        self, category: str, view: str, cue: str, known: Sequence[tuple[str, ...]]
    ) -> CueStatistics:
        """Return the statistics of a cue. known: what was named of its category in all papers."""
        rows = [
            row for row in sorted(self.fired.get((category, view, cue), ())) if self.reached[row]
        ]
        decided = self._told(category, rows)
        undecided = [row for row in rows if self.named[row] is None]
        told, standing, louder = self._standing(category, cue, undecided)
        misled = [values[0] for values in decided if values and category not in values]
        elsewhere = Counter(misled + louder)
        return CueStatistics(
            category,
            view,
            cue,
            int(self.reached.sum()),
            tuple(rows),
            len(decided),
            _right(category, view, decided),
            _right(category, view, known) / len(known) if known else math.nan,
            told,
            standing,
            tuple(sorted(elsewhere.items(), key=lambda item: (-item[1], item[0]))),
        )

    def _told(self, category: str, rows: Iterable[int]) -> list[tuple[str, ...]]:
        """Return what was named in the papers whose decision says something of the category."""
        named = ((self.named[row], self.silent[row]) for row in rows)
        return [values for values, silent in named if values is not None and category not in silent]

    def _standing(
        self, category: str, cue: str, rows: Sequence[int]
    ) -> tuple[int, float, list[str]]:
        """Return told papers, the standing, and the loudest category where that is another one."""
        column = self.ids.index(category)
        votes = self.votes[rows]
        votes[:, column] = self._votes_without(category, cue, rows)
        votes = votes[votes.max(axis=1, initial=0.0) >= _SPEAKS]
        if not len(votes):
            return 0, math.nan, []
        loudest = votes.max(axis=1)
        shares = np.clip(votes[:, column] / loudest, 0, 1)
        louder = votes[votes[:, column] < loudest].argmax(axis=1)
        return len(votes), float(shares.mean()), [self.ids[index] for index in louder]

    def _votes_without(self, category: str, cue: str, rows: Sequence[int]) -> Array:
        """Return (len(rows),) votes for a category, the cue counted in none of its views."""
        counts = self.counts[rows, self.evidence.category_ids.index(category), :]
        for column, view in enumerate(CUE_VIEWS):
            if (category, view, cue) not in self.loud:
                hits = self.fired.get((category, view, cue), {})
                counts[:, column] -= [hits.get(row, 0) for row in rows]
        return np.asarray(np.log2(1 + counts) @ VOTE_WEIGHTS)


def _right(category: str, view: str, decided: Sequence[Sequence[str]]) -> int:
    """Return how many decided papers have the category; of a cue `against`, how many lack it."""
    return sum((category in values) != (view == "against") for values in decided)


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
