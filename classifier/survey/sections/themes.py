"""Cross-cutting themes: where categories meet, and what papers of many of them share."""

from __future__ import annotations

from classifier.survey.document import Block, Section, Table
from classifier.survey.draft import Draft, computed, paragraphs
from classifier.survey.escape import escape_cell
from classifier.survey.facts.facts import Selection
from classifier.survey.facts.terms import NONE
from classifier.survey.material import Material, current
from classifier.survey.pairs import Pair, pairs_of
from classifier.survey.sections.abstract import ranked
from classifier.survey.sections.contributions import FACET as CONTRIBUTION
from classifier.survey.sections.names import across_draft
from classifier.survey.wording import (
    citations,
    counted,
    how_many,
    in_prose,
    joined,
    linked,
    number,
    verb,
    with_article,
)
from classifier.taxonomy.model import Category, Facet

_LEAST_MET = 3
_MOST_PAIRS = 10
_MOST_SAID = 3
_MOST_CITED = 14


def themes_sections(material: Material) -> list[Section]:
    """Return the cross-cutting themes; none where no two categories share a paper or an answer."""
    pairs = [pair for pair in pairs_of(material) if pair.both.number >= _LEAST_MET]
    for pair in pairs[:_MOST_PAIRS]:
        material.facts.note(pair.both.id)
    blocks: list[Block] = [
        *paragraphs("themes", pair_drafts(material, pairs)),
        *pairs_table(pairs),
        *paragraphs(
            "themes", [across_draft(material, name) for name in material.taxonomy.lexicons]
        ),
    ]
    for facet in shared_facets(material):
        blocks += paragraphs("themes", [_answers(material, facet)])
        blocks.append(answers_table(material, facet))
    return [Section("themes", "Cross-cutting themes", 1, tuple(blocks))] if blocks else []


def pair_drafts(material: Material, pairs: list[Pair]) -> list[Draft | None]:
    """Return which two categories meet most often, and of what kind the papers are there."""
    return [
        _together(material, pair, is_first=not position)
        for position, pair in enumerate(pairs[:_MOST_SAID])
    ]


def pairs_table(pairs: list[Pair]) -> list[Table]:
    """Return the pairs of categories that share most papers, with these papers."""
    rows = tuple(
        (
            f"{linked(pair.one)} · {linked(pair.other)}",
            str(pair.both.number),
            citations(pair.both.entries, _MOST_CITED),
        )
        for pair in pairs[:_MOST_PAIRS]
    )
    if not rows:
        return []
    return [
        Table(
            "pairs",
            "Which two categories meet most often in one paper, and in which papers? (pairs with "
            f"{_LEAST_MET} papers or more; at most {_MOST_PAIRS})",
            ("Categories", "Papers", "Which"),
            rows,
            numeric=(1,),
        )
    ]


def shared_facets(material: Material) -> list[Facet]:
    """Return the facets that are asked in several categories, but not in all."""
    return [
        facet
        for facet in material.taxonomy.facets.values()
        if len(set(facet.applies_to)) > 1
        and any(material.facts.select((facet.id, c.id)).number for c in current(facet.categories))
    ]


def answers_table(material: Material, facet: Facet) -> Table:
    """Return the answers to a facet, by category under which the papers are filed."""
    topics = [c for c in material.in_scope if c.id in facet.applies_to]
    facts = material.facts

    def row(name: str, answer: str) -> tuple[str, ...]:
        counts = [facts.count((facet.id, answer), filed=topic.id) for topic in topics]
        every = facts.count((facet.id, answer))
        return (name, *(str(n) if n else "–" for n in (*counts, every)))

    rows = [row(escape_cell(c.name), c.id) for c in current(facet.categories)]
    return Table(
        f"answers-{facet.id}",
        f"{escape_cell(facet.name)}: how do the papers filed in each category answer, and how do "
        "all that were asked, those filed elsewhere too?",
        (escape_cell(facet.name), *(linked(topic) for topic in topics), "All asked"),
        (*rows, row("not stated", NONE)),
        numeric=tuple(range(1, len(topics) + 2)),
    )


def _together(material: Material, pair: Pair, *, is_first: bool) -> Draft:
    """Where the papers of two categories are filed, and what most of them contribute."""
    facts, topic, total = material.facts, material.first.id, pair.both.number
    both = ((topic, pair.one.id), (topic, pair.other.id))
    places = [(facts.select(*both, filed=c.id), c) for c in (pair.one, pair.other)]
    (most, place), *_ = sorted(places, key=lambda item: (-item[0].number, item[1].id))
    names = f"{linked(pair.one)} and {linked(pair.other)}"
    share = f"No pair of categories shares more papers than {names}: {number(total)} belong to both"
    text = (
        f"{share if is_first else f'{names} share {number(total)}'}; "
        f"{how_many(most.number)} {verb(most.number, 'is', 'are')} filed under the "
        f"{'first' if place is pair.one else 'second'}"
    )
    sources = [pair.both, most]
    if CONTRIBUTION in material.taxonomy.facets:
        kinds = current(material.taxonomy.facet(CONTRIBUTION).categories)
        found = ranked([(facts.select(*both, contribution=kind.id), kind) for kind in kinds])
        if found and 2 * found[0][0].number > total:
            (common, kind), *_ = found
            contribute = verb(common.number, "contributes", "contribute")
            noun = escape_cell(with_article(in_prose(kind.name)))
            how_often = "all" if common.number == total else number(common.number)
            text += f", and {how_often} {contribute} {noun}"
            sources.append(common)
    return computed(f"together-{pair.one.id}-{pair.other.id}", f"{text}.", *sources)


def _answers(material: Material, facet: Facet) -> Draft | None:
    """The most frequent answer to a facet over all categories that are asked."""
    facts = material.facts
    found: list[tuple[Selection, Category]] = ranked(
        [(facts.select((facet.id, c.id)), c) for c in current(facet.categories)]
    )
    silent = facts.select((facet.id, NONE))
    if not found:
        return None
    often = found[:1] + [(s, c) for s, c in found[1:_MOST_SAID] if s.number >= _LEAST_MET]
    parts = [f"*{escape_cell(c.name)}* ({s.number})" for s, c in often]
    are = verb(len(parts), "answer is", "answers are")
    text = f"{escape_cell(facet.name)}: the most frequent {are} {joined(parts)}"
    if silent.number:
        state = verb(silent.number, "does", "do")
        text += f"; {counted(silent.number, 'paper')} {state} not say"
    return computed(f"answers-{facet.id}", f"{text}.", *(s for s, _ in often), silent)
