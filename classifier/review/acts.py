"""What one row says beside labels: verdict, exclude, remark; and the record of what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rapidfuzz import process

from classifier.errors import Fault
from classifier.review.ledger import Ledger
from classifier.review.sheet import cell_fault
from classifier.review.spelling import plain
from classifier.text.normalise import without_acting_signs


@dataclass(frozen=True, slots=True)
class RowDecision:
    """The full list for one facet, or an editorial act."""

    facet: str
    """A facet of the taxonomy, or `exclude`, `remark`, `key`, `note`."""
    values: tuple[str, ...]
    """Category ids, the filed one first, a child behind its top category, or `none` alone where
    nothing is stated; of an act one text, which is empty where it is withdrawn."""
    primary: str = ""
    """The top category that the paper is filed under, of the first facet."""
    said: str = ""
    """What was read into the cell, for the report: `filed under safety, as shown`."""

    def agrees_with(self, other: RowDecision) -> bool:
        """Say whether two answers mean the same, whatever their order and words."""
        return (self.facet, set(self.values), self.primary) == (
            other.facet,
            set(other.values),
            other.primary,
        )


WITHDRAW = "withdraw"
"""The verdict that takes all decisions of the reviewer on the paper out of the ledger."""
WITHDRAWN = ("",)
"""The value of an act that is taken back."""
_WORD = re.compile(r"[^\W\d_]{3}|[^\W\d_a-zA-Z]")
_WITHDRAW = {
    "exclude": frozenset("withdraw withdrawn undo no keep include".split()),
    "remark": frozenset("withdraw withdrawn undo".split()),
}
_NO_REASON = frozenset(
    "yes true okay exclude excluded delete remove drop out not none false maybe unclear".split()
)
# What a spreadsheet makes of a text that begins like a formula ("- no comparator"), and saves.
_ERROR_VALUE = re.compile(r"#(?:NAME\?|REF!|VALUE!|DIV/0!|NUM!|NULL!|N/A|ERROR!)|Err:\d{3}")
_LEAST_LIKENESS = 75
_VERDICTS = {"ok", "key", "not key", WITHDRAW}


def verdicts(cells: Mapping[str, str]) -> tuple[str, ...]:
    """Return the parts of `verdict`, lower case, without full stops and double blanks."""
    parts = re.split(r"[;,\n]", plain(cells.get("verdict", "")).casefold())
    texts = (" ".join(part.split()).rstrip(".! ").strip("\"'") for part in parts)
    return tuple(dict.fromkeys(filter(None, texts)))


def is_approved(cells: Mapping[str, str]) -> bool:
    """Say whether the verdict approves the labels shown."""
    return "ok" in verdicts(cells)


def verdict_refusals(cells: Mapping[str, str]) -> Iterator[Fault]:
    """Yield what is wrong in the cell `verdict`."""
    cell, parts = cells.get("verdict", "").strip(), verdicts(cells)
    expected = "ok, key, not key, withdraw, or an empty cell"
    if cell and (not parts or set(parts) - _VERDICTS):
        hint = (
            "Write ok to approve exactly the labels shown; else fill the review_ columns and leave "
            "verdict empty."
        )
        if any(part.startswith("exclude") for part in parts):
            hint = "To leave the paper out, write the reason into exclude."
        yield cell_fault("verdict", f"'{cell}'", expected, hint)
    elif {"key", "not key"} <= set(parts):
        yield cell_fault("verdict", f"'{cell}'", expected, "Delete one of the two.")
    elif WITHDRAW in parts and len(parts) > 1:
        yield cell_fault("verdict", f"'{cell}'", "withdraw alone", "Delete the rest.")


def act_answers(cells: Mapping[str, str]) -> tuple[list[RowDecision], list[Fault]]:
    """Return the editorial acts of a row, and what is wrong in their cells."""
    parts = verdicts(cells)
    answers = [RowDecision("key", ("yes",))] if "key" in parts else []
    answers += [RowDecision("key", WITHDRAWN)] if "not key" in parts else []
    answers += [RowDecision(WITHDRAW, WITHDRAWN)] if WITHDRAW in parts else []
    refusals: list[Fault] = []
    for act, what in (("exclude", "a reason"), ("remark", "a remark")):
        expected = f"{what} in words, which is published (or withdraw)"
        text = one_line(cells.get(act, ""))
        if not text:
            continue
        said = plain(text).casefold().rstrip(".! ")
        if _ERROR_VALUE.fullmatch(text):
            hint = "The spreadsheet took it for a formula: write it again, a word in front."
            refusals.append(cell_fault(act, f"'{text}'", expected, hint))
        elif said in _WITHDRAW[act]:
            answers.append(RowDecision(act, WITHDRAWN))
        elif nearest := _nearest_withdrawal(act, said):
            hint = f"Write {nearest} to take it back, or more than one word."
            refusals.append(cell_fault(act, f"'{text}'", expected, hint))
        elif said in _NO_REASON or not _WORD.search(text):
            refusals.append(cell_fault(act, f"'{text}'", expected))
        else:
            answers.append(RowDecision(act, (text,)))
    return answers, refusals


def _nearest_withdrawal(act: str, said: str) -> str:
    """Return the word that one misspelled word most likely is, "" where it is none."""
    found = process.extractOne(said, sorted(_WITHDRAW[act] - {"no"}), score_cutoff=_LEAST_LIKENESS)
    return found[0] if found and " " not in said else ""


def one_line(cell: str) -> str:
    """Return a text without line breaks and double blanks: the ledger holds a line a value.

    >>> one_line(" two \\n lines ")
    'two lines'
    """
    return " ".join(cell.split())


KEY = "yes"
"""The value that makes a paper a key paper."""


@dataclass(frozen=True, slots=True)
class Act:
    """What an editor said of a paper, and who and when."""

    text: str
    """The reason of an exclusion, a remark as Markdown; `yes` of a key paper."""
    by: str
    """The reviewer, or ""."""
    on: str
    """ISO date, or ""."""
    ledger_id: str
    """The id under which the ledger holds it: the paper's, or an older one."""

    @property
    def exclusion(self) -> str:
        """Return it as the note of an excluded paper: `excluded by ada: about cakes`."""
        by = f" by {self.by}" if self.by else ""
        return f"excluded{by}: {one_line(self.text)}"

    @property
    def source(self) -> str:
        """Where a sentence made of it can be checked."""
        return f"reviews.csv: {self.ledger_id}"


