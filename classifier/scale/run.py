"""A run: chunks labelled somewhere, their parts kept, and joined to the output in input order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO

from classifier.files.atomic import new_file
from classifier.files.parts import PartsFolder
from classifier.scale.chunks import Chunk, InputTexts, cut
from classifier.scale.formats import FORMATS
from classifier.scale.joining import InputSaid, Join
from classifier.scale.label_model import LabelTask
from classifier.scale.part import part_of_bytes

CHUNK_SIZE = 1_000
"""Records of a chunk, where nobody says otherwise."""

Engine = Callable[[LabelTask, Iterator[Chunk]], Iterator[tuple[Chunk, bytes]]]
"""Labels chunks: yields each in its order with its part as bytes."""
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
    labelled: int
    """Records that this run labelled."""
    said: InputSaid


def run_to_file(
    output: Path,
    texts: InputTexts,
    task: LabelTask,
    choose: ChooseEngine,
    parts: PartsFolder,
    chunk_size: int,
    advance: Advance,
) -> Run:
    """Label all papers of `texts` into a file, which is there when it is whole.

    Raises OutputError where it cannot be written; parts that are finished stay then, and whenever
    the run ends early.
    """
    try:
        with new_file(output) as stream:
            run = run_to_stream(stream, texts, task, choose, chunk_size, advance, parts)
    except BaseException:
        if not parts.holds_parts():
            parts.clear()  # an empty folder tells nobody anything
        raise
    parts.clear()
    return run


def run_to_stream(
    stream: IO[bytes],
    texts: InputTexts,
    task: LabelTask,
    choose: ChooseEngine,
    chunk_size: int,
    advance: Advance = lambda *_: None,
    parts: PartsFolder | None = None,
) -> Run:
    """Label all papers of `texts`, and write rows as they come; parts: None keeps none."""
    join = Join()
    output = FORMATS[task.ending](task.model.taxonomy, stream)
    labelled = 0
    try:
        for chunk, data, is_new in _parts(task, cut(texts, chunk_size), choose, chunk_size, parts):
            part = part_of_bytes(data)
            kept = join.add(part)
            output.add([row for row, keep in zip(part.rows, kept, strict=True) if keep])
            labelled += len(kept) if is_new else 0
            advance(join.papers, chunk.position, texts.total)
        said = join.said(texts.readers)
    except BaseException:
        output.discard()
        raise
    output.close()
    return Run(join.papers, join.provisional, join.passed_over, labelled, said)


def _parts(
    task: LabelTask,
    chunks: Iterator[Chunk],
    choose: ChooseEngine,
    size: int,
    parts: PartsFolder | None,
) -> Iterator[tuple[Chunk, bytes, bool]]:
    """Yield each chunk with its part, and whether that was labelled now, not kept from before."""
    head = list(islice(chunks, max(2, -(-FEW // size))))
    chunks = chain(head, chunks)
    if len(head) == 1:
        parts = None  # one chunk is not worth to be kept
    for chunk in chunks:
        data = parts.recall(chunk.number) if parts else None
        if data is None:
            chunks = chain([chunk], chunks)
            break
        yield chunk, data, False
    for chunk, data in choose(len(head) * size)(task, chunks):
        if parts:
            parts.keep(chunk.number, data)
        yield chunk, data, True
