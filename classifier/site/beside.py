"""The files that lie beside the pages: pictures, scripts, references, feeds, old addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from classifier.site import paths
from classifier.site.context import RenderContext
from classifier.site.exports.data_files import papers_json, results_files
from classifier.site.exports.feeds import feed_files
from classifier.site.exports.how_to_cite import how_to_cite
from classifier.site.exports.reference_files import category_references, paper_references
from classifier.site.figures.files import figure_files, figures_of
from classifier.site.pages.benchmark import LEXICON, moved_versions
from classifier.site.pages.benchmarks import ROWS_ON_A_PAGE
from classifier.site.search_index import search_index
from classifier.site.sitemap import search_description
from classifier.survey.document import Figure
from classifier.survey.entry import slug_of
from classifier.survey.survey import Survey
from classifier.taxonomy.model import CATEGORY_ID, Category, Facet

File = tuple[str, str] | tuple[str, bytes]
"""Path from the top of the site, text or bytes."""


def files_beside(context: RenderContext) -> Iterator[File]:
    """Yield the files that pages link where they are there."""
    edition = context.edition
    for figure in figures_of(edition.document):
        yield from figure_files(figure, context.environment)
    for name in (*paths.SCRIPTS, paths.ICON):
        yield context.plain(name)
    if base_url := edition.taxonomy.survey.base_url:
        page = search_description(edition.document, base_url)
        yield context.plain(paths.OPENSEARCH, page=page)
    yield paths.SEARCH_INDEX, search_index(edition)
    for feed in context.feeds.values():
        yield from feed_files(feed)
    yield "papers.json", papers_json(edition, context.keys)
    yield from results_files(edition)
    yield from paper_references(edition)
    yield from category_references(edition, context.catalogue.paged)
    yield from how_to_cite(edition)


def moved_pages(context: RenderContext) -> Iterator[File]:
    """Yield the pages that lead from old addresses to new ones, and feeds at their old address.

    A page that there is wins.
    """
    edition, taken = context.edition, frozenset(context.written)
    categories = moved_categories(edition.taxonomy.first, context.catalogue.paged)
    for old, new in categories.items():
        if feed := context.feeds.get(f"c/{new}"):
            for path, text in feed_files(replace(feed, base=f"c/{old}")):
                if path not in taken:
                    yield path, text
    pages = {paths.category_page(old): paths.category_page(new) for old, new in categories.items()}
    for path, target in {
        **moved_lists(edition),
        **moved_versions(edition),
        **moved_papers(edition),
        **pages,
    }.items():
        if path not in taken:
            yield context.page(path, "moved.html", target=target)


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
    named = {name for entry in edition.entries for name in entry.names.get(LEXICON, ())}
    pages = max(1, -(-len(named) // ROWS_ON_A_PAGE))
    for number in range(pages + 1, -(-len(named) // 40) + 1):  # they were of 40 benchmarks each
        moved[paths.numbered("benchmarks.html", number)] = "benchmarks.html"
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
