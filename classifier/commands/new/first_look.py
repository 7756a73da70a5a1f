"""What a first look at new papers shows: likely slips, duplicates, papers without abstract."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.commands.new.categories import OTHER
from classifier.labelling.cue_index import CueIndex, Hit
from classifier.learning import train
from classifier.papers.paper import Paper
from classifier.progress import Progress
from classifier.project import Project
from classifier.review.queue import DoubtfulDecision, doubtful_decisions
from classifier.survey.inputs import Inputs, read_inputs
from classifier.taxonomy.model import Facet

_LEAST_MARGIN = 0.5
"""How much likelier another category must be, 0 to 1, before anybody is bothered."""
_MOST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Misfiled:
    """A paper that its text puts elsewhere."""

    title: str
    filed: str
    """The name of the category that it was filed under."""
    said: str
    """The name of the category that its text speaks for."""
    words: tuple[str, ...]
    """Cues of that category in its text."""


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What a person may want to look at first."""

    misfiled: tuple[Misfiled, ...]
    """The likeliest slips first; none where nobody filed the papers."""
    repeated: tuple[tuple[str, tuple[str, ...]], ...]
    """(title, places of its records) of papers that stand in one file more than once."""
    shared: int
    """Papers that stand in several files."""
    without_abstract: tuple[str, ...]
    """Titles of papers of which neither abstract nor digest is known."""
    unread: int
    """Records that could not be read."""
    papers: int


def look(folder: Path, progress: Progress | None = None, *, filed: bool = True) -> FirstLook:
    """Train on the project in `folder` and say what is doubtful; nothing is written.

    filed: whether people chose a place for each paper; a keyword is no place that could be wrong.
    Raises InputError where the project has faults.
    """
    inputs = read_inputs(Project(folder), progress)
    papers = inputs.corpus.papers
    doubts = (
        doubtful_decisions(train(inputs, progress).models_, inputs.decisions)
        if filed and inputs.decisions
        else []
    )
    return FirstLook(
        _misfiled(doubts, inputs),
        tuple(
            (paper.title_display, tuple(map(str, paper.sources)))
            for paper in papers
            if any(number > 1 for number in _files(paper).values())
        ),
        sum(len(_files(paper)) > 1 for paper in papers),
        tuple(paper.title_display for paper in papers if paper.abstract_kind == "none"),
        len(inputs.corpus.quarantined),
        len(papers),
    )


def _files(paper: Paper) -> Counter[str]:
    return Counter(source.file for source in paper.sources)


def _misfiled(doubts: Sequence[DoubtfulDecision], inputs: Inputs) -> tuple[Misfiled, ...]:
    """Return the doubts that a person can see with their own eyes: in words of the paper."""
    facet = inputs.taxonomy.first
    papers = {paper.id: paper for paper in inputs.corpus.papers}
    names = {category.id: category.name for category in facet.walk(retired=True)}
    sure = [
        doubt
        for doubt in doubts
        if doubt.margin >= _LEAST_MARGIN and OTHER not in (doubt.decided, doubt.said)
    ]
    evidence = CueIndex(inputs.taxonomy).count([papers[doubt.paper_id] for doubt in sure])
    fired = evidence[facet.id].hits
    found = []
    for doubt, hits in zip(sure, fired, strict=True):
        cues = _cues_by_category(hits, facet)
        words = cues.get(doubt.said, ())
        paper = papers[doubt.paper_id]
        # One word of a title alone is a weak witness.
        fewest = 2 if paper.abstract_kind == "none" else 1
        if len(words) >= max(fewest, len(cues.get(doubt.decided, ())) + 1):
            filed, said = names[doubt.decided], names[doubt.said]
            found.append(Misfiled(paper.title_display, filed, said, words[:_MOST_WORDS]))
    return tuple(found)


def _cues_by_category(hits: Sequence[Hit], facet: Facet) -> Mapping[str, tuple[str, ...]]:
    """Return top category -> its cues, and those of its parts, that fired in a paper."""
    cues: dict[str, tuple[str, ...]] = {}
    for hit in hits:
        if hit.view != "against":
            top = facet.top_of(hit.category)
            cues[top] = tuple(dict.fromkeys((*cues.get(top, ()), hit.cue)))
    return cues
