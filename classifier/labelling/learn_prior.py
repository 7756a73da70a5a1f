"""How a prior is made: regressions on labelled abstracts, cut down to the terms that matter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from threadpoolctl import threadpool_limits

from classifier.labelling.background import Background
from classifier.labelling.calibration import PooledPlatt
from classifier.labelling.evidence import EvidenceCounter
from classifier.labelling.features import CueColumns, cue_columns
from classifier.labelling.folds import assign_folds
from classifier.labelling.labels import Decision, Decisions
from classifier.labelling.prior import FacetPrior, LinearModel, Prior, meaning, paper_key
from classifier.labelling.prior_terms import term_values
from classifier.labelling.regression import Settings, fit_categories
from classifier.labelling.span import ProductSpan
from classifier.labelling.views import text_views
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet, Taxonomy

Array = NDArray[np.float64]
Groups = NDArray[np.int64]

GROUPS = 5
MOST_TERMS = 200
"""Terms kept for a category: with 200 labels are nearly as good as with all of them."""
_LEAST = 3
"""Papers of a category from which it is learned."""
_LEAST_SIZE = 0.004
"""A feature that usually moves a logit by less is not kept."""
_SETTINGS = Settings(
    regularisation=4.0, seed_weight=0.0, folds=GROUPS, accuracy_target=0.9, balance=0.5
)
_ONE_THREAD = partial(threadpool_limits, limits=1)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The labelled papers that have truth in one facet, as rows."""

    background: Background
    text: sparse.csr_matrix
    """(n, …) rows of `Background.rows`."""
    values: sparse.csr_matrix
    """(n, 3 V) values of the terms, as a prior sees them."""
    cues: CueColumns
    groups: Groups

    def of(self, rows: NDArray[np.int64]) -> _Rows:
        """Return some of the rows."""
        cues = CueColumns(self.cues.names, self.cues.values[rows])
        text, values = self.text[rows], self.values[rows]
        return _Rows(self.background, text, values, cues, self.groups[rows])


