"""What papers found, in sentences that a reader understands without the text around them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from classifier.survey.document import Draft
from classifier.survey.entry import SurveyPaper
from classifier.survey.exemplars import choose_exemplars
from classifier.survey.quotation import is_quotable, spells_out
from classifier.survey.sections.category.subject import Subject
from classifier.survey.sections.category.telling import told_in_turn


def _measuring(subject: Subject) -> tuple[str, str]:
    """Return the kinds of contribution that measure and report what they found."""
    return subject.survey.roles.benchmark, subject.survey.roles.study


_MAX_FINDINGS = 3
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


def found_by(subject: Subject) -> list[tuple[SurveyPaper, str]]:
    """Return the central ones of the papers filed here that measure, and what they found.

    All papers may, if the survey does not record which ones measure.
    """
    measuring = [s.entries for s, kind in subject.kinds if kind.id in _measuring(subject)]
    filed = {e.number: e for entries in measuring for e in entries}
    entries = list(filed.values()) if subject.kinds else subject.entries
    found = {
        e.paper.id: words for e in entries if (words := finding_of(e)) and subject.shows(e, words)
    }
    figures = {each: words for each, words in found.items() if "%" in words}
    if not subject.kinds and len(figures) >= _MAX_FINDINGS:
        found = figures
    chosen = choose_exemplars(entries, _MAX_FINDINGS, lambda entry: found.get(entry.paper.id, ""))
    return [(entry, found[entry.paper.id]) for entry in chosen]


def finding_drafts(found: Sequence[tuple[SurveyPaper, str]]) -> list[Draft | None]:
    """Return what papers found that measure."""
    return told_in_turn("finding", found, "What was found: ")


def finding_of(entry: SurveyPaper) -> str:
    """Return what a paper found in a sentence that stands alone, one with a figure first, or "".

    The findings of a retracted paper do not count.
    """
    text = entry.paper.abstract_display
    if entry.paper.retracted or _OF_ONE_CASE.search(f"{entry.paper.title_display} {text}"):
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
        and is_quotable(each.words, entry.paper)
        and spells_out(each.words, text)
    ]
    return next((s.words for s in sorted(able, key=lambda item: item.span not in figures)), "")
