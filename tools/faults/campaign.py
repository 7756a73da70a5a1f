"""Each scenario once undisturbed, then once for each fault: what lies there then is judged."""

from __future__ import annotations

import json
import os
import pickle
import random
import shutil
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from classifier.files.built_folder import MANIFEST_NAME, SHEET, digest
from classifier.files.lock import LOCK
from tools.faults.injector import Injector, faults_at
from tools.faults.scenarios import GOLDEN, Scenario

Files = Mapping[str, bytes]
CHANGES_INPUT = {"vanished", "shrunk"}
STOPS = {"stop", "stop after"}


@dataclass(frozen=True, slots=True)
class Case:
    """One fault: the operation of this number, and what happens at it."""

    at: int
    kind: str
    operation: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int
    """Negative where a signal killed it."""
    said: str
    """Standard error."""


@dataclass(slots=True)
class Tally:
    """What became of the faults of one kind in one scenario."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    """What should not be, a line each."""


class Bench:
    """A folder in which a scenario is run again and again from the same state."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        self.scenario = scenario
        self.work, self._saved = folder / "work", folder / "saved"
        self._out, self._seen = folder / "said", folder / "seen"
        shutil.rmtree(folder, ignore_errors=True)
        (self.work / "bread").mkdir(parents=True)
        if scenario.is_project:
            shutil.copytree(GOLDEN, self.work / "bread", dirs_exist_ok=True)
        ended = self.run(scenario.prepare)
        assert ended.code == 0, f"{scenario.name}: {ended.said}"
        shutil.copytree(self.work, self._saved, symlinks=True)
        self.old = self.files()
        ended = self.run(scenario.act, Injector([self.work]))
        assert ended.code in (0, 1), f"{scenario.name}: {ended.said}"
        assert not strays(self.work), scenario.name
        self.good = ended
        self.seen: list[tuple[str, str]] = pickle.loads(self._seen.read_bytes())
        self.new = self.files()
        assert self.new != self.old or scenario.may_stand, f"{scenario.name}: {ended.said}"

    @property
    def inputs(self) -> list[Path]:
        return [self.work / "bread" / name for name in ("papers", "taxonomy")]

    def cases(self) -> list[Case]:
        """Return every fault that the scenario may meet."""
        return [
            Case(number, kind, operation, path)
            for number, (operation, path) in enumerate(self.seen)
            for kind in faults_at(operation, path, self.inputs)
        ]

    def restore(self) -> None:
        shutil.rmtree(self.work)
        shutil.copytree(self._saved, self.work, symlinks=True)

    def restore_inputs(self) -> None:
        for folder in self.inputs:
            saved = self._saved / folder.relative_to(self.work)
            shutil.copytree(saved, folder, dirs_exist_ok=True)

    def files(self) -> dict[str, bytes]:
        """Return what people and readers see: all but memos, caches and what is half done."""
        return {
            name: path.read_bytes()
            for name, path in _all_files(self.work)
            if not _is_cached(name) and not _is_stray(name)
        }

    def run(self, act: Callable[[], None], injector: Injector | None = None) -> Ended:
        """Run something in a child that was forked when all libraries were loaded."""
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if not child:
            self._be_child(act, injector)
        _, status = os.waitpid(child, 0)
        return Ended(os.waitstatus_to_exitcode(status), self._out.read_text("utf-8", "replace"))

    def _be_child(self, act: Callable[[], None], injector: Injector | None) -> None:
        code = 0
        try:
            said = os.open(self._out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, 1)
            os.dup2(said, 2)
            sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
            seen = os.open(self._seen, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            os.chdir(self.work / "bread")
            write = os.write
            if injector:
                injector.install()
            try:
                act()
            except SystemExit as end:
                code = int(end.code or 0)
            if injector:
                write(seen, pickle.dumps(injector.seen))
        except BaseException:  # what a user would see as a traceback
            traceback.print_exc(file=sys.stderr)
            code = 99
        finally:
            sys.stderr.flush()
            os._exit(code)


def judge(bench: Bench, case: Case) -> Iterator[str]:
    """Run one fault and yield words of the table; a word with a colon is a fault of ours."""
    bench.restore()
    kind, scenario = case.kind, bench.scenario
    ended = bench.run(scenario.act, Injector([bench.work], kind, case.at))
    after = bench.files()
    if kind in CHANGES_INPUT:
        yield from _judge_changed(bench, ended)
        return
    yield from _state(bench, after, ended)
    if "Traceback" in ended.said or ended.code == 99:
        yield f"traceback: {ended.said.strip().splitlines()[-1]}"
    if ended.code >= 0 and ended.code != bench.good.code and not ended.said.strip():
        yield f"silent: exit code {ended.code} without a word"
    if kind in STOPS:
        last = (ended.said.strip().splitlines() or [""])[-1]
        if ended.code != 130 or not last.startswith("Stopped; "):
            yield f"not stopped: exit code {ended.code}, {last!r}"
    if "nothing was written" in ended.said and after != bench.old:
        yield f"lie: {ended.said.strip()}"
    left = strays(bench.work)
    if left and kind not in ("kill", "half"):
        yield "left-overs"
    yield from _again(bench)


def _judge_changed(bench: Bench, ended: Ended) -> Iterator[str]:
    """What a command makes of an input that changed under it: something whole, or a message."""
    if "Traceback" in ended.said or ended.code == 99:
        yield f"traceback: {ended.said.strip().splitlines()[-1]}"
    yield "whole" if _is_whole(bench.work / "bread" / "out") else "mixture: a file is not as listed"
    if bench.scenario.name.startswith("build"):
        bench.restore_inputs()
        yield from _again(bench)


def _again(bench: Bench) -> Iterator[str]:
    again = bench.run(bench.scenario.act)
    healed = bench.files()
    skipped = set(bench.scenario.may_differ)
    differing = sorted(
        name
        for name in (healed.keys() | bench.new.keys()) - skipped
        if healed.get(name) != bench.new.get(name)
    )
    if differing:
        yield f"not healed: {', '.join(differing[:3])}; {again.said.strip()[-200:]}"
    else:
        left = strays(bench.work)
        # A lock that was not let be deleted bars nobody, and goes when its place is written again.
        kept = [name for name in left if name.endswith(LOCK)]
        yield "healed" if left == kept else f"never swept: {', '.join(left[:3])}"
        if kept:
            yield "lock left"
    if "Traceback" in again.said:
        yield f"traceback: of the next run: {again.said.strip().splitlines()[-1]}"


def _state(bench: Bench, after: Files, ended: Ended) -> Iterator[str]:
    """Yield whether what lies there is old or new, and what of it is neither."""
    scenario = bench.scenario
    out = "bread/out/"
    folders = [_below(files, out) for files in (after, bench.old, bench.new)]
    if not folders[0] and folders[1]:
        yield "absent"  # between the two renames: the next run brings it back
        return
    if folders[0] not in folders[1:]:
        yield "mixture: out/"
    for name in sorted((after.keys() | bench.old.keys()) - set(scenario.may_differ)):
        if after.get(name) not in (bench.old.get(name), bench.new.get(name)):
            yield f"mixture: {name}"
    for first, then in scenario.order:
        is_new = after.get(then) == bench.new.get(then) != bench.old.get(then)
        if is_new and after.get(first) != bench.new.get(first):
            yield f"lost: {then} is new, {first} is not"
    same = {name: data for name, data in after.items() if name not in scenario.may_differ}
    is_new = all(bench.new.get(name) == data for name, data in same.items())
    if is_new and len(same) == len(bench.new.keys() - set(scenario.may_differ)):
        yield "new"
    else:
        yield "old" if all(bench.old.get(n) == data for n, data in same.items()) else "between"
        if ended.code == bench.good.code == 0 and not ended.said.strip():
            yield "claimed: exit code 0, but not all is written"


def _is_whole(out: Path) -> bool:
    """Return whether each file of a survey is the one that its manifest lists."""
    if not out.exists():
        return True
    listed = json.loads((out / MANIFEST_NAME).read_text("utf-8"))["files"]
    return all(
        digest((out / name).read_bytes()) == each["blake2b"]
        for name, each in listed.items()
        if name != SHEET  # the sheet, which people edit
    )


def _below(files: Files, folder: str) -> dict[str, bytes]:
    return {name: data for name, data in files.items() if name.startswith(folder)}


def _all_files(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path


def _is_cached(name: str) -> bool:
    return name.startswith("cache/") or "/.fieldguide/" in f"/{name}/"


def _is_stray(name: str) -> bool:
    return ".fieldguide-" in name or ".parts/" in name


def strays(folder: Path) -> list[str]:
    """Return what is half done: temporary files and folders, locks, parts.

    Not those of caches, which are swept when the same name is written again.
    """
    found = (path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")))
    return [n for n in found if _is_stray(f"{n}/") and not _is_cached(n)]


def sampled(cases: Sequence[Case], most: int, seed: str) -> list[Case]:
    """Return up to `most` cases: each kind at each sort of operation first, then by chance."""
    chance = random.Random(seed)
    shuffled = chance.sample(cases, len(cases))
    first: dict[tuple[str, str], Case] = {}
    for case in shuffled:
        first.setdefault((case.operation, case.kind), case)
    rest = [case for case in shuffled if case not in first.values()]
    return sorted([*first.values(), *rest][:most], key=lambda case: (case.at, case.kind))


def run_scenario(
    scenario: Scenario, folder: Path, most: int, tell: Callable[[Case, list[str]], Any]
) -> dict[str, Tally]:
    """Return kind of fault -> what became of those of a scenario."""
    bench = Bench(scenario, folder)
    tallies: dict[str, Tally] = {}
    for case in sampled(bench.cases(), most, scenario.name):
        words = list(judge(bench, case))
        tally = tallies.setdefault(case.kind, Tally())
        tally.counts.update(["injected", *(word.split(":")[0] for word in words)])
        place = f"{scenario.name}: {case.kind} at {case.at} ({case.operation} {case.path})"
        tally.faults += [f"{place}: {word}" for word in words if ":" in word]
        tell(case, words)
    shutil.rmtree(folder, ignore_errors=True)
    return tallies
