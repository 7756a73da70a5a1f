"""A path to read: where to begin in a category, and why there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from classifier.survey.document import Draft, shared
from classifier.survey.entry import SurveyPaper, date_order
from classifier.survey.exemplars import most_central
from classifier.survey.paper_names import called
from classifier.survey.sections.category.subject import Subject
from classifier.survey.wording import counted, date_in_words, joined, named

_LEAD = "To begin with: "
_MOST_STEPS = 6
DATED = ("earliest", "newest")
_MIN_PAPERS, _MIN_OF_A_PART = 6, 4
"""Of fewer papers a reader reads all."""


def path_drafts(subject: Subject) -> list[Draft | None]:
    """Return the papers to begin with, each with the reason; none where all reasons are dates."""
    if subject.number < (_MIN_OF_A_PART if _is_part(subject) else _MIN_PAPERS):
        return []
    begun = _begun(subject)
    drafts: list[Draft | None] = [
        Draft(
            f"path-editors-{number}",
            f"{'' if number > 1 else _LEAD}{called(entry)}: {why}.",
            "H",
            f"taxonomy: claims/{subject.category.id}",
        )
        for number, (entry, why) in enumerate(begun, 1)
    ]
    is_told = bool(begun)
    told = {entry.paper.id for entry, _ in begun}
    for name, entry, reason, count in _steps(subject):
        if entry is None or entry.paper.id in told or len(told) == _MOST_STEPS:
            continue
        told.add(entry.paper.id)
        is_told |= name not in DATED
        fact = f"path.{subject.category.id}.{name}"
        value = count or entry.paper.published.date or entry.paper.id
        subject.survey.facts.add(fact, value, f"{reason} among {subject.papers().id}")
        lead = "" if drafts else _LEAD
        drafts.append(shared(f"path-{name}", f"{lead}{called(entry)} is {reason}.", fact))
    return drafts if len(drafts) > 1 and is_told else []


def _is_part(subject: Subject) -> bool:
    return subject.survey.first.top_of(subject.category.id) != subject.category.id


def _begun(subject: Subject) -> list[tuple[SurveyPaper, str]]:
    """Return the papers that the editors would have read first, in their order and words."""
    survey = subject.survey
    theses, _ = survey.claims.under(subject.category.id)
    begun = [(survey.paper(i), why) for thesis in theses for i, why in thesis.begin]
    return [(entry, why) for entry, why in begun if entry]


def _steps(subject: Subject) -> Iterator[tuple[str, SurveyPaper | None, str, int]]:
    entries = subject.entries if _is_part(subject) else subject.belonging.entries
    roles = subject.survey.roles
    surveys = subject.papers((roles.contribution, roles.survey)).entries
    order = date_order(entries)
    dated = sorted(
        (e for e in entries if e.paper.published.date), key=lambda e: (order[e.paper.id], e.number)
    )
    overview = next(iter(most_central(surveys, 1)), None)
    children = {child.id: named(child) for child in subject.category.children}
    parts = [children[c] for c in (overview.first.categories if overview else ()) if c in children]
    of = f"a part of it: {joined(parts)}" if parts else "it"
    yield "survey", overview, f"a survey of {of}", 0
    survey = subject.survey
    introduced = (
        (entry, survey.facts.select((roles.benchmarks, name)).number - 1)
        for entry in subject.entries
        for name in entry.names.get(roles.benchmarks, ())
        if entry.paper.title_display.lower().startswith(name.lower())
    )
    yield "introducing", *_most_named(introduced, "the benchmark that {} here name")
    referred = ((each, len(survey.naming.get(each.paper.id, ()))) for each in subject.entries)
    yield "referred", *_most_named(referred, "named by {} here")
    if dated and dated[0].paper.published.date[:4] < dated[-1].paper.published.date[:4]:
        first, last = dated[0], dated[-1]
        certain = sum(e.first.status != "provisional" for e in dated)
        is_read = first.paper.abstract_display and certain < _MIN_PAPERS
        is_guess = first.first.status == "provisional" and not is_read
        whole = survey.first.get(survey.first.top_of(subject.category.id))
        where = "with this label"
        if whole and _is_part(subject):
            where = f"of those here that are filed under {named(whole)}"
        for name, entry in (("earliest", None if is_guess else first), ("newest", last)):
            if entry:
                is_one = _may_be_of(entry, dated) == 1
                rank = f"the {name} dated" if is_one else f"among the {name} dated"
                date = date_in_words(entry.paper.published.date)
                yield name, entry, f"{rank} {where} ({date})", 0


def _may_be_of(entry: SurveyPaper, dated: Sequence[SurveyPaper]) -> int:
    """Return how many papers may be of a paper's date: one of 2020 may be of November 2020."""
    date = entry.paper.published.date
    other = [each.paper.published.date for each in dated]
    return sum(date.startswith(each) or each.startswith(date) for each in other)


def _most_named(
    held: Iterable[tuple[SurveyPaper, int]], reason: str
) -> tuple[SurveyPaper | None, str, int]:
    """Return the paper that most others name, from two on, the reason with their number, and it."""
    entry, others = max(held, key=lambda item: item[1], default=(None, 0))
    return entry if others > 1 else None, reason.format(counted(others, "other paper")), others
