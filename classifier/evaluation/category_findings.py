"""What is wrong with categories: evidence that is thin, and pairs that are hard to tell apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from classifier.evaluation.cue_findings import Finding, finding
from classifier.evaluation.cue_statistics import MeasuredFacet
from classifier.evaluation.distinctive import distinctive_terms
from classifier.labelling.decide import is_out_of_scope
from classifier.labelling.features import terms

Array = NDArray[np.float64]

EVIDENCE = 0.5
"""A vote above this is evidence; at or below it no cue speaks, or one speaks against."""
FEW_PAPERS = 3
"""A category with fewer papers cannot be learned, and is a short chapter."""
UNSEEN_SHARE = 0.2
"""A category whose cues miss a larger share of its papers lacks cues."""
LEAST_UNSEEN = 2
LEAST_CONFUSED = 2
"""Decided papers of a pair that are filed the wrong way, from which that is no chance."""
CLOSE = 0.6
"""Undecided papers are between two categories where the second is this likely beside the first."""
ENOUGH_FOR_TERMS = 4
"""What fewer papers have in common is chance."""
MOST_TERMS = 6
MOST_CUES = 3


def thin_categories(measured: MeasuredFacet) -> Iterator[Finding]:
    """Yield the categories with few papers, or whose cues miss many of their own."""
    for entry in measured.entries:
        category = entry.category
        if not category.out_of_scope and category.cues:
            yield from _thin(measured, category.id)


def _thin(measured: MeasuredFacet, category: str) -> Iterator[Finding]:
    rows = measured.rows_of(category)
    if len(rows) < FEW_PAPERS:
        found = f"{len(rows) or 'no'} paper{'' if len(rows) == 1 else 's'} in '{category}'"
        cure = "Find papers for it, or merge it (`replaced_by`)."
        if not _all_fire(measured, category):
            cure = "Give it cues that fire, find papers for it, or merge it (`replaced_by`)."
        yield finding(measured, "unseen", category, found, cure, 1.0, rows=rows)
    if "/" in category:  # a paper is put into a child by its cues alone: none is missed
        return
    decided = [row for row in rows if measured.decisions[row] is not None]
    votes = measured.evidence.votes([category])[:, 0]
    missed = [row for row in decided if votes[row] <= EVIDENCE]
    if len(missed) >= LEAST_UNSEEN and len(missed) > UNSEEN_SHARE * len(decided):
        found = f"no cue of '{category}' speaks for {len(missed)} of {len(decided)} reviewed papers"
        others = [row for row in measured.rows if row not in set(rows)]
        words = _terms(measured, missed, others)
        cure = f"Cues for them: {words}." if words else "Write cues for them."
        worth = float(len(missed))
        yield finding(measured, "unseen", category, found, cure, worth, rows=missed)


def _all_fire(measured: MeasuredFacet, category: str) -> bool:
    """Say whether no cue for a category is silent: more papers would help, other cues would not."""
    return all(
        cue.fired
        for cue in measured.statistics
        if cue.category == category and cue.view != "against"
    )


def bare_papers(measured: MeasuredFacet) -> Iterator[Finding]:
    """Yield one finding on the papers that no cue of any category of the facet speaks for."""
    if measured.facet.by_hand:
        return
    told = set(_rows_with_evidence(measured))
    bare = [
        row
        for row in measured.rows
        if row not in told and not _is_decided_out_of_scope(measured, row)
    ]
    if not bare:
        return
    words = _terms(measured, bare, [row for row in measured.rows if row not in set(bare)])
    found = (
        f"no cue of any {measured.facet.name.lower()} speaks for {len(bare)} of "
        f"{len(measured.rows)} papers{f'; what they say: {words}' if words else ''}"
    )
    cure = "Write cues for them, or a category that is missing."
    yield finding(measured, "bare", "", found, cure, float(len(bare)), rows=bare)


def _rows_with_evidence(measured: MeasuredFacet) -> list[int]:
    """Return the papers of the facet that some cue of it speaks for."""
    votes = measured.evidence.votes(measured.facet.ids)
    return [row for row in measured.rows if votes[row].max(initial=0.0) > EVIDENCE]


def _is_decided_out_of_scope(measured: MeasuredFacet, row: int) -> bool:
    decision = measured.decisions[row]
    return decision is not None and is_out_of_scope(measured.facet, decision.primary)


def _terms(measured: MeasuredFacet, inside: Sequence[int], outside: Sequence[int]) -> str:
    """Return the terms that tell some papers from others, quoted; "" for too few papers."""
    if len(inside) < ENOUGH_FOR_TERMS:
        return ""
    here, there = ([measured.views[row] for row in rows] for rows in (inside, outside))
    return ", ".join(f"“{found.term}”" for found in distinctive_terms(here, there, MOST_TERMS))


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two top categories by their columns, and the papers between them."""

    one: int
    other: int
    taken: tuple[int, int]
    """Decided papers of one that the cross-fit files under the other, and the reverse."""
    of: tuple[int, int]
    """Decided papers of either, those without evidence left out."""
    boundary: tuple[int, ...]
    """Rows of these, or without decisions of those that are nearly as likely in either."""


