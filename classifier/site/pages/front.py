"""The front page: abstract, key figures, pictures, newest papers, topics, what changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from classifier.site import issues
from classifier.site.blocks import BlockView, FigureView, Relink, block_views
from classifier.site.listing import (
    Catalogue,
    CategoryItem,
    PaperItem,
    newest_first,
    paper_items,
    top_categories,
)
from classifier.survey.changes.compare import Changes
from classifier.survey.changes.in_sections import summary
from classifier.survey.document import Document, Figure
from classifier.survey.survey import Survey

_NEWEST = 6
_FIGURES = ("topics", "months", "matrix")
_KEY_FIGURES = (
    ("papers.total", "papers", "all"),
    ("papers.dated", "with a date", ""),
    ("papers.reviewed", "reviewed by people", "status=reviewed"),
    ("papers.imported", "filed so by their source", "status=imported"),
    ("papers.confident", "labelled with confidence", "status=confident"),
    ("papers.provisional", "filed provisionally", "status=provisional"),
)


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """A number that the front page shows large."""

    value: str
    label: str
    fact: str
    """The fact that it is."""
    query: str
    """What lists the papers that it counts, or ""."""


@dataclass(frozen=True, slots=True)
class FrontPage:
    """What the front page shows."""

    abstract: tuple[BlockView, ...]
    figures: tuple[KeyFigure, ...]
    pictures: tuple[tuple[FigureView, str], ...]
    """Figures of the survey, at most three, each with the address where it stands."""
    core: tuple[CategoryItem, ...]
    others: tuple[CategoryItem, ...]
    newest: tuple[PaperItem, ...]
    changed: str
    """What changed since the baseline, in one line, or ""."""
    new_paper: str
    """Where to ask for a paper, or ""."""


def front_page(
    catalogue: Catalogue, changes: Changes | None, pages: Mapping[str, str], relink: Relink
) -> FrontPage:
    """Return what the front page shows; pages: anchor of the survey -> page on which it stands."""
    edition = catalogue.edition
    items = [catalogue.category(category) for category in top_categories(edition)]
    dated = [entry for entry in newest_first(edition.entries) if entry.paper.published.date]
    return FrontPage(
        abstract=tuple(
            block
            for section in edition.document.sections
            if section.id == "abstract"
            for block in block_views(section.blocks, relink)
        ),
        figures=key_figures(edition),
        pictures=_pictures(edition.document, pages, relink),
        core=tuple(item for item in items if item.core),
        others=tuple(item for item in items if not item.core),
        newest=tuple(paper_items(catalogue, dated[:_NEWEST], relink)),
        changed=summary(changes) if changes else "",
        new_paper=issues.new_paper(edition.taxonomy),
    )


def key_figures(edition: Survey) -> tuple[KeyFigure, ...]:
    """Return the numbers to show large; one that is not among the facts is left out."""
    return tuple(
        KeyFigure(str(edition.fact_values[fact]), label, fact, query)
        for fact, label, query in _KEY_FIGURES
        if fact in edition.fact_values
    )


def _pictures(
    document: Document, pages: Mapping[str, str], relink: Relink
) -> tuple[tuple[FigureView, str], ...]:
    figures = {
        block.id: block
        for section in document.sections
        for block in section.blocks
        if isinstance(block, Figure)
    }
    views = block_views(
        [replace(figures[name], number=0) for name in _FIGURES if name in figures], relink
    )
    return tuple(
        (view, f"{pages[view.id]}#{view.id}") for view in views if isinstance(view, FigureView)
    )
