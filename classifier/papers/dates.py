"""Convert dates in bibliographies to ISO dates of a day, a month or a year."""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from functools import lru_cache

# First letters of months, without accents: English, German, French, Italian, Spanish, Portuguese,
# Dutch.
_MONTHS = (
    "jan ene gen", "feb fev", "mar maa", "apr abr avr", "may mai mei mag", "jun juin giu",
    "jul juil lug", "aug ago aou", "sep set", "oct okt ott out", "nov", "dec dez dic",
)  # fmt: skip
_MONTH_OF = {start: n for n, starts in enumerate(_MONTHS, start=1) for start in starts.split()}
_WORD = r"(?P<word>[A-Za-z\u00c0-\u024f\u0300-\u036f]{3,10})\.?"
_YEAR = r"(?P<year>\d{4})"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?"
_FORMS = tuple(
    re.compile(form, re.ASCII)
    for form in (
        rf"{_YEAR}(?:[-/.](?P<month>\d{{1,2}})(?:[-/.]{_DAY})?)?(?:[T ]\d.*|[/ ]*)?",
        rf"{_YEAR}(?P<month>\d\d){_DAY}",
        rf"{_YEAR}\s*[-/, ]?\s*{_WORD}(?:[-/ ]\s*{_DAY})?(?:[^\w].*)?",
        rf"{_WORD}\s+{_DAY},?\s+{_YEAR}(?:\b.*)?",
        rf"{_DAY}[-/. ]\s*(?:de\s)?{_WORD}[-/., ]\s*(?:de\s)?{_YEAR}(?:\b.*)?",
        rf"(?:[A-Za-z]{{3}},\s*){_DAY}\s+{_WORD}\s+{_YEAR}(?:\b.*)?",
        rf"(?:\d{{1,2}}\.?\s*[-–]\s*\d{{1,2}}\.?\s+)?{_WORD},?\s+{_YEAR}",
        rf"{_WORD}\s+\d{{1,2}}\s*[-–]\s*\d{{1,2}},?\s+{_YEAR}",
        rf"(?P<month>\d{{1,2}})/{_YEAR}",
        rf"{_YEAR}\s*年\s*(?:(?P<month>\d{{1,2}})\s*月\s*)?(?:(?P<day>\d{{1,2}})\s*日)?",
        # Points always separate the day from the month; a number above 12 cannot be a month.
        rf"{_DAY}\.\s?(?P<month>\d{{1,2}})\.\s?{_YEAR}(?:\s.*)?",
        rf"(?P<day>1[3-9]|2\d|3[01])[/-](?P<month>\d{{1,2}})[/-]{_YEAR}(?:\s.*)?",
        rf"(?P<month>\d{{1,2}})[/-](?P<day>1[3-9]|2\d|3[01])[/-]{_YEAR}(?:\s.*)?",
    )
)
_ANY_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)(?!\d)", re.ASCII)


@lru_cache(2**12)  # the papers of a file share few dates
def read_date(text: str) -> str:
    """Return the unambiguous part of the date in `text` as an ISO date, or "".

    For "03/04/2024" (March or April) and for a season, only the year is unambiguous.

    >>> read_date("2024 Jan 5"), read_date("5 May 2024"), read_date("May 2024"), read_date("2024/7")
    ('2024-01-05', '2024-05-05', '2024-05', '2024-07')
    >>> read_date("5. März 2024"), read_date("3-7 June 2024"), read_date("2024年1月5日")
    ('2024-03-05', '2024-06', '2024-01-05')
    >>> read_date("03/04/2024"), read_date("13/04/2024"), read_date("4.3.2024")
    ('2024', '2024-04-13', '2024-03-04')
    >>> read_date("Spring 2024"), read_date("in press")
    ('2024', '')
    """
    text = " ".join(text.split())[:60]
    for form in _FORMS:
        match = form.fullmatch(text)
        if match and (found := _date_of_match(match.groupdict())):
            return found
    year = _ANY_YEAR.search(text)
    return year[1] if year else ""


@lru_cache(2**12)
def date_of_parts(year: object, month: object = "", day: object = "") -> str:
    """Build an ISO date from separate values, each a number or a text.

    Impossible values are omitted.

    >>> date_of_parts("2024", "feb", 30), date_of_parts(2024, "6"), date_of_parts("", "6")
    ('2024-02', '2024-06', '')
    """
    groups = {"year": str(year or "").strip(), "day": str(day or "").strip()}
    if not re.fullmatch(r"\d{4}", groups["year"], re.ASCII):
        return read_date(groups["year"])[:4]
    word = str(month or "").strip()
    return _date_of_match({**groups, "month" if word.isdecimal() else "word": word})


def _month_number(word: str) -> str:
    """Return the number of a month, found by its first letters; "" for a season."""
    start = "".join(sign for sign in unicodedata.normalize("NFD", word.lower()) if sign.isalpha())
    found = _MONTH_OF.get(start[:4]) or _MONTH_OF.get(start[:3])
    return str(found) if found else ""


def _has_at_most_two_digits(number: str) -> bool:
    return number.isdecimal() and len(number) <= 2


def _date_of_match(groups: dict[str, str | None]) -> str:
    """Return the most precise valid date that the groups of a match allow."""
    year, month, day = groups.get("year") or "", groups.get("month") or "", groups.get("day") or ""
    if word := groups.get("word"):
        month = _month_number(word)
    if not _has_at_most_two_digits(month) or not 1 <= int(month) <= 12:
        return year
    month = f"{int(month):02}"
    if not _has_at_most_two_digits(day):
        return f"{year}-{month}"
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return f"{year}-{month}"


def is_full_date(text: str) -> bool:
    """Return whether a text is a date such as 2026-01-31.

    >>> is_full_date("2026-01-31"), is_full_date("2026-02-30"), is_full_date("2026-01")
    (True, False, False)
    """
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
