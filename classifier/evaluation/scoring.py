"""Compare the labels of a classifier with reference labels, and compute all metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.evaluation.metrics import (
    Array,
    Estimate,
    Flags,
    Tally,
    brier_score,
    estimate,
    expected_calibration_error,
    macro_f1,
    mean_average_precision,
    mean_without_nan,
    micro_f1,
    resample_weights,
    tally,
    weighted_share,
)
from classifier.evaluation.outcome import CategoryScores, Evaluation, FacetScore, Setup
from classifier.labelling.labels import NO_LABELS, Decision, Decisions, FacetLabels, PaperLabels
from classifier.taxonomy.model import Facet, Taxonomy

LabelRuns = Sequence[Sequence[PaperLabels]]
"""Per repeat of the cross-validation: the labels of the scored papers, in their order."""


def compute_scores(
    taxonomy: Taxonomy, paper_ids: Sequence[str], truth: Decisions, runs: LabelRuns, setup: Setup
) -> Evaluation:
    """Compare the labels of each repeat with the reference labels.

    truth: reference labels by paper id and facet id. paper_ids: the papers in the order of the
    labels. A facet is scored on the papers that have a reference label in it. Facets that only
    people fill in are not scored.
    """
    weights = resample_weights(len(paper_ids))
    first, *others = [facet for facet in taxonomy.facets.values() if not facet.is_manual]
    scope = [k for k, top in enumerate(first.tops) if not top.out_of_scope]
    results, own = _facet_results(first, paper_ids, truth, runs, weights)

    def mean(measure: Callable[[FacetResults], Array]) -> Estimate:
        return estimate(_mean_of_repeats([measure(result) for result in results]))

    core = [k for k, top in enumerate(first.tops) if top.core]
    counts = [tally(result.truth, result.given, own) for result in results]
    scores = {}
    for facet in others:
        found = _facet_score(facet, paper_ids, truth, runs, weights)
        if found is not None:
            scores[facet.id] = found
    return Evaluation(
        setup=setup,
        categories=_category_scores(first, counts),
        core_f1=estimate(_mean_of_repeats([macro_f1(each, core) for each in counts])),
        mean_f1=estimate(_mean_of_repeats([macro_f1(each, scope) for each in counts])),
        micro_f1=estimate(_mean_of_repeats([micro_f1(each, scope) for each in counts])),
        mean_average_precision=mean(
            lambda r: mean_average_precision(r.truth, r.probabilities, own, scope, r.known)
        ),
        precision_at_1=mean(lambda r: _share_correct(r.primary_applies, r.can_be_judged, own)),
        primary_accuracy=mean(lambda r: _share_correct(r.primary_is_right, r.can_be_judged, own)),
        ece=mean(lambda r: expected_calibration_error(*r.columns(scope), own, r.known[:, scope])),
        brier=mean(lambda r: brier_score(*r.columns(scope), own, r.known[:, scope])),
        confident=mean(lambda r: weighted_share(r.confident, own)),
        confident_accuracy=mean(
            lambda r: _share_correct(r.primary_is_right, r.confident & r.can_be_judged, own)
        ),
        facets=scores,
        confusion=_confusion_matrix(first, results[0]),
    )


@dataclass(frozen=True, slots=True)
class FacetResults:
    """Labels and reference labels of n papers in one facet and one repeat.

    The k columns are the top categories of the facet.
    """

    truth: Flags
    """(n, k) the category applies."""
    given: Flags
    """(n, k) the category was assigned, and the reference label could contain it."""
    known: Flags
    """(n, k) the category existed when the reference label was written."""
    probabilities: Array
    """(n, k) predicted probability that the category applies."""
    true_primary: NDArray[np.int64]
    """(n,) column; -1 for another category or none."""
    given_primary: NDArray[np.int64]
    """(n,) column; -1 if no category was assigned."""
    confident: Flags
    """(n,) the status is `confident`."""

    @property
    def can_be_judged(self) -> Flags:
        """Whether the assigned primary existed when the reference label was made, shape (n,)."""
        rows = np.arange(len(self.given_primary))
        return np.asarray(self.known[rows, self.given_primary] | (self.given_primary < 0))

    @property
    def primary_is_right(self) -> Flags:
        """Whether the assigned primary is the true primary, shape (n,)."""
        right = self.true_primary == self.given_primary
        return np.asarray(right & (self.given_primary >= 0))

    @property
    def primary_applies(self) -> Flags:
        """Whether the assigned primary is one of the true categories, shape (n,)."""
        rows = np.arange(len(self.given_primary))
        return np.asarray(self.truth[rows, self.given_primary] & (self.given_primary >= 0))

    def columns(self, columns: Sequence[int]) -> tuple[Flags, Array]:
        """Return the truth and the probabilities of these categories."""
        return self.truth[:, columns], self.probabilities[:, columns]


def _facet_results(
    facet: Facet, paper_ids: Sequence[str], truth: Decisions, runs: LabelRuns, weights: Array
) -> tuple[list[FacetResults], Array]:
    """Return the results of each repeat on the papers with a reference label, and their weights."""
    rows = np.array([i for i, key in enumerate(paper_ids) if facet.id in truth[key]], dtype=int)
    decisions = [truth[paper_ids[row]][facet.id] for row in rows]
    shape = (len(rows), len(facet.ids))
    known = [[name not in decision.unknown for name in facet.ids] for decision in decisions]
    known_flags = np.array(known, dtype=bool).reshape(shape)
    true_flags = _indicators(facet, [decision.values for decision in decisions])
    results = []
    for labels in runs:
        own = [labels[row].facets.get(facet.id, NO_LABELS) for row in rows]
        probabilities = [[each.probabilities.get(name, 0.0) for name in facet.ids] for each in own]
        results.append(
            FacetResults(
                truth=true_flags,
                given=_indicators(facet, [each.categories for each in own]) & known_flags,
                known=known_flags,
                probabilities=np.array(probabilities, dtype=np.float64).reshape(shape),
                true_primary=_primary_columns(facet, decisions),
                given_primary=_primary_columns(facet, own),
                confident=np.array([each.status == "confident" for each in own], dtype=bool),
            )
        )
    return results, weights[:, rows]


def _category_scores(facet: Facet, counts: Sequence[Tally]) -> dict[str, CategoryScores]:
    f1 = _mean_of_repeats([count.f1 for count in counts])
    precision = _mean_of_repeats([count.precision[:1] for count in counts])[0]
    recall = _mean_of_repeats([count.recall[:1] for count in counts])[0]
    return {
        top.id: CategoryScores(
            precision=float(precision[k]),
            recall=float(recall[k]),
            f1=estimate(f1[:, k]),
            support=int(counts[0].positives[0, k]),
            core=top.core,
            out_of_scope=top.out_of_scope,
        )
        for k, top in enumerate(facet.tops)
    }


def _facet_score(
    facet: Facet, paper_ids: Sequence[str], truth: Decisions, runs: LabelRuns, weights: Array
) -> FacetScore | None:
    results, own = _facet_results(facet, paper_ids, truth, runs, weights)
    n = own.shape[1]
    if not n:
        return None
    if facet.kind == "single":
        accuracy = [
            _share_correct(each.primary_is_right, each.can_be_judged, own) for each in results
        ]
        return FacetScore("accuracy", estimate(_mean_of_repeats(accuracy)), n)
    columns = range(len(facet.ids))
    f1 = [micro_f1(tally(each.truth, each.given, own), columns) for each in results]
    return FacetScore("micro F1", estimate(_mean_of_repeats(f1)), n)


def _confusion_matrix(facet: Facet, result: FacetResults) -> dict[str, dict[str, int]]:
    """Return the number of papers by true primary and assigned primary.

    Unknown categories are omitted.
    """
    matrix: dict[str, dict[str, int]] = {}
    counted = result.can_be_judged & (result.true_primary >= 0) & (result.given_primary >= 0)
    pairs = zip(result.true_primary[counted], result.given_primary[counted], strict=True)
    for true, given in sorted(pairs):
        row = matrix.setdefault(facet.ids[true], {})
        row[facet.ids[given]] = row.get(facet.ids[given], 0) + 1
    return matrix


def _share_correct(is_right: Flags, is_counted: Flags, weights: Array) -> Array:
    return weighted_share(is_right[is_counted], weights[:, is_counted])


def _indicators(facet: Facet, values: Sequence[Sequence[str]]) -> Flags:
    tops = [{facet.top_id_of(value) for value in row} for row in values]
    flags = [[name in row for name in facet.ids] for row in tops]
    return np.array(flags, dtype=bool).reshape(len(values), len(facet.ids))


def _primary_columns(
    facet: Facet, labels: Sequence[Decision] | Sequence[FacetLabels]
) -> NDArray[np.int64]:
    """Return (n,) columns of the primary top categories; -1 for no category."""
    column = {name: index for index, name in enumerate(facet.ids)}
    columns = [column.get(facet.top_id_of(each.primary), -1) for each in labels]
    return np.array(columns, dtype=np.int64)


def _mean_of_repeats(samples: Sequence[Array]) -> Array:
    return mean_without_nan(np.stack(samples), axis=0)
