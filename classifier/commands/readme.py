"""The survey's list written into somebody's README."""

from __future__ import annotations

from pathlib import Path

from classifier.build import compute
from classifier.errors import Fault, InputError
from classifier.files.atomic import write_file
from classifier.files.lock import sole_writer
from classifier.files.write_guard import check_target
from classifier.progress import Progress
from classifier.project import Project
from classifier.site.exports.readme import into_markers, readme_list


def write_readme(project: Project, readme: Path, progress: Progress | None = None) -> bool:
    """Write the list between the markers of `readme`; return whether that changed the file.

    All else in it stays byte for byte. Raises InputError where the file is missing, is not UTF-8
    or has no markers, UsageError where it is among the project's inputs, before anything is
    computed; OutputError where it cannot be written.
    """
    text = _read(readme)
    check_target(readme, "--into", is_ours=lambda _: True, folders=project.authored_folders)
    into_markers(text, "", str(readme))
    edition = compute(project, progress=progress).edition
    with sole_writer(readme):
        text = _read(readme)  # again: its owner may have written on meanwhile
        new = into_markers(text, readme_list(edition), str(readme))
        if new == text:
            return False
        write_file(readme, new.encode())
    return True


def _read(readme: Path) -> str:
    try:
        return readme.read_bytes().decode()
    except OSError as error:
        found = (error.strerror or str(error)).lower()
        raise InputError(
            [Fault("error", str(readme), None, found, "a file to write into")]
        ) from error
    except UnicodeDecodeError as error:
        found, cure = "bytes that are no UTF-8", "Save it as UTF-8."
        raise InputError([Fault("error", str(readme), None, found, "UTF-8", cure)]) from error
