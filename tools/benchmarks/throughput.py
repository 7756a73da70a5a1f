"""How many records a second `fieldguide label` labels, by engine and workers, and what they cost.

    python -m tools.benchmarks.throughput --papers 20000 --workers 1 2 --engine processes dask
    python -m tools.benchmarks.throughput --papers 1000000 --workers 2 --rounds 1
    python -m tools.benchmarks.throughput --estimate 1200

Each run is a process of its own, in turns; of several rounds the best counts. The rate is that from
the first quarter of the parts to the last part: reading, labelling, explaining and writing, without
the start, which takes the later workers of a cluster some seconds.
CPU is of all processes together, so it is much the same on a busy machine. Memory is that of all
processes, pages that they share counted once (where the system tells; else in each).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.benchmarks import corpora

ARXIV, OPENALEX = 2_500_000, 250_000_000
DOLLARS_A_CORE_HOUR = 0.04
"""On demand, of a general-purpose machine at the large clouds; spot machines cost a third."""


def main() -> None:
    """Print a table of rates, or what they make of two large collections."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--papers", type=int, default=20_000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--engine", nargs="+", default=["processes"])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--ending", default=".parquet")
    parser.add_argument("--estimate", type=float, help="records a second of one core")
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.child:
        source, output, engine, workers = told.child
        print(json.dumps(_label(Path(source), Path(output), engine, int(workers))))
    elif told.estimate:
        _print_estimate(told.estimate)
    else:
        _print_rates(told)


def _print_rates(told: argparse.Namespace) -> None:
    runs = [(engine, workers) for engine in told.engine for workers in told.workers]
    best: dict[tuple[str, int], dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder, "papers.jsonl"), Path(folder, f"labels{told.ending}")
        corpora.write_records(told.papers, source)
        for _ in range(told.rounds):
            for run in runs:
                found = _in_a_process(source, output, *run)
                if run not in best or found["rate"] > best[run]["rate"]:
                    best[run] = found
    one = best[runs[0]]
    print("| engine | workers | records/s | to the first | CPU µs a record | MB | labels |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for (engine, workers), found in best.items():
        same = "the same" if found["digest"] == one["digest"] else "OTHERS"
        print(
            f"| {engine} | {workers} | {found['rate']:,.0f} | {found['rate'] / one['rate']:.2f} |"
            f" {found['cost']:.0f} | {found['megabytes']:,.0f} | {same} |"
        )


def _in_a_process(source: Path, output: Path, engine: str, workers: int) -> dict[str, Any]:
    output.unlink(missing_ok=True)
    words = [str(source), str(output), engine, str(workers)]
    command = [sys.executable, "-m", "tools.benchmarks.throughput", "--child", *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=corpora.ROOT)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    digest = hashlib.blake2b(output.read_bytes()).hexdigest()
    print(engine, workers, found, file=sys.stderr, flush=True)
    return {**found, "digest": digest}


def _label(source: Path, output: Path, engine: str, workers: int) -> dict[str, float]:
    """Label in this process and its workers; return rate, CPU and memory."""
    from classifier.commands.label import label_to
    from classifier.project import embedded_project
    from classifier.scale.options import LabelOptions

    looks: list[tuple[int, float, float]] = []
    memory = _Memory()
    memory.start()
    options = LabelOptions(engine=engine, workers=workers)
    label_to(
        output,
        embedded_project(),
        [source],
        options,
        advance=lambda papers, *_: looks.append((papers, time.perf_counter(), _processor())),
    )
    (first, began, before), (last, ended, after) = looks[len(looks) // 4], looks[-1]
    count = last - first
    return {
        "rate": count / (ended - began),
        "cost": (after - before) / count * 1e6,
        "megabytes": memory.most / 1e6,
    }


def _processor() -> float:
    """Return the seconds that this process and all below it have computed."""
    return sum(sum(process.cpu_times()[:2]) for process in _processes())


def _processes() -> Sequence[Any]:
    import psutil

    this = psutil.Process()
    return [this, *this.children(recursive=True)]


class _Memory(threading.Thread):
    """Looks now and then at the memory of this process and all below it."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most = 0

    def run(self) -> None:
        import psutil

        while True:
            held = 0
            for process in _processes():
                try:
                    told = process.memory_full_info()
                except psutil.Error:
                    continue
                held += getattr(told, "pss", told.rss)
            self.most = max(self.most, held)
            time.sleep(0.5)


def _print_estimate(rate: float) -> None:
    """Print core hours, time and dollars for two collections at a rate of one core."""
    print("| collection | records | core hours | on 2 cores | on 64 cores | dollars |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, count in (("arXiv", ARXIV), ("OpenAlex, with abstracts", OPENALEX)):
        hours = count / rate / 3600
        print(
            f"| {name} | {count:,} | {hours:,.1f} | {_time(hours / 2)} | {_time(hours / 64)} |"
            f" {hours * DOLLARS_A_CORE_HOUR:,.2f} |"
        )


def _time(hours: float) -> str:
    return f"{hours:,.1f} h" if hours >= 1 else f"{max(1, round(hours * 60))} min"


if __name__ == "__main__":
    main()
