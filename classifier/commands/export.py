"""Export the labelled papers of a project for other tools: `fieldguide export`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from classifier.errors import InputError, input_error, strict_faults
from classifier.files.lock import sole_writer
from classifier.files.reading import record_keys_of
from classifier.files.targets import check_ending, check_target
from classifier.files.workbook import read_sheets
from classifier.files.writing import write_file
from classifier.papers.fields import OWN_TAG
from classifier.pipeline import compose_survey, compute
from classifier.plugins import find_plugin, load_plugin
from classifier.progress import Progress
from classifier.project import Project
from classifier.site.exports.cited_markdown import MARK, cited_markdown
from classifier.site.exports.labelled import (
    Selection,
    labelled_csv,
    labelled_jsonl,
    labelled_parquet,
    labelled_xlsx,
    select_papers,
)
from classifier.site.exports.readme import readme_list, replace_between_markers
from classifier.site.exports.reference_files import reference_list
from classifier.survey.survey import Survey

_START = 1 << 16
"""Number of bytes read from an existing file to find out whether an export wrote it."""


@dataclass(frozen=True, slots=True)
class Format:
    """A single-file export format."""

    endings: tuple[str, ...]
    write: Callable[[Selection], bytes]
    is_ours: Callable[[Path], bool]
    """Whether an existing file was written by an export and may be replaced."""


@dataclass(frozen=True, slots=True)
class Exported:
    """Result of an export."""

    papers: int
    warnings: int
    """Number of warnings about the project's files; `fieldguide check` lists them."""
    content: bytes = b""
    """Content of a single file."""


def export(
    project: Project,
    form: Format,
    output: Path | None = None,
    *,
    category: str = "",
    filed: bool = False,
    query: str = "",
    progress: Progress | None = None,
) -> Exported:
    """Return the papers of `project` in a format; write them to `output` if given.

    Labels are those of a build; excluded papers are left out. For `category`, `filed` and `query`
    see `select`. Raises InputError (faults of the project's files), UsageError, and OutputError if
    `output` was not written by an export or cannot be written.
    """
    if output is not None:
        check_ending(output, form.endings)
    inputs, survey = compose_survey(project, progress)
    if output is not None:
        _check_output(project, survey, output, form.is_ours)
    selection = select_papers(survey, category=category, filed=filed, query=query)
    content = form.write(selection)
    if output is not None:
        write_file(output, content)
    return Exported(len(selection.entries), len(strict_faults(inputs.warnings)), content)


def markdown_format(section: str) -> Format:
    """Return the format of a section of the survey as Markdown with cite keys."""
    return Format(
        (".md",),
        lambda selection: cited_markdown(selection, section).encode(),
        lambda path: _start(path).startswith(MARK),
    )


def _check_output(
    project: Project, survey: Survey, path: Path, is_ours: Callable[[Path], bool]
) -> None:
    """Raise an error if an export to `path` would replace a user's file, or is in their folders."""
    inputs = project.paper_files(survey.taxonomy.survey.sources)
    folders = (*project.authored_folders, project.root / "templates")
    check_target(path, "-o", is_ours=is_ours, inputs=inputs, folders=folders)


def _is_tagged(separator: str) -> Callable[[Path], bool]:
    end = re.compile(separator, re.MULTILINE)
    return lambda path: OWN_TAG in end.split(_start(path), maxsplit=1)[0]


def _is_labelled_workbook(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            (sheet,) = read_sheets(stream, str(path))
    except (InputError, ValueError):  # ValueError: several sheets
        return False
    return bool(sheet.rows) and _is_labelled(sheet.rows[0]) and not sheet.comments


def _is_labelled(columns: Collection[str]) -> bool:
    own = {"id", "title", "status", "primary", "cite_key"}
    return own.issubset(columns) and "verdict" not in columns


def _has_keys(*names: str) -> Callable[[Path], bool]:
    """Return a function: whether the records of a file have all of these keys or columns."""
    return lambda path: record_keys_of(path).issuperset(names)


def _start(path: Path) -> str:
    with path.open("rb") as stream:
        return stream.read(_START).decode("utf-8", errors="replace")


FORMATS: Mapping[str, Format] = {
    "bibtex": Format((".bib",), partial(reference_list, ending=".bib"), _is_tagged(r"^\}$")),
    "ris": Format((".ris",), partial(reference_list, ending=".ris"), _is_tagged(r"^ER  - ")),
    "csl-json": Format((".json",), partial(reference_list, ending=".json"), _is_tagged(r"\},?$")),
    "csv": Format(
        (".csv",), labelled_csv, lambda path: _is_labelled(_start(path).split("\n")[0].split(","))
    ),
    "jsonl": Format((".jsonl",), labelled_jsonl, _has_keys("cite_key", "labels")),
    "xlsx": Format((".xlsx",), labelled_xlsx, _is_labelled_workbook),
    "parquet": Format((".parquet",), labelled_parquet, _has_keys("cite_key", "topics")),
}
"""Name -> format."""


def find_format(name: str) -> Format:
    """Return a built-in format or a format of a plug-in; raise KeyError for an unknown name."""
    entry = find_plugin("exports", name, name in FORMATS)
    return load_plugin(entry, Format) if entry else FORMATS[name]


def write_readme(project: Project, readme: Path, progress: Progress | None = None) -> bool:
    """Write the list between the markers of `readme`; return whether the file changed.

    The rest of the file stays as it is. Raises InputError if the file is missing, is not UTF-8 or
    has no markers, UsageError if it is an input of the project, and OutputError if it cannot be
    written.
    """
    text = _read(readme)
    check_target(readme, "--into", is_ours=lambda _: True, folders=project.authored_folders)
    replace_between_markers(text, "", str(readme))
    survey = compute(project, progress=progress).survey
    with sole_writer(readme):
        text = _read(readme)  # The user may have edited the file meanwhile.
        new = replace_between_markers(text, readme_list(survey), str(readme))
        if new == text:
            return False
        write_file(readme, new.encode())
    return True


def _read(readme: Path) -> str:
    try:
        return readme.read_bytes().decode()
    except OSError as error:
        actual, expected = (error.strerror or str(error)).lower(), "a file to write into"
        raise input_error(str(readme), actual, expected) from error
    except UnicodeDecodeError as error:
        actual, hint = "bytes that are not UTF-8", "Save the file as UTF-8."
        raise input_error(str(readme), actual, "UTF-8", hint) from error
