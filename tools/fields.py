"""`new` and `build` on every file of other people's papers: `python -m tools.fields`.

An argument names another folder than `../shared/data/inputs`, a second one only those files whose
path holds it. Prints one line a file: papers, where the categories are from, their names, seconds,
or the first fault; exits with 1 where a file that holds papers makes no survey. Takes ten minutes
for sixty files.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

INPUTS = Path(__file__).resolve().parents[2] / "shared" / "data" / "inputs"
NO_PAPERS = (
    "jabref_corrupted.ris", "no paper that can be read", "dicts as Python prints them",
    "jabref_html_table.html", "corl2024_no_header.csv",
)  # fmt: skip
"""What a file that holds none, or a retired format, is answered with."""


def main() -> int:
    """Print a line a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=INPUTS)
    parser.add_argument("part", nargs="?", default="")
    parser.add_argument("--keep", type=Path, help="keep the projects in this folder")
    told = parser.parse_args()
    files = sorted(told.folder.glob("*/*"))
    bad = 0
    with tempfile.TemporaryDirectory() as scratch:
        for file in (file for file in files if told.part in str(file)):
            project = (told.keep or Path(scratch)) / file.name.replace(".", "-")
            line, good = _survey_of(file, project)
            bad += not good
            sys.stdout.write(
                f"{'ok  ' if good else 'BAD '} {file.parent.name}/{file.name}: {line}\n"
            )
            sys.stdout.flush()
    return int(bad > 0)


def _survey_of(file: Path, project: Path) -> tuple[str, bool]:
    started = time.monotonic()
    for step in (["new", str(project), str(file)], ["build", "--project", str(project)]):
        done = subprocess.run(
            [sys.executable, "-m", "classifier", *step],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            said = " ".join((done.stderr or done.stdout).split())[:200]
            return f"{step[0]}: {said}", any(mark in said + file.name for mark in NO_PAPERS)
    taxonomy = yaml.safe_load((project / "taxonomy" / "taxonomy.yaml").read_text("utf-8"))
    names = [one["name"] for one in next(iter(taxonomy["facets"].values()))["categories"]]
    filed = "filed" if (project / "taxonomy" / "reviews.csv").exists() else "drafted"
    seconds = time.monotonic() - started
    papers = done.stdout.partition("Survey of ")[2].partition(" in ")[0]
    return f"{papers}, {seconds:.0f} s, {filed}: {' | '.join(names)}", True


if __name__ == "__main__":
    raise SystemExit(main())
