"""The same input, the same bytes: builds under every circumstance, held against the first one.

python -m tests.matrix [--projects shipped bread] [--groups process digits] [--uses build]

Every cell runs in a process of its own: a build, labels in three formats, exports, a draw, an
evaluation. All their bytes are compared, those of out/.cache but for the Pythons, whose memos
have other keys. Inputs in another order are other bytes, so the version of the survey, which is a
digest of them, is passed over, and with it the memos and the manifest.
FIELDGUIDE_PYTHONS=3.13=/path/to/python,… names further interpreters that have the same versions of
the libraries. Exit 1 where a byte differs.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from classifier.files.manifest import digest
from classifier.files.memo import FOLDER
from classifier.files.stamps import STAMPS
from tests.benchmarks.corpora import ROOT
from tests.matrix.cells import Cell, cells
from tests.matrix.projects import PROJECTS, is_there

Made = dict[str, str]
"""Path of a file -> digest of its bytes."""

_REFERENCE = Cell("reference", "process", {"PYTHONHASHSEED": "7"})
_INHERITED = ("PATH", "HOME", "TMPDIR", "SYSTEMROOT")


def made_in(cell: Cell, project: str, uses: str, work: Path) -> Made:
    """Return what a cell makes of a project; raises RuntimeError where a command fails."""
    folder, made = work / "cell" / cell.folder, work / "cell" / "made"
    folder.parent.mkdir(parents=True)
    made.mkdir()
    PROJECTS[project](folder)
    cell.arrange(folder)
    interpreter, *flags = cell.python or (sys.executable,)
    started = [*cell.before, interpreter or sys.executable, *flags, "-m", "tests.matrix.uses"]
    arguments = [str(folder), str(made), uses, cell.builds, *cell.label]
    environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    environment |= {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests' / 'matrix' / 'disorder'}"}
    result = subprocess.run(
        [*started, *arguments],
        cwd=work if cell.from_elsewhere else folder,
        env=environment | dict(cell.environment),
        umask=cell.umask,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if result.returncode:
        raise RuntimeError(f"{cell.name}: {result.stderr[-2000:]}")
    return digests(made)


def digests(made: Path) -> Made:
    """Return the digest of every file but the one that holds times."""
    version = _version(made / "out" / "CITATION.cff")
    return {
        name: digest(path.read_bytes().replace(version, b"VERSION"))
        for path in sorted(made.rglob("*"))
        if path.is_file()
        if not (name := path.relative_to(made).as_posix()).endswith(STAMPS)
    }


def _version(citation: Path) -> bytes:
    """Return the version of a survey, which is a digest of the bytes of its inputs."""
    text = citation.read_bytes() if citation.is_file() else b""
    found = re.search(rb'^version: "(\w+)"$', text, re.MULTILINE)
    return found[1] if found else b"no version"


def differing(reference: Made, made: Made, *, with_memos: bool) -> list[str]:
    """Return the names of the files that are not in both, or not the same in both."""
    names = sorted(reference.keys() | made.keys())
    return [
        name
        for name in names
        if reference.get(name) != made.get(name) and (with_memos or not _is_of_inputs(name))
    ]


def _is_of_inputs(name: str) -> bool:
    """Whether a file is made of the bytes of the inputs or of the Python, not of what they say."""
    return f"{FOLDER}/" in name or name == "out/manifest.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, compare, print a table; return the exit code."""
    told = _asked(arguments)
    chosen = [cell for cell in cells() if cell.group in (told.groups or [cell.group])]
    chosen = [cell for cell in chosen if told.only.lower() in cell.name.lower()]
    print("| project | circumstance | files compared | differing |\n|---|---|---|---|", flush=True)
    faults = 0
    for project in told.projects:
        if not is_there(project):
            print(f"| {project} | skipped: needs abstracts that are not there | | |")
            continue
        reference = _fresh(_REFERENCE, project, told.uses)
        for cell in chosen:
            made = _fresh(cell, project, told.uses)
            # Memos are kept under the inputs and the Python; files in another order are others.
            same_inputs = cell.group not in ("python", "libraries", "order")
            found = differing(reference, made, with_memos=same_inputs)
            compared = len(made) if same_inputs else sum(not _is_of_inputs(name) for name in made)
            faults += 0 if cell.informative else len(found)
            names = f": {', '.join(found[:6])}{' …' if len(found) > 6 else ''}" if found else ""
            note = " (told, no fault)" if cell.informative else ""
            print(
                f"| {project} | {cell.name}{note} | {compared} | {len(found)}{names} |", flush=True
            )
    print(f"\n{faults} differing files in {len(chosen)} circumstances.")
    return 1 if faults else 0


def _fresh(cell: Cell, project: str, uses: str) -> Made:
    with tempfile.TemporaryDirectory() as work:
        return made_in(cell, project, uses, Path(work))


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--projects", nargs="+", choices=PROJECTS, default=[*PROJECTS])
    groups = sorted({cell.group for cell in cells()})
    parser.add_argument("--groups", nargs="+", choices=groups, default=[])
    parser.add_argument("--only", default="", help="cells whose name holds this")
    parser.add_argument("--uses", choices=("build", "all"), default="all")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