@dataclass(frozen=True, slots=True)
class EditorialActs:
    """The acts in force, each by the id that the paper bears now."""

    excluded: Mapping[str, Act] = field(default_factory=dict)
    remarks: Mapping[str, Act] = field(default_factory=dict)
    keys: Mapping[str, Act] = field(default_factory=dict)

    def of(self, paper_id: str) -> dict[str, Act]:
        """Return the acts on one paper by their facet in the ledger."""
        acts = {"exclude": self.excluded, "remark": self.remarks, "key": self.keys}
        return {facet: found[paper_id] for facet, found in acts.items() if paper_id in found}


def editorial_acts(ledger: Ledger, aliases: Mapping[str, str]) -> EditorialActs:
    """Return the acts in force; `aliases` leads from every other id of a paper to its id.

    A key act that does not say yes marks nothing (`Ledger.faults` names it).
    """

    def acts(facet: str) -> dict[str, Act]:
        return {
            paper_id: Act(
                without_acting_signs(entry.value),
                without_acting_signs(entry.reviewer),
                entry.reviewed_on,
                entry.id,
            )
            for paper_id, entry in ledger.editorial(facet, aliases).items()
        }

    keys = {key: act for key, act in acts("key").items() if act.text.casefold() == KEY}
    return EditorialActs(acts("exclude"), acts("remark"), keys)
