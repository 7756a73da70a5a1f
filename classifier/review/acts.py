"""Editorial acts: exclude a paper, print a remark on it, mark it as a key paper, type a value.

This module reads the acts in a row of a sheet, and finds the current acts in the ledger.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rapidfuzz import process

from classifier.errors import Fault
from classifier.review.ledger import Ledger
from classifier.review.sheet import cell_fault
from classifier.review.spelling import plain_characters
from classifier.taxonomy.columns import TYPED, Value, parse_typed_cell
from classifier.taxonomy.model import Taxonomy, TypedColumn
from classifier.text.normalise import without_control_characters


@dataclass(frozen=True, slots=True)
class RowDecision:
    """A reviewer's answer in a row: the categories of one facet, or an editorial action."""

    facet: str
    """A facet of the taxonomy, or `exclude`, `remark`, `key`, `note`, or `col_` and the id of a
    typed column."""
    values: tuple[str, ...]
    """Category ids, the primary first, a child after its top category, or `none` alone if nothing
    is stated. For an act, its text, or "" to withdraw it."""
    primary: str = ""
    """The primary category; "" except in the first facet."""
    explanation: str = ""
    """Interpretation of the cell, for the report: `filed under safety, as shown`."""

    def agrees_with(self, other: RowDecision) -> bool:
        """Return whether two answers are equal, apart from order and explanation."""
        return (self.facet, set(self.values), self.primary) == (
            other.facet,
            set(other.values),
            other.primary,
        )


WITHDRAW = "withdraw"
"""The verdict that deletes all decisions of the reviewer on the paper from the ledger."""
WITHDRAWN = ("",)
"""The value of a withdrawn act."""
_WORD = re.compile(r"[^\W\d_]{3}|[^\W\d_a-zA-Z]")
_WITHDRAWALS = {
    "exclude": frozenset("withdraw withdrawn undo no keep include".split()),
    "remark": frozenset("withdraw withdrawn undo".split()),
}
"""Act -> the words that withdraw it."""
_CONTENT = {"exclude": "a reason", "remark": "a remark"}
_NOT_A_REASON = frozenset(
    "yes true okay exclude excluded delete remove drop out not none false maybe unclear".split()
)
# A spreadsheet saves these for a text that begins like a formula ("- no comparator").
_ERROR_VALUE = re.compile(r"#(?:NAME\?|REF!|VALUE!|DIV/0!|NUM!|NULL!|N/A|ERROR!)|Err:\d{3}")
_MIN_SIMILARITY = 75
"""Minimum similarity, 0 to 100, of a misspelt word to a word that withdraws."""
_VERDICT_ACTS = {
    "key": RowDecision("key", ("yes",)),
    "not key": RowDecision("key", WITHDRAWN),
    WITHDRAW: RowDecision(WITHDRAW, WITHDRAWN),
}
"""Part of a verdict -> the act that it means."""


def split_verdict(cells: Mapping[str, str]) -> tuple[str, ...]:
    """Return the parts of `verdict`, lower case, without full stops and double blanks."""
    parts = re.split(r"[;,\n]", plain_characters(cells.get("verdict", "")).casefold())
    texts = (" ".join(part.split()).rstrip(".! ").strip("\"'") for part in parts)
    return tuple(dict.fromkeys(filter(None, texts)))


def is_approved(cells: Mapping[str, str]) -> bool:
    """Return whether the verdict approves the labels of the row."""
    return "ok" in split_verdict(cells)


def verdict_faults(cells: Mapping[str, str]) -> Iterator[Fault]:
    """Yield the faults of the cell `verdict`."""
    cell, parts = cells.get("verdict", "").strip(), split_verdict(cells)
    expected = "ok, key, not key, withdraw, or an empty cell"
    if cell and (not parts or set(parts) - {"ok", *_VERDICT_ACTS}):
        hint = (
            "Write ok to approve exactly the labels of the row. To correct them, fill the review_ "
            "columns and leave verdict empty."
        )
        if any(part.startswith("exclude") for part in parts):
            hint = "To exclude the paper, write the reason into the column exclude."
        yield cell_fault("verdict", f"'{cell}'", expected, hint)
    elif {"key", "not key"} <= set(parts):
        yield cell_fault("verdict", f"'{cell}'", expected, "Delete one of the two.")
    elif WITHDRAW in parts and len(parts) > 1:
        yield cell_fault("verdict", f"'{cell}'", "withdraw alone", "Delete the rest.")


def row_acts(
    cells: Mapping[str, str], columns: Iterable[TypedColumn] = ()
) -> tuple[list[RowDecision], list[Fault]]:
    """Return the editorial acts of a row, and the faults of their cells.

    columns: the typed columns of the taxonomy.
    """
    acts = [_VERDICT_ACTS[part] for part in _VERDICT_ACTS if part in split_verdict(cells)]
    texts = {act: one_line(cells.get(act, "")) for act in _CONTENT}
    found = [_read_text_act(act, text) for act, text in texts.items() if text]
    values = ((column, one_line(cells.get(f"{TYPED}{column.id}", ""))) for column in columns)
    found += [_read_typed_value(column, value) for column, value in values if value]
    acts += [each for each in found if isinstance(each, RowDecision)]
    return acts, [each for each in found if isinstance(each, Fault)]


