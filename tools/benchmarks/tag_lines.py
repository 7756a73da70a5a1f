"""How fast RIS and Web of Science's plain text are split into entries and read, beside rispy.

    python -m tools.benchmarks.tag_lines FILE…

Seconds of processor time, the best of fifteen runs: our entries, our papers, rispy's records. What
rispy loses of a file shows in the number of records.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import rispy
from classifier.papers.formats.tagged import ris, web_of_science

from classifier.files.content import Content, contents
from classifier.papers.formats import reader_for
from classifier.papers.formats.tag_lines import read_entries
from classifier.papers.paper import Paper

RUNS = 15
FORMATS = {
    ris.RIS.name: (ris._STANDARD, rispy.RisParser),
    web_of_science.WEB_OF_SCIENCE.name: (web_of_science._FORM, rispy.WokParser),
}


def best(run: Callable[[], int]) -> tuple[float, int]:
    """Return the shortest time of a run and what it counted."""
    times: list[float] = []
    count = 0
    for _ in range(RUNS):
        start = time.process_time()
        count = run()
        times.append(time.process_time() - start)
    return min(times), count


def measure(content: Content) -> str:
    """Return one line on a file."""
    reader = reader_for(content)
    if reader is None or reader.name not in FORMATS:
        return f"{content.name}: neither RIS nor Web of Science"
    form, parser = FORMATS[reader.name]
    runs: dict[str, Callable[[], int]] = {
        "entries": lambda: sum(1 for _ in read_entries(content.lines(), form)),
        "papers": lambda: sum(isinstance(item, Paper) for item in reader.read(content)),
        "rispy": lambda: len(rispy.loads(content.text(), implementation=parser)),
    }
    found = {name: best(run) for name, run in runs.items()}
    return f"{content.name}: " + ", ".join(
        f"{name} {count:,} in {1000 * seconds:.1f} ms" for name, (seconds, count) in found.items()
    )


def main() -> None:
    """Print a line for each file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    for path in parser.parse_args().files:
        for content in contents(path, path.name):
            print(measure(content))


if __name__ == "__main__":
    main()
