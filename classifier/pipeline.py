"""The pipeline from a project folder to out/: read, label, compose, render, check, write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from classifier.errors import Fault, InputError, condense, sort_faults
from classifier.files.built_folder import MANIFEST_NAME, SHEET
from classifier.files.folder import write_folder
from classifier.files.lock import sole_writer
from classifier.files.reading import read_bytes
from classifier.labelling.labels import PaperLabels, columns_of_labels
from classifier.learned import Learned, keep_learned, learning_key, recall_learned
from classifier.papers.frame import make_frame, paper_columns
from classifier.papers.load import Corpus
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.site.checks.links import check_site, read_pages, to_fault
from classifier.site.checks.templates import picture_faults, template_errors, template_faults
from classifier.site.editions import (
    check_edition,
    differing_paths,
    edition_files,
    edition_names,
    write_edition,
)
from classifier.site.exports.data_files import data_files
from classifier.site.exports.sheets import (
    keep_changed_sheet,
    labels_sheet,
    refuse_pending_edits,
)
from classifier.site.pdf import PDF, require_pdf, survey_pdf
from classifier.site.render import render_site
from classifier.site.verify import Proof
from classifier.survey.assemble import assemble
from classifier.survey.changes.report import changes_summary, reasons_in_short
from classifier.survey.inputs import Inputs, labels_to_publish, quarantine_faults, read_inputs
from classifier.survey.last_build import (
    BuildOptions,
    BuildReport,
    build_cache,
    inputs_digest,
    store_build,
)
from classifier.survey.quality import (
    PreviousLabels,
    confidence_line,
    provisional_line,
    read_previous_labels,
)
from classifier.survey.survey import Survey
from classifier.survey.texts import Text, read_texts

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class BuildResult:
    """Result of a build."""

    files: Mapping[str, bytes]
    """Relative path -> bytes, without the manifest."""
    inputs: Inputs
    """The project's files, as read."""
    survey: Survey
    """The survey."""
    learned: Learned
    """The classifier's results, before decisions and lock."""
    is_cached: bool = False
    """Whether the results of learning came from the cache."""
    before: PreviousLabels | None = None
    """The confident labels of the previous build."""
    kept_sheet: Path | None = None
    """New path of a sheet that was changed after the last build; None if it was not."""
    removed: tuple[str, ...] = ()
    """Optional files of an earlier build that this one did not write: the PDF."""

    @property
    def edition(self) -> Survey:
        """The former name of `survey`, kept for scripts."""
        return self.survey

    @property
    def corpus(self) -> Corpus:
        """The papers as read and merged, including excluded ones."""
        return self.inputs.corpus

    @property
    def warnings(self) -> tuple[Fault, ...]:
        """Warnings and notices about the project's files."""
        return self.inputs.warnings

    def fact(self, fact_id: str) -> int:
        """Return the value of a fact that is a count; 0 if this survey does not have the fact."""
        value = self.survey.fact_values.get(fact_id, 0)
        assert isinstance(value, int)
        return value

    @property
    def report(self) -> BuildReport:
        """The figures and warnings that a command prints after a build."""
        changes, moves = self.survey.changes, self.survey.moves_without_lock
        return BuildReport(
            papers=self.fact("papers.total"),
            reviewed=self.fact("papers.reviewed"),
            imported=self.fact("papers.imported"),
            confident=self.fact("papers.confident"),
            provisional=self.fact("papers.provisional"),
            provisional_line=provisional_line(
                [entry for entry in self.survey.entries if entry.first.status == "provisional"],
                self.learned.metrics,
                self.inputs.taxonomy.first.id,
            ),
            left_out=self.fact("papers.left_out"),
            title_only=self.fact("papers.title_only"),
            retracted=tuple(
                entry.paper.title_display for entry in self.survey.entries if entry.paper.retracted
            ),
            merged=self.corpus.merged,
            columns=tuple(filter(None, (file.columns_line() for file in self.corpus.files))),
            warnings=self.warnings,
            quarantined=quarantine_faults(self.corpus),
            moves_without_lock=(len(moves), reasons_in_short(moves)),
            confidence_line=confidence_line(
                self.learned.metrics,
                self.inputs.taxonomy.first.id,
                self.fact("papers.confident"),
                self.before,
            ),
            changes=("", "") if changes is None else (changes.kind, changes_summary(changes)),
        )


