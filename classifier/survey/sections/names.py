"""Which names of a lexicon, such as benchmarks, the texts hold, and across which categories."""

from __future__ import annotations

from classifier.survey.document import Table
from classifier.survey.escape import escape_cell
from classifier.survey.facts import NONE, Selection
from classifier.survey.sections.abstract import ranked
from classifier.survey.survey import Survey
from classifier.survey.wording import (
    linked,
)
from classifier.taxonomy.model import Category

_MOST_NAMES = 15
_LEAST_TEXTS = 2


def names_table(material: Survey, lexicon: str) -> list[Table]:
    """Return the names that most texts hold, with the categories under which these are filed."""
    names = [name for name in material.facts.values(lexicon) if name != NONE]
    texts = {name: material.facts.select((lexicon, name)).number for name in names}
    often = sorted(names, key=lambda name: (-texts[name], name))
    top = [name for name in often if texts[name] >= _LEAST_TEXTS][:_MOST_NAMES]
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


def _row(material: Survey, lexicon: str, name: str) -> tuple[str, ...]:
    there = where_named(material, lexicon, name)
    for selection, _ in there:
        material.facts.note(selection.id)
    parts = [f"{linked(category)} {selection.number}" for selection, category in there]
    return (
        escape_cell(name),
        str(material.facts.count((lexicon, name))),
        str(len(there)),
        " · ".join(parts),
    )


def where_named(material: Survey, lexicon: str, name: str) -> list[tuple[Selection, Category]]:
    """Return the categories that hold texts with a name, with these texts, most first."""
    return ranked(
        [
            (material.facts.select((lexicon, name), filed=category.id), category)
            for category in material.categories
        ]
    )
