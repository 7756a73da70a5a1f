"""The front page: abstract, key figures, topics, newest papers, downloads."""

from __future__ import annotations

from dataclasses import dataclass

from classifier.site.blocks import BlockView, Relink, block_views
from classifier.site.listing import (
    CategoryItem,
    PaperItem,
    category_item,
    newest_first,
    paper_item,
    top_categories,
)
from classifier.survey.edition import Edition

_NEWEST = 8
_KEY_FIGURES = (
    ("papers.total", "papers"),
    ("papers.dated", "with a date"),
    ("papers.reviewed", "reviewed by people"),
    ("papers.confident", "labelled with confidence"),
    ("papers.provisional", "filed provisionally"),
)
DOWNLOADS = (
    ("survey.md", "the survey as Markdown"),
    ("labels.csv", "every label, and the sheet to correct them in"),
    ("references.bib", "references as BibTeX"),
    ("references.ris", "references as RIS"),
    ("references.json", "references as CSL-JSON"),
    ("papers.json", "papers with labels and probabilities"),
    ("facts.json", "every number that the survey states"),
    ("sentences.jsonl", "every sentence with its kind and source"),
)


@dataclass(frozen=True, slots=True)
class KeyFigure:
    """A number that the front page shows large."""

    value: str
    label: str
    fact: str
    """The fact that it is."""


@dataclass(frozen=True, slots=True)
class FrontPage:
    """What the front page shows."""

    abstract: tuple[BlockView, ...]
    figures: tuple[KeyFigure, ...]
    core: tuple[CategoryItem, ...]
    others: tuple[CategoryItem, ...]
    newest: tuple[PaperItem, ...]
    downloads: tuple[tuple[str, str], ...]
    """(file, what it is)."""


def front_page(edition: Edition, relink: Relink) -> FrontPage:
    """Return what the front page shows."""
    items = [category_item(edition, category) for category in top_categories(edition)]
    dated = [entry for entry in newest_first(edition.entries) if entry.paper.published.date]
    return FrontPage(
        abstract=tuple(
            block
            for section in edition.document.sections
            if section.id == "abstract"
            for block in block_views(section.blocks, relink)
        ),
        figures=key_figures(edition),
        core=tuple(item for item in items if item.core),
        others=tuple(item for item in items if not item.core),
        newest=tuple(paper_item(edition, entry, relink) for entry in dated[:_NEWEST]),
        downloads=DOWNLOADS,
    )


def key_figures(edition: Edition) -> tuple[KeyFigure, ...]:
    """Return the numbers to show large; one that is not among the facts is left out."""
    return tuple(
        KeyFigure(str(edition.facts[fact]), label, fact)
        for fact, label in _KEY_FIGURES
        if fact in edition.facts
    )
