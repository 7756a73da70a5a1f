"""Old addresses that lead to new ones: papers under their other ids, categories under former."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from classifier.site import paths
from classifier.survey.document import Figure
from classifier.survey.entry import slug_of
from classifier.survey.survey import Survey
from classifier.taxonomy.model import CATEGORY_ID, Category, Facet

_CATEGORY_ID = re.compile(CATEGORY_ID)


def moved_lists(edition: Survey) -> dict[str, str]:
    """Return former path -> address that shows the same now, for lists that browse took the place
    of, and for the matrix, which is a figure of the survey."""
    matrix = paths.browse()
    if any(
        isinstance(block, Figure) and block.id == "matrix"
        for section in edition.document.sections
        for block in section.blocks
    ):
        matrix = "survey/landscape.html#figure-matrix"
    moved = {"matrix.html": matrix}
    for path, most in (("papers.html", 150), ("timeline.html", 120)):
        pages = max(1, -(-len(edition.entries) // most))
        moved |= {paths.numbered(path, number): paths.browse() for number in range(1, pages + 1)}
    return moved


def moved_papers(edition: Survey) -> dict[str, str]:
    """Return former path -> path of the page, for every other id of a paper."""
    return {
        f"p/{slug_of(alias)}.html": paths.paper_page(entry)
        for entry in edition.entries
        for alias in entry.aliases
    }


def moved_categories(facet: Facet, paged: Sequence[Category]) -> dict[str, str]:
    """Return former id -> id of the category that has a page now.

    Former ids are the aliases of a category that could be ids, and the ids of replaced ones. A
    child that has no page leads to its parent. An id that is in use leads nowhere else.
    """
    have_pages = {category.id for category in paged}
    moved: dict[str, str] = {}
    for former in _former_ids(facet):
        successor = facet.resolve(former)
        target = successor.id if successor else ""
        while target and target not in have_pages:
            target = target.rpartition("/")[0]
        if target and former not in have_pages:
            moved.setdefault(former, target)
    return moved


def _former_ids(facet: Facet) -> Iterator[str]:
    in_use = {category.id for category in facet.walk()}
    for category in facet.walk(retired=True):
        for former in (category.id, *category.aliases):
            if former not in in_use and _CATEGORY_ID.fullmatch(former):
                yield former
