"""The parts of the survey, and the page on which each anchor is."""

from __future__ import annotations

from collections.abc import Collection

from classifier.site import paths
from classifier.site.blocks import block_anchor
from classifier.survey.document import Document, Paragraph, Section, sentences_of


def document_parts(document: Document) -> list[list[Section]]:
    """Group the sections of a document into parts: a section of level 1 and its subsections."""
    found: list[list[Section]] = []
    for section in document.sections:
        if section.level > 1 and found:
            found[-1].append(section)
        else:
            found.append([section])
    return found


def anchor_pages(document: Document, categories: Collection[str]) -> dict[str, str]:
    """Return the path of the page of each anchor: the category's page, or the whole survey.

    categories: ids of the categories that have a page.
    """
    found: dict[str, str] = {}
    for part in document_parts(document):
        path = paths.section_page_path(part[0].id, categories)
        for section in part:
            found[section.id] = path
            found.update((sentence.id, path) for sentence in sentences_of([section]))
            tables_and_figures = (b for b in section.blocks if not isinstance(b, Paragraph))
            found.update((block_anchor(block), path) for block in tables_and_figures)
    return found
