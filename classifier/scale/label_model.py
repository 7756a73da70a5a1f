"""All that labelling a paper takes, as one object that is sent to where papers are labelled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from classifier.labelling.labels import Decisions, PaperLabels, with_decisions
from classifier.papers.paper import Paper, mint_id
from classifier.scale.chunks import Chunk
from classifier.scale.formats import FORMATS
from classifier.scale.joining import Part, RecordNote, name_hash, record_names
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


def _with_facts(paper: Paper, known: Paper) -> Paper:
    missing = {name: getattr(known, name) for name in _FACTS if not getattr(paper, name)}
    published = paper.published if paper.published.date else known.published
    return replace(paper, id=known.id, published=published, **missing)


@dataclass(frozen=True, slots=True)
class LabelTask:
    """A pure function of a chunk: run where and as often as one likes, it gives the same part."""

    model: LabelModel
    ending: str
    """Of the file that is written; see `FORMATS`."""

    def __call__(self, chunk: Chunk) -> Part:
        """Return the part of a chunk."""
        taxonomy = self.model.taxonomy
        pieces = [piece.read() for piece in chunk.pieces]
        read = [paper for papers, _ in pieces for paper in papers]
        papers = [self.model.recognised(paper) for paper in read]
        labels = self.model.label(papers)
        rows = FORMATS[self.ending].rows(taxonomy, papers, labels)
        records = []
        for before, paper, label in zip(read, papers, labels, strict=True):
            names = dict.fromkeys((*record_names(before), paper.id))
            hashes = list(map(name_hash, names))
            is_provisional = label.facets[taxonomy.first.id].status == "provisional"
            source = paper.sources[0]
            place = source.file, source.line
            records.append(RecordNote(hashes, is_provisional, paper.id, paper.title, *place))
        return Part(rows, records, [notes for _, notes in pieces])
