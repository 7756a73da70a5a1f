"""From labels and truth to an Evaluation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.evaluation.metrics import (
    Array,
    Figure,
    Flags,
    brier_score,
    defined_mean,
    expected_calibration_error,
    figure,
    macro_f1,
    mean_average_precision,
    micro_f1,
    resample_weights,
    share,
    tally,
)
from classifier.evaluation.outcome import CategoryFigures, Evaluation, FacetFigure, Setup
from classifier.labelling.labels import NO_LABELS, Decision, Decisions, FacetLabels, PaperLabels
from classifier.taxonomy.model import Facet, Taxonomy

Rounds = Sequence[Sequence[PaperLabels]]
"""Per repeat: the labels of the scored papers, in their order."""


def score(
    taxonomy: Taxonomy, paper_ids: Sequence[str], truth: Decisions, rounds: Rounds, setup: Setup
) -> Evaluation:
    """Hold the labels of each repeat against `truth`; papers are in the order of `paper_ids`.

    A facet is scored on the papers that have truth in it; one that people alone answer is not.
    """
    weights = resample_weights(len(paper_ids))
    first, *further = [facet for facet in taxonomy.facets.values() if not facet.by_hand]
    columns = range(len(first.ids))
    core = [k for k in columns if (category := first.get(first.ids[k])) and category.core]
    scope = [k for k in columns if (top := first.get(first.ids[k])) and not top.out_of_scope]
    views, own = _views(first, paper_ids, truth, rounds, weights)
    counts = [tally(view.truth, view.given, own) for view in views]
    f1 = _mean([count.f1 for count in counts])
    precision = _mean([count.precision[:1] for count in counts])[0]
    recall = _mean([count.recall[:1] for count in counts])[0]

    def mean(measure: Callable[[FacetView], Array]) -> Figure:
        return figure(_mean([measure(view) for view in views]))

    return Evaluation(
        setup=setup,
        categories={
            name: CategoryFigures(
                float(precision[k]),
                float(recall[k]),
                figure(f1[:, k]),
                int(counts[0].positives[0, k]),
                core=k in core,
                out_of_scope=k not in scope,
            )
            for k, name in enumerate(first.ids)
        },
        core_f1=figure(_mean([macro_f1(count, core) for count in counts])),
        mean_f1=figure(_mean([macro_f1(count, scope) for count in counts])),
        micro_f1=figure(_mean([micro_f1(count, scope) for count in counts])),
        mean_average_precision=mean(
            lambda v: mean_average_precision(v.truth, v.probabilities, own, scope, v.known)
        ),
        precision_at_1=mean(lambda v: _share(v.primary_applies, v.judged, own)),
        primary_accuracy=mean(lambda v: _share(v.primary_is_right, v.judged, own)),
        ece=mean(lambda v: expected_calibration_error(*v.stated(scope), own, v.known[:, scope])),
        brier=mean(lambda v: brier_score(*v.stated(scope), own, v.known[:, scope])),
        confident=mean(lambda v: share(v.confident, own)),
        confident_accuracy=mean(lambda v: _share(v.primary_is_right, v.confident & v.judged, own)),
        facets={
            facet.id: found
            for facet in further
            if (found := _facet_figure(facet, paper_ids, truth, rounds, weights))
        },
        confusion=_confusion(first, views[0]),
    )


@dataclass(frozen=True, slots=True)
class FacetView:
    """One facet of n papers in one repeat as arrays; columns are the facet's top categories."""

    truth: Flags
    """(n, k) the category applies."""
    given: Flags
    """(n, k) the category was given; where the truth does not know it, it does not count."""
    known: Flags
    """(n, k) the category existed when the truth was told."""
    probabilities: Array
    """(n, k)."""
    true_primary: NDArray[np.int64]
    """(n,) column; -1 where it is none of them."""
    given_primary: NDArray[np.int64]
    confident: Flags
    """(n,) the status is `confident`."""

    @property
    def judged(self) -> Flags:
        """(n,) the truth can say whether the given primary is right: it knew that category."""
        rows = np.arange(len(self.given_primary))
        return np.asarray(self.known[rows, self.given_primary] | (self.given_primary < 0))

    @property
    def primary_is_right(self) -> Flags:
        """(n,) the paper is filed where it belongs."""
        right = self.true_primary == self.given_primary
        return np.asarray(right & (self.given_primary >= 0))

    @property
    def primary_applies(self) -> Flags:
        """(n,) the given primary is one of the true categories."""
        rows = np.arange(len(self.given_primary))
        return np.asarray(self.truth[rows, self.given_primary] & (self.given_primary >= 0))

    def stated(self, columns: Sequence[int]) -> tuple[Flags, Array]:
        """Return truth and probabilities of some columns."""
        return self.truth[:, columns], self.probabilities[:, columns]


