"""What papers and decisions say against a taxonomy: `fieldguide check --deep`. All is advice."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from classifier.errors import listed
from classifier.evaluation.distinctive import distinctive_terms, text_views
from classifier.evaluation.report import Report
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.cue_index import VOTE_WEIGHTS, Evidence
from classifier.labelling.faded_cues import MIN_DECIDED, CueKey, is_contradicted
from classifier.labelling.keywords import with_read_keywords
from classifier.labelling.labels import Decision, Decisions, FacetLabels, with_decisions
from classifier.papers.paper import Paper
from classifier.taxonomy.document import Node
from classifier.taxonomy.lint import category_entries
from classifier.taxonomy.model import CUE_VIEWS, Category, Facet
from classifier.text.empty_words import says_little

MAX_SHOWN, MAX_TITLES = 6, 3
"""Findings of a kind, and titles of one, that are printed."""
FEW_PAPERS = 3
"""A category with fewer papers cannot be learned, and is a short chapter."""
UNSEEN_SHARE, MIN_UNSEEN = 0.2, 2
"""A category whose cues miss a larger share of its papers, and so many, lacks cues."""
EVIDENCE = 0.5
"""A vote above this is evidence; at or below it no cue speaks, or one speaks against."""
ENOUGH_FOR_TERMS, ENOUGH_WITH_A_TERM, MAX_TERMS = 4, 3, 6
"""What fewer papers have in common is chance, and so is a term that fewer of them use."""

KINDS = {
    "weak": (
        "Cues that mislead",
        "surely wrong more often than right, or no better than chance, in "
        f"{MIN_DECIDED} reviewed papers or more",
    ),
    "unseen": (
        "Categories with too little evidence",
        "few papers, or papers that people filed there and none of its cues speaks for",
    ),
    "silent": (
        "Categories with cues that never fire",
        "in no paper; a child's cue, in no paper of its parent",
    ),
}
"""Kind of a finding -> its heading, and when it is made; what is most worth fixing first."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One piece of advice; none of it is an error."""

    kind: str
    """One of KINDS."""
    file: str
    line: int
    found: str
    hint: str
    worth: float
    """How much a change would do, in papers: findings of one kind are ranked by it."""
    papers: tuple[str, ...] = ()
    """Titles of papers to look at."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.found}. {self.hint}"


@dataclass(frozen=True, slots=True)
class Advice:
    """What was found, and on what."""

    papers: int
    decided: int
    """Papers on which people decided."""
    cues: int
    findings: tuple[Finding, ...]
    """By kind, of each the most worthwhile first."""


def advise(
    classifier: TaxonomyClassifier, document: Node, papers: Sequence[Paper], decisions: Decisions
) -> Advice:
    """Return what papers and decisions say against a taxonomy.

    classifier: fitted on these papers and decisions; document: the tree that its taxonomy was read
    from.
    """
    labels = with_decisions(classifier.taxonomy, classifier.label(papers), decisions)
    # All cues, also those that labels no longer count.
    evidence = classifier.cue_index_.count(with_read_keywords(papers, classifier.taxonomy))
    facets = [
        MeasuredFacet(
            facet,
            document.at(("facets", facet_id)),
            papers,
            evidence[facet_id],
            [label.facets.get(facet_id) for label in labels],
            [decisions.get(paper.id, {}).get(facet_id) for paper in papers],
            classifier.faded_.get(facet_id, frozenset()),
        )
        for facet_id, facet in classifier.taxonomy.facets.items()
        if facet_id in evidence
    ]
    findings = [finding for facet in facets for finding in facet.findings()]
    order = list(KINDS)
    findings.sort(key=lambda one: (order.index(one.kind), -one.worth, one.line, one.found))
    decided = sum(paper.id in decisions for paper in papers)
    return Advice(len(papers), decided, sum(len(f.cues) for f in facets), tuple(findings))


@dataclass(frozen=True)
class MeasuredFacet:
    """A facet and what is known of n papers; rows are places among them."""

    facet: Facet
    node: Node
    """Where it stands in the taxonomy."""
    papers: Sequence[Paper]
    evidence: Evidence
    labels: Sequence[FacetLabels | None]
    """The labels in force; None where the facet does not apply."""
    decisions: Sequence[Decision | None]
    """What people decided; None where nobody did."""
    faded: Collection[CueKey] = ()
    """Cues that labels no longer count, because decisions contradict them."""

    def findings(self) -> Iterator[Finding]:
        """Yield all findings."""
        yield from (self._weak(cue) for cue in self.cues if cue.is_weak)
        for category in self.facet.walk():
            own = [cue for cue in self.cues if cue.category == category.id]
            if not category.out_of_scope and category.cues:
                yield from self._unseen(category.id, own)
            silent = [cue for cue in own if not cue.fired and cue.reached]
            if silent:
                names = listed([f"'{cue.cue}' ({cue.view})" for cue in silent])
                found = f"{len(silent)} of {len(own)} cues of '{category.id}' in none of "
                found += f"{silent[0].reached} papers: {names}"
                hint = "Check the spelling; keep what papers to come may say."
                place = self._places[category.id, silent[0].view, silent[0].cue]
                yield Finding("silent", place.file, place.line, found, hint, len(silent))

    @cached_property
    def cues(self) -> tuple[CueFigures, ...]:
        """The figures of every cue, in the order of the taxonomy."""
        return cue_figures(self.facet, self.evidence, self.labels, self.decisions)

    @cached_property
    def _places(self) -> dict[tuple[str, str, str], Node]:
        """(category, view, cue) -> its place; without a cue that of the category."""
        places: dict[tuple[str, str, str], Node] = {}
        for entry in category_entries(self.facet, self.node):
            places[entry.category.id, "", ""] = entry.node
            for view, cue, _, node in entry.cues():
                places.setdefault((entry.category.id, view, cue), node)
        return places

    def _weak(self, cue: CueFigures) -> Finding:
        found = f"{cue} fires in {len(cue.fired)} of {cue.reached} papers"
        hint = "Make it longer, or delete it."
        if cue.view == "against":
            own, chance = cue.decided - cue.right, 1 - cue.base
            hint = "Delete it: it speaks against papers of its own."
            found += f", and {own} of {cue.decided} reviewed have the category"
            found += f" ({chance:.0%} by chance)"
        else:
            found += f", right in {cue.right} of {cue.decided} reviewed ({cue.base:.0%} by chance)"
            if cue.instead:
                found += f"; instead {listed([f'{name} {n}' for name, n in cue.instead], 3)}"
            if cue.instead and cue.instead[0][1] > cue.decided / 2:
                hint = f"Make it longer, delete it, or move it to '{cue.instead[0][0]}'."
        if (cue.category, cue.view, cue.cue) in self.faded:
            found += ". Labels no longer count it"
        weight = abs(float(VOTE_WEIGHTS[CUE_VIEWS.index(cue.view)]))
        worth = weight * len(cue.fired) * (1 - cue.right / cue.decided)
        place = self._places[cue.category, cue.view, cue.cue]
        return Finding("weak", place.file, place.line, found, hint, worth)

    def _unseen(self, category: str, own: Sequence[CueFigures]) -> Iterator[Finding]:
        """Yield that a category has few papers, or that its cues miss many of its own."""
        rows = [r for r, label in enumerate(self.labels) if label and category in label.categories]
        place = self._places[category, "", ""]
        if len(rows) < FEW_PAPERS:
            found = f"{len(rows) or 'no'} paper{'' if len(rows) == 1 else 's'} in '{category}'"
            hint = "Find papers for it, or merge it (`replaced_by`)."
            if not all(cue.fired for cue in own if cue.view != "against"):
                hint = "Give it cues that fire, find papers for it, or merge it (`replaced_by`)."
            yield Finding("unseen", place.file, place.line, found, hint, 1.0, self._titles(rows))
        if "/" in category:  # a paper is put into a child by its cues alone: none is missed
            return
        decided = [row for row in rows if self.decisions[row] is not None]
        votes = self.evidence.votes([category])[:, 0]
        missed = [row for row in decided if votes[row] <= EVIDENCE]
        if len(missed) >= MIN_UNSEEN and len(missed) > UNSEEN_SHARE * len(decided):
            words = self._terms(missed, rows)
            found = f"no cue of '{category}' speaks for {len(missed)} of {len(decided)} "
            found += "papers that people filed there"
            hint = f"Cues for them: {words}." if words else "Write cues for them."
            titles = self._titles(missed)
            yield Finding("unseen", place.file, place.line, found, hint, len(missed), titles)

    def _titles(self, rows: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.papers[row].title_display for row in rows)

    def _terms(self, inside: Sequence[int], own: Sequence[int]) -> str:
        """Return the terms that tell some papers from all but their `own`, quoted."""
        if len(inside) < ENOUGH_FOR_TERMS:
            return ""
        others = {row for row, label in enumerate(self.labels) if label} - set(own)
        here = [text_views(self.papers[row]) for row in inside]
        there = [text_views(self.papers[row]) for row in sorted(others)]
        told = [
            f"“{term.term}”"
            for term in distinctive_terms(here, there, 10 * MAX_TERMS)
            if term.inside >= ENOUGH_WITH_A_TERM and not says_little(term.term)
        ]
        return ", ".join(told[:MAX_TERMS])


def advice_report(advice: Advice, most: int = MAX_SHOWN) -> Report:
    """Return the findings, a section a kind, the first `most` of each."""
    head = (
        f"{advice.cues} cues on {advice.papers} papers, {advice.decided} of them filed by "
        "people. "
        "What follows is advice; nothing of it is an error."
    )
    return Report((head,), tuple(list(_section(advice, kind, most)) for kind in KINDS))


def _section(advice: Advice, kind: str, most: int) -> Iterator[str]:
    findings = [finding for finding in advice.findings if finding.kind == kind]
    if not findings:
        return
    title, rule = KINDS[kind]
    yield f"{title} ({len(findings)}): {rule}"
    for finding in findings[:most]:
        yield f"  {finding}"
        yield from (f"      “{title}”" for title in finding.papers[:MAX_TITLES])
        if (more := len(finding.papers) - MAX_TITLES) > 0:
            yield f"      … and {more} more"
    if len(findings) > most:
        yield f"  … and {len(findings) - most} more"


@dataclass(frozen=True, slots=True)
class CueFigures:
    """What one cue does on the papers at hand."""

    category: str
    """Id of the category, or child, that the cue belongs to."""
    view: str
    """One of `classifier.taxonomy.model.CUE_VIEWS`."""
    cue: str
    """As written in the taxonomy."""
    reached: int
    """Papers in which it could fire: of a child's cue, those of the parent."""
    fired: tuple[int, ...]
    """Places, among all papers, of those of the reached in which it fires."""
    decided: int
    """Fired papers on which people decided; of a child's cue, for which they named a child."""
    right: int
    """Decided papers that have its category; of a cue `against`, that lack it."""
    base: float
    """The share that would be right by chance: of all decided papers reached; nan without any."""
    instead: tuple[tuple[str, int], ...]
    """(category, papers), most first: where those are filed that are decided to be elsewhere."""

    def __str__(self) -> str:
        return f"the {self.view} cue '{self.cue}' of '{self.category}'"

    @property
    def is_weak(self) -> bool:
        """Whether it is wrong more often than right, or right no more often than by chance.

        See `faded_cues.is_contradicted`.
        """
        return is_contradicted(self.right, self.decided, self.base)


