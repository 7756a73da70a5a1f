"""What a sentence of an abstract does: state the problem, the contribution, a result, …

Read alike in an abstract ("We introduce X") and in a digest ("Introduces X"). The rules are cues
plus position (argumentative zoning after Teufel & Moens, "Summarizing Scientific Articles",
Computational Linguistics 28(4), 2002).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from classifier.text.sentences import Span, split_sentences

Role = Literal["problem", "contribution", "method", "result", "limit", "release"]

_CREATES = (
    r"introduc|propos|present|develop|describ|design|contribut|creat|construct|formulat|formali[sz]"
    r"|defin|argu|advocat|envision|survey|review|investigat|stud(?:y|ies)|examin|explor|analy[sz]"
    r"|audit|measur|benchmark|compar|catalog|chart|map(?:s|ped)?\b|outlin|propound|releas|provid|offer"
    r"|establish|unif(?:y|ies)|address|ask|build|built|curat|collect|conduct|devis|put forward|report"
    r"|synthesi[sz]|deriv|adapt|extend|reformulat|rethink|tak(?:e|es) the position|identif|evaluat|train"
    r"|assess|quantif|diagnos|replicat|test(?:s|ed)\b|trac(?:e|es|ed)\b|apply|applies|cast|recast|equip"
    r"|implement|open[- ]sourc|pioneer|show|demonstrat|us(?:e|es)\b|find"
)
# What a paper makes, and not merely finds: a sentence with one of these is its contribution.
_MAKES = (
    r"introduc|propos|present|develop|describ|design|contribut|creat|construct|formulat|formali[sz]"
    r"|argu|advocat|envision|survey|review|investigat|stud(?:y|ies|ied)\b|examin|explor|analy[sz]"
    r"|audit|catalog|outlin|releas|build|built|curat|devis|put forward|establish|unif(?:y|ies)|conduct"
    r"|take the position|diagnos|extend|adapt|address|formally|pioneer"
)
_SELF = (
    r"(?:we|i|this (?:paper|work|study|article|survey|report|position paper|thesis|tutorial|review"
    r"|perspective|chapter|monograph)|(?:the|our) (?:paper|authors?|work|study|survey|report))"
)

_RELEASE = re.compile(
    r"\b(?:code|data(?:sets?)?|models?|weights|checkpoints?|benchmark|resources?|implementation|repository"
    r"|project page|website|leaderboard|demos?|materials|artifacts|toolkit|framework|environments?|trajectories"
    r"|it|all|everything)\b[^.]*\b(?:(?:publicly |freely |openly )?(?:available|accessible)|released?"
    r"|open[- ]sourced?|made public|public|found at|hosted)\b|\bhttps?://|\bgithub\.com"
    r"|^(?:code|data|models?|we (?:will )?(?:publicly )?(?:release|open[- ]source)) ",
    re.IGNORECASE,
)
_CONTRIBUTION = re.compile(
    rf"\b{_SELF}\b(?:[\s,]+(?:\w+[\s,]+){{0,6}}?)?(?:{_MAKES})"
    rf"|^(?:{_CREATES})(?:\w*(?:s|es|ies))\b"
    rf"|^(?:{_CREATES})(?:s|es)?\b(?!ing)"
    r"|\b(?:is|are) (?:introduced|proposed|presented|developed|designed)\b"
    r"|\b(?:introduc|propos|present)(?:es|ed|ing)\b.{0,60}\b(?:framework|method|benchmark|model|dataset|agent|system|approach|algorithm|suite|environment)"
    r"|^(?:here,?|in this (?:paper|work|study|article|survey|report|position paper|review|tutorial)),?",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:limitations?|caveats?|future (?:work|research|directions?|studies)|open (?:problems?|questions?"
    r"|challenges?|issues?)|remain(?:s|ing)? (?:an? )?(?:open|unsolved|challeng|unclear|unexplored|limited|far|difficult)"
    r"|challenges remain|(?:we|the authors) (?:leave|caution|acknowledge)|does not (?:yet )?(?:cover|address|handle)"
    r"|left (?:for|to) future|room for improvement|research agenda|roadmap)\b",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"\b(?:experiment(?:s|al|ally)?|results?|empirical(?:ly)?|evaluations?|outperform\w*|surpass\w*|exceed\w*"
    r"|achiev\w*|attain\w*|improv(?:es?|ed|ing|ements?)|gains?|beats?|reach(?:es|ed)?|rais(?:es|ed)|lift(?:s|ed)?"
    r"|boost\w*|reduc(?:es?|ed|tion)|cut(?:s|ting)?|win(?:s|ning)? |scores?|accuracy|success rates?|find(?:s|ings?)? "
    r"|found that|show(?:s|n|ed)?|reveal(?:s|ed)?|demonstrat\w*|observ(?:e|es|ed)|report(?:s|ed)?|indicat\w+"
    r"|confirm(?:s|ed)?|validat\w+|state-of-the-art|sota|competitive|comparable|match(?:es|ed)?|fail(?:s|ed)?|drops?)\b"
    r"|\d\s?(?:%|×|x\b|percent|points?)",
    re.IGNORECASE,
)
_PROBLEM = re.compile(
    r"^(?:however|yet|despite|although|while|existing|current|prior|previous|recent|most|many|unfortunately"
    r"|traditional|conventional|large language models?|llms?|as )\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class RoledSentence:
    """A sentence with the role that it plays in its abstract."""

    span: Span
    role: Role


def roled_sentences(text: str) -> list[RoledSentence]:
    """Return the sentences of an abstract or digest with their roles, in order."""
    spans = split_sentences(text)
    roled: list[RoledSentence] = []
    contribution_seen = False
    for index, span in enumerate(spans):
        position = index / max(len(spans) - 1, 1)
        role = _role(span.text, position, contribution_seen)
        contribution_seen = contribution_seen or role == "contribution"
        roled.append(RoledSentence(span, role))
    return _with_contribution(roled)


def sentences_with(text: str, *roles: Role) -> list[str]:
    """Return the sentences of `text` that play one of `roles`, in order.

    >>> sentences_with("Agents forget. Introduces Recall, a memory. It wins 3%.", "contribution")
    ['Introduces Recall, a memory.']
    """
    return [item.span.text for item in roled_sentences(text) if item.role in roles]


def _role(sentence: str, position: float, contribution_seen: bool) -> Role:
    if position >= 0.5 and _RELEASE.search(sentence) and len(sentence) < 320:
        return "release"
    if not _PROBLEM.match(sentence) and _CONTRIBUTION.search(sentence):
        return "contribution"
    if position >= 0.6 and _LIMIT.search(sentence):
        return "limit"
    if not contribution_seen and position < 0.5:
        return "problem"
    if _RESULT.search(sentence):
        return "result"
    return "method" if contribution_seen else "problem"


def _with_contribution(roled: list[RoledSentence]) -> list[RoledSentence]:
    """Every abstract contributes something: where no cue found it, take the likeliest sentence."""
    if not roled or any(item.role == "contribution" for item in roled):
        return roled
    first_after_problem = next(
        (i for i, item in enumerate(roled) if i and not _PROBLEM.match(item.span.text)), 0
    )
    return [
        RoledSentence(item.span, "contribution") if i == first_after_problem else item
        for i, item in enumerate(roled)
    ]
