"""Small words: numbers, lists, dates and citations as an editor writes them, safe in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from classifier.survey.entry import SurveyPaper
from classifier.survey.facts import Selection
from classifier.taxonomy.model import Category, Facet, TypedColumn

_SIGN = re.compile(r"[\\`*_{}\[\]<>|#]")


def escape_cell(text: str) -> str:
    """Return text that a Markdown line or table cell shows as it is."""
    return " ".join(_SIGN.sub(r"\\\g<0>", text).split())


_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
MONTHS = (
    "January February March April May June July August September October November December"
).split()


# By sound: "an hour", "an umbrella" and "an RCT", but "a user", "a one-off" and "a European".
_SPOKEN_WITH_AN = re.compile(r"[ai]|e(?!u)|o(?!n[ce])|u(?!ni|[bst])|hour|honest", re.IGNORECASE)
_INITIALS = re.compile(r"[A-Z](?=[A-Z])")
_WORD = re.compile(r"\b\w(?!\w*[A-Z\d])\w*")
_LETTERS_WITH_AN = frozenset("AEFHILMNORSX")
_MOST_CITED = 8


def number(value: int) -> str:
    """Return a count in words below ten, in digits from there on.

    >>> number(3), number(1204)
    ('three', '1,204')
    """
    return _SMALL[value] if 0 <= value < len(_SMALL) else f"{value:,}"


def counted(value: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "paper"), counted(12, "paper"), counted(2, "study", "studies")
    ('one paper', '12 papers', 'two studies')
    """
    return f"{number(value)} {singular if value == 1 else plural or singular + 's'}"


def in_figures(number: int, noun: str) -> str:
    """Return a number in figures with its noun.

    >>> in_figures(1, "paper"), in_figures(12, "paper")
    ('1 paper', '12 papers')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def number_or_none(value: int) -> str:
    """Return a count that stands for its noun.

    >>> number_or_none(0), number_or_none(2)
    ('none', 'two')
    """
    return number(value) if value else "none"


def verb(value: int, singular: str, plural: str) -> str:
    """Return the verb form for a count; zero reads as "none", which takes the singular.

    >>> verb(1, "is", "are")
    'is'
    """
    return singular if value <= 1 else plural


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article, by the sound that it begins with.

    >>> with_article("survey"), with_article("analysis"), with_article("RCT")
    ('a survey', 'an analysis', 'an RCT')
    """
    if _INITIALS.match(noun):
        return f"{'an' if noun[0] in _LETTERS_WITH_AN else 'a'} {noun}"
    return f"{'an' if _SPOKEN_WITH_AN.match(noun) else 'a'} {noun}"


def in_prose(name: str) -> str:
    """Return a name as it stands within a sentence: in small letters, but for initials.

    >>> in_prose("Case study"), in_prose("RCT"), in_prose("Pre-registered RCT")
    ('case study', 'RCT', 'pre-registered RCT')
    """
    return _WORD.sub(
        lambda word: word[0] if word[0][1:] != word[0][1:].lower() else word[0].lower(), name
    )


def plural(noun: str) -> str:
    """Return the plural of a noun, by its ending.

    >>> plural("method"), plural("case study"), plural("analysis"), plural("approach")
    ('methods', 'case studies', 'analyses', 'approaches')
    """
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    if noun.endswith("sis"):
        return f"{noun[:-2]}es"
    return f"{noun}{'es' if noun.endswith(('s', 'x', 'ch', 'sh')) else 's'}"


def capitalized(text: str) -> str:
    """Return `text` with a capital first letter, for the start of a sentence."""
    return text[:1].upper() + text[1:]


def join_words(parts: Sequence[str]) -> str:
    """Return a list in prose.

    >>> join_words(["a", "b", "c"])
    'a, b and c'
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def date_in_words(date: str) -> str:
    """Return an ISO date, cut where knowledge ends, as people write it.

    >>> date_in_words("2025-10-05"), date_in_words("2025-10"), date_in_words("2025")
    ('5 October 2025', 'October 2025', '2025')
    """
    year, _, rest = date.partition("-")
    month, _, day = rest.partition("-")
    if not (month.isdigit() and 1 <= int(month) <= 12):
        return year
    month_and_year = f"{MONTHS[int(month) - 1]} {year}"
    return f"{int(day)} {month_and_year}" if day.isdigit() else month_and_year


def markdown_name(item: Category | Facet | TypedColumn) -> str:
    """Return the name of a category, facet or column as Markdown that shows it as it is."""
    return escape_cell(item.name)


def category_link(category: Category) -> str:
    """Return the name of a category, linked to its section."""
    return f"[{markdown_name(category)}](#{category.id})"


def citation(entry: SurveyPaper) -> str:
    """Return the linked reference number of a paper."""
    return f"[{entry.number}](#ref-{entry.number})"


def citations(entries: Sequence[SurveyPaper]) -> str:
    """Return linked reference numbers in brackets, by number."""
    ordered = sorted(entries, key=lambda entry: entry.number)
    return f"\\[{', '.join(map(citation, ordered))}\\]"


def cite_selection(selection: Selection) -> str:
    """Return the linked numbers of the papers selected; a long list leads on to the browse page."""
    if selection.number <= _MOST_CITED + 1:
        return citations(selection.entries)
    shown = ", ".join(citation(entry) for entry in selection.entries[:_MOST_CITED])
    return f"\\[{shown}, … [all {selection.number:,}](browse.html?{selection.id})\\]"
