"""What papers and decisions say against a taxonomy: `fieldguide check --deep`. All is advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

from classifier.evaluation.cue_figures import MIN_DECIDED, CueFigures, cue_figures
from classifier.evaluation.distinctive import distinctive_terms
from classifier.evaluation.report import Report, json_values
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.cue_index import VOTE_WEIGHTS, Evidence
from classifier.labelling.decide import is_out_of_scope
from classifier.labelling.labels import Decision, Decisions, FacetLabels, with_decisions
from classifier.labelling.views import text_views
from classifier.papers.paper import Paper
from classifier.taxonomy.cue import parse_cue
from classifier.taxonomy.document import Node
from classifier.taxonomy.lint import category_entries
from classifier.taxonomy.model import CUE_VIEWS, Facet
from classifier.text.normalise import tokens

MAX_SHOWN, MAX_TITLES = 6, 3
"""Findings of a kind, and titles of one, that the text shows; the JSON has them all."""
EVERYWHERE, EVERYWHERE_TIMES = 1 / 3, 2
"""Share of the papers, and times the papers of its category, from which a cue fires everywhere."""
FEW_PAPERS = 3
"""A category with fewer papers cannot be learned, and is a short chapter."""
UNSEEN_SHARE, MIN_UNSEEN = 0.2, 2
"""A category whose cues miss a larger share of its papers, and so many, lacks cues."""
EVIDENCE = 0.5
"""A vote above this is evidence; at or below it no cue speaks, or one speaks against."""
ENOUGH_FOR_TERMS, MAX_TERMS = 4, 6
"""What fewer papers have in common is chance."""
_MIN_BEGINNING = 4
"""Letters of the beginning of a word that may be meant for words."""

KINDS = {
    "weak": (
        "Cues that mislead",
        "surely wrong more often than right, or no better than chance, in "
        f"{MIN_DECIDED} reviewed papers or more",
    ),
    "everywhere": (
        "Cues that fire everywhere",
        f"in more than {EVERYWHERE:.0%} of the papers, and {EVERYWHERE_TIMES} times as many as "
        "have the category",
    ),
    "unseen": (
        "Categories with too little evidence",
        "few papers, or reviewed papers that none of its cues speaks for",
    ),
    "bare": ("Papers without evidence", "no cue of the facet speaks for them"),
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
    papers: tuple[str, ...] = ()
    """Titles of papers to look at."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.found}. {self.cure}"


@dataclass(frozen=True, slots=True)
class Advice:
    """What was found, and the figures of every cue."""

    papers: int
    decided: int
    """Papers on which people decided."""
    findings: tuple[Finding, ...]
    """By kind, of each the most worthwhile first."""
    cues: tuple[tuple[str, CueFigures], ...]
    """(facet id, figures) of every cue, in the order of the taxonomy."""