def _views(
    facet: Facet, paper_ids: Sequence[str], truth: Decisions, rounds: Rounds, weights: Array
) -> tuple[list[FacetView], Array]:
    """Return a facet in each repeat, of the papers that have truth in it, and their weights."""
    rows = np.array([i for i, key in enumerate(paper_ids) if facet.id in truth[key]], dtype=int)
    decisions = [truth[paper_ids[row]][facet.id] for row in rows]
    shape = (len(rows), len(facet.ids))
    known = [[name not in decision.unknown for name in facet.ids] for decision in decisions]
    told = np.array(known, dtype=bool).reshape(shape)
    views = []
    for labels in rounds:
        answers = [labels[row].facets.get(facet.id, NO_LABELS) for row in rows]
        stated = [[each.probabilities.get(name, 0.0) for name in facet.ids] for each in answers]
        views.append(
            FacetView(
                _flags(facet, [decision.values for decision in decisions]),
                _flags(facet, [answer.categories for answer in answers]) & told,
                told,
                np.array(stated, dtype=np.float64).reshape(shape),
                _primaries(facet, decisions),
                _primaries(facet, answers),
                np.array([answer.status == "confident" for answer in answers], dtype=bool),
            )
        )
    return views, weights[:, rows]


def _facet_figure(
    facet: Facet, paper_ids: Sequence[str], truth: Decisions, rounds: Rounds, weights: Array
) -> FacetFigure | None:
    """Return how well a further facet is answered; None without truth in it."""
    views, own = _views(facet, paper_ids, truth, rounds, weights)
    n = own.shape[1]
    if not n:
        return None
    if facet.kind == "single":
        right = [_share(view.primary_is_right, view.judged, own) for view in views]
        return FacetFigure("accuracy", figure(_mean(right)), n)
    every = range(len(facet.ids))
    found = [micro_f1(tally(view.truth, view.given, own), every) for view in views]
    return FacetFigure("micro F1", figure(_mean(found)), n)


def _confusion(facet: Facet, view: FacetView) -> dict[str, dict[str, int]]:
    """Return true primary -> given one -> papers; those left out that are neither, or unknown."""
    cells: dict[str, dict[str, int]] = {}
    counted = view.judged & (view.true_primary >= 0) & (view.given_primary >= 0)
    pairs = zip(view.true_primary[counted], view.given_primary[counted], strict=True)
    for true, given in sorted(pairs):
        row = cells.setdefault(facet.ids[true], {})
        row[facet.ids[given]] = row.get(facet.ids[given], 0) + 1
    return cells


def _share(right: Flags, counted: Flags, weights: Array) -> Array:
    """Return (b,): the weighted share that is right of the papers that are `counted`."""
    return share(right[counted], weights[:, counted])


def _flags(facet: Facet, values: Sequence[Sequence[str]]) -> Flags:
    """Return (n, k): whether a paper has the top category, itself or by a child."""
    tops = [{facet.top_of(value) for value in row} for row in values]
    flags = [[name in row for name in facet.ids] for row in tops]
    return np.array(flags, dtype=bool).reshape(len(values), len(facet.ids))


def _primaries(
    facet: Facet, answers: Sequence[Decision] | Sequence[FacetLabels]
) -> NDArray[np.int64]:
    column = {name: index for index, name in enumerate(facet.ids)}
    return np.array([column.get(facet.top_of(a.primary), -1) for a in answers], dtype=np.int64)


def _mean(samples: Sequence[Array]) -> Array:
    """Return the mean over the repeats, of what is defined."""
    return defined_mean(np.stack(samples), axis=0)
