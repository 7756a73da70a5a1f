"""Labelling one chunk: what each worker does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from classifier.labelling.labels import PaperLabels
from classifier.papers.first_seen import hashed_names, record_names
from classifier.papers.paper import Paper
from classifier.scale.chunks import Chunk
from classifier.scale.formats import FORMATS
from classifier.scale.label_model import LabelModel
from classifier.scale.part import Part, PieceNotes, RecordNote
from classifier.scale.pieces import PieceRead


@dataclass(frozen=True, slots=True)
class LabelTask:
    """A pure function of a chunk: run where and as often as one likes, it gives the same bytes."""

    model: LabelModel
    ending: str
    """Of the file that is written; see `FORMATS`."""

    def __call__(self, chunk: Chunk) -> bytes:
        """Return the `Part` of a chunk, as bytes."""
        model = self.model
        papers, labels, part = label_pieces(model, [piece.read() for piece in chunk.pieces])
        payload, ends = FORMATS[self.ending].rows(model.taxonomy, papers, labels)
        return replace(part, payload=payload, ends=ends).to_bytes()


def label_pieces(
    model: LabelModel, pieces: Sequence[PieceRead]
) -> tuple[list[Paper], list[PaperLabels], Part]:
    """Return the papers of some pieces with their labels, and their part without its payload."""
    records = [paper for piece in pieces for paper in piece.papers]
    papers = [model.recognised(record) for record in records]
    labels = model.label(papers)
    named = [
        record_names(record) | {paper.id: None}
        for record, paper in zip(records, papers, strict=True)
    ]
    names, name_rows = hashed_names(named)
    first = model.taxonomy.first.id
    # Nobody, neither a person nor the classifier, stands by such a label.
    provisional = np.array([each.facets[first].status == "provisional" for each in labels], bool)
    ends = np.zeros(0, dtype=np.int64)
    said = tuple(map(_note, papers)), tuple(map(_notes, pieces))
    return papers, labels, Part(b"", ends, provisional, names, name_rows, *said)


def _note(paper: Paper) -> RecordNote:
    source = paper.sources[0]
    return RecordNote(paper.id, paper.title, source.file, source.line)


def _notes(piece: PieceRead) -> PieceNotes:
    refusal = piece.refusal.faults if piece.refusal else ()
    return PieceNotes(piece.file, len(piece.papers), piece.lines, piece.notices, refusal)
