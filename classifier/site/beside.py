"""The files that lie beside the pages: pictures, scripts, references, feeds, old addresses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from classifier.site import paths
from classifier.site.context import RenderContext
from classifier.site.exports.data_files import papers_json, results_files
from classifier.site.exports.feeds import feed_files
from classifier.site.exports.how_to_cite import how_to_cite
from classifier.site.exports.reference_files import category_references, paper_references
from classifier.site.figures.files import figure_files, figures_of
from classifier.site.redirects import moved_categories, moved_lists, moved_papers
from classifier.site.search_index import search_index
from classifier.site.search_shards import is_sharded, search_shards
from classifier.site.sitemap import search_description

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
    if is_sharded(edition):
        yield context.plain(paths.SHARD_SCRIPT)
        yield from search_shards(edition)
    else:
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
    for path, target in {**moved_lists(edition), **moved_papers(edition), **pages}.items():
        if path not in taken:
            yield context.page(path, "moved.html", target=target)
