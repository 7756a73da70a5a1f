"""All that labelling a paper takes, as one object that is sent to where papers are labelled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from classifier.labelling.labels import Decisions, PaperLabels, with_decisions
from classifier.papers.paper import Paper, mint_id
from classifier.scale.chunks import Chunk
from classifier.scale.first_seen import hashed_names, record_names
from classifier.scale.formats import FORMATS
from classifier.scale.part import Part, PieceNotes, PieceRead, RecordNote
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_id

if TYPE_CHECKING:
    from classifier.labelling.classifier import TaxonomyClassifier

# What a sheet shows of a paper and the file that is labelled may not state.
_FACTS = ("arxiv_id", "doi", "url", "venue", "authors", "author_count", "organisation")


@dataclass(frozen=True, slots=True)
class LabelModel:
    """A trained classifier, and what a project knows of papers beside it. It never changes."""

    taxonomy: Taxonomy
    classifier: TaxonomyClassifier
    decisions: Decisions
    """Of papers that the project does not hold, too."""
    known: Mapping[str, Paper]
    """Id -> paper of the project."""
    aliases: Mapping[str, str]
    """Every other id by which the project knows a paper -> its id."""

    def recognised(self, paper: Paper) -> Paper:
        """Return the paper with its id: the one by which the project knows it, if it does.

        The text is the file's; facts that the file does not state are filled in.
        """
        if not paper.id:
            paper = replace(paper, id=mint_id(paper))
        for identifier in (paper.id, title_id(paper.title)):
            known = self.known.get(self.aliases.get(identifier, identifier))
            if known is not None:
                return _with_facts(paper, known)
        return paper

    def label(self, papers: Sequence[Paper]) -> list[PaperLabels]:
        """Return the labels of papers, in their order; what people decided stands.

        The labels of a paper depend on no other one of `papers`.
        """
        machine = self.classifier.predict(papers, explain="primary")
        return with_decisions(self.taxonomy, machine, self.decisions)


def facts_of(papers: Iterable[Paper]) -> dict[str, Paper]:
    """Return id -> paper with no more than `LabelModel.known` asks for."""
    return {
        paper.id: Paper(
            title="",
            id=paper.id,
            published=paper.published,
            **{name: getattr(paper, name) for name in _FACTS},
        )
        for paper in papers
    }


def _with_facts(paper: Paper, known: Paper) -> Paper:
    missing = {name: getattr(known, name) for name in _FACTS if not getattr(paper, name)}
    published = paper.published if paper.published.date else known.published
    return replace(paper, id=known.id, published=published, **missing)


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
