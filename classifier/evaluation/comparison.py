"""Two evaluations held against each other, paper by paper: did the labels get worse?

An absolute bar flaps: with a hundred decided papers a figure moves by 0.05 when five of them are
others. Here the same papers are scored twice, so what is hard is hard for both, and what is left is
the change. Papers that only one side scored, or whose truth changed, tell nothing and are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from classifier.evaluation.metrics import Figure, difference
from classifier.evaluation.outcome import Evaluation, Setup
from classifier.evaluation.outcomes import Outcomes
from classifier.evaluation.scoring import score
from classifier.labelling.labels import Decision, PaperLabels
from classifier.taxonomy.model import Taxonomy


@dataclass(frozen=True, slots=True)
class FigureChange:
    """One figure on the papers that both sides scored."""

    name: str
    """As `--fail-under` calls it, or the id of a facet or category."""
    label: str
    before: float
    now: float
    change: Figure
    """`now` minus `before`, -1 to 1, with the paired 95 % interval."""
    is_gated: bool
    """Whether a drop fails the gate; of the others it is only told."""

    @property
    def is_drop(self) -> bool:
        """Whether it fell by more than chance explains: the whole interval lies below 0."""
        return self.change.high < 0


@dataclass(frozen=True, slots=True)
class OutcomeChange:
    """A paper that was filed rightly and is not any more, or the other way round."""

    paper_id: str
    title: str
    """"" where it is not known."""
    facet: str
    before: str
    now: str
    truth: str
    is_worse: bool


@dataclass(frozen=True, slots=True)
class QualityComparison:
    """What changed between two evaluations."""

    papers: int
    """Scored by both, with the same truth."""
    left_out: int
    """Scored now, and not compared: new, or decided otherwise than before."""
    figures: tuple[FigureChange, ...]
    """Means and facets first; then those categories that moved."""
    outcomes: tuple[OutcomeChange, ...]
    """Of the first repeat; the worse first, then by facet and id."""
    most_drop: float | None = None
    """A fall of a gated figure beyond this fails, too, proven or not; None: no such bound."""

    @property
    def failures(self) -> tuple[FigureChange, ...]:
        """The gated figures that fell: provably, or by more than `most_drop`."""
        return tuple(
            each
            for each in self.figures
            if each.is_gated and (each.is_drop or self._is_beyond(each.change.value))
        )

    def _is_beyond(self, change: float) -> bool:
        return self.most_drop is not None and -change > self.most_drop + 1e-9


def compare_quality(
    taxonomy: Taxonomy,
    before: Outcomes,
    now: Outcomes,
    *,
    most_drop: float | None = None,
) -> QualityComparison:
    """Score both sides on the papers that they share, with the measures of every evaluation."""
    truth = {
        paper_id: same
        for paper_id, decisions in sorted(now.truth.items())
        if (same := _same_truth(taxonomy, before.truth.get(paper_id, {}), decisions))
    }
    if not truth:
        return QualityComparison(0, len(now.truth), (), (), most_drop)
    ids = list(truth)
    old, new = (_scored(taxonomy, ids, truth, side) for side in (before, now))
    return QualityComparison(
        len(truth),
        len(now.truth) - len(truth),
        (*_means(old, new), *_categories(old, new)),
        tuple(sorted(_moved(truth, before, now), key=_worse_first)),
        most_drop,
    )


def _same_truth(
    taxonomy: Taxonomy, before: Mapping[str, Decision], now: Mapping[str, Decision]
) -> dict[str, Decision]:
    """Return the facets of a paper of which both sides hold the same for true.

    What one of them does not know, for lack of the category or of an answer, does not count.
    """
    same = {}
    for facet_id in before.keys() & now.keys():
        facet, one, other = taxonomy.facet(facet_id), before[facet_id], now[facet_id]
        tops = [{facet.top_of(value) for value in side.values} for side in (one, other)]
        filed = [facet.top_of(side.primary) for side in (one, other)]
        if tops[0] == tops[1] and filed[0] == filed[1]:
            unknown = tuple(sorted({*one.unknown, *other.unknown}))
            same[facet_id] = replace(other, unknown=unknown)
    return same


def _scored(
    taxonomy: Taxonomy,
    ids: Sequence[str],
    truth: Mapping[str, Mapping[str, Decision]],
    side: Outcomes,
) -> Evaluation:
    rounds = [[labels.get(key, PaperLabels(key, {})) for key in ids] for labels in side.rounds]
    setup = Setup(len(ids), 1, len(rounds), 0, 0)
    return score(taxonomy, ids, truth, rounds, setup)


def _means(before: Evaluation, now: Evaluation) -> Iterator[FigureChange]:
    named = {
        "core": ("core mean F1", before.core_f1, now.core_f1, True),
        "all": ("mean F1", before.mean_f1, now.mean_f1, False),
        "micro": ("micro F1", before.micro_f1, now.micro_f1, False),
        "primary": ("primary accuracy", before.primary_accuracy, now.primary_accuracy, True),
        "p_at_1": ("P@1", before.precision_at_1, now.precision_at_1, False),
    }
    for facet_id in sorted(before.facets.keys() & now.facets.keys()):
        old, new = before.facets[facet_id], now.facets[facet_id]
        named[facet_id] = (f"{new.measure} of {facet_id}", old.figure, new.figure, True)
    for name, (label, one, other, is_gated) in named.items():
        if not math.isnan(one.value) and not math.isnan(other.value):
            change = difference(other, one)
            yield FigureChange(name, label, one.value, other.value, change, is_gated)


def _categories(before: Evaluation, now: Evaluation) -> Iterator[FigureChange]:
    """Yield the F1 of each category that moved, the one that fell most first."""
    changes = []
    for name, figures in now.categories.items():
        one, other = before.categories[name].f1, figures.f1
        if not math.isnan(one.value) and one.value != other.value:
            change = difference(other, one)
            changes.append(
                FigureChange(name, f"F1 of {name}", one.value, other.value, change, False)
            )
    yield from sorted(changes, key=lambda each: (each.change.value, each.name))


def _moved(
    truth: Mapping[str, Mapping[str, Decision]], before: Outcomes, now: Outcomes
) -> Iterator[OutcomeChange]:
    for paper_id, decisions in truth.items():
        for facet_id, decision in sorted(decisions.items()):
            was, is_now = (_filed(side, paper_id, facet_id) for side in (before, now))
            right = decision.primary.partition("/")[0]
            known = {was, is_now}.isdisjoint(decision.unknown)
            if known and was != is_now and right in (was, is_now):
                title = now.titles.get(paper_id, "")
                worse = was == right
                yield OutcomeChange(paper_id, title, facet_id, was, is_now, right, worse)


def _filed(side: Outcomes, paper_id: str, facet_id: str) -> str:
    labels = side.rounds[0].get(paper_id)
    facet = labels.facets.get(facet_id) if labels else None
    return facet.primary.partition("/")[0] if facet else ""


def _worse_first(change: OutcomeChange) -> tuple[bool, str, str]:
    return not change.is_worse, change.facet, change.paper_id