def cue_figures(
    facet: Facet,
    evidence: Evidence,
    labels: Sequence[FacetLabels | None],
    decisions: Sequence[Decision | None],
) -> tuple[CueFigures, ...]:
    """Return the figures of every cue of a facet, in the order of the taxonomy.

    The three sequences are of the same n papers: what fires, the labels in force (None where the
    facet does not apply), and what people decided (None where nobody did). Cues of top categories
    are held against each other on all papers; a child's only tell children apart, so they are held
    against its siblings, on papers of the parent.
    """
    fired: dict[tuple[str, str, str], list[int]] = {}
    for row, hits in enumerate(evidence.hits):
        for hit in hits:
            fired.setdefault((hit.category, hit.view, hit.cue), []).append(row)
    return tuple(
        cue for category in facet.walk() for cue in _of_category(category, fired, labels, decisions)
    )


def _of_category(
    category: Category,
    fired: Mapping[tuple[str, str, str], list[int]],
    labels: Sequence[FacetLabels | None],
    decisions: Sequence[Decision | None],
) -> Iterator[CueFigures]:
    parent = category.id.rpartition("/")[0]
    reached = {
        row
        for row, label in enumerate(labels)
        if label is not None and (not parent or parent in label.categories)
    }
    named = {
        row: values
        for row in reached
        if (decision := decisions[row]) and (values := _named(decision, category.id, parent))
    }
    for view, cues in category.cues.views():
        right = {row for row in named if (category.id in named[row]) != (view == "against")}
        base = len(right) / len(named) if named else math.nan
        for cue in dict.fromkeys(cues):
            rows = [row for row in fired.get((category.id, view, cue), ()) if row in reached]
            decided = [row for row in rows if row in named]
            wrong = Counter(named[row][0] for row in decided if category.id not in named[row])
            instead = tuple(sorted(wrong.items(), key=lambda item: (-item[1], item[0])))
            yield CueFigures(
                category.id, view, cue, len(reached), tuple(rows), len(decided),
                len(right.intersection(decided)), base, instead,
            )  # fmt: skip


def _named(decision: Decision, category: str, parent: str) -> list[str]:
    """Return which of a category and its siblings a person named, the primary first.

    [] where nobody could name the category. Who named a parent alone has not said which child it
    is.
    """
    if category in decision.unknown:
        return []
    values = dict.fromkeys((decision.primary, *decision.values))
    return [value for value in values if value and value.rpartition("/")[0] == parent]
