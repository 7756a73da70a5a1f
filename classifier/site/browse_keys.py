"""What the browse page asks of papers: the keys of queries with their values, named for readers.

The keys and values are those of `classifier.survey.facts.entry_terms`, so that a query that gives a
number of the survey lists exactly the papers that the number counts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from classifier.survey.facts import NONE, Term, entry_terms
from classifier.survey.names import UNSOLVED
from classifier.survey.survey import Survey
from classifier.survey.wording import date_in_words, in_prose
from classifier.taxonomy.model import Facet, name_from_id
from classifier.taxonomy.terms import FILED, KEYS, UNDATED, Key, Value


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
    """Return the keys in the order of the page: labels, names, the rest.

    Every category in use is a value, with papers or without.
    """
    taxonomy = edition.taxonomy
    found = Counter(term for entry in edition.entries for term in entry_terms(taxonomy, entry))
    first, *others = taxonomy.facets.values()
    topics = _categories(first, found, first.id, "about {}")
    filed = _categories(first, found, FILED, "filed under {}")
    tops = tuple(value for value in filed if "/" not in value[0])
    keys = [
        BrowseKey(first.id, first.name, topics, many=True, searched=True, nested=True, open=True),
        BrowseKey(FILED, "Filed under", tops),
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
    keys += [_asked(key, first, found) for key in KEYS]
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


def _asked(key: Key, first: Facet, found: Counter[Term]) -> BrowseKey:
    name = key.name.replace("{facet}", first.name)
    listed = key.values or _open_values(key, found)
    told = [
        (v, label, phrase.replace("{facet}", in_prose(first.name))) for v, label, phrase in listed
    ]
    return BrowseKey(key.id, name, tuple(told), many=key.many, long=not key.values)


def _open_values(key: Key, found: Counter[Term]) -> list[Value]:
    """Return the values that papers have, the latest or largest first."""
    held = sorted(
        (value for name, value in found if name == key.id and value != UNDATED),
        key=lambda value: (len(value), value),
        reverse=True,
    )
    named = [(value, _in_words(value), key.phrase.format(_in_words(value))) for value in held]
    undated = (UNDATED, "undated", f"without a {key.id}")
    return [*named, *([undated] if (key.id, UNDATED) in found else [])]


def _in_words(value: str) -> str:
    """Return a date in words, "Q3 2025" of a quarter."""
    year, _, quarter = value.partition("-Q")
    return f"Q{quarter} {year}" if quarter else date_in_words(value)
