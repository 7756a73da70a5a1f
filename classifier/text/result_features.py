"""What stands around a number: the features by which `results` tells what it says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from classifier.text.normalise import stem
from classifier.text.numbers import Number
from classifier.text.roles import RoledSentence

_TOKEN = re.compile(r"[A-Za-z]+(?:[-'’][A-Za-z]+)*|\d+(?:[.,·]\d+)*|[^\sA-Za-z\d]")
_BEFORE, _BEHIND, _BETWEEN = 16, 12, 8
"""Words that are read before a number, behind it, and back to the number before it."""
_FIFTHS = 5
_MAX_COUNTED = 24
_TELLING = re.compile(
    r"\b(?:found|measured|estimated|determined|observed|obtained|calculated|reach\w*|achiev\w*"
    r"|attain\w*|yield\w*|show\w*|reveal\w*|result\w*|increas\w*|decreas\w*|reduc\w*|improv\w*"
    r"|outperform\w*|surpass\w*|rose|fell|gain\w*|higher|lower|was|were|is|are)\b",
    re.IGNORECASE,
)
_NAMED_BEHIND = re.compile(
    r"\s?(?:for|by|of|from|in|\()\s?(?:the )?(?:[a-z-]+ ){0,2}[A-Z][\w.-]*[\dA-Z]"
)
_COMPARED = re.compile(
    r"\b(?:compared (?:to|with)|than|versus|vs|against|over|while|whereas|but|relative to|only|from"
    r"|control|baselines?|prior|previous|existing|original|humans?|people|experts?|annotators?"
    r"|clinicians|physicians|attacks?|attackers?|ASR|jailbreaks?)\b",
    re.IGNORECASE,
)
_SETTING = re.compile(
    r"\b(?:using|used|included?|enrolled|recruited|collected|analy[sz]ed|comprising|consist\w*"
    r"|sample of|randomi[sz]ed|aged?|baseline|conducted|surveyed|interviewed|trained|dataset"
    r"|between \d|since|during|published|at an?|under)\b",
    re.IGNORECASE,
)


def features_of(
    sentences: Sequence[RoledSentence], numbers: Sequence[Sequence[Number]], place: int, index: int
) -> tuple[str, ...]:
    """Return the features of a number, each once, in order.

    Args:
        sentences: of its text; numbers: those of each sentence.
        place: of its sentence; index: of the number among those of its sentence.
    """
    here = _features(sentences[place], numbers[place], index)
    return tuple(sorted({*here, *_in_its_text(sentences, numbers, place, index)}))


def words_of(text: str) -> list[str]:
    """Return the stems of a text, and its marks; `#` stands for each number."""
    return [
        "#" if token[0].isdigit() else stem(token.lower()) if token.isascii() else token.lower()
        for token in _TOKEN.findall(text)
    ]


def _in_its_text(
    sentences: Sequence[RoledSentence], numbers: Sequence[Sequence[Number]], place: int, index: int
) -> Iterator[str]:
    """Yield the place of a number in its text, and the roles of the sentences around it."""
    role, count = sentences[place].role, len(sentences)
    earlier = index + _count_up_to_limit(numbers[at] for at in range(place - 1, -1, -1))
    later = len(numbers[place]) - index
    later += _count_up_to_limit(numbers[at] for at in range(place + 1, count))
    yield f"fifth {_FIFTHS * place // count}"
    yield f"{min(5, count - 1 - place)} sentences behind"
    yield f"{min(15, count)} sentences"
    yield f"{min(12, (earlier + later) // 2)} pairs of numbers"
    yield f"{min(10, earlier)} numbers before"
    yield f"{min(8, len(numbers[place]))} numbers in the sentence"
    yield f"{min(6, index)} before in the sentence"
    yield f"role before {sentences[place - 1].role if place else 'none'}"
    yield f"role behind {sentences[place + 1].role if place + 1 < count else 'none'}"
    earlier_roles = (sentences[at].role for at in range(place - 1, -1, -1))
    if role == "result" and "result" not in earlier_roles:
        yield "first result"


def _count_up_to_limit(numbers: Iterable[Sequence[Number]]) -> int:
    """Return how many numbers the sentences have; the count stops where no feature needs more.

    Without the limit the time would grow with the square of the length of a text.
    """
    count = 0
    for of_sentence in numbers:
        count += len(of_sentence)
        if count >= _MAX_COUNTED:
            break
    return count


def _features(sentence: RoledSentence, numbers: Sequence[Number], index: int) -> Iterator[str]:
    text, number = sentence.span.text, numbers[index]
    before, behind = text[: number.start], text[number.end :]
    kind, shape, role = number.unit_kind or "none", _shape(number.value), sentence.role
    yield from (f"unit {kind}", f"shape {shape}", f"{kind} {shape}", f"unit: {number.unit.lower()}")
    yield from (f"role {role}", f"{role} {kind}")
    if number.sign:
        yield from (f"sign {number.sign}", f"sign {number.sign} {kind}")
    if before.count("(") > before.count(")"):
        yield from ("in brackets", f"in brackets {kind}")
    near = before[-80:]
    if telling := _TELLING.findall(near):
        last = stem(telling[-1].lower())
        yield from (f"tells {last}", f"tells {last} {kind}")
    if _SETTING.search(near):
        yield "a setting"
    left, right = words_of(before)[-_BEFORE:], words_of(behind)[:_BEHIND]
    yield from _beside(left[::-1], right, kind)
    if _NAMED_BEHIND.match(behind):
        yield "a name behind"
    since = text[numbers[index - 1].end if index else 0 : number.start]
    compared = [word.lower() for word in _COMPARED.findall(since)]
    yield from (f"compared {word}" for word in compared)
    yield f"compared at last {compared[-1] if compared else 'no'} {'behind' if index else 'first'}"
    yield from (f"holds {word}" for word in words_of(text))
    yield from _earlier(text, numbers, index)


def _beside(left: Sequence[str], right: Sequence[str], kind: str) -> Iterator[str]:
    """Yield the words on both sides, by how far they stand; left: the nearest first."""
    for distance, word in enumerate(left):
        yield f"< {word}"
        if distance < 7:
            yield from (f"<7 {word}", f"<7 {word} {kind}")
        if distance < 3:
            yield f"<3 {word}"
    for distance, word in enumerate(right):
        yield f"> {word}"
        if distance < 6:
            yield f">6 {word}"
        if distance < 3:
            yield f">3 {word}"
    if left:
        yield from (f"<1 {left[0]}", f"<1 {left[0]} {kind}", f"<2 {' '.join(left[1::-1])}")
    if right:
        yield from (f">1 {right[0]}", f">2 {' '.join(right[:2])}")
    if left and right:
        yield f"<> {left[0]} {right[0]}"
    yield from (f"<< {later} {word}" for word, later in pairwise(left[:6]))
    yield from (f">> {word} {later}" for word, later in pairwise(right[:5]))
    yield f"<3 {' '.join(left[2::-1])}"
    yield f">3 {' '.join(right[:3])}"


def _earlier(text: str, numbers: Sequence[Number], index: int) -> Iterator[str]:
    """Yield what the number before is, and the words between."""
    if not index:
        yield "first number"
        return
    earlier = numbers[index - 1]
    between = words_of(text[earlier.end : numbers[index].start])
    yield f"behind {earlier.unit_kind or 'none'} {_shape(earlier.value)}"
    yield f"gap {min(9, len(between))}"
    yield from (f"between {word}" for word in between[-_BETWEEN:])
    if len(between) <= 3:
        yield f"only {' '.join(between)}"


def _shape(value: str) -> str:
    """Return how a number is printed: `spread`, `range`, `decimal`, `2 digits`."""
    for name, pattern in _SHAPES.items():
        if pattern.search(value):
            return name
    return f"{min(len(value), 5)} digits"


_SHAPES = {
    "share": re.compile(r"\bof\b|\d/\d"),
    "word": re.compile(r"^\D+$"),
    "year": re.compile(r"^(?:19|20)\d\d$"),
    "spread": re.compile(r"±|\+/"),
    "range": re.compile(r".(?:[-–—∼~→]|\bto\b)"),
    "power": re.compile(r"\^|10⁻"),
    "thousands": re.compile(r"\d[,\s]\d{3}"),
    "fraction": re.compile(r"^0?[.·]"),
    "decimal": re.compile(r"\D"),
}
