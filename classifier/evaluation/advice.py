"""Suggestions for a taxonomy, from papers and decisions: `fieldguide check --deep`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from classifier.errors import listed
from classifier.evaluation.cue_statistics import CueStatistics, cue_statistics
from classifier.evaluation.report import Report
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.cue_index import VOTE_WEIGHTS, Evidence
from classifier.labelling.faded_cues import MIN_DECIDED, CueKey
from classifier.labelling.keywords import keep_readable_keywords
from classifier.labelling.labels import Decision, Decisions, FacetLabels, with_decisions
from classifier.papers.paper import Paper
from classifier.taxonomy.document import Node
from classifier.taxonomy.lint import category_entries
from classifier.taxonomy.model import CUE_VIEWS, Category, Facet

MAX_FINDINGS = 6
"""Maximum number of findings of one kind that are printed."""
MAX_TITLES = 3
"""Maximum number of titles of one finding that are printed."""
MIN_PAPERS = 3
"""Minimum size of a category: smaller ones cannot be learned and make short chapters."""
MAX_MISSED_SHARE, MIN_MISSED = 0.2, 2
"""A category lacks cues if they miss at least MIN_MISSED of its decided papers, and more than this
share of them."""
MIN_VOTE = 0.5
"""Votes above this are evidence for a category; without a cue, or with one against, it is less."""

KINDS = {
    "weak": (
        "Misleading cues",
        "wrong more often than right, or no better than chance, in at least "
        f"{MIN_DECIDED} reviewed papers",
    ),
    "unseen": (
        "Categories with too little evidence",
        "few papers, or reviewed papers that none of the category's cues matches",
    ),
    "silent": (
        "Cues that match no paper",
        "for a subcategory: no paper of its parent",
    ),
}
"""Kind of finding -> its heading and its rule, in the order of usefulness."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A suggestion; it is not an error."""

    kind: str
    """One of KINDS."""
    file: str
    line: int
    found: str
    hint: str
    gain: float
    """Estimated effect of a change, in papers. Findings of one kind are sorted by it."""
    papers: tuple[str, ...] = ()
    """Titles of papers to look at."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.found}. {self.hint}"


@dataclass(frozen=True, slots=True)
class Advice:
    """All suggestions, and the amount of data on which they are based."""

    papers: int
    decided: int
    """Number of papers with a decision."""
    cues: int
    findings: tuple[Finding, ...]
    """By kind, and within a kind by gain, the largest first."""


def advise(
    classifier: TaxonomyClassifier, document: Node, papers: Sequence[Paper], decisions: Decisions
) -> Advice:
    """Return suggestions for a taxonomy.

    classifier: classifier that was fitted to these papers and decisions. document: the YAML tree of
    its taxonomy.
    """
    labels = with_decisions(classifier.taxonomy, classifier.label(papers), decisions)
    # All cues, including those that labels no longer count.
    evidence = classifier.cue_index_.count(keep_readable_keywords(papers, classifier.taxonomy))
    facets = [
        _FacetData(
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
    findings.sort(key=lambda each: (order.index(each.kind), -each.gain, each.line, each.found))
    n_decided = sum(paper.id in decisions for paper in papers)
    n_cues = sum(len(facet.cues) for facet in facets)
    return Advice(len(papers), n_decided, n_cues, tuple(findings))


@dataclass(frozen=True)
class _FacetData:
    """A facet with the evidence, labels and decisions of n papers; rows refer to these papers."""

    facet: Facet
    node: Node
    papers: Sequence[Paper]
    evidence: Evidence
    labels: Sequence[FacetLabels | None]
    """The current labels; None where the facet does not apply."""
    decisions: Sequence[Decision | None]
    """None for an undecided paper."""
    faded: Collection[CueKey]
    """Cues that labels no longer count, because decisions contradict them."""

    @cached_property
    def cues(self) -> tuple[CueStatistics, ...]:
        """The statistics of all cues, in the order of the taxonomy."""
        return cue_statistics(self.facet, self.evidence, self.labels, self.decisions)

    def findings(self) -> Iterator[Finding]:
        """Yield all findings."""
        for entry in category_entries(self.facet, self.node):
            category = entry.category
            own = [cue for cue in self.cues if cue.category == category.id]
            nodes = {(view, cue): node for view, cue, _, node in reversed([*entry.cues()])}
            for cue in own:
                if cue.is_weak:
                    yield self._weak_cue(cue, nodes[cue.view, cue.cue])
            if category.cues and not category.out_of_scope:
                yield from self._lacks(category, own, entry.node)
            silent = [cue for cue in own if not cue.matches and cue.n_candidates]
            if silent:
                verb = "matches" if len(silent) == 1 else "match"
                names = listed([f"'{cue.cue}' ({cue.view})" for cue in silent])
                found = f"{len(silent)} of {len(own)} cues of '{category.id}' {verb} none of "
                found += f"{silent[0].n_candidates} papers: {names}"
                hint = "Check the spelling. Keep cues that later papers may match."
                node = nodes[silent[0].view, silent[0].cue]
                yield Finding("silent", node.file, node.line, found, hint, len(silent))

    def _weak_cue(self, cue: CueStatistics, node: Node) -> Finding:
        found = f"{cue} matches {len(cue.matches)} of {cue.n_candidates} papers"
        hint = "Make it longer, or delete it."
        if cue.view == "against":
            hint = "Delete it: it counts against papers of its own category."
            found += f", and {cue.decided - cue.right} of {cue.decided} reviewed ones have the "
            found += f"category ({1 - cue.base:.0%} by chance)"
        else:
            found += f" and is right in {cue.right} of {cue.decided} reviewed ones"
            found += f" ({cue.base:.0%} by chance)"
            if cue.instead:
                found += f"; the others: {listed([f'{name} {n}' for name, n in cue.instead], 3)}"
            if cue.instead and cue.instead[0][1] > cue.decided / 2:
                hint = f"Make it longer, delete it, or move it to '{cue.instead[0][0]}'."
        if cue.key in self.faded:
            found += ". Labels no longer count it"
        weight = abs(float(VOTE_WEIGHTS[CUE_VIEWS.index(cue.view)]))
        gain = weight * len(cue.matches) * (1 - cue.right / cue.decided)
        return Finding("weak", node.file, node.line, found, hint, gain)

    def _lacks(
        self, category: Category, cues: Sequence[CueStatistics], node: Node
    ) -> Iterator[Finding]:
        """Yield a finding if a category has few papers, and one if its cues miss decided papers."""
        labels = enumerate(self.labels)
        rows = [row for row, label in labels if label and category.id in label.categories]
        place = node.file, node.line
        if len(rows) < MIN_PAPERS:
            found = f"{len(rows) or 'no'} paper{'' if len(rows) == 1 else 's'} in '{category.id}'"
            hint = "Find papers for it, or merge it (`replaced_by`)."
            if not all(cue.matches for cue in cues if cue.view != "against"):
                hint = "Give it cues that match, find papers for it, or merge it (`replaced_by`)."
            yield Finding("unseen", *place, found, hint, 1.0, self._titles(rows))
        if "/" in category.id:  # A paper gets a subcategory only from cues, which miss no paper.
            return
        decided = [row for row in rows if self.decisions[row] is not None]
        votes = self.evidence.votes([category.id])[:, 0]
        missed = [row for row in decided if votes[row] <= MIN_VOTE]
        if len(missed) >= MIN_MISSED and len(missed) > MAX_MISSED_SHARE * len(decided):
            found = f"no cue of '{category.id}' is evidence for {len(missed)} of its "
            found += f"{len(decided)} reviewed papers"
            hint = "Write cues for them: `fieldguide check --suggest` proposes some."
            yield Finding("unseen", *place, found, hint, len(missed), self._titles(missed))

    def _titles(self, rows: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.papers[row].title_display for row in rows)


def advice_report(advice: Advice, max_findings: int = MAX_FINDINGS) -> Report:
    """Return the findings, with one section per kind and at most `max_findings` per section."""
    head = (
        f"{advice.cues} cues, {advice.papers} papers, {advice.decided} of them reviewed. "
        "The following are suggestions, not errors."
    )
    return Report(
        (head,), tuple(list(_section_lines(advice, kind, max_findings)) for kind in KINDS)
    )


def _section_lines(advice: Advice, kind: str, max_findings: int) -> Iterator[str]:
    findings = [finding for finding in advice.findings if finding.kind == kind]
    if not findings:
        return
    title, rule = KINDS[kind]
    yield f"{title} ({len(findings)}): {rule}"
    for finding in findings[:max_findings]:
        yield f"  {finding}"
        yield from (f"      “{title}”" for title in finding.papers[:MAX_TITLES])
        n_more = len(finding.papers) - MAX_TITLES
        if n_more > 0:
            yield f"      … and {n_more} more"
    if len(findings) > max_findings:
        yield f"  … and {len(findings) - max_findings} more"
