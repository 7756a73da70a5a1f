"""Results: the numbers in a text that state an outcome, as they are printed.

An outcome is what was measured: an accuracy, a gain, a speed-up, a rate found. Sizes of models and
of data, years, versions, settings and counts of material are none. Which numbers state one, whose
they are and of what kind, is weighed by a multinomial logistic regression over the words around
them, learned from abstracts of many fields that people read (`python -m tools.results --learn`);
what it is not sure of is passed over in silence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from classifier.text.directions import directions
from classifier.text.linear import HUNDRED, LinearModel, read_model, shares
from classifier.text.mentions import Mention, mentions_in
from classifier.text.numbers import Number, numbers_in
from classifier.text.result import KINDS, SURE_OF_HEADLINE, WHOSE, Kind, Result, Whose
from classifier.text.result_features import features_of
from classifier.text.result_places import places_of
from classifier.text.result_rules import (
    bracketed,
    is_compared_with,
    is_measured,
    is_of_a_rival,
    states_no_outcome,
    sure_kind,
)
from classifier.text.roles import RoledSentence
from classifier.text.sentences import Span

STATED = "stated"
HEADLINE = "headline"
WEIGHTS_FILE = Path(__file__).with_name("result_weights.json")
SURE = 0.6
"""The probability from which a number counts as a result; `python -m tools.results` shows what a
higher or lower one would give."""
# Letters of a sentence, and numbers in it: more is a list.
_LONGEST = 3_000
_MOST_NUMBERS = 40


@lru_cache(maxsize=1)
def shipped_weights() -> LinearModel:
    """Return the weights in `result_weights.json`, read once, when the first text is asked for.

    Columns: `stated`, `headline`, then WHOSE and KINDS, of which one each holds.
    """
    return read_model(WEIGHTS_FILE)


def results_of(
    sentences: Sequence[RoledSentence], named: Callable[[str], Sequence[Mention]]
) -> tuple[Result, ...]:
    """Return the numbers that state an outcome, in the order of the text.

    `named` returns the known names in a sentence.
    """
    numbers = [numbers_of(sentence) for sentence in sentences]
    return tuple(
        result
        for place in range(len(sentences))
        for result in _results_in(sentences, numbers, place, named)
    )


def numbers_of(item: RoledSentence) -> list[Number]:
    """Return the numbers of a sentence; none of what is a list."""
    numbers = numbers_in(item.span.text) if len(item.span.text) <= _LONGEST else []
    return numbers if len(numbers) <= _MOST_NUMBERS else []


_BOUND = re.compile(
    r"(?:(?P<up_to>\b(?:at most|up to|as much as|at or below|no more than)\s|≤\s?)"
    r"|(?P<at_least>\b(?:at least|no less than)\s|≥\s?)"
    r"|(?P<below>\b(?:below|under|(?:less|fewer|lower) than)\s|<\s?)"
    r"|(?P<over>\b(?:above|over|exceed(?:s|ed|ing)|(?:more|greater|higher) than)\s|>\s?)"
    r"|(?P<about>\b(?:near(?:ly)?|almost|about|around|approximately|roughly|close to)\s|[~≈∼]\s?))"
    r"(?:an? |another |by (?:a factor of )?)?[$€£]?$",
    re.IGNORECASE,
)
_AND_ANOTHER = re.compile(r"[^,;]{0,40}\s(?:and|or)\s(?:by\s)?")
_ABSOLUTE = re.compile(r"\babsolute\b|percentage[- ]points?|\bpp\b")
# "By 9.8 points (+29.4%)": the same gain in relative terms.
BESIDE_POINTS = re.compile(r"(?:\bpoints?\b[^();,]{0,30}|\bby \d+\.\d)\s\($")
_RELATIVE = re.compile(r"\brelative(?:ly)?\b")
_BY_SO_MUCH = re.compile(r"\b(?:by|within|over)\b")
_A_GAIN = re.compile(r"\b(?:gains?|improve|reduc|suppress|attenuat|overhead)")
_BREAK = re.compile(r";\s(?![^()]*\))|,\s(?=(?:while|whereas|but)\b)")


def _results_in(
    sentences: Sequence[RoledSentence],
    numbers: Sequence[Sequence[Number]],
    place: int,
    named: Callable[[str], Sequence[Mention]],
) -> Iterator[Result]:
    """Yield the results of the sentence at a place."""
    item = sentences[place]
    text = item.span.text
    judged = [
        _by_form(
            judge(shipped_weights(), features_of(sentences, numbers, place, index)), item, number
        )
        for index, number in enumerate(numbers[place])
    ]
    stating = [
        (number, each) for number, each in zip(numbers[place], judged, strict=True) if each.whose
    ]
    if not stating:
        return
    kept = [number for number, _ in stating]
    pointing = directions(kept, text)
    whose = [each.whose or "own" for _, each in stating]
    places = places_of(text, kept, whose, mentions_in(text, named(text)))
    found = []
    end, bound = 0, ""
    for (number, each), direction, where in zip(stating, pointing, places, strict=True):
        carries = bound == "up to" and _AND_ANOTHER.fullmatch(text[end : number.start])
        bound, end = _bound(text, number) or ("up to" if carries else ""), number.end
        clause = _clause(text, number, item.span.start)
        span = _span(text, number, item.span.start)
        found.append(
            Result(
                _printed(number),
                bound,
                number.unit,
                number.unit_kind,
                direction if number.unit in ("%", "points", "×") else "",
                each.kind,
                each.whose or "own",
                each.probability,
                each.weight,
                where.benchmark,
                span,
                clause,
                item.span,
                item.role,
                where.split,
                where.system,
            )
        )
    yield from _gains_as_printed(found)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the words around a number say of it."""

    whose: Whose | None
    """None where it states no outcome."""
    probability: float
    kind: Kind
    weight: float


