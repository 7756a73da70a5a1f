"""The front page: what was found, in figures and words, where to begin, what is new, the topics."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from classifier.site.blocks import anchor
from classifier.site.figures.charts import figures_of
from classifier.site.listing import dated, newest_first, top_categories
from classifier.survey.changes.compare import Changes
from classifier.survey.claims import tally
from classifier.survey.document import Document, Figure, Paragraph, Sentence
from classifier.survey.survey import Survey
from classifier.survey.wording import capitalized, count_in_digits
from classifier.taxonomy.claims import SIDES, Claim
from classifier.taxonomy.model import Category
from classifier.text.links import without_dead_links

_NEWEST = 6
_MAX_FINDINGS = 5
_BEGINNINGS, _STEPS = 6, 3
_ANSWERS = ("claims", "levels", "designs")
"""The figures that answer a question about the field, in the order of the page."""
_OF_THE_SAMPLE = ("months", "topics")
"""The figures of which one is shown if there is no other."""
_CITED = re.compile(r"(\*.+?\*) \\\[\[\d+\]\((#ref-\d+)\)\\\]")
_KEY_FIGURES = (
    ("papers.total", "papers", "all"),
    ("papers.dated", "with a date", ""),
    ("papers.reviewed", "decided by readers", "status=reviewed"),
    ("papers.imported", "filed so by their source", "status=imported"),
    ("papers.confident", "labelled with confidence", "status=confident"),
    ("papers.provisional", "filed provisionally", "status=provisional"),
)


Finding = tuple[str, str, str]
"""(finding as Markdown, the evidence that it is based on, its address)."""


def front_page(survey: Survey, pages: Mapping[str, str]) -> dict[str, object]:
    """Return the content of the front page. pages: anchor of the survey -> its page."""
    changes = survey.changes
    added = {paper.id for paper in changes.added} if changes else set()
    newest = dated(survey.entries)
    new = [entry for entry in newest_first(survey.entries) if entry.paper.id in added] or newest
    figures = {figure.id: figure for figure in figures_of(survey.document)}
    answers = [figures[each] for each in _ANSWERS if each in figures]
    pictures = answers or [figures[each] for each in _OF_THE_SAMPLE if each in figures][:1]
    claims = _claims(survey, pages)
    findings = [*claims, *_computed(figures, pictures, pages)]
    judgements = _paragraphs(survey, "conclusion")
    tops = top_categories(survey)
    return {
        "abstract": _paragraphs(survey, "abstract"),
        "judgements": judgements,
        "findings": [] if judgements else findings[:_MAX_FINDINGS],
        "has_claims": bool(claims),
        "figures": key_figures(survey),
        "pictures": pictures,
        "beginnings": list(islice(beginnings(survey.document, tops), _BEGINNINGS)),
        "core": [category for category in tops if category.core],
        "others": [category for category in tops if not category.core],
        "newest": new[:_NEWEST],
        "changed": _changed(changes, survey) if changes else "",
    }


def _paragraphs(survey: Survey, section_id: str) -> list[Paragraph]:
    """Return the paragraphs of a section."""
    return [
        block
        for section in survey.document.sections
        if section.id == section_id
        for block in section.blocks
        if isinstance(block, Paragraph)
    ]


def key_figures(survey: Survey) -> list[tuple[str, str, str, str]]:
    """Return (value, label, fact, query) of the numbers to show; none that is not a fact."""
    values = survey.fact_values
    return [
        (str(values[fact]), label, fact, query)
        for fact, label, query in _KEY_FIGURES
        if fact in values
    ]


def _claims(survey: Survey, pages: Mapping[str, str]) -> list[Finding]:
    """Return the claims with the most evidence, one per topic; claims with two sides first."""

    def weight(claim: Claim) -> tuple[int, int]:
        sides = Counter(each.side for each in claim.placements if each.side in SIDES)
        return min(sides["for"], sides["against"] + sides["mixed"]), sides.total()

    found: dict[str, Finding] = {}
    for claim in sorted(survey.claims.claims, key=weight, reverse=True):
        place = f"{claim.topic}-{claim.name}"
        counts = tally(claim, survey.paper)
        if place in pages and counts and claim.topic not in found:
            text = without_dead_links(claim.heading)
            base = capitalized(counts)
            if claim.finding:
                base = f"{without_dead_links(claim.text)} {base}"
            found[claim.topic] = (text, f"{base}.", f"{pages[place]}#{place}")
    return list(islice(found.values(), _MAX_FINDINGS))


def _computed(
    figures: Mapping[str, Figure], pictures: Sequence[Figure], pages: Mapping[str, str]
) -> Iterator[Finding]:
    """Yield the finding of each figure, except those that the page shows.

    The flow of records and the months describe the sample; they are not findings.
    """
    for figure in figures.values():
        if figure not in pictures and figure.id not in (*_OF_THE_SAMPLE, "flow"):
            place = anchor(figure)
            yield f"{figure.title}.", f"Figure {figure.number}", f"{pages[place]}#{place}"


def beginnings(
    document: Document, categories: Sequence[Category]
) -> Iterator[tuple[Category, list[Sentence]]]:
    """Yield the papers that the editors recommend to read first, of core categories first."""
    for category in sorted(categories, key=lambda each: not each.core):
        start = f"{category.id}-path-"
        steps = [each for each in document.sentences if each.id.startswith(start)][:_STEPS]
        if steps:  # The title is the link, in place of the number.
            titled = (_CITED.sub(r"[\1](\2)", step.text, count=1) for step in steps)
            yield category, [replace(s, text=t) for s, t in zip(steps, titled, strict=True)]


def _changed(changes: Changes, survey: Survey) -> str:
    """Return a sentence on what is new since the baseline."""
    new = {mark.id for mark in changes.added}
    names = Counter(entry.first.primary for entry in survey.entries if entry.paper.id in new)
    left = f", {len(changes.dropped)} left" if changes.dropped else ""
    if not changes.added:
        return f"No paper is new since the last edition{left}."
    [(most, number), *_] = names.most_common(1) or [("", 0)]
    category = survey.taxonomy.first.get(most)
    is_are = "is" if len(changes.added) == 1 else "are"
    where = f", most of them in {category.name} ({number})" if category and len(names) > 1 else ""
    added = count_in_digits(len(changes.added), "paper")
    return f"{added} {is_are} new since the last edition{where}{left}."
