"""The survey on one page: table of contents, sections, references with their back-links."""

from __future__ import annotations

import re
from collections.abc import Mapping

from classifier.site import paths
from classifier.site.blocks import anchor
from classifier.survey.claims import pointed_at
from classifier.survey.document import (
    Document,
    Paragraph,
    Section,
    Sentence,
    Table,
    cited_in,
    sentences_of,
    texts_of,
)
from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import name_of
from classifier.survey.quotation import balanced
from classifier.survey.survey import Survey
from classifier.survey.wording import in_figures, joined

_LISTING = re.compile(r"\]\((p/[^()\s]+\.html)\)")


CitedIn = tuple[str, str, str]
"""A section that cites a paper: its title, the address of the first place, how often in words."""


def citing_anchors(document: Document) -> dict[int, list[str]]:
    """Return reference number -> anchors of what cites it, each once, in reading order."""
    citing: dict[int, list[str]] = {}
    for _, block, text in texts_of(document.sections):
        for number in cited_in(text):
            citing.setdefault(number, []).append(_anchor(block))
    return citing


def sections_citing(survey: Survey, pages: Mapping[str, str]) -> dict[int, tuple[CitedIn, ...]]:
    """Return reference number -> the sections that cite or list the paper, in reading order.

    pages: anchor -> page of the survey on which it stands.
    """
    numbers = {paths.paper_page(entry): entry.number for entry in survey.entries}
    found: dict[int, dict[str, list[str]]] = {}
    titles: dict[str, str] = {}
    for section, block, text in texts_of(survey.document.sections):
        titles[section.id] = section.title
        cited = set(cited_in(text))
        cited |= {numbers[page] for page in _LISTING.findall(text) if page in numbers}
        for number in cited:
            found.setdefault(number, {}).setdefault(section.id, []).append(_anchor(block))
    return {
        number: tuple(
            (titles[name], f"{pages[places[0]]}#{places[0]}", _in_words(places))
            for name, places in sections.items()
        )
        for number, sections in found.items()
    }


def _in_words(anchors: list[str]) -> str:
    """Return how often a section cites a paper: `2 sentences and 1 table`."""
    tables = sum(anchor.startswith("table-") for anchor in anchors)
    parts = (len(anchors) - tables, "sentence"), (tables, "table")
    return joined([in_figures(number, noun) for number, noun in parts if number])


def _anchor(block: Sentence | Table) -> str:
    return anchor(block) if isinstance(block, Table) else block.id


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


Beside = tuple[bool, list[tuple[str, str, str]]]
"""Whether they are shown at once, as few others are; of each its name, its page, and its words."""
_FEW_PLACED = 2


def found_beside(survey: Survey) -> dict[str, Beside]:
    """Return what those papers found that the editors read for a claim and put on no side.

    By the id of the sentence that names them.
    """
    found = {}
    for claim in survey.claims.claims:
        told = [
            (name_of(entry), paths.paper_page(entry), quoted(entry, _found(entry, each.words)))
            for each in claim.placements
            if each.side == "beside" and (entry := survey.paper(each.paper_id))
        ]
        is_open = len(claim.placements) - len(told) <= _FEW_PLACED
        if told:
            found[f"{claim.topic}-{claim.name}-beside"] = is_open, told
    return found


def _found(entry: SurveyPaper, words: str) -> str:
    """Return the sentence that `words` point at, or what came of the work, or what it does."""
    if words and (pointed := pointed_at(words, entry.paper.abstract_display)):
        return pointed[0]
    results = [each.words for each in entry.sentences if each.role == "result"]
    return " ".join(results) or entry.contribution


def quoted(entry: SurveyPaper, words: str) -> str:
    """Return words of a paper, in quotation marks where they are its authors' own; "" of none."""
    return f"“{balanced(words)}”" if words and entry.paper.abstract_kind != "digest" else words
