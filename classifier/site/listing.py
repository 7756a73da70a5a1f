"""What lists show: which papers each category has, newest first, and lists page by page."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from classifier.site import paths
from classifier.survey.entry import SurveyPaper, date_order
from classifier.survey.survey import Survey, current_categories
from classifier.survey.wording import count_in_digits
from classifier.taxonomy.model import Category

Item = TypeVar("Item")

_ALL_LINKED, _NEAR = 20, 6


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
    """Path of the next page, or ""."""


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

    survey: Survey
    paged: tuple[Category, ...]
    """The categories that have a page: every top one, and children with papers."""
    filed: Mapping[str, Sequence[SurveyPaper]]
    """Category id -> the papers filed under it, the newest first."""
    having: Mapping[str, Sequence[SurveyPaper]]
    """Category id -> the papers to which it applies, the newest first."""
    paged_ids: frozenset[str]

    def count(self, category: Category) -> str:
        """Return its papers in words: `12 filed, 5 also`; of a child, which files nothing,
        `12 papers`."""
        filed, total = (len(of.get(category.id, ())) for of in (self.filed, self.having))
        if "/" in category.id:
            return count_in_digits(total, "paper")
        return f"{filed} filed" + (f", {total - filed} also" if total > filed else "")

    def kinds(self, entry: SurveyPaper) -> list[str]:
        """Return the names of a paper's labels in the further facets that allow one only."""
        _, *others = self.survey.taxonomy.facets.values()
        labelled = entry.labels.facets
        single = [facet for facet in others if facet.kind == "single" and facet.id in labelled]
        found = (facet.get(labelled[facet.id].primary) for facet in single)
        return [kind.name for kind in found if kind]


def make_catalogue(survey: Survey) -> Catalogue:
    """Return the catalogue of a survey."""
    filed: dict[str, list[SurveyPaper]] = {}
    having: dict[str, list[SurveyPaper]] = {}
    for entry in newest_first(survey.entries):
        filed.setdefault(entry.first.primary, []).append(entry)
        for category_id in entry.first.categories:
            having.setdefault(category_id, []).append(entry)
    in_use = {below.id for below in survey.taxonomy.first.walk()}
    paged = tuple(
        category
        for top in top_categories(survey)
        for category in top.walk()
        if category is top or (category.id in in_use and category.id in having)
    )
    return Catalogue(survey, paged, filed, having, frozenset(each.id for each in paged))


def newest_first(entries: Sequence[SurveyPaper]) -> list[SurveyPaper]:
    """Return entries by falling date, then arXiv number, then title; undated ones at the end."""
    by_title = sorted(entries, key=lambda entry: (entry.paper.title_display, entry.paper.id))
    order = date_order(entries)
    return sorted(by_title, key=lambda entry: order[entry.paper.id], reverse=True)


def dated(entries: Sequence[SurveyPaper]) -> list[SurveyPaper]:
    """Return the dated ones of these papers, the newest first."""
    return [entry for entry in newest_first(entries) if entry.paper.published.date]


def top_categories(survey: Survey) -> list[Category]:
    """Return the top categories in use, in the order of the taxonomy."""
    return current_categories(survey.taxonomy.first.categories)


def category_name(survey: Survey, category_id: str) -> str:
    """Return the name of a category of the first facet; its id where the taxonomy has it not."""
    category = survey.taxonomy.first.get(category_id)
    return category.name if category else category_id


_FORMATS = (("BibTeX", ".bib"), ("RIS", ".ris"), ("CSL-JSON", ".json"), ("CSV", ".csv"))
_FEEDS = (("Atom", ".atom"),)


def category_downloads(
    category_id: str, written: Collection[str]
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return (which papers, files) of a category, of those that are written.

    >>> category_downloads("safety", {"c/safety.bib", "c/safety-filed.bib", "c/safety.atom"})[1]
    ('Filed here', [('BibTeX', 'c/safety-filed.bib')])
    """
    base = f"c/{category_id}"
    groups = [
        ("All with this topic", _there(base, _FORMATS, written)),
        ("Filed here", _there(f"{base}-filed", _FORMATS, written)),
        ("Feed", _there(base, _FEEDS, written)),
    ]
    return [group for group in groups if group[1]]


def _there(
    base: str, formats: tuple[tuple[str, str], ...], written: Collection[str]
) -> list[tuple[str, str]]:
    return [(name, base + end) for name, end in formats if base + end in written]
