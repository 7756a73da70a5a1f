"""Classify the sentences of an abstract: problem, contribution, method, result, …

The same model is used for abstracts ("We introduce X") and digests ("Introduces X"). A multinomial
logistic regression weighs the cues, position and words of a sentence and the cues of its neighbours
(argumentative zoning after Teufel & Moens, "Summarizing Scientific Articles", Computational
Linguistics 28(4), 2002; Merity, Murphy & Curran, "Accurate Argumentative Zoning with Maximum
Entropy models", 2009). Its weights are part of the package; `python -m tools.benchmarks.roles
--learn` trains them. Explicit statements take precedence over the model: the heading of a
structured abstract, or "the aim of this study was".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Literal, get_args

from classifier.text.headings import Part, headings_of, parts_of
from classifier.text.linear import LinearModel, read_model
from classifier.text.role_cues import (
    cues_of,
    describes_paper,
    has_contribution_phrase,
    mentions_paper,
    states_aim,
    stem,
)
from classifier.text.sentences import Span, split_sentences

Role = Literal["problem", "contribution", "method", "result", "limit", "release"]
ROLES: tuple[Role, ...] = get_args(Role)
MAX_SENTENCES = 500
"""Maximum number of sentences that are classified."""
_MAX_LENGTH = 3_000
"""Maximum number of characters of a sentence that are read."""
Scores = Sequence[int]
"""Scores of a sentence: one per role, then one for being the main sentence."""

_ROLES_IN: dict[Part, tuple[Role, ...]] = {
    "background": ("problem", "contribution"), "aim": ("problem", "contribution"),
    "method": ("method",), "result": ("result",),
    "conclusion": ("contribution", "result", "limit"), "limit": ("limit",),
    "case": ("problem", "contribution", "method", "result"), "text": ROLES, "other": ("method",),
}  # fmt: skip
"""Part of an abstract -> the possible roles of its sentences."""


@dataclass(frozen=True, slots=True)
class RoledSentence:
    """A sentence, with its role in the abstract."""

    span: Span
    role: Role
    main: bool = False
    """Whether it is the main statement of the contribution."""
    heading: int = 0
    """Length of the heading at its start ("METHODS: "), in characters."""

    @property
    def words(self) -> str:
        """The sentence without its heading."""
        return self.span.text[self.heading :]


@lru_cache(maxsize=2**14)  # labels and survey need the same texts
def roled_sentences(text: str) -> tuple[RoledSentence, ...]:
    """Return the sentences of an abstract or digest with their roles, in order.

    At most one sentence is `main`. If the most likely sentence is not explicit, none is.
    """
    spans = split_sentences(text)
    sentences = [span.text for span in spans]
    weights = shipped_weights()
    read = [sentence[:_MAX_LENGTH] for sentence in sentences[:MAX_SENTENCES]]
    scores: list[Scores] = [weights.scores(features) for features in features_of(read)]
    scores += [weights.intercepts] * (len(sentences) - len(read))
    headings = headings_of(sentences)
    parts = list(parts_of(headings))
    main = _main_position(sentences, scores, parts)
    roled = [
        RoledSentence(
            span, _most_likely_role(score, part), heading=heading.length if heading else 0
        )
        for span, score, part, heading in zip(spans, scores, parts, headings, strict=True)
    ]
    if roled:
        is_explicit = _is_explicit(roled[main], parts[main])
        roled[main] = replace(roled[main], role="contribution", main=is_explicit)
    return tuple(roled)


_OUTCOME = re.compile(
    r"\b(?:outperform|surpass|beat|exceed)(?:s|ed)?\b"
    r"|\bperform(?:s|ance)? (?:best|better|degrades|drops|strongly|well|worse)\b"
    r"|\b(?:consistently|substantially) (?:helps?|improves?)\b|\bscores agree\b"
)


def with_outcomes(
    sentences: Sequence[RoledSentence], outcome_spans: Collection[Span]
) -> tuple[RoledSentence, ...]:
    """Change the role of method sentences that state an outcome to result.

    outcome_spans: spans of the sentences that have a result. Other sentences state an outcome by
    their words, such as "outperforms".
    """
    changed = []
    for each in sentences:
        is_outcome = each.span in outcome_spans or _OUTCOME.search(each.words)
        changed.append(
            replace(each, role="result") if each.role == "method" and is_outcome else each
        )
    return tuple(changed)


def contribution_sentence(sentences: Sequence[RoledSentence]) -> str:
    """Return the main statement of the contribution, without its heading, or ""."""
    return next((item.words for item in sentences if item.main), "")


def _most_likely_role(scores: Scores, parts: frozenset[Part]) -> Role:
    """Return the role with the highest score among the roles that are possible in these parts."""
    allowed = {role for part in parts for role in _ROLES_IN[part]} or set(ROLES)
    rated = [pair for pair in zip(scores, ROLES, strict=False) if pair[1] in allowed]
    return max(rated, key=lambda pair: pair[0])[1]


def _main_position(
    sentences: Sequence[str], scores: Sequence[Scores], parts: Sequence[frozenset[Part]]
) -> int:
    """Return the position of the main statement of the contribution.

    It is an explicit statement or, without one, the most likely sentence. In a structured abstract
    it is the most likely sentence of the aim; without an aim, of the conclusion.
    """
    every = range(len(sentences))
    likeliest = max(every, key=lambda index: scores[index][-1], default=0)
    if not any(parts):
        if not sentences or describes_paper(sentences[likeliest]):
            return likeliest
        return next((index for index in every if states_aim(sentences[index])), likeliest)
    for candidates in _statement_candidates(sentences, parts):
        if candidates:
            return max(candidates, key=lambda index: scores[index][-1])
    return likeliest


def _statement_candidates(
    sentences: Sequence[str], parts: Sequence[frozenset[Part]]
) -> Iterator[list[int]]:
    """Yield groups of possible main statements in a structured abstract, the best group first."""
    every = range(len(sentences))
    of_aim = [index for index in every if "aim" in parts[index]]
    # Without a heading "methods", the results may be the thing that was made.
    early = {"background", "aim", "case", "text"}
    early |= set() if any("method" in each for each in parts) else {"result"}
    before = [index for index in every if parts[index] <= early]
    # The first of several aims is the main one.
    yield [index for index in of_aim if _has_aim_or_contribution(sentences[index], "To ")][:1]
    yield [index for index in of_aim if parts[index] == {"aim"}]
    yield [index for index in before if _has_aim_or_contribution(sentences[index])]
    for expected in ("conclusion", "case"):
        yield [index for index in every if expected in parts[index]]
    yield [index for index in every if "result" in parts[index]]


# "Thin layers are studied" and "The book asks …" are also about the paper.
_STUDIED = re.compile(
    r"^(?:Tests|The (?:[\w-]+ )?(?:paper|article|study|review|chapter|book|volume|thesis"
    r"|dissertation))\b"
    r"|\b(?:is|are|was|were|(?:has|have) been) (?:\w+ly |then )?(?:analy[sz]ed|calculated|compared"
    r"|described|developed|examined|fabricated|investigated|measured|presented|proposed|reported"
    r"|reviewed|studied|synthesi[sz]ed|(?:conducted|performed|undertaken|carried out) to)\b"
    # not "are synthesized antibiotics", "is described as"
    r"(?! (?:as(?! a function)|[a-z]{3,}[^su\W]s)\b)"
)


# "The results are analysed", "… to explain this effect": they refer to earlier sentences.
_REFERS_BACK = re.compile(
    r"^(?:Although|Despite|However|For comparison|The results?|First results|Several|While)\b"
    r"|\bproposed as\b|\b(?:that|which) (?:are|is) (?:designed|developed)\b"
    r"|\b(?:this|these|those|same|as well)\b|^(?:\S+\s+){0,6}\S+$",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(
    r"\b(?:[Ww]e|[Oo]ur|I|authors?|paper|study|work|article|review|chapter|book|thesis)\b|^[A-Z][a-z]+s\b"
)


def _is_explicit(sentence: RoledSentence, parts: frozenset[Part]) -> bool:
    """Return whether a sentence is explicitly about its own paper."""
    words = sentence.words
    return (
        states_aim(words)
        or (parts == {"aim"} and re.match(r"to [a-z]", words, re.IGNORECASE) is not None)
        or (
            (mentions_paper(words) or _STUDIED.search(words) is not None)
            and (_OF_ITSELF.search(words) is not None or not _REFERS_BACK.search(words))
        )
    )


def _has_aim_or_contribution(sentence: str, opening: str = "") -> bool:
    has_opening = bool(opening) and f" {sentence}".find(f" {opening}") >= 0
    return has_opening or states_aim(sentence) or has_contribution_phrase(sentence)


WEIGHTS_FILE = Path(__file__).with_name("role_weights.json")


@lru_cache(maxsize=1)
def shipped_weights() -> LinearModel:
    """Return the weights in `role_weights.json`, which is read only once.

    The columns are the roles, then `main`: the main statement of the contribution.
    """
    return read_model(WEIGHTS_FILE)


_WORD = re.compile(r"https?://\S+|[A-Za-z][A-Za-z'’]*|\d[\d.,]*|[%×?:]")
MAX_WORDS = 60
"""Maximum number of words of a sentence that are read."""
POSITIONS = 5
TELLING = frozenset({"contribution", "opens like a digest", "here", "outcome", "shows"})
"""Cues that are features of all later sentences."""


def features_of(sentences: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the distinct features of each sentence, unsorted.

    Args:
        sentences: the sentences of one abstract or digest, in order.
    """
    stems = [[stem(word) for word in _WORD.findall(sentence)[:MAX_WORDS]] for sentence in sentences]
    cues = [cues_of(sentence, words) for sentence, words in zip(sentences, stems, strict=True)]
    earlier: set[str] = set()
    features = []
    for index, words in enumerate(stems):
        count = len(stems)
        ends = {"first": 0, "second": 1, "last": count - 1, "last but one": count - 2}
        own = {
            *words,
            *(f"{a} {b}" for a, b in pairwise(words)),
            *(f"opens: {' '.join(words[:length])}" for length in (1, 2, 3)),
            *(f"cue: {cue}" for cue in cues[index]),
            *(f"before: {cue}" for cue in (cues[index - 1] if index else ())),
            *(f"behind: {cue}" for cue in (cues[index + 1] if index + 1 < count else ())),
            *(f"earlier: {cue}" for cue in earlier & TELLING),
            f"fifth {index * POSITIONS // count}",
            *(f"place: {name}" for name, place in ends.items() if place == index),
        }
        features.append(tuple(own))
        earlier |= cues[index]
    return features
