"""Analyse the texts of papers: sentences with roles, names, results, problems, typed values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from classifier.papers.paper import Paper
from classifier.parallel import background_map
from classifier.survey.names import NameFinder, ProblemFinder
from classifier.survey.paper_names import short_name
from classifier.survey.typed_columns import ColumnFiller
from classifier.taxonomy.columns import Values
from classifier.taxonomy.model import Taxonomy
from classifier.text.result import Result
from classifier.text.results import results_of
from classifier.text.roles import RoledSentence, roled_sentences, with_outcomes


@dataclass(frozen=True, slots=True)
class Text:
    """What was found in the title and the abstract or digest of a paper."""

    sentences: tuple[RoledSentence, ...]
    """Sentences of the abstract or digest, with their roles."""
    names: Mapping[str, tuple[str, ...]]
    """Names in the text by lexicon, in order of appearance."""
    results: tuple[Result, ...]
    """Numbers that state an outcome, in text order; () if the taxonomy lists no benchmarks."""
    unsolved: Mapping[str, RoledSentence]
    """Sentence that states an open problem, by problem."""
    values: Values = field(default_factory=dict)
    """Values that the text states, by typed column."""


@contextmanager
def read_texts(
    papers: Sequence[Paper], taxonomy: Taxonomy
) -> Iterator[Callable[[], dict[str, Text]]]:
    """Analyse papers in the background; yield a function that returns texts by paper id."""
    finder = NameFinder(taxonomy.lexicons, taxonomy.roles)
    problems = ProblemFinder(taxonomy.open_problems)
    columns = ColumnFiller(taxonomy)

    def analyse(paper: Paper) -> Text:
        """Analyse one paper."""
        title = paper.title_display
        sentences = roled_sentences(paper.abstract_display)
        names = finder.find(f"{title} . {paper.abstract_display}")
        unsolved = problems.find(sentences)
        if taxonomy.roles.unsolved in names:
            names[taxonomy.roles.unsolved] = tuple(unsolved)
        results = results_of(sentences, finder.finder_for(title, short_name(title)))
        own = {result.sentence for result in results if result.whose == "own"}
        # Without a list of benchmarks the survey quotes sentences and extracts no numbers.
        printed = results if taxonomy.lexicons.get(taxonomy.roles.benchmarks) else ()
        values = columns.fill(sentences, short_name(title))
        return Text(with_outcomes(sentences, own), names, printed, unsolved, values)

    with background_map(analyse, papers, len(papers)) as finish:
        yield lambda: {paper.id: text for paper, text in zip(papers, finish(), strict=True)}
