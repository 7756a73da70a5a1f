"""Values of typed columns: find them in texts, parse them in cells, check `columns:`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from classifier.errors import Fault
from classifier.taxonomy.cue import Cue, CueError, parse_cue
from classifier.taxonomy.document import Node
from classifier.taxonomy.model import NOT_STATED, TypedColumn, spelling_key
from classifier.taxonomy.reserved import RESERVED_FACET_IDS, RESERVED_STARTS
from classifier.text.normalise import did_you_mean

TYPED = "col_"
"""Prefix of the sheet's columns for values by hand, and of their facets in the ledger."""
SLOT = "columnvalue"
"""Placeholder of a value while a sentence is compared with the cues of a column."""
_PLACE = re.compile(r"\bVALUE\b")


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a typed column, with its source."""

    text: str
    """The value in tables: `Qwen3-8B`, `17,000 tasks`, `2024-05`."""
    key: str
    """The value in filters: the name in the lexicon, else `text`."""
    number: float | None = None
    unit: str = ""
    source: Literal["text", "by hand"] = "text"
    start: int = 0
    """Offset of its first character in the published abstract; 0 for a value by hand."""
    end: int = 0
    """Offset after its last character."""
    sentence: str = ""
    """The sentence that states it."""
    by: str = ""
    """Name of the person who typed it; "" for a value from a text."""
    on: str = ""
    """ISO date of a value by hand."""


_WORDS = {"half a": 0.5, "a": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0}
_SCALES = {
    "": 1.0,
    "k": 1e3,
    "m": 1e6,
    "b": 1e9,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
}
_MIN_WORD = 4
"""Minimum length of a unit that is a word. Up to two other words may precede such a unit."""


# Commas group digits, as in 1,000 and 1,00,000; any other comma is a decimal one, as in 0,5.
_GROUPED = r"[1-9]\d{0,2}(?:,\d\d\d?)*,\d{3}(?:\.\d+)?"
_DIGITS = rf"(?:{_GROUPED}(?![\d,])|\d+(?:[.,]\d+)?)"


def _parse_digits(digits: str) -> float:
    """Return the number that `_DIGITS` matches."""
    comma = "" if re.fullmatch(_GROUPED, digits) else "."
    return float(digits.replace(",", comma))


@lru_cache(maxsize=256)
def _number_reader(
    units: tuple[tuple[str, tuple[str, ...]], ...],
) -> tuple[dict[str, str], dict[str, str], re.Pattern[str]]:
    """Return units by spelling, units by folded spelling, and the pattern of a number with a unit.

    units: pairs of a unit and its other spellings.
    """
    spellings = {word: unit for unit, more in units for word in (unit, *more)}
    folded = {spelling_key(word): unit for word, unit in spellings.items()}
    longest_first = sorted(spellings, key=lambda word: (-len(word), word))
    return spellings, folded, _number_pattern(longest_first)


def _number_pattern(spellings: Sequence[str]) -> re.Pattern[str]:
    """Return the pattern of a number with a unit in one of `spellings`."""
    words = "|".join(re.escape(word) + "s?" for word in spellings if len(word) >= _MIN_WORD)
    signs = "|".join(re.escape(sign) for sign in spellings if len(sign) < _MIN_WORD)
    forms = []
    if words:
        forms.append(
            rf"[\s-](?:(?!and\b|or\b|of\b|to\b|in\b|on\b)[\w-]+\s){{0,2}}?(?P<word>{words})"
        )
    if signs:
        forms.append(rf"[\s-]?(?P<sign>{signs})")
    scale = r"(?:\s?(?P<scale>k|m|b|thousand|million|billion|trillion)(?=[\s-]))?"
    number = rf"(?P<number>{_DIGITS}|half a|(?:a|one|two|three|four|five)(?= [mbt]\w+ion\b))"
    return re.compile(rf"(?<![\w.,$]){number}{scale}(?:{'|'.join(forms)})(?!\w)", re.IGNORECASE)


def numbers_in(column: TypedColumn, text: str) -> Iterator[Value]:
    """Yield the numbers in `text` that have one of the column's units, with their offsets."""
    spellings, folded, pattern = _number_reader(tuple(column.units.items()))
    for match in pattern.finditer(text) if spellings else ():
        written = spelling_key(match["word"] or "") if "word" in match.groupdict() else ""
        unit = folded.get(written) or folded.get(written.removesuffix("s")) or ""
        if not written:
            unit = spellings.get(match["sign"] or "", "")  # `B` are billions, `b` may be bits
        if unit:
            value = number_value(_amount_of_match(match), unit)
            yield replace(value, start=match.start(), end=match.end())


