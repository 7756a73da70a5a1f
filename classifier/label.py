"""Labelling any files with a project's model: `fieldguide label`."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from classifier.corpus.load import Corpus, load_papers
from classifier.corpus.paper import Paper
from classifier.errors import Fault, PendingEditsError, UsageError
from classifier.files.atomic import write_file
from classifier.files.json_text import json_line
from classifier.files.table import frame_csv
from classifier.files.target import SHEET_ENDINGS, check_ending, check_target
from classifier.inputs import Inputs, read_inputs
from classifier.labelling.decided import with_decisions
from classifier.labelling.labels import FacetLabels, PaperLabels
from classifier.learning import train
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.review.edits import pending_edits
from classifier.review.ledger import read_ledger
from classifier.review.sheet import MARKS, sheet_frame, sheet_rows
from classifier.review.sheet_file import is_sheet, sheet_file_bytes
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.text.normalise import title_id

if TYPE_CHECKING:
    import pandas as pd

FORMATS = (*SHEET_ENDINGS, ".jsonl", ".parquet")
_NO_PYARROW = "Parquet needs pyarrow: pip install 'fieldguide[scale]'."


@dataclass(frozen=True, slots=True)
class Labelled:
    """The papers of some files with their labels, in input order."""

    taxonomy: Taxonomy
    corpus: Corpus
    labels: tuple[PaperLabels, ...]
    warnings: tuple[Fault, ...]
    paths: tuple[Path, ...]
    """The files; none of them is ever written."""


def label_files(
    project: Project,
    paths: Sequence[Path],
    *,
    reviews: Path | None = None,
    prior: str | None = None,
    progress: Progress | None = None,
) -> Labelled:
    """Label the papers of `paths` with the model of `project`, which never learns from them.

    A paper that the project's ledger (or `reviews` in its place) decides keeps that decision.
    prior: a file in place of the project's, `none` for no prior.
    Raises InputError with the faults of all files.
    """
    corpus = load_papers(paths, Path.cwd(), progress=progress)
    inputs = _with_ledger(read_inputs(project, progress, prior=prior), reviews)
    known = {paper.id: paper for paper in inputs.corpus.papers}
    papers = tuple(_as_known(paper, inputs.corpus.aliases, known) for paper in corpus.papers)
    classifier = train(inputs, progress)
    report(progress, "Labelling", 0, 1)
    # Decisions on papers that stand only in these files count, too.
    aliases, versions = inputs.corpus.aliases, inputs.versions
    decisions = inputs.ledger.decisions(inputs.taxonomy, aliases, versions)
    labels = with_decisions(inputs.taxonomy, classifier.predict(papers), decisions)
    report(progress, "Labelling", 1, 1)
    warnings = (*inputs.warnings, *corpus.faults)
    corpus = replace(corpus, papers=papers)
    return Labelled(inputs.taxonomy, corpus, tuple(labels), warnings, tuple(paths))


def check_output(
    path: Path, inputs: Sequence[Path] | None = None, taxonomy: Taxonomy | None = None
) -> None:
    """Raise where labels cannot be written to `path`, or would replace what is not theirs.

    Without `inputs` only the ending is checked; without `taxonomy`, which names the columns that
    people fill, edits are not looked for.

    Raises UsageError for an ending that is no format and for one of the `inputs`, OutputError for
    a file that is not ours, PendingEditsError for a sheet that people have edited.
    """
    check_ending(path, FORMATS)
    if inputs is None:
        return
    check_target(path, "-o", is_ours=_is_ours, inputs=inputs)
    if not path.exists() or path.stat().st_size == 0:
        return  # nothing to lose
    if path.suffix in SHEET_ENDINGS and taxonomy is not None and pending_edits(path, taxonomy):
        raise PendingEditsError(
            f"{path}: holds cells that a person filled; nothing was written. Write to another file."
        )


def write_labels(path: Path, labelled: Labelled) -> None:
    """Write the labels as CSV, workbook, JSONL or Parquet, by the ending of `path`.

    Raises UsageError for another ending or an input, PendingEditsError where a person's cells
    would be lost, OutputError where the file is not ours or cannot be written.
    """
    check_output(path, labelled.paths, labelled.taxonomy)
    write_file(path, label_bytes(path.suffix, labelled))


def label_bytes(suffix: str, labelled: Labelled) -> bytes:
    """Return the labels in the format of a file ending."""
    if suffix == ".jsonl":
        return b"".join(json_line(record) for record in label_records(labelled))
    if suffix == ".xlsx":
        rows = sheet_rows(labelled.taxonomy, labelled.corpus.papers, labelled.labels)
        abstracts = {paper.id: paper.abstract_display for paper in labelled.corpus.papers}
        return sheet_file_bytes(labelled.taxonomy, rows, "xlsx", abstracts=abstracts)
    frame = labels_frame(labelled)
    return frame_csv(frame) if suffix == ".csv" else _parquet(frame)


def labels_frame(labelled: Labelled) -> pd.DataFrame:
    """Return the labels as a data frame with the sheet's columns, in input order."""
    return sheet_frame(labelled.taxonomy, labelled.corpus.papers, labelled.labels)


