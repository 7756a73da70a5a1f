"""Which names of a lexicon, such as benchmarks, the texts hold, and across which categories."""

from __future__ import annotations

from urllib.parse import quote

from classifier.survey.document import Table
from classifier.survey.draft import Draft, computed
from classifier.survey.escape import escape_cell
from classifier.survey.facts.facts import Selection, fact_ids
from classifier.survey.facts.terms import NONE
from classifier.survey.material import Material
from classifier.survey.sections.abstract import ranked
from classifier.survey.wording import (
    cited,
    counted,
    linked,
    number,
    opening,
    verb,
    with_article,
)
from classifier.taxonomy.model import Category

_MOST_NAMES = 15
_LEAST_TEXTS = 2
# A benchmark is common ground from so many categories on.
_ACROSS = 4
_LEAST_SHARED = 5
_MOST_SAID = 3
_MOST_CITED = 6


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
    counts = [(name, material.facts.select((lexicon, name)).number) for name in names]
    return sorted(counts, key=lambda item: (-item[1], item[0]))


def _row(material: Material, lexicon: str, name: str) -> tuple[str, ...]:
    there = _where(material, lexicon, name)
    for selection, _ in there:
        material.facts.note(selection.id)
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
    is_named = f"{opening(with_article(noun))} that the taxonomy knows is named in"
    text = f"{is_named} {number(naming)} of {counted(total, 'text')}"
    sources: list[Selection | str] = ["papers.total", none, f"{lexicon}.distinct"]
    if once and distinct > 1:
        facts.add(f"{lexicon}.once", once, f"{lexicon} that a single text names")
        stand = verb(once, "stands", "stand")
        several = counted(distinct, f"different {noun}")
        text += f"; of {several}, {number(once)} {stand} in a single text"
        sources.append(f"{lexicon}.once")
    return computed(f"{lexicon}-named", f"{text}.", *sources)


def across_draft(material: Material, lexicon: str) -> Draft | None:
    """Return which names papers of the most categories share, with the papers; None if few do."""
    found = []
    for name, n in _often(material, lexicon):
        if n < _LEAST_SHARED:
            continue
        across = len(_where(material, lexicon, name))
        if across >= _ACROSS:
            found.append((across, n, name))
    found.sort(key=lambda item: (-item[0], -item[1], item[2]))
    if not found:
        return None
    shown, others = found[:_MOST_SAID], found[_MOST_SAID:]
    parts, sources = [], []
    for across, _, name in shown:
        fact = f"{lexicon}.{quote(name, safe='')}.categories"
        material.facts.add(
            fact, across, f"categories under which papers that name {name} are filed"
        )
        papers = cited(material.facts.select((lexicon, name)), _MOST_CITED)
        parts.append(f"{escape_cell(name)} in papers of {number(across)} categories {papers}")
        sources += [fact]
    which = f"Most widely shared among the {lexicon}"
    if others and others[0][:2] == shown[-1][:2]:
        which = f"Among the most widely shared {lexicon}"
    text = f"{which}: {'; '.join(parts)}."
    return Draft(f"{lexicon}-across", text, "T", fact_ids(sources))
