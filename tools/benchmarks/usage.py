"""What a command costs as whole processes: seconds by the clock, of all processors, and memory."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_BETWEEN_LOOKS = 0.2
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass(frozen=True, slots=True)
class Usage:
    """What one run of a command cost."""

    seconds: float
    """By the clock."""
    processor: float
    """Seconds of one processor, all processes together."""
    megabytes: float
    """The most that all processes held at one time, pages that they share counted once."""
    output: str
    """What it printed on standard output."""


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Usage:
    """Run a command to its end and return what it cost; raises CalledProcessError if it fails.

    Memory is looked at five times a second; where the system does not tell what is shared, shared
    pages count in each process, and where /proc is missing, the largest process alone does.
    """
    told = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"} | (environment or {})
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as complaints:
        started = time.perf_counter()
        process = subprocess.Popen(command, env=told, stdout=out, stderr=complaints)
        watch = _Watch(process.pid)
        watch.start()
        code = process.wait()
        seconds = time.perf_counter() - started
        watch.join()
        out.seek(0)
        complaints.seek(0)
        if code:
            said = complaints.read().decode(errors="replace")
            raise subprocess.CalledProcessError(code, list(command), stderr=said)
        text = out.read().decode(errors="replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    most = watch.most or after.ru_maxrss * 1024
    return Usage(seconds, used, most / 2**20, text)


def fieldguide(*arguments: str | Path) -> list[str]:
    """Return the command that runs this checkout's `fieldguide`."""
    return [sys.executable, "-m", "classifier", *map(str, arguments)]


class _Watch(threading.Thread):
    """Looks again and again at how much memory a process and its children hold."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid = pid
        self.most = 0

    def run(self) -> None:
        while held := sum(_resident(pid) for pid in _family(self.pid)):
            self.most = max(self.most, held)
            time.sleep(_BETWEEN_LOOKS)


def _family(pid: int) -> list[int]:
    """Return a process with its children and theirs."""
    found = [pid]
    for parent in found:
        try:
            tasks = os.listdir(f"/proc/{parent}/task")
            for task in tasks:
                text = Path(f"/proc/{parent}/task/{task}/children").read_text()
                found += [int(child) for child in text.split()]
        except OSError:
            continue
    return found


def _resident(pid: int) -> int:
    """Return the bytes that a process holds in memory; 0 where it has ended."""
    try:
        told = Path(f"/proc/{pid}/smaps_rollup").read_text()
        shares = re.search(r"^Pss: +(\d+) kB", told, re.MULTILINE)
        if shares:
            return int(shares[1]) * 1024
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0
