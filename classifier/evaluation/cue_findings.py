"""One thing about a taxonomy that is worth changing, with the figures that say so."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import sparse

from classifier.evaluation.cue_statistics import (
    EVERYWHERE,
    CueStatistics,
    MeasuredFacet,
    wilson_interval,
)
from classifier.labelling.cue_index import VOTE_WEIGHTS
from classifier.taxonomy.cue import CueMatcher, parse_cue
from classifier.taxonomy.model import CUE_VIEWS
from classifier.text.normalise import tokens

Kind = Literal["weak", "everywhere", "shared", "unseen", "pair", "bare", "silent"]


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one kind: what they have in common."""

    kind: Kind
    title: str
    rule: str
    """When a finding of this kind is made, for people."""
    gathers: bool = False
    """Whether a finding is of several cues; its worth says of how many."""

    def count(self, findings: Sequence[Finding]) -> int:
        """Return how many of what the title names are in the findings of this kind."""
        return round(sum(one.worth for one in findings)) if self.gathers else len(findings)


@dataclass(frozen=True, slots=True)
class Finding:
    """One piece of advice; none of it is an error."""

    kind: Kind
    facet: str
    category: str
    """Id of the category that it is about; "" where it is about papers of none."""
    file: str
    line: int
    found: str
    cure: str
    worth: float
    """How much a change would do, in papers: findings of one kind are ranked by it."""
    view: str = ""
    """The view of the cue that it is about; "" where it is about no single cue."""
    cue: str = ""
    notes: tuple[str, ...] = ()
    """More figures, a line each."""
    papers: tuple[str, ...] = ()
    """Titles of papers to look at."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.found}. {self.cure}".rstrip()


def ranked(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings by worth, then in reading order."""
    return sorted(findings, key=lambda finding: (-finding.worth, finding.line, finding.found))


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return names with commas, and how many more there are.

    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def finding(
    measured: MeasuredFacet,
    kind: Kind,
    category: str,
    found: str,
    cure: str,
    worth: float,
    *,
    of: CueStatistics | None = None,
    rows: Sequence[int] = (),
    notes: Iterable[str] = (),
) -> Finding:
    """Return a finding with its place. of: the cue it is about; rows: the papers to look at."""
    view, cue = (of.view, of.cue) if of else ("", "")
    place = measured.place(category, view, cue) if category else measured.entries[0].node
    return Finding(
        kind, measured.facet.id, category, place.file, place.line, found, cure, worth, view, cue,
        tuple(notes), measured.titles(rows),
    )  # fmt: skip


LEAST_DECIDED = 4
"""Decided papers from which a cue is judged by them."""
LEAST_JUDGED = 8
"""Decided and told papers from which a cue is judged by both."""
RIGHT_ENOUGH = 0.5
"""A cue shall be right in this share of the decided papers where it fires, or more."""
EVERYWHERE_TIMES = 2.0
"""A cue that fires everywhere is blamed from this many times the papers of its category on."""
LEAST_SHARED = 3
"""Papers in which two cues fire together, from which that is no chance."""
SHARED_ENOUGH = 0.8
"""Two cues are one if this share of the papers of either is of both (Jaccard)."""
_LEAST_BEGINNING = 4
"""Letters of the beginning of a word that may be meant for words."""
_MOST_MEANT = 3


def cue_findings(measured: MeasuredFacet) -> Iterator[Finding]:
    """Yield the findings on single cues of a facet; a cue that misleads is named once."""
    everywhere = [cue for cue in measured.statistics if _is_everywhere(measured, cue)]
    weak = [cue for cue in measured.statistics if cue not in everywhere and is_weak(cue)]
    blamed = {id(cue) for cue in (*everywhere, *weak)}
    rest = [cue for cue in measured.statistics if id(cue) not in blamed and cue.fired]
    yield from (_misleading(measured, cue, "everywhere") for cue in everywhere)
    yield from (_misleading(measured, cue, "weak") for cue in weak)
    yield from _shared(measured, rest)
    yield from _silent(measured)


def is_weak(cue: CueStatistics) -> bool:
    """Say whether a cue is wrong more often than right, or right no more often than by chance.

    Surely so: the upper end of the Wilson interval tells. A cue of a child, or against one, is
    judged by decided papers alone: what the few other cues say there is too little.
    """
    if "/" in cue.category or cue.view == "against":
        right, of = float(cue.right), cue.decided
    else:
        right, of = cue.credit * cue.judged, cue.judged
    if cue.decided < LEAST_DECIDED and of < LEAST_JUDGED:
        return False
    return wilson_interval(right, of)[1] < max(RIGHT_ENOUGH, cue.base)


def _is_everywhere(measured: MeasuredFacet, cue: CueStatistics) -> bool:
    if "/" in cue.category or cue.view == "against" or cue.share <= EVERYWHERE:
        return False
    return len(cue.fired) > EVERYWHERE_TIMES * len(measured.rows_of(cue.category))


def _misleading(measured: MeasuredFacet, cue: CueStatistics, kind: Kind) -> Finding:
    right = cue.precision if cue.view == "against" else cue.credit
    wrong = 1.0 if math.isnan(right) else 1 - right  # no paper says that it ever is right
    weight = abs(float(VOTE_WEIGHTS[CUE_VIEWS.index(cue.view)]))
    found = f"{_named(cue)} fires in {len(cue.fired)} of {cue.reached} papers{_figures(cue)}"
    worth = weight * len(cue.fired) * wrong
    return finding(measured, kind, cue.category, found, _cure(measured, cue), worth, of=cue)


def _named(cue: CueStatistics) -> str:
    return f"the {cue.view} cue '{cue.cue}' of '{cue.category}'"


