"""How long a rebuild takes, and what it writes, after each kind of edit.

    python -m tests.benchmarks.rebuilding [--repeats 3]

The shipped project, copied to a temporary folder; each time is that of a whole process, the median
of the repeats. The ratio is to the cold build of the same run: a machine's mood cancels out.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("taxonomy", "papers", "templates")

Edit = Callable[[Path, int], None]


def main() -> None:
    """Print one row an edit, as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--repeats", type=int, default=3)
    repeats = parser.parse_args().repeats
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        for part in PARTS:
            shutil.copytree(ROOT / part, project / part)
        cold = statistics.median(_cold(project) for _ in range(repeats))
        print("| edit | seconds | of the cold build | files written |")
        print("|---|---:|---:|---:|")
        print(f"| none, into an empty folder | {cold:.1f} | 1 | {len(_stamps(project))} |")
        for name, edit in EDITS.items():
            rows = [_after(project, edit, number) for number in range(repeats)]
            seconds = statistics.median(row[0] for row in rows)
            written = statistics.median(row[1] for row in rows)
            print(f"| {name} | {seconds:.1f} | {seconds / cold:.2f} | {written:.0f} |", flush=True)


def _cold(project: Path) -> float:
    shutil.rmtree(project / "out", ignore_errors=True)
    return _build(project)


def _after(project: Path, edit: Edit, number: int) -> tuple[float, int]:
    """Return (seconds, files written) of the build after an edit."""
    edit(project, number)
    before = _stamps(project)
    seconds = _build(project)
    after = _stamps(project)
    return seconds, sum(after[name] != before.get(name) for name in after)


def _build(project: Path) -> float:
    command = [sys.executable, "-m", "classifier", "build", "--project", str(project)]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    started = time.perf_counter()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return time.perf_counter() - started


def _stamps(project: Path) -> dict[str, int]:
    out = project / "out"
    return {
        path.relative_to(out).as_posix(): path.stat().st_mtime_ns
        for path in out.rglob("*")
        if path.is_file()
    }


def _nothing(project: Path, number: int) -> None:
    """Build again as it is."""


def _template(project: Path, number: int) -> None:
    path = project / "templates" / "404.html"
    path.write_text(path.read_text(encoding="utf-8") + f"<!-- {number} -->\n", encoding="utf-8")


def _layout(project: Path, number: int) -> None:
    path = project / "templates" / "layout.html"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("</body>", f"<!-- {number} -->\n</body>"), encoding="utf-8")


def _definition(project: Path, number: int) -> None:
    """Edit words of the editors that the classifier does not read."""
    path = project / "taxonomy" / "taxonomy.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("  subtitle: ", f"  subtitle: {number} "), encoding="utf-8")


def _decision(project: Path, number: int) -> None:
    """Take a decision away: everything is learned anew."""
    path = project / "taxonomy" / "reviews.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    paper = lines[-1].partition(",")[0]
    kept = [line for line in lines if line.partition(",")[0] != paper]
    path.write_text("".join(kept), encoding="utf-8")


EDITS: dict[str, Edit] = {
    "nothing changed": _nothing,
    "one page's template": _template,
    "the template of every page": _layout,
    "words of the editors": _definition,
    "a decision (learned anew)": _decision,
}

if __name__ == "__main__":
    main()
