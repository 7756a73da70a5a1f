"""How long a rebuild takes, and what it writes, after each kind of edit.

    python -m tools.benchmarks.rebuilding [--repeats 3] [--papers 5000]

The shipped project, or one of that many papers, in a temporary folder; each time is that of a whole
process, the least of the repeats: by the clock, and of one processor, which a busy machine changes
less. The last columns are the share of the build into an empty folder, and what is wanted.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tools.benchmarks.corpora import write_project

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("taxonomy", "papers", "templates")
SMALL, LARGE = 364, 5_000
"""The sizes of corpora for which times are wanted."""


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit of a project, and the seconds that a build after it may take."""

    name: str
    edit: Callable[[Path, int], None]
    bars: tuple[float | None, float | None] = (None, None)
    """For the small corpus and for the large one; None where nothing is wanted."""

    def bar(self, papers: int) -> float | None:
        """Return what is wanted of a corpus of that many papers."""
        return dict(zip((SMALL, LARGE), self.bars, strict=True)).get(papers)


def main() -> None:
    """Print one row an edit, as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--papers", type=int, default=SMALL)
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        if told.papers == SMALL:
            for part in PARTS:
                shutil.copytree(ROOT / part, project / part)
        else:
            write_project(told.papers, project)
        print(f"{told.papers} papers\n")
        print("| edit | seconds | of one processor | files written | share of cold | wanted |")
        print("|---|---:|---:|---:|---:|---:|")
        cold = 0.0
        for edit in EDITS:
            rows = [after_edit(project, edit.edit, number) for number in range(told.repeats)]
            seconds, used, written = (min(column) for column in zip(*rows, strict=True))
            cold = cold or used
            bar = edit.bar(told.papers)
            wanted = f"{bar:.1f}" if bar else ""
            row = f"{edit.name} | {seconds:.1f} | {used:.1f} | {written:.0f} | {used / cold:.0%}"
            print(f"| {row} | {wanted} |", flush=True)


def after_edit(
    project: Path, edit: Callable[[Path, int], None], number: int
) -> tuple[float, float, int]:
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


def _claim(project: Path, number: int) -> None:
    """Edit what the editors claim of a category."""
    path = project / "taxonomy" / "taxonomy.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("- text: ", f"- text: ({number}) ", 1), encoding="utf-8")


def _remark(project: Path, number: int) -> None:
    """Publish a remark on a paper."""
    path = project / "taxonomy" / "reviews.csv"
    text = path.read_text(encoding="utf-8").rstrip("\n")
    paper, title, *_ = next(csv.reader([text.splitlines()[-1]]))
    row = io.StringIO()
    remark = f"Read this first ({number})."
    csv.writer(row, lineterminator="\n").writerow(
        [paper, title, "remark", remark, "", "ada", f"2026-01-{number + 1:02}", "", "", ""]
    )
    path.write_text(f"{text}\n{row.getvalue()}", encoding="utf-8")


def _decision(project: Path, number: int) -> None:
    """Take a decision away: everything is learned anew."""
    path = project / "taxonomy" / "reviews.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    paper = lines[-1].partition(",")[0]
    kept = [line for line in lines if line.partition(",")[0] != paper]
    path.write_text("".join(kept), encoding="utf-8")


EDITS = (
    Edit("none, into an empty folder", _everything, (6.0, 30.0)),
    Edit("nothing changed", _nothing, (0.6, 1.0)),
    Edit("one page's template", _template, (1.5, 3.0)),
    Edit("the template of every page", _layout),
    Edit("the subtitle, which all pages show", _definition),
    Edit("a claim", _claim, (1.5, 3.0)),
    Edit("an editor's remark", _remark, (1.5, 3.0)),
    Edit("a decision (learned anew)", _decision),
)

if __name__ == "__main__":
    main()