def _amount_of_match(match: re.Match[str]) -> float:
    """Return the number of a match, multiplied by words such as "million"."""
    digits = match["number"].lower()
    number = _WORDS[digits] if digits in _WORDS else _parse_digits(digits)
    return number * _SCALES[(match["scale"] or "").lower()]


def number_value(number: float, unit: str) -> Value:
    """Return the Value for a number and its unit.

    >>> number_value(17_000, "tasks").text, number_value(1.5, "B").text
    ('17,000 tasks', '1.5 B')
    """
    text = f"{number:,.6f}".rstrip("0").rstrip(".") + f" {unit}"
    return Value(text, text, number, unit)


_MONTHS = "January February March April May June July August September October November December"
_MONTH = {name.lower(): at for at, name in enumerate(_MONTHS.split(), 1)}
_NAMES = "|".join(_MONTH)
_DATE = re.compile(
    rf"\b(?:(?P<iso>\d{{4}}(?:-\d\d(?:-\d\d)?)?)|(?:(?P<day>\d\d?) )?(?P<month>{_NAMES}) "
    rf"(?:(?P<day2>\d\d?), )?(?P<year>\d{{4}}))(?![\w-])",
    re.IGNORECASE,
)


def dates_in(text: str) -> Iterator[Value]:
    """Yield the dates in `text`, with their offsets: `2024`, `May 2024`, `6 May 2024`."""
    for match in _DATE.finditer(text):
        date = match["iso"] or ""
        if match["month"]:
            date = f"{match['year']}-{_MONTH[match['month'].lower()]:02}"
            day = match["day"] or match["day2"]
            date += f"-{int(day):02}" if day else ""
        if _is_date(date):
            yield Value(date, date, start=match.start(), end=match.end())


def _is_date(text: str) -> bool:
    """Return whether a text is a valid date."""
    year, month, day = (*map(int, text.split("-")), 1, 1)[:3]
    return 1000 <= year < 2200 and 1 <= month <= 12 and 1 <= day <= 31


def parse_typed_cell(column: TypedColumn, cell: str) -> tuple[Value, ...] | str:
    """Parse a cell of the sheet: return its values or, for an invalid cell, the expected form.

    The cell `none` returns (): the paper has no value.
    """
    parts = [" ".join(part.split()) for part in cell.split(";") if part.strip()]
    if [spelling_key(part) for part in parts] == [NOT_STATED]:
        return ()
    values = [_parse_value(column, part) for part in parts]
    if not values or None in values or (len(values) > 1 and not column.several):
        return expected_form(column)
    return tuple(replace(value, source="by hand") for value in values if value)


def _parse_value(column: TypedColumn, text: str) -> Value | None:
    """Parse one value of a cell; None if it is invalid."""
    if column.kind == "one of":
        found = {spelling_key(value): value for value in column.choices}.get(spelling_key(text))
        return Value(found, found) if found else None
    if column.kind == "date":
        dates = [each for each in dates_in(text) if each.end - each.start == len(text)]
        return dates[0] if dates else None
    if column.kind == "number":
        if len(column.units) == 1 and re.fullmatch(_DIGITS, text):
            return number_value(_parse_digits(text), *column.units)
        numbers = [each for each in numbers_in(column, text) if each.end - each.start == len(text)]
        return numbers[0] if numbers else None
    return Value(text, text)