def _read_text_act(act: str, text: str) -> RowDecision | Fault:
    """Return the exclusion or remark in a filled cell, its withdrawal, or the fault of the cell."""
    expected = f"{_CONTENT[act]} in words, which is published (or withdraw)"
    word = plain_characters(text).casefold().rstrip(".! ")
    if _ERROR_VALUE.fullmatch(text):
        hint = "The spreadsheet read it as a formula: write it again and start with a word."
        return cell_fault(act, f"'{text}'", expected, hint)
    if word in _WITHDRAWALS[act]:
        return RowDecision(act, WITHDRAWN)
    if nearest := _nearest_withdrawal(act, word):
        hint = f"Write {nearest} to withdraw it, or more than one word."
        return cell_fault(act, f"'{text}'", expected, hint)
    if word in _NOT_A_REASON or not _WORD.search(text):
        return cell_fault(act, f"'{text}'", expected)
    return RowDecision(act, (text,))


def _nearest_withdrawal(act: str, word: str) -> str:
    """Return the word that withdraws `act` and is misspelt as `word`; "" if there is none."""
    words = sorted(_WITHDRAWALS[act] - {"no"})
    found = process.extractOne(word, words, score_cutoff=_MIN_SIMILARITY)
    return found[0] if found and " " not in word else ""


def _read_typed_value(column: TypedColumn, cell: str) -> RowDecision | Fault:
    facet = f"{TYPED}{column.id}"
    if plain_characters(cell).casefold() == WITHDRAW:
        return RowDecision(facet, WITHDRAWN)
    if isinstance(expected := parse_typed_cell(column, cell), str):
        return cell_fault(facet, f"'{cell}'", expected)
    return RowDecision(facet, (cell,))


def one_line(cell: str) -> str:
    """Return a text without line breaks and double blanks: the ledger has one line per value.

    >>> one_line(" two \\n lines ")
    'two lines'
    """
    return " ".join(cell.split())


KEY = "yes"
"""The value that makes a paper a key paper."""


@dataclass(frozen=True, slots=True)
class Act:
    """An editor's action on a paper, such as an exclusion or a remark, with reviewer and date."""

    text: str
    """The reason of an exclusion, a remark as Markdown, a typed value; `yes` for a key paper."""
    by: str
    """The reviewer, or ""."""
    on: str
    """ISO date, or ""."""
    ledger_id: str
    """The paper's id in the ledger, possibly an earlier one."""

    @property
    def exclusion(self) -> str:
        """The note of an excluded paper: `excluded by ada: about cakes`."""
        by = f" by {self.by}" if self.by else ""
        return f"excluded{by}: {one_line(self.text)}"

    @property
    def source(self) -> str:
        """The source of a sentence that is made of the act."""
        return f"reviews.csv: {self.ledger_id}"


@dataclass(frozen=True, slots=True)
class EditorialActs:
    """The current acts, by the current id of the paper."""

    excluded: Mapping[str, Act] = field(default_factory=dict)
    remarks: Mapping[str, Act] = field(default_factory=dict)
    keys: Mapping[str, Act] = field(default_factory=dict)
    typed: Mapping[str, Mapping[str, Act]] = field(default_factory=dict)
    """Values that people typed, by typed column and paper id."""

    def of(self, paper_id: str) -> dict[str, Act]:
        """Return the acts on the paper, by facet of the ledger."""
        acts = {"exclude": self.excluded, "remark": self.remarks, "key": self.keys}
        return {facet: found[paper_id] for facet, found in acts.items() if paper_id in found}

    def values_of(self, column: TypedColumn, paper_id: str) -> tuple[Value, ...] | None:
        """Return the values that a person typed for a column; None without a valid one.

        () means that the paper has no value. `ledger_faults` reports invalid values.
        """
        act = self.typed.get(column.id, {}).get(paper_id)
        found = parse_typed_cell(column, act.text) if act else ""
        if act is None or isinstance(found, str):
            return None
        return tuple(replace(value, by=act.by, on=act.on) for value in found)


def editorial_acts(
    ledger: Ledger, aliases: Mapping[str, str], taxonomy: Taxonomy | None = None
) -> EditorialActs:
    """Return the editorial actions in effect; with `taxonomy`, also values of typed columns.

    aliases: other id of a paper -> its id.

    A `key` action other than `yes` has no effect (`ledger_faults` reports it).
    """

    def current_acts(facet: str) -> dict[str, Act]:
        return {
            paper_id: Act(
                without_control_characters(entry.value),
                without_control_characters(entry.reviewer),
                entry.reviewed_on,
                entry.id,
            )
            for paper_id, entry in ledger.editorial(facet, aliases).items()
        }

    keys = {key: act for key, act in current_acts("key").items() if act.text.casefold() == KEY}
    columns = taxonomy.columns if taxonomy else ()
    typed = {name: current_acts(f"{TYPED}{name}") for name in columns}
    return EditorialActs(current_acts("exclude"), current_acts("remark"), keys, typed)