def label_records(labelled: Labelled) -> Iterable[dict[str, object]]:
    """Yield one object a paper, as `label -o labels.jsonl` writes it."""
    first = labelled.taxonomy.first
    for paper, label in zip(labelled.corpus.papers, labelled.labels, strict=True):
        topic = label.facets[first.id]
        yield {
            "id": paper.id,
            "title": paper.title,
            "primary": topic.primary,
            "topics": list(topic.categories),
            **{
                facet_id: _value(facet, label.facets.get(facet_id))
                for facet_id, facet in labelled.taxonomy.facets.items()
                if facet is not first
            },
            "confidence": round(topic.confidence, 4),
            "status": topic.status,
            "scores": {
                facet_id: {key: round(p, 4) for key, p in labels.probabilities.items()}
                for facet_id, labels in label.facets.items()
            },
        }


def _is_ours(path: Path) -> bool:
    """Return whether an existing file holds labels that Fieldguide wrote."""
    if path.suffix in SHEET_ENDINGS:
        return is_sheet(path)
    return _is_label_records(path) if path.suffix == ".jsonl" else _is_label_parquet(path)


def _is_label_records(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8") as lines:
            record = json.loads(lines.readline())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(record, dict) and {"id", "scores"} <= set(record)


def _is_label_parquet(path: Path) -> bool:
    try:
        import pyarrow.parquet  # late: an extra, and slow
    except ImportError as error:
        raise UsageError(_NO_PYARROW) from error
    try:
        return set(MARKS) <= set(pyarrow.parquet.read_schema(path).names)
    except (OSError, ValueError):  # ArrowInvalid is a ValueError
        return False


def _value(facet: Facet, labels: FacetLabels | None) -> object:
    """Return the labels, "" or [] where nothing is stated or the facet is not asked."""
    if facet.kind == "single":
        return labels.primary if labels else ""
    return list(labels.categories) if labels else []


def _parquet(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    try:
        frame.to_parquet(buffer, engine="pyarrow", index=False)
    except ImportError as error:
        raise UsageError(_NO_PYARROW) from error
    return buffer.getvalue()


def _with_ledger(inputs: Inputs, reviews: Path | None) -> Inputs:
    if reviews is None:
        return inputs
    if not reviews.exists():
        raise UsageError(
            f"{reviews}: no such file; --reviews wants a ledger like taxonomy/reviews.csv."
        )
    ledger = read_ledger(reviews, str(reviews))
    return replace(
        inputs,
        ledger=ledger,
        decisions=ledger.decisions(inputs.taxonomy, inputs.corpus.aliases, inputs.versions),
    )


def _as_known(paper: Paper, aliases: Mapping[str, str], known: Mapping[str, Paper]) -> Paper:
    """Return the paper under the id by which the project knows it already, if it does.

    The text is the file's; facts that the file does not state are filled in.
    """
    for identifier in (paper.id, title_id(paper.title)):
        resolved = aliases.get(identifier, identifier)
        if resolved in known:
            return _with_facts(paper, known[resolved])
    return paper


def _with_facts(paper: Paper, known: Paper) -> Paper:
    facts = ("arxiv_id", "doi", "url", "venue", "authors", "author_count", "organisation")
    missing = {name: getattr(known, name) for name in facts if not getattr(paper, name)}
    published = paper.published if paper.published.date else known.published
    return replace(paper, id=known.id, published=published, **missing)
