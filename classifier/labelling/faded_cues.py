"""Find cues that decisions contradict; labels no longer count them.

A cue is contradicted if it is wrong significantly more often than right, or right less often than
by chance. The test uses the decisions on all training papers, because each cue matches only a few
of them.
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


def is_contradicted(n_right: int, n_decided: int, base_rate: float) -> bool:
    """Return whether a cue is right significantly less often than half the time, or than by chance.

    n_right: number of papers in which the cue is right, among `n_decided` papers. base_rate: share
    that would be right by chance. The test uses the upper end of the one-sided 95 % Wilson interval
    (Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927).
    """
    if n_decided < MIN_DECIDED:
        return False
    from scipy.stats import binomtest  # late: it takes half a second

    interval = binomtest(n_right, n_decided).proportion_ci(0.9, method="wilson")
    return float(interval.high) < max(MIN_RIGHT, base_rate)


def contradicted_cues(
    facet: Facet, evidence: Evidence, decisions: Mapping[int, Decision]
) -> frozenset[CueKey]:
    """Return the cues of top categories that decisions contradict.

    decisions: the decision on each paper, by its row in `evidence`.
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
    """Move the matches of these cues from the evidence to its field `faded`."""
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