def expected_form(column: TypedColumn) -> str:
    """Describe a valid cell of the column, for a message."""
    forms = {
        "text": "a text",
        "number": f"a number with a unit ({', '.join(column.units)})",
        "one of": f"one of {', '.join(column.choices)}",
        "date": "a date such as 2024, 2024-05 or 2024-05-06",
    }
    more = ", several separated by ;" if column.several else ""
    return f"{forms[column.kind]}{more}; 'none' for no value; 'withdraw' to remove it"


def column_cue(text: str) -> Cue:
    """Parse a cue of a column, in which `VALUE` is one word; raise CueError if it is invalid."""
    return parse_cue(_PLACE.sub(SLOT, text))


_NEEDS = {"number": "units", "one of": "values"}
_ONLY = {"units": "number", "values": "one of", "promised": "one of", "lexicon": "text"}


def column_faults(document: Node) -> Iterator[Fault]:
    """Yield the faults of `columns:` for which several fields must be compared."""
    used_ids = {
        *RESERVED_FACET_IDS,
        *(key.text for part in ("facets", "lexicons") for key, _ in document.pairs_of(part)),
    }
    facets = document.pairs_of("facets")
    known = [
        node.text
        for category in (facets[0][1].items_of("categories") if facets else ())
        for node in (category.get("id"), *category.items_of("aliases"))
        if node
    ]
    lexicons = [key.text for key, _ in document.pairs_of("lexicons")]
    for key, column in document.pairs_of("columns"):
        if key.text in used_ids or key.text.startswith(RESERVED_STARTS):
            expected = "an id that no facet, lexicon, sheet column or browse key has"
            yield key.fault(f"the column id '{key.display_text}'", expected, "Choose another id.")
        yield from _field_faults(key, column)
        for item in column.items_of("applies_to"):
            if item.text not in known:
                found = f"the unknown category '{item.display_text}' in 'applies_to'"
                hint = did_you_mean(item.text, known)
                yield item.fault(found, "a category of the first facet", hint)
        lexicon = column.get("lexicon")
        if lexicon and lexicon.text and lexicon.text not in lexicons:
            hint = did_you_mean(lexicon.text, lexicons)
            yield lexicon.fault(
                f"the lexicon '{lexicon.display_text}'", "the name of a lexicon", hint
            )


def _field_faults(key: Node, column: Node) -> Iterator[Fault]:
    """Yield the faults in the fields of a column."""
    kind = column.get("kind")
    for field, of_kind in _ONLY.items():
        node = column.key(field)
        if node and kind and kind.text != of_kind:
            found = f"'{field}' in a column of kind {kind.display_text}"
            hint = "Delete the line, or change the kind."
            yield node.fault(found, f"'{field}' only with 'kind: {of_kind}'", hint)
    needed = _NEEDS.get(kind.text if kind else "")
    if needed and not column.key(needed):
        example = {"units": "units: {mg: [milligram]}", "values": "values: {oral: [by mouth]}"}
        kind_name = kind.display_text if kind else ""
        found = f"no '{needed}' in the column '{key.display_text}' of kind {kind_name}"
        yield key.fault(found, f"'{needed}'", f"Add it: '{example[needed]}'.")
    cues = [cue for field in ("cues", "against", "promised") for cue in column.items_of(field)]
    cues += [cue for _, listed in column.pairs_of("values") for cue in listed.items]
    for cue in cues:
        try:
            column_cue(cue.text)
        except CueError as error:
            yield cue.fault(error.found, "a phrase to search for", error.hint)


def cell_text(values: Iterable[Value]) -> str:
    """Join values to the text of a table cell.

    >>> cell_text([Value("code", "code"), Value("data", "data")])
    'code; data'
    """
    return "; ".join(value.text for value in values)


Values = Mapping[str, tuple[Value, ...]]
"""Column id -> values of a paper; () if a person typed that there is none."""
