"""The front page: what was found, one large figure, where to begin, what is new, the topics."""

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
from classifier.survey.document import Document, Figure, Sentence
from classifier.survey.sections.category.path import DATED
from classifier.survey.survey import Survey
from classifier.survey.wording import in_figures
from classifier.taxonomy.claims import Claim
from classifier.taxonomy.model import Category
from classifier.text.links import without_dead_links

_NEWEST = 6
_FINDINGS = 5
_BEGINNINGS, _STEPS = 6, 3
_OF_THE_SAMPLE = frozenset({"flow", "matrix"})
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
"""(finding as Markdown, its base such as `3 papers for, one against`, its address)."""


def front_page(survey: Survey, pages: Mapping[str, str]) -> dict[str, object]:
    """Return the content of the front page. pages: anchor of the survey -> its page."""
    changes = survey.changes
    added = {paper.id for paper in changes.added} if changes else set()
    newest = dated(survey.entries)
    new = [entry for entry in newest_first(survey.entries) if entry.paper.id in added] or newest
    figures = {figure.id: figure for figure in figures_of(survey.document)}
    large = figures.get("months") or figures.get("topics")
    claims = _claims(survey, pages)
    abstract = (each for each in survey.document.sections if each.id == "abstract")
    tops = top_categories(survey)
    return {
        "abstract": [block for section in abstract for block in section.blocks[:1]],
        "findings": [*claims, *_computed(figures, large, pages)][:_FINDINGS],
        "has_claims": bool(claims),
        "figures": key_figures(survey),
        "picture": large,
        "beginnings": list(islice(beginnings(survey.document, tops), _BEGINNINGS)),
        "core": [category for category in tops if category.core],
        "others": [category for category in tops if not category.core],
        "newest": new[:_NEWEST],
        "changed": _changed(changes, survey) if changes else "",
    }


def key_figures(survey: Survey) -> list[tuple[str, str, str, str]]:
    """Return (value, label, fact, query) of the numbers to show; none that is not a fact."""
    values = survey.fact_values
    return [
        (str(values[fact]), label, fact, query)
        for fact, label, query in _KEY_FIGURES
        if fact in values
    ]


def _claims(survey: Survey, pages: Mapping[str, str]) -> list[Finding]:
    """Return the claims on which most sentences bear, those with two sides first, one a topic."""

    def weight(claim: Claim) -> tuple[int, int]:
        sides = Counter(placement.side for placement in claim.placements)
        return min(sides["for"], sides["against"] + sides["mixed"]), sum(sides.values())

    found: dict[str, Finding] = {}
    for claim in sorted(survey.claims.claims, key=weight, reverse=True):
        place = f"{claim.topic}-{claim.name}"
        counts = tally(claim, survey.paper)
        if place in pages and counts and claim.topic not in found:
            text = without_dead_links(claim.text)
            source = f"papers placed: {counts}"
            found[claim.topic] = (text, source, f"{pages[place]}#{place}")
    return list(islice(found.values(), _FINDINGS))


def _computed(
    figures: Mapping[str, Figure], large: Figure | None, pages: Mapping[str, str]
) -> Iterator[Finding]:
    """Yield the finding of each figure, except the one that the page shows.

    The flow of records and the overlap of topics describe the sample; they are not findings.
    """
    for figure in figures.values():
        if figure is not large and figure.id not in _OF_THE_SAMPLE:
            place = anchor(figure)
            yield f"{figure.title}.", f"Figure {figure.number}", f"{pages[place]}#{place}"


def beginnings(
    document: Document, categories: Sequence[Category]
) -> Iterator[tuple[Category, list[Sentence]]]:
    """Yield the paths to read that the sections of the survey name, of core categories first.

    None that has no other reason than dates.
    """
    for category in sorted(categories, key=lambda each: not each.core):
        start = f"{category.id}-path-"
        steps = [s for s in document.sentences if s.id.startswith(start) and s.id != f"{start}odd"]
        if any(step.id.removeprefix(start) not in DATED for step in steps):
            shown = steps[:_STEPS]  # the title is the link, in place of the number
            titled = [replace(s, text=_CITED.sub(r"[\1](\2)", s.text, count=1)) for s in shown]
            yield category, titled


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
    added = in_figures(len(changes.added), "paper")
    return f"{added} {is_are} new since the last edition{where}{left}."
