"""Every number that the survey prints, with the query that gives it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import parse_qsl, quote

from classifier.survey.entry import SurveyPaper
from classifier.survey.keys import FILED, KEYS
from classifier.survey.names import UNSOLVED
from classifier.taxonomy.model import Taxonomy

Value = int | float | str


@dataclass(frozen=True, slots=True)
class Fact:
    """A value and, in words, how it was computed."""

    value: Value
    query: str


@dataclass(frozen=True, slots=True)
class Selection:
    """The papers for which a query holds."""

    id: str
    """The query, which is the id of the fact."""
    number: int
    """How many papers."""
    entries: Sequence[SurveyPaper]
    """The papers, by reference number."""


@dataclass(slots=True)
class Facts:
    """Facts by id. A record that grows: whoever prints a number leaves it here with its query.

    To select papers notes nothing, since most selections are only weighed against one another; to
    `count` them does, and what a sentence names as its source is noted when the document stands.
    """

    entries: Sequence[SurveyPaper]
    by_id: dict[str, Fact] = field(default_factory=dict)
    _holding: dict[Term, set[int]] = field(default_factory=dict)
    """Term -> the places in `entries` of the papers for which it holds."""
    _asked: dict[str, Selection] = field(default_factory=dict)
    """Query -> its papers: sections ask for the same ones again."""

    def add(self, fact_id: str, value: Value, query: str) -> None:
        """Note a fact that is no count of papers; an id is given once."""
        if fact_id in self.by_id:
            raise ValueError(f"fact {fact_id} stands twice")
        self.by_id[fact_id] = Fact(value, query)

    def number(self, fact_id: str) -> int:
        """Return a counted fact."""
        value = self.by_id[fact_id].value
        assert isinstance(value, int)
        return value

    def text(self, fact_id: str) -> str:
        """Return a fact as text."""
        return str(self.by_id[fact_id].value)

    def select(self, *terms: Term, **named: str) -> Selection:
        """Return the papers for which all terms hold.

        >>> facts.select(filed="benchmarks", code="yes").number  # doctest: +SKIP
        12
        """
        asked = [*terms, *named.items()]
        identifier = query_id(asked)
        if identifier in self._asked:
            return self._asked[identifier]
        held = sorted((self._holding.get(term, set()) for term in asked), key=len)
        places = sorted(held[0].intersection(*held[1:])) if held else range(len(self.entries))
        found = Selection(identifier, len(places), [self.entries[place] for place in places])
        self._asked[identifier] = found
        return found

    def count(self, *terms: Term, **named: str) -> int:
        """Return for how many papers all terms hold, and note it as a fact."""
        selection = self.select(*terms, **named)
        self.note(selection.id)
        return selection.number

    def note(self, query: str) -> None:
        """Note for how many papers a query holds as a fact, unless it stands already."""
        if query not in self.by_id:
            terms = terms_of(query)
            self.by_id[query] = Fact(self.select(*terms).number, in_words(terms))

    def values(self, key: str) -> list[str]:
        """Return the values of a key that some paper has, sorted."""
        return sorted(value for found, value in self._holding if found == key)


def facts_about(taxonomy: Taxonomy, entries: Sequence[SurveyPaper]) -> Facts:
    """Return an empty record of facts about these papers."""
    facts = Facts(entries)
    for place, entry in enumerate(entries):
        for term in entry_terms(taxonomy, entry):
            facts._holding.setdefault(term, set()).add(place)
    return facts


def ids_in(source: str) -> list[str]:
    """Return the facts that the source of a sentence names, the inverse of `fact_ids`."""
    kind, _, listed = source.partition(": ")
    return listed.split(", ") if kind == "facts" else []


def fact_ids(sources: Iterable[Selection | str]) -> str:
    """Return the source of a computed sentence: the facts that it states."""
    return "facts: " + ", ".join(s if isinstance(s, str) else s.id for s in sources)


Term = tuple[str, str]
"""A key and its value, such as ("filed", "benchmarks"); see `entry_terms`."""


def query_id(terms: Iterable[Term]) -> str:
    """Return the query as the browse page reads it behind its `?`; the order of terms is no matter.

    >>> query_id([("filed", "benchmarks"), ("code", "yes")])
    'code=yes&filed=benchmarks'
    >>> query_id([])
    'all'
    """
    return "&".join(sorted(_written(term) for term in set(terms))) or "all"


@lru_cache(maxsize=2**14)  # few terms make up many queries
def _written(term: Term) -> str:
    key, value = term
    return f"{quote(key, safe='')}={quote(value, safe='/')}"


def terms_of(query: str) -> list[Term]:
    """Return the terms of a query.

    >>> terms_of("benchmarks=Mind2Web&filed=gui-agents")
    [('benchmarks', 'Mind2Web'), ('filed', 'gui-agents')]
    """
    return [] if query == "all" else parse_qsl(query, keep_blank_values=True, strict_parsing=True)


def in_words(terms: Iterable[Term]) -> str:
    """Return what a query counts, in words.

    >>> in_words([("filed", "benchmarks"), ("code", "yes")])
    'papers with code yes, filed benchmarks'
    """
    named = ", ".join(f"{key} {value}" for key, value in sorted(set(terms)))
    return f"papers with {named}" if named else "papers in the survey"


NONE = "none"


def entry_terms(taxonomy: Taxonomy, entry: SurveyPaper) -> Iterator[Term]:
    """Yield every term that holds for a paper."""
    yield FILED, entry.first.primary
    for facet_id in taxonomy.facets:
        labels = entry.labels.facets.get(facet_id)
        if labels is not None:
            yield from ((facet_id, category) for category in labels.categories or (NONE,))
    for lexicon, names in entry.names.items():
        yield from ((lexicon, name) for name in names or (() if lexicon == UNSOLVED else (NONE,)))
    for key in KEYS:
        yield from ((key.id, value) for value in key.answers(entry))
