"""What is read of real exports, how much of it, and how fast.

    python -m tools.benchmarks.reading [FILE…]

Without files those of ../shared/data/inputs, whose MANIFEST.csv counts their records by other
means. Records are accounted for that are papers, or quarantined with a reason; where a file holds
more papers than the count, as many count as were expected. Seconds are of the processor, the
best of five runs from the open file to the last record; beside them the time of the library that
reads the format (`bare_libraries.py`), in the same process. A speed of 0.5 is half the library's.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.errors import Fault, InputError
from classifier.files.content import Content, contents
from classifier.papers.load import known_reader
from classifier.papers.paper import Paper
from tools.benchmarks.bare_libraries import BARE

INPUTS = Path("../shared/data/inputs")
FIELDS = ("abstract", "authors", "published", "venue", "doi", "arxiv_id", "url", "keywords")
RUNS = 5


@dataclass(frozen=True, slots=True)
class FileResult:
    """What was read of one file."""

    name: str
    format: str
    expected: int | None
    """How many records it holds; None where nobody counted."""
    papers: Sequence[Paper]
    reasons: Counter[str]
    """Why records were quarantined."""
    warnings: int
    seconds: float
    library: str
    library_seconds: float | None
    """None where the library cannot read the file."""

    @property
    def accounted(self) -> int:
        """How many of the expected records came out, as papers or with a reason."""
        found = len(self.papers) + self.reasons.total()
        return found if self.expected is None else min(found, self.expected)

    @property
    def speed(self) -> float | None:
        """Our speed over the library's own."""
        return self.library_seconds / self.seconds if self.library_seconds else None


def best(run: Callable[[], object]) -> float:
    """Return the shortest time of a run, in seconds of the processor."""
    times: list[float] = []
    for _ in range(RUNS):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def measure(content: Content, expected: int | None) -> FileResult:
    """Read a file with our reader, and with the library of its format."""
    reader = known_reader(content)
    records = list(reader.read(content))
    faults = [record for record in records if isinstance(record, Fault)]
    quarantined = [fault for fault in faults if fault.record]
    library, read = BARE.get(reader.name, ("", None))
    library_seconds = None
    if read is not None:
        try:
            library_seconds = best(lambda: read(content))
        except Exception as error:  # whatever the library thinks of a broken file
            library += f" ({type(error).__name__})"
    return FileResult(
        content.name,
        reader.name,
        expected,
        [record for record in records if isinstance(record, Paper)],
        Counter(record.found.partition(";")[0] for record in quarantined),
        len(faults) - len(quarantined),
        best(lambda: sum(1 for _ in reader.read(content))),
        library,
        library_seconds,
    )


def results(files: Sequence[Path]) -> Iterator[FileResult]:
    """Yield what was read of each file; one that is refused is told and passed over."""
    expected = manifest()
    for path in files:
        name = path.relative_to(INPUTS).as_posix() if path.is_relative_to(INPUTS) else path.name
        try:
            for content in contents(path, name):
                yield measure(content, expected.get(name))
        except InputError as error:
            print(f"{name} is refused: {error}\n")


def files_table(found: Sequence[FileResult]) -> str:
    """Return a row a file."""
    header = ["file", "format", "expected", "papers", "quarantined", *FIELDS, "warnings",
              "ms", "library", "speed"]  # fmt: skip
    return _table(header, [_row(result) for result in found])


def formats_table(found: Sequence[FileResult]) -> str:
    """Return a row a format: all its files together."""
    rows: list[list[str]] = []
    for name in sorted({result.format for result in found}):
        of_format = [result for result in found if result.format == name]
        compared = [result for result in of_format if result.library_seconds]
        own = sum(result.seconds for result in compared)
        bare = sum(result.library_seconds or 0 for result in compared)
        papers = sum(len(result.papers) for result in of_format)
        seconds = sum(result.seconds for result in of_format)
        rows.append(
            [
                name,
                str(len(of_format)),
                f"{papers:,}",
                f"{1e6 * seconds / max(papers, 1):,.0f}",
                compared[0].library if compared else "",
                f"{bare / own:.2f}" if compared else "",
            ]
        )
    return _table(["format", "files", "papers", "µs a paper", "library", "speed"], rows)


def summary(found: Sequence[FileResult]) -> str:
    """Return how many of the expected records came out, and why others did not."""
    counted = [result for result in found if result.expected is not None]
    expected = sum(result.expected or 0 for result in counted)
    accounted = sum(result.accounted for result in counted)
    short = [
        f"{result.name} ({result.accounted} of {result.expected})"
        for result in counted
        if result.accounted < 0.99 * (result.expected or 0)
    ]
    reasons: Counter[str] = sum((result.reasons for result in found), Counter())
    lines = [
        f"{accounted:,} of {expected:,} records accounted for"
        f" ({accounted / max(expected, 1):.2%}).",
        f"Files under 99 %: {', '.join(short) or 'none'}.",
        *(f"Quarantined {count}: {reason}." for reason, count in sorted(reasons.items())),
    ]
    return "\n".join(lines)


def manifest() -> dict[str, int]:
    path = INPUTS / "MANIFEST.csv"
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {row["file"]: int(row["records"]) for row in csv.DictReader(file)}


def _row(result: FileResult) -> list[str]:
    return [
        result.name,
        result.format,
        "" if result.expected is None else f"{result.expected:,}",
        f"{len(result.papers):,}",
        str(result.reasons.total() or ""),
        *(_share(result.papers, field) for field in FIELDS),
        str(result.warnings or ""),
        f"{1000 * result.seconds:.1f}",
        result.library,
        "" if result.speed is None else f"{result.speed:.2f}",
    ]


def _share(papers: Sequence[Paper], field: str) -> str:
    """Return the share of papers that state a field, in percent; "" for none."""
    filled = sum(bool(_value(paper, field)) for paper in papers)
    return f"{100 * filled / len(papers):.0f}" if filled else ""


def _value(paper: Paper, field: str) -> object:
    return paper.published.date if field == "published" else getattr(paper, field)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    numbers = {"expected", "papers", "quarantined", *FIELDS, "warnings", "ms", "speed", "files",
               "µs a paper"}  # fmt: skip
    rule = ["---:" if name in numbers else "---" for name in header]
    return "".join(f"| {' | '.join(line)} |\n" for line in (header, rule, *rows))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    files = parser.parse_args().files or [INPUTS / name for name in manifest()]
    found = list(results(files))
    print(files_table(found))
    print(formats_table(found))
    print(summary(found))


if __name__ == "__main__":
    main()
