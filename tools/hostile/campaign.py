"""Every case of every table: whether it was executed, escaped, or did as the table says."""

from __future__ import annotations

import json
import re
import signal
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from classifier.project import open_project
from classifier.survey.inputs import read_inputs
from classifier.text.normalise import CONTROL_CHARACTERS
from tools.hostile.cases import Case, read_cases
from tools.hostile.judge import misses, said_of
from tools.hostile.project import (
    built_files,
    fingerprint,
    record_file,
    run,
    write_records,
    write_texts,
)
from tools.hostile.scan import site_dangers
from tools.hostile.tables import TABLES

MOST_SECONDS = 120
"""After which a case is said to hang, on a busy machine too."""
_PLACE = re.compile(
    r"(?P<file>[^:\n]+)(?::(?P<line>\d+))?: (?P<kind>warning|notice|error): found (?P<found>.*)"
)
_UNREAD = re.compile(
    r"a record that cannot be read \(.*?\): (.*); expected a complete record", re.DOTALL
)


@dataclass(slots=True)
class Outcome:
    """What came of the cases of one table."""

    kind: str
    cases: int = 0
    executed: list[str] = field(default_factory=list)
    escaped: list[str] = field(default_factory=list)
    tracebacks: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """Everything that went wrong."""
        return [*self.executed, *self.escaped, *self.tracebacks, *self.missed]


def table_outcome(kind: str, cases: Sequence[Case] | None = None) -> Outcome:
    """Hand in the cases of a table one by one."""
    outcome = Outcome(kind)
    for case in read_cases(kind) if cases is None else cases:
        outcome.cases += 1
        with tempfile.TemporaryDirectory() as name:
            try:
                with in_time():
                    said = TABLES[kind](Path(name), case)
            except Exception as error:
                outcome.tracebacks.append(f"{kind}: {case.name}: {error!r}")
                continue
            left = sorted(path.name for path in Path(name).rglob("pwned*"))
        place = f"{kind}: {case.name}"
        outcome.executed += [f"{place}: {each}" for each in left]
        outcome.escaped += [f"{place}: {each}" for each in said if each.startswith("ESCAPED")]
        outcome.tracebacks += [f"{place}: {each}" for each in said if each.startswith("TRACE")]
        outcome.missed += [f"{place}: {each}" for each in misses(case.expected, said)]
    return outcome


@dataclass(frozen=True, slots=True)
class Built:
    """The project of all records and texts, and its site."""

    folder: Path
    files: Mapping[str, bytes]
    records: Sequence[Case]
    texts: Sequence[Case]
    outcomes: tuple[Outcome, Outcome]
    """Of the records, of the texts."""


def built_project(home: Path, records: Sequence[Case], texts: Sequence[Case]) -> Built:
    """Build all records and texts as one project, and judge what is said and written."""
    folder = home / "project"
    write_records(folder, records)
    write_texts(folder, texts)
    before = fingerprint(home)
    of_records, of_texts = Outcome("records", len(records)), Outcome("texts", len(texts))
    ran = [run("build", "--project", str(folder)), run("check", "--project", str(folder))]
    of_records.tracebacks += [each.traceback or each.output for each in ran if each.code]
    files = built_files(folder / "out")
    ran += [run(*words) for words in _commands(folder)]
    of_records.tracebacks += [each.traceback for each in ran if each.traceback]
    of_records.executed += site_dangers(files)
    of_records.executed += [_acting(each.output) for each in ran if _acting(each.output)]
    changed = {*before.items()} ^ {*fingerprint(home).items()}
    of_records.escaped += sorted({name for name, _ in changed if name != "project/README.md"})
    said = _said(ran[1].output)
    kept = _papers(files)
    for number, case in enumerate(records):
        file = record_file(number)
        of_records.missed += _missed(case, [*said.get(file, ()), *(["read"] * (file in kept))])
        of_records.missed += _altered(case, kept.get(file))
    # All of them: a command shows ten of a kind.
    faults = read_inputs(open_project(folder)).warnings
    about = said_of([fault for fault in faults if fault.file.startswith("taxonomy/")])
    for case in texts:
        of_texts.missed += _missed(case, about)
    return Built(folder, files, records, texts, (of_records, of_texts))


def _commands(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yield further commands whose output holds what the files hold."""
    project = ("--project", str(folder))
    readme = folder / "README.md"
    readme.write_text("# Mine\n<!-- fieldguide:begin -->\n<!-- fieldguide:end -->\nMine.\n")
    yield ("status", *project)
    yield ("explain", "__pwned", *project)
    yield ("export", "readme", *project)
    yield ("export", "readme", "--into", str(readme), *project)
    yield ("export", "readme", "--into", str(readme), *project)
    yield ("export", "markdown", "--cite", "abstract", *project)
    yield ("diff", str(folder / "out"), str(folder / "out"))
    yield ("build", "--check", *project)


def _acting(output: str) -> str:
    """Return what in the output of a command acts on a terminal or gives orders to CI; or ""."""
    sign = CONTROL_CHARACTERS.search(output) or re.search(
        r"^[ \t]*::|##\[|##vso\[|\r", output, re.MULTILINE
    )
    return f"printed {output[max(sign.start() - 40, 0) : sign.end() + 20]!r}" if sign else ""


def _said(output: str) -> dict[str, list[str]]:
    """Return file -> what was said of it, in the words of the tables."""
    said: dict[str, list[str]] = {}
    for line in output.split("\n"):
        if match := _PLACE.match(line):
            unread = _UNREAD.match(match["found"])
            text = f"refused: {unread[1]}" if unread else f"{match['kind']}: {match['found']}"
            said.setdefault(match["file"], []).append(text)
    return said


def _papers(files: Mapping[str, bytes]) -> dict[str, dict[str, object]]:
    """Return file -> the paper that was read from it."""
    found = (
        json.loads(files["papers.json"])["papers"]
        if b'"papers"' in files["papers.json"][:200]
        else json.loads(files["papers.json"])
    )
    return {source.rpartition(":")[0]: paper for paper in found for source in paper["sources"]}


def _missed(case: Case, said: list[str]) -> list[str]:
    """Return what was expected of a case and not said."""
    missing = [text for text in case.expected if not any(each.startswith(text) for each in said)]
    if not missing and case.expected and "read" not in case.expected and "read" in said:
        missing = ["it was read"] if case.said("refused") else []
    return [f"{case.name}: {each} (said: {said[:2]})" for each in missing]


def _altered(case: Case, paper: Mapping[str, object] | None) -> Iterator[str]:
    """Yield what of a record that was read is not as it was: its title, an address that runs."""
    if paper is None:
        return
    try:
        given = json.loads(case.input)
    except ValueError:
        given = {}
    title = given.get("title") if isinstance(given, dict) else None
    if (
        isinstance(title, str)
        and paper["title"] != title.replace("\0", "")
        and "in the wrong" not in str(case.expected)
    ):
        yield f"{case.name}: another title: {paper['title']!r}"
    for address in [paper["url"], *paper["code_urls"]]:  # type: ignore[misc]
        if address and not str(address).startswith(("http://", "https://")):
            yield f"{case.name}: the address {address!r}"


@contextmanager
def in_time() -> Iterator[None]:
    """Raise TimeoutError where the block takes too long."""

    def late(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"more than {MOST_SECONDS} s")

    former = signal.signal(signal.SIGALRM, late)
    signal.alarm(MOST_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, former)
