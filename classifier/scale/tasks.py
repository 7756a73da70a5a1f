"""The task of labelling one chunk; it is a pure function that can run in any process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from classifier.labelling.labels import Decisions, PaperLabels, with_decisions
from classifier.papers.paper import Paper, mint_id
from classifier.scale.chunks import Chunk
from classifier.scale.formats import FORMATS
from classifier.scale.joining import Part, RecordNote, key_hash, record_keys
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_id

if TYPE_CHECKING:
    from classifier.labelling.classifier import TaxonomyClassifier

# Fields that the sheet shows. If the labelled file lacks one, the project's paper fills it in.
_FILLED_FIELDS = ("arxiv_id", "doi", "url", "venue", "authors", "author_count", "organisation")


@dataclass(frozen=True, slots=True)
class LabelModel:
    """An immutable trained classifier, with the papers and decisions of a project."""

    taxonomy: Taxonomy
    classifier: TaxonomyClassifier
    decisions: Decisions
    """Including decisions on papers that are not in the project."""
    known: Mapping[str, Paper]
    """Id -> paper of the project."""
    aliases: Mapping[str, str]
    """Other id of a paper of the project -> its id."""

    def identify(self, paper: Paper) -> Paper:
        """Return the paper with its id; a paper of the project gets the project's id.

        Title and abstract are those in the file; missing fields are filled in from the project.
        """
        if not paper.id:
            paper = replace(paper, id=mint_id(paper))
        for identifier in (paper.id, title_id(paper.title)):
            known = self.known.get(self.aliases.get(identifier, identifier))
            if known is not None:
                missing = [name for name in _FILLED_FIELDS if not getattr(paper, name)]
                values = {name: getattr(known, name) for name in missing}
                published = paper.published if paper.published.date else known.published
                return replace(paper, id=known.id, published=published, **values)
        return paper

    def label(self, papers: Sequence[Paper]) -> list[PaperLabels]:
        """Return the labels of papers in order; decisions take precedence.

        The labels of a paper do not depend on the other papers.
        """
        machine = self.classifier.label(papers, explain="primary")
        return with_decisions(self.taxonomy, machine, self.decisions)


@dataclass(frozen=True, slots=True)
class LabelTask:
    """Labels a chunk; running the task again gives the same result."""

    model: LabelModel
    ending: str
    """Ending of the output file; see `FORMATS`."""

    def __call__(self, chunk: Chunk) -> Part:
        """Return the labelled records of a chunk."""
        taxonomy = self.model.taxonomy
        pieces = [piece.read() for piece in chunk.pieces]
        originals = [paper for papers, _ in pieces for paper in papers]
        papers = [self.model.identify(paper) for paper in originals]
        labels = self.model.label(papers)
        rows = FORMATS[self.ending].rows(taxonomy, papers, labels)
        records = []
        for original, paper, label in zip(originals, papers, labels, strict=True):
            keys = dict.fromkeys((*record_keys(original), paper.id))
            source = paper.sources[0]
            records.append(
                RecordNote(
                    keys=[key_hash(key) for key in keys],
                    is_provisional=label.facets[taxonomy.first.id].status == "provisional",
                    id=paper.id,
                    title=paper.title,
                    file=source.file,
                    line=source.line,
                )
            )
        return Part(rows, records, [notes for _, notes in pieces])


LabelledChunks = Iterator[tuple[Chunk, Part]]
"""The chunks in input order, each with its labelled records."""
Engine = Callable[[LabelTask, Iterator[Chunk]], LabelledChunks]
"""Runs a task on all chunks."""
