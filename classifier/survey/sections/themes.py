"""Cross-cutting themes: where categories meet, and how they answer questions that they share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from classifier.survey.document import Block, Section, Table
from classifier.survey.escape import escape_cell
from classifier.survey.facts import Selection
from classifier.survey.survey import Survey, current
from classifier.survey.wording import citations, linked
from classifier.taxonomy.model import Category, Facet

_MIN_MET = 3
_MAX_PAIRS = 10
_MAX_CITED = 14


def themes_sections(material: Survey) -> list[Section]:
    """Return the cross-cutting themes; none where no two categories share a paper or an answer."""
    pairs = [pair for pair in pairs_of(material) if pair.both.number >= _MIN_MET]
    for pair in pairs[:_MAX_PAIRS]:
        material.facts.note(pair.both.id)
    blocks: list[Block] = [
        *pairs_table(pairs),
        *(answers_table(material, facet) for facet in shared_facets(material)),
    ]
    return [Section("themes", "Cross-cutting themes", 1, tuple(blocks))] if blocks else []


def pairs_table(pairs: list[Pair]) -> list[Table]:
    """Return the pairs of categories that share most papers, with these papers."""
    rows = tuple(
        (
            f"{linked(pair.one)} · {linked(pair.other)}",
            str(pair.both.number),
            citations(pair.both.entries, _MAX_CITED),
        )
        for pair in pairs[:_MAX_PAIRS]
    )
    if not rows:
        return []
    return [
        Table(
            "pairs",
            "Which two categories meet most often in one paper, and in which papers? (pairs with "
            f"{_MIN_MET} papers or more; at most {_MAX_PAIRS})",
            ("Categories", "Papers", "Which"),
            rows,
            numeric=(1,),
        )
    ]


def shared_facets(material: Survey) -> list[Facet]:
    """Return the facets that are asked in several categories, but not in all."""
    return [
        facet
        for facet in material.taxonomy.facets.values()
        if len(set(facet.applies_to)) > 1
        and any(material.facts.select((facet.id, c.id)).number for c in current(facet.categories))
    ]


def answers_table(material: Survey, facet: Facet) -> Table:
    """Return the answers to a facet, by category under which the papers are filed."""
    topics = [c for c in material.in_scope if c.id in facet.applies_to]
    facts = material.facts

    def row(name: str, answer: str) -> tuple[str, ...]:
        counts = [facts.count((facet.id, answer), filed=topic.id) for topic in topics]
        every = facts.count((facet.id, answer))
        return (name, *(str(n) if n else "" for n in (*counts, every)))

    return Table(
        f"answers-{facet.id}",
        f"{escape_cell(facet.name)}: in how many papers filed in each category was a cue for which "
        "answer found, and in how many of all that were asked?",
        (escape_cell(facet.name), *(linked(topic) for topic in topics), "All asked"),
        tuple(row(escape_cell(c.name), c.id) for c in current(facet.categories)),
        numeric=tuple(range(1, len(topics) + 2)),
    )


class Pair(NamedTuple):
    """Two categories of the first facet, in the order of the taxonomy."""

    one: Category
    other: Category
    both: Selection
    """The papers that belong to both, wherever they are filed."""


def pairs_of(material: Survey) -> Sequence[Pair]:
    """Return every pair of categories in scope, those that meet most first."""
    topic, facts = material.first.id, material.facts
    pairs = [
        Pair(one, other, facts.select((topic, one.id), (topic, other.id)))
        for one, other in combinations(material.in_scope, 2)
    ]
    return sorted(pairs, key=lambda pair: (-pair.both.number, pair.one.id, pair.other.id))
