"""The front page: abstract, key figures, findings, where to start, newest papers and topics."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from classifier.site.blocks import block_anchor
from classifier.site.figures.charts import figures_of
from classifier.site.listing import dated_papers, newest_first, top_categories
from classifier.survey.changes.compare import Changes
from classifier.survey.claims import tally
from classifier.survey.document import Document, Figure, Paragraph, Sentence
from classifier.survey.survey import Survey
from classifier.survey.wording import capitalise, count_in_digits
from classifier.taxonomy.claims import SIDES, Claim
from classifier.taxonomy.model import Category
from classifier.text.links import without_dead_links

_MAX_NEWEST = 6
_MAX_FINDINGS = 5
_MAX_TOPICS, _MAX_STEPS = 6, 3
"""Limits of "Start here": topics, and papers per topic."""
_SIZE_FIGURES = ("months", "topics")
"""Figures of the size of the sample. One is shown if no figure describes the field."""
_CITED = re.compile(r"(\*.+?\*) \\\[\[\d+\]\((#ref-\d+)\)\\\]")
_KEY_FIGURES = (
    ("papers.total", "papers", "all"),
    ("papers.dated", "with a date", ""),
    ("papers.reviewed", "decided by readers", "status=reviewed"),
    ("papers.imported", "filed by their source", "status=imported"),
    ("papers.confident", "labelled with confidence", "status=confident"),
    ("papers.provisional", "filed provisionally", "status=provisional"),
)
"""(fact, label, query) of each key figure. A query of "" means no link."""

_Block = TypeVar("_Block", Paragraph, Figure)
Finding = tuple[str, str, str]
"""(finding as Markdown, name of its evidence, address of its evidence)."""


def front_page(survey: Survey, pages: Mapping[str, str]) -> dict[str, object]:
    """Return the variables of the front page's template.

    pages: pages of the survey by anchor.
    """
    changes = survey.changes
    added = {paper.id for paper in changes.added} if changes else set()
    newest = dated_papers(survey.entries)
    new = [entry for entry in newest_first(survey.entries) if entry.paper.id in added] or newest
    figures = figures_of(survey.document)
    pictures = _blocks_of_kind(survey, "landscape", Figure)
    pictures = pictures or [figure for figure in figures if figure.id in _SIZE_FIGURES]
    claims = _main_claims(survey, pages)
    findings = [*claims, *_contribution_summary(figures, pages)]
    judgements = _blocks_of_kind(survey, "conclusion", Paragraph)
    tops = top_categories(survey)
    return {
        "abstract": _blocks_of_kind(survey, "abstract", Paragraph),
        "judgements": judgements,
        "findings": [] if judgements else findings[:_MAX_FINDINGS],
        "has_claims": bool(claims),
        "figures": key_figures(survey),
        "pictures": pictures,
        "beginnings": list(islice(papers_to_start_with(survey.document, tops), _MAX_TOPICS)),
        "core": [category for category in tops if category.core],
        "others": [category for category in tops if not category.core],
        "newest": new[:_MAX_NEWEST],
        "changed": _change_summary(changes, survey) if changes else "",
    }


def _blocks_of_kind(survey: Survey, section_id: str, kind: type[_Block]) -> list[_Block]:
    """Return the paragraphs or the figures of a section."""
    return [
        block
        for section in survey.document.sections
        if section.id == section_id
        for block in section.blocks
        if isinstance(block, kind)
    ]


def key_figures(survey: Survey) -> list[tuple[str, str, str, str]]:
    """Return value, label, fact and query of each key figure that the survey has."""
    values = survey.fact_values
    return [
        (str(values[fact]), label, fact, query)
        for fact, label, query in _KEY_FIGURES
        if fact in values
    ]


def _main_claims(survey: Survey, pages: Mapping[str, str]) -> list[Finding]:
    """Return for each topic the claim with the most evidence; disputed claims come first."""

    def evidence(claim: Claim) -> tuple[int, int]:
        """Return a sort key by the amount of evidence on each side."""
        sides = Counter(each.side for each in claim.placements if each.side in SIDES)
        return min(sides["for"], sides["against"] + sides["mixed"]), sides.total()

    by_topic: dict[str, Finding] = {}
    for claim in sorted(survey.claims.claims, key=evidence, reverse=True):
        place = f"{claim.topic}-{claim.name}"
        counts = tally(claim, survey.paper)
        if place in pages and counts and claim.topic not in by_topic:
            text = without_dead_links(claim.heading)
            source = capitalise(counts)
            if claim.finding:
                source = f"{without_dead_links(claim.text)} {source}"
            by_topic[claim.topic] = (text, f"{source}.", f"{pages[place]}#{place}")
    return list(islice(by_topic.values(), _MAX_FINDINGS))


def _contribution_summary(figures: Sequence[Figure], pages: Mapping[str, str]) -> Iterator[Finding]:
    """Yield the finding of the figure of contributions, if there is one."""
    for figure in figures:
        if figure.id == "contribution":
            place = block_anchor(figure)
            yield f"{figure.title}.", f"Figure {figure.number}", f"{pages[place]}#{place}"


def papers_to_start_with(
    document: Document, categories: Sequence[Category]
) -> Iterator[tuple[Category, list[Sentence]]]:
    """Yield each category with the papers that its editors recommend; core categories first."""
    for category in sorted(categories, key=lambda each: not each.core):
        prefix = f"{category.id}-path-"
        steps = [each for each in document.sentences if each.id.startswith(prefix)]
        # The title becomes the link, in place of the reference number.
        linked = [
            replace(step, text=_CITED.sub(r"[\1](\2)", step.text, count=1))
            for step in steps[:_MAX_STEPS]
        ]
        if linked:
            yield category, linked


def _change_summary(changes: Changes, survey: Survey) -> str:
    """Return a sentence about the papers that are new since the baseline."""
    new_ids = {paper.id for paper in changes.added}
    topics = Counter(entry.first.primary for entry in survey.entries if entry.paper.id in new_ids)
    dropped = f", {len(changes.dropped)} left" if changes.dropped else ""
    if not changes.added:
        return f"No paper is new since the last edition{dropped}."
    [(topic, number), *_] = topics.most_common(1) or [("", 0)]
    category = survey.taxonomy.first.get(topic)
    is_are = "is" if len(changes.added) == 1 else "are"
    where = ""
    if category and len(topics) > 1:
        where = f", most of them in {category.name} ({number})"
    added = count_in_digits(len(changes.added), "paper")
    return f"{added} {is_are} new since the last edition{where}{dropped}."
