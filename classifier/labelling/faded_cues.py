"""Cues that decisions contradict: labels no longer count them.

A cue is contradicted if it is surely wrong more often than right, or no better than chance. The
decisions are those on all papers that are learned from; of these, only a few mention any one cue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from classifier.labelling.cue_index import Evidence
from classifier.labelling.labels import Decision
from classifier.taxonomy.model import CUE_VIEWS, Facet

CueKey = tuple[str, str, str]
"""Category, list and cue."""

MIN_DECIDED, RIGHT_ENOUGH = 4, 0.5
"""Decided papers from which a cue is judged, and the share of them in which it shall be right."""


def is_contradicted(right: int, decided: int, base: float) -> bool:
    """Return whether a cue is surely right in less than half of its papers, or than by chance.

    right: decided papers in which the cue is right, of `decided`; base: the share that would be
    right by chance. "Surely" means the upper end of the one-sided 95 % Wilson interval (Wilson,
    "Probable inference, the law of succession, and statistical inference", JASA 22, 1927).
    """
    if decided < MIN_DECIDED:
        return False
    from scipy.stats import binomtest  # late: it takes half a second

    interval = binomtest(right, decided).proportion_ci(0.9, method="wilson")
    return float(interval.high) < max(RIGHT_ENOUGH, base)


def contradicted_cues(
    facet: Facet, evidence: Evidence, decisions: Mapping[int, Decision]
) -> frozenset[CueKey]:
    """Return the cues of top categories that decisions contradict.

    decisions: row of a paper in `evidence` -> the decision on it.
    """
    topics = {row: facet.tops_of(decision.values) for row, decision in decisions.items()}
    fired: dict[CueKey, list[int]] = {}
    for row in decisions:
        for hit in evidence.hits[row]:
            fired.setdefault((hit.category, hit.view, hit.cue), []).append(row)
    found = set()
    for (category, view, cue), rows in fired.items():
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
    """Return the evidence without some cues."""
    if not cues:
        return evidence
    counts, hits, faded = evidence.counts.copy(), [], []
    place = {category: column for column, category in enumerate(evidence.category_ids)}
    for row, of_paper in enumerate(evidence.hits):
        kept, left_out = [], []
        for hit in of_paper:
            if (hit.category, hit.view, hit.cue) in cues:
                counts[row, place[hit.category], CUE_VIEWS.index(hit.view)] -= hit.count
                left_out.append(hit)
            else:
                kept.append(hit)
        hits.append(tuple(kept))
        faded.append(tuple(left_out))
    return replace(evidence, counts=counts, hits=hits, faded=faded)
