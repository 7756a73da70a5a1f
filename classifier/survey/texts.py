"""What the texts of papers say, whatever their labels are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from classifier.papers.paper import Paper
from classifier.parallel import background_map
from classifier.survey.names import UNSOLVED, Lexicons, NameFinder, ProblemFinder
from classifier.survey.paper_names import short_name
from classifier.text.result import Result
from classifier.text.results import results_of
from classifier.text.roles import RoledSentence, roled_sentences, with_outcomes


@dataclass(frozen=True, slots=True)
class Text:
    """What the text of a paper says."""

    sentences: tuple[RoledSentence, ...]
    """Of its abstract or digest (display form), with their roles."""
    names: Mapping[str, tuple[str, ...]]
    """Lexicon -> names of it that the text holds, in order of the lexicon."""
    results: tuple[Result, ...]
    """The numbers that state an outcome, in the order of the text."""
    unsolved: Mapping[str, RoledSentence]
    """What it says is unsolved: problem -> the sentence that states it."""


@contextmanager
def reading(papers: Sequence[Paper], lexicons: Lexicons) -> Iterator[Callable[[], dict[str, Text]]]:
    """Begin to read; give what returns paper id -> what its text says."""
    finder, problems = NameFinder(lexicons), ProblemFinder(lexicons.get(UNSOLVED, {}))

    def read(paper: Paper) -> Text:
        title = paper.title_display
        sentences = roled_sentences(paper.abstract_display)
        names = finder.find(f"{title} . {paper.abstract_display}")
        unsolved = problems.find(sentences)
        if UNSOLVED in names:
            names[UNSOLVED] = tuple(unsolved)
        results = results_of(sentences, finder.naming(title, short_name(title)))
        own = {result.sentence for result in results if result.whose == "own"}
        return Text(with_outcomes(sentences, own), names, results, unsolved)

    with background_map(read, papers, len(papers)) as finish:
        yield lambda: {paper.id: text for paper, text in zip(papers, finish(), strict=True)}
