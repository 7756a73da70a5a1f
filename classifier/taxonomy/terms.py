"""What a survey asks of each paper beside its labels: every question is declared here.

From these follow the terms of facts and queries, the keys of the browse page, what `export --query`
knows, and the ids that no facet may bear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from classifier.papers.paper import Paper
from classifier.taxonomy.columns import Labels

UNDATED = "undated"
"""The value of a date that is not known."""
FILED = "filed"
"""The key of the category under which a paper is filed; its values are those of the first facet."""

Value = tuple[str, str, str]
"""Id; as it stands below the name of its key; as it stands behind "12 papers"."""


class Asked(Protocol):
    """What is asked of a paper: see `survey.entry.SurveyPaper`."""

    @property
    def paper(self) -> Paper:
        """The paper itself."""

    @property
    def first(self) -> Labels:
        """Its labels in the first facet."""

    @property
    def code(self) -> str:
        """`linked`, what its text says of code without a link, or ""."""

    @property
    def released(self) -> Iterable[str]:
        """Which of `models` and `data` its text says are released."""

    @property
    def result(self) -> str:
        """A sentence that states a result as a number, or ""."""

    @property
    def key(self) -> object:
        """By whom it is marked as a key paper, or None."""


@dataclass(frozen=True, slots=True)
class Key:
    """A question with its answers; `{facet}` in a text is the name of the first facet."""

    id: str
    name: str
    answers: Callable[[Asked], Iterable[str]]
    """The ids of the values that hold for a paper."""
    values: tuple[Value, ...] = ()
    """All values, in the order in which they are listed; none: those that papers have."""
    phrase: str = "with {}"
    """How a value that is not listed here stands behind "12 papers"."""
    many: bool = False
    """Whether a paper may have several values."""


def quarter_of(month: str) -> str:
    """Return the quarter of a month.

    >>> quarter_of("2025-08")
    '2025-Q3'
    """
    return f"{month[:4]}-Q{(int(month[5:]) + 2) // 3}"


def _quarter(asked: Asked) -> str:
    month = asked.paper.published.month
    return quarter_of(month) if month else UNDATED


def _code(asked: Asked) -> Iterable[str]:
    if not asked.code:
        return ("no", *asked.released)
    return ("yes", "linked" if asked.code == "linked" else "announced", *asked.released)


def _yes(holds: bool) -> Iterable[str]:
    return ("yes" if holds else "no",)


KEYS = (
    Key(
        "code",
        "Code and releases",
        _code,
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
        many=True,
    ),
    Key(
        "result",
        "Result",
        lambda asked: ("stated" if asked.result else "not-stated",),
        (
            ("stated", "a figure recognised", "with a figure recognised in their results"),
            ("not-stated", "none recognised", "without a figure recognised in their results"),
        ),
    ),
    Key(
        "key",
        "Key papers",
        lambda asked: _yes(asked.key is not None),
        (("yes", "key papers", "marked as key papers"), ("no", "others", "not marked as key")),
    ),
    Key(
        "status",
        "Labels",
        lambda asked: (asked.first.status,),
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
        lambda asked: (asked.paper.published.year or UNDATED,),
        phrase="of {}",
    ),
    Key("quarter", "Quarter", lambda asked: (_quarter(asked),), phrase="of {}"),
    Key("month", "Month", lambda asked: (asked.paper.published.month or UNDATED,), phrase="of {}"),
    Key(
        "several",
        "{facet}: how many",
        lambda asked: _yes(len(asked.first.top_categories) > 1),
        (
            ("yes", "two or more", "with two or more of {facet}"),
            ("no", "one", "with just one of {facet}"),
        ),
    ),
    Key(
        "text",
        "Labelled from",
        lambda asked: (asked.paper.abstract_kind,),
        (
            ("abstract", "abstract", "labelled from an abstract"),
            ("digest", "digest", "labelled from a digest"),
            ("none", "title alone", "labelled from the title alone"),
        ),
    ),
)
"""In the order of the browse page."""
NAMES = frozenset({FILED, *(key.id for key in KEYS)})
"""Every key that is no facet and no lexicon."""
OF_THE_PAGE = frozenset({"q", "sort", "page"})
"""What else stands in an address of the browse page: words to find, and how papers are shown."""
