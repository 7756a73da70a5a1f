"""What is open: limits and open questions that the papers state."""

from __future__ import annotations

import re

from classifier.survey.draft import Draft
from classifier.survey.entry import Entry
from classifier.survey.exemplars import choose_exemplars, stands_alone
from classifier.survey.sections.category.subject import Subject
from classifier.survey.sections.category.telling import told_behind

_MOST_LIMITS = 3
# "Open challenges are discussed": that they are named somewhere tells a reader of no challenge.
_ONLY_ANNOUNCES = re.compile(
    r"\b(?:discuss\w*|outlin\w*|clos(?:es|ing)|analy[sz]ed|reviewed|summari[sz]e[sd]?|covered"
    r"|described|sketch\w*|goes through|treats|highlight\w*|lists|meant as|suggests|encourag\w+)\b",
    re.IGNORECASE,
)
# "Open challenges are …": such a sentence needs nobody to say that something stays open.
_SAYS_SO = re.compile(r"\b(?:challenge|limit|open\b|unsolved)", re.IGNORECASE)
# The role alone is a guess: "Drainage is an effective procedure" closes an abstract, too.
_IS_OPEN = re.compile(
    r"\b(?:limit(?!s?\b)|limits of (?:this|our)|future|further|controvers|debate|challeng|caution"
    r"|to be (?:seen|explored|examined|determined|established|clarified|tested|investigated)"
    r"|open(?![- ](?:drainage|surg|reduction|access|source))\b|caveat|need|lack|gaps?\b|yet\b"
    r"|un(?:clear|known|explored|solved|certain|tested)|cannot|fail(?:s|ed)? to|little\b|few\b"
    r"|(?:does|do|did|is|are|was|were) not\b|insufficient|requir|warrant|scarce|difficult|hinder"
    r"|constrain|still\b|under-?explored|agenda|roadmap|questions?\b|restrict|mixed|inconclusive"
    r"|small|bias|left (?:for|to)|leaves?\b)",
    re.IGNORECASE,
)


def open_problem_drafts(subject: Subject) -> list[Draft | None]:
    """Return the limits that papers name."""
    chosen = choose_exemplars(subject.entries, _MOST_LIMITS, limit_of)
    says_so = bool(chosen) and _SAYS_SO.search(limit_of(chosen[0]))
    leads = ["" if says_so else "What stays open: "] + [""] * len(chosen)
    limits = [
        told_behind(f"limit-{entry.slug}", entry, limit_of(entry), lead)
        for lead, entry in zip(leads, chosen, strict=False)
    ]
    return [*limits]


def limit_of(entry: Entry) -> str:
    """Return the first limit or open question that a paper names, or ""."""
    stated = (s.words for s in entry.sentences if s.role == "limit")
    able = (text for text in stated if stands_alone(text) and not _ONLY_ANNOUNCES.search(text))
    return next((text for text in able if _IS_OPEN.search(text)), "")
