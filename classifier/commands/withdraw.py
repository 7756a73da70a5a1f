"""Delete decisions and undo changes: `fieldguide review withdraw` and `fieldguide review undo`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from classifier.commands.apply import LastApply, write_ledger
from classifier.errors import Fault, UsageError
from classifier.files.built_folder import file_digest
from classifier.files.lock import sole_writer
from classifier.files.writing import write_file
from classifier.project import Project
from classifier.review.ledger import NO_NAME, Entry
from classifier.review.read_rows import KnownPapers
from classifier.survey.inputs import read_inputs


def withdraw_decisions(project: Project, paper: str, reviewer: str) -> list[Entry]:
    """Delete all decisions of one reviewer on a paper from the ledger; return the deleted rows.

    paper: its id, an older id, or its title. Raises UsageError if the paper is unknown or has no
    decision of the reviewer, and the errors of `apply_sheets`.
    """
    with sole_writer(project.ledger_file), sole_writer(project.versions_file):
        before = file_digest(project.ledger_file)
        inputs = read_inputs(project)
        aliases, ledger = inputs.corpus.aliases, inputs.ledger
        found = KnownPapers.from_corpus_and_ledger(inputs.corpus.papers, aliases, ledger).find(
            paper, paper
        )
        if isinstance(found, Fault):
            raise UsageError(f"{paper}: no paper has this id or title.")
        on_paper = [
            entry for entry in ledger.entries if aliases.get(entry.id, entry.id) == found.paper_id
        ]
        withdrawn = [entry for entry in on_paper if entry.reviewer == reviewer]
        if not withdrawn:
            others = ", ".join(sorted({entry.reviewer or NO_NAME for entry in on_paper}))
            hint = "No reviewer decided on it."
            if others:
                hint = f"Reviewers with a decision: {others} (--reviewer NAME)."
            raise UsageError(f"{found.paper_id}: has no decision of {reviewer}. {hint}")
        kept = tuple(entry for entry in ledger.entries if entry not in withdrawn)
        write_ledger(project, inputs, replace(ledger, entries=kept), before)
    return withdrawn


def undo_last_apply(project: Project) -> list[Path]:
    """Restore the ledger as it was before the last `review apply` or `review withdraw`.

    Cues that the apply added to taxonomy.yaml are removed, too. Returns the restored files. Raises
    UsageError without a record of the last apply, or if one of the files was changed since.
    """
    ledger, taxonomy = project.ledger_file, project.taxonomy_file
    with sole_writer(ledger), sole_writer(taxonomy):
        last = LastApply.read(project)
        if last is None:
            raise UsageError(
                "Nothing to undo: .fieldguide/ has no record of the last `review apply`. Restore "
                f"{project.shown(ledger)} from version control."
            )
        if file_digest(ledger) != last.digest_after:
            raise UsageError(
                f"{project.shown(ledger)}: changed since the last `review apply`; nothing was "
                "undone. Use `fieldguide review withdraw PAPER`, or version control."
            )
        if last.taxonomy_after and file_digest(taxonomy) != last.taxonomy_after:
            raise UsageError(
                f"{project.shown(taxonomy)}: changed since the last `review apply`; nothing was "
                "undone. Delete the cues that it added, or use version control."
            )
        restored = [ledger]
        write_file(ledger, last.ledger_before.encode(errors="surrogateescape"))
        if last.taxonomy_after:
            write_file(taxonomy, last.taxonomy_before.encode(errors="surrogateescape"))
            restored.append(taxonomy)
        last.forget(project)
    return restored
