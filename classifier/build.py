"""The whole line, from a project folder to out/: read, label, compose, render, write."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from classifier.advice.queue import review_queue
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
from classifier.files.atomic import is_as_built, recover, write_folder
from classifier.files.manifest import digest
from classifier.files.table import Row, write_table
from classifier.labelling.estimator import TaxonomyClassifier, with_decisions
from classifier.labelling.labels import Decision, PaperLabels
from classifier.labelling.prior import Prior, prior_faults
from classifier.labelling.prior_file import read_prior
from classifier.progress import Progress
from classifier.project import Project
from classifier.review.editorial import EditorialActs, editorial_acts
from classifier.review.ledger import Ledger, read_ledger
from classifier.review.second_look import confirmed_decisions
from classifier.review.sheet import is_sheet, pending_edits, sheet_bytes
from classifier.site import check_site, render_site
from classifier.survey.assemble import assemble
from classifier.survey.changes import changes_between, read_baseline
from classifier.survey.edition import Edition
from classifier.survey.facts import Facts
from classifier.survey.quality import quality_sentences
from classifier.taxonomy.document import Node
from classifier.taxonomy.lint import lint_taxonomy
from classifier.taxonomy.load import LoadedTaxonomy, load_taxonomy
from classifier.taxonomy.model import Taxonomy

_T = TypeVar("_T")


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
    progress: Progress | None = None,
) -> BuildResult:
    """Build the survey of `project` into `out`, or leave `out` as it is and raise.

    Raises InputError (faults of the user's files; warnings too under `strict`),
    PendingEditsError (the sheet in `out` holds edits) and OutputError (`out` cannot be written).
    """
    result = compute(project, baseline=baseline, progress=progress)
    doubtful = [*result.warnings, *map(quarantine_fault, result.corpus.quarantined)]
    if strict and doubtful:
        raise InputError(sort_faults(doubtful))
    recover(out)  # before the sheet is looked for: a build that was cut off may have moved it
    if not ignore_sheet:
        refuse_pending_edits(out / "labels.csv", result.edition.taxonomy)
    report(progress, "Writing", 0, 1)
    write_folder(out, result.files)
    report(progress, "Writing", 1, 1)
    return result


def compute(
    project: Project, *, baseline: Path | None = None, progress: Progress | None = None
) -> BuildResult:
    """Return every file of the survey without writing any: a pure function of the project."""
    inputs = read_inputs(project, progress)
    acts = _acts(project, inputs)
    classifier = train(inputs, progress)
    labels = label_corpus(inputs, classifier, progress)
    metrics = build_metrics(classifier, inputs.decisions)
    quality = quality_sentences(metrics, inputs.taxonomy.first.id)
    report(progress, "Composing the survey", 0, 1)
    edition, facts = assemble(inputs.taxonomy, inputs.corpus, labels, quality, inputs.version, acts)
    files = render_site(edition, project.template_folders, progress)
    order = _review_order(inputs, classifier, labels)
    files |= _data_files(inputs, labels, order, edition, facts, metrics, baseline)
    files["excluded.csv"] = _excluded_table(edition)
    broken = check_site(files)
    if broken:
        raise InputError(broken)
    return BuildResult(files, edition, inputs.corpus, inputs.warnings)


def read_inputs(
    project: Project, progress: Progress | None = None, *, prior: str | None = None
) -> Inputs:
    """Read taxonomy, papers, identities, ledger and prior.

    prior: a file in place of the project's, which is not read then, or `none` for no prior. Raises
    InputError with the faults of all, and UsageError where the prior that is told is not there.
    """
    errors: list[Fault] = []
    loaded = _collect(errors, lambda: _load_taxonomy(project))
    identity = _collect(errors, lambda: _read_identity(project))
    ledger = _collect(errors, lambda: _read_ledger(project))
    path = _prior_file(project, prior)
    weights = _collect(errors, lambda: (_read_prior(project, path, prior is not None),))
    if loaded is None or identity is None or ledger is None or weights is None:
        raise InputError(sort_faults(errors))
    taxonomy = loaded.taxonomy
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
    faults = ledger.faults(taxonomy, corpus.papers, corpus.aliases, _ledger_name(project))
    faults += project.skipped_sources(taxonomy.survey.sources)
    if path is not None:
        faults += prior_faults(taxonomy, weights[0], project.shown(path))
    faults = sort_faults([*loaded.warnings, *corpus.faults, *faults, *lint_taxonomy(loaded)])
    if any(fault.severity == "error" for fault in faults):
        raise InputError(faults)
    decided = ledger.decisions(taxonomy, corpus.aliases)
    return Inputs(
        taxonomy,
        loaded.document,
        corpus,
        ledger,
        {paper.id: decided[paper.id] for paper in corpus.papers if paper.id in decided},
        weights[0],
        tuple(faults),
        _version(project, corpus),
    )


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
    """Return the labels of the project's papers, decisions in place of what they overrule."""
    report(progress, "Labelling", 0, 1)
    labels = classifier.predict(inputs.corpus.papers)
    return with_decisions(inputs.taxonomy, labels, inputs.decisions)


def refuse_pending_edits(sheet: Path, taxonomy: Taxonomy) -> None:
    """Raise where overwriting a sheet would lose what somebody did to it.

    Raises PendingEditsError; OutputError where the file never was a sheet.
    """
    as_built = is_as_built(sheet)
    if as_built or not os.path.exists(sheet):
        return
    rows = _edited_rows(sheet, taxonomy)
    if rows:
        papers = f"{len(rows)} paper" + ("" if len(rows) == 1 else "s")
        raise PendingEditsError(
            f"{sheet}: holds edits for {papers} that are in no ledger yet (the first: "
            f"{rows[0].cells.get('id', 'row without id')}, line {rows[0].line}). "
            "Nothing was written.\n"
            "Put the decisions into taxonomy/reviews.csv and move the sheet away, then build "
            "again; --ignore-sheet overwrites the sheet and loses them."
        )
    if as_built is False:
        raise PendingEditsError(
            f"{sheet}: was changed since the last build (no reviewer's column is filled). A build "
            "would overwrite it; nothing was written.\n"
            "What people decide goes into taxonomy/reviews.csv. Move the "
            "sheet away to build again, or use --ignore-sheet."
        )
    if not is_sheet(sheet):
        raise OutputError(
            f"{sheet}: exists and was not written by Fieldguide; nothing was written. Move it "
            "away, or choose another folder with --out."
        )


def _edited_rows(sheet: Path, taxonomy: Taxonomy) -> list[Row]:
    """Return the rows that people filled; raises PendingEditsError where they cannot be read."""
    try:
        return pending_edits(sheet, taxonomy)
    except InputError as error:
        fault = error.faults[0]
        place = sheet if fault.line is None else f"{sheet}:{fault.line}"
        raise PendingEditsError(
            f"{place}: found {fault.found}; wanted the sheet as UTF-8 CSV. Nothing was written.\n"
            "Save it as UTF-8 CSV if it holds decisions. Move it away to build again, or use "
            "--ignore-sheet."
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


def _ledger_name(project: Project) -> str:
    return project.shown(project.ledger_file)


def _version(project: Project, corpus: Corpus) -> str:
    parts = [file.digest for file in corpus.files]
    folder = project.taxonomy_file.parent
    for name in ("taxonomy.yaml", "lexicons.yaml", "reviews.csv", "identity.csv", "prior.json"):
        path = folder / name
        parts.append(digest(path.read_bytes().replace(b"\r\n", b"\n")) if path.is_file() else "")
    return digest("\n".join(parts).encode())[:12]


def _data_files(
    inputs: Inputs,
    labels: Sequence[PaperLabels],
    order: Sequence[int],
    edition: Edition,
    facts: Facts,
    metrics: Metrics,
    baseline: Path | None,
) -> dict[str, bytes]:
    """Return the files that machines and reviewers read; order: of the sheet's rows."""
    taxonomy, papers = inputs.taxonomy, inputs.corpus.papers
    left_out = {item.paper.id: item.act for item in edition.left_out}
    order = sorted(order, key=lambda i: papers[i].id in left_out)  # keeps that of either kind
    rows = [papers[i] for i in order], [labels[i] for i in order]
    before = read_baseline(baseline, taxonomy.first.id) if baseline else None
    return {
        "labels.csv": sheet_bytes(taxonomy, *rows, left_out),
        "facts.json": json_bytes(
            {key: {"value": f.value, "query": f.query} for key, f in facts.by_id.items()}
        ),
        "sentences.jsonl": b"".join(
            json_line({"id": s.id, "text": s.text, "kind": s.kind, "source": s.source})
            for s in edition.document.sentences
        ),
        "metrics.json": json_bytes(metrics),
        "changes.json": json_bytes(changes_between(before, edition)),
        "quarantine.csv": write_table(
            ("file", "line", "record", "reason"),
            (
                {"file": q.file, "line": str(q.line), "record": q.record, "reason": q.reason}
                for q in inputs.corpus.quarantined
            ),
        ),
    }


def _review_order(
    inputs: Inputs, classifier: TaxonomyClassifier, labels: Sequence[PaperLabels]
) -> list[int]:
    """Return the positions of all papers, what is most worth a review first."""
    papers = inputs.corpus.papers
    confirmed = confirmed_decisions(inputs.ledger, inputs.taxonomy, inputs.corpus.aliases)
    draws = review_queue(classifier, papers, labels, inputs.decisions, confirmed=confirmed)
    rank = {draw.paper_id: number for number, draw in enumerate(draws)}
    return sorted(
        range(len(papers)),
        key=lambda row: (rank.get(papers[row].id, len(rank)), papers[row].id),
    )


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
