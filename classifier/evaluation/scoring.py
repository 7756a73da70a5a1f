"""From labels and truth to an Evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.evaluation.metrics import (
    Array,
    Figure,
    Flags,
    Tally,
    brier_score,
    confusion_matrix,
    defined_mean,
    expected_calibration_error,
    figure,
    macro_f1,
    mean_average_precision,
    micro_f1,
    reliability,
    resample_weights,
    risk_coverage,
    share,
    tally,
)
from classifier.evaluation.outcome import (
    Abstention,
    CategoryFigures,
    Evaluation,
    FacetFigure,
    Setup,
)
from classifier.labelling.labels import Decision, Decisions, FacetLabels, PaperLabels
from classifier.taxonomy.model import Facet, Taxonomy

COVERAGES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)

Rounds = Sequence[Sequence[PaperLabels]]
"""Per repeat: the labels of the scored papers, in their order."""


def score(
    taxonomy: Taxonomy, paper_ids: Sequence[str], truth: Decisions, rounds: Rounds, setup: Setup
) -> Evaluation:
    """Hold the labels of each repeat against `truth`; papers are in the order of `paper_ids`.

    A facet is scored on the papers that have truth in it; one that people alone answer is not.
    """
    weights = resample_weights(len(paper_ids))
    facets = [
        facet
        for facet in taxonomy.facets.values()
        if facet.id != taxonomy.first.id and not facet.by_hand
    ]
    chosen = {facet.id: _with_truth(facet, paper_ids, truth) for facet in facets}
    further = {
        facet.id: _facet_figure(facet, chosen[facet.id], paper_ids, truth, rounds, weights)
        for facet in facets
        if len(chosen[facet.id])
    }
    rows = _with_truth(taxonomy.first, paper_ids, truth)
    views = [
        _FacetView.of(
            taxonomy.first, [paper_ids[i] for i in rows], truth, [labels[i] for i in rows]
        )
        for labels in rounds
    ]
    return _evaluation(taxonomy.first, views, weights[:, rows], further, setup)


@dataclass(frozen=True, slots=True)
class _FacetView:
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
    confidence: Array
    """(n,)."""
    confident: Flags
    """(n,) the status is `confident`."""

    @classmethod
    def of(
        cls, facet: Facet, ids: Sequence[str], truth: Decisions, labels: Sequence[PaperLabels]
    ) -> _FacetView:
        decisions = [truth[paper_id][facet.id] for paper_id in ids]
        answers = [label.facets.get(facet.id, _NO_ANSWER) for label in labels]
        known = [[name not in decision.unknown for name in facet.ids] for decision in decisions]
        told = np.array(known, dtype=bool).reshape(len(ids), len(facet.ids))
        return cls(
            _columns(facet, [decision.values for decision in decisions]),
            _columns(facet, [answer.categories for answer in answers]) & told,
            told,
            np.array(
                [[answer.probabilities.get(name, 0.0) for name in facet.ids] for answer in answers],
                dtype=np.float64,
            ).reshape(len(ids), len(facet.ids)),
            _primaries(facet, decisions),
            _primaries(facet, answers),
            np.array([answer.confidence for answer in answers], dtype=np.float64),
            np.array([answer.status == "confident" for answer in answers], dtype=bool),
        )

    @property
    def judged(self) -> Flags:
        """(n,) the truth can say whether the given primary is right: it knew that category."""
        rows = np.arange(len(self.given_primary))
        return np.asarray(self.known[rows, self.given_primary] | (self.given_primary < 0))

    @property
    def primary_is_right(self) -> Flags:
        right = self.true_primary == self.given_primary
        return np.asarray(right & (self.given_primary >= 0))

    @property
    def primary_applies(self) -> Flags:
        rows = np.arange(len(self.given_primary))
        return np.asarray(self.truth[rows, self.given_primary] & (self.given_primary >= 0))


_NO_ANSWER = FacetLabels((), "", 0.0, "provisional", {})
"""The labels of a paper to which the classifier held the facet not to apply."""


def _evaluation(
    facet: Facet,
    views: Sequence[_FacetView],
    weights: Array,
    further: Mapping[str, FacetFigure],
    setup: Setup,
) -> Evaluation:
    counts = [tally(view.truth, view.given, weights) for view in views]
    core, scope = _core_and_scope(facet)
    stated = [
        (view.truth[:, scope], view.probabilities[:, scope], view.known[:, scope]) for view in views
    ]
    return Evaluation(
        setup=setup,
        categories=_categories(facet, counts),
        core_f1=_mean_figure([macro_f1(count, core) for count in counts]),
        mean_f1=_mean_figure([macro_f1(count, scope) for count in counts]),
        micro_f1=_mean_figure([micro_f1(count, scope) for count in counts]),
        mean_average_precision=_mean_figure(
            [
                mean_average_precision(v.truth, v.probabilities, weights, scope, v.known)
                for v in views
            ]
        ),
        precision_at_1=_mean_figure(
            [_share(view.primary_applies, view.judged, weights) for view in views]
        ),
        primary_accuracy=_mean_figure(
            [_share(view.primary_is_right, view.judged, weights) for view in views]
        ),
        ece=_mean_figure([expected_calibration_error(t, p, weights, k) for t, p, k in stated]),
        brier=_mean_figure([brier_score(t, p, weights, k) for t, p, k in stated]),
        facets=further,
        reliability=reliability(
            np.concatenate([truth[known] for truth, _, known in stated]),
            np.concatenate([probabilities[known] for _, probabilities, known in stated]),
        ),
        abstention=_abstention(views, weights),
        confusion=_confusion(facet, views[0]),
    )


def _core_and_scope(facet: Facet) -> tuple[list[int], list[int]]:
    """Return the columns of the core categories, and of all but the out-of-scope one."""
    tops = [facet.get(name) for name in facet.ids]
    core = [column for column, top in enumerate(tops) if top and top.core]
    scope = [column for column, top in enumerate(tops) if top and not top.out_of_scope]
    return core, scope


def _categories(facet: Facet, counts: Sequence[Tally]) -> dict[str, CategoryFigures]:
    f1 = _mean_samples([count.f1 for count in counts])
    precision = _mean_samples([count.precision[:1] for count in counts])[0]
    recall = _mean_samples([count.recall[:1] for count in counts])[0]
    figures: dict[str, CategoryFigures] = {}
    for column, name in enumerate(facet.ids):
        top = facet.get(name)
        figures[name] = CategoryFigures(
            float(precision[column]),
            float(recall[column]),
            figure(f1[:, column]),
            int(counts[0].positives[0, column]),
            core=bool(top and top.core),
            out_of_scope=bool(top and top.out_of_scope),
        )
    return figures


def _facet_figure(
    facet: Facet,
    rows: NDArray[np.int64],
    paper_ids: Sequence[str],
    truth: Decisions,
    rounds: Rounds,
    weights: Array,
) -> FacetFigure:
    ids = [paper_ids[row] for row in rows]
    views = [_FacetView.of(facet, ids, truth, [labels[row] for row in rows]) for labels in rounds]
    measure: Callable[[_FacetView], Array]
    if facet.kind == "single":
        name = "accuracy"

        def measure(view: _FacetView) -> Array:
            return _share(view.primary_is_right, view.judged, weights[:, rows])
    else:
        name = "micro F1"

        def measure(view: _FacetView) -> Array:
            columns = range(len(facet.ids))
            return micro_f1(tally(view.truth, view.given, weights[:, rows]), columns)

    return FacetFigure(name, _mean_figure([measure(view) for view in views]), len(rows))


def _abstention(views: Sequence[_FacetView], weights: Array) -> Abstention:
    curves = [
        risk_coverage(view.confidence[told], view.primary_is_right[told], COVERAGES)
        for view, told in ((view, view.judged) for view in views)
    ]
    accuracy = [
        _share(view.primary_is_right, view.confident & view.judged, weights) for view in views
    ]
    return Abstention(
        _mean_figure([share(view.confident, weights) for view in views]),
        _mean_figure(accuracy),
        tuple(zip(COVERAGES, map(float, _mean_samples(curves)), strict=True)),
    )


def _confusion(facet: Facet, view: _FacetView) -> dict[str, dict[str, int]]:
    given = np.where(view.judged, view.given_primary, -1)
    cells = confusion_matrix(view.true_primary, given, len(facet.ids))
    return {
        name: {other: int(n) for other, n in zip(facet.ids, row, strict=True) if n}
        for name, row in zip(facet.ids, cells, strict=True)
        if row.any()
    }


def _share(right: Flags, counted: Flags, weights: Array) -> Array:
    """Return (b,): the weighted share that is right of the papers that are `counted`."""
    return share(right[counted], weights[:, counted])


def _with_truth(facet: Facet, paper_ids: Sequence[str], truth: Decisions) -> NDArray[np.int64]:
    """Return the positions of the papers that have truth in the facet."""
    return np.array(
        [i for i, name in enumerate(paper_ids) if facet.id in truth[name]], dtype=np.int64
    )


def _columns(facet: Facet, values: Sequence[Sequence[str]]) -> Flags:
    """Return (n, k): whether a paper has the top category, itself or by a child."""
    tops = [{facet.top_of(value) for value in row} for row in values]
    flags = [[name in row for name in facet.ids] for row in tops]
    return np.array(flags, dtype=bool).reshape(len(values), len(facet.ids))


def _primaries(
    facet: Facet, answers: Sequence[Decision] | Sequence[FacetLabels]
) -> NDArray[np.int64]:
    column = {name: index for index, name in enumerate(facet.ids)}
    return np.array([column.get(facet.top_of(a.primary), -1) for a in answers], dtype=np.int64)


def _mean_samples(samples: Sequence[Array]) -> Array:
    """Return the mean over the repeats, of what is defined."""
    return defined_mean(np.stack(samples), axis=0)


def _mean_figure(samples: Sequence[Array]) -> Figure:
    return figure(_mean_samples(samples))
