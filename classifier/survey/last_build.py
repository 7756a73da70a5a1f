"""The options and the report of a build, and a check whether the last build is up to date.

If neither the inputs nor the written files have changed, `build` only prints the report of the last
build again. Therefore this module imports nothing slow.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from classifier.errors import Fault, FieldguideError, sort_faults, strict_faults
from classifier.files.built_folder import MANIFEST_NAME, SHEET, Stamp, digest, stamps_of
from classifier.files.cache import BuildCache, cache_key
from classifier.files.folder import recover
from classifier.files.json_text import compact_json
from classifier.files.lock import LOCK
from classifier.files.writing import LEFTOVER
from classifier.project import Project

# Libraries that the files of out/ depend on; a test compares them with pyproject.toml.
LIBRARIES = (
    "bibtexparser",
    "charset-normalizer",
    "ftfy",
    "jinja2",
    "lxml",
    "markdown",
    "markdown-it-py",
    "markupsafe",
    "nh3",
    "numpy",
    "pandas",
    "pydantic",
    "pylatexenc",
    "python-calamine",
    "pyyaml",
    "rapidfuzz",
    "scikit-learn",
    "scipy",
    "xlsxwriter",
)
# Files of an earlier out/ that a build reads (survey/changes/published.py).
_BASELINE_FILES = ("papers.json", "taxonomy.json", "metrics.json", "facts.json", "excluded.csv")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """Options of a build; by default, a build writes the survey and one sheet."""

    baseline: Path | None = None
    """An earlier out/ to compare with; without one, the lock is compared."""
    ignore_sheet: bool = False
    """Whether a sheet with edits is moved to sheets/, and does not stop the build."""
    strict: bool = False
    """Whether a warning stops the build."""
    for_excel: bool = False
    """Whether labels.csv has semicolons and a byte order mark."""
    pdf: bool = False
    """Whether survey.pdf is written as well."""
    cache: Path | None = None
    """Folder of the cache between builds; None for `.fieldguide/`."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """The numbers and messages that the command prints after a build."""

    papers: int
    reviewed: int
    imported: int
    confident: int
    provisional: int
    provisional_line: str
    """A line on why labels are provisional; "" if none is."""
    left_out: int
    """Papers that the editors left out."""
    title_only: int
    """Papers without an abstract."""
    retracted: tuple[str, ...]
    """Titles of the retracted papers in the survey."""
    merged: int
    """Papers with more than one record in the files."""
    columns: tuple[str, ...]
    """A line per foreign table with the columns that were read."""
    warnings: tuple[Fault, ...]
    """Warnings and notices."""
    quarantined: tuple[Fault, ...]
    """The records that could not be read."""
    moves_without_lock: tuple[int, str]
    """(number of labels that would change without the lock, reasons)."""
    confidence_line: str
    """A line on the confidence threshold: its value, its accuracy, its change."""
    changes: tuple[str, str]
    """(what was compared, summary); ("", "") without a baseline and a lock."""

    @property
    def strict_faults(self) -> list[Fault]:
        """All faults that stop a build with `--strict`."""
        return strict_faults(sort_faults([*self.warnings, *self.quarantined]))


def inputs_digest(
    project: Project, options: BuildOptions, sources: Sequence[str] | None = None
) -> str:
    """Return a digest of all input files of a build; "" if one of them cannot be read.

    It is computed before the build reads the files, so that the next build notices files that
    changed in the meantime. sources: the patterns of survey.sources, if they are known.
    """
    folders = (project.taxonomy_file.parent, *project.template_folders)
    baseline = options.baseline
    try:
        if sources is None:
            from classifier.taxonomy.load import source_patterns  # late: it loads pydantic

            shown = project.shown(project.taxonomy_file)
            sources = source_patterns(project.taxonomy_file, shown)
        papers = project.paper_files(sources)
        parts = (
            [list(_files_below(folder)) for folder in (*folders, project.editions)],
            [(project.shown(path), digest(path.read_bytes())) for path in papers],
            [str(fault) for fault in project.skipped_sources(sources)],
            [
                digest((baseline / name).read_bytes())
                if baseline and (baseline / name).is_file()
                else ""
                for name in _BASELINE_FILES
            ],
            [baseline is not None, options.for_excel, options.pdf],
        )
    except (OSError, FieldguideError):
        return ""
    return cache_key(parts, *LIBRARIES)


def build_cache(project: Project, options: BuildOptions) -> BuildCache:
    """Return the cache of a project."""
    return BuildCache(options.cache or project.cache_folder)


def store_build(
    cache: BuildCache,
    out: Path,
    inputs: str,
    sources: Sequence[str],
    report: BuildReport,
    stamps: Mapping[str, Stamp],
) -> None:
    """Store the inputs, the report and the files of a build into `out`.

    inputs: the result of `inputs_digest`. stamps: size and time of each file that was written.
    """
    content = {
        "inputs": inputs,
        "sources": list(sources),
        "report": asdict(report),
        "stamps": dict(sorted(stamps.items())),
    }
    cache.store(_cache_file_name(out), compact_json(content), cache_key([]))


def report_if_up_to_date(project: Project, out: Path, options: BuildOptions) -> BuildReport | None:
    """Return the report of the last build if it is up to date, else None.

    All bytes of the inputs are compared, but only sizes and times of the files in `out`. A build
    with a survey.pdf is never up to date, because it also depends on the fonts of the system.
    Raises OutputError like `recover`.
    """
    if options.pdf:
        return None
    recover(out)
    content = build_cache(project, options).load(_cache_file_name(out), cache_key([]))
    if content is None:
        return None
    try:
        cached = json.loads(content)
        if cached["inputs"] != inputs_digest(project, options, cached["sources"]):
            return None
        report = _read_report(cached["report"])
        stamps = {name: (size, time) for name, (size, time) in cached["stamps"].items()}
        present = stamps_of(out)
    except (OSError, FieldguideError, ValueError, KeyError, TypeError):
        return None  # a build will report the fault
    is_whole = all(present.get(name) == stamp for name, stamp in stamps.items())
    is_same = is_whole and (SHEET in stamps or SHEET not in present)
    return report if is_same and MANIFEST_NAME in stamps else None


def _cache_file_name(out: Path) -> str:
    """Return the name of the cache file for the last build into `out`."""
    return f"build-{digest(str(out.resolve()).encode())[:12]}.json"


def _read_report(cached_report: Mapping[str, Any]) -> BuildReport:
    """Read a report from JSON; raise ValueError, TypeError or KeyError if it is invalid."""
    number, reasons = cached_report["moves_without_lock"]
    since, what = cached_report["changes"]
    faults = {
        name: tuple(Fault(**fault) for fault in cached_report[name])
        for name in ("warnings", "quarantined")
    }
    rest = {
        "columns": tuple(cached_report["columns"]),
        "retracted": tuple(cached_report["retracted"]),
        "moves_without_lock": (number, reasons),
        "changes": (since, what),
    }
    return BuildReport(**{**cached_report, **faults, **rest})


def _files_below(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield relative path and digest of every file below a folder, sorted.

    Temporary files of a running command are not inputs.
    """
    for path in sorted(folder.rglob("*")):
        if not path.name.endswith((LEFTOVER, LOCK)) and path.is_file():
            yield path.relative_to(folder).as_posix(), digest(path.read_bytes())