def advise(
    classifier: TaxonomyClassifier, document: Node, papers: Sequence[Paper], decisions: Decisions
) -> Advice:
    """Return everything that papers and decisions say against a taxonomy.

    classifier: fitted on these papers and decisions; document: the tree that its taxonomy was read
    from.
    """
    labels = with_decisions(classifier.taxonomy, classifier.predict(papers), decisions)
    evidence = classifier.evidence(papers)
    facets = [
        MeasuredFacet(
            facet,
            document.at(("facets", facet_id)),
            papers,
            evidence[facet_id],
            [label.facets.get(facet_id) for label in labels],
            [decisions.get(paper.id, {}).get(facet_id) for paper in papers],
        )
        for facet_id, facet in classifier.taxonomy.facets.items()
        if facet_id in evidence
    ]
    order = {kind: place for place, kind in enumerate(KINDS)}
    findings = [finding for facet in facets for finding in facet.findings()]
    findings.sort(key=lambda one: (order[one.kind], -one.worth, one.line, one.found))
    return Advice(
        len(papers),
        sum(paper.id in decisions for paper in papers),
        tuple(findings),
        tuple((facet.facet.id, cue) for facet in facets for cue in facet.cues),
    )


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

    def findings(self) -> Iterator[Finding]:
        """Yield all findings; a cue that misleads is named once."""
        everywhere = [cue for cue in self.cues if self._is_everywhere(cue)]
        weak = [cue for cue in self.cues if cue.is_weak and cue not in everywhere]
        yield from (self._misleading("everywhere", cue) for cue in everywhere)
        yield from (self._misleading("weak", cue) for cue in weak)
        for category in self.facet.walk():
            if not category.out_of_scope and category.cues:
                yield from self._unseen(category.id)
            yield from self._silent(category.id)
        if not self.facet.may_be_unstated:
            yield from self._bare()

    @cached_property
    def rows(self) -> list[int]:
        """The papers to which the facet applies."""
        return [row for row, label in enumerate(self.labels) if label is not None]

    @cached_property
    def cues(self) -> tuple[CueFigures, ...]:
        """The figures of every cue, in the order of the taxonomy."""
        return cue_figures(self.facet, self.evidence, self.labels, self.decisions)

    def rows_of(self, category: str) -> list[int]:
        """Return the papers that have a category, by the labels in force."""
        return [row for row in self.rows if category in self.labels[row].categories]  # type: ignore[union-attr]

    def _finding(
        self,
        kind: str,
        category: str,
        found: str,
        cure: str,
        worth: float,
        *,
        of: CueFigures | None = None,
        rows: Sequence[int] = (),
    ) -> Finding:
        """Return a finding with its place; of: the cue it is about; rows: papers to look at."""
        view, cue = (of.view, of.cue) if of else ("", "")
        place = self._places[category, view, cue]
        titles = tuple(self.papers[row].title_display for row in rows)
        return Finding(
            kind, self.facet.id, category, place.file, place.line, found, cure, worth, view, cue,
            titles,
        )  # fmt: skip

    @cached_property
    def _places(self) -> dict[tuple[str, str, str], Node]:
        """(category, view, cue) -> its place; without a cue that of the category, or the first."""
        places: dict[tuple[str, str, str], Node] = {}
        for entry in category_entries(self.facet, self.node):
            places.setdefault(("", "", ""), entry.node)
            places[entry.category.id, "", ""] = entry.node
            for view, cue, _, node in entry.cues():
                places.setdefault((entry.category.id, view, cue), node)
        return places

    def _is_everywhere(self, cue: CueFigures) -> bool:
        if "/" in cue.category or cue.view == "against":
            return False
        often = len(cue.fired) > EVERYWHERE * cue.reached
        return often and len(cue.fired) > EVERYWHERE_TIMES * len(self.rows_of(cue.category))

    def _misleading(self, kind: str, cue: CueFigures) -> Finding:
        found = f"{cue} fires in {len(cue.fired)} of {cue.reached} papers"
        cure = "Make it longer, or delete it."
        if cue.view == "against":
            own, chance = cue.decided - cue.right, 1 - cue.base
            cure = "Delete it: it speaks against papers of its own."
            found += f", and {own} of {cue.decided} reviewed have the category"
            found += f" ({chance:.0%} by chance)"
        elif cue.decided:
            found += f", right in {cue.right} of {cue.decided} reviewed ({cue.base:.0%} by chance)"
        if cue.view != "against" and cue.instead:
            found += f"; instead {listed([f'{name} {n}' for name, n in cue.instead], 3)}"
            if cue.instead[0][1] > max(cue.decided, MIN_DECIDED) / 2:
                cure = f"Make it longer, delete it, or move it to '{cue.instead[0][0]}'."
        wrong = 1 - cue.right / cue.decided if cue.decided else 1.0
        weight = abs(float(VOTE_WEIGHTS[CUE_VIEWS.index(cue.view)]))
        worth = weight * len(cue.fired) * wrong
        return self._finding(kind, cue.category, found, cure, worth, of=cue)

    def _unseen(self, category: str) -> Iterator[Finding]:
        """Yield that a category has few papers, or that its cues miss many of its own."""
        rows = self.rows_of(category)
        if len(rows) < FEW_PAPERS:
            found = f"{len(rows) or 'no'} paper{'' if len(rows) == 1 else 's'} in '{category}'"
            own = [c for c in self.cues if c.category == category and c.view != "against"]
            cure = "Find papers for it, or merge it (`replaced_by`)."
            if not all(cue.fired for cue in own):  # then more papers alone would help
                cure = "Give it cues that fire, find papers for it, or merge it (`replaced_by`)."
            yield self._finding("unseen", category, found, cure, 1.0, rows=rows)
        if "/" in category:  # a paper is put into a child by its cues alone: none is missed
            return
        decided = [row for row in rows if self.decisions[row] is not None]
        votes = self.evidence.votes([category])[:, 0]
        missed = [row for row in decided if votes[row] <= EVIDENCE]
        if len(missed) >= MIN_UNSEEN and len(missed) > UNSEEN_SHARE * len(decided):
            words = self._terms(missed, rows)
            found = f"no cue of '{category}' speaks for {len(missed)} of {len(decided)}"
            cure = f"Cues for them: {words}." if words else "Write cues for them."
            worth = float(len(missed))
            yield self._finding(
                "unseen", category, f"{found} reviewed papers", cure, worth, rows=missed
            )

    def _bare(self) -> Iterator[Finding]:
        """Yield one finding on the papers that no cue of any category of the facet speaks for."""
        votes = self.evidence.votes(self.facet.ids)
        bare = [
            row
            for row in self.rows
            if votes[row].max(initial=0.0) <= EVIDENCE
            and not (
                (decision := self.decisions[row]) and is_out_of_scope(self.facet, decision.primary)
            )
        ]
        if bare:
            words = self._terms(bare, bare)
            found = f"no cue of any {self.facet.name.lower()} speaks for {len(bare)} of "
            found += f"{len(self.rows)} papers{f'; what they say: {words}' if words else ''}"
            cure = "Write cues for them, or a category that is missing."
            yield self._finding("bare", "", found, cure, float(len(bare)), rows=bare)

    def _terms(self, inside: Sequence[int], own: Sequence[int]) -> str:
        """Return the terms that tell some papers from all but their `own`, quoted."""
        if len(inside) < ENOUGH_FOR_TERMS:
            return ""
        here = [text_views(self.papers[row]) for row in inside]
        there = [text_views(self.papers[row]) for row in self.rows if row not in set(own)]
        return ", ".join(f"“{term.term}”" for term in distinctive_terms(here, there, MAX_TERMS))

    def _silent(self, category: str) -> Iterator[Finding]:
        own = [cue for cue in self.cues if cue.category == category]
        silent = [cue for cue in own if not cue.fired and cue.reached]
        if silent:
            names = listed([f"'{cue.cue}' ({cue.view})" for cue in silent])
            found = f"{len(silent)} of {len(own)} cues of '{category}' in none of "
            found += f"{silent[0].reached} papers: {names}"
            cure = f"{self._meant(silent)}Check the spelling; keep what papers to come may say."
            yield self._finding("silent", category, found, cure, len(silent), of=silent[0])

    def _meant(self, cues: Sequence[CueFigures]) -> str:
        """Return what `~` behind the beginning of a word may have been meant for, or "".

        It stands for inflections: "tubercul~" is no word, and finds no "tuberculosis".
        """
        for cue in cues:
            beginning = cue.cue.removesuffix("~").lower()
            if not cue.cue.endswith("~") or len(beginning) < _MIN_BEGINNING:
                continue
            words = Counter(
                word for text in self._words for word in text if word.startswith(beginning)
            )
            if words and beginning.isalpha() and not words.keys() & parse_cue(cue.cue).words:
                most = sorted(words, key=lambda word: (-words[word], word))[:3]
                return (
                    f"'{cue.cue}' is no word with its inflections; the papers say "
                    f"{listed([f'“{word}”' for word in most])}: write whole words. "
                )
        return ""

    @cached_property
    def _words(self) -> list[set[str]]:
        return [set(tokens(f"{p.title_display} {p.abstract_display}")) for p in self.papers]


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return names with commas, and how many more there are.

    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def advice_report(advice: Advice, most: int = MAX_SHOWN) -> Report:
    """Return the findings, a section a kind, the first `most` of each."""
    head = (
        f"{len(advice.cues)} cues on {advice.papers} papers, {advice.decided} of them decided. "
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


def advice_json(advice: Advice) -> dict[str, object]:
    """Return all findings, and the figures of all cues, as JSON values; undefined ones are None."""
    return {
        "papers": advice.papers,
        "decided": advice.decided,
        "findings": [asdict(finding) for finding in advice.findings],
        "cues": [
            {"facet": facet, **json_values(cue), "fired": len(cue.fired)}
            | {"instead": dict(cue.instead)}
            for facet, cue in advice.cues
        ],
    }
