"""The whole line, from a project folder to out/: read, label, compose, render, write."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

from classifier.data_files import data_files, excluded_table
from classifier.errors import Fault, FieldguideError, InputError, condense, sort_faults
from classifier.files.json_text import json_bytes
from classifier.files.last_folder import SHEETS
from classifier.files.lock import sole_writer
from classifier.files.manifest import MANIFEST_NAME
from classifier.files.memo import Memos
from classifier.files.output_folder import write_folder
from classifier.files.spool import spool_for
from classifier.files.standing import Standing
from classifier.files.text_file import read_text
from classifier.files.volume import Volume
from classifier.inputs import Inputs, ledger_name, quarantine_faults
from classifier.labelling.labels import PaperLabels
from classifier.last_build import inputs_digest, keep_build
from classifier.learned import Learned, entries_key, keep_learned, learning_key, recall_learned
from classifier.options import BuildOptions
from classifier.papers.load import Corpus
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.project_inputs import read_project
from classifier.project_labels import (
    free_labels,
    labels_in_force,
    locked_publication,
    publication_of,
)
from classifier.review.editorial import EditorialActs, editorial_acts
from classifier.sheets import refuse_pending_edits, sheet_files
from classifier.site import (
    Annex,
    Printer,
    print_site,
    template_errors,
)
from classifier.site.markup_check import picture_faults
from classifier.site.outline import site_faults
from classifier.site.pdf import PDF, require_pdf, survey_pdf
from classifier.site.printer import keep_prints, recall_prints
from classifier.site.proof.prove import prove
from classifier.survey.assemble import Ingredients, assemble
from classifier.survey.changes.compare import Changes, compare
from classifier.survey.changes.held import held_moves
from classifier.survey.changes.in_json import changes_json
from classifier.survey.changes.in_sections import reasons_in_short, summary
from classifier.survey.changes.move import Move
from classifier.survey.changes.published import read_build
from classifier.survey.edition import Edition
from classifier.survey.facts.facts import Facts
from classifier.survey.quality import border_line, quality_sentences
from classifier.taxonomy.document_memo import remembered_document
from classifier.taxonomy.model import Survey
from classifier.told import Told

PLAIN = BuildOptions()
"""A build of which nothing particular is asked."""
_MOST_ALIKE = 3
"""Pages that are named with one fault: a template is wrong on every page that it makes."""


@dataclass(frozen=True, slots=True)
class Composed:
    """Everything that goes into pages and files, before any of them is made."""

    inputs: Inputs
    edition: Edition
    facts: Facts
    labels: tuple[PaperLabels, ...]
    """In force, in the order of the corpus's papers; of papers left out, too."""
    changes: Changes | None
    """Against the baseline, else the lock; None where there is neither."""
    held: tuple[Move, ...]
    """The labels that would move were it not for the lock."""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build made, for the person who started it."""

    files: Mapping[str, bytes]
    """Relative path -> bytes, the manifest not included."""
    composed: Composed
    learned: Learned
    """What the classifier said, before decisions and lock."""
    recalled: bool
    """Whether nothing had to be learned: the labels of the last build still hold."""
    removed: tuple[str, ...] = ()
    """Files of an earlier build that this one was not asked for: a workbook, a PDF."""

    @property
    def edition(self) -> Edition:
        """The survey that was built."""
        return self.composed.edition

    @property
    def corpus(self) -> Corpus:
        """The papers as read and merged, those that the editors left out among them."""
        return self.composed.inputs.corpus

    @property
    def warnings(self) -> tuple[Fault, ...]:
        """What is doubtful in the files that people wrote."""
        return self.composed.inputs.warnings

    def fact(self, fact_id: str) -> int:
        """Return a counted fact of the edition."""
        value = self.edition.facts[fact_id]
        assert isinstance(value, int)
        return value

    @property
    def told(self) -> Told:
        """What the person is told."""
        changes, held = self.composed.changes, self.composed.held
        return Told(
            papers=self.fact("papers.total"),
            reviewed=self.fact("papers.reviewed"),
            confident=self.fact("papers.confident"),
            provisional=self.fact("papers.provisional"),
            left_out=self.fact("papers.left_out"),
            title_only=self.fact("papers.title_only"),
            merged=self.corpus.merged,
            columns=tuple(filter(None, (file.columns_line() for file in self.corpus.files))),
            warnings=self.warnings,
            quarantined=quarantine_faults(self.corpus),
            held=(len(held), reasons_in_short(held) if held else ""),
            border=border_line(
                self.learned.metrics, self.composed.inputs.taxonomy.first.id, changes
            ),
            changes=("", "") if changes is None else (changes.kind, summary(changes)),
        )


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
    with sole_writer(out), spool_for(out) as spool:
        memos = Memos(out, spool)
        made_of = _made_of(project, options, memos)
        inputs = read_project(project, progress, memos=memos)
        if not options.ignore_sheet:  # before the minutes of learning
            refuse_pending_edits(out, inputs)
        learned, is_recalled = _recall_or_learn(project, inputs, memos, progress)
        volume = Volume(Standing(out), spool, typed=SHEETS)
        result = _compute(project, inputs, learned, options, memos, volume, progress)
        if options.strict and result.told.doubtful:
            raise InputError(result.told.doubtful)
        if not options.ignore_sheet:  # somebody may have typed since
            refuse_pending_edits(out, inputs)
        report(progress, "Writing", 0, 1)
        earlier = _on_demand(out)
        # What was learned while a file changed is filed under what that file was not.
        is_sure = bool(made_of) and made_of == _made_of(project, options, memos)
        if is_sure:
            keep_build(memos, made_of, inputs.taxonomy.survey.sources, result.told)
        write_folder(out, volume, beside=memos.made if is_sure else {})
    report(progress, "Writing", 1, 1)
    removed = tuple(sorted(earlier - _on_demand(out)))
    return replace(result, removed=removed, recalled=is_recalled)


def _made_of(project: Project, options: BuildOptions, memos: Memos) -> str:
    """Return the digest of all inputs; "" where something is wrong, which reading them will tell.

    It is taken before they are read: what is changed during a build is then built by the next.
    """
    try:
        return inputs_digest(project, source_patterns(project, memos), options)
    except (OSError, FieldguideError):
        return ""


def source_patterns(project: Project, memos: Memos) -> tuple[str, ...]:
    """Return the patterns of survey.sources as the taxonomy's text has them, nothing checked.

    Raises OSError and FieldguideError where the text cannot be read.
    """
    shown = project.shown(project.taxonomy_file)
    text = read_text(project.taxonomy_file, shown)
    tree, _ = remembered_document(text, shown, memos)
    told = tree.at(("survey", "sources"))
    named = tuple(item.text for item in told.items)
    return named or Survey.model_fields["sources"].default


def compose_edition(project: Project, progress: Progress | None = None) -> Composed:
    """Return what a build would put into pages and files, and write nothing.

    What earlier builds of the project kept in its out/ is recalled. Raises InputError.
    """
    memos = Memos(project.out)
    inputs = read_project(project, progress, memos=memos)
    learned, _ = _recall_or_learn(project, inputs, memos, progress)
    return _compose(project, inputs, learned, None, progress, memos)


def _on_demand(out: Path) -> set[str]:
    """Return the files of `out` that only an option makes."""
    return {name for name in (*SHEETS, PDF) if (out / name).is_file()}


def compute(
    project: Project, options: BuildOptions = PLAIN, progress: Progress | None = None
) -> BuildResult:
    """Return every file of the survey without writing any: a pure function of the project."""
    if options.pdf:
        require_pdf()
    inputs = read_project(project, progress)
    learned = _learn(inputs, progress)
    return _compute(project, inputs, learned, options, Memos(), Volume(), progress)


def _recall_or_learn(
    project: Project, inputs: Inputs, memos: Memos, progress: Progress | None
) -> tuple[Learned, bool]:
    """Return what learning gives, and whether an earlier build had kept it."""
    key = learning_key(project, inputs)
    kept = recall_learned(memos, key)
    learned = kept or _learn(inputs, progress)
    if not kept:
        keep_learned(memos, key, learned)
    return learned, kept is not None


def _learn(inputs: Inputs, progress: Progress | None) -> Learned:
    from classifier.learning import learn  # late: scikit-learn, where there is something to learn

    return learn(inputs, progress)


def _compute(
    project: Project,
    inputs: Inputs,
    learned: Learned,
    options: BuildOptions,
    memos: Memos,
    volume: Volume,
    progress: Progress | None,
) -> BuildResult:
    """Fill `volume` with every file of the survey; raises InputError where one is not proven."""
    composed = _compose(project, inputs, learned, options.baseline, progress, memos)
    edition, metrics = composed.edition, learned.metrics
    changes, held = composed.changes, composed.held
    files = data_files(inputs, edition, composed.facts, metrics)
    files |= sheet_files(inputs, edition, composed.labels, learned.draws, options)
    files["changes.json"] = json_bytes(changes_json(changes, held))
    files["excluded.csv"] = excluded_table(edition)
    for name, content in files.items():
        volume.put(name, content)
    printer = Printer(volume, recall_prints(memos))
    with template_errors(project):
        annex = Annex(entries_key(project, inputs), metrics, changes, held)
        print_site(printer, edition, project.template_folders, progress, annex)
    keep_prints(memos, printer.prints)
    linked = site_faults(volume, printer.prints.outlines, also=(MANIFEST_NAME,))
    broken = [*linked, *prove(volume, edition), *picture_faults(project, volume)]
    if broken:
        raise InputError(condense(sort_faults(broken), _MOST_ALIKE, over_files=True))
    if options.pdf:
        report(progress, "Setting survey.pdf", 0, 1)
        with template_errors(project):
            volume.put(PDF, survey_pdf(edition, project.template_folders, volume))
    return BuildResult(volume, composed, learned, recalled=False)


def _compose(
    project: Project,
    inputs: Inputs,
    learned: Learned,
    baseline: Path | None,
    progress: Progress | None,
    memos: Memos,
) -> Composed:
    acts = _acts(project, inputs)
    machine, metrics = learned.machine, learned.metrics
    labels = labels_in_force(inputs, machine)
    quality = quality_sentences(metrics, inputs.taxonomy.first.id)
    report(progress, "Composing the survey", 0, 1)
    changes, held = _moves(inputs, machine, labels, metrics, baseline)
    made_of = Ingredients(
        inputs.taxonomy,
        inputs.corpus,
        labels,
        acts,
        inputs.version,
        quality,
        metrics,
        changes,
        inputs.claims,
    )
    edition, facts = assemble(made_of, memos)
    return Composed(inputs, edition, facts, tuple(labels), changes, held)


def _moves(
    inputs: Inputs,
    machine: Sequence[PaperLabels],
    labels: Sequence[PaperLabels],
    metrics: Mapping[str, object],
    baseline: Path | None,
) -> tuple[Changes | None, tuple[Move, ...]]:
    """Return what changed since the baseline, else the lock, and what the lock keeps."""
    lock = locked_publication(inputs)
    before = read_build(baseline) if baseline else lock
    if before is None:
        return None, ()
    now = publication_of(inputs, labels, metrics)
    changes = compare(before, now)
    if lock is None:
        return changes, ()
    free = publication_of(inputs, free_labels(inputs, machine))
    return changes, held_moves(lock, now, free, inputs.corpus.aliases)


def _acts(project: Project, inputs: Inputs) -> EditorialActs:
    """Return the editorial acts in force; raises InputError where they leave no paper."""
    acts = editorial_acts(inputs.ledger, inputs.corpus.aliases)
    papers = inputs.corpus.papers
    if all(paper.id in acts.excluded for paper in papers):
        found = f"`exclude` for every paper ({len(papers)} of {len(papers)})"
        cure = (
            "A newer row of the same paper with an empty value withdraws it, as "
            "does `withdraw` in the exclude column of the sheet."
        )
        wanted = "at least one paper left for the survey"
        raise InputError([Fault("error", ledger_name(project), None, found, wanted, cure)])
    return acts


class _Callable(ModuleType):
    """This module as what it does: Python puts it over the public function `classifier.build`."""

    __call__ = staticmethod(build)


sys.modules[__name__].__class__ = _Callable
