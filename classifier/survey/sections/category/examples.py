"""What single papers do, by kind of contribution, and what those that measure have found."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from classifier.survey.document import Draft
from classifier.survey.entry import SurveyPaper
from classifier.survey.exemplars import choose_exemplars
from classifier.survey.quotation import spells_out, stands_alone
from classifier.survey.sections.category.claims import told_by_claims
from classifier.survey.sections.category.subject import Subject
from classifier.survey.sections.category.telling import told_in_turn, told_of
from classifier.survey.wording import in_prose, named, plural

_MOST_EXAMPLES = 3
_MOST_OF_A_PART = 2
# An example stands for others: a kind with fewer papers is told by the comparison table.
_KIND_AT_LEAST = 3
_MOST_KINDS = 3


def example_drafts(subject: Subject, elsewhere: Collection[int] = ()) -> list[Draft]:
    """Return what the central papers do; `elsewhere` numbers the papers that others speak of."""
    groups = [
        (f"Among the {plural(in_prose(named(kind)))}, ", selection.entries)
        for selection, kind in subject.kinds
        if selection.number >= _KIND_AT_LEAST and kind.id not in _measuring(subject)
    ][:_MOST_KINDS]
    if len(groups) < 2:
        return _told(_free(subject, subject.entries, elsewhere), _MOST_EXAMPLES, "For example, ")
    shares = [2 if len(groups) == 2 else 1] + [1] * (len(groups) - 1)
    return [
        draft
        for share, (lead, entries) in zip(shares, groups, strict=True)
        for draft in _told(_free(subject, entries, elsewhere), share, lead)
    ]


def part_examples(subject: Subject, elsewhere: Collection[int] = ()) -> dict[int, Draft | None]:
    """Return number -> what the papers do, or found, that a part is shown by.

    `elsewhere` are told of in the whole; what papers found, where no kinds of contribution are
    known.
    """
    found = [] if subject.kinds else found_by(subject, elsewhere)[:_MOST_OF_A_PART]
    if len(found) > 1:
        return {e.number: draft for (e, _), draft in zip(found, finding_drafts(found), strict=True)}
    chosen = choose_exemplars(_free(subject, subject.entries, elsewhere), _MOST_OF_A_PART)
    return {e.number: told_of(f"exemplar-{e.slug}", e, e.contribution) for e in chosen}


def _free(
    subject: Subject, entries: Sequence[SurveyPaper], elsewhere: Collection[int]
) -> list[SurveyPaper]:
    told = told_by_claims(subject.survey)
    return [
        entry
        for entry in entries
        if entry.number not in elsewhere
        and (entry.paper.id, entry.contribution) not in told
        and subject.shows(entry, entry.contribution)
    ]


def _told(entries: Sequence[SurveyPaper], most: int, lead: str) -> list[Draft]:
    chosen = choose_exemplars(entries, most)
    lead = lead if len(chosen) < len(entries) else ""
    return [
        told_of(f"exemplar-{entry.slug}", entry, entry.contribution, "" if place else lead)
        for place, entry in enumerate(chosen)
    ]


def _measuring(subject: Subject) -> tuple[str, str]:
    """Return the kinds of contribution that measure and report what they found."""
    return subject.survey.roles.benchmark, subject.survey.roles.study


_MOST_FOUND = 3
LONGEST_FINDING = 400
# "The patient was admitted": what happened to one person is no finding.
_OF_ONE_CASE = re.compile(
    r"\b(?:year|month|week|day)s?-old\b|\bcase reports?\b|\b(?:an?|one|rare|this) case\b(?! stud)"
    r"|\bcases? of\b|\b(?:two|three|four|five|[2-5]) cases\b",
    re.IGNORECASE,
)
# "We will explore …", "Rates are discussed": told what is done, no reader knows what was found.
_FINDS_NOTHING = re.compile(
    r"\bguiding questions\b|\bshould\b|\bcould serve\b|\ball things considered\b"
    r"|\bexplor(?:e[sd]?|ing)\b|\bdiscuss\w*|\bwill\b|\blimited\b|\bpotential\b|\bneed\w*"
    r"|\b(?:are|is|was|were) (?:derived|benchmarked|evaluated)\b"
    r"|\bwe (?:aim|analy[sz]e|develop|extend|include|introduce|present|propose)\b",
    re.IGNORECASE,
)
# A finding compares, says what goes with what or what changes, or is one in the authors' words.
_FINDS = re.compile(
    r"\b(?:(?:than(?! \d)|(?<!and )(?<!were )compared (?:to|with)|versus|better|rarely|seldom|never"
    r"|easy|hard|associated with|associations? between|correlated|depends?|differ(?:s|ed)?"
    r"|significantly|(?:is|are|was|were) (?:\w+ ){0,2}effective|raises|cuts|drops|found no"
    r"|(?<!be )(?:decreas|improv|increas|reduc)e[sd]|fail(?:s|ed)? to|outperform(?:s|ed)?"
    r"|exceed(?:s|ed)|surpass(?:es|ed)|(?:conclud|demonstrat|indicat|reveal|suggest)\w* that"
    r"|(?:finds?|found|shows?|showed) that)\b|(?:above|below|over|under) (?:an? )?[\d.]+ ?%|p ?[<=]"
    r"|(?:no|significant) (?:\w+ )?"
    r"(?:associat|correlat|differen|effect|evidence|improve|relation))",
    re.IGNORECASE,
)


def found_by(subject: Subject, elsewhere: Collection[int] = ()) -> list[tuple[SurveyPaper, str]]:
    """Return the central ones of the papers filed here that measure, and what they found.

    None of the papers with the numbers `elsewhere`. Where nobody says which ones measure, all may.
    What a claim of the editors tells already is not told again.
    """
    told = told_by_claims(subject.survey)
    measuring = [s.entries for s, kind in subject.kinds if kind.id in _measuring(subject)]
    filed = {e.number: e for entries in measuring for e in entries}
    entries = list(filed.values()) if subject.kinds else subject.entries
    found = {
        e.paper.id: words
        for e in entries
        if e.number not in elsewhere
        and (words := finding_of(e))
        and (e.paper.id, words) not in told
        and subject.shows(e, words)
    }
    figures = {each: words for each, words in found.items() if "%" in words}
    if not subject.kinds and len(figures) >= _MOST_FOUND:
        found = figures
    chosen = choose_exemplars(entries, _MOST_FOUND, lambda entry: found.get(entry.paper.id, ""))
    return [(entry, found[entry.paper.id]) for entry in chosen]


def finding_drafts(found: Sequence[tuple[SurveyPaper, str]]) -> list[Draft | None]:
    """Return what papers found that measure."""
    return told_in_turn("finding", found, "What was found: ")


def finding_of(entry: SurveyPaper) -> str:
    """Return what a paper found in a sentence that stands alone, one with a figure first, or ""."""
    text = entry.paper.abstract_display
    if _OF_ONE_CASE.search(f"{entry.paper.title_display} {text}"):
        return ""
    figures = [result.sentence for result in entry.results]
    changes = [each.sentence for each in entry.results if each.kind.endswith(("gain", "effect"))]
    able = [
        each
        for each in entry.sentences
        if each.role == "result"
        and len(each.words) <= LONGEST_FINDING
        and (each.span in changes or _FINDS.search(each.words))
        and not _FINDS_NOTHING.search(each.words)
        and stands_alone(each.words, entry.paper)
        and spells_out(each.words, text)
    ]
    return next((s.words for s in sorted(able, key=lambda item: item.span not in figures)), "")
