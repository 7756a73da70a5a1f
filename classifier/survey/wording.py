"""Format numbers, lists, names, dates and citations for prose in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from classifier.survey.entry import SurveyPaper
from classifier.survey.facts import Selection
from classifier.taxonomy.model import Category, Facet, TypedColumn

_MARKUP = re.compile(r"[\\`*_{}\[\]<>|#]")


def escape_cell(text: str) -> str:
    """Escape a text for a line or a table cell in Markdown, with single blanks."""
    return " ".join(_MARKUP.sub(r"\\\g<0>", text).split())


_NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
MONTHS = (
    "January February March April May June July August September October November December"
).split()


# The article follows the sound: "an hour", "an umbrella", but "a user", "a one-off", "a European".
_VOWEL_SOUND = re.compile(r"[ai]|e(?!u)|o(?!n[ce])|u(?!ni|[bst])|hour|honest", re.IGNORECASE)
_INITIALS = re.compile(r"[A-Z](?=[A-Z])")
_WORD = re.compile(r"\b\w(?!\w*[A-Z\d])\w*")
_LETTERS_WITH_VOWEL_SOUND = frozenset("AEFHILMNORSX")
_MAX_CITED = 8
"""Maximum number of references in a citation; a longer one ends with a link to all papers."""


def count_in_words(count: int) -> str:
    """Return a count in words below ten, else in digits.

    >>> count_in_words(3), count_in_words(1204)
    ('three', '1,204')
    """
    return _NUMBER_WORDS[count] if 0 <= count < len(_NUMBER_WORDS) else f"{count:,}"


def count_with_noun(value: int, singular: str, plural: str = "") -> str:
    """Return a count with its noun; counts below ten are in words.

    >>> count_with_noun(1, "paper"), count_with_noun(2, "study", "studies")
    ('one paper', 'two studies')
    """
    return f"{count_in_words(value)} {singular if value == 1 else plural or singular + 's'}"


def count_in_digits(number: int, noun: str) -> str:
    """Return a count with its noun, always in digits.

    >>> count_in_digits(1, "paper"), count_in_digits(12, "paper")
    ('1 paper', '12 papers')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def count_or_none(count: int) -> str:
    """Return a count without its noun; counts below ten are in words, and zero is "none".

    >>> count_or_none(0), count_or_none(2)
    ('none', 'two')
    """
    return count_in_words(count) if count else "none"


def verb_for_count(count: int, singular: str, plural: str) -> str:
    """Return `singular` for a count of one or zero ("none is"), else `plural`.

    >>> verb_for_count(1, "is", "are")
    'is'
    """
    return singular if count <= 1 else plural


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article.

    >>> with_article("survey"), with_article("analysis"), with_article("RCT")
    ('a survey', 'an analysis', 'an RCT')
    """
    if _INITIALS.match(noun):
        return f"{'an' if noun[0] in _LETTERS_WITH_VOWEL_SOUND else 'a'} {noun}"
    return f"{'an' if _VOWEL_SOUND.match(noun) else 'a'} {noun}"


def name_in_prose(name: str) -> str:
    """Return a name in lower case for use in a sentence; abbreviations keep their capitals.

    >>> name_in_prose("Case study"), name_in_prose("RCT"), name_in_prose("Pre-registered RCT")
    ('case study', 'RCT', 'pre-registered RCT')
    """
    return _WORD.sub(
        lambda word: word[0] if word[0][1:] != word[0][1:].lower() else word[0].lower(), name
    )


def plural(noun: str) -> str:
    """Return the regular plural of a noun.

    >>> plural("method"), plural("case study"), plural("analysis"), plural("approach")
    ('methods', 'case studies', 'analyses', 'approaches')
    """
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    if noun.endswith("sis"):
        return f"{noun[:-2]}es"
    return f"{noun}{'es' if noun.endswith(('s', 'x', 'ch', 'sh')) else 's'}"


def capitalise(text: str) -> str:
    """Return `text` with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def join_words(parts: Sequence[str]) -> str:
    """Join words to a list for prose.

    >>> join_words(["a", "b", "c"])
    'a, b and c'
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def date_in_words(date: str) -> str:
    """Return an ISO date in words, to the day, the month or the year.

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
    """Return the name of a category, facet or column, escaped for Markdown."""
    return escape_cell(item.name)


def category_link(category: Category) -> str:
    """Return the name of a category as a link to its section."""
    return f"[{markdown_name(category)}](#{category.id})"


def quotation(entry: SurveyPaper, words: str) -> str:
    """Return words of a paper in quotation marks; without marks if they are from a digest."""
    return words if entry.paper.abstract_kind == "digest" else f"“{words}”"


def citation_link(entry: SurveyPaper) -> str:
    """Return the reference number of a paper as a link: `[12](#ref-12)`."""
    return f"[{entry.number}](#ref-{entry.number})"


def citation_links(entries: Sequence[SurveyPaper]) -> str:
    """Return linked reference numbers in brackets, sorted."""
    ordered = sorted(entries, key=lambda entry: entry.number)
    return f"\\[{', '.join(map(citation_link, ordered))}\\]"


def cite_selection(selection: Selection) -> str:
    """Return the linked reference numbers of a selection.

    A long list is cut, and ends with a link to all its papers on the browse page.
    """
    if selection.number <= _MAX_CITED + 1:
        return citation_links(selection.entries)
    first = ", ".join(citation_link(entry) for entry in selection.entries[:_MAX_CITED])
    return f"\\[{first}, … [all {selection.number:,}](browse.html?{selection.id})\\]"
