"""`python -m tools.faults.memos`: garbage in each file of the cache; no build may be misled."""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tools.faults.campaign import Bench
from tools.faults.loaded import load_everything
from tools.faults.scenarios import Scenario, built, command_of, edited, grown

Damage = Callable[[Path, random.Random], None]


def truncated(path: Path, chance: random.Random) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: chance.randrange(len(data))])


def noise(path: Path, chance: random.Random) -> None:
    path.write_bytes(chance.randbytes(chance.randrange(2000)))


def flipped(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(bytes(data))


def swapped(path: Path, chance: random.Random) -> None:
    path.write_bytes(chance.choice(sorted(path.parent.iterdir())).read_bytes())


def another_version(path: Path, chance: random.Random) -> None:
    """The bytes of a memo under another key, its digest right; stamps have no key."""
    head, _, content = path.read_bytes().partition(b"\n")
    key, _, mark = head.rpartition(b" ")
    path.write_bytes((key[::-1] + b" " + mark if key else mark[::-1]) + b"\n" + content)


def deleted(path: Path, chance: random.Random) -> None:
    path.unlink()


def a_folder(path: Path, chance: random.Random) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: tuple[Damage, ...] = (
    truncated, noise, flipped, swapped, another_version, deleted, a_folder,
)  # fmt: skip
STATES = {"nothing changed": built, "an edit": edited, "a new paper": grown}


def wrong(state: str, folder: Path, rounds: int) -> Iterator[str]:
    """Yield "" for each damage that led to the right survey, else what went wrong."""
    bench = Bench(Scenario(state, STATES[state], command_of("build"), may_stand=True), folder)
    names = sorted(path.name for path in (bench.work / "bread/.fieldguide").iterdir())
    for number in range(rounds):
        for damage in DAMAGES:
            chance = random.Random(f"{state} {damage.__name__} {number}")
            bench.restore()
            cache = bench.work / "bread/.fieldguide"
            hit = names if number == 0 else chance.sample(names, 1)
            for name in filter(lambda name: (cache / name).is_file(), hit):
                damage(cache / name, chance)
            ended = bench.run(bench.scenario.act)
            place = f"{state}: {damage.__name__} {', '.join(hit)}"
            if ended.code or "Traceback" in ended.said:
                yield f"{place}: exit code {ended.code}: {ended.said.strip()[-300:]}"
            else:
                yield "" if bench.files() == bench.new else f"{place}: another survey"


def main(rounds: int) -> None:
    load_everything()
    faults = 0
    print("| a build after | damages | wrong |\n|---|---:|---:|")
    where = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=where) as folder:
        for state in STATES:
            found = list(wrong(state, Path(folder, "bench"), rounds))
            told = [each for each in found if each]
            faults += len(told)
            print(f"| {state} | {len(found)} | {len(told)} |", flush=True)
            print("\n".join(told), file=sys.stderr)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
