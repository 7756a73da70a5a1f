"""A run: chunks labelled somewhere, their parts kept, and joined to the output in input order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO

from classifier.files.atomic import clear_leftovers, new_file
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
"""Returns the engine for an input of which so many records, or more, are to be labelled."""
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


@dataclass(frozen=True, slots=True)
class Kept:
    """Parts of an earlier run with which this one goes on."""

    parts: PartsFolder
    chunk_size: int
    outdated: str = ""
    """What has changed since parts were kept that cannot be used."""


def kept_parts(
    output: Path, made_of: Mapping[str, object], chunk_size: int, *, restart: bool
) -> Kept:
    """Return where the parts of an output are kept, with those that an earlier run has left.

    made_of: what labels depend on, each by its name. Parts of anything else are deleted.
    Raises OutputError where the folder of the parts is not ours.
    """
    parts = PartsFolder(output)
    parts.check()
    before = parts.made_of()
    if before is None:
        return Kept(parts, chunk_size)
    size = before.get("chunk_size")
    changed = [name for name, mark in made_of.items() if before.get(name) != mark]
    if not changed and not restart and isinstance(size, int) and size > 0:
        return Kept(parts, size)
    parts.clear()
    return Kept(parts, chunk_size, "" if restart else " and ".join(changed) or "the format")


def run_to_file(
    output: Path,
    texts: InputTexts,
    task: LabelTask,
    choose: ChooseEngine,
    kept: Kept,
    made_of: Mapping[str, object],
    advance: Advance,
) -> Run:
    """Label all papers of `texts` into a file, which is there when it is whole.

    Raises OutputError where it cannot be written; parts that are finished stay then, and whenever
    the run ends early.
    """
    clear_leftovers([output])
    chunks = cut(texts, kept.chunk_size, lambda: texts.meter.position)
    head = list(islice(chunks, 2))
    parts = kept.parts if len(head) > 1 else None  # one chunk is not worth to be kept
    if parts and parts.made_of() is None:
        parts.begin({**made_of, "chunk_size": kept.chunk_size})
    found = _parts(task, chain(head, chunks), choose, kept.chunk_size, parts)
    try:
        with new_file(output) as stream:
            run = _joined(found, stream, texts, task, advance)
    except BaseException:
        if not kept.parts.holds_parts():
            kept.parts.clear()  # an empty folder tells nobody anything
        raise
    kept.parts.clear()
    return run


def run_to_stream(
    stream: IO[bytes], texts: InputTexts, task: LabelTask, choose: ChooseEngine, chunk_size: int
) -> Run:
    """Label all papers of `texts`, and write rows as they come."""
    chunks = cut(texts, chunk_size, lambda: texts.meter.position)
    found = _parts(task, chunks, choose, chunk_size, None)
    return _joined(found, stream, texts, task, lambda *_: None)


Found = Iterator[tuple[Chunk, bytes, bool]]
"""Each chunk with its part as bytes, and whether that was labelled now."""


def _joined(
    found: Found, stream: IO[bytes], texts: InputTexts, task: LabelTask, advance: Advance
) -> Run:
    join = Join()
    output = FORMATS[task.ending].output(task.model.taxonomy, stream)
    labelled = 0
    try:
        for chunk, data, is_new in found:
            part = part_of_bytes(data)
            output.add(part, join.add(part))
            labelled += len(part) if is_new else 0
            advance(join.papers, chunk.position, texts.meter.total)
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
) -> Found:
    """Yield the part of each chunk, as it was kept or labelled now, and kept."""
    for chunk in chunks:
        data = parts.recall(chunk.number) if parts else None
        if data is None:
            chunks = chain([chunk], chunks)
            break
        yield chunk, data, False
    head = list(islice(chunks, -(-FEW // size)))
    engine = choose(len(head) * size)
    for chunk, data in engine(task, chain(head, chunks)):
        if parts:
            parts.keep(chunk.number, data)
        yield chunk, data, True
