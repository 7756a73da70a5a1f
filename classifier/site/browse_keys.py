"""What the browse page asks of papers: the keys of queries with their values, named for readers.

The keys and values are those of `classifier.survey.facts.entry_terms`, so that a query that gives a
number of the survey lists exactly the papers that the number counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from classifier.survey.facts import NONE, UNDATED, Term, entry_terms
from classifier.survey.names import UNSOLVED
from classifier.survey.survey import Survey
from classifier.survey.wording import date_in_words, in_prose
from classifier.taxonomy.model import Facet, name_from_id

_FIXED: Mapping[str, tuple[str, tuple[tuple[str, str, str], ...]]] = {
    "code": (
        "Code",
        (
            ("linked", "linked", "with a link to code"),
            ("announced", "announced, no link", "that announce code without a link"),
            ("yes", "either of both", "with code"),
            ("no", "none", "without code"),
        ),
    ),
    "result": (
        "Result",
        (
            ("stated", "a figure recognised", "with a figure recognised in their results"),
            ("not-stated", "none recognised", "without a figure recognised in their results"),
        ),
    ),
    "status": (
        "Labels",
        (
            ("reviewed", "reviewed", "with reviewed labels"),
            ("imported", "imported", "filed as their source files them"),
            ("confident", "confident", "with confident labels"),
            ("provisional", "provisional", "with provisional labels"),
        ),
    ),
    "key": (
        "Key papers",
        (("yes", "key papers", "marked as key papers"), ("no", "others", "not marked as key")),
    ),
    "several": (
        "{facet}: how many",
        (
            ("yes", "two or more", "with two or more of {facet}"),
            ("no", "one", "with just one of {facet}"),
        ),
    ),
    "text": (
        "Labelled from",
        (
            ("abstract", "abstract", "labelled from an abstract"),
            ("digest", "digest", "labelled from a digest"),
            ("none", "title alone", "labelled from the title alone"),
        ),
    ),
}
_BEFORE_DATES = ("code", "result", "key", "status")
_AFTER_DATES = ("several", "text")


Value = tuple[str, str, str]
"""Id; as it stands below the name of its key; as it stands behind "12 papers"."""


@dataclass(frozen=True, slots=True)
class BrowseKey:
    """Something asked of every paper."""

    id: str
    name: str
    values: tuple[Value, ...]
    """In the order in which they are listed."""
    many: bool = False
    """Whether a paper may have several values; one of the others replaces the chosen value."""
    kind: bool = False
    """Whether the value is printed with each paper, as its kind of contribution is."""
    searched: bool = False
    """Whether the labels are found by searching for their words."""
    nested: bool = False
    """Whether the ids are those of categories, children below their parents."""
    long: bool = False
    """Whether only the first values are listed until a reader asks for more."""
    open: bool = False
    """Whether its values are listed from the start."""


def browse_keys(edition: Survey) -> list[BrowseKey]:
    """Return the keys in the order of the page: labels, names, dates, the rest.

    Every category in use is a value, with papers or without; of the other keys the values that some
    paper has.
    """
    taxonomy = edition.taxonomy
    found = Counter(term for entry in edition.entries for term in entry_terms(taxonomy, entry))
    first, *others = taxonomy.facets.values()
    topics = _categories(first, found, first.id, "about {}")
    filed = _categories(first, found, "filed", "filed under {}")
    tops = tuple(value for value in filed if "/" not in value[0])
    keys = [
        BrowseKey(first.id, first.name, topics, many=True, searched=True, nested=True, open=True),
        BrowseKey("filed", "Filed under", tops),
    ]
    for facet in others:
        values = _categories(facet, found, facet.id, f"{in_prose(facet.name)}: {{}}")
        single = facet.kind == "single"
        keys.append(
            BrowseKey(
                facet.id, facet.name, values, many=not single, kind=single, searched=True,
                nested=True, open=single,
            )
        )  # fmt: skip
    keys += [_lexicon(name, found) for name in taxonomy.lexicons if name not in taxonomy.facets]
    keys += [_fixed(key, first) for key in _BEFORE_DATES]
    keys += [_dates(key, found) for key in ("year", "quarter", "month")]
    keys += [_fixed(key, first) for key in _AFTER_DATES]
    for key in sorted({key for key, _ in found} - {key.id for key in keys}):
        name = name_from_id(key)  # it has no words of its own here
        further = sorted(value for one, value in found if one == key)
        named = tuple((value, value, f"{name.lower()}: {value}") for value in further)
        keys.append(BrowseKey(key, name, named, many=True, long=True))
    return keys


def _categories(facet: Facet, found: Counter[Term], key: str, phrase: str) -> tuple[Value, ...]:
    """Return the categories in use, and what else papers are found under.

    phrase: as it stands behind "12 papers", with `{}` for the name.
    """
    names = {category.id: category.name for category in facet.walk()}
    for other in sorted(value for name, value in found if name == key and value not in names):
        category = facet.get(other)  # a retired one, or none at all
        names[other] = "none found" if other == NONE else category.name if category else other
    return tuple((value, name, phrase.replace("{}", name)) for value, name in names.items())


def _lexicon(lexicon: str, found: Counter[Term]) -> BrowseKey:
    counts = {value: count for (key, value), count in found.items() if key == lexicon}
    names = sorted(counts, key=lambda name: (name == NONE, -counts[name], name.casefold(), name))
    if lexicon == UNSOLVED:
        told = [(n, n, f"said to be unsolved: {n}") for n in names if n != NONE]
        return BrowseKey(lexicon, "Said to be unsolved", tuple(told), many=True, long=True)
    values = (
        (name, "none named", f"without {name_from_id(lexicon).lower()} named")
        if name == NONE
        else (name, name, f"naming {name}")
        for name in names
    )
    return BrowseKey(
        lexicon, name_from_id(lexicon), tuple(values), many=True, searched=True, long=True
    )


def _dates(key: str, found: Counter[Term]) -> BrowseKey:
    dates = sorted((value for name, value in found if name == key), reverse=True)
    dated = [(d, _in_words(d), f"of {_in_words(d)}") for d in dates if d != UNDATED]
    undated = (UNDATED, "undated", f"without a {key}")
    name = name_from_id(key)
    return BrowseKey(key, name, (*dated, *([undated] if UNDATED in dates else [])), long=True)


def _in_words(date: str) -> str:
    """Return a date in words, "Q3 2025" of a quarter."""
    year, _, quarter = date.partition("-Q")
    return f"Q{quarter} {year}" if quarter else date_in_words(date)


def _fixed(key: str, first: Facet) -> BrowseKey:
    name, values = _FIXED[key]
    named = tuple(
        (value, label, phrase.replace("{facet}", in_prose(first.name)))
        for value, label, phrase in values
    )
    return BrowseKey(key, name.replace("{facet}", first.name), named, many=key == "code")
