"""Commands that should answer at once, beside Python that does nothing."""

from __future__ import annotations

import statistics
import sys
from argparse import Namespace
from typing import Any

from tools.benchmarks.usage import ROOT, fieldguide, run

_IMPORTED = "import classifier"
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    _IMPORTED: [sys.executable, "-c", _IMPORTED],
    "fieldguide --help": fieldguide("--help"),
    "fieldguide build --help": fieldguide("build", "--help"),
    "fieldguide check": fieldguide("check", "--project", ROOT),
}


def measure(options: Namespace, kept: dict[str, Any]) -> dict[str, Any]:
    """Return the median seconds of each command, taken in turn."""
    rows: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
    for command in COMMANDS.values():  # compiled once, as after any first use
        run(command)
    for _ in range(max(5, options.repeats)):
        for name, command in COMMANDS.items():
            usage = run(command)
            rows[name].append((usage.seconds, usage.processor))
    return {
        "rows": [
            [name, *(statistics.median(column) for column in zip(*times, strict=True))]
            for name, times in rows.items()
        ]
    }


def table(kept: dict[str, Any]) -> str:
    """Return seconds and ratios as Markdown."""
    _, _, bare = kept["rows"][0]
    lines = ["| command | seconds | of one processor | times bare Python |", "|---|---:|---:|---:|"]
    for name, seconds, processor in kept["rows"]:
        lines.append(f"| `{name}` | {seconds:.2f} | {processor:.2f} | {processor / bare:.1f} |")
    return "\n".join(lines) + "\n"
