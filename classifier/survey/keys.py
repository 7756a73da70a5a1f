"""The keys of queries that every survey has, besides its facets and lexicons.

Facts, the filters of the browse page and `export --query` use them. Each id is also listed in
`taxonomy/reserved.py`, because a facet must not have the same id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from classifier.survey.entry import SurveyPaper

UNDATED = "undated"
"""The value of a date key for papers without a date."""
FILED = "filed"
"""The key of the category under which a paper is filed: its primary in the first facet."""

Value = tuple[str, str, str]
"""(id, label in the filter, text after a count: "12 papers" + "with a link to code")."""


@dataclass(frozen=True, slots=True)
class Key:
    """A property of papers; in its texts, `{facet}` is replaced by the name of the first facet."""

    id: str
    name: str
    values_of: Callable[[SurveyPaper], Iterable[str]]
    """Function that returns the ids of a paper's values."""
    values: tuple[Value, ...] = ()
    """Possible values, in display order; if empty, the values that occur in papers."""
    phrase: str = "with {}"
    """Text after a count for values that are not in `values`."""
    is_multiple: bool = False
    """Whether a paper may have several values."""


def quarter_of(month: str) -> str:
    """Return the quarter of a month.

    >>> quarter_of("2025-08")
    '2025-Q3'
    """
    return f"{month[:4]}-Q{(int(month[5:]) + 2) // 3}"


def _quarter_value(entry: SurveyPaper) -> str:
    """Yield the quarter of a paper's date."""
    month = entry.paper.published.month
    return quarter_of(month) if month else UNDATED


def _has_code_value(entry: SurveyPaper) -> Iterable[str]:
    """Yield whether a paper has code."""
    if not entry.code:
        return ("no", *entry.released)
    return ("yes", "linked" if entry.code == "linked" else "announced", *entry.released)


def _yes_or_no(condition: bool) -> Iterable[str]:
    """Yield `yes` or `no`."""
    return ("yes" if condition else "no",)


KEYS = (
    Key(
        "code",
        "Code and releases",
        _has_code_value,
        (
            ("linked", "linked", "with a link to code"),
            (
                "announced",
                "said to be released, or to follow",
                "that say code is released without a link",
            ),
            ("yes", "either of both", "with code"),
            ("no", "no code", "without code"),
            ("models", "models said to be released", "that say models are released"),
            ("data", "data said to be released", "that say data are released"),
        ),
        is_multiple=True,
    ),
    Key(
        "result",
        "Result",
        lambda entry: ("stated" if entry.result else "not-stated",),
        (
            ("stated", "a figure recognised", "with a figure recognised in their results"),
            ("not-stated", "none recognised", "without a figure recognised in their results"),
        ),
    ),
    Key(
        "key",
        "Key papers",
        lambda entry: _yes_or_no(entry.key is not None),
        (("yes", "key papers", "marked as key papers"), ("no", "others", "not marked as key")),
    ),
    Key(
        "status",
        "Labels",
        lambda entry: (entry.first.status,),
        (
            ("reviewed", "reviewed", "with reviewed labels"),
            ("imported", "imported", "filed as their source files them"),
            ("confident", "confident", "with confident labels"),
            ("provisional", "provisional", "with provisional labels"),
        ),
    ),
    Key(
        "year",
        "Year",
        lambda entry: (entry.paper.published.year or UNDATED,),
        phrase="of {}",
    ),
    Key("quarter", "Quarter", lambda entry: (_quarter_value(entry),), phrase="of {}"),
    Key("month", "Month", lambda entry: (entry.paper.published.month or UNDATED,), phrase="of {}"),
    Key(
        "several",
        "{facet}: how many",
        lambda entry: _yes_or_no(len(entry.first.top_categories) > 1),
        (
            ("yes", "two or more", "with two or more of {facet}"),
            ("no", "one", "with just one of {facet}"),
        ),
    ),
    Key(
        "text",
        "Labelled from",
        lambda entry: (entry.paper.abstract_kind,),
        (
            ("abstract", "abstract", "labelled from an abstract"),
            ("digest", "digest", "labelled from a digest"),
            ("none", "title alone", "labelled from the title alone"),
        ),
    ),
)
"""All keys, in the order of the browse page."""
NAMES = frozenset({FILED, *(key.id for key in KEYS)})
"""All keys that are neither a facet nor a lexicon."""
PAGE_PARAMETERS = frozenset({"q", "sort", "page"})
"""Parameters of the browse page that are not keys: search words, order, page number."""
