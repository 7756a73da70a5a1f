"""How much memory a long file takes that is read as a stream.

    python -m tools.benchmarks.streaming [--megabytes 1000] [FORMAT…]

Made-up records, each with a title of its own, as JSON Lines, CSV, RIS and PubMed's tagged text in a
temporary folder. A child process reads the file by the chunks in which `fieldguide label` takes it;
printed is its highest resident memory, beside that of a child which reads the first hundredth: what
is more grows with the file.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

_WORDS = "sour dough rises slowly in a cold oven while the bees of the bakery guard their honey"
_ABSTRACT = f"We measure how {_WORDS}. " * 14
_CHILD = """
import resource, sys, time
from pathlib import Path
from classifier.scale.first_seen import FirstSeen, name_hash, record_names
from classifier.scale.chunks import InputTexts, cut
path = Path(sys.argv[1])
seen, count = FirstSeen(), 0
for chunk in cut(InputTexts([path], path.parent), 1000):
    papers = [paper for piece in chunk.pieces for paper in piece.read().papers]
    named = [list(map(name_hash, record_names(paper))) for paper in papers]
    count += sum(not any(known) for known in seen.known_names(named))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(count, peak, f"{time.process_time():.0f}")
"""


def jsonl(number: int) -> str:
    """Return a line of JSON."""
    return json.dumps({**_record(number), "authors": ["Miller, Ada", "Baker, Ben"]}) + "\n"


def table(number: int) -> str:
    """Return a row of CSV, below the header where it is the first."""
    text = io.StringIO()
    writer = csv.DictWriter(text, ["title", "abstract", "year", "doi"], lineterminator="\n")
    if number == 0:
        writer.writeheader()
    writer.writerow(_record(number))
    return text.getvalue()


def ris(number: int) -> str:
    """Return an entry of RIS."""
    record = _record(number)
    return (
        f"TY  - JOUR\nTI  - {record['title']}\nAU  - Miller, Ada\nPY  - 2024\n"
        f"DO  - {record['doi']}\nAB  - {record['abstract']}\nER  - \n\n"
    )


def nbib(number: int) -> str:
    """Return a citation in PubMed's tagged text."""
    record = _record(number)
    return (
        f"PMID- {number + 1}\nTI  - {record['title']}\nAB  - {record['abstract']}\n"
        f"AU  - Miller A\nDP  - 2024\nAID - {record['doi']} [doi]\n\n"
    )


FORMATS: dict[str, Callable[[int], str]] = {
    "jsonl": jsonl, "csv": table, "ris": ris, "nbib": nbib,
}  # fmt: skip


def write(path: Path, record: Callable[[int], str], size: int) -> None:
    """Write records until a file has `size` bytes; they are ASCII."""
    with path.open("w", encoding="ascii") as file:
        written = number = 0
        while written < size:
            written += file.write(record(number))
            number += 1


def measure(path: Path) -> tuple[int, int, int]:
    """Return papers, megabytes of memory and seconds of a process that reads a file."""
    command = [sys.executable, "-c", _CHILD, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    papers, peak, seconds = map(int, done.stdout.split())
    return papers, peak, seconds


def main() -> None:
    """Print a row a format."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("formats", nargs="*", help=", ".join(FORMATS))
    parser.add_argument("--megabytes", type=int, default=1000)
    arguments = parser.parse_args()
    print("| format | MB of the file | papers | MB of memory | of a hundredth | s |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.formats or FORMATS:
            path = Path(folder, f"long.{name}")
            write(path, FORMATS[name], arguments.megabytes * 10_000)
            _, little, _ = measure(path)
            write(path, FORMATS[name], arguments.megabytes * 1_000_000)
            papers, peak, seconds = measure(path)
            path.unlink()
            print(
                f"| {name} | {arguments.megabytes:,} | {papers:,} | {peak:,} | {little:,}"
                f" | {seconds:,} |"
            )


def _record(number: int) -> dict[str, str]:
    return {
        "title": f"On loaf {number} of {number * 7919 % 1_000_003} and its crust",
        "abstract": _ABSTRACT,
        "year": "2024",
        "doi": f"10.5555/loaf.{number}",
    }


if __name__ == "__main__":
    main()
