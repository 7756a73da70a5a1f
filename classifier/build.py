"""The whole line, from a project folder to out/: read, label, compose, render, write."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from classifier.advice.queue import Draw, review_queue
from classifier.advice.review_again import review_again, revisit_text
from classifier.corpus.identity import Identity, read_identity
from classifier.corpus.load import Corpus, load_papers
from classifier.corpus.readers import Quarantined
from classifier.errors import (
    Fault,
    InputError,
    OutputError,
    PendingEditsError,
    UsageError,
    sort_faults,
)
from classifier.evaluation.crossfit import Metrics, build_metrics
from classifier.files.atomic import SHEETS, is_as_built, recover, write_folder
from classifier.files.manifest import digest
from classifier.files.table import Row, write_table
from classifier.labelling.estimator import TaxonomyClassifier, with_decisions
from classifier.labelling.labels import Decision, PaperLabels
from classifier.labelling.prior import Prior, prior_faults
from classifier.labelling.prior_file import read_prior
from classifier.progress import Progress
from classifier.project import Project
from classifier.review.editorial import EditorialActs, editorial_acts
from classifier.review.edits import built_cells, pending_edits
from classifier.review.hold import with_locked
from classifier.review.ledger import Ledger, read_ledger
from classifier.review.lock import Lock, LockedLabels, read_lock
from classifier.review.second_look import confirmed_decisions
from classifier.review.sheet import sheet_rows
from classifier.review.sheet_file import is_sheet, sheet_file_bytes
from classifier.site import check_site, render_site
from classifier.survey.assemble import assemble
from classifier.survey.changes import Changes, compare
from classifier.survey.changes_json import changes_json
from classifier.survey.edition import Edition
from classifier.survey.facts import Facts
from classifier.survey.held import held_moves
from classifier.survey.move import Move
from classifier.survey.publication import Publication, published_build, published_lock
from classifier.survey.published import read_build
from classifier.survey.quality import quality_sentences
from classifier.taxonomy.document import Node
from classifier.taxonomy.lint import lint_taxonomy
from classifier.taxonomy.load import LoadedTaxonomy, load_taxonomy
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.published import published_taxonomy
from classifier.taxonomy.versions import Versions, read_versions, with_current

_T = TypeVar("_T")
_VERSIONED = (
    "taxonomy.yaml",
    "lexicons.yaml",
    "reviews.csv",
    "identity.csv",
    "labels.lock.csv",
    "versions.csv",
    "prior.json",
)
"""The files of taxonomy/ that the version of an edition covers."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything that people wrote, read and checked."""

    taxonomy: Taxonomy
    document: Node
    """The tree that the taxonomy was read from, for lines."""
    corpus: Corpus
    ledger: Ledger
    decisions: Mapping[str, Mapping[str, Decision]]
    """Paper id -> facet -> the decision in force; of papers in the corpus only."""
    lock: Lock | None
    """The labels as last published, where the project has a lock."""
    locked: LockedLabels
    """What the lock keeps, under today's categories and ids."""
    versions: Versions
    """Which categories the taxonomy had when decisions were made; today's are among them."""
    prior: Prior | None
    """What was learned beforehand, where the project has a prior."""
    warnings: tuple[Fault, ...]
    version: str
    """Twelve hex digits of everything read."""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build made, for the person who started it."""

    files: Mapping[str, bytes]
    """Relative path -> bytes, the manifest not included."""
    edition: Edition
    corpus: Corpus
    warnings: tuple[Fault, ...]
    changes: Changes | None
    """Against the baseline, else the lock; None where there is neither."""
    held: tuple[Move, ...]
    """The labels that would move were it not for the lock."""

    def fact(self, fact_id: str) -> int:
        """Return a counted fact of the edition."""
        value = self.edition.facts[fact_id]
        assert isinstance(value, int)
        return value


def build(
    project: Project,
    out: Path,
    *,
    baseline: Path | None = None,
    ignore_sheet: bool = False,
    strict: bool = False,
    xlsx: bool = False,
    mark: bool = False,
    progress: Progress | None = None,
) -> BuildResult:
    """Build the survey of `project` into `out`, or leave `out` as it is and raise.

    xlsx: write labels.xlsx, too; mark: begin labels.csv with a byte order mark.
    Raises InputError (faults of the user's files; warnings too under `strict`),
    PendingEditsError (the sheet in `out` holds edits) and OutputError (`out` cannot be written).
    """
    inputs = read_inputs(project, progress)
    if not ignore_sheet:  # before the minutes of learning
        refuse_pending_edits(out, inputs)
    result = _compute(project, inputs, baseline, progress, xlsx=xlsx, mark=mark)
    doubtful = [*result.warnings, *map(quarantine_fault, result.corpus.quarantined)]
    if strict and doubtful:
        raise InputError(sort_faults(doubtful))
    if not ignore_sheet:  # somebody may have typed since
        refuse_pending_edits(out, inputs)
    report(progress, "Writing", 0, 1)
    write_folder(out, result.files)
    report(progress, "Writing", 1, 1)
    return result


def compute(
    project: Project,
    *,
    baseline: Path | None = None,
    xlsx: bool = False,
    mark: bool = False,
    progress: Progress | None = None,
) -> BuildResult:
    """Return every file of the survey without writing any: a pure function of the project."""
    inputs = read_inputs(project, progress)
    return _compute(project, inputs, baseline, progress, xlsx=xlsx, mark=mark)


def _compute(
    project: Project,
    inputs: Inputs,
    baseline: Path | None,
    progress: Progress | None,
    *,
    xlsx: bool,
    mark: bool,
) -> BuildResult:
    acts = _acts(project, inputs)
    classifier = train(inputs, progress)
    machine = machine_labels(inputs, classifier, progress)
    labels = labels_in_force(inputs, machine)
    metrics = build_metrics(classifier, inputs.decisions)
    quality = quality_sentences(metrics, inputs.taxonomy.first.id)
    report(progress, "Composing the survey", 0, 1)
    edition, facts = assemble(inputs.taxonomy, inputs.corpus, labels, quality, inputs.version, acts)
    files = render_site(edition, project.template_folders, progress)
    changes, held = _moves(inputs, machine, labels, metrics, baseline)
    files |= _data_files(inputs, edition, facts, metrics)
    draws = queue(inputs, classifier, machine)
    files |= _sheets(inputs, edition, labels, draws, xlsx=xlsx, mark=mark)
    files["changes.json"] = json_bytes(changes_json(changes, held))
    files["excluded.csv"] = _excluded_table(edition)
    broken = check_site(files)
    if broken:
        raise InputError(broken)
    return BuildResult(files, edition, inputs.corpus, inputs.warnings, changes, held)


def _moves(
    inputs: Inputs,
    machine: Sequence[PaperLabels],
    labels: Sequence[PaperLabels],
    metrics: Metrics,
    baseline: Path | None,
) -> tuple[Changes | None, tuple[Move, ...]]:
    """Return what changed since the baseline, else the lock, and what the lock keeps."""
    now, lock = publication_of(inputs, labels, metrics), locked_publication(inputs)
    before = read_build(baseline) if baseline else lock
    changes = compare(before, now) if before else None
    if lock is None:
        return changes, ()
    free = publication_of(inputs, free_labels(inputs, machine))
    return changes, held_moves(lock, now, free, inputs.corpus.aliases)


def read_inputs(
    project: Project, progress: Progress | None = None, *, prior: str | None = None
) -> Inputs:
    """Read taxonomy and its versions, papers, identities, ledger, lock and prior.

    prior: a file in place of the project's, which is not read then, or `none` for no prior. Raises
    InputError with the faults of all, and UsageError where the prior that is told is not there.
    """
    errors: list[Fault] = []
    loaded = _collect(errors, lambda: _load_taxonomy(project))
    identity = _collect(errors, lambda: _read_identity(project))
    ledger = _collect(errors, lambda: _read_ledger(project))
    recorded = _collect(errors, lambda: _read_versions(project))
    path = _prior_file(project, prior)
    weights = _collect(errors, lambda: (_read_prior(project, path, prior is not None),))
    # The first facet names the lock's columns; without a taxonomy any name will do for faults.
    first = loaded.taxonomy.first.id if loaded else ""
    locks = _collect(errors, lambda: (_read_lock(project, first),))
    if not (loaded and identity and ledger and recorded and weights and locks):
        raise InputError(sort_faults(errors))
    taxonomy, lock = loaded.taxonomy, locks[0]
    versions = with_current(recorded, taxonomy)
    corpus = _load_corpus(project, taxonomy, identity, progress)
    shown = _ledger_name(project)
    faults = ledger.faults(taxonomy, corpus.papers, corpus.aliases, shown, versions)
    if lock is not None:
        faults += lock.faults(taxonomy, project.shown(project.lock_file))
    faults += project.skipped_sources(taxonomy.survey.sources)
    if path is not None:
        faults += prior_faults(taxonomy, weights[0], project.shown(path))
    faults = sort_faults([*loaded.warnings, *corpus.faults, *faults, *lint_taxonomy(loaded)])
    if any(fault.severity == "error" for fault in faults):
        raise InputError(faults)
    decided = ledger.decisions(taxonomy, corpus.aliases, versions)
    return Inputs(
        taxonomy,
        loaded.document,
        corpus,
        ledger,
        {paper.id: decided[paper.id] for paper in corpus.papers if paper.id in decided},
        lock,
        lock.labels(taxonomy, corpus.aliases) if lock else {},
        versions,
        weights[0],
        tuple(faults),
        _version(project, corpus),
    )


def _load_corpus(
    project: Project, taxonomy: Taxonomy, identity: Identity, progress: Progress | None
) -> Corpus:
    """Return the papers of survey.sources; raises InputError where there is none."""
    corpus = load_papers(
        project.paper_files(taxonomy.survey.sources),
        project.root,
        identity=identity,
        progress=progress,
    )
    if not corpus.papers:
        shown = project.shown(project.taxonomy_file)
        found = "no paper in any file of survey.sources"
        raise InputError([Fault("error", shown, None, found, "at least one paper with a title")])
    return corpus


def _read_prior(project: Project, path: Path | None, named: bool) -> Prior | None:
    return read_prior(path, project.shown(path), named=named) if path else None


def train(inputs: Inputs, progress: Progress | None = None) -> TaxonomyClassifier:
    """Return a classifier that has learned from the project's papers and decisions."""
    return TaxonomyClassifier(inputs.taxonomy, prior=inputs.prior).fit(
        inputs.corpus.papers, inputs.decisions, progress=progress
    )


def label_corpus(
    inputs: Inputs, classifier: TaxonomyClassifier, progress: Progress | None = None
) -> list[PaperLabels]:
    """Return the labels of the project's papers as a build publishes them."""
    return labels_in_force(inputs, machine_labels(inputs, classifier, progress))


def machine_labels(
    inputs: Inputs, classifier: TaxonomyClassifier, progress: Progress | None = None
) -> list[PaperLabels]:
    """Return what the classifier says of the project's papers, whatever people or the lock say."""
    report(progress, "Labelling", 0, 1)
    return classifier.predict(inputs.corpus.papers)


def labels_in_force(inputs: Inputs, labels: Sequence[PaperLabels]) -> list[PaperLabels]:
    """Return labels with locked ones in their place, and decisions in the place of both."""
    held = with_locked(inputs.taxonomy, labels, inputs.locked, inputs.decisions)
    return with_decisions(inputs.taxonomy, held, inputs.decisions)


def free_labels(inputs: Inputs, labels: Sequence[PaperLabels]) -> list[PaperLabels]:
    """Return what would be in force without the lock."""
    return with_decisions(inputs.taxonomy, labels, inputs.decisions)


def publication_of(
    inputs: Inputs, labels: Sequence[PaperLabels], metrics: Metrics | None = None
) -> Publication:
    """Return labels of the project's papers in the form in which they are compared."""
    return published_build(inputs.taxonomy, inputs.corpus, inputs.ledger, labels, metrics)


def locked_publication(inputs: Inputs) -> Publication | None:
    """Return the lock as what was last published; None where there is none."""
    return published_lock(inputs.lock, inputs.versions) if inputs.lock else None


def refuse_pending_edits(out: Path, inputs: Inputs) -> None:
    """Raise where a build into `out` would lose what somebody typed into a sheet.

    A build that was cut off may have moved the sheets; they are brought back first.
    Raises PendingEditsError; OutputError where the file never was a sheet.
    """
    recover(out)
    for name in SHEETS:
        sheet = out / name
        as_built = is_as_built(sheet)
        if as_built or not os.path.lexists(sheet):
            continue
        if as_built is None and not is_sheet(sheet):
            raise OutputError(
                f"{sheet}: exists and was not written by Fieldguide; nothing was written. Move it "
                "away, or choose another folder with --out."
            )
        rows = _edited_rows(sheet, inputs)
        if rows:
            papers = f"{len(rows)} paper" + ("" if len(rows) == 1 else "s")
            raise PendingEditsError(
                f"{sheet}: holds edits for {papers} that are in no ledger yet (the first: "
                f"{rows[0].cells.get('id') or 'a row without id'}, row {rows[0].row}). "
                "Nothing was written.\n"
                "`fieldguide review apply` takes them up; --ignore-sheet overwrites the sheet and "
                "loses them."
            )


def _edited_rows(sheet: Path, inputs: Inputs) -> list[Row]:
    """Return the rows that people edited; raises PendingEditsError where they cannot be read."""
    taxonomy = inputs.taxonomy
    digests = sorted({entry.taxonomy_digest for entry in inputs.ledger.entries})
    try:
        built = built_cells(sheet.parent / "papers.json", taxonomy)
        return pending_edits(sheet, taxonomy, built, digests)
    except InputError as error:
        fault = error.faults[0]
        place = sheet if fault.line is None else f"{sheet}:{fault.line}"
        cure = " ".join(filter(None, (fault.cure, "Move it away to build again, or use")))
        raise PendingEditsError(
            f"{place}: found {fault.found}; wanted {fault.wanted}. Nothing was written.\n"
            f"{cure} --ignore-sheet."
        ) from error


def report(progress: Progress | None, stage: str, done: int, total: int) -> None:
    """Tell the caller how far a stage is, where somebody listens."""
    if progress:
        progress(stage, done, total)


def differing_files(files: Mapping[str, bytes], out: Path) -> list[str]:
    """Return the names of files that a build would write otherwise than they stand in `out`."""
    try:
        return [name for name in sorted(files) if _bytes_of(out / name) != files[name]]
    except OSError as error:
        raise OutputError(f"{out}: cannot be read ({error.strerror or error}).") from error


def _bytes_of(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _collect(errors: list[Fault], read: Callable[[], _T]) -> _T | None:
    try:
        return read()
    except InputError as error:
        errors += error.faults
        return None


def quarantine_fault(record: Quarantined) -> Fault:
    """Return a record that could not be read as the warning that it is."""
    found = f"a record that cannot be read ({record.record}): {record.reason}"
    cure = "It is listed in quarantine.csv; the rest is read."
    return Fault("warning", record.file, record.line, found, "a whole record", cure)


def _load_taxonomy(project: Project) -> LoadedTaxonomy:
    return load_taxonomy(project.taxonomy_file, project.shown(project.taxonomy_file))


def _prior_file(project: Project, told: str | None) -> Path | None:
    """Return the file of the prior: the one that is told, else the project's if there is one."""
    if told is None:
        return project.prior_file if project.prior_file.exists() else None
    if told.lower() == "none":
        return None
    if not Path(told).exists():
        raise UsageError(f"{told}: no such file; --prior wants a file of `fieldguide prior`.")
    return Path(told)


def _read_identity(project: Project) -> Identity:
    return read_identity(project.identity_file, project.shown(project.identity_file))


def _read_ledger(project: Project) -> Ledger:
    return read_ledger(project.ledger_file, _ledger_name(project))


def _read_versions(project: Project) -> Versions:
    return read_versions(project.versions_file, project.shown(project.versions_file))


def _read_lock(project: Project, first_facet: str) -> Lock | None:
    path = project.lock_file
    return read_lock(path, first_facet, project.shown(path)) if path.exists() else None


def _ledger_name(project: Project) -> str:
    return project.shown(project.ledger_file)


def _version(project: Project, corpus: Corpus) -> str:
    parts = [file.digest for file in corpus.files]
    folder = project.taxonomy_file.parent
    for name in _VERSIONED:
        path = folder / name
        parts.append(digest(path.read_bytes().replace(b"\r\n", b"\n")) if path.is_file() else "")
    return digest("\n".join(parts).encode())[:12]


def _data_files(
    inputs: Inputs,
    edition: Edition,
    facts: Facts,
    metrics: Metrics,
) -> dict[str, bytes]:
    """Return the files that machines read."""
    return {
        "facts.json": json_bytes(
            {key: {"value": f.value, "query": f.query} for key, f in facts.by_id.items()}
        ),
        "sentences.jsonl": b"".join(
            json_line({"id": s.id, "text": s.text, "kind": s.kind, "source": s.source})
            for s in edition.document.sentences
        ),
        "metrics.json": json_bytes(metrics),
        "taxonomy.json": json_bytes(published_taxonomy(inputs.taxonomy)),
        "quarantine.csv": write_table(
            ("file", "line", "record", "reason"),
            (
                {"file": q.file, "line": str(q.line), "record": q.record, "reason": q.reason}
                for q in inputs.corpus.quarantined
            ),
        ),
    }


def queue(
    inputs: Inputs,
    classifier: TaxonomyClassifier,
    machine: Sequence[PaperLabels],
    most: int | None = None,
) -> list[Draw]:
    """Return what to review next (see `review_queue`), papers that the editors left out aside.

    machine: what the classifier says of the project's papers.
    """
    taxonomy, aliases = inputs.taxonomy, inputs.corpus.aliases
    excluded = editorial_acts(inputs.ledger, aliases).excluded
    labels = {label.paper_id: label for label in machine if label.paper_id not in excluded}
    papers = [paper for paper in inputs.corpus.papers if paper.id in labels]
    again = review_again(taxonomy, inputs.ledger, inputs.versions, aliases, machine)
    return review_queue(
        classifier,
        papers,
        [labels[paper.id] for paper in papers],
        inputs.decisions,
        most=most,
        again=[(revisit.paper_id, revisit_text(revisit)) for revisit in again],
        confirmed=confirmed_decisions(inputs.ledger, taxonomy, aliases),
    )


def _sheets(
    inputs: Inputs,
    edition: Edition,
    labels: Sequence[PaperLabels],
    draws: Sequence[Draw],
    *,
    xlsx: bool,
    mark: bool,
) -> dict[str, bytes]:
    """Return the files that reviewers edit, what is most worth their minutes on top."""
    taxonomy, papers = inputs.taxonomy, inputs.corpus.papers
    left_out = {item.paper.id: item.act for item in edition.left_out}
    rank = {draw.paper_id: number for number, draw in enumerate(draws)}
    order = sorted(
        range(len(papers)),
        key=lambda i: (papers[i].id in left_out, rank.get(papers[i].id, len(rank)), papers[i].id),
    )
    ordered = [papers[i] for i in order], [labels[i] for i in order]
    rows = list(sheet_rows(taxonomy, *ordered, left_out))
    sheets = {"labels.csv": sheet_file_bytes(taxonomy, rows, mark=mark)}
    if xlsx:
        abstracts = {paper.id: paper.abstract_display for paper in papers}
        sheets["labels.xlsx"] = sheet_file_bytes(taxonomy, rows, "xlsx", abstracts=abstracts)
    return sheets


def _acts(project: Project, inputs: Inputs) -> EditorialActs:
    """Return the editorial acts in force; raises InputError where they leave no paper."""
    acts = editorial_acts(inputs.ledger, inputs.corpus.aliases)
    papers = inputs.corpus.papers
    if all(paper.id in acts.excluded for paper in papers):
        found = f"`exclude` for every paper ({len(papers)} of {len(papers)})"
        cure = "A newer row of the same paper with an empty value withdraws it."
        wanted = "at least one paper left for the survey"
        raise InputError([Fault("error", _ledger_name(project), None, found, wanted, cure)])
    return acts


def _excluded_table(edition: Edition) -> bytes:
    """Return excluded.csv: the papers left out, sorted by id."""
    return write_table(
        ("id", "title", "reason", "reviewer", "reviewed_on"),
        (
            {
                "id": item.paper.id,
                "title": item.paper.title,
                "reason": item.act.text,
                "reviewer": item.act.by,
                "reviewed_on": item.act.on,
            }
            for item in sorted(edition.left_out, key=lambda item: item.paper.id)
        ),
    )


def json_bytes(value: object) -> bytes:
    """Return JSON as every file of out/ holds it: UTF-8, indented, in the given order."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def json_line(value: object) -> bytes:
    """Return JSON on one line."""
    return (json.dumps(value, ensure_ascii=False) + "\n").encode()
