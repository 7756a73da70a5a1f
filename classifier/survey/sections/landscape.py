"""The landscape: what the papers look like over all categories at once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from classifier.survey.document import Block, Figure, Section
from classifier.survey.draft import Draft, computed, paragraphs
from classifier.survey.facts.facts import Selection
from classifier.survey.figures import (
    artefacts_figure,
    benchmarks_figure,
    contribution_figure,
    matrix_figure,
    months_figure,
    shares_figure,
    topics_figure,
)
from classifier.survey.material import Material
from classifier.survey.pairs import Pair, never_met, pairs_of
from classifier.survey.sections.contributions import contribution_drafts
from classifier.survey.sections.evidence import evidence_drafts, evidence_table
from classifier.survey.sections.names import name_drafts, names_table
from classifier.survey.sections.years import year_drafts
from classifier.survey.wording import counted, joined, linked, number, verb
from classifier.taxonomy.model import Category

_MOST_GAPS = 4
# A category reaches beyond its section where papers filed elsewhere are this share of its own.
_REACHES = 0.5


def landscape_sections(material: Material) -> list[Section]:
    """Return the landscape: size, time, meetings, contributions, names, evidence."""
    pairs = pairs_of(material)
    _add_pair_facts(material, pairs)
    blocks: list[Block] = [
        *placed(topics_figure(material)),
        *paragraphs("landscape", size_drafts(material)),
        *placed(months_figure(material), shares_figure(material)),
        *paragraphs("landscape", year_drafts(material)),
        *placed(matrix_figure(material)),
        *paragraphs("landscape", pair_drafts(material, pairs)),
        *placed(contribution_figure(material)),
        *paragraphs("landscape", contribution_drafts(material)),
        *placed(benchmarks_figure(material)),
        *names_table(material, "benchmarks"),
        *paragraphs("landscape", name_drafts(material, "benchmarks")),
        *placed(artefacts_figure(material)),
        *evidence_table(material),
        *paragraphs("landscape", evidence_drafts(material)),
    ]
    return [Section("landscape", "Landscape", 1, tuple(blocks))]


def size_drafts(material: Material) -> list[Draft | None]:
    """Return what stands out in how many papers each category holds."""
    return [_smallest(material), _reaching(material)]


def pair_drafts(material: Material, pairs: Sequence[Pair]) -> list[Draft | None]:
    """Return which categories meet in one paper, and which never do."""
    return [_met(material, pairs), _gaps(pairs)]


def _smallest(material: Material) -> Draft | None:
    """The categories with the fewest papers, where there is a range to speak of."""
    selected = [(material.facts.select(filed=c.id), c) for c in material.in_scope]
    selected.sort(key=lambda item: (item[0].number, item[1].id))
    least = selected[0][0].number if selected else 0
    smallest = [item for item in selected if item[0].number <= max(least, 1) * 1.5][:3]
    if len(selected) < 5 or 3 * max(least, 1) > selected[-1][0].number:
        return None
    parts = [f"{linked(category)} ({selection.number})" for selection, category in smallest]
    are = verb(len(parts), "The smallest category is", "The smallest categories are")
    if selected[len(parts)][0].number == smallest[-1][0].number:
        are = "Among the smallest categories are"
    largest, category = selected[-1]
    text = f"{are} {joined(parts)}; the largest, {linked(category)}, holds {largest.number}."
    return computed("smallest", text, *(selection for selection, _ in smallest), largest)


def _reaching(material: Material) -> Draft | None:
    """The categories to which most papers belong that are filed elsewhere, where that is far."""
    found: list[tuple[int, Selection, Selection, Category]] = []
    for category in material.in_scope:
        filed = material.facts.select(filed=category.id)
        belong = material.facts.select((material.first.id, category.id))
        found.append((belong.number - filed.number, filed, belong, category))
    found.sort(key=lambda item: (-item[0], item[3].id))
    # Behind one that does not reach far no other reaches furthest.
    wide = list(takewhile(lambda item: item[0] >= max(5, _REACHES * item[1].number), found))[:3]
    if not wide:
        return None
    parts = [f"{linked(category)} ({belong.number} belong, {filed.number} are filed)"
             for _, filed, belong, category in wide]  # fmt: skip
    text = (
        f"{joined(parts)} {verb(len(parts), 'reaches', 'reach')} furthest beyond "
        f"{verb(len(parts), 'its own section', 'their own sections')}."
    )
    sources = [selection for _, filed, belong, _ in wide for selection in (filed, belong)]
    return computed("reaching", text, *sources)


def _add_pair_facts(material: Material, pairs: Sequence[Pair]) -> None:
    met = sum(pair.both.number > 0 for pair in pairs)
    add = material.facts.add
    add("pairs.all", len(pairs), "pairs of categories of the first facet that are in scope")
    add("pairs.met", met, "such pairs that at least one paper belongs to")


def _met(material: Material, pairs: Sequence[Pair]) -> Draft | None:
    met = material.facts.number("pairs.met")
    if len(pairs) < 3 or not met:
        return None
    if met == len(pairs):
        text = f"All {counted(met, 'pair')} of categories meet in at least one paper."
        return computed("pairs-met", text, "pairs.all", "pairs.met")
    meet = verb(met, "meets", "meet")
    text = f"Of the {counted(len(pairs), 'pair')} of categories, {number(met)} {meet} in at least"
    return computed("pairs-met", f"{text} one paper.", "pairs.all", "pairs.met")


def _gaps(pairs: Sequence[Pair]) -> Draft | None:
    """The pairs that never meet though both are large."""
    gaps = never_met(pairs)[:_MOST_GAPS]
    if not gaps:
        return None
    parts = [f"{linked(pair.one)} with {linked(pair.other)}" for pair in gaps]
    text = f"Large enough to be expected together, yet never met: {'; '.join(parts)}."
    return computed("pairs-gaps", text, *(pair.both for pair in gaps))


def placed(*figures: Figure | None) -> list[Figure]:
    """Return the figures that the data carries."""
    return [figure for figure in figures if figure is not None]
