"""Which names of a lexicon, such as benchmarks, the texts hold, and across which categories."""

from __future__ import annotations

from classifier.survey.document import Table
from classifier.survey.draft import Draft, computed, shared
from classifier.survey.escape import escape_cell
from classifier.survey.facts.facts import Selection
from classifier.survey.facts.terms import NONE
from classifier.survey.material import Material
from classifier.survey.sections.abstract import ranked
from classifier.survey.wording import citations, counted, how_many, linked, number, opening, verb
from classifier.taxonomy.model import Category

_MOST_NAMES = 15
_LEAST_TEXTS = 2
# A benchmark is common ground from so many categories on.
_ACROSS = 4
_MOST_SAID = 3
_MOST_CITED = 12


def names_table(material: Material, lexicon: str) -> list[Table]:
    """Return the names that most texts hold, with the categories under which these are filed."""
    top = [name for name, n in _often(material, lexicon) if n >= _LEAST_TEXTS][:_MOST_NAMES]
    if not top:
        return []
    noun = lexicon.capitalize().removesuffix("s")
    return [
        Table(
            lexicon,
            f"Which {lexicon} do the texts name most often, and under which categories are these "
            f"papers filed? (in two texts or more; at most {_MOST_NAMES})",
            (noun, "Texts", "Categories", "Filed under"),
            tuple(_row(material, lexicon, name) for name in top),
            numeric=(1, 2),
        )
    ]


def name_drafts(material: Material, lexicon: str) -> list[Draft | None]:
    """Return how many texts name any."""
    return [_any(material, lexicon)]


def _often(material: Material, lexicon: str) -> list[tuple[str, int]]:
    names = [name for name in material.facts.values(lexicon) if name != NONE]
    counts = [(name, material.facts.count((lexicon, name))) for name in names]
    return sorted(counts, key=lambda item: (-item[1], item[0]))


def _row(material: Material, lexicon: str, name: str) -> tuple[str, ...]:
    there = _where(material, lexicon, name)
    parts = [f"{linked(category)} {selection.number}" for selection, category in there]
    return (
        escape_cell(name),
        str(material.facts.count((lexicon, name))),
        str(len(there)),
        " · ".join(parts),
    )


def _where(material: Material, lexicon: str, name: str) -> list[tuple[Selection, Category]]:
    return ranked(
        [
            (material.facts.select((lexicon, name), filed=category.id), category)
            for category in material.categories
        ]
    )


def _any(material: Material, lexicon: str) -> Draft | None:
    """How many texts name any, and how many names there are."""
    facts, total = material.facts, material.facts.number("papers.total")
    distinct = facts.number(f"{lexicon}.distinct") if lexicon in material.taxonomy.lexicons else 0
    if not distinct:
        return None
    none = facts.select((lexicon, NONE))
    naming = total - none.number
    once = sum(n == 1 for _, n in _often(material, lexicon))
    noun = lexicon.removesuffix("s")
    names = verb(naming, "names", "name")
    text = (
        f"{opening(number(naming))} of {counted(total, 'text')} {names} {counted(distinct, noun)} "
        f"known to the taxonomy"
    )
    sources: list[Selection | str] = ["papers.total", none, f"{lexicon}.distinct"]
    if once:
        facts.add(f"{lexicon}.once", once, f"{lexicon} that a single text names")
        stand = verb(once, "stands", "stand")
        text += f"; {how_many(once)} of them {stand} in a single text"
        sources.append(f"{lexicon}.once")
    return computed(f"{lexicon}-named", f"{text}.", *sources)


def across_draft(material: Material, lexicon: str) -> Draft | None:
    """Return which names papers of the most categories share, with the papers; None if few do."""
    found = []
    for name, n in _often(material, lexicon):
        there = _where(material, lexicon, name)
        if len(there) >= _ACROSS:
            found.append((len(there), n, name, there))
    found.sort(key=lambda item: (-item[0], -item[1], item[2]))
    if not found:
        return None
    parts = [
        f"{escape_cell(name)} in papers of {number(across)} categories "
        f"{citations(material.facts.select((lexicon, name)).entries, _MOST_CITED)}"
        for across, _, name, _ in found[:_MOST_SAID]
    ]
    named = verb(len(parts), "name", "names")
    text = f"Of the {lexicon}, the {named} that most categories share: {'; '.join(parts)}."
    sources = [s for _, _, _, there in found[:_MOST_SAID] for s, _ in there]
    return shared(f"{lexicon}-across", text, *sources)
