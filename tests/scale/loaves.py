"""A project, and records with all that a long input may hold."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from classifier.project import Project
from classifier.scale.chunks import Chunk

BREAD = Project(Path(__file__).resolve().parents[1] / "golden" / "project")

_WORDS = "sourdough starter rye flour oven steam crumb crust mould shelf gluten yeast".split()


def record(number: int) -> dict[str, object]:
    """Return a record of a paper on bread, no two alike."""
    first, second = _WORDS[number % 12], _WORDS[number * 5 % 11]
    return {
        "title": f"On {first} and {second}, part {number}",
        "abstract": f"We measure {first} in loaf {number}. It has no {second} — “n/a”, 3 %.",
        "year": 2000 + number % 25,
    }


def records(count: int) -> list[object]:
    """Return records among which some come again, are known to the project, or are none."""
    found: list[object] = [record(number) for number in range(count)]
    found[3:3] = [record(1), {"title": "Measuring Crumb Firmness Through the Crust"}, "no record"]
    found += [record(0), {"title": "Of its own", "arxiv_id": "2401.00001"}]
    found += [{"title": "Of another title", "arxiv_id": "2401.00001v2"}, {"title": ""}]
    return found


class DeadlyTask:
    """A task at which the system ends the process, as it does where memory is short."""

    def __call__(self, chunk: Chunk) -> bytes:
        os.kill(os.getpid(), signal.SIGKILL)
        return b""


class CountingTask:
    """A task that gives the number of its chunk."""

    def __call__(self, chunk: Chunk) -> bytes:
        return str(chunk.number).encode()
