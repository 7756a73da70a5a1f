"""The page of a category: its border, what the survey says of it, and its papers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from classifier.site import paths
from classifier.site.blocks import Relink, SectionView, section_views
from classifier.site.listing import (
    Catalogue,
    CategoryItem,
    Downloads,
    ListPage,
    PaperItem,
    category_downloads,
    children_with_papers,
    list_pages,
    paper_items,
)
from classifier.site.markup import escape_marks, inline_to_html, markdown_to_html
from classifier.survey.document import Block, Paragraph, Section, Sentence, Table
from classifier.survey.entry import Entry
from classifier.survey.facts import query_id
from classifier.survey.sections.category.comparison import SELECTION
from classifier.survey.survey import Survey
from classifier.survey.wording import in_prose
from classifier.taxonomy.model import Category, Facet
from classifier.text.links import without_dead_links

_IN_PARENTHESES = re.compile(r"\(([a-z0-9/-]+(?:, [a-z0-9/-]+)*)\)")


PAPERS_ON_A_PAGE = 60
"""More make the page of a category too heavy; the rest stands on pages of its own."""


MAX_COMPARED = 40
"""A table of more papers is left to the survey."""


@dataclass(frozen=True, slots=True)
class PaperGroup:
    """Papers of a category that stand under one heading."""

    id: str
    heading: str
    total: int
    """How many there are on all pages."""
    shows_topic: bool
    items: tuple[PaperItem, ...]


@dataclass(frozen=True, slots=True)
class CategoryPage:
    """What the page of a category shows."""

    item: CategoryItem
    definition: Markup
    includes: tuple[Markup, ...]
    excludes: tuple[Markup, ...]
    parent: CategoryItem | None
    children: tuple[CategoryItem, ...]
    kinds: Kinds | None
    sections: tuple[SectionView, ...]
    """What the survey says of it, the definition left out."""
    pages: Mapping[str, str]
    """Section id -> path of the page of the child that it is about."""
    survey: str
    """Address of its section in the survey, or ""."""
    downloads: tuple[Downloads, ...]
    query: str
    """Address at which its papers can be searched and sifted."""


@dataclass(frozen=True, slots=True)
class CategoryListPage:
    """The papers on one page of a category."""

    groups: tuple[PaperGroup, ...]
    page: ListPage[tuple[str, PaperItem]]


def category_page(
    catalogue: Catalogue,
    category: Category,
    section_pages: Mapping[str, str],
    written: Collection[str],
    relink: Relink,
) -> CategoryPage:
    """Return what the page of a category shows beside its papers.

    section_pages: section id -> page of the survey on which it stands; written: files that lie
    beside the pages.
    """
    edition = catalogue.edition
    in_survey = section_pages.get(category.id, "")
    parent = edition.taxonomy.first.get(category.id.rpartition("/")[0])
    facet = edition.taxonomy.first.id
    return CategoryPage(
        item=catalogue.category(category),
        definition=markdown_to_html(without_dead_links(category.definition)),
        includes=_border(catalogue, category.includes, relink),
        excludes=_border(catalogue, category.excludes, relink),
        parent=catalogue.category(parent) if parent else None,
        children=tuple(
            catalogue.category(child) for child in children_with_papers(edition, category)
        ),
        kinds=kinds_of(edition, category.id, catalogue.having.get(category.id, ())),
        sections=tuple(section_views(category_sections(edition, category), relink)),
        pages={
            child: paths.category_page(child)
            for child in sorted(catalogue.paged_ids)
            if child.startswith(f"{category.id}/")
        },
        survey=f"{in_survey}#{category.id}" if in_survey else "",
        downloads=category_downloads(category.id, written),
        query=paths.browse(query_id([(facet, category.id)])),
    )


def category_lists(
    catalogue: Catalogue, category: Category, relink: Relink
) -> list[CategoryListPage]:
    """Return the papers of a category, page by page: those filed there first."""
    filed = _key_papers_first(catalogue.filed.get(category.id, ()))
    having = catalogue.having.get(category.id, ())
    also = _key_papers_first([e for e in having if e.first.primary != category.id])
    is_child = "/" in category.id  # papers are filed under top categories only
    headings = {
        "filed": "Papers filed here",
        "also": "Papers" if is_child else "Also about this, filed elsewhere",
    }
    totals = {"filed": len(filed), "also": len(also)}
    listed = [
        *(("filed", item) for item in paper_items(catalogue, filed, relink)),
        *(("also", item) for item in paper_items(catalogue, also, relink)),
    ]
    path = paths.category_page(category.id)
    return [
        CategoryListPage(
            tuple(
                PaperGroup(name, headings[name], totals[name], name == "also", found)
                for name in headings
                if (found := tuple(item for group, item in page.items if group == name))
            ),
            page,
        )
        for page in list_pages(path, listed, PAPERS_ON_A_PAGE)
    ]


def category_sections(edition: Survey, category: Category) -> list[Section]:
    """Return the sections of the document about a category, without what its page says above.

    These are the section of that id and the subsections that follow it. The definition stands at
    the top of the page, remarks stand with the papers, and a table of very many papers is left to
    the survey, with what is said of it.
    """
    facet = edition.taxonomy.first.id
    own = f"taxonomy: {facet}/{category.id}/definition"
    return [
        replace(section, blocks=tuple(_not_repeated(section.blocks, own)))
        for section in _with_subsections(edition.document.sections, category.id)
    ]


def name_categories(catalogue: Catalogue, text: str) -> str:
    """Return Markdown in which the ids of categories in parentheses are links with their names.

    Ids of the first facet only; a category without a page is named and not linked.
    """

    def named(match: re.Match[str]) -> str:
        return f"({', '.join(_named(catalogue, part) for part in match.group(1).split(', '))})"

    return _IN_PARENTHESES.sub(named, text)


def _named(catalogue: Catalogue, category_id: str) -> str:
    category = catalogue.edition.taxonomy.first.get(category_id)
    if category is None:
        return category_id
    name = escape_marks(category.name)
    is_paged = category_id in catalogue.paged_ids
    return f"[{name}]({paths.category_page(category_id)})" if is_paged else name


def _border(catalogue: Catalogue, texts: Sequence[str], relink: Relink) -> tuple[Markup, ...]:
    return tuple(
        inline_to_html(relink(name_categories(catalogue, without_dead_links(text))))
        for text in texts
    )


def _with_subsections(sections: Sequence[Section], section_id: str) -> Iterator[Section]:
    level: int | None = None
    for section in sections:
        if section.id == section_id:
            level = section.level
            yield section
        elif level is not None and section.level <= level:
            return
        elif level is not None:
            yield section


def _not_repeated(blocks: Sequence[Block], own: str) -> Iterator[Block]:
    def repeats(sentence: Sentence) -> bool:
        is_remark = sentence.kind == "H" and sentence.source.startswith("reviews.csv: ")
        is_on_table = sentence.id.endswith(f"-{SELECTION}")
        return is_remark or is_on_table or (sentence.kind == "D" and sentence.source == own)

    for block in blocks:
        if isinstance(block, Paragraph):
            if kept := tuple(sentence for sentence in block.sentences if not repeats(sentence)):
                yield Paragraph(kept)
        elif not (isinstance(block, Table) and len(block.rows) > MAX_COMPARED):
            yield block


def _key_papers_first(entries: Sequence[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: entry.key is None)


_WITH_CODE = ("code", "yes")


@dataclass(frozen=True, slots=True)
class KindRow:
    """The papers of one kind."""

    name: str
    number: int
    address: str
    """Where they are listed."""
    with_code: int
    """How many of them link code or announce a release."""
    code_address: str


@dataclass(frozen=True, slots=True)
class Kinds:
    """The papers of a category by the labels of another facet; all of them in the last row."""

    name: str
    """Of the facet, in small letters."""
    rows: tuple[KindRow, ...]


def kinds_of(edition: Survey, category_id: str, entries: Sequence[Entry]) -> Kinds | None:
    """Return the kinds of a category's papers: by the first facet that gives each paper one label.

    None where the taxonomy has no such facet, or the category no papers.
    """
    _, *others = edition.taxonomy.facets.values()
    facet = next((f for f in others if f.kind == "single" and not f.applies_to), None)
    if facet is None or not entries:
        return None
    topic = (edition.taxonomy.first.id, category_id)
    rows = [
        _row(category.name, (topic, (facet.id, category.id)), found)
        for category in facet.walk()
        if (found := [e for e in entries if category.id in _given(e, facet)])
    ]
    return Kinds(in_prose(facet.name), (*rows, _row("All", (topic,), entries)))


def _given(entry: Entry, facet: Facet) -> Sequence[str]:
    labels = entry.labels.facets.get(facet.id)
    return labels.categories if labels else ()


def _row(name: str, terms: tuple[tuple[str, str], ...], entries: Sequence[Entry]) -> KindRow:
    return KindRow(
        name=name,
        number=len(entries),
        address=paths.browse(query_id(terms)),
        with_code=sum(entry.releases_something for entry in entries),
        code_address=paths.browse(query_id([*terms, _WITH_CODE])),
    )
