"""Whether the last build still stands: its inputs as they were, its files as it wrote them.

Then a build has nothing to do but to tell again what that one told. Nothing heavy is imported here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from classifier.errors import FieldguideError
from classifier.files.atomic import LEFTOVER
from classifier.files.json_text import compact_json
from classifier.files.last_folder import SHEETS
from classifier.files.lock import ENDING
from classifier.files.manifest import MANIFEST_NAME, digest
from classifier.files.memo import Memos, memo_key
from classifier.files.output_folder import recover
from classifier.files.stamps import STAMPS, read_stamps, stamps_of
from classifier.options import BuildOptions
from classifier.project import Project
from classifier.told import Told, told_json, told_of

MEMO = "build.json"
"""The name of the memo: what the last build was made of, and what it told."""

# Whatever a file of out/ may depend on; a test holds this against pyproject.toml.
LIBRARIES = (
    "bibtexparser",
    "charset-normalizer",
    "ftfy",
    "jinja2",
    "lxml",
    "markdown",
    "markupsafe",
    "nh3",
    "numpy",
    "openpyxl",
    "pandas",
    "pydantic",
    "pylatexenc",
    "rapidfuzz",
    "ruamel.yaml",
    "scikit-learn",
    "scipy",
)
# What of an earlier out/ a build reads (survey/changes/published.py).
_OF_A_BASELINE = ("papers.json", "taxonomy.json", "metrics.json", "excluded.csv")


def inputs_digest(project: Project, sources: Sequence[str], options: BuildOptions) -> str:
    """Return a digest of the bytes of all that the files of a build are made of.

    sources: the patterns of survey.sources. Raises OSError and FieldguideError where something of
    it cannot be read.
    """
    folders = (project.taxonomy_file.parent, *project.template_folders)
    papers = project.paper_files(sources)
    baseline = options.baseline
    parts = (
        [list(_files_below(folder)) for folder in folders],
        [(project.shown(path), digest(path.read_bytes())) for path in papers],
        [str(fault) for fault in project.skipped_sources(sources)],
        [_digest_of(baseline / name) if baseline else "" for name in _OF_A_BASELINE],
        [baseline is not None, options.xlsx, options.mark, options.pdf],
    )
    return memo_key(parts, *LIBRARIES)


def keep_build(memos: Memos, inputs: str, sources: Sequence[str], told: Told) -> None:
    """Keep what a build was made of and what it told."""
    content = {"inputs": inputs, "sources": list(sources), "told": told_json(told)}
    memos.keep(MEMO, memo_key([]), compact_json(content))


def standing_build(project: Project, out: Path, options: BuildOptions) -> Told | None:
    """Return what the last build told, where another would write the same; else None.

    Every byte of the inputs is read, of what lies in `out` only sizes and times. A survey.pdf is
    never taken for standing: it depends on the fonts of the system, too.
    Raises OutputError as `recover` does.
    """
    if options.pdf:
        return None
    recover(out)
    kept = _kept(out)
    if kept is None:
        return None
    try:
        told = told_of(kept["told"])
        if kept["inputs"] != inputs_digest(project, kept["sources"], options):
            return None
    except (OSError, FieldguideError, ValueError, KeyError, TypeError):
        return None  # a build will say what is wrong
    return told if _is_as_written(out) else None


def _kept(out: Path) -> dict[str, Any] | None:
    content = Memos(out).recall(MEMO, memo_key([]))
    try:
        return None if content is None else dict(json.loads(content))
    except ValueError:
        return None


def _is_as_written(out: Path) -> bool:
    """Return whether each file of the last build bears its stamp, and no sheet lies beside them."""
    written = read_stamps(out / STAMPS)
    present = stamps_of(out)
    is_whole = all(present.get(name) == stamp for name, stamp in written.items())
    return MANIFEST_NAME in written and is_whole and present.keys() & set(SHEETS) <= written.keys()


def _files_below(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield (path from there, digest) of every file below a folder, sorted.

    What a command that writes there at this moment has put beside its file is no input.
    """
    for path in sorted(folder.rglob("*")):
        if not path.name.endswith((LEFTOVER, ENDING)) and path.is_file():
            yield path.relative_to(folder).as_posix(), digest(path.read_bytes())


def _digest_of(path: Path) -> str:
    return digest(path.read_bytes()) if path.is_file() else ""