def confusable_pairs(measured: MeasuredFacet) -> Iterator[Finding]:
    """Yield the pairs of top categories that the model files the wrong way.

    From the cross-fits made on decided papers; where nobody decided on enough, from the papers
    whose two likeliest categories are nearly as likely. Papers that no cue speaks for are left out:
    of them nothing is told, so they say nothing of a border.
    """
    pairs = _confused(measured) if measured.is_cross_fitted else _close(measured)
    votes = measured.evidence.votes(measured.model.ids)
    for pair in pairs:
        if len(pair.boundary) >= LEAST_CONFUSED:
            yield _pair_finding(measured, pair, _correlation(votes, pair))


def _confused(measured: MeasuredFacet) -> list[_Pair]:
    fit = measured.model.cross_fit_
    rows = {paper.id: row for row, paper in enumerate(measured.papers)}
    told = set(_rows_with_evidence(measured))
    filed = [
        (rows[paper_id], right, said)
        for paper_id, right, said in zip(
            fit.paper_ids,
            fit.filed.argmax(axis=1).tolist(),
            fit.primary.argmax(axis=1).tolist(),
            strict=True,
        )
        if rows[paper_id] in told
    ]
    taken = Counter((right, said) for _, right, said in filed)
    of = Counter(right for _, right, _ in filed)
    return [
        _Pair(
            one,
            other,
            (taken[one, other], taken[other, one]),
            (of[one], of[other]),
            tuple(row for row, right, said in filed if {one, other} == {right, said}),
        )
        for one, other in combinations(range(len(measured.model.ids)), 2)
        if taken[one, other] + taken[other, one]
    ]


def _close(measured: MeasuredFacet) -> list[_Pair]:
    ids = measured.model.ids
    between: dict[tuple[int, int], list[int]] = {}
    for row in _rows_with_evidence(measured) if len(ids) > 1 else ():
        label = measured.labels[row]
        assert label is not None
        first, second = sorted(ids, key=lambda name: (-label.probabilities[name], name))[:2]
        if label.probabilities[second] >= CLOSE * label.probabilities[first]:
            one, other = sorted([ids.index(first), ids.index(second)])
            between.setdefault((one, other), []).append(row)
    return [_Pair(*pair, (0, 0), (0, 0), tuple(rows)) for pair, rows in sorted(between.items())]


def _correlation(votes: Array, pair: _Pair) -> float:
    """Return Pearson's correlation of two categories' votes over the papers; 0 for constants."""
    one, other = votes[:, pair.one], votes[:, pair.other]
    spread = float(one.std() * other.std())
    return float(((one - one.mean()) * (other - other.mean())).mean() / spread) if spread else 0.0


def _pair_finding(measured: MeasuredFacet, pair: _Pair, correlation: float) -> Finding:
    one, other = measured.model.ids[pair.one], measured.model.ids[pair.other]
    found = (
        f"'{one}' and '{other}' (line {measured.place(other).line}): {_confusion(measured, pair)}; "
        f"evidence correlates {correlation:+.2f}"
    )
    return finding(
        measured,
        "pair",
        one,
        found,
        "Draw the border in `includes` and `excludes`; set `against` cues.",
        float(len(pair.boundary)),
        rows=pair.boundary,
        notes=_pair_notes(measured, pair),
    )


def _pair_notes(measured: MeasuredFacet, pair: _Pair) -> Iterator[str]:
    one, other = measured.model.ids[pair.one], measured.model.ids[pair.other]
    if astray := [*_astray(measured, one, other), *_astray(measured, other, one)]:
        yield f"cues that fire across: {', '.join(astray)}"
    if words := _common_terms(measured, pair):
        yield f"words that speak for both: {', '.join(words)}"


def _confusion(measured: MeasuredFacet, pair: _Pair) -> str:
    if not measured.is_cross_fitted:
        return f"{len(pair.boundary)} papers nearly as likely in either"
    one, other = measured.model.ids[pair.one], measured.model.ids[pair.other]
    return (
        f"{pair.taken[0]} of {pair.of[0]} '{one}' taken for '{other}', "
        f"{pair.taken[1]} of {pair.of[1]} the other way"
    )


def _astray(measured: MeasuredFacet, owner: str, other: str) -> list[str]:
    """Return the cues of a category that fire most in papers that only the other one has."""
    elsewhere = set(measured.rows_of(other)) - set(measured.rows_of(owner))
    counts = Counter({
        cue.cue: count
        for cue in measured.statistics
        if cue.category == owner and cue.view != "against"
        and (count := len(elsewhere.intersection(cue.fired))) > 1
    })  # fmt: skip
    strongest = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_CUES]
    return [f"'{cue}' of {owner} ({count})" for cue, count in strongest]


def _common_terms(measured: MeasuredFacet, pair: _Pair) -> list[str]:
    """Return the terms of the papers between that the model takes as a sign of either category."""
    model = measured.model
    columns = model.wide_weights_[[pair.one, pair.other]].min(axis=0)
    weights: Counter[str] = Counter()
    for name, weight in zip(model.names_, columns.tolist(), strict=True):
        view, _, term = name.partition(":")
        if view in ("title", "text") and weight > 0:
            weights[term] += weight
    papers = Counter(
        term for row in pair.boundary for term in set(terms(measured.views[row].whole_text))
    )
    worth = {
        term: weights[term] * count * count / measured.texts.term_counts[term]
        for term, count in papers.items()
        if count > 1
    }
    strongest = sorted(worth, key=lambda term: (-worth[term], term))[:MOST_TERMS]
    return [f"“{term}”" for term in strongest if worth[term] > 0]
