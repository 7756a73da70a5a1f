"""The whole line, from a project folder to out/: read, label, compose, render, check, write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classifier.errors import Fault, InputError, condense, sort_faults
from classifier.files.built_folder import MANIFEST_NAME, SHEET
from classifier.files.folder import write_folder
from classifier.files.lock import sole_writer
from classifier.files.reading import read_bytes
from classifier.labelling.labels import PaperLabels, columns_of_labels
from classifier.learned import Learned, keep_learned, learning_key, recall_learned
from classifier.papers.frame import frame_of, paper_columns
from classifier.papers.load import Corpus
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.site.checks.links import check_site
from classifier.site.checks.proof import prose_faults, prove
from classifier.site.checks.templates import picture_faults, template_errors, template_faults
from classifier.site.editions import check_edition, edition_files, edition_names, keep_edition
from classifier.site.exports.data_files import data_files
from classifier.site.exports.sheets import (
    keep_changed_sheet,
    labels_sheet,
    refuse_pending_edits,
)
from classifier.site.pdf import PDF, require_pdf, survey_pdf
from classifier.site.render import render_site
from classifier.survey.assemble import assemble
from classifier.survey.changes.told import reasons_in_short, summary
from classifier.survey.inputs import Inputs, labels_in_force, quarantine_faults, read_inputs
from classifier.survey.last_build import (
    BuildOptions,
    BuildReport,
    build_cache,
    inputs_digest,
    keep_build,
)
from classifier.survey.quality import border_line, last_figures, waiting_line
from classifier.survey.survey import Survey
from classifier.survey.texts import Text, reading

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build made, for the person who started it."""

    files: Mapping[str, bytes]
    """Relative path -> bytes, the manifest not included."""
    inputs: Inputs
    """What people wrote."""
    survey: Survey
    """The survey that was built."""
    learned: Learned
    """What the classifier said, before decisions and lock."""
    is_cached: bool = False
    """Whether nothing had to be learned: the labels of the last build still hold."""
    before: tuple[int, Mapping[str, Any]] | None = None
    """How many labels were confident at the build before, and its metrics."""
    kept_sheet: Path | None = None
    """Where the sheet went that somebody had changed since the last build."""
    removed: tuple[str, ...] = ()
    """Files of an earlier build that this one was not asked for: a workbook, a PDF."""

    @property
    def edition(self) -> Survey:
        """Former name of `survey`, kept for scripts."""
        return self.survey

    @property
    def corpus(self) -> Corpus:
        """The papers as read and merged, those that the editors left out among them."""
        return self.inputs.corpus

    @property
    def warnings(self) -> tuple[Fault, ...]:
        """What is doubtful in the files that people wrote."""
        return self.inputs.warnings

    def fact(self, fact_id: str) -> int:
        """Return a counted fact of the edition; 0 for one that surveys of other kinds have."""
        value = self.survey.fact_values.get(fact_id, 0)
        assert isinstance(value, int)
        return value

    @property
    def report(self) -> BuildReport:
        """What the person who started the build is told."""
        changes, held = self.survey.changes, self.survey.held
        return BuildReport(
            papers=self.fact("papers.total"),
            reviewed=self.fact("papers.reviewed"),
            imported=self.fact("papers.imported"),
            confident=self.fact("papers.confident"),
            provisional=self.fact("papers.provisional"),
            waits=waiting_line(
                [each for each in self.survey.entries if each.first.status == "provisional"],
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
            held=(len(held), reasons_in_short(held) if held else ""),
            border=border_line(
                self.learned.metrics,
                self.inputs.taxonomy.first.id,
                self.fact("papers.confident"),
                self.before,
            ),
            changes=("", "") if changes is None else (changes.kind, summary(changes)),
        )


PLAIN = BuildOptions()
"""A build of which nothing particular is asked."""
_MAX_ALIKE = 3
"""Pages that are named with one fault: a template is wrong on every page that it makes."""


def build(
    project: Project,
    out: str | Path,
    options: BuildOptions = PLAIN,
    progress: Progress | None = None,
) -> BuildResult:
    """Build the survey of `project` into `out`, or leave `out` as it is and raise.

    Raises InputError (faults of the user's files; warnings too under `strict`),
    PendingEditsError (the sheet in `out` holds edits), OutputError (`out` cannot be written, or is
    being written by another process) and UsageError (`pdf` without WeasyPrint).
    """
    out = Path(out)
    if options.pdf:
        require_pdf()
    cache = build_cache(project, options)
    with sole_writer(out):
        made_of = inputs_digest(project, options)
        inputs = read_project(project, progress)
        if not options.ignore_sheet:  # before the minutes of learning
            refuse_pending_edits(out, inputs)
        key = learning_key(project, inputs)
        cached = recall_learned(cache, key)
        learned, texts = _learned(inputs, cached, progress)
        result = _compute(project, inputs, learned, texts, options, progress)
        result = replace(result, before=last_figures(options.baseline or out))
        if options.strict and result.report.doubtful:
            raise InputError(result.report.doubtful)
        if not options.ignore_sheet:  # somebody may have typed since
            refuse_pending_edits(out, inputs)
        report(progress, "Writing", 0, 1)
        earlier = _on_demand(out)
        kept_sheet = keep_changed_sheet(project, out)
        # What was learned while a file changed would be cached under what that file was not.
        is_sure = bool(made_of) and made_of == inputs_digest(project, options)
        stamps = write_folder(out, result.files)
        if is_sure:
            if not cached:
                keep_learned(cache, key, learned)
            sources = inputs.taxonomy.survey.sources
            keep_build(cache, out, made_of, sources, result.report, stamps)
    report(progress, "Writing", 1, 1)
    removed = tuple(sorted(earlier - _on_demand(out)))
    return replace(result, removed=removed, is_cached=cached is not None, kept_sheet=kept_sheet)


def compute(
    project: Project, options: BuildOptions = PLAIN, progress: Progress | None = None
) -> BuildResult:
    """Return every file of the survey without writing any: a pure function of the project."""
    if options.pdf:
        require_pdf()
    inputs = read_project(project, progress)
    return _compute(project, inputs, *_learned(inputs, None, progress), options, progress)


def freeze(
    project: Project, name: str, options: BuildOptions, progress: Progress | None = None
) -> None:
    """Keep the survey as it is now as an edition of the project; the next build publishes it.

    Raises UsageError for a name that is none or is in use, and what `build` raises.
    """
    check_edition(project, name)
    inputs, learned, texts = _recalled(project, options, progress)
    result = _compute(project, inputs, learned, texts, options, progress, frozen=True)
    keep_edition(project, name, result.files)


def compose_survey(project: Project, progress: Progress | None = None) -> tuple[Inputs, Survey]:
    """Return what people wrote and the survey that a build would make of it; write nothing.

    What earlier builds of the project learned is not learned again. Raises InputError.
    """
    inputs, learned, texts = _recalled(project, PLAIN, progress)
    machine, metrics = learned.machine, learned.metrics
    return inputs, assemble(project, inputs, machine, metrics, texts, None, progress)


@dataclass(frozen=True, slots=True)
class LabelledPapers:
    """All papers of a project, excluded ones too, with the labels that a build shows."""

    inputs: Inputs
    learned: Learned
    labels: Sequence[PaperLabels]
    """One per paper of the corpus: decisions and the lock applied."""

    def to_frame(self) -> DataFrame:
        """Return a pandas table with one row per paper: its labels and its fields."""
        papers = paper_columns(self.inputs.corpus.papers)
        labels = columns_of_labels(self.inputs.taxonomy, self.labels)
        names = {"id": papers["id"], "title": papers["title"]}
        return frame_of(names | labels | {k: v for k, v in papers.items() if k not in labels})


def label(project: Project, progress: Progress | None = None) -> LabelledPapers:
    """Label the papers of `project`, without a survey; results of earlier builds are used again.

    Raises InputError.
    """
    inputs, learned, _ = _recalled(project, PLAIN, progress)
    return LabelledPapers(inputs, learned, labels_in_force(inputs, learned.machine))


def read_project(project: Project, progress: Progress | None = None) -> Inputs:
    """Return what people wrote, after a look at their templates, too.

    Raises InputError with the faults of all of it; what is doubtful in templates stands among the
    warnings.
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
"""Paper id -> what its text says."""


def _learned(
    inputs: Inputs, cached: Learned | None, progress: Progress | None
) -> tuple[Learned, Texts]:
    """Return what is learned from what people wrote, and what the texts say."""
    with reading(inputs.corpus.papers, inputs.taxonomy) as texts:
        if cached:
            return cached, texts()
        from classifier.learning import learn  # late: scikit-learn, where there is what to learn

        return learn(inputs, progress), texts()


def _recalled(
    project: Project, options: BuildOptions, progress: Progress | None
) -> tuple[Inputs, Learned, Texts]:
    inputs = read_project(project, progress)
    cached = recall_learned(build_cache(project, options), learning_key(project, inputs))
    return inputs, *_learned(inputs, cached, progress)


def _on_demand(out: Path) -> set[str]:
    """Return the files of `out` that only an option makes."""
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
    """Compose the survey, render every file of it, and check them all.

    frozen: without the editions that are published below it, as an edition is kept. Raises
    InputError where a page or a sentence is not proven.
    """
    machine, metrics = learned.machine, learned.metrics
    survey = assemble(project, inputs, machine, metrics, texts, options.baseline, progress)
    editions = {} if frozen else edition_files(project)
    survey = replace(survey, editions=() if frozen else edition_names(project))
    files = data_files(survey)
    files[SHEET] = labels_sheet(inputs, survey.labels, learned.draws, for_excel=options.for_excel)
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
    logo = inputs.taxonomy.survey.logo
    path = project.taxonomy_file.parent / logo
    return {f"logo{path.suffix}": read_bytes(path, project.shown(path))} if logo else {}


def _check(project: Project, survey: Survey, files: dict[str, bytes]) -> None:
    """Raise InputError where a link leads nowhere or what is said is not what is counted."""
    also = (MANIFEST_NAME, *(f"{name}/index.html" for name in survey.editions))
    broken = [*check_site(files, also=also), *prove(survey), *picture_faults(project, files)]
    broken += prose_faults(files["survey.md"].decode("utf-8"), survey.document)
    if broken:
        raise InputError(condense(sort_faults(broken), _MAX_ALIKE, over_files=True))
