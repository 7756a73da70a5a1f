"""The same input, the same bytes: builds under every circumstance, held against the first one.

python -m tools.matrix [--projects shipped bread] [--groups process digits] [--uses build]

Every cell runs in a process of its own: a build, labels in three formats, exports, a draw, an
evaluation. All their bytes are compared. Inputs in another order are other bytes: what is told of
these is passed over (the digests of files and of all of them, which is the version; the line where
a record stands; the order of rows of labels, which is that of the input), and with it manifests.
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

from classifier.files.built_folder import digest
from tools.benchmarks.corpora import ROOT
from tools.matrix.cells import Cell, Group, cells
from tools.matrix.projects import PROJECTS, is_there

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
    started = [*cell.before, interpreter or sys.executable, *flags, "-m", "tools.matrix.uses"]
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
    return digests(made, folder)


def digests(made: Path, project: Path) -> Made:
    """Return the digest of every file but the one that holds times, twice.

    Under its name with `:said` behind it is what remains without what is told of the inputs' bytes.
    """
    of_inputs = [_version(made / "out" / "CITATION.cff"), *_input_digests(project)]
    found: Made = {}
    for path in sorted(each for each in made.rglob("*") if each.is_file()):
        name = path.relative_to(made).as_posix()
        content = path.read_bytes()
        found[name] = digest(content)
        if not _is_of_inputs(name):
            found[f"{name}:said"] = digest(_said(name, content, of_inputs))
    return found


def _said(name: str, content: bytes, of_inputs: Sequence[bytes]) -> bytes:
    """Return a file without digests of inputs and lines in them; rows of labels in a set order."""
    for told in of_inputs:
        content = content.replace(told, b"DIGEST")
    content = _LINE_OF_INPUT.sub(rb"\1LINE", content)
    if name in ("labels.csv", "labels.jsonl"):
        content = b"".join(sorted(content.splitlines(keepends=True)))
    return content


_LINE_OF_INPUT = re.compile(rb"(papers/[\w.-]+[:,])\d+")


def _input_digests(project: Path) -> list[bytes]:
    inputs = [each for part in ("papers", "taxonomy") for each in (project / part).rglob("*")]
    return [digest(each.read_bytes())[:12].encode() for each in inputs if each.is_file()]


def _version(citation: Path) -> bytes:
    """Return the version of a survey, which is a digest of the bytes of its inputs."""
    text = citation.read_bytes() if citation.is_file() else b""
    found = re.search(rb'^version: "(\w+)"$', text, re.MULTILINE)
    return found[1] if found else b"no version"


def compared(made: Made, group: Group) -> Made:
    """Return what a circumstance may not change: all bytes, or what is said in them."""
    if group == "order":
        return {name: value for name, value in made.items() if name.endswith(":said")}
    return {name: value for name, value in made.items() if not name.endswith(":said")}


def differing(reference: Made, made: Made) -> list[str]:
    """Return the names of the files that are not in both, or not the same in both."""
    names = sorted(reference.keys() | made.keys())
    return [name for name in names if reference.get(name) != made.get(name)]


def _is_of_inputs(name: str) -> bool:
    """Whether a file is made of the bytes of the inputs, or holds its rows in their order alone."""
    return name.endswith(("manifest.json", "labels.parquet"))


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
            ours = compared(made, cell.group)
            found = differing(compared(reference, cell.group), ours)
            faults += 0 if cell.informative else len(found)
            names = f": {', '.join(found[:6])}{' …' if len(found) > 6 else ''}" if found else ""
            note = " (told, no fault)" if cell.informative else ""
            print(
                f"| {project} | {cell.name}{note} | {len(ours)} | {len(found)}{names} |", flush=True
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
