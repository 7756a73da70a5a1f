"""Editions: the survey as it once was, kept in the project and published below the current one.

`editions/2026.zip` holds all files of a site; a build publishes them under `2026/`, so that the
addresses of an edition stay whatever becomes of the survey. People keep the archive in git; nothing
but `build --edition` writes it, once.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Mapping

from classifier.errors import Fault, InputError, UsageError
from classifier.files.writing import make_folder, write_file
from classifier.project import Project

_NAME = re.compile(r"\w[\w.-]{0,40}")
_VERSION = re.compile(rb'^version: "(\w+)"$', re.MULTILINE)
_LARGEST = 2**31


def edition_names(project: Project) -> tuple[str, ...]:
    """Return the names of the editions that the project keeps, the last by name first."""
    return tuple(sorted((path.stem for path in project.editions.glob("*.zip")), reverse=True))


def edition_files(project: Project) -> dict[str, bytes]:
    """Return the files of all editions, each below its name; raises InputError for a broken one."""
    files: dict[str, bytes] = {}
    for name in edition_names(project):
        path = project.editions / f"{name}.zip"
        try:
            with zipfile.ZipFile(path) as archive:
                if sum(each.file_size for each in archive.infolist()) > _LARGEST:
                    raise ValueError("more than 2 GB when unpacked")
                files |= {f"{name}/{each}": archive.read(each) for each in archive.namelist()}
        except (OSError, ValueError, zipfile.BadZipFile) as error:
            expected = "an archive that `fieldguide build --edition` wrote"
            hint = "Take the file from version control again, or delete it."
            fault = Fault("error", project.shown(path), None, str(error), expected, hint)
            raise InputError([fault]) from error
    return files


def check_edition(project: Project, name: str, taken: Collection[str] = ()) -> None:
    """Raise UsageError for a name that is none, is in use, or is a folder of the site."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"--edition: found '{name}'; expected letters and digits, such as 2026.")
    if name in {path.partition("/")[0] for path in taken}:
        raise UsageError(f"--edition: '{name}' is a part of the site; expected another name.")
    if (path := project.editions / f"{name}.zip").exists():
        shown = project.shown(path)
        raise UsageError(f"--edition: {shown} is there already; an edition stays as it was.")


def keep_edition(project: Project, name: str, files: Mapping[str, bytes]) -> None:
    """Write the archive of an edition, its version named in how to cite it.

    The same files give the same bytes. Raises UsageError as `check_edition`.
    """
    check_edition(project, name, files)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(files.items()):
            if path == "CITATION.cff":
                content = _VERSION.sub(rf'version: "{name} (\1)"'.encode(), content)
            archive.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)
    make_folder(project.editions)
    write_file(project.editions / f"{name}.zip", data.getvalue())
