"""The survey on one page: table of contents, sections, references with their back-links."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from classifier.site import paths
from classifier.site.blocks import Relink, SectionView, figure_anchor, section_views, table_anchor
from classifier.site.pages.references import ReferenceView, reference_views
from classifier.site.provenance import SourcedSentence, SourceWriter
from classifier.survey.document import Document, Paragraph, Section, Table, sentences_of


@dataclass(frozen=True, slots=True)
class Heading:
    """One line of the table of contents."""

    id: str
    title: str
    children: tuple[Heading, ...] = ()


@dataclass(frozen=True, slots=True)
class SurveyPage:
    """What the survey on one page shows."""

    contents: tuple[Heading, ...]
    sections: tuple[SectionView, ...]
    pages: Mapping[str, str]
    """Section id of the first level -> path of its own page."""
    sourced: tuple[str, ...]
    """Sections of the first level whose page says where its sentences come from."""
    references: tuple[ReferenceView, ...]


@dataclass(frozen=True, slots=True)
class SectionPage:
    """What the page of one section of the survey shows."""

    id: str
    title: str
    sections: tuple[SectionView, ...]
    """The section and its subsections."""
    contents: tuple[tuple[Heading, str], ...]
    """(section of the first level, path of its page) of the whole survey."""
    previous: tuple[str, str] | None
    """(title, path) of the section before."""
    next: tuple[str, str] | None
    sources: tuple[SourcedSentence, ...]
    """Where each sentence comes from."""


def survey_page(document: Document, pages: Mapping[str, str]) -> SurveyPage:
    """Return the survey on one page; `pages` maps a paper's id to the path of its page."""
    return SurveyPage(
        contents=contents(document),
        sections=tuple(section_views(document.sections)),
        pages={part[0].id: paths.section_page(part[0].id) for part in parts(document)},
        sourced=tuple(part[0].id for part in parts(document) if next(sentences_of(part), None)),
        references=tuple(reference_views(document, pages)),
    )


def section_pages(
    document: Document, sources: SourceWriter, relink: Callable[[str], Relink]
) -> Iterator[tuple[str, SectionPage]]:
    """Yield (path, page) of each section of the first level with what stands under it.

    relink: makes the links of survey Markdown work on the page at a path.
    """
    found = parts(document)
    headings = [(heading, paths.section_page(heading.id)) for heading in contents(document)]
    around = [None, *((heading.title, path) for heading, path in headings), None]
    for index, part in enumerate(found):
        first, path = part[0], paths.section_page(part[0].id)
        yield (
            path,
            SectionPage(
                id=first.id,
                title=first.title,
                sections=tuple(section_views(part, relink(path))),
                contents=tuple(headings),
                previous=around[index],
                next=around[index + 2],
                sources=tuple(sources.sourced(sentence) for sentence in sentences_of(part)),
            ),
        )


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
                elif isinstance(block, Table):
                    found[table_anchor(block)] = path
                else:
                    found[figure_anchor(block)] = path
    return found


def contents(document: Document) -> tuple[Heading, ...]:
    """Return the headings as a tree of two levels."""
    return tuple(
        Heading(first.id, first.title, tuple(Heading(below.id, below.title) for below in rest))
        for first, *rest in parts(document)
    )