def judge(model: LinearModel, features: Sequence[str]) -> Judgement:
    """Return what a model says of a number with these features."""
    stated, leads, *scores = model.scores(features)
    whose, kinds = shares(scores[: len(WHOSE)]), scores[len(WHOSE) :]
    likeliest = max(range(len(WHOSE)), key=lambda column: whose[column])
    kind = KINDS[max(range(len(KINDS)), key=lambda column: kinds[column])]
    probability = _probability(stated)
    return Judgement(
        WHOSE[likeliest] if probability >= SURE else None,
        probability * whose[likeliest],
        kind,
        _probability(leads),
    )


def _by_form(judged: Judgement, item: RoledSentence, number: Number) -> Judgement:
    """Return what a model says of a number, unless the form of its sentence says otherwise."""
    sentence = bracketed(item.span.text, number)
    judged = replace(judged, kind=sure_kind(sentence, number) or judged.kind)
    if judged.whose and states_no_outcome(sentence, number, item.role):
        return replace(judged, whose=None)
    if judged.whose and is_of_a_rival(sentence):
        return replace(judged, whose="rival")
    if judged.whose == "own" and is_compared_with(sentence):
        return replace(judged, whose="baseline")
    if judged.whose is None and is_measured(sentence, item.role):
        return replace(judged, whose="own", probability=SURE_OF_HEADLINE)
    return judged


def _probability(score: int) -> float:
    return 1 / (1 + math.exp(-score / HUNDRED))


def _gains_as_printed(results: Sequence[Result]) -> Iterator[Result]:
    """Yield the results of a sentence, each gain absolute only where the text prints it so.

    In points, with a sign, called absolute; or of "from 11 % to 34 %, up by 23 %" the 23. "By 9.8
    points and by 5.9" is both times in points.
    """
    in_points = next((each for each in results if each.unit == "points"), None)
    levels = [each.number for each in results if (each.kind, each.unit) == ("level", "%")]
    steps = {round(abs(one - other), 6) for one, other in combinations(levels, 2)}
    for each in results:
        is_signed = each.span.text[0] in "+-−–" and each.unit_kind in ("%", "measure", "")
        is_change = each.kind == "level" and (is_signed or each.direction)
        if not (each.kind.endswith("gain") or is_change):
            yield each
            continue
        if in_points and not each.unit and in_points.clause == each.clause:
            yield replace(each, unit="points", unit_kind="points", direction=in_points.direction)
            continue
        is_step = each.unit == "%" and round(each.number, 6) in steps
        around = each.clause.text[max(0, each.span.start - each.clause.start - 60) :][:140]
        if each.kind == "relative gain" and not _is_gain(each):
            yield replace(each, kind="level")
            continue
        said = _ABSOLUTE.search(around) and not _RELATIVE.search(around)
        before = each.sentence.text[: each.span.start - each.sentence.start]
        is_beside = BESIDE_POINTS.search(before)
        is_signed = is_signed and not _RELATIVE.search(around)
        absolute = each.unit == "points" or (not is_beside and (is_step or said or is_signed))
        kind: Kind = "absolute gain" if absolute and each.unit != "×" else "relative gain"
        yield replace(each, kind=kind, unit="points" if is_step else each.unit)


def _is_gain(result: Result) -> bool:
    """Whether the words beside a number say that it is the size of a change."""
    before, _, behind = result.marked
    return bool(
        result.direction
        or result.unit == "×"
        or _BY_SO_MUCH.search(before[-80:])
        or _A_GAIN.search(f"{result.unit} {behind[:30]}")
    )


def _clause(text: str, number: Number, offset: int) -> Span:
    """Return the part of a sentence that holds a number, between its larger breaks."""
    start, end = 0, len(text)
    for edge in _BREAK.finditer(text):
        if edge.end() <= number.start:
            start = edge.end()
        elif edge.start() >= number.end:
            end = edge.start()
            break
    return Span(offset + start, offset + end, text[start:end])


def _bound(text: str, number: Number) -> str:
    """Return in one word how a text bounds a number: `below` of "less than 30 %"."""
    found = _BOUND.search(text[max(0, number.start - 30) : number.start])
    return (found.lastgroup or "").replace("_", " ") if found else ""


def _printed(number: Number) -> str:
    """Return a value without units inside (`5 % – 9`) and without blanks that a page left."""
    plain = re.sub(r"\s+", " ", re.sub(r"\s?\\?%", "", number.value))
    plain = re.sub(r"-?\sand\s(?:about\s)?", "–", plain)
    plain = re.sub(r"(?<=\d)\.\s(?=\d)", ".", plain).strip()
    is_plain = number.unit in ("%", "points", "×")
    return plain if is_plain or number.sign in ("", "+") else number.sign + plain


def _span(text: str, number: Number, offset: int) -> Span:
    return Span(offset + number.start, offset + number.end, text[number.start : number.end])
