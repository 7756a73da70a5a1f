"""Answers on proposed cues in the file that a review page saves: rows whose id is `cue`.

The title of such a row is the phrase, review_primary is the category, and the verdict is `yes`,
`no` or `unsure`. "yes" adds the phrase to the category's cues in taxonomy.yaml, "no" to the phrases
that are not proposed again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from classifier.errors import Fault
from classifier.files.table import Row
from classifier.review.read_rows import row_number
from classifier.review.sheet import cell_fault
from classifier.review.sheet_file import SheetFile, add_place_in_sheet
from classifier.taxonomy.cue import CueError, parse_cue
from classifier.taxonomy.model import Category, Taxonomy

CUE_ID = "cue"
CUE_LISTS = {"yes": "anywhere", "no": "rejected"}
"""Verdict -> the list under `cues` to which the phrase is added."""
UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class CueAnswer:
    """A reviewer's answer on whether a phrase is a cue of a category."""

    sheet: str
    row: int
    category: str
    cue: str
    verdict: str
    """`yes`, `no` or `unsure`."""
    is_new: bool
    """Whether the answer changes taxonomy.yaml."""

    def __str__(self) -> str:
        place = f"row {self.row}  {self.category}: '{self.cue}'"
        if self.verdict == UNSURE:
            return f"{place} → left open"
        if not self.is_new:
            return f"{place} → already in taxonomy.yaml"
        effect = "is a cue now" if self.verdict == "yes" else "is not proposed again"
        return f"{place} → {effect}"


def additions_of(answers: Sequence[CueAnswer]) -> dict[tuple[str, str], list[str]]:
    """Return (category, list of cues) -> the phrases to add to taxonomy.yaml."""
    found: dict[tuple[str, str], list[str]] = {}
    for answer in answers:
        if answer.is_new:
            found.setdefault((answer.category, CUE_LISTS[answer.verdict]), []).append(answer.cue)
    return found


def split_cue_rows(
    sheets: Sequence[SheetFile], taxonomy: Taxonomy
) -> tuple[list[SheetFile], list[CueAnswer], list[Fault]]:
    """Return the sheets without rows on cues, the answers in these rows, and their faults."""
    verdicts = {category.id: _verdicts(category) for category in taxonomy.first.tops}
    answers: list[CueAnswer] = []
    refused: list[Fault] = []
    kept = []
    for sheet in sheets:
        cue_rows = [row for row in sheet.rows if _is_on_cue(row)]
        for row in cue_rows:
            found = _read_answer(sheet, row, taxonomy, verdicts)
            if isinstance(found, CueAnswer):
                answers.append(found)
            else:
                refused.append(add_place_in_sheet(found, sheet, row_number(row)))
        paper_rows = tuple(row for row in sheet.rows if not _is_on_cue(row))
        if paper_rows or not cue_rows:
            kept.append(replace(sheet, rows=paper_rows))
    return kept, answers, refused


def _is_on_cue(row: Row) -> bool:
    return row.cells.get("id", "").strip().casefold() == CUE_ID


def _verdicts(category: Category) -> dict[str, str]:
    """Return phrase -> `yes` for cues of the category in taxonomy.yaml, `no` for rejected ones."""
    lists = [(name, cues) for name, cues in category.cues.views() if name != "against"]
    verdicts = {cue.casefold(): "no" for cue in category.cues.rejected}
    return verdicts | {cue.casefold(): "yes" for _, cues in lists for cue in cues}


def _read_answer(
    sheet: SheetFile, row: Row, taxonomy: Taxonomy, verdicts: Mapping[str, dict[str, str]]
) -> CueAnswer | Fault:
    """Return the answer of a row, and add it to `verdicts`; or return the fault of a cell.

    verdicts: category -> phrase -> verdict, of taxonomy.yaml and of earlier rows.
    """
    cue = " ".join(row.cells.get("title", "").split())
    verdict = row.cells.get("verdict", "").strip().casefold()
    category_name = row.cells.get("review_primary", "").strip()
    if verdict not in (*CUE_LISTS, UNSURE):
        return cell_fault("verdict", f"'{verdict}' for a cue", "yes, no or unsure")
    try:
        parse_cue(cue)
    except CueError as error:
        return cell_fault("title", error.found, "a phrase", error.hint)
    category = taxonomy.first.resolve(category_name)
    if category is None or category.id not in verdicts:
        expected = f"a top category of {taxonomy.first.id}"
        return cell_fault("review_primary", f"'{category_name}' for a cue", expected)
    before = verdicts[category.id].get(cue.casefold(), "")
    if verdict in CUE_LISTS and before not in ("", verdict):
        states = {"yes": "is a cue of", "no": "was rejected as a cue of"}
        found = f"'{verdict}', but '{cue}' {states[before]} {category.id}"
        hint = f"Delete it under `cues` of {category.id} in taxonomy.yaml first."
        return cell_fault("verdict", found, f"'{before}'", hint)
    if verdict in CUE_LISTS:
        verdicts[category.id][cue.casefold()] = verdict
    is_new = verdict in CUE_LISTS and not before
    return CueAnswer(sheet.file, row_number(row), category.id, cue, verdict, is_new)
