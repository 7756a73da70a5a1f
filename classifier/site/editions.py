"""Editions: archives of earlier surveys that a build publishes next to the current survey.

`editions/2026.zip` contains all files of a site. A build publishes them under `2026/`, so that the
addresses of an edition stay valid. Users keep the archive in version control. `build --edition`
writes it once; with `--check`, the build compares its files with the archive.
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
_MAX_BYTES = 2**31


def edition_names(project: Project) -> tuple[str, ...]:
    """Return the names of the project's editions, in reverse alphabetical order."""
    return tuple(sorted((path.stem for path in project.editions.glob("*.zip")), reverse=True))


def edition_files(project: Project) -> dict[str, bytes]:
    """Return the files of all editions, by path `NAME/path`.

    Raises InputError if an archive is broken.
    """
    files: dict[str, bytes] = {}
    for name in edition_names(project):
        path = project.editions / f"{name}.zip"
        try:
            with zipfile.ZipFile(path) as archive:
                if sum(each.file_size for each in archive.infolist()) > _MAX_BYTES:
                    raise ValueError("more than 2 GB when unpacked")
                files |= {f"{name}/{each}": archive.read(each) for each in archive.namelist()}
        except (OSError, ValueError, zipfile.BadZipFile) as error:
            expected = "an archive that `fieldguide build --edition` wrote"
            hint = "Restore the file from version control, or delete it."
            fault = Fault("error", project.shown(path), None, str(error), expected, hint)
            raise InputError([fault]) from error
    return files


def check_edition(project: Project, name: str, site_paths: Collection[str] = ()) -> None:
    """Raise UsageError if the name is invalid, in use, or a folder of the site.

    site_paths: paths of the site.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"--edition: found '{name}'; expected letters and digits, such as 2026.")
    if name in {path.partition("/")[0] for path in site_paths}:
        raise UsageError(f"--edition: '{name}' is a folder of the site. Choose another name.")
    if (path := project.editions / f"{name}.zip").exists():
        shown = project.shown(path)
        raise UsageError(
            f"--edition: {shown} exists, and an edition never changes. Choose another name, or "
            "compare it with --check."
        )


def write_edition(project: Project, name: str, files: Mapping[str, bytes]) -> None:
    """Write the archive of an edition; the same files give the same bytes.

    Raises UsageError like `check_edition`.
    """
    check_edition(project, name, files)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in _with_edition_name(name, files).items():
            archive.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)
    make_folder(project.editions)
    write_file(project.editions / f"{name}.zip", data.getvalue())


def differing_paths(project: Project, name: str, files: Mapping[str, bytes]) -> list[str]:
    """Return the sorted paths of files that differ between an edition and `files`.

    Files are compared and not archives, because the compression depends on the version of zlib.
    Raises UsageError if the project has no such edition, and InputError if its archive is broken.
    """
    if name not in edition_names(project):
        known = ", ".join(edition_names(project)) or "none"
        raise UsageError(
            f"--edition {name}: this edition does not exist. Existing editions: {known}."
        )
    prefix = f"{name}/"
    archived = {
        path.removeprefix(prefix): content
        for path, content in edition_files(project).items()
        if path.startswith(prefix)
    }
    current = _with_edition_name(name, files)
    paths = archived | current
    return sorted(path for path in paths if archived.get(path) != current.get(path))


def _with_edition_name(name: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the sorted files of an edition, with the edition's name in CITATION.cff."""
    edition = dict(sorted(files.items()))
    if citation := edition.get("CITATION.cff"):
        edition["CITATION.cff"] = _VERSION.sub(rf'version: "{name} (\1)"'.encode(), citation)
    return edition
