"""What lists show: papers as items, categories as links with counts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from classifier.labelling.labels import Status
from classifier.site import paths
from classifier.site.blocks import Relink, SentenceView, sentence_view
from classifier.site.wording import counted, short_authors
from classifier.survey.editorial import remark_sentence
from classifier.survey.entry import Entry
from classifier.survey.survey import Survey
from classifier.survey.wording import date_in_words
from classifier.taxonomy.model import Category

Item = TypeVar("Item")

_ALL_LINKED, _NEAR = 20, 6


@dataclass(frozen=True, slots=True)
class PaperItem:
    """A paper as one item of a list."""

    title: str
    page: str
    """Path of its page from the top of the site."""
    authors: str
    date: str
    """In words, at the precision that is known, or ""."""
    machine_date: str
    """ISO 8601, or ""."""
    topic: str
    """Name of the category that it is filed under."""
    topic_page: str
    """Path of that category's page."""
    kinds: tuple[str, ...]
    """Its labels in the other facets that allow one only, such as the kind of contribution."""
    status: Status
    contribution: str
    """The sentence that says what the paper does, or ""."""
    is_key: bool
    """Whether the editors mark it as a key paper."""
    remark: SentenceView | None
    """What the editors say of it, signed."""


@dataclass(frozen=True, slots=True)
class CategoryItem:
    """A category as one item of a list."""

    id: str
    name: str
    page: str
    core: bool
    filed: int
    """Papers filed under it."""
    total: int
    """Papers to which it applies, filed there or not."""

    @property
    def count(self) -> str:
        """The counts in words: `12 filed, 5 also`; of a child, which files nothing, `12 papers`."""
        if "/" in self.id:
            return counted(self.total, "paper")
        also = self.total - self.filed
        return f"{self.filed} filed" + (f", {also} also" if also else "")


@dataclass(frozen=True, slots=True)
class ListPage(Generic[Item]):
    """One page of a list that is too long for one."""

    number: int
    path: str
    items: tuple[Item, ...]
    links: tuple[tuple[int, str], ...]
    """(number, path) of the pages of the list that this one links, itself included, with (0, "")
    where some are left out; none where the list has one page only."""
    previous: str
    """Path of the page before, or ""."""
    next: str
    """Path of the page behind, or ""."""


def list_pages(path: str, items: Sequence[Item], most: int) -> list[ListPage[Item]]:
    """Return a list in pages of at most `most` items; `path` is where the first one lies."""
    starts = range(0, max(len(items), 1), most)
    own = [paths.numbered(path, number) for number in range(1, len(starts) + 1)]
    around = ["", *own, ""]
    return [
        ListPage(
            number,
            own[number - 1],
            tuple(items[start : start + most]),
            _page_links(number, own),
            previous=around[number - 1],
            next=around[number + 1],
        )
        for number, start in enumerate(starts, 1)
    ]


def _page_links(number: int, pages: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """Return what a page of a list links: all of a few pages; of many its neighbours, the ends, and
    every tenth, so that any other is three links away."""
    if len(pages) == 1:
        return ()
    links: list[tuple[int, str]] = []
    last = 0
    for linked, path in enumerate(pages, 1):
        is_near = abs(linked - number) < _NEAR or linked in (1, len(pages)) or linked % 10 == 0
        if is_near or len(pages) <= _ALL_LINKED:
            links += [(0, "")] if linked > last + 1 else []
            links.append((linked, path))
            last = linked
    return tuple(links)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """An edition, looked up once for all pages: who lies where, and how many."""

    edition: Survey
    paged: tuple[Category, ...]
    """The categories that have a page."""
    filed: Mapping[str, Sequence[Entry]]
    """Category id -> the papers filed under it, the newest first."""
    having: Mapping[str, Sequence[Entry]]
    """Category id -> the papers to which it applies, the newest first."""
    papers: Mapping[str, PaperItem]
    """Paper id -> the paper as an item, without remark."""
    paged_ids: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "paged_ids", frozenset(each.id for each in self.paged))

    def category(self, category: Category) -> CategoryItem:
        """Return a category with its counts."""
        filed, having = self.filed.get(category.id, ()), self.having.get(category.id, ())
        return CategoryItem(
            id=category.id,
            name=category.name,
            page=paths.category_page(category.id),
            core=category.core,
            filed=len(filed),
            total=len(having),
        )


def make_catalogue(edition: Survey) -> Catalogue:
    """Look an edition up."""
    filed: dict[str, list[Entry]] = {}
    having: dict[str, list[Entry]] = {}
    for entry in newest_first(edition.entries):
        filed.setdefault(entry.first.primary, []).append(entry)
        for category_id in entry.first.categories:
            having.setdefault(category_id, []).append(entry)
    papers = {entry.paper.id: paper_item(edition, entry, None) for entry in edition.entries}
    return Catalogue(edition, tuple(paged_categories(edition)), filed, having, papers)


