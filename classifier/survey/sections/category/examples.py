"""What single papers do, by kind of contribution, and what those that measure have found."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from classifier.survey.document import Draft
from classifier.survey.entry import Entry
from classifier.survey.exemplars import choose_exemplars, stands_alone
from classifier.survey.facts import Selection
from classifier.survey.sections.category.subject import CONTRIBUTION, Subject, top_subject
from classifier.survey.sections.category.telling import told_behind, told_of
from classifier.survey.survey import current
from classifier.survey.wording import in_prose, named, plural
from classifier.taxonomy.model import Category

_MOST_EXAMPLES = 3
# An example stands for others: a kind with fewer papers is told by the comparison table.
_KIND_AT_LEAST = 3
_MOST_KINDS = 3


def example_drafts(subject: Subject, elsewhere: Collection[int] = ()) -> list[Draft]:
    """Return what the central papers do; `elsewhere` numbers the papers that others speak of."""
    groups = [
        (f"Among the {plural(in_prose(named(kind)))}, ", selection.entries)
        for selection, kind in subject.kinds
        if selection.number >= _KIND_AT_LEAST and kind.id not in MEASURING
    ][:_MOST_KINDS]
    if len(groups) < 2:
        return _told(_free(subject.entries, elsewhere), _MOST_EXAMPLES, "For example, ")
    shares = [2 if len(groups) == 2 else 1] + [1] * (len(groups) - 1)
    return [
        draft
        for share, (lead, entries) in zip(shares, groups, strict=True)
        for draft in _told(_free(entries, elsewhere), share, lead)
    ]


def part_examples(subject: Subject, elsewhere: Collection[int] = (), most: int = 2) -> list[Entry]:
    """Return the papers that a part is shown by; `elsewhere` are told of in the whole."""
    return choose_exemplars(_free(subject.entries, elsewhere), most)


def part_example_drafts(entries: Sequence[Entry]) -> list[Draft]:
    """Return what the papers do that a part of a category is shown by."""
    return [told_of(f"exemplar-{e.slug}", e, e.contribution) for e in entries]


def _free(entries: Sequence[Entry], elsewhere: Collection[int]) -> list[Entry]:
    return [entry for entry in entries if entry.number not in elsewhere]


def _told(entries: Sequence[Entry], most: int, lead: str) -> list[Draft]:
    chosen = choose_exemplars(entries, most)
    leads = [lead if len(chosen) < len(entries) else ""] + [""] * len(chosen)
    return [
        told_of(f"exemplar-{entry.slug}", entry, entry.contribution, lead)
        for lead, entry in zip(leads, chosen, strict=False)
    ]


MEASURING = ("benchmark", "study")
"""Kinds of contribution that measure and report what they found."""

_MOST_FOUND = 3
_MOST_CITED = 9
# "The guiding questions are …", "a series of models is benchmarked": told what was done, no reader
# knows what was found.
_FINDS_NOTHING = re.compile(
    r"\bguiding questions\b|\b(?:are|is) (?:derived|benchmarked|discussed)\b|\bexplor(?:es?|ing)\b"
    r"|\balso allows\b|\bthe survey\b|\baccording to the authors, it\b",
    re.IGNORECASE,
)
# Without a figure a finding compares, or says how often or how well.
_FINDS = re.compile(
    r"\b(?:than|better|worse|best|worst|most(?:ly)?|least|more|less|fewer|higher|lower|even|only|all"
    r"|no|not|none|few|rarely|seldom|never|often|usually|half|fail\w*|struggl\w*|hard|easy|drop\w*"
    r"|outperform\w*|exceed\w*|surpass\w*|match\w*|beat\w*|improv\w*|rais\w+|reduc\w*|lag\w*"
    r"|depend\w*|correlat\w*|prefer\w*|finds?|found|reveal\w*|shows?|suggest\w*|carr(?:y|ies)"
    r"|remain\w*|still|unevenly|works?|helps?|hurts?|differ\w*|reliable|misses|expose\w*|restored)\b",
    re.IGNORECASE,
)

Measuring = list[tuple[Selection, Category]]


def found_by(subject: Subject, most: int = _MOST_FOUND) -> list[Entry]:
    """Return papers that measure and say what they found: central ones, those filed here first.

    What a paper found is told in the section where it is filed, if there; else in another one.
    """
    measuring = {e.number: e for s, _ in measured_by(subject) for e in s.entries}
    filed = _found_among(subject, most)
    for home in subject.material.categories:
        for entry in _found_among(top_subject(subject.material, home), most):
            measuring.pop(entry.number, None)
    here = {entry.number for entry in subject.entries}
    elsewhere = [entry for number, entry in measuring.items() if number not in here]
    return filed + choose_exemplars(elsewhere, most - len(filed), finding_of)


def _found_among(subject: Subject, most: int) -> list[Entry]:
    """Return the central ones of the papers filed here that say what they found."""
    asked, key = subject.material.asked, ("found among", subject.papers().id, str(most))
    if key not in asked:
        filed = {
            e.number: e for s, kind in subject.kinds if kind.id in MEASURING for e in s.entries
        }
        asked[key] = choose_exemplars(list(filed.values()), most, finding_of)
    return asked[key]


def finding_drafts(found: Sequence[Entry]) -> list[Draft | None]:
    """Return what papers found that measure, wherever they are filed."""
    leads = ["What was found: ", *[""] * len(found)]
    return [
        told_behind(f"finding-{e.slug}", e, finding_of(e), lead)
        for e, lead in zip(found, leads, strict=False)
    ]


def measured_by(subject: Subject) -> Measuring:
    """Return the papers that belong here and measure, by kind, where there are any."""
    material = subject.material
    facet = material.taxonomy.facets.get(CONTRIBUTION)
    belongs = (material.first.id, subject.category.id)
    selected = [
        (material.facts.select(belongs, (CONTRIBUTION, kind.id)), kind)
        for kind in (current(facet.categories) if facet else ())
        if kind.id in MEASURING
    ]
    return [(selection, kind) for selection, kind in selected if selection.number]


def finding_of(entry: Entry) -> str:
    """Return what a paper found in a sentence that stands alone, one with a figure first, or ""."""
    stated = [s for s in entry.sentences if s.role == "result"]
    able = [s for s in stated if stands_alone(s.words) and not _FINDS_NOTHING.search(s.words)]
    figures = [result.sentence for result in entry.results]
    telling = [s for s in able if s.span in figures or _FINDS.search(s.words)]
    return next((s.words for s in sorted(telling, key=lambda item: item.span not in figures)), "")
