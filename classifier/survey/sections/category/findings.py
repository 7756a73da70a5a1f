"""Quotable sentences on the findings of papers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from classifier.survey.document import Draft
from classifier.survey.entry import SurveyPaper
from classifier.survey.exemplars import choose_exemplars
from classifier.survey.quotation import has_clear_abbreviations, is_quotable
from classifier.survey.sections.category.quotes import quote_papers
from classifier.survey.sections.category.subject import Subject


def _measuring_kinds(subject: Subject) -> tuple[str, str]:
    """Return the ids of the kinds of contribution that measure something and report findings."""
    return subject.survey.roles.benchmark, subject.survey.roles.study


_MAX_FINDINGS = 3
MAX_FINDING = 400
"""Maximum length of a quoted finding, in characters."""
# The text of a case report, "The patient was admitted", has no general finding.
_CASE_REPORT = re.compile(
    r"\b(?:year|month|week|day)s?-old\b|\bcase reports?\b|\b(?:an?|one|rare|this) case\b(?! stud)"
    r"|\bcases? of\b|\b(?:two|three|four|five|[2-5]) cases\b",
    re.IGNORECASE,
)
# "We will explore …" and "Rates are discussed" state an activity and not its outcome.
_NOT_A_FINDING = re.compile(
    r"\bguiding questions\b|\bshould\b|\bcould serve\b|\ball things considered\b"
    r"|\bexplor(?:e[sd]?|ing)\b|\bdiscuss\w*|\bwill\b|\blimited\b|\bpotential\b|\bneed\w*"
    r"|\b(?:are|is|was|were) (?:derived|benchmarked|evaluated)\b"
    r"|\bwe (?:aim|analy[sz]e|develop|extend|include|introduce|present|propose)\b",
    re.IGNORECASE,
)
# A finding states a comparison, an association or a change, or uses a verb such as "found that".
_FINDING = re.compile(
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


def central_findings(subject: Subject) -> list[tuple[SurveyPaper, str]]:
    """Return up to three central papers that measure something, with their findings.

    If the taxonomy has no kinds of contribution, all papers are candidates.
    """
    entries = list(subject.entries)
    if subject.kinds:
        kinds = _measuring_kinds(subject)
        measuring = [selection.entries for selection, kind in subject.kinds if kind.id in kinds]
        entries = list({entry.number: entry for group in measuring for entry in group}.values())
    found: dict[str, str] = {}
    for entry in entries:
        finding = finding_of(entry)
        if finding and subject.is_obvious_for(entry, finding):
            found[entry.paper.id] = finding
    in_per_cent = {paper_id: text for paper_id, text in found.items() if "%" in text}
    if not subject.kinds and len(in_per_cent) >= _MAX_FINDINGS:
        found = in_per_cent
    chosen = choose_exemplars(entries, _MAX_FINDINGS, lambda entry: found.get(entry.paper.id, ""))
    return [(entry, found[entry.paper.id]) for entry in chosen]


def finding_drafts(findings: Sequence[tuple[SurveyPaper, str]]) -> list[Draft | None]:
    """Return the sentences about findings."""
    return quote_papers("finding", findings, "What was found: ")


def finding_of(entry: SurveyPaper) -> str:
    """Return a quotable sentence with a finding, preferably with a number, or "".

    Findings of retracted papers and of case reports are omitted.
    """
    text = entry.paper.abstract_display
    if entry.paper.retracted or _CASE_REPORT.search(f"{entry.paper.title_display} {text}"):
        return ""
    numeric = [result.sentence for result in entry.results]
    changes = [each.sentence for each in entry.results if each.kind.endswith(("gain", "effect"))]
    candidates = [
        each
        for each in entry.sentences
        if each.role == "result"
        and len(each.words) <= MAX_FINDING
        and (each.span in changes or _FINDING.search(each.words))
        and not _NOT_A_FINDING.search(each.words)
        and is_quotable(each.words, entry.paper)
        and has_clear_abbreviations(each.words, text)
    ]
    with_number_first = sorted(candidates, key=lambda each: each.span not in numeric)
    return with_number_first[0].words if with_number_first else ""
