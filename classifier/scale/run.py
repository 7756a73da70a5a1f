"""A run: chunks labelled somewhere, and their parts joined to the output in input order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import IO

from classifier.scale.chunks import Chunk, InputTexts, cut
from classifier.scale.formats import FORMATS
from classifier.scale.joining import InputSaid, Join
from classifier.scale.label_model import LabelTask
from classifier.scale.part import Part

CHUNK_SIZE = 1_000
"""Records of a chunk, where nobody says otherwise."""

Engine = Callable[[LabelTask, Iterator[Chunk]], Iterator[tuple[Chunk, Part]]]
"""Labels chunks: yields each in its order with its part."""
ChooseEngine = Callable[[int], Engine]
"""Returns the engine for an input of so many records, or more."""
Advance = Callable[[int, int, int], None]
"""Called with the papers that are labelled, and how many bytes of how many are read."""

FEW = 10_000
"""Records up to which it is not worth a second to start processes."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run did."""

    papers: int
    """Rows that are written."""
    provisional: int
    """How many of them nobody stands by, neither a person nor the classifier."""
    passed_over: int
    """Records that were left out, since an earlier one has their id or title."""
    said: InputSaid


def run_to_stream(
    stream: IO[bytes],
    texts: InputTexts,
    task: LabelTask,
    choose: ChooseEngine,
    chunk_size: int,
    advance: Advance = lambda *_: None,
) -> Run:
    """Label all papers of `texts`, and write rows as they come."""
    join = Join()
    output = FORMATS[task.ending](task.model.taxonomy, stream)
    chunks = cut(texts, chunk_size)
    head = list(islice(chunks, max(2, -(-FEW // chunk_size))))
    engine = choose(len(head) * chunk_size)
    try:
        for chunk, part in engine(task, chain(head, chunks)):
            kept = join.add(part)
            output.add([row for row, keep in zip(part.rows, kept, strict=True) if keep])
            advance(join.papers, chunk.position, texts.total)
        said = join.said(texts.readers)
    except BaseException:
        output.discard()
        raise
    output.close()
    return Run(join.papers, join.provisional, join.passed_over, said)
