"""Cues that decisions contradict, so that labels no longer count them.

A cue is contradicted if it is significantly more often wrong than right, or worse than chance. The
test uses the decisions on all training papers, because few of them match any one cue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from classifier.labelling.cue_index import Evidence
from classifier.labelling.labels import Decision
from classifier.taxonomy.model import CUE_VIEWS, Facet

CueKey = tuple[str, str, str]
"""Category, list and cue."""

MIN_DECIDED, MIN_RIGHT = 4, 0.5
"""Minimum number of decided papers for a judgement, and minimum share of right ones."""


def is_contradicted(right: int, decided: int, base: float) -> bool:
    """Return whether a cue is right in significantly less than half of its papers, or than by
    chance.

    right: number of the `decided` papers in which the cue is right; base: share that would be right
    by chance. The test uses the upper end of the one-sided 95 % Wilson interval (Wilson,
    "Probable inference, the law of succession, and statistical inference", JASA 22, 1927).
    """
    if decided < MIN_DECIDED:
        return False
    from scipy.stats import binomtest  # late: it takes half a second

    interval = binomtest(right, decided).proportion_ci(0.9, method="wilson")
    return float(interval.high) < max(MIN_RIGHT, base)


def contradicted_cues(
    facet: Facet, evidence: Evidence, decisions: Mapping[int, Decision]
) -> frozenset[CueKey]:
    """Return the cues of top categories that decisions contradict.

    decisions: row of a paper in `evidence` -> decision on it.
    """
    topics = {row: facet.top_ids_of(decision.values) for row, decision in decisions.items()}
    matches: dict[CueKey, list[int]] = {}
    for row in decisions:
        for hit in evidence.hits[row]:
            matches.setdefault((hit.category, hit.view, hit.cue), []).append(row)
    found = set()
    for (category, view, cue), rows in matches.items():
        if category not in facet.ids:
            continue
        known = [row for row in topics if category not in decisions[row].unknown]
        is_right = {row: (category in topics[row]) != (view == "against") for row in known}
        judged = [is_right[row] for row in rows if row in is_right]
        if not judged:
            continue
        base = sum(is_right.values()) / len(known)
        if is_contradicted(sum(judged), len(judged), base):
            found.add((category, view, cue))
    return frozenset(found)


def without_cues(evidence: Evidence, cues: frozenset[CueKey]) -> Evidence:
    """Return the evidence without the matches of some cues, which move to `faded`."""
    if not cues:
        return evidence
    counts, hits, faded = evidence.counts.copy(), [], []
    columns = {category: column for column, category in enumerate(evidence.category_ids)}
    for row, of_paper in enumerate(evidence.hits):
        kept, left_out = [], []
        for hit in of_paper:
            if (hit.category, hit.view, hit.cue) in cues:
                counts[row, columns[hit.category], CUE_VIEWS.index(hit.view)] -= hit.count
                left_out.append(hit)
            else:
                kept.append(hit)
        hits.append(tuple(kept))
        faded.append(tuple(left_out))
    return replace(evidence, counts=counts, hits=hits, faded=faded)
