"""Fuzzes all that people write: python -m tools.fuzz.inputs 100000.

Every input may be read or refused with a message; whatever else it does, and whatever takes it
long, is a finding and kept in a folder. Prints a table, and exits 1 where anything was found. The
same seed makes the same inputs. `tools/fuzz/readers.py` does the same guided by the code that is
reached, one reader at a time.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from random import Random
from types import FrameType

from tools.fuzz.files import PARTS, Outcome, Part, clear
from tools.fuzz.seeds import content_of, mutated, seeds_of

HANGS = 10.0
"""Seconds of the processor after which an input hangs."""
BLOCKS = 120.0
"""Seconds of the clock after which it waits for something that never comes."""
OF_READERS = 30.0
"""The share of all readers together."""


class TooSlow(BaseException):
    """An input took too long; nothing may catch it."""


@dataclass(slots=True)
class Row:
    """What became of the inputs of one part."""

    name: str
    inputs: int = 0
    read: int = 0
    refused: int = 0
    crashes: int = 0
    hangs: int = 0
    seconds: float = 0.0
    findings: dict[str, bytes] = field(default_factory=dict)
    """Where something happened -> the first input that does it."""


def main() -> None:
    """Run all parts, or those that are named, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz.inputs", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=100_000, help="inputs in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only", action="append", default=[], metavar="PART", help="parts whose names begin so"
    )
    parser.add_argument("--list", action="store_true", help="list the parts")
    parser.add_argument("--findings", type=Path, help="folder for inputs that are findings")
    told = parser.parse_args()
    starts = tuple(told.only) or ("",)
    parts = [part for part in all_parts() if part.name.startswith(starts)]
    if told.list:
        print("\n".join(part.name for part in parts))
        return
    folder = told.findings or Path(tempfile.mkdtemp(prefix="fuzz-findings-"))
    rows = []
    for part, count in shared_out(parts, told.count):
        rows.append(fuzz(part, count, told.seed))
        print(f"{rows[-1].name}: {rows[-1].inputs:,} in {rows[-1].seconds:.0f} s", flush=True)
        keep(rows[-1], folder)
    clear()
    print("\n" + table(rows))
    if any(row.findings for row in rows):
        sys.exit(f"findings are in {folder}")


def all_parts() -> list[Part]:
    """Return the files that people write, then the readers."""
    from classifier.papers.formats import READERS

    share = OF_READERS / len(READERS)
    return [*PARTS, *(_reader_part(reader, share) for reader in READERS)]


def _reader_part(reader: object, share: float) -> Part:
    from classifier.errors import InputError
    from classifier.papers.paper import Paper
    from classifier.papers.reader import Reader

    assert isinstance(reader, Reader)

    def check(data: bytes) -> Outcome:
        try:
            content = content_of(data)
            if reader.why_not(content):
                return "refused"
            for record in reader.read(content):
                if isinstance(record, Paper):
                    assert record.title.strip(), "a paper without a title"
                repr(record).encode()
        except InputError as error:
            str(error).encode()
            return "refused"
        return "read"

    def seeds() -> list[bytes]:
        found = seeds_of(reader)
        return [data for data in found if len(data) <= 2000] or found[:5]

    return Part(f"reader {reader.name}", share, seeds, mutated, check)


def shared_out(parts: Sequence[Part], count: int) -> list[tuple[Part, int]]:
    """Return how many inputs each part gets, at least one, at least `count` in all."""
    whole = sum(part.share for part in parts)
    return [(part, int(count * part.share / whole) + 1) for part in parts]


def fuzz(part: Part, count: int, seed: int) -> Row:
    """Try so many inputs of a part; the seeds themselves come first and must be read."""
    random = Random(f"{part.name} {seed}")
    seeds = part.seeds()
    row = Row(part.name)
    started = time.process_time()
    with _watched():
        for number in range(count):
            data = seeds[number] if number < len(seeds) else random.choice(seeds)
            for _ in range(0 if number < len(seeds) else random.choice((1, 1, 1, 2))):
                data = part.mutate(data, seeds, random)
            _try(part, data, row)
    row.seconds = time.process_time() - started
    return row


def _try(part: Part, data: bytes, row: Row) -> None:
    row.inputs += 1
    try:
        with _alarm():
            outcome = part.check(data)
    except TooSlow as error:
        row.hangs += 1
        row.findings.setdefault(f"hangs in {_place(error)}", data)
        return
    except Exception as error:
        row.crashes += 1
        words = f"{type(error).__name__} in {_place(error)}: {str(error)[:80]}"
        if not any(known.startswith(words.rpartition(": ")[0]) for known in row.findings):
            row.findings[words + "\n" + traceback.format_exc(limit=-6)] = data
        return
    if outcome == "read":
        row.read += 1
    else:
        row.refused += 1


def keep(row: Row, folder: Path) -> None:
    """Write each finding of a part to a folder, with what it does."""
    folder.mkdir(parents=True, exist_ok=True)
    for words, data in row.findings.items():
        path = folder / f"{row.name.replace(' ', '-')}-{blake2b(data, digest_size=4).hexdigest()}"
        path.write_bytes(data)
        path.with_name(path.name + ".txt").write_text(words, "utf-8", errors="replace")
        print(f"FOUND {row.name}: {words}\n{len(data)} bytes in {path}", flush=True)


def table(rows: Sequence[Row]) -> str:
    """Return the rows and their sum as a Markdown table."""
    columns = ("inputs", "read", "refused", "crashes", "hangs", "seconds")
    lines = [f"| part | {' | '.join(columns)} |", "|---" * 7 + "|"]
    total = Row("all")
    for row in rows:
        for column in columns:
            setattr(total, column, getattr(total, column) + getattr(row, column))
    for row in (*rows, total):
        cells = (f"{getattr(row, column):,.0f}" for column in columns)
        lines.append(f"| {row.name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _place(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/classifier/" in frame.filename] or frames
    return f"{Path(ours[-1].filename).name}:{ours[-1].lineno} {ours[-1].name}"


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TooSlow


@contextmanager
def _watched() -> Iterator[None]:
    """Let the timers of `_alarm` raise."""
    before = [(each, signal.signal(each, _too_slow)) for each in (signal.SIGVTALRM, signal.SIGALRM)]
    try:
        yield
    finally:
        for each, handler in before:
            signal.signal(each, handler)


@contextmanager
def _alarm() -> Iterator[None]:
    timers = ((signal.ITIMER_VIRTUAL, HANGS), (signal.ITIMER_REAL, BLOCKS))
    for timer, seconds in timers:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for timer, _ in timers:
            signal.setitimer(timer, 0)


if __name__ == "__main__":
    main()
