"""What is read out of each paper's text: the roles of its sentences, names, results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from classifier.papers.paper import Paper
from classifier.survey.names import UNSOLVED, Lexicons, NameFinder, ProblemFinder
from classifier.text.results import Result, headline_results
from classifier.text.roles import RoledSentence, roled_sentences


@dataclass(frozen=True, slots=True)
class PaperReading:
    """What a paper's title and abstract say."""

    sentences: tuple[RoledSentence, ...]
    names: Mapping[str, tuple[str, ...]]
    """Lexicon -> names, in order of appearance."""
    unsolved: Mapping[str, RoledSentence]
    """What it says is unsolved: problem -> the sentence that states it."""
    results: tuple[Result, ...]


def read_papers(papers: Sequence[Paper], lexicons: Lexicons) -> dict[str, PaperReading]:
    """Return paper id -> what its text says; the names of `lexicons` are looked for."""
    problems = ProblemFinder(lexicons.get(UNSOLVED, {}))
    read = _read(papers, NameFinder(lexicons), problems)
    return dict(zip((paper.id for paper in papers), read, strict=True))


def _read(
    papers: Sequence[Paper], finder: NameFinder, problems: ProblemFinder
) -> Iterator[PaperReading]:
    for paper in papers:
        roled = roled_sentences(paper.abstract_display)
        names = finder.find(f"{paper.title_display} . {paper.abstract_display}")
        unsolved = problems.find(roled)
        if UNSOLVED in names:
            names[UNSOLVED] = tuple(unsolved)
        yield PaperReading(roled, names, unsolved, headline_results(roled, finder.benchmarks))