def _figures(cue: CueStatistics) -> str:
    if cue.view == "against":
        own, chance = cue.decided - cue.right, 1 - cue.base
        return f", and {own} of {cue.decided} reviewed have the category ({chance:.0%} by chance)"
    figures = ""
    if cue.decided:
        figures += f", right in {cue.right} of {cue.decided} reviewed ({cue.base:.0%} by chance)"
    if cue.told:
        figures += f", standing {cue.standing:.2f} in {cue.told} others"
    named = [f"{category} {papers}" for category, papers in cue.instead]
    return figures + (f"; instead {listed(named, 3)}" if named else "")


def _cure(measured: MeasuredFacet, cue: CueStatistics) -> str:
    if cue.view == "against":
        return "Delete it: it speaks against papers of its own."
    if cue.instead and cue.instead[0][1] > max(cue.judged, LEAST_DECIDED) / 2:
        return f"Make it longer, delete it, or move it to '{cue.instead[0][0]}'."
    for view in ("contribution", "title")[: CUE_VIEWS.index(cue.view)]:
        right, decided = _in_view(measured, cue, view)
        if decided >= LEAST_DECIDED and right > decided * max(RIGHT_ENOUGH, cue.base):
            return f"Move it to '{view}', where it is right in {right} of {decided}."
    return "Make it longer, or delete it."


def _in_view(measured: MeasuredFacet, cue: CueStatistics, view: str) -> tuple[int, int]:
    """Return (right, decided) of a cue over reviewed papers, if it stood in a narrower view."""
    matcher = CueMatcher([parse_cue(cue.cue)])
    right = decided = 0
    for row in cue.fired:
        decision, views = measured.decisions[row], measured.views[row]
        texts = [views.title] if view == "title" else views.sentences
        if decision is None or cue.category in decision.unknown:
            continue
        if any(matcher.find(text) for text in texts):
            decided += 1
            right += cue.category in decision.values
    return right, decided


def _shared(measured: MeasuredFacet, cues: Sequence[CueStatistics]) -> Iterator[Finding]:
    """Cues for two sibling categories that fire in the same papers, each pair of words once."""
    fires = sparse.lil_matrix((len(cues), len(measured.papers)))
    for index, cue in enumerate(cues):
        fires[index, list(cue.fired)] = 1.0
    fires = fires.tocsr()
    together = np.asarray((fires @ fires.T).toarray())
    fired = np.array([len(cue.fired) for cue in cues])
    either = fired[:, None] + fired[None, :] - together
    alike = (together >= LEAST_SHARED) & (together >= SHARED_ENOUGH * either)
    seen = set()
    for one, other in np.argwhere(np.triu(alike, 1)).tolist():
        first, second = cues[one], cues[other]
        words = (first.category, first.cue, second.category, second.cue)
        if _are_rivals(first, second) and words not in seen:
            seen.add(words)
            yield _shared_finding(measured, first, second, int(together[one, other]))


def _are_rivals(one: CueStatistics, other: CueStatistics) -> bool:
    parents = {cue.category.rpartition("/")[0] for cue in (one, other)}
    views = {one.view, other.view}
    return one.category != other.category and len(parents) == 1 and "against" not in views


def _shared_finding(
    measured: MeasuredFacet, one: CueStatistics, other: CueStatistics, papers: int
) -> Finding:
    better, worse = (one, other) if one.right >= other.right else (other, one)
    known = better.decided >= LEAST_DECIDED
    clear = known and better.right > worse.right
    figures = (
        f"; of {better.decided} reviewed {better.right} are '{better.category}', "
        f"{worse.right} '{worse.category}'"
        if known
        else ""
    )
    cure = f"Delete it from '{worse.category}'." if clear else "Keep one, or make both longer."
    line = measured.place(other.category, other.view, other.cue).line
    both = f"{_named(one)} and {_named(other)} (line {line})"
    found = f"{both} fire in the same {papers} papers{figures}"
    return finding(measured, "shared", one.category, found, cure, float(papers), of=one)


def _silent(measured: MeasuredFacet) -> Iterator[Finding]:
    silent: defaultdict[str, list[CueStatistics]] = defaultdict(list)
    total: defaultdict[str, int] = defaultdict(int)
    for cue in measured.statistics:
        total[cue.category] += 1
        if not cue.fired and cue.reached:
            silent[cue.category].append(cue)
    for category, cues in silent.items():
        names = [f"'{cue.cue}' ({cue.view})" for cue in cues]
        found = (
            f"{len(cues)} of {total[category]} cues of '{category}' in none of "
            f"{cues[0].reached} papers: {listed(names)}"
        )
        cure = f"{_meant(measured, cues)}Check the spelling; keep what papers to come may say."
        yield finding(measured, "silent", category, found, cure, float(len(cues)), of=cues[0])


def _meant(measured: MeasuredFacet, cues: Sequence[CueStatistics]) -> str:
    """Return what `~` behind the beginning of a word may have been meant for, or "".

    It stands for inflections: "tubercul~" is no word, and finds no "tuberculosis".
    """
    for cue in cues:
        beginning = cue.cue.removesuffix("~").lower()
        if cue.cue.endswith("~") and len(beginning) >= _LEAST_BEGINNING and beginning.isalpha():
            texts = (
                tokens(f"{paper.title_display} {paper.abstract_display}")
                for paper in measured.papers
            )
            words = Counter(
                word for text in texts for word in set(text) if word.startswith(beginning)
            )
            if words and not words.keys() & parse_cue(cue.cue).words:
                most = sorted(words, key=lambda word: (-words[word], word))[:_MOST_MEANT]
                return (
                    f"'{cue.cue}' is no word with its inflections; the papers say "
                    f"{listed([f'“{word}”' for word in most])}: write whole words. "
                )
    return ""
