"""The parts of the survey, and the page of each of its anchors."""

from __future__ import annotations

from classifier.site import paths
from classifier.site.blocks import anchor
from classifier.survey.document import Document, Paragraph, Section


def parts(document: Document) -> list[list[Section]]:
    """Return the sections of the first level, each followed by its subsections."""
    found: list[list[Section]] = []
    for section in document.sections:
        if section.level > 1 and found:
            found[-1].append(section)
        else:
            found.append([section])
    return found


def anchors(document: Document) -> dict[str, str]:
    """Return anchor -> path of the page of its section."""
    found: dict[str, str] = {}
    for part in parts(document):
        path = paths.section_page(part[0].id)
        for section in part:
            found[section.id] = path
            for block in section.blocks:
                if isinstance(block, Paragraph):
                    found.update((sentence.id, path) for sentence in block.sentences)
                else:
                    found[anchor(block)] = path
    return found
