"""Screening verdicts in exports of ASReview, Rayyan and Covidence.

Tables have columns (`included`, `asreview_label`, `exclusion reason`, `notes`). RIS files and the
notes of Rayyan have text, such as `RAYYAN-INCLUSION: {"Ada"=>"Excluded"} |
RAYYAN-EXCLUSION-REASONS: outcome`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.errors import Fault
from classifier.files.content import Content, contents
from classifier.papers.paper import Paper
from classifier.papers.readers.column_names import fold_name
from classifier.papers.readers.ris import ris_entries
from classifier.papers.readers.table_files import dialect_of, table_rows

NO_REASON = "excluded at screening"

_VERDICT = (
    "included|asreview label|label included|final included|screening decision|decision|inclusion"
    "|asreview included|include"
).split("|")
_REASON = (
    "exclusion reason|exclusion reasons|reason for exclusion|reasons for exclusion|excluded reason"
    "|exclude reason|reason|reasons"
).split("|")
_NOTE = "asreview note|asreview notes|exploration notes|notes|note|reviewer notes".split("|")
_YES = frozenset("1 1.0 yes true include included relevant".split())
_NO = frozenset("0 0.0 no false exclude excluded irrelevant".split())
_RAYYAN = re.compile(r"RAYYAN-([A-Z-]+):\s*(.*?)(?=\s*\|\s*(?:RAYYAN-|USER-NOTES)|$)", re.DOTALL)
_USER_NOTES = re.compile(r"USER-NOTES:\s*(.*)", re.DOTALL)
_BY_PERSON = re.compile(r"\"([^\"]*)\"\s*=>\s*\[?\s*\"([^\"]*)\"")
_ASREVIEW = re.compile(r"ASReview_(relevant|irrelevant)")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of a screening on one record."""

    is_excluded: bool
    reason: str = ""
    note: str = ""


_FORMATS = frozenset(("csv", "tsv", "ris"))
"""Formats that can contain a screening."""


def verdicts(papers: Sequence[Paper], files: Sequence[Path]) -> dict[str, Verdict]:
    """Return paper id -> verdict, for papers with at least one verdict.

    A paper is excluded only if every record with a verdict is excluded.
    """
    paths = {str(path): path for path in files}
    by_record = {
        (name, line): verdict
        for name in {s.file for paper in papers for s in paper.sources if s.format in _FORMATS}
        if (path := paths.get(name) or next((p for p in files if p.name == Path(name).name), None))
        for line, verdict in _verdicts_of(path)
    }
    found: dict[str, Verdict] = {}
    for paper in papers:
        own = [by_record[key] for s in paper.sources if (key := (s.file, s.line)) in by_record]
        if own:
            found[paper.id] = Verdict(
                all(one.is_excluded for one in own),
                next((one.reason for one in own if one.reason), ""),
                next((one.note for one in own if one.note), ""),
            )
    return found


def _verdicts_of(path: Path) -> Iterator[tuple[int, Verdict]]:
    """Yield (line, verdict) of the records of a table or a RIS file."""
    for content in contents(path, str(path)):
        if not content.is_text:
            continue
        is_ris = re.search(r"^TY {1,4}- ?", content.start, re.MULTILINE)
        yield from _of_ris(content) if is_ris else _of_table(content)


def _of_ris(content: Content) -> Iterator[tuple[int, Verdict]]:
    for entry in ris_entries(content):
        notes = " | ".join(entry.all("N1 RN"))
        answers = _ASREVIEW.findall(notes)
        if answers:
            yield entry.line, Verdict(answers[-1] == "irrelevant")
        elif (verdict := _of_rayyan(notes)) is not None:
            yield entry.line, verdict


def _of_table(content: Content) -> Iterator[tuple[int, Verdict]]:
    header: Sequence[str] | None = None
    for row in table_rows(content, dialect_of(content.start)):
        if isinstance(row, Fault):
            continue
        if header is None:
            header = [fold_name(name) for name in row.cells]
            continue
        cells = {name: cell.strip() for name, cell in zip(header, row.cells, strict=False)}
        verdict = _of_rayyan(cells.get("notes", "")) or _of_cells(cells)
        if verdict is not None:
            yield row.line, verdict


def _of_cells(cells: Mapping[str, str]) -> Verdict | None:
    answer = next((cells[name].lower() for name in _VERDICT if cells.get(name)), "")
    if answer not in _YES | _NO:
        return None
    reason, note = (
        next((cells[name] for name in names if cells.get(name)), "") for names in (_REASON, _NOTE)
    )
    return Verdict(answer in _NO, " ".join(reason.split()), " ".join(note.split()))


def _of_rayyan(text: str) -> Verdict | None:
    """Return the verdict in the notes of Rayyan; None without one, or if reviewers differ."""
    parts = dict(_RAYYAN.findall(text))
    people = {verdict.lower() for _, verdict in _BY_PERSON.findall(parts.get("INCLUSION", ""))}
    if len(people) != 1 or not people <= _YES | _NO:
        return None
    user_notes = _USER_NOTES.search(text)
    remarks = _BY_PERSON.findall(user_notes[1]) if user_notes else []
    notes = "; ".join(note for _, note in remarks)
    reason = " ".join(parts.get("EXCLUSION-REASONS", "").split())
    return Verdict(people <= _NO, reason, notes)
