"""The page of a category: its border, what the survey says of it, and its papers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from classifier.site import paths
from classifier.site.blocks import Relink, SectionView, section_views
from classifier.site.listing import (
    CategoryItem,
    PaperItem,
    category_item,
    children_with_papers,
    paged_categories,
    paper_items,
)
from classifier.site.markup import escape_marks, inline_to_html, markdown_to_html
from classifier.survey.document import Block, Paragraph, Section, Sentence, Table
from classifier.survey.edition import Edition
from classifier.taxonomy.model import Category

_IN_PARENTHESES = re.compile(r"\(([a-z0-9/-]+(?:, [a-z0-9/-]+)*)\)")


@dataclass(frozen=True, slots=True)
class CategoryPage:
    """What the page of a category shows."""

    item: CategoryItem
    definition: Markup
    includes: tuple[Markup, ...]
    excludes: tuple[Markup, ...]
    parent: CategoryItem | None
    children: tuple[CategoryItem, ...]
    sections: tuple[SectionView, ...]
    """What the survey says of it, the definition left out."""
    filed: tuple[PaperItem, ...]
    also: tuple[PaperItem, ...]
    """Papers to which it applies but that are filed elsewhere."""
    bibliography: str
    """Path of its BibTeX file from the top of the site."""


def category_page(edition: Edition, category: Category, relink: Relink) -> CategoryPage:
    """Return what the page of a category shows."""
    filed = edition.filed_under(category)
    also = [entry for entry in edition.with_category(category) if entry not in filed]
    if "/" in category.id:  # papers are filed under top categories only
        filed, also = also, []
    return CategoryPage(
        item=category_item(edition, category),
        definition=markdown_to_html(category.definition),
        includes=_border(edition, category.includes, relink),
        excludes=_border(edition, category.excludes, relink),
        parent=_parent(edition, category),
        children=tuple(
            category_item(edition, child) for child in children_with_papers(edition, category)
        ),
        sections=tuple(section_views(category_sections(edition, category), relink)),
        filed=_key_papers_first(paper_items(edition, filed, relink)),
        also=_key_papers_first(paper_items(edition, also, relink)),
        bibliography=f"c/{category.id}.bib",
    )


def category_sections(edition: Edition, category: Category) -> list[Section]:
    """Return the sections of the document about a category, without what its page says above.

    These are the section of that id and the subsections that follow it. The definition stands at
    the top of the page, and the list of papers takes the place of the table of them and of the
    remarks on them.
    """
    facet = edition.taxonomy.first.id
    own = f"taxonomy: {facet}/{category.id}/"
    table = f"papers-{category.id}"
    return [
        replace(section, blocks=tuple(_not_repeated(section.blocks, own, table)))
        for section in _with_subsections(edition.document.sections, category.id)
    ]


def name_categories(edition: Edition, text: str) -> str:
    """Return Markdown in which the ids of categories in parentheses are links with their names.

    Ids of the first facet only; a category without a page is named and not linked.
    """

    def named(match: re.Match[str]) -> str:
        return f"({', '.join(_named(edition, part) for part in match.group(1).split(', '))})"

    return _IN_PARENTHESES.sub(named, text)


def _named(edition: Edition, category_id: str) -> str:
    category = edition.taxonomy.first.get(category_id)
    if category is None:
        return category_id
    name = escape_marks(category.name)
    paged = {paged.id for paged in paged_categories(edition)}
    return f"[{name}]({paths.category_page(category_id)})" if category_id in paged else name


def _border(edition: Edition, texts: Sequence[str], relink: Relink) -> tuple[Markup, ...]:
    return tuple(inline_to_html(relink(name_categories(edition, text))) for text in texts)


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


def _not_repeated(blocks: Sequence[Block], own: str, table_id: str) -> Iterator[Block]:
    def repeats(sentence: Sentence) -> bool:
        is_remark = sentence.kind == "H" and sentence.source.startswith("reviews.csv: ")
        return is_remark or (sentence.kind == "D" and sentence.source.startswith(own))

    for block in blocks:
        if isinstance(block, Table) and block.id == table_id:
            continue
        if not isinstance(block, Paragraph):
            yield block
        elif kept := tuple(sentence for sentence in block.sentences if not repeats(sentence)):
            yield Paragraph(kept)


def _key_papers_first(items: Sequence[PaperItem]) -> tuple[PaperItem, ...]:
    return tuple(sorted(items, key=lambda item: not item.is_key))


def _parent(edition: Edition, category: Category) -> CategoryItem | None:
    parent = edition.taxonomy.first.get(category.id.rpartition("/")[0])
    return category_item(edition, parent) if parent else None
