"""Builds of corpora of several sizes: cold, by stages; warm, after an edit."""

from __future__ import annotations

import json
import math
import statistics
import sys
import tempfile
from argparse import Namespace
from pathlib import Path
from typing import Any

from tools.benchmarks import corpora
from tools.benchmarks.rebuilding import EDITS, after_edit
from tools.benchmarks.usage import run

SIZES = (364, 5_000, 20_000, 100_000)
BARS = {364: 6, 5_000: 30, 100_000: 600}
"""Papers -> seconds that a cold build may take."""
WARM_SIZES = (364, 5_000)


def measure_cold(options: Namespace, kept: dict[str, Any]) -> dict[str, Any]:
    """Return what a build into an empty folder costs; of sizes not asked for, what was kept."""
    rows = dict(kept.get("rows", {}))
    for papers in options.papers or SIZES:
        repeats = options.repeats if papers < 10_000 else 1
        runs = [_cold(papers) for _ in range(repeats)]
        rows[str(papers)] = sorted(runs, key=lambda row: row["seconds"])[len(runs) // 2]
        print(papers, rows[str(papers)], file=sys.stderr, flush=True)
    return {"rows": rows}


def _cold(papers: int) -> dict[str, Any]:
    """Return the figures of one cold build, and of its peer."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder, "project")
        corpora.write_project(papers, project)
        built = run(_module("staged_build", project, Path(folder, "out")))
        peer = run(_module("plain_build", project, Path(folder, "plain")))
    return {
        **json.loads(built.output),
        "seconds": built.seconds,
        "processor": built.processor,
        "megabytes": built.megabytes,
        "peer_processor": peer.processor,
    }


def measure_warm(options: Namespace, kept: dict[str, Any]) -> dict[str, Any]:
    """Return what a build costs after each kind of edit, and a cold one in the same run."""
    rows = dict(kept.get("rows", {}))
    for papers in options.papers or WARM_SIZES:
        with tempfile.TemporaryDirectory() as folder:
            project = Path(folder, "project")
            corpora.write_project(papers, project)
            rows[str(papers)] = [
                [
                    edit.name,
                    *_median([after_edit(project, edit.edit, n) for n in range(options.repeats)]),
                    edit.bar(papers),
                ]
                for edit in EDITS
            ]
            print(papers, rows[str(papers)], file=sys.stderr, flush=True)
    return {"rows": rows}


def _median(runs: list[tuple[float, ...]]) -> list[float]:
    return [statistics.median(column) for column in zip(*runs, strict=True)]


def _module(name: str, *paths: Path) -> list[str]:
    return [sys.executable, "-m", f"tools.benchmarks.{name}", *map(str, paths)]


def cold_table(kept: dict[str, Any]) -> str:
    """Return one row a size, and how time grows with papers."""
    lines = [
        "| papers | seconds | wanted | of one processor | MB | pages | bare libraries, of one "
        "processor | times those |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    rows = {int(papers): row for papers, row in kept["rows"].items()}
    for papers, row in sorted(rows.items()):
        peer = row["peer_processor"]
        lines.append(
            f"| {papers:,} | {row['seconds']:.1f} | {BARS.get(papers, '')} | "
            f"{row['processor']:.1f} | {row['megabytes']:,.0f} | {row['pages']:,} | {peer:.1f} | "
            f"{row['processor'] / peer:.1f} |"
        )
    slope = growth({papers: row["seconds"] for papers, row in rows.items()})
    told = f"\nTime grows with the {slope:.2f}th power of the number of papers.\n"
    return "\n".join(lines) + "\n" + (told if len(rows) > 1 else "")


def growth(seconds: dict[int, float]) -> float:
    """Return the slope of log seconds over log papers, by least squares."""
    points = [(math.log(papers), math.log(took)) for papers, took in seconds.items()]
    if len(points) < 2:
        return math.nan
    mean_x, mean_y = (statistics.fmean(axis) for axis in zip(*points, strict=True))
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread


def stage_table(kept: dict[str, Any]) -> str:
    """Return the share of each stage, one column a size."""
    rows = {int(papers): _gathered(row["stages"]) for papers, row in kept["rows"].items()}
    sizes = sorted(rows)
    names = list(dict.fromkeys(name for size in sizes for name in rows[size]))
    header = " | ".join(f"{size:,} papers" for size in sizes)
    lines = [f"| stage | {header} |", f"|---|{'---:|' * len(sizes)}"]
    for name in names:
        cells = []
        for size in sizes:
            seconds = rows[size].get(name, 0.0)
            cells.append(f"{seconds:.1f} s, {seconds / sum(rows[size].values()):.0%}")
        lines.append(f"| {name.lower()} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _gathered(stages: dict[str, float]) -> dict[str, float]:
    """Return stages with the fits of all facets as one."""
    found: dict[str, float] = {}
    for name, seconds in stages.items():
        stage = "Learning" if name.startswith("Learning ") else name
        found[stage] = found.get(stage, 0.0) + seconds
    return found


def warm_table(kept: dict[str, Any]) -> str:
    """Return one row an edit and size."""
    lines = [
        "| papers | edit | seconds | wanted | of one processor | of the cold build | files "
        "written |",
        "|---:|---|---:|---:|---:|---:|---:|",
    ]
    for papers, rows in sorted(kept["rows"].items(), key=lambda item: int(item[0])):
        cold = rows[0][2]
        for name, seconds, processor, written, bar in rows:
            lines.append(
                f"| {int(papers):,} | {name} | {seconds:.1f} | {bar or ''} | {processor:.1f} | "
                f"{processor / cold:.2f} | {written:,.0f} |"
            )
    return "\n".join(lines) + "\n"
