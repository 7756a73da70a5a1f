"""What is open: limits and open questions that the papers state."""

from __future__ import annotations

import re

from classifier.survey.document import Draft
from classifier.survey.entry import Entry
from classifier.survey.exemplars import choose_exemplars, stands_alone
from classifier.survey.sections.category.subject import Subject
from classifier.survey.sections.category.telling import told_behind

_MOST_LIMITS = 3
# "Open challenges are discussed": that they are named somewhere tells a reader of no challenge.
_ONLY_ANNOUNCES = re.compile(
    r"\b(?:discuss\w*|outlin\w*|clos(?:es|ing)|analy[sz]ed|reviewed|summari[sz]e[sd]?|covered"
    r"|described|sketch\w*|goes through|treats|highlight\w*|lists|meant as|suggests|encourag\w+"
    r"|(?:can|could|may|might) (?:\w+ )?(?:inform|help|underpin|guide|be replicated)"
    r"|(?:is|are) (?:\w+ )?recommended|(?:were|was) (?:also )?identified"
    r"|future research directions|hot topic|scope of future|concludes|grants?"
    r"|agenda (?:is|are|was|were) (?:also )?\w+ed)\b",
    re.IGNORECASE,
)
# "Open challenges are …": such a sentence needs nobody to say that something stays open.
_SAYS_SO = re.compile(r"\b(?:challenge|limitation|limited|open\b|unsolved)", re.IGNORECASE)
# The role alone is a guess: "Drainage is an effective procedure" closes an abstract, too.
_IS_OPEN = re.compile(
    r"\b(?:further\W+(?:\w+\W+){0,2}(?:research|work|stud|investigat|evaluat|experiment|test"
    r"|clarif|explor|attention|analys|improve|validat|develop|refine|effort)"
    r"|(?<!not )limitation|limiting"
    r"|(?<!not )limited(?= (?:by|evidence|data|research|stud|number|sample|understand"
    r"|knowledge|information|attention|generali|power|size|availab|access|because|due)|[.,;])"
    r"|limits of (?:this|our)|future|controvers|debate|challeng(?!ed by)|caution"
    r"|to be (?:seen|explored|examined|determined|established|clarified|tested|investigated)"
    r"|(?:remains?|is|are|still|left|an?|many|several) open\b"
    r"|open (?:question|problem|issue|challenge)s?"
    r"|caveat|need|lack|gaps?\b|yet\b"
    r"|un(?:clear|known|explored|solved|certain|tested)|cannot|fail(?:s|ed)? to|little\b|few\b"
    r"|(?:we|this (?:paper|study|review|work)|our \w+) (?:do|does|did|is|are|was|were) not\b"
    r"|(?:is|are|was|were) not (?:\w+ )?(?:known|understood|clear|studied|addressed|available)"
    r"|insufficient|requir|warrant|scarce|constrain|still (?:un|open|missing|scarce|poor)"
    r"|under-?explored|agenda|roadmap|questions?\b|restrict|mixed|inconclusive|small"
    r"|risk of bias|biased|left (?:for|to)|leaves?\b)",
    re.IGNORECASE,
)
# A heading that stands in an abstract (“Current status and future agenda”) has none.
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|can|cannot|could|may|might|must|should|will|would|do"
    r"|does|did|remains?|remained|needs?|needed|lacks?|lacked|requires?|fails?|failed|limits?|leaves?"
    r"|suffers?|depends?|deserves?|calls?|opens?|raises?|faces?|assumes?|focus(?:es)?|struggles?"
    r"|exists?|relies|rely|covers?|warrants?|hinders?|restricts?|constrains?)\b|n[’']t\b",
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
    """Return the first limit or open question that a paper names, or "".

    What stands before it says what it does is a gap that it fills.
    """
    main = next((place for place, each in enumerate(entry.sentences) if each.main), 0)
    stated = (each.words for each in entry.sentences[main + 1 :] if each.role == "limit")
    able = (text for text in stated if stands_alone(text) and not _ONLY_ANNOUNCES.search(text))
    return next((text for text in able if _IS_OPEN.search(text) and _VERB.search(text)), "")
