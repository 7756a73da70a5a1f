"""What is read out of each paper's text: the roles of its sentences, names, results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from classifier.papers.paper import Paper
from classifier.survey.names import Lexicons, NameFinder
from classifier.text.results import Result, headline_results
from classifier.text.roles import RoledSentence, roled_sentences

_MANY = 200
"""Texts that are read at once from so many on."""


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
    sentences = _roled([paper.abstract_display for paper in papers])
    for paper, roled in zip(papers, sentences, strict=True):
        names = finder.find(f"{paper.title} . {paper.abstract}")
        yield PaperReading(roled, names, headline_results(roled, finder.benchmarks))


def _roled(texts: Sequence[str]) -> Iterable[tuple[RoledSentence, ...]]:
    """Return the sentences of each text; of many by way of arrays, which are worth their start."""
    if len(texts) < _MANY:
        return map(roled_sentences, texts)
    from classifier.text.bulk.reading import roled_texts

    return roled_texts(texts)
