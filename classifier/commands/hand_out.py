"""Write the sheet of all papers to a new file for a reviewer: `fieldguide review sheet`."""

from __future__ import annotations

import os
from pathlib import Path

from classifier.errors import OutputError
from classifier.files.lock import sole_writer
from classifier.files.targets import check_target
from classifier.files.writing import write_file
from classifier.pipeline import label
from classifier.progress import Progress
from classifier.project import Project
from classifier.review.acts import editorial_acts
from classifier.review.sheet_file import Kind
from classifier.site.exports.sheets import labels_sheet
from classifier.survey.typed_columns import paper_values


def check_new_file(path: Path, project: Project) -> None:
    """Raise an error if `path` exists or a sheet cannot be written there.

    Raises UsageError for a path in a folder of the user's files, else OutputError.
    """
    if os.path.lexists(path):
        raise OutputError(f"{path}: exists, and is never overwritten. Choose another file.")
    check_target(path, "another FILE", is_ours=lambda _: False, folders=project.authored_folders)


def write_hand_out(
    project: Project, path: Path, *, for_excel: bool = False, progress: Progress | None = None
) -> int:
    """Write the sheet of all papers to a new file; return the number of papers.

    for_excel: write a CSV with semicolons and a byte order mark. Raises InputError with the faults
    of the project's files, and the errors of `check_new_file`.
    """
    labelled = label(project, progress)
    kind: Kind = "xlsx" if path.suffix == ".xlsx" else "csv"
    inputs, labels = labelled.inputs, labelled.labels
    acts = editorial_acts(inputs.ledger, inputs.corpus.aliases, inputs.taxonomy)
    values = paper_values(inputs.taxonomy, inputs.corpus.papers, labels, acts)
    data = labels_sheet(
        inputs, labels, labelled.learned.queue, kind, for_excel=for_excel, values=values
    )
    with sole_writer(path):
        check_new_file(path, project)
        write_file(path, data)
    return len(labelled.labels)
