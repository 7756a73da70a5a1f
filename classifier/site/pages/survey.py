"""The survey on one page: table of contents, sections, references with their back-links."""

from __future__ import annotations

from collections.abc import Mapping

from classifier.site import paths
from classifier.site.blocks import anchor
from classifier.site.pages.references import citing_anchors
from classifier.survey.document import Document, Paragraph, Section, sentences_of


def survey_page(document: Document, pages: Mapping[str, str]) -> dict[str, object]:
    """Return the survey on one page; `pages` maps a paper's id to the path of its page."""
    return {
        "parts": parts(document),
        "with_sentences": {part[0].id for part in parts(document) if any(sentences_of(part))},
        "paper_pages": pages,
        "cited_by": citing_anchors(document),
    }


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
    """Return anchor -> page of the section on which it stands."""
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