PLAIN = BuildOptions()
"""Default options of a build."""
_SOURCE_HINT = (
    "Templates print only text that has a source: write it in taxonomy.yaml, as `scope` or as a "
    "claim, where it is signed."
)
_MAX_PAGES_PER_FAULT = 3
"""Maximum number of pages listed for one fault, since a template fault is on all its pages."""


def build(
    project: Project,
    out: str | Path,
    options: BuildOptions = PLAIN,
    progress: Progress | None = None,
) -> BuildResult:
    """Build the survey of `project` into `out`; after an error, `out` is unchanged.

    Raises InputError (faults in the user's files; with `strict` also warnings), PendingEditsError
    (the sheet in `out` has edits), OutputError (`out` cannot be written, or another process is
    writing it) and UsageError (`pdf` without WeasyPrint).
    """
    out = Path(out)
    if options.pdf:
        require_pdf()
    cache = build_cache(project, options)
    with sole_writer(out):
        digest_before = inputs_digest(project, options)
        inputs = read_project(project, progress)
        if not options.ignore_sheet:  # Fail before learning, which takes minutes.
            refuse_pending_edits(out, inputs)
        key = learning_key(project, inputs)
        cached = recall_learned(cache, key)
        learned, texts = _learn_and_read_texts(inputs, cached, progress)
        result = _compute(project, inputs, learned, texts, options, progress)
        before = read_previous_labels(options.baseline or out, inputs.taxonomy.first.id)
        result = replace(result, before=before)
        if options.strict and result.report.strict_faults:
            raise InputError(result.report.strict_faults)
        if not options.ignore_sheet:  # The user may have edited the sheet meanwhile.
            refuse_pending_edits(out, inputs)
        report(progress, "Writing", 0, 1)
        optional_before = _optional_files(out)
        kept_sheet = keep_changed_sheet(project, out)
        # If a file changed during the build, its digest does not match the results: cache nothing.
        is_unchanged = bool(digest_before) and digest_before == inputs_digest(project, options)
        stamps = write_folder(out, result.files)
        if is_unchanged:
            if not cached:
                keep_learned(cache, key, learned)
            sources = inputs.taxonomy.survey.sources
            store_build(cache, out, digest_before, sources, result.report, stamps)
    report(progress, "Writing", 1, 1)
    removed = tuple(sorted(optional_before - _optional_files(out)))
    return replace(result, removed=removed, is_cached=cached is not None, kept_sheet=kept_sheet)


def compute(
    project: Project, options: BuildOptions = PLAIN, progress: Progress | None = None
) -> BuildResult:
    """Return all files of the survey without writing them: a pure function of the project."""
    if options.pdf:
        require_pdf()
    inputs = read_project(project, progress)
    return _compute(
        project, inputs, *_learn_and_read_texts(inputs, None, progress), options, progress
    )


def freeze(
    project: Project, name: str, options: BuildOptions, progress: Progress | None = None
) -> None:
    """Save the current survey as an edition of the project; the next build publishes the edition.

    Raises UsageError if the name is invalid or already used, and the errors of `build`.
    """
    check_edition(project, name)
    inputs, learned, texts = _recall(project, options, progress)
    result = _compute(project, inputs, learned, texts, options, progress, frozen=True)
    write_edition(project, name, result.files)


def check_frozen(
    project: Project, name: str, options: BuildOptions, progress: Progress | None = None
) -> list[str]:
    """Build an edition again; return the paths of files that differ from the saved edition.

    It learns again instead of using the cache. Raises UsageError if the edition does not exist, and
    the errors of `build`.
    """
    inputs = read_project(project, progress)
    learned, texts = _learn_and_read_texts(inputs, None, progress)
    result = _compute(project, inputs, learned, texts, options, progress, frozen=True)
    return differing_paths(project, name, result.files)


def compose_survey(project: Project, progress: Progress | None = None) -> tuple[Inputs, Survey]:
    """Return the project's inputs, and the survey that a build would write, without writing it.

    It uses the cached results of earlier builds. Raises InputError.
    """
    inputs, learned, texts = _recall(project, PLAIN, progress)
    machine, metrics = learned.machine, learned.metrics
    return inputs, assemble(project, inputs, machine, metrics, texts, None, progress)


@dataclass(frozen=True, slots=True)
class LabelledPapers:
    """All papers of a project, including excluded papers, with the labels of a build."""

    inputs: Inputs
    learned: Learned
    labels: Sequence[PaperLabels]
    """One per paper of the corpus, with decisions and the lock applied."""

    def to_frame(self) -> DataFrame:
        """Return a pandas table with one row per paper: its labels and its fields."""
        papers = paper_columns(self.inputs.corpus.papers)
        labels = columns_of_labels(self.inputs.taxonomy, self.labels)
        names = {"id": papers["id"], "title": papers["title"]}
        return make_frame(names | labels | {k: v for k, v in papers.items() if k not in labels})


