"""Threats to validity: what the survey cannot know, and how wrong it may be."""

from __future__ import annotations

from classifier.survey.document import Draft, Section, computed, paragraphs
from classifier.survey.quality import filers
from classifier.survey.sections.rules import own_words
from classifier.survey.survey import Survey
from classifier.survey.wording import counted, in_prose, joined, named, number, verb

_TEXTS = (
    "What a paper does beyond the text that was read is unknown here: a blank says nothing of "
    "the paper itself."
)
_TITLES = "A label that was drawn from a title alone is provisional."
_DIGESTS = (
    "A digest stands between the paper and this survey: what its writer left out is not known here."
)
_SAMPLE = (
    "The sample was drawn by whoever compiled the sources; how large a category is here depends on "
    "that choice as much as on the field."
)
_TAXONOMY = (
    "The categories are one division of the field: another would count otherwise, and a paper "
    "between two of them stands in one section only."
)
_ROLES = (
    "What a sentence does, and whether it states a result, is decided by machine from its words "
    "and place; where that fails, a result is missed or a figure is taken for one."
)
_UNMEASURED = (
    "How often the classifier's labels are wrong is not known: readers have decided too few papers."
)


def threats_sections(material: Survey) -> list[Section]:
    """Return the threats to validity: texts, sample, labels, dates, taxonomy."""
    facts = material.facts
    texts = [
        own_words("texts", _TEXTS),
        own_words("digests", _DIGESTS) if facts.number("papers.with_digest") else None,
        own_words("titles", _TITLES) if facts.number("papers.title_only") else None,
        own_words("roles", _ROLES),
    ]
    sample = [own_words("sample", _SAMPLE), _undated(material), own_words("taxonomy", _TAXONOMY)]
    blocks = paragraphs("threats", texts, sample, label_drafts(material))
    return [Section("threats", "Threats to validity", 1, tuple(blocks))]


def label_drafts(material: Survey) -> list[Draft | None]:
    """Return how many labels nobody reviewed, and how often such labels are wrong."""
    facts, total = material.facts, material.facts.number("papers.total")
    reviewed = facts.number("papers.reviewed")
    if reviewed == total:
        return []
    provisional = facts.number("papers.provisional")
    rest = total - reviewed
    text = f"No reader saw the labels of {counted(rest, 'paper')}"
    if provisional:
        are = verb(provisional, "is", "are")
        which = "all" if 1 < provisional == rest else number(provisional)
        text += f", and {which} of these {are} marked provisional"
    names = ("papers.total", "papers.reviewed", "papers.provisional")
    return [computed("unreviewed", f"{text}.", *names), *_error(material)]


def _error(material: Survey) -> list[Draft | None]:
    """How often the classifier files as readers do, with the interval, facet by facet."""
    figures = material.metrics.get("facets", {})
    parts: list[str] = []
    sources: list[str] = []
    for facet_id, facet in material.taxonomy.facets.items():
        found = figures.get(facet_id, {})
        low, high = found.get("intervals", {}).get("primary_accuracy") or (None, None)
        if low is None or high is None:
            continue
        of_papers = " of the papers" if not parts else ""
        parts.append(
            f"on the {in_prose(named(facet))} of {_percent(low)} to {_percent(high)}{of_papers}"
        )
        sources.append(f"{facet_id}.intervals.primary_accuracy")
    if not parts:
        return [own_words("unmeasured", _UNMEASURED)]
    text = (
        "As far as the decided papers tell, the classifier agrees with "
        f"{filers(figures[material.first.id]).agrees_with} "
        f"{joined(parts)} (95% intervals); every count over labels carries that error."
    )
    return [Draft("label-error", text, "C", f"metrics: {', '.join(sources)}")]


def _undated(material: Survey) -> Draft | None:
    facts = material.facts
    total, dated = facts.number("papers.total"), facts.number("papers.dated")
    if dated == total:
        return None
    missing = total - dated
    has, is_missing = verb(missing, "has", "have"), verb(missing, "is", "are")
    text = (
        f"Of the {counted(total, 'paper')}, {number(missing)} {has} no date and {is_missing} "
        "missing wherever time is counted."
    )
    return computed("undated", text, "papers.total", "papers.dated")


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"
