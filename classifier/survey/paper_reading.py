"""What is read out of each paper's text: the roles of its sentences, names, results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from classifier.files.json_text import compact_json
from classifier.files.manifest import digest
from classifier.files.memo import Memos, memo_key
from classifier.papers.paper import Paper
from classifier.survey.names import Lexicons, NameFinder
from classifier.text.results import Result, headline_results
from classifier.text.roles import RoledSentence, roled_sentences
from classifier.text.sentences import Span

_MEMO = "readings.json"


@dataclass(frozen=True, slots=True)
class PaperReading:
    """What a paper's title and abstract say."""

    sentences: tuple[RoledSentence, ...]
    names: Mapping[str, tuple[str, ...]]
    """Lexicon -> names, in order of appearance."""
    results: tuple[Result, ...]


def read_papers(
    papers: Sequence[Paper], lexicons: Lexicons, memos: Memos | None = None
) -> dict[str, PaperReading]:
    """Return paper id -> what its text says; texts that an earlier build read are not read again.

    Args:
        papers: whose texts to read.
        lexicons: the names to look for.
        memos: of earlier builds; what this one reads is added.
    """
    memos, finder = memos or Memos(), NameFinder(lexicons)
    key = memo_key([{name: list(of.items()) for name, of in lexicons.items()}, list(lexicons)])
    content = memos.recall(_MEMO, key)
    kept: dict[str, list[Any]] = {} if content is None else json.loads(content)
    keys = [digest(json.dumps((paper.title, paper.abstract)).encode()) for paper in papers]
    unread = [paper for paper, text in zip(papers, keys, strict=True) if text not in kept]
    read = dict(zip((paper.id for paper in unread), _read(unread, finder), strict=True))
    readings, rows = {}, {}
    for paper, text in zip(papers, keys, strict=True):
        row = kept.get(text)
        reading = read[paper.id] if row is None else _reading(row, paper.abstract_display)
        readings[paper.id] = reading
        rows[text] = row or _row(reading)
    if rows != kept:
        memos.keep(_MEMO, key, compact_json(rows))
    return readings


def _read(papers: Sequence[Paper], finder: NameFinder) -> Iterator[PaperReading]:
    for paper in papers:
        roled = roled_sentences(paper.abstract_display)
        names = finder.find(f"{paper.title} . {paper.abstract}")
        yield PaperReading(roled, names, headline_results(roled, finder.benchmarks))


def _row(reading: PaperReading) -> list[Any]:
    """Return a reading as JSON holds it: spans without their texts, which the abstract has."""
    return [
        [[*_place(item.span), item.role, item.main, item.heading] for item in reading.sentences],
        reading.names,
        [
            (
                (each.value, each.unit, each.direction, each.benchmark),
                _place(each.span),
                _place(each.sentence),
            )
            for each in reading.results
        ],
    ]


def _reading(row: list[Any], text: str) -> PaperReading:
    sentences, names, results = row
    return PaperReading(
        tuple(RoledSentence(_span(text, start, end), *does) for start, end, *does in sentences),
        {lexicon: tuple(found) for lexicon, found in names.items()},
        tuple(
            Result(*[*said, _span(text, *number), _span(text, *sentence)])
            for said, number, sentence in results
        ),
    )


def _place(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _span(text: str, start: int, end: int) -> Span:
    return Span(start, end, text[start:end])
