"""What a user gets, before a change and after it: python -m tools.net [REVISION].

Builds the tests' small project and the shipped one, labels a file in three formats, and reads
every file of ../shared/data/inputs and the examples of the readers, once with the
package at REVISION (default HEAD) and once with the working tree. Lists each file that differs, and
exits 1 if one does. With --keep DIR both are left there, to be looked at with diff.

Only commands and the public functions of the package are used: the modules behind them may move.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from classifier.papers.readers import READERS

ROOT = Path(__file__).resolve().parents[1]
INPUTS = ROOT.parent / "shared" / "data" / "inputs"

READ = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from classifier import FieldguideError, load_papers
folder, target = Path(sys.argv[1]), Path(sys.argv[2])
for path in sorted(folder.rglob("*")):
    if not path.is_file() or path.name == "MANIFEST.csv":
        continue
    try:
        corpus = load_papers([path], folder)
        lines = [asdict(paper) for paper in corpus.papers]
        lines += [
            {"quarantined": [r.file, r.line, r.record, getattr(r, "actual", "") or r.found]}
            for r in corpus.quarantined
        ]
    except FieldguideError as error:
        lines = [{"error": str(error)}]
    name = str(path.relative_to(folder)).replace("/", "__") + ".jsonl"
    text = "".join(json.dumps(line, default=str, sort_keys=True) + "\\n" for line in lines)
    (target / name).write_text(text, encoding="utf-8")
"""
"""Writes what is read of each file of a folder, with the package that is on the path."""


def main() -> int:
    """Compare, and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision", nargs="?", default="HEAD")
    parser.add_argument("--keep", type=Path, metavar="DIR")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        kept = arguments.keep or Path(scratch)
        before = Path(scratch) / "checkout"
        subprocess.run(
            ["git", "worktree", "add", "-q", "--detach", before, arguments.revision],
            cwd=ROOT,
            check=True,
        )
        try:
            frames = Path(scratch) / "frames"
            write_frames(frames)
            for name, package in (("before", before), ("after", ROOT)):
                snapshot(package, frames, kept / name)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", before], cwd=ROOT, check=True)
        differing = list(differences(kept / "before", kept / "after"))
        total = sum(path.is_file() for path in (kept / "after").rglob("*"))
    print("\n".join([*differing, f"{len(differing)} of {total} files differ"]))
    return bool(differing)


def write_frames(folder: Path) -> None:
    """Write a small file for each example of each reader."""
    folder.mkdir(parents=True)
    for reader in READERS:
        for number, example in enumerate(reader.examples):
            text = example.replace("@@", "flour")
            (folder / f"{reader.name}-{number}.txt").write_text(text, encoding="utf-8")


def snapshot(package: Path, frames: Path, target: Path) -> None:
    """Write all that a user gets of the package in the folder `package`."""
    environment = os.environ | {"PYTHONPATH": str(package)}
    bread, shipped = package / "tests" / "golden" / "project", package
    papers = bread / "papers" / "bread.jsonl"
    command = [sys.executable, "-m", "classifier"]
    for name, project in (("bread", bread), ("shipped", shipped)):
        out = target / name
        out.mkdir(parents=True)
        built = [*command, "build", "--project", project, "--out", out]
        said = subprocess.run(built, env=environment, cwd=target, capture_output=True, text=True)
        shutil.rmtree(project / ".fieldguide", ignore_errors=True)  # what tests copy holds no cache
        (target / f"{name}.exit").write_text(str(said.returncode), encoding="utf-8")
    for form in ("csv", "jsonl", "parquet"):
        labelled = [*command, "label", papers, "--project", bread, "-o", target / f"labels.{form}"]
        subprocess.run(labelled, env=environment, cwd=target, capture_output=True)
    for name, folder in (("inputs", INPUTS), ("frames", frames)):
        if folder.is_dir():
            (target / name).mkdir()
            read = [sys.executable, "-c", READ, folder, target / name]
            subprocess.run(read, env=environment, cwd=target, check=True)


def differences(before: Path, after: Path) -> Iterator[str]:
    """Yield a line for each file that differs; caches are no part of what a user gets."""
    names = {
        path.relative_to(side)
        for side in (before, after)
        for path in side.rglob("*")
        if path.is_file() and ".cache" not in path.parts and ".fieldguide" not in path.parts
    }
    for name in sorted(names):
        if not (before / name).is_file():
            yield f"new: {name}"
        elif not (after / name).is_file():
            yield f"gone: {name}"
        elif not filecmp.cmp(before / name, after / name, shallow=False):
            yield f"differs: {name}"


if __name__ == "__main__":
    sys.exit(main())
