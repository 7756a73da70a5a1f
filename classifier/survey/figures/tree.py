"""The taxonomy as a tree with counts."""

from __future__ import annotations

from collections.abc import Iterator

from classifier.survey.document import Figure
from classifier.survey.survey import Survey, current
from classifier.survey.wording import counted, number
from classifier.taxonomy.model import Category


def tree_figure(material: Survey) -> Figure | None:
    """Return the categories in use with their children; None where no category has a child.

    A flat list of categories is told better by the table of the taxonomy and by `topics`.
    """
    tops = current(material.first.categories)
    rows = tuple(row for top in tops for row in _rows(material, top, ""))
    if len(rows) == len(tops):
        return None
    below = number(len(rows) - len(tops))
    return Figure(
        "tree",
        "How is the field divided, and how many papers belong to each part? A paper may belong to "
        "several.",
        f"Tree of {counted(len(tops), 'category', 'categories')} with {below} below them.",
        ("Category", "Part of", "Papers with it"),
        rows,
        "tree",
    )


def _rows(material: Survey, category: Category, parent: str) -> Iterator[tuple[str, str, str]]:
    """Yield a category and what is in use below it, parents first."""
    papers = material.facts.count((material.first.id, category.id))
    yield category.name, parent, str(papers)
    for child in current(category.children):
        yield from _rows(material, child, category.name)
