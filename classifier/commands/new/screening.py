"""Read the verdicts of a screening in exports of ASReview, Rayyan and Covidence and in tables.

A table has columns (`included`, `asreview_label`, `exclusion reason`, `notes`), a workbook may have
a tab of excluded papers. RIS, and the notes of Rayyan, have text:
`RAYYAN-INCLUSION: {"Ada"=>"Excluded"} | RAYYAN-EXCLUSION-REASONS: outcome`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.files.content import Content, contents
from classifier.papers.paper import Paper
from classifier.papers.readers.delimited import table_rows
from classifier.papers.readers.ris import ris_entries
from classifier.papers.readers.spreadsheet import (
    SPREADSHEET,
    is_sheet_of_excluded_papers,
    tables_of,
)
from classifier.papers.readers.tables import TableRow, rows_by_name

NO_REASON = "excluded at screening"

_VERDICT = (
    "included|asreview label|label included|final included|screening decision|decision|inclusion"
    "|asreview included|include"
).split("|")
_EXCLUDED = "excluded|exclude|is excluded|exclusion".split("|")
_EXCLUSION_REASON = (
    "exclusion reason|exclusion reasons|reason for exclusion|reasons for exclusion|excluded reason"
    "|exclude reason"
).split("|")
_REASON = [*_EXCLUSION_REASON, "reason", "reasons"]
_NOTE = "asreview note|asreview notes|exploration notes|notes|note|reviewer notes".split("|")
_YES = frozenset("1 1.0 yes true include included relevant".split())
_NO = frozenset("0 0.0 no false exclude excluded irrelevant".split())
_NO_REASON_GIVEN = frozenset(("", "-", "none", "n/a", "na", "nan", "null", "no"))
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


_FORMATS = frozenset(("csv", "ris", "xlsx"))
"""Formats of files that may contain a screening."""


def read_verdicts(papers: Sequence[Paper], files: Sequence[Path]) -> dict[str, Verdict]:
    """Return paper id -> the verdict on its records, for papers with a verdict.

    A paper is excluded if all of its records with a verdict are excluded.
    """
    names = {s.file for paper in papers for s in paper.sources if s.format in _FORMATS}
    by_place: dict[Place, Verdict] = {}
    for path in files:
        own = [name for name in names if _is_in(name, path)]
        if own:
            by_place.update(_verdicts_of(path, own))
    found: dict[str, Verdict] = {}
    for paper in papers:
        places = [(source.file, source.line) for source in paper.sources]
        given = [by_place[place] for place in places if place in by_place]
        if given:
            found[paper.id] = Verdict(
                all(each.is_excluded for each in given),
                next((each.reason for each in given if each.reason), ""),
                next((each.note for each in given if each.note), ""),
            )
    return found


def _is_in(name: str, path: Path) -> bool:
    return name == str(path) or path.name in (Path(name).name, Path(name).parent.name)


Place = tuple[str, int]
"""(source, line of a record in it)."""


def _verdicts_of(path: Path, names: Iterable[str]) -> Iterator[tuple[Place, Verdict]]:
    label = next((name for name in names if name == str(path) or Path(name).name == path.name), "")
    for content in contents(path, label or str(path)):
        if content.is_text:
            is_ris = re.search(r"^TY {1,4}- ?", content.start, re.MULTILINE)
            rows = _ris_verdicts(content) if is_ris else _table_verdicts(content)
            yield from (((content.name, line), verdict) for line, verdict in rows)
        elif not SPREADSHEET.reject_reason(content):
            for tab, (source, rows_of_tab) in tables_of(content).items():
                for line, verdict in _row_verdicts(rows_of_tab, is_sheet_of_excluded_papers(tab)):
                    yield (source, line), verdict


def _ris_verdicts(content: Content) -> Iterator[tuple[int, Verdict]]:
    for entry in ris_entries(content):
        notes = " | ".join(entry.all_values("N1 RN"))
        if labels := _ASREVIEW.findall(notes):
            yield entry.line, Verdict(labels[-1] == "irrelevant")
        elif verdict := _rayyan_verdict(notes):
            yield entry.line, verdict


def _table_verdicts(content: Content) -> Iterator[tuple[int, Verdict]]:
    return _row_verdicts(table_rows(content))


def _row_verdicts(
    rows: Iterable[TableRow], is_excluded: bool = False
) -> Iterator[tuple[int, Verdict]]:
    """Yield the line and verdict of each row. is_excluded: whether all papers are excluded."""
    for line, cells in rows_by_name(rows):
        if is_excluded:
            yield line, Verdict(True, _first(cells, _REASON), _first(cells, _NOTE))
        elif verdict := _rayyan_verdict(cells.get("notes", "")) or _cell_verdict(cells):
            yield line, verdict


def _first(cells: Mapping[str, str], names: Sequence[str]) -> str:
    return " ".join(next((cells[name] for name in names if cells.get(name)), "").split())


def _cell_verdict(cells: Mapping[str, str]) -> Verdict | None:
    reason, note = _first(cells, _REASON), _first(cells, _NOTE)
    included, excluded = _first(cells, _VERDICT).lower(), _first(cells, _EXCLUDED).lower()
    if included in _YES | _NO:
        return Verdict(included in _NO, reason, note)
    if excluded in _YES | _NO:
        return Verdict(excluded in _YES | {"exclude", "excluded"}, reason, note)
    if any(name in cells for name in _EXCLUSION_REASON):
        reason = _first(cells, _EXCLUSION_REASON)
        is_excluded = reason.lower() not in _NO_REASON_GIVEN
        return Verdict(is_excluded, reason if is_excluded else "", note)
    return None


def _rayyan_verdict(text: str) -> Verdict | None:
    """Return the verdict in a Rayyan notes field; None if there is none or reviewers disagree."""
    parts = dict(_RAYYAN.findall(text))
    people = {verdict.lower() for _, verdict in _BY_PERSON.findall(parts.get("INCLUSION", ""))}
    if len(people) != 1 or not people <= _YES | _NO:
        return None
    user_notes = _USER_NOTES.search(text)
    notes = _BY_PERSON.findall(user_notes[1]) if user_notes else []
    reason = " ".join(parts.get("EXCLUSION-REASONS", "").split())
    return Verdict(people <= _NO, reason, "; ".join(note for _, note in notes))
