"""What a sentence of an abstract does: state the problem, the contribution, a result, …

Read alike in an abstract ("We introduce X") and in a digest ("Introduces X"). A multinomial
logistic regression weighs cues, place, words and the cues of the sentences around (argumentative
zoning after Teufel & Moens, "Summarizing Scientific Articles", Computational Linguistics 28(4),
2002; Merity, Murphy & Curran, "Accurate Argumentative Zoning with Maximum Entropy models", 2009).
Its weights ship with the package; `python -m tools.benchmarks.roles --learn` makes them. What an
author says outright weighs more: the heading of a structured abstract, "the aim of this study was".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Literal, get_args

from classifier.text.headings import Part, headings_of, may_have_headings, parts_of
from classifier.text.linear import LinearModel, read_model
from classifier.text.role_cues import (
    cues_of,
    is_of_the_paper,
    speaks_of_the_paper,
    states_the_aim,
    stem,
    tells_of_the_paper,
)
from classifier.text.sentences import Span, split_sentences

Role = Literal["problem", "contribution", "method", "result", "limit", "release"]
ROLES: tuple[Role, ...] = get_args(Role)
MAX_SENTENCES = 500
"""Sentences of an abstract that are read; a longer text is no abstract."""
_MAX_LENGTH = 3_000
"""Characters of a sentence that are read."""
Scores = Sequence[int]
"""Of a sentence: one a role, then how well it says what the paper does."""

_ROLES_IN: dict[Part, tuple[Role, ...]] = {
    "background": ("problem", "contribution"),
    "aim": ("problem", "contribution"),
    "method": ("method",),
    "result": ("result",),
    "conclusion": ("contribution", "result", "limit"),
    "limit": ("limit",),
    "case": ("problem", "contribution", "method", "result"),
    "text": ROLES,
    "aside": ("method",),
}
"""The roles that a sentence may play under a heading."""


@dataclass(frozen=True, slots=True)
class RoledSentence:
    """A sentence with the role that it plays in its abstract."""

    span: Span
    role: Role
    main: bool = False
    """Whether it is the one that best says what the paper does; it is a contribution, then."""
    heading: int = 0
    """Characters of the heading at its start: "METHODS: "."""

    @property
    def words(self) -> str:
        """The sentence without a heading before it."""
        return self.span.text[self.heading :]


@lru_cache(maxsize=2**14)  # labels and survey need the same texts
def roled_sentences(text: str) -> tuple[RoledSentence, ...]:
    """Return the sentences of an abstract or digest with their roles, in order.

    At most one sentence of a text is `main`; none where the likeliest does not say it outright.
    """
    spans = split_sentences(text)
    sentences = [span.text for span in spans]
    weights = shipped_weights()
    read = [sentence[:_MAX_LENGTH] for sentence in sentences[:MAX_SENTENCES]]
    scores: list[Scores] = [weights.scores(features) for features in features_of(read)]
    scores += [weights.intercepts] * (len(sentences) - len(read))
    headings = headings_of(sentences) if may_have_headings(text) else [None] * len(spans)
    parts = list(parts_of(headings))
    main = _main(sentences, scores, parts)
    roled = [
        RoledSentence(span, _likeliest(score, part), heading=heading.length if heading else 0)
        for span, score, part, heading in zip(spans, scores, parts, headings, strict=True)
    ]
    if roled:
        is_said = _says_what_it_does(roled[main], parts[main])
        roled[main] = replace(roled[main], role="contribution", main=is_said)
    return tuple(roled)


_CAME_OF_IT = re.compile(
    r"\b(?:outperform|surpass|beat|exceed)(?:s|ed)?\b"
    r"|\bperform(?:s|ance)? (?:best|better|degrades|drops|strongly|well|worse)\b"
    r"|\b(?:consistently|substantially) (?:helps?|improves?)\b|\bscores agree\b"
)


def with_outcomes(
    sentences: Sequence[RoledSentence], stating: Collection[Span]
) -> tuple[RoledSentence, ...]:
    """Return the sentences, those of a method that tell what came of it as results.

    They say what it outdoes, or how well it does, or are among `stating`: sentences with a number
    that it reached.
    """
    return tuple(
        replace(each, role="result")
        if each.role == "method" and (each.span in stating or _CAME_OF_IT.search(each.words))
        else each
        for each in sentences
    )


def contribution_sentence(sentences: Sequence[RoledSentence]) -> str:
    """Return the sentence that best says what a paper does, or "" for an empty text.

    Without the heading before it.
    """
    return next((item.words for item in sentences if item.main), "")


def _likeliest(scores: Scores, parts: frozenset[Part]) -> Role:
    """Return the role with the highest score of those that may stand under a heading."""
    allowed = {role for part in parts for role in _ROLES_IN[part]} or set(ROLES)
    rated = [pair for pair in zip(scores, ROLES, strict=False) if pair[1] in allowed]
    return max(rated, key=lambda pair: pair[0])[1]


def _main(
    sentences: Sequence[str], scores: Sequence[Scores], parts: Sequence[frozenset[Part]]
) -> int:
    """Return the place of the sentence that best says what a paper does.

    Where the author says it outright it is that one; else the likeliest, in a structured abstract
    of its aim, then of its conclusion.
    """
    every = range(len(sentences))
    likeliest = max(every, key=lambda index: scores[index][-1], default=0)
    if not any(parts):
        if not sentences or is_of_the_paper(sentences[likeliest]):
            return likeliest
        return next((index for index in every if states_the_aim(sentences[index])), likeliest)
    for candidates in _by_promise(sentences, parts):
        if candidates:
            return max(candidates, key=lambda index: scores[index][-1])
    return likeliest


def _by_promise(sentences: Sequence[str], parts: Sequence[frozenset[Part]]) -> Iterator[list[int]]:
    """Yield places of sentences that may say what a paper does, the surest of them first."""
    every = range(len(sentences))
    of_aim = [index for index in every if "aim" in parts[index]]
    # Where no heading says "methods", results may be what was made.
    telling = {"background", "aim", "case", "text"}
    telling |= set() if any("method" in each for each in parts) else {"result"}
    before = [index for index in every if parts[index] <= telling]
    # Of several aims the first is the main one.
    yield [index for index in of_aim if _says_outright(sentences[index], "To ")][:1]
    yield [index for index in of_aim if parts[index] == {"aim"}]
    yield [index for index in before if _says_outright(sentences[index])]
    for expected in ("conclusion", "case"):
        yield [index for index in every if expected in parts[index]]
    yield [index for index in every if "result" in parts[index]]


# "Thin layers are studied" tells of the paper, too, and "The book asks …" of this one.
_STUDIED = re.compile(
    r"^(?:Tests|The (?:[\w-]+ )?(?:paper|article|study|review|chapter|book|volume|thesis"
    r"|dissertation))\b"
    r"|\b(?:is|are|was|were|(?:has|have) been) (?:\w+ly |then )?(?:analy[sz]ed|calculated|compared"
    r"|described|developed|examined|fabricated|investigated|measured|presented|proposed|reported"
    r"|reviewed|studied|synthesi[sz]ed|(?:conducted|performed|undertaken|carried out) to)\b"
    # not "are synthesized antibiotics", "is described as"
    r"(?! (?:as(?! a function)|[a-z]{3,}[^su\W]s)\b)"
)


# "The results are analysed", "… to explain this effect": of what stands before, in a text where
# nobody speaks of the paper.
_LEANS = re.compile(
    r"^(?:Although|Despite|However|For comparison|The results?|First results|Several|While)\b"
    r"|\bproposed as\b|\b(?:that|which) (?:are|is) (?:designed|developed)\b"
    r"|\b(?:this|these|those|same|as well)\b|^(?:\S+\s+){0,6}\S+$",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(
    r"\b(?:[Ww]e|[Oo]ur|I|authors?|paper|study|work|article|review|chapter|book|thesis)\b|^[A-Z][a-z]+s\b"
)


def _says_what_it_does(sentence: RoledSentence, parts: frozenset[Part]) -> bool:
    """Whether a sentence says outright what its paper does; any other may tell of anything."""
    words = sentence.words
    return (
        states_the_aim(words)
        or (parts == {"aim"} and re.match(r"to [a-z]", words, re.IGNORECASE) is not None)
        or (
            (speaks_of_the_paper(words) or _STUDIED.search(words) is not None)
            and (_OF_ITSELF.search(words) is not None or not _LEANS.search(words))
        )
    )


def _says_outright(sentence: str, opening: str = "") -> bool:
    opens = bool(opening) and f" {sentence}".find(f" {opening}") >= 0
    return opens or states_the_aim(sentence) or tells_of_the_paper(sentence)


WEIGHTS_FILE = Path(__file__).with_name("role_weights.json")


@lru_cache(maxsize=1)
def shipped_weights() -> LinearModel:
    """Return the weights in `role_weights.json`, read once, when the first text is asked for.

    A column a role, then `main`: the one sentence that best says what a paper does.
    """
    return read_model(WEIGHTS_FILE)


_WORD = re.compile(r"https?://\S+|[A-Za-z][A-Za-z'’]*|\d[\d.,]*|[%×?:]")
LONG = 60
"""Words of a sentence behind which nothing is read: its role shows before."""
POSITIONS = 5
TELLING = frozenset({"contribution", "opens like a digest", "here", "outcome", "shows"})
"""Cues that tell of the sentences behind them, however far they stand."""


def features_of(sentences: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the features of each sentence of one text, each once, in no order.

    Args:
        sentences: the sentences of one abstract or digest, in order.
    """
    stems = [[stem(word) for word in _WORD.findall(sentence)[:LONG]] for sentence in sentences]
    cues = [cues_of(sentence, words) for sentence, words in zip(sentences, stems, strict=True)]
    earlier: set[str] = set()
    features = []
    for index, words in enumerate(stems):
        places = [*_position(index, len(stems)), *_neighbours(index, cues)]
        places += [f"earlier: {cue}" for cue in earlier & TELLING]
        own = {*words, *(f"cue: {cue}" for cue in cues[index]), *_runs(words), *places}
        features.append(tuple(own))
        earlier |= cues[index]
    return features


def _runs(words: list[str]) -> list[str]:
    """Return pairs of neighbouring words, and the one, two and three words at the start."""
    opening = [f"opens: {' '.join(words[:count])}" for count in (1, 2, 3)]
    return [f"{a} {b}" for a, b in pairwise(words)] + opening


def _position(index: int, count: int) -> list[str]:
    named = (("first", 0), ("second", 1), ("last", count - 1), ("last but one", count - 2))
    names = [f"place: {name}" for name, place in named if place == index]
    return [f"fifth {index * POSITIONS // count}", *names]


def _neighbours(index: int, cues: Sequence[frozenset[str]]) -> list[str]:
    before = [f"before: {cue}" for cue in cues[index - 1]] if index else []
    behind = [f"behind: {cue}" for cue in cues[index + 1]] if index + 1 < len(cues) else []
    return before + behind
