"""The facts: every number that the survey prints, with the query that counts it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote

from classifier.survey.entry import SurveyPaper
from classifier.survey.table import Rows, Term, rows_by_term, survey_table
from classifier.taxonomy.model import Taxonomy

if TYPE_CHECKING:
    from pandas import DataFrame

Value = int | float | str


@dataclass(frozen=True, slots=True)
class Fact:
    """A value, and how to compute it from the published files."""

    value: Value
    query: str
    """One of the forms that docs/proof.md lists."""
    meaning: str
    """The query in words."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The papers that a query finds."""

    id: str
    """The query, which is the id of the fact."""
    number: int
    """Number of papers."""
    entries: Sequence[SurveyPaper]
    """The papers, by reference number."""


@dataclass(slots=True)
class Facts:
    """Facts by id, and the table of papers in which they are counted.

    Every number that the survey prints is added while its sections are written: `count` records a
    fact, `select` does not. When the document is complete, `assemble` also adds the facts that are
    named in the sources of sentences.
    """

    entries: Sequence[SurveyPaper]
    table: DataFrame
    """One row per paper of `entries`; see `survey_table`."""
    rows: Rows
    by_id: dict[str, Fact] = field(default_factory=dict)
    _selections: dict[str, Selection] = field(default_factory=dict)
    """Papers by query; a cache, because sections repeat queries."""

    def add(self, fact_id: str, value: Value, query: str, meaning: str) -> None:
        """Add a fact whose id is not its query; raise ValueError if the id already exists."""
        if fact_id in self.by_id:
            raise ValueError(f"the fact {fact_id} exists already")
        self.by_id[fact_id] = Fact(value, query, meaning)

    def number(self, fact_id: str) -> int:
        """Return the value of a fact that is a number of papers or records."""
        value = self.by_id[fact_id].value
        assert isinstance(value, int)
        return value

    def text(self, fact_id: str) -> str:
        """Return the value of a fact as text."""
        return str(self.by_id[fact_id].value)

    def select(self, *terms: Term, **keyword_terms: str) -> Selection:
        """Return the papers that have all terms; if there are no terms, all papers.

        >>> facts.select(filed="benchmarks", code="yes").number  # doctest: +SKIP
        12
        """
        query_terms = [*terms, *keyword_terms.items()]
        identifier = query_id(query_terms)
        if identifier in self._selections:
            return self._selections[identifier]
        smallest_first = sorted((self.rows.get(term, _NO_ROWS) for term in query_terms), key=len)
        places: Sequence[int] = range(len(self.entries))
        if smallest_first:
            places = sorted(frozenset.intersection(*smallest_first))
        found = Selection(identifier, len(places), [self.entries[place] for place in places])
        self._selections[identifier] = found
        return found

    def count(self, *terms: Term, **keyword_terms: str) -> int:
        """Return the number of papers that have all terms, and record it as a fact."""
        selection = self.select(*terms, **keyword_terms)
        self.record(selection.id)
        return selection.number

    def record(self, query: str) -> None:
        """Record as a fact the number of papers that match a query, unless it already exists."""
        if query not in self.by_id:
            terms = terms_of(query)
            self.by_id[query] = Fact(self.select(*terms).number, query, describe_query(terms))

    def values(self, key: str) -> list[str]:
        """Return the values of a key that at least one paper has, sorted."""
        return sorted(value for name, value in self.rows if name == key)

    def terms_by_row(self) -> list[set[Term]]:
        """Return the terms of each paper, in the order of `entries`."""
        terms: list[set[Term]] = [set() for _ in self.entries]
        for term, rows in self.rows.items():
            for row in rows:
                terms[row].add(term)
        return terms


_NO_ROWS: frozenset[int] = frozenset()
STATED = "stated"
"""The query of a fact that cannot be counted in a published file, such as the number of files."""


def new_facts(taxonomy: Taxonomy, entries: Sequence[SurveyPaper]) -> Facts:
    """Return a record for facts about these papers, without facts.

    Hidden facets have no terms.
    """
    table = survey_table(taxonomy, entries)
    return Facts(entries, table, rows_by_term(taxonomy.visible, table))


def fact_ids_in(source: str) -> list[str]:
    """Return the ids of the facts in a sentence's source; [] for other kinds of sources.

    >>> fact_ids_in("facts: papers.total, filed=tools")
    ['papers.total', 'filed=tools']
    """
    kind, _, listed = source.partition(": ")
    return listed.split(", ") if kind == "facts" else []


def facts_source(sources: Iterable[Selection | str]) -> str:
    """Return the source of a computed sentence: a list of the ids of its facts.

    >>> facts_source(["papers.total", "filed=tools"])
    'facts: papers.total, filed=tools'
    """
    return "facts: " + ", ".join(s if isinstance(s, str) else s.id for s in sources)


def query_id(terms: Iterable[Term]) -> str:
    """Return the query with these terms, sorted, as in the address of the browse page.

    >>> query_id([("filed", "benchmarks"), ("code", "yes")])
    'code=yes&filed=benchmarks'
    >>> query_id([])
    'all'
    """
    return "&".join(sorted(_encode_term(term) for term in set(terms))) or "all"


@lru_cache(maxsize=2**14)  # few terms make up many queries
def _encode_term(term: Term) -> str:
    """Return a term as part of an address."""
    key, value = term
    return f"{quote(key, safe='')}={quote(value, safe='/')}"


def terms_of(query: str) -> list[Term]:
    """Return the terms in a query; [] for `all`.

    >>> terms_of("benchmarks=Mind2Web&filed=gui-agents")
    [('benchmarks', 'Mind2Web'), ('filed', 'gui-agents')]
    """
    return [] if query == "all" else parse_qsl(query, keep_blank_values=True, strict_parsing=True)


def describe_query(terms: Iterable[Term]) -> str:
    """Describe the papers that a query finds.

    >>> describe_query([("filed", "benchmarks"), ("code", "yes")])
    'papers with code yes, filed benchmarks'
    """
    listed = ", ".join(f"{key} {value}" for key, value in sorted(set(terms)))
    return f"papers with {listed}" if listed else "papers in the survey"
