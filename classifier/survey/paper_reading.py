"""What is read out of each paper's text: the roles of its sentences, names, results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from classifier.papers.paper import Paper
from classifier.survey.names import Lexicons, NameFinder
from classifier.text.results import Result, headline_results
from classifier.text.roles import RoledSentence, roled_sentences


@dataclass(frozen=True, slots=True)
class PaperReading:
    """What a paper's title and abstract say."""

    sentences: tuple[RoledSentence, ...]
    names: Mapping[str, tuple[str, ...]]
    """Lexicon -> names, in order of appearance."""
    results: tuple[Result, ...]


def read_papers(papers: Sequence[Paper], lexicons: Lexicons) -> dict[str, PaperReading]:
    """Return paper id -> what its text says; the names of `lexicons` are looked for."""
    read = _read(papers, NameFinder(lexicons))
    return dict(zip((paper.id for paper in papers), read, strict=True))


def _read(papers: Sequence[Paper], finder: NameFinder) -> Iterator[PaperReading]:
    for paper in papers:
        roled = roled_sentences(paper.abstract_display)
        names = finder.find(f"{paper.title} . {paper.abstract}")
        yield PaperReading(roled, names, headline_results(roled, finder.benchmarks))