def learn_prior(
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    decisions: Decisions,
    background: Sequence[Paper] = (),
    *,
    provenance: Mapping[str, object] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Prior:
    """Learn a prior from papers and what people decided of them (paper id -> facet -> decision).

    background: unlabelled abstracts of the wider field; one that is also a labelled paper is left
    out. A facet with decisions on fewer than 2 papers a group gets no prior. The order of papers
    does not matter.
    """
    labelled = {paper_key(paper): paper for paper in _by_id(papers) if decisions.get(paper.id)}
    keys = sorted(labelled)
    known = [labelled[key] for key in keys]
    seen = {paper_key(paper): paper for paper in _by_id(background)}
    others = [seen[key] for key in sorted(seen.keys() - labelled.keys())]
    groups = _deal(taxonomy.first, known, keys, decisions)
    dealt = dict(zip(keys, groups.tolist(), strict=True))
    if len(known) < 2 * GROUPS:
        return Prior(provenance or {}, dealt, {})
    facets: dict[str, FacetPrior] = {}
    with _ONE_THREAD():
        rows = _rows(taxonomy, known, others, groups, progress)
        for number, (name, facet) in enumerate(taxonomy.facets.items()):
            _report(progress, "Learning the prior", number, len(rows))
            truth = [decisions[paper.id].get(name) for paper in known]
            learned = _learn_facet(facet, rows[name], truth)
            if learned is not None:
                facets[name] = learned
    _report(progress, "Learning the prior", len(rows), len(rows))
    return Prior(provenance or {}, dealt, facets)


def _by_id(papers: Sequence[Paper]) -> list[Paper]:
    """Return papers in one order: of two with the same title the later one counts."""
    return sorted(papers, key=lambda paper: (paper.id, paper.abstract))


def _report(
    progress: Callable[[str, int, int], None] | None, stage: str, done: int, total: int
) -> None:
    if progress:
        progress(stage, done, total)


def _deal(
    facet: Facet, papers: Sequence[Paper], keys: Sequence[str], decisions: Decisions
) -> Groups:
    """Return (n,) groups, each with its share of every primary category."""
    primaries = [
        decision.primary if (decision := decisions[paper.id].get(facet.id)) else ""
        for paper in papers
    ]
    names = sorted(set(primaries))
    strata = np.array([names.index(primary) for primary in primaries], dtype=np.int64)
    return assign_folds(keys, strata, GROUPS)


def _rows(
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    others: Sequence[Paper],
    groups: Groups,
    progress: Callable[[str, int, int], None] | None,
) -> dict[str, _Rows]:
    """Return, for each facet, all labelled papers as rows."""
    _report(progress, "Learning the background", 0, 1)
    views = [text_views(paper) for paper in papers]
    background = Background().fit([text_views(paper) for paper in others], views)
    _report(progress, "Learning the background", 1, 1)
    text, values = background.rows(views), term_values(background.names, views)
    first, facets = taxonomy.first, taxonomy.facets
    evidence = {name: EvidenceCounter(facet).count(views) for name, facet in facets.items()}
    rows: dict[str, _Rows] = {}
    for name, facet in facets.items():
        about = None if facet is first else evidence[first.id]
        cues = cue_columns(evidence[name], facet.ids, about, first.ids)
        rows[name] = _Rows(background, text, values, cues, groups)
    return rows


def _learn_facet(facet: Facet, rows: _Rows, truth: Sequence[Decision | None]) -> FacetPrior | None:
    told = np.array([row for row, decision in enumerate(truth) if decision], dtype=np.int64)
    if len(told) < 2 * GROUPS:
        return None
    known = [decision for decision in truth if decision]
    tops = [{facet.top_of(value) for value in decision.values} for decision in known]
    unknown = np.array([[name in decision.unknown for name in facet.ids] for decision in known])
    applies = np.array([[name in top for name in facet.ids] for top in tops], dtype=np.float64)
    primaries = [facet.top_of(decision.primary) for decision in known]
    filed = np.array([[name == own for name in facet.ids] for own in primaries], dtype=np.float64)
    # Of a category that nobody gave there is nothing to learn, not even that it is rare.
    shown = np.flatnonzero((filed if facet.kind == "single" else applies).sum(axis=0) >= _LEAST)

    def masked(truth: Array) -> Array:
        return np.where(unknown, np.nan, truth)[:, shown]

    return FacetPrior(
        tuple(facet.ids[column] for column in shown),
        tuple(meaning(facet.tops[column]) for column in shown),
        None if facet.kind == "single" else _learn(rows.of(told), masked(applies)),
        _learn(rows.of(told), masked(filed)),
    )


def _learn(rows: _Rows, targets: Array) -> LinearModel:
    """Return calibrated weights for (n, k) targets (nan: masked), with and without each group.

    What a group is left out of is calibrated without it, too: by models that lack two groups.
    """
    wide = sparse.hstack([rows.text, sparse.csr_matrix(rows.cues.values)], format="csr")
    span = ProductSpan(wide)
    known = ~np.isnan(targets)
    given = np.nan_to_num(targets)

    @cache
    def weights_without(groups: frozenset[int]) -> Array:
        kept = np.flatnonzero(~np.isin(rows.groups, list(groups)))
        return fit_categories(span, kept, given[kept], known[kept].astype(float), _SETTINGS)

    versions = []
    for left_out in (frozenset[int](), *(frozenset({group}) for group in range(GROUPS))):
        kept = ~np.isin(rows.groups, list(left_out))
        unseen = np.zeros_like(targets)
        for group in set(range(GROUPS)) - left_out:
            test = np.flatnonzero(rows.groups == group)
            unseen[test] = span.logits(test, weights_without(left_out | {group}))
        platt = PooledPlatt().fit(unseen[None, kept], targets[kept])
        weights = weights_without(left_out)
        slopes = span.wide(weights) * platt.slopes_[0]
        intercepts = weights[:, -1] * platt.slopes_[0] + platt.offset_ + platt.shifts_
        versions.append(_cut_down(rows, kept, slopes, intercepts))
    return _joined(versions, (*rows.background.names, *rows.cues.names))


def _cut_down(
    rows: _Rows, kept: NDArray[np.bool_], slopes: Array, intercepts: Array
) -> tuple[sparse.csr_matrix, Array]:
    """Return (k, 3 V + cues) weights of the terms that matter, and (k,) intercepts.

    What the terms left out add on average goes into the intercept.
    """
    width = rows.text.shape[1]
    weights = rows.background.term_weights(slopes[:, :width])
    values = rows.values[kept]
    usual = np.sqrt(np.asarray(values.multiply(values).mean(axis=0)).ravel())
    sizes = np.abs(weights) * usual
    strongest = np.sort(sizes, axis=1)[:, -min(MOST_TERMS, sizes.shape[1])]
    shown = sizes >= np.maximum(strongest, _LEAST_SIZE)[:, None]
    average = np.asarray(values.mean(axis=0)).ravel()
    left_out = (np.where(shown, 0.0, weights) * average).sum(axis=1)
    terms = sparse.csr_matrix(np.where(shown, weights, 0.0))
    cues = sparse.csr_matrix(slopes[:, width:])
    return sparse.hstack([terms, cues], format="csr"), intercepts + left_out


def _joined(
    versions: Sequence[tuple[sparse.csr_matrix, Array]], names: Sequence[str]
) -> LinearModel:
    """Return all versions over the features that have a weight in any."""
    used = sorted({int(column) for weights, _ in versions for column in weights.indices})
    used.sort(key=lambda column: names[column])
    return LinearModel(
        tuple(names[column] for column in used),
        np.stack([weights[:, used].toarray() for weights, _ in versions]),
        np.stack([intercepts for _, intercepts in versions]),
    )
