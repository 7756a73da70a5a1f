"""Features of a number: the words around it.

From them, `results` learns whether the number is a result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from classifier.text.normalise import stem
from classifier.text.numbers import Number
from classifier.text.roles import RoledSentence

_TOKEN = re.compile(r"[A-Za-z]+(?:[-'’][A-Za-z]+)*|\d+(?:[.,·]\d+)*|[^\sA-Za-z\d]")
_N_BEFORE, _N_AFTER, _N_BETWEEN = 16, 12, 8
"""Words read before a number, after it, and between it and the number before it."""
_MAX_COUNTED = 24
_COMPARED = re.compile(
    r"\b(?:compared (?:to|with)|than|versus|vs|against|over|while|whereas|but|relative to|only|from"
    r"|control|baselines?|prior|previous|existing|original|humans?|people|experts?|annotators?"
    r"|clinicians|physicians|attacks?|attackers?|ASR|jailbreaks?)\b",
    re.IGNORECASE,
)
_SHAPES = {
    "share": re.compile(r"\bof\b|\d/\d"), "word": re.compile(r"^\D+$"),
    "year": re.compile(r"^(?:19|20)\d\d$"), "spread": re.compile(r"±|\+/"),
    "range": re.compile(r".(?:[-–—∼~]|\bto\b)"), "thousands": re.compile(r"\d[,\s]\d{3}"),
    "fraction": re.compile(r"^0?[.·]"), "decimal": re.compile(r"\D"),
}  # fmt: skip


def features_of(
    sentences: Sequence[RoledSentence], numbers: Sequence[Sequence[Number]], place: int, index: int
) -> tuple[str, ...]:
    """Return the distinct features of a number, sorted.

    Args:
        sentences: all sentences of the text; numbers: the numbers of each sentence.
        place: index of the sentence; index: index of the number in it.
    """
    own = _own_features(sentences[place], numbers[place], index)
    return tuple(sorted({*own, *_place_features(sentences, numbers, place, index)}))


def stems_of(text: str) -> list[str]:
    """Return the stems and punctuation marks in a text, with `#` in place of each number."""
    return [
        "#" if token[0].isdigit() else stem(token.lower()) if token.isascii() else token.lower()
        for token in _TOKEN.findall(text)
    ]


def _place_features(
    sentences: Sequence[RoledSentence], numbers: Sequence[Sequence[Number]], place: int, index: int
) -> Iterator[str]:
    """Yield the position of a number in its text, and the roles of the sentences around it."""
    n_sentences = len(sentences)
    earlier = index
    for at in range(place - 1, -1, -1):
        earlier += len(numbers[at])
        if earlier >= _MAX_COUNTED:  # otherwise the time grows with the square of the length
            break
    yield f"fifth {5 * place // n_sentences}"
    yield f"{min(5, n_sentences - 1 - place)} sentences after"
    yield f"{min(15, n_sentences)} sentences"
    yield f"{min(10, earlier)} numbers before"
    yield f"{min(8, len(numbers[place]))} numbers in the sentence"
    yield f"{min(6, index)} before in the sentence"
    yield f"role before {sentences[place - 1].role if place else 'none'}"
    yield f"role after {sentences[place + 1].role if place + 1 < n_sentences else 'none'}"


def _own_features(sentence: RoledSentence, numbers: Sequence[Number], index: int) -> Iterator[str]:
    """Yield the form of the number, and the words around it and since the number before it."""
    text, number = sentence.span.text, numbers[index]
    before, after = text[: number.start], text[number.end :]
    kind, shape, role = number.unit_kind or "none", _number_form(number.value), sentence.role
    yield from (f"unit {kind}", f"shape {shape}", f"{kind} {shape}", f"unit: {number.unit.lower()}")
    yield from (f"role {role}", f"{role} {kind}")
    if number.sign:
        yield from (f"sign {number.sign}", f"sign {number.sign} {kind}")
    if before.count("(") > before.count(")"):
        yield from ("in brackets", f"in brackets {kind}")
    left, right = stems_of(before)[-_N_BEFORE:][::-1], stems_of(after)[:_N_AFTER]
    yield from _word_features("<", left, kind)
    yield from _word_features(">", right, kind)
    if left and right:
        yield f"<> {left[0]} {right[0]}"
    yield from (f"contains {word}" for word in stems_of(text))
    previous = numbers[index - 1] if index else None
    since = text[previous.end if previous else 0 : number.start]
    compared = [word.lower() for word in _COMPARED.findall(since)]
    yield from (f"compared {word}" for word in compared)
    yield f"last compared {compared[-1] if compared else 'none'} {'next' if index else 'first'}"
    if previous:
        between = stems_of(since)
        yield f"previous {previous.unit_kind or 'none'} {_number_form(previous.value)}"
        yield f"gap {min(9, len(between))}"
        yield from (f"between {word}" for word in between[-_N_BETWEEN:])
        if len(between) <= 3:
            yield f"only {' '.join(between)}"


def _word_features(side: str, words: Sequence[str], kind: str) -> Iterator[str]:
    """Yield the words on one side of a number by their distance, starting with the nearest."""
    for distance, word in enumerate(words):
        yield f"{side} {word}"
        if distance < 7:
            yield from (f"{side}7 {word}", f"{side}7 {word} {kind}")
        if distance < 3:
            yield f"{side}3 {word}"
    yield from (f"{side}{n} {' '.join(words[:n])}" for n in (1, 2, 3))
    yield f"{side}1 {words[0] if words else ''} {kind}"
    yield from (f"{side}{side} {word} {further}" for word, further in pairwise(words[:6]))


def _number_form(value: str) -> str:
    """Return the form of a printed number: `spread`, `range`, `decimal`, `2 digits`."""
    for name, pattern in _SHAPES.items():
        if pattern.search(value):
            return name
    return f"{min(len(value), 5)} digits"
