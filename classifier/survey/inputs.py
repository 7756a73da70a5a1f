"""Read and check all input files of a project."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from classifier.errors import Fault, InputError, UsageError, sort_faults
from classifier.files.built_folder import digest
from classifier.labelling.labels import Decision, PaperLabels, with_decisions
from classifier.labelling.prior import Prior, prior_faults, read_prior
from classifier.papers.identity import Identity, read_identity
from classifier.papers.load import Corpus, load_papers
from classifier.progress import Progress
from classifier.project import Project
from classifier.review.ledger import Ledger, scan_ledger
from classifier.review.ledger_check import ledger_faults
from classifier.review.lock import Lock, LockedLabels, apply_lock, read_lock
from classifier.survey.claims import claim_faults
from classifier.taxonomy.claims import Claims, read_claims
from classifier.taxonomy.document import Node
from classifier.taxonomy.lint import lint_taxonomy
from classifier.taxonomy.load import LoadedTaxonomy, load_taxonomy
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions, read_versions, with_current

_T = TypeVar("_T")

_MAX_UNREAD_LISTED = 3
"""Maximum number of unreadable records that are listed if no paper could be read."""

_MAX_UNREAD = 0.01
"""Maximum share of unreadable records in a file for which they are notices and not warnings."""


_VERSIONED = (
    "taxonomy.yaml",
    "lexicons.yaml",
    "reviews.csv",
    "identity.csv",
    "labels.lock.csv",
    "versions.csv",
    "prior.npz",
)
"""Files of taxonomy/ whose content is part of the version of the survey."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """All input files of a project, read and checked."""

    taxonomy: Taxonomy
    document: Node
    """The parsed YAML of the taxonomy, for line numbers in messages."""
    corpus: Corpus
    ledger: Ledger
    decisions: Mapping[str, Mapping[str, Decision]]
    """Current decisions on papers of the corpus, by paper id and facet id."""
    lock: Lock | None
    """The labels as last published; None without a lock."""
    locked: LockedLabels
    """Locked labels by current ids of papers and categories."""
    versions: Versions
    """The categories of the taxonomy now and at the time of each decision."""
    prior: Prior | None
    """The prior of the project, if there is one."""
    claims: Claims
    """Theses and claims of the editors; the classifier does not learn from them."""
    warnings: tuple[Fault, ...]
    version: str
    """Digest of all files, 12 hex digits."""


def read_inputs(
    project: Project, progress: Progress | None = None, *, prior: str | None = None
) -> Inputs:
    """Read the taxonomy and its versions, papers, identities, ledger, lock and prior.

    prior: a file to read instead of the project's prior, or `none` for no prior. Raises InputError
    with the faults of all files, and UsageError if the file `prior` does not exist.
    """
    files = _read_files(project, prior)
    taxonomy = files.loaded.taxonomy
    weights = files.prior.with_renamed_categories(taxonomy) if files.prior else None
    versions = with_current(files.versions, taxonomy)
    corpus = _load_corpus(project, files.loaded, files.identity, progress)
    faults = ledger_faults(
        files.ledger,
        taxonomy,
        corpus.papers,
        corpus.aliases,
        project.shown(project.ledger_file),
        versions,
    )
    faults += files.unreadable_rows
    if files.lock is not None:
        faults += files.lock.faults(taxonomy, project.shown(project.lock_file))
    faults += claim_faults(files.claims, corpus.papers, corpus.aliases)
    faults += project.skipped_sources(taxonomy.survey.sources)
    if files.prior_file is not None:
        faults += prior_faults(taxonomy, weights, project.shown(files.prior_file))
    faults += lint_taxonomy(files.loaded, [paper.title for paper in corpus.papers])
    faults = sort_faults([*files.loaded.warnings, *corpus.faults, *faults])
    if any(fault.severity == "error" for fault in faults):
        raise InputError(faults)
    decided = files.ledger.decisions(taxonomy, corpus.aliases, versions)
    return Inputs(
        taxonomy,
        files.loaded.document,
        corpus,
        files.ledger,
        {paper.id: decided[paper.id] for paper in corpus.papers if paper.id in decided},
        files.lock,
        files.lock.labels(taxonomy, corpus.aliases) if files.lock else {},
        versions,
        weights,
        files.claims,
        tuple(faults),
        _survey_version(project, corpus),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _TaxonomyFiles:
    """The files in taxonomy/, each valid in itself."""

    loaded: LoadedTaxonomy
    identity: Identity
    ledger: Ledger
    unreadable_rows: Sequence[Fault]
    """Faults of rows of the ledger that could not be read."""
    versions: Versions
    lock: Lock | None
    claims: Claims
    prior_file: Path | None
    prior: Prior | None


def _read_files(project: Project, prior: str | None) -> _TaxonomyFiles:
    """Read the files in taxonomy/; raise InputError with the faults of all files."""
    errors: list[Fault] = []

    def read_file(
        path: Path, reader: Callable[..., _T], *args: object, **kwargs: object
    ) -> _T | None:
        """Return the content of a file; add its faults to `errors`."""
        try:
            return reader(path, *args, project.shown(path), **kwargs)
        except InputError as error:
            errors.extend(error.faults)
            return None

    loaded = read_file(project.taxonomy_file, load_taxonomy)
    identity = read_file(project.identity_file, read_identity)
    scanned = read_file(project.ledger_file, scan_ledger)
    versions = read_file(project.versions_file, read_versions)
    prior_file = _prior_file(project, prior)
    weights = (
        read_file(prior_file, read_prior, is_from_option=prior is not None) if prior_file else None
    )
    # The lock's columns depend on the first facet; its other faults do not.
    first = loaded.taxonomy.first.id if loaded else ""
    lock = (
        read_file(project.lock_file, read_lock, first)
        if os.path.lexists(project.lock_file)
        else None
    )
    claims = (
        read_file(project.claims_file, read_claims, taxonomy=loaded.taxonomy) if loaded else None
    )
    if errors or not (loaded and identity and scanned and versions and claims):
        raise InputError(sort_faults([*errors, *(scanned[1] if scanned else ())]))
    ledger, unreadable_rows = scanned
    return _TaxonomyFiles(
        loaded=loaded,
        identity=identity,
        ledger=ledger,
        unreadable_rows=unreadable_rows,
        versions=versions,
        lock=lock,
        claims=claims,
        prior_file=prior_file,
        prior=weights,
    )


def _load_corpus(
    project: Project, loaded: LoadedTaxonomy, identity: Identity, progress: Progress | None
) -> Corpus:
    """Read the papers in the files of survey.sources; raise InputError if there are none."""
    sources = loaded.document.at(("survey", "sources"))
    try:
        files = project.paper_files(loaded.taxonomy.survey.sources)
    except InputError as error:
        lines = {f"survey.sources '{item.text}'": item.line for item in sources.items}
        faults = [replace(fault, line=lines.get(fault.actual)) for fault in error.faults]
        raise InputError(faults) from error
    corpus = load_papers(
        files, project.root, identity=identity, progress=progress, found_by_pattern=True
    )
    if not corpus.papers:
        file = project.shown(project.taxonomy_file)
        actual = "no paper in any file of survey.sources"
        fault = Fault("error", file, sources.line, actual, "at least one paper with a title")
        raise InputError([fault, *corpus.quarantined[:_MAX_UNREAD_LISTED]])
    return corpus


def quarantine_faults(corpus: Corpus) -> tuple[Fault, ...]:
    """Return the faults of the records that could not be read, in input order.

    They are warnings. If only a tiny share of a file is affected, they are notices, because large
    exports often contain a few broken records.
    """
    unread = Counter(record.file for record in corpus.quarantined)
    read = Counter({file.name: file.records for file in corpus.files})
    tolerated = {name for name in unread if unread[name] <= _MAX_UNREAD * read[name]}
    return tuple(
        replace(record, severity="notice") if record.file in tolerated else record
        for record in corpus.quarantined
    )


def _prior_file(project: Project, name: str | None) -> Path | None:
    """Return the file `name` as prior, else the project's prior, else None."""
    if name is None:
        if os.path.lexists(project.prior_file):
            return project.prior_file
        return None
    if name.lower() == "none":
        return None
    if not Path(name).exists():
        raise UsageError(
            f"{name}: no such file; --prior expects a file that `python -m tools.prior` made."
        )
    return Path(name)


def _survey_version(project: Project, corpus: Corpus) -> str:
    """Return the version of the survey: a digest of all input files."""
    parts = [file.digest for file in corpus.files]
    folder = project.taxonomy_file.parent
    for file_name in _VERSIONED:
        path = folder / file_name
        parts.append(digest(path.read_bytes().replace(b"\r\n", b"\n")) if path.is_file() else "")
    for path in (project.claims_file, project.claims_file.with_suffix(".csv")):
        parts += [digest(path.read_bytes())] if path.is_file() else []
    return digest("\n".join(parts).encode())[:12]


def labels_to_publish(inputs: Inputs, labels: Sequence[PaperLabels]) -> list[PaperLabels]:
    """Return the labels to publish: a decision, else the locked label, else the predicted label."""
    locked = apply_lock(inputs.taxonomy, labels, inputs.locked, inputs.decisions)
    return with_decisions(inputs.taxonomy, locked, inputs.decisions)


def labels_without_lock(inputs: Inputs, labels: Sequence[PaperLabels]) -> list[PaperLabels]:
    """Return the labels that would be published if there were no lock."""
    return with_decisions(inputs.taxonomy, labels, inputs.decisions)
