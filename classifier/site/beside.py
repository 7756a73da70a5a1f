"""The files that lie beside the pages: pictures, scripts, references, feeds, old addresses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from classifier.site import paths
from classifier.site.exports.feeds import feed_files
from classifier.site.exports.how_to_cite import how_to_cite
from classifier.site.exports.papers_json import papers_json
from classifier.site.exports.reference_files import reference_files
from classifier.site.figures.files import (
    TEMPLATE,
    csv_path,
    figures_of,
    numbers,
    picture,
    pictures,
)
from classifier.site.opensearch import search_description
from classifier.site.plate import File, Plate, digest_of
from classifier.site.press import Press
from classifier.site.redirects import moved_categories, moved_papers
from classifier.site.search_index import search_index


def files_beside(press: Press) -> Iterator[File]:
    """Yield the files that pages link where they are there."""
    yield from _figures(press)
    yield from _search_files(press)
    yield from _exports(press)


def moved_pages(press: Press) -> Iterator[File]:
    """Yield the pages that lead from old addresses to new ones, and feeds at their old address."""
    edition, paged = press.edition, press.catalogue.paged
    categories = moved_categories(edition.taxonomy.first, paged)
    for old, new in categories.items():
        if feed := press.feeds.get(f"c/{new}"):
            yield from feed_files(replace(feed, base=f"c/{old}"))
    pages = {paths.category_page(old): paths.category_page(new) for old, new in categories.items()}
    for path, target in (*moved_papers(edition).items(), *pages.items()):
        yield press.page(path, "moved.html", target=target)


def _figures(press: Press) -> Iterator[File]:
    """Yield the pictures and the numbers of every figure of the document."""
    for figure in figures_of(press.edition.document):
        for path, width in pictures(figure):
            made_of = digest_of(press.digests.of(TEMPLATE), figure, width)
            text = partial(picture, figure, width, press.environment)
            yield Plate(path, made_of, text)
        yield csv_path(figure), numbers(figure)


def _search_files(press: Press) -> Iterator[File]:
    """Yield the scripts, the icon, and the data by which papers are found."""
    edition = press.edition
    for name in (*paths.SCRIPTS, paths.ICON):
        yield press.plain(name)
    yield paths.SEARCH_INDEX, search_index(edition)
    if base_url := edition.taxonomy.survey.base_url:
        page = search_description(edition.document, base_url)
        yield press.plain(paths.OPENSEARCH, page=page)


def _exports(press: Press) -> Iterator[File]:
    edition = press.edition
    yield from reference_files(edition, press.catalogue.paged)
    for feed in press.feeds.values():
        yield from feed_files(feed)
    yield from how_to_cite(edition)
    yield "papers.json", papers_json(edition, press.keys)
