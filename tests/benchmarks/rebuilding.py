"""How long a rebuild takes, and what it writes, after each kind of edit.

    python -m tests.benchmarks.rebuilding [--repeats 3]

The shipped project, copied to a temporary folder; each time is that of a whole process, the median
of the repeats: by the clock, and of one processor, which a busy machine changes less.
"""

from __future__ import annotations

import argparse
import os
import resource
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
        print("| edit | seconds | of one processor | files written |")
        print("|---|---:|---:|---:|")
        for name, edit in EDITS.items():
            rows = [_after(project, edit, number) for number in range(repeats)]
            seconds, used, written = (
                statistics.median(column) for column in zip(*rows, strict=True)
            )
            print(f"| {name} | {seconds:.1f} | {used:.1f} | {written:.0f} |", flush=True)


def _after(project: Path, edit: Edit, number: int) -> tuple[float, float, int]:
    """Return (seconds, seconds of one processor, files written) of the build after an edit."""
    edit(project, number)
    before, used = _stamps(project), _used()
    seconds = _build(project)
    after = _stamps(project)
    changed = sum(after[name] != before.get(name) for name in after)
    return seconds, _used() - used, changed


def _used() -> float:
    """Return the processor time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


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


def _everything(project: Path, number: int) -> None:
    """Build into an empty folder."""
    shutil.rmtree(project / "out", ignore_errors=True)


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
    "none, into an empty folder": _everything,
    "nothing changed": _nothing,
    "one page's template": _template,
    "the template of every page": _layout,
    "words of the editors": _definition,
    "a decision (learned anew)": _decision,
}

if __name__ == "__main__":
    main()