def label(project: Project, progress: Progress | None = None) -> LabelledPapers:
    """Label the papers of `project` without writing a survey.

    It uses the cached results of earlier builds. Raises InputError.
    """
    inputs, learned, _ = _recall(project, PLAIN, progress)
    return LabelledPapers(inputs, learned, labels_to_publish(inputs, learned.machine))


def read_project(project: Project, progress: Progress | None = None) -> Inputs:
    """Read and check the files of a project, including its templates.

    Raises InputError with all faults. Warnings about templates are included in the warnings.
    """
    templates = template_faults(project)
    try:
        inputs = read_inputs(project, progress)
    except InputError as error:
        raise InputError(sort_faults([*error.faults, *templates])) from error
    faults = tuple(sort_faults([*inputs.warnings, *templates]))
    if any(fault.severity == "error" for fault in faults):
        raise InputError(faults)
    return replace(inputs, warnings=faults)


Texts = Mapping[str, Text]
"""Paper id -> facts read from its text."""


def _learn_and_read_texts(
    inputs: Inputs, cached_results: Learned | None, progress: Progress | None
) -> tuple[Learned, Texts]:
    """Return the results of learning, from the cache if given, and the facts of the texts."""
    with read_texts(inputs.corpus.papers, inputs.taxonomy) as texts:
        if cached_results:
            return cached_results, texts()
        from classifier.learning import learn  # Slow: scikit-learn, needed only to learn.

        return learn(inputs, progress), texts()


def _recall(
    project: Project, options: BuildOptions, progress: Progress | None
) -> tuple[Inputs, Learned, Texts]:
    inputs = read_project(project, progress)
    cached = recall_learned(build_cache(project, options), learning_key(project, inputs))
    return inputs, *_learn_and_read_texts(inputs, cached, progress)


def _optional_files(out: Path) -> set[str]:
    """Return the names of files in `out` that builds write only if an option is given."""
    return {name for name in (PDF,) if (out / name).is_file()}


def _compute(
    project: Project,
    inputs: Inputs,
    learned: Learned,
    texts: Texts,
    options: BuildOptions,
    progress: Progress | None,
    *,
    frozen: bool = False,
) -> BuildResult:
    """Write the survey in memory, render its files, and check them.

    frozen: whether the survey becomes an edition, so that earlier editions are omitted. Raises
    InputError if a link is broken or a sentence does not match its facts.
    """
    machine, metrics = learned.machine, learned.metrics
    survey = assemble(project, inputs, machine, metrics, texts, options.baseline, progress)
    editions = {} if frozen else edition_files(project)
    survey = replace(survey, editions=() if frozen else edition_names(project))
    files = data_files(survey)
    files[SHEET] = labels_sheet(
        inputs,
        survey.labels,
        learned.queue,
        for_excel=options.for_excel,
        values={entry.paper.id: entry.values for entry in survey.entries},
    )
    files |= _logo(project, inputs)
    with template_errors(project):
        files = render_site(survey, project.template_folders, progress, files)
    _check(project, survey, files)
    if options.pdf:
        report(progress, "Setting survey.pdf", 0, 1)
        with template_errors(project):
            files[PDF] = survey_pdf(survey, project.template_folders, files)
    return BuildResult(files | editions, inputs, survey, learned)


def _logo(project: Project, inputs: Inputs) -> dict[str, bytes]:
    """Return the file of the logo, by its name."""
    logo = inputs.taxonomy.survey.logo
    path = project.taxonomy_file.parent / logo
    return {f"logo{path.suffix}": read_bytes(path, project.shown(path))} if logo else {}


def _check(project: Project, survey: Survey, files: dict[str, bytes]) -> None:
    """Raise InputError if a link is broken or a statement does not match its source."""
    also = (MANIFEST_NAME, *(f"{name}/index.html" for name in survey.editions))
    pages = read_pages(files)
    broken = [*check_site(files, also, pages), *picture_faults(project, files)]
    for failure in Proof(files).failures(pages):
        is_template = failure[0].endswith((".md", ".html"))
        broken.append(to_fault(failure, files, _SOURCE_HINT if is_template else ""))
    if broken:
        raise InputError(condense(sort_faults(broken), _MAX_PAGES_PER_FAULT, over_files=True))
