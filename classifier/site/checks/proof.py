"""The proof of a finished survey: its quotes stand in their papers, its numbers are facts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from classifier.errors import Fault
from classifier.site.checks.numbers import NumberReader, allowed_by
from classifier.survey.document import Sentence
from classifier.survey.quotation import balanced, says, unmarked
from classifier.survey.survey import Survey

_SHOWN = 30


def prove(edition: Survey) -> list[Fault]:
    """Return what is not proven of a survey.

    - Every quote and paraphrase stands in its paper, where its span says.
    - Every number of a computed sentence is a value of its source (or the difference of two, or how
      many are not zero).
    """
    reader = NumberReader(edition.taxonomy)
    problems = (
        (sentence, problem)
        for sentence in edition.document.sentences
        for problem in chain(_quote(sentence, edition), _numbers(sentence, edition, reader))
    )
    return [
        Fault("error", "survey.md", None, f"sentence '{sentence.id}': {found}", wanted)
        for sentence, (found, wanted) in problems
    ]


def _quote(sentence: Sentence, edition: Survey) -> Iterator[tuple[str, str]]:
    """Yield what a quote or paraphrase says that does not stand at its span; what else may differ
    is listed in `classifier.survey.quotation`."""
    if sentence.kind not in "QP":
        return
    entry = edition.paper(sentence.source.partition(": ")[2])
    if entry is None:
        yield f"the source '{sentence.source}'", "the id of a paper of the survey"
        return
    paper = entry.paper
    words = paper.abstract_display[slice(*sentence.span)] if sentence.span else ""
    if not words:
        yield "no span", f"where the text of {paper.id} says it"
    elif (paper.abstract_kind == "digest") != (sentence.kind == "P"):
        yield f"kind {sentence.kind}", "P for a digest, Q for an abstract"
    elif not (
        says(sentence.text, words)
        if sentence.kind == "P"
        # Letter by letter, but for a quotation mark without its fellow.
        else f"“{' '.join(balanced(words).split())}”" in unmarked(sentence.text)
    ):
        yield f"“{sentence.text}”", f"what {paper.id} says, “{words}”"


def _numbers(
    sentence: Sentence, edition: Survey, reader: NumberReader
) -> Iterator[tuple[str, str]]:
    """Yield a source that does not exist, or a number that none of a sentence's sources gives."""
    kind, _, named = sentence.source.partition(": ")
    if kind not in ("facts", "metrics"):
        return
    ids = named.split(", ")
    allowed, unknown = allowed_by(kind, ids, edition.fact_values, edition.metrics, reader.outside)
    if unknown:
        yield f"the source '{unknown}'", f"a key of {kind}.json"
    elif wrong := reader.wrong(sentence.text, allowed):
        wanted = f"a value of its source: {', '.join(sorted(allowed)[:_SHOWN])}"
        yield f"the number {wrong[0]} in “{sentence.text}”", wanted
