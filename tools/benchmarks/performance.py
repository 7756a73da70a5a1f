"""Every figure of docs/performance.md: measured, kept as JSON, written into the page.

    python -m tools.benchmarks.performance                  # all, about an hour on two cores
    python -m tools.benchmarks.performance starting build   # some of them
    python -m tools.benchmarks.performance build --papers 364 5000
    python -m tools.benchmarks.performance --write          # the page from what was kept

What is measured is kept in docs/performance.json and takes the place of what was kept before;
`--write` is part of every run. Each table stands in the page between `<!-- NAME -->` and
`<!-- end NAME -->`; the words around it are written by people. Peers run beside what they are
compared with, in the same run, since machines differ and waver.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from tools.benchmarks.figures import building, starting
from tools.benchmarks.usage import ROOT

Kept = dict[str, Any]

PAGE = ROOT / "docs" / "performance.md"
KEPT = ROOT / "docs" / "performance.json"

MEASURES: Mapping[str, Callable[[argparse.Namespace, Kept], Kept]] = {
    "starting": starting.measure,
    "build": building.measure_cold,
    "rebuild": building.measure_warm,
}
"""Name -> what measures it: from the options and what was kept of it before, to what is kept."""

TABLES: Mapping[str, tuple[str, Callable[[Kept], str]]] = {
    "starting": ("starting", starting.table),
    "build": ("build", building.cold_table),
    "stages": ("build", building.stage_table),
    "rebuild": ("rebuild", building.warm_table),
}
"""Name in the page -> the measure that it shows, and what makes its table."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, keep, write the page; return the exit code."""
    options = _options(arguments)
    kept: dict[str, Kept] = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    wanted = options.measures or ([] if options.write else list(MEASURES))
    for name in wanted:
        print(f"== {name}", file=sys.stderr, flush=True)
        kept[name] = MEASURES[name](options, kept.get(name, {})) | {"machine": machine()}
        KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
        for table, (measure, make) in TABLES.items():
            if measure == name:
                print(f"{table}\n\n{make(kept[name])}", flush=True)
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), kept), encoding="utf-8")
    return 0


def with_tables(page: str, kept: Mapping[str, Kept]) -> str:
    """Return the page with each table that has figures in its place."""
    for name, (measure, make) in TABLES.items():
        if measure in kept:
            marks = rf"(<!-- {name} -->\n).*?(<!-- end {name} -->)"
            table = make(kept[measure])
            page = re.sub(marks, lambda found: found[1] + table + found[2], page, flags=re.DOTALL)  # noqa: B023 - used at once
    return page


def machine() -> str:
    """Return where figures come from: processors, Python, the libraries that count."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scikit-learn"))
    return f"{os.cpu_count()} cores, Python {platform.python_version()}, {libraries}"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tools.benchmarks.performance",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("measures", nargs="*", choices=[*MEASURES, []], metavar="MEASURE")
    parser.add_argument("--papers", type=int, nargs="+", help="corpora of these sizes only")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="measure nothing that is not named")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
