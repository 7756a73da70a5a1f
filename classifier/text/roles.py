"""What a sentence of an abstract does: state the problem, the contribution, a result, …

Read alike in an abstract ("We introduce X") and in a digest ("Introduces X"). The rules are cues
plus position (argumentative zoning after Teufel & Moens, "Summarizing Scientific Articles",
Computational Linguistics 28(4), 2002).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from classifier.text.sentences import Span, split_sentences

Role = Literal["problem", "contribution", "method", "result", "limit", "release"]


def _any(words: str) -> str:
    """Return a pattern for one of the blank-separated words; `_` in a word is a blank."""
    return "(?:" + "|".join(word.replace("_", r"\s+") for word in words.split()) + ")"


# What a paper does when it contributes; stems, so that "introduces" and "introduced" both count.
_CONTRIBUTES = _any(
    "introduc propos present develop describ design contribut creat construct formulat formali[sz]"
    " argu advocat envision survey review investigat stud(?:y|ies|ied)\\b examin explor analy[sz]"
    " audit catalog outlin releas buil(?:d|t) curat devis put_forward establish unif(?:y|ies)"
    " conduct take_the_position diagnos extend adapt address formally pioneer"
)
# Further verbs that open the contribution of a digest ("Measures how …"); in the middle of an
# abstract the same words more often report a result.
_OPENS_DIGEST = _any(
    "measur compar chart map provid offer ask collect report synthesi[sz] deriv rethink"
    " identif(?:y|ies) evaluat train assess quantif(?:y|ies) replicat trac appl(?:y|ies) cast"
    " recast equip implement open.sourc show demonstrat us find defin"
)
_SELF = (
    r"(?:we|i|this (?:paper|work|study|article|survey|report|position paper|thesis|tutorial"
    r"|review|perspective|chapter|monograph)"
    r"|(?:the|our) (?:paper|authors?|work|study|survey|report))"
)
_THINGS = _any(
    "code data(?:sets?)? models? weights checkpoints? benchmark resources? implementation"
    " repository project_page website leaderboard demos? materials artifacts toolkit framework"
    " environments? trajectories it all everything"
)
_MADE_PUBLIC = (
    r"(?:(?:publicly |freely |openly )?(?:available|accessible)|released?|open[- ]sourced?"
    r"|made public|public|found at|hosted)"
)

_RELEASE = re.compile(
    rf"\b{_THINGS}\b[^.]*\b{_MADE_PUBLIC}\b|\bhttps?://|\bgithub\.com"
    r"|^(?:code|data|models?|we (?:will )?(?:publicly )?(?:release|open[- ]source)) ",
    re.IGNORECASE,
)
_OPENING_VERB = rf"(?:{_CONTRIBUTES}|{_OPENS_DIGEST})(?:e?s)?\b(?<=s)"
_OPENING = re.compile(_OPENING_VERB, re.IGNORECASE)
_CONTRIBUTION = re.compile(
    rf"\b{_SELF}\b(?:[\s,]+(?:\w+[\s,]+){{0,6}}?)?{_CONTRIBUTES}"
    rf"|^{_OPENING_VERB}"
    r"|\b(?:is|are) (?:introduced|proposed|presented|developed|designed)\b"
    r"|\b(?:introduc|propos|present)(?:es|ed|ing)\b.{0,60}\b"
    + _any(
        "framework method benchmark model dataset agent system approach algorithm suite environment"
    )
    + r"|^(?:here|in this (?:paper|work|study|article|survey|report|position paper|review"
    r"|tutorial))\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:limitations?|caveats?|future (?:work|research|directions?|studies)"
    r"|open (?:problems?|questions?|challenges?|issues?)|challenges remain"
    r"|remain(?:s|ing)? (?:an? )?(?:open|unsolved|challeng|unclear|unexplored|limited|far"
    r"|difficult)"
    r"|(?:we|the authors) (?:leave|caution|acknowledge)|left (?:for|to) future"
    r"|does not (?:yet )?(?:cover|address|handle)|room for improvement|research agenda|roadmap)\b",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"\b"
    + _any(
        "experiment(?:s|al|ally)? results? empirical(?:ly)? evaluations? outperform\\w* surpass\\w*"
        " exceed\\w* achiev\\w* attain\\w* improv(?:es?|ed|ing|ements?) gains? beats?"
        " reach(?:es|ed)? rais(?:es|ed) lift(?:s|ed)? boost\\w* reduc(?:es?|ed|tion)"
        " cut(?:s|ting)? win(?:s|ning)? scores? accuracy success_rates? find(?:s|ings?)?"
        " found_that show(?:s|n|ed)? reveal(?:s|ed)?"
        " demonstrat\\w* observ(?:e|es|ed) report(?:s|ed)? indicat\\w+ confirm(?:s|ed)?"
        " validat\\w+ state-of-the-art sota competitive comparable match(?:es|ed)?"
        " fail(?:s|ed)? drops?"
    )
    + r"\b|\d\s?(?:%|×|x\b|percent|points?)",
    re.IGNORECASE,
)
_PROBLEM = re.compile(
    r"^(?:however|yet|despite|although|while|existing|current|prior|previous|recent|most|many"
    r"|unfortunately|traditional|conventional|large language models?|llms?|as )\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class RoledSentence:
    """A sentence with the role that it plays in its abstract."""

    span: Span
    role: Role


@lru_cache(maxsize=2**13)  # the labels and the survey read the same texts
def roled_sentences(text: str) -> tuple[RoledSentence, ...]:
    """Return the sentences of an abstract or digest with their roles, in order."""
    spans = split_sentences(text)
    roled: list[RoledSentence] = []
    contribution_seen = False
    for index, span in enumerate(spans):
        position = index / max(len(spans) - 1, 1)
        role = _role(span.text, position, contribution_seen)
        contribution_seen = contribution_seen or role == "contribution"
        roled.append(RoledSentence(span, role))
    return tuple(_with_contribution(roled))


def contribution_sentence(sentences: Sequence[RoledSentence]) -> str:
    """Return the sentence that says what a paper does, or "" for an empty text.

    Of several, the one that opens with its verb, as in a digest ("Introduces …"), else the first.
    """
    stated = [item.span.text for item in sentences if item.role == "contribution"]
    opening = (sentence for sentence in stated if _OPENING.match(sentence))
    return next(opening, stated[0] if stated else "")


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