def paper_item(edition: Survey, entry: Entry, relink: Relink | None = str) -> PaperItem:
    """Return a paper as an item of a list; `relink` makes links work on the page of the list.

    None leaves the remark of the editors out.
    """
    paper = entry.paper
    return PaperItem(
        title=paper.title_display,
        page=paths.paper_page(entry),
        authors=short_authors(paper),
        date=date_in_words(paper.published.date),
        machine_date=paper.published.date,
        topic=category_name(edition, entry.first.primary),
        topic_page=paths.category_page(entry.first.primary),
        kinds=_kinds(edition, entry),
        status=entry.first.status,
        contribution=entry.contribution,
        is_key=entry.key is not None,
        remark=remark_view(entry, relink) if relink else None,
    )


def paper_items(catalogue: Catalogue, entries: Sequence[Entry], relink: Relink) -> list[PaperItem]:
    """Return papers as items of the page for which `relink` is, in the order given."""
    items = ((catalogue.papers[entry.paper.id], entry) for entry in entries)
    return [
        replace(item, remark=remark_view(entry, relink)) if entry.remark else item
        for item, entry in items
    ]


def remark_view(entry: Entry, relink: Relink) -> SentenceView | None:
    """Return what the editors say of a paper, ready to print on one page."""
    remark = remark_sentence(entry)
    return sentence_view(remark, relink) if remark else None


def _kinds(edition: Survey, entry: Entry) -> tuple[str, ...]:
    _, *others = edition.taxonomy.facets.values()
    labelled = entry.labels.facets
    kinds = [
        facet.get(labelled[facet.id].primary)
        for facet in others
        if facet.kind == "single" and facet.id in labelled
    ]
    return tuple(kind.name for kind in kinds if kind)


def newest_first(entries: Sequence[Entry]) -> list[Entry]:
    """Return entries by falling date, then title; undated ones at the end."""
    by_title = sorted(entries, key=lambda entry: (entry.paper.title_display, entry.paper.id))
    return sorted(by_title, key=lambda entry: entry.paper.published.date, reverse=True)


def top_categories(edition: Survey) -> list[Category]:
    """Return the top categories in use, in the order of the taxonomy."""
    return [top for top in edition.taxonomy.first.categories if not top.replaced_by]


def children_with_papers(edition: Survey, category: Category) -> list[Category]:
    """Return everything in use below a category to which at least one paper belongs."""
    in_use = {below.id for below in edition.taxonomy.first.walk()}
    return [
        below
        for below in category.walk()
        if below is not category and below.id in in_use and edition.with_category(below)
    ]


def paged_categories(edition: Survey) -> list[Category]:
    """Return the categories that have a page: every top one, and children with papers."""
    return [
        category
        for top in top_categories(edition)
        for category in (top, *children_with_papers(edition, top))
    ]


def category_name(edition: Survey, category_id: str) -> str:
    """Return the name of a category of the first facet; its id where the taxonomy has it not."""
    category = edition.taxonomy.first.get(category_id)
    return category.name if category else category_id


_FORMATS = (("BibTeX", ".bib"), ("RIS", ".ris"), ("CSL-JSON", ".json"), ("CSV", ".csv"))
_FEEDS = (("Atom", ".atom"), ("JSON Feed", ".feed.json"))


@dataclass(frozen=True, slots=True)
class Downloads:
    """Files with the same papers in several formats."""

    name: str
    """Which papers."""
    files: tuple[tuple[str, str], ...]
    """(format, path from the top of the site)."""


def category_downloads(category_id: str, written: Collection[str]) -> tuple[Downloads, ...]:
    """Return the files of a category, of those that are written.

    >>> category_downloads("safety", {"c/safety.bib", "c/safety-filed.bib", "c/safety.atom"})[1]
    Downloads(name='Filed here', files=(('BibTeX', 'c/safety-filed.bib'),))
    """
    base = f"c/{category_id}"
    groups = (
        _there("All with this topic", base, _FORMATS, written),
        _there("Filed here", f"{base}-filed", _FORMATS, written),
        _there("Feed", base, _FEEDS, written),
    )
    return tuple(group for group in groups if group.files)


def paper_downloads(slug: str, written: Collection[str]) -> tuple[tuple[str, str], ...]:
    """Return (format, path) of the files with the reference of one paper, as far as written."""
    return _there("", f"p/{slug}", _FORMATS[:3], written).files


def _there(
    name: str, base: str, formats: tuple[tuple[str, str], ...], written: Collection[str]
) -> Downloads:
    files = ((called, base + ending) for called, ending in formats)
    return Downloads(name, tuple(file for file in files if file[1] in written))
