"""The files that lie beside the pages: pictures, scripts, references, feeds, old addresses."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial

from classifier.site import paths
from classifier.site.exports.feeds import feed_files
from classifier.site.exports.how_to_cite import how_to_cite
from classifier.site.exports.papers_json import papers_json
from classifier.site.exports.reference_files import category_references, paper_references
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
from classifier.site.search_shards import is_sharded, search_shards

_MOVED = "moved.html"


def files_beside(press: Press) -> Iterator[File]:
    """Yield the files that pages link where they are there."""
    narrow = press.narrow
    yield from _figures(press)
    yield from _scripts(press)
    yield from narrow.bundle("lists for programs", lambda: _lists(narrow))
    bare, whole = narrow.unremarked, press.unremarked
    yield from bare.bundle("references", lambda: paper_references(bare.edition))
    # The rows that they hold are sealed with the digest of the whole taxonomy.
    yield from bare.bundle(
        "references of categories",
        lambda: category_references(whole.edition, whole.catalogue.paged),
        whole.edition.taxonomy.digest,
    )
    yield from how_to_cite(press.edition)


def moved_pages(press: Press) -> Iterator[File]:
    """Yield the pages that lead from old addresses to new ones, and feeds at their old address.

    A page that there is wins.
    """
    narrow, taken = press.narrow, press.written
    template = press.digests.of(_MOVED)
    yield from narrow.bundle("moved", lambda: _moved(narrow, frozenset(taken)), template)


def _moved(press: Press, taken: Collection[str]) -> Iterator[File]:
    edition, paged = press.edition, press.catalogue.paged
    categories = moved_categories(edition.taxonomy.first, paged)
    for old, new in categories.items():
        if feed := press.feeds.get(f"c/{new}"):
            for path, text in feed_files(replace(feed, base=f"c/{old}")):
                if path not in taken:
                    yield path, text
    pages = {paths.category_page(old): paths.category_page(new) for old, new in categories.items()}
    for path, target in (*moved_papers(edition).items(), *pages.items()):
        if path not in taken:
            yield press.page(path, _MOVED, target=target)


def _figures(press: Press) -> Iterator[File]:
    """Yield the pictures and the numbers of every figure of the document."""
    for figure in figures_of(press.edition.document):
        for path, width in pictures(figure):
            made_of = digest_of(press.digests.of(TEMPLATE), figure, width)
            text = partial(picture, figure, width, press.environment)
            yield Plate(path, made_of, text)
        yield csv_path(figure), numbers(figure)


def _scripts(press: Press) -> Iterator[File]:
    """Yield the scripts, the icon, and what tells a browser how to search."""
    edition = press.edition
    for name in (*paths.SCRIPTS, paths.ICON):
        yield press.plain(name)
    if is_sharded(edition):
        yield press.plain(paths.SHARD_SCRIPT)
    if base_url := edition.taxonomy.survey.base_url:
        page = search_description(edition.document, base_url)
        yield press.plain(paths.OPENSEARCH, page=page)


def _lists(press: Press) -> Iterator[File]:
    """Yield the papers as programs and browsers read them."""
    if is_sharded(press.edition):
        yield from search_shards(press.edition)
    else:
        yield paths.SEARCH_INDEX, search_index(press.edition)
    for feed in press.feeds.values():
        yield from feed_files(feed)
    yield "papers.json", papers_json(press.edition, press.keys)
