"""Lists of papers: by category, with the newest first, and split into pages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from classifier.site import paths
from classifier.survey.entry import SurveyPaper, date_keys
from classifier.survey.survey import Survey, current_categories
from classifier.survey.wording import count_in_digits
from classifier.taxonomy.model import Category

Item = TypeVar("Item")

_MAX_ALL_LINKED = 20
"""Lists with at most this number of pages link all of them from each."""
_NEAR = 6
"""Pages closer than this are linked."""


@dataclass(frozen=True, slots=True)
class ListPage(Generic[Item]):
    """A page of a list that may be too long for one page."""

    number: int
    path: str
    items: tuple[Item, ...]
    links: tuple[tuple[int, str], ...]
    """(number, path) of the linked pages, including this one, with (0, "") for a gap; empty if the
    list has only one page."""
    previous: str
    """Path of the previous page, or ""."""
    next: str
    """Path of the next page, or ""."""


def list_pages(path: str, items: Sequence[Item], max_items: int) -> list[ListPage[Item]]:
    """Split a list into pages of at most `max_items` items.

    path: path of the first page.
    """
    starts = range(0, max(len(items), 1), max_items)
    own = [paths.numbered_path(path, number) for number in range(1, len(starts) + 1)]
    padded = ["", *own, ""]
    return [
        ListPage(
            number,
            own[number - 1],
            tuple(items[start : start + max_items]),
            _page_links(number, own),
            previous=padded[number - 1],
            next=padded[number + 1],
        )
        for number, start in enumerate(starts, 1)
    ]


def _page_links(number: int, pages: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """Return the pages of a list to which a page links.

    In a short list, these are all pages. In a long list, they are the neighbours, both ends and
    every tenth page, so that each page can be reached with at most three links.
    """
    if len(pages) == 1:
        return ()
    links: list[tuple[int, str]] = []
    last = 0
    for linked, path in enumerate(pages, 1):
        is_near = abs(linked - number) < _NEAR or linked in (1, len(pages)) or linked % 10 == 0
        if is_near or len(pages) <= _MAX_ALL_LINKED:
            if linked > last + 1:
                links.append((0, ""))
            links.append((linked, path))
            last = linked
    return tuple(links)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The papers of a survey by category."""

    survey: Survey
    paged: tuple[Category, ...]
    """The categories that have a page: all top categories, and child categories with papers."""
    filed: Mapping[str, Sequence[SurveyPaper]]
    """Papers filed under a category, by category id, newest first."""
    tagged: Mapping[str, Sequence[SurveyPaper]]
    """Papers with a category, primary or not, by category id, newest first."""
    paged_ids: frozenset[str]

    def count(self, category: Category) -> str:
        """Return the number of papers as text: `12 filed, 5 also`; for a child `12 papers`."""
        filed = len(self.filed.get(category.id, ()))
        total = len(self.tagged.get(category.id, ()))
        if "/" in category.id:  # Papers are filed under top categories only.
            return count_in_digits(total, "paper")
        return f"{filed} filed" + (f", {total - filed} also" if total > filed else "")

    def kinds(self, entry: SurveyPaper) -> list[str]:
        """Return the names of a paper's labels in the other facets with one label per paper."""
        _, *others = self.survey.taxonomy.facets.values()
        names: list[str] = []
        for facet in others:
            labels = entry.labels.facets.get(facet.id)
            category = facet.get(labels.primary) if labels and facet.kind == "single" else None
            if category:
                names.append(category.name)
        return names


def make_catalogue(survey: Survey) -> Catalogue:
    """Group the papers of a survey by category."""
    filed: dict[str, list[SurveyPaper]] = {}
    tagged: dict[str, list[SurveyPaper]] = {}
    for entry in newest_first(survey.entries):
        filed.setdefault(entry.first.primary, []).append(entry)
        for category_id in entry.first.categories:
            tagged.setdefault(category_id, []).append(entry)
    in_use = {category.id for category in survey.taxonomy.first.walk()}
    paged: list[Category] = []
    for top in top_categories(survey):
        paged.append(top)
        children = list(top.walk())[1:]
        paged += [each for each in children if each.id in in_use and each.id in tagged]
    paged_ids = frozenset(category.id for category in paged)
    return Catalogue(survey, tuple(paged), filed, tagged, paged_ids)


def newest_first(entries: Sequence[SurveyPaper]) -> list[SurveyPaper]:
    """Sort papers by date (newest first), then arXiv number, then title; undated ones last."""
    by_title = sorted(entries, key=lambda entry: (entry.paper.title_display, entry.paper.id))
    order = date_keys(entries)
    return sorted(by_title, key=lambda entry: order[entry.paper.id], reverse=True)


def dated_papers(entries: Sequence[SurveyPaper]) -> list[SurveyPaper]:
    """Return the papers that have a date, newest first."""
    return [entry for entry in newest_first(entries) if entry.paper.published.date]


def top_categories(survey: Survey) -> list[Category]:
    """Return the top categories that are not retired, in the order of the taxonomy."""
    return current_categories(survey.taxonomy.first.categories)


def category_name(survey: Survey, category_id: str) -> str:
    """Return the name of a category in the first facet; its id if the taxonomy does not have it."""
    category = survey.taxonomy.first.get(category_id)
    return category.name if category else category_id


_FORMATS = (("BibTeX", ".bib"), ("RIS", ".ris"), ("CSL-JSON", ".json"), ("CSV", ".csv"))
_FEEDS = (("Atom", ".atom"),)


def category_downloads(
    category_id: str, written_files: Collection[str]
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the written files of a category by the papers that they contain: [(format, path)].

    >>> category_downloads("safety", {"c/safety.bib", "c/safety-filed.bib", "c/safety.atom"})[1]
    ('Filed here', [('BibTeX', 'c/safety-filed.bib')])
    """
    base = f"c/{category_id}"
    groups = [
        ("All with this topic", _existing_files(base, _FORMATS, written_files)),
        ("Filed here", _existing_files(f"{base}-filed", _FORMATS, written_files)),
        ("Feed", _existing_files(base, _FEEDS, written_files)),
    ]
    return [group for group in groups if group[1]]


def _existing_files(
    base: str, formats: tuple[tuple[str, str], ...], written_files: Collection[str]
) -> list[tuple[str, str]]:
    """Return format and path of the files that exist."""
    return [(name, base + end) for name, end in formats if base + end in written_files]
