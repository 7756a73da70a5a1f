"""Results: the numbers in a text that state an outcome, as the text prints them.

An outcome is a measured value: an accuracy, a gain, a speed-up, a rate. Sizes of models and data,
years, versions and settings are not outcomes. A multinomial logistic regression over the words
around a number decides whether the number states an outcome, whose outcome it is and of which kind.
The model was trained on abstracts that people annotated (`python -m tools.results --learn`). If the
model is not sure, the number is not a result, but the sentence can still be quoted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from classifier.text.directions import number_directions
from classifier.text.linear import HUNDRED, LinearModel, column_probabilities, read_model
from classifier.text.mentions import Mention, mentions_in
from classifier.text.numbers import Number, numbers_in
from classifier.text.result import KINDS, WHOSE, Kind, Result, Whose
from classifier.text.result_features import features_of
from classifier.text.result_names import names_of
from classifier.text.roles import MAX_SENTENCES, RoledSentence
from classifier.text.sentences import Span

STATED = "stated"
HEADLINE = "headline"
WEIGHTS_FILE = Path(__file__).with_name("result_weights.json")
MIN_PROBABILITY = 0.6
"""Minimum probability of a result."""
_MAX_LENGTH = 3_000
_MAX_NUMBERS = 40
"""A sentence with more characters or numbers is a list."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The model's prediction for one number."""

    whose: Whose | None
    """None if the number states no outcome."""
    probability: float
    kind: Kind
    weight: float


@lru_cache(maxsize=1)
def shipped_weights() -> LinearModel:
    """Return the weights in `result_weights.json`.

    The columns are `stated` and `headline`, then WHOSE and KINDS; exactly one column applies in
    each of these two groups.
    """
    return read_model(WEIGHTS_FILE)


def results_of(
    sentences: Sequence[RoledSentence], find_names: Callable[[str], Sequence[Mention]]
) -> tuple[Result, ...]:
    """Return in text order the numbers that state an outcome.

    find_names: returns the known names in a sentence.
    """
    sentences = sentences[:MAX_SENTENCES]
    numbers = [numbers_of(sentence) for sentence in sentences]
    results: list[Result] = []
    for place, sentence in enumerate(sentences):
        judged = [
            predict_outcome(shipped_weights(), features_of(sentences, numbers, place, index))
            for index in range(len(numbers[place]))
        ]
        stated = [
            (number, each.whose, each)
            for number, each in zip(numbers[place], judged, strict=True)
            if each.whose
        ]
        if stated:
            results += _with_gain_types(_results_in_sentence(sentence, stated, find_names))
    return tuple(results)


def numbers_of(sentence: RoledSentence) -> list[Number]:
    """Return the numbers in a sentence; [] if the sentence is a list."""
    text = sentence.span.text
    numbers = numbers_in(text) if len(text) <= _MAX_LENGTH else []
    return numbers if len(numbers) <= _MAX_NUMBERS else []


def predict_outcome(model: LinearModel, features: Sequence[str]) -> Judgement:
    """Return the model's prediction for a number with these features."""
    stated, headline, *scores = model.scores(features)
    whose, kinds = column_probabilities(scores[: len(WHOSE)]), scores[len(WHOSE) :]
    likeliest = max(range(len(WHOSE)), key=lambda column: whose[column])
    kind = KINDS[max(range(len(KINDS)), key=lambda column: kinds[column])]
    probability = _probability(stated)
    return Judgement(
        WHOSE[likeliest] if probability >= MIN_PROBABILITY else None,
        probability * whose[likeliest],
        kind,
        _probability(headline),
    )


def _probability(score: int) -> float:
    """Convert a score to a probability."""
    return 1 / (1 + math.exp(-score / HUNDRED))


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
_BREAK = re.compile(r";\s(?![^()]*\))|,\s(?=(?:while|whereas|but)\b)")


def _results_in_sentence(
    sentence: RoledSentence,
    stated_numbers: Sequence[tuple[Number, Whose, Judgement]],
    find_names: Callable[[str], Sequence[Mention]],
) -> list[Result]:
    """Return the results in one sentence from its numbers that state an outcome."""
    text, offset = sentence.span.text, sentence.span.start
    numbers = [number for number, _, _ in stated_numbers]
    whose = [each for _, each, _ in stated_numbers]
    names = names_of(text, numbers, whose, mentions_in(text, find_names(text)))
    results = []
    end, bound = 0, ""
    for (number, owner, judged), direction, found in zip(
        stated_numbers, number_directions(numbers, text), names, strict=True
    ):
        # "up to 30 % and 40 %": the bound applies to both.
        continues = bound == "up to" and _AND_ANOTHER.fullmatch(text[end : number.start])
        bound, end = _find_bound(text, number) or ("up to" if continues else ""), number.end
        results.append(
            Result(
                value=_printed_value(number),
                bound=bound,
                unit=number.unit,
                unit_kind=number.unit_kind,
                direction=direction if number.unit in ("%", "points", "×") else "",
                kind=judged.kind,
                whose=owner,
                probability=judged.probability,
                weight=judged.weight,
                benchmark=found.benchmark,
                span=_span_in_text(text, number.start, number.end, offset),
                clause=_clause_of_number(text, number, offset),
                sentence=sentence.span,
                role=sentence.role,
                split=found.split,
                system=found.system,
            )
        )
    return results


def _find_bound(text: str, number: Number) -> str:
    """Return the bound before a number: `below` for "less than 30 %", or ""."""
    found = _BOUND.search(text[max(0, number.start - 30) : number.start])
    return (found.lastgroup or "").replace("_", " ") if found else ""


def _clause_of_number(text: str, number: Number, offset: int) -> Span:
    """Return the clause of a number, which ends at a semicolon, ", while" or ", but"."""
    edges = list(_BREAK.finditer(text))
    start = max((edge.end() for edge in edges if edge.end() <= number.start), default=0)
    end = min((edge.start() for edge in edges if edge.start() >= number.end), default=len(text))
    return _span_in_text(text, start, end, offset)


def _span_in_text(text: str, start: int, end: int, offset: int) -> Span:
    """Return a span of the sentence as a span of the whole text."""
    return Span(offset + start, offset + end, text[start:end])


def _printed_value(number: Number) -> str:
    """Return a value without inner blanks and units (`5 % – 9`)."""
    plain = re.sub(r"\s+", " ", re.sub(r"\s?%", "", number.value))
    plain = re.sub(r"-?\sand\s(?:about\s)?", "–", plain)
    plain = re.sub(r"(?<=\d)\.\s(?=\d)", ".", plain).strip()
    is_plain = number.unit in ("%", "points", "×")
    return plain if is_plain or number.sign in ("", "+") else number.sign + plain


_ABSOLUTE = re.compile(r"\babsolute\b|percentage[- ]points?|\bpp\b")
AFTER_POINTS = re.compile(r"(?:\bpoints?\b[^();,]{0,30}|\bby \d+\.\d)\s\($")
"""Before the second number of "by 9.8 points (+29.4%)": the same gain in relative terms."""
_RELATIVE = re.compile(r"\brelative(?:ly)?\b")
_CHANGE_BEFORE = re.compile(r"\b(?:by|within|over)\b")
_CHANGE_AFTER = re.compile(r"\b(?:gains?|improve|reduc|overhead)")


def _with_gain_types(results: Sequence[Result]) -> Iterator[Result]:
    """Yield the results of a sentence; a gain is absolute only if the text says so.

    A gain is absolute if it is in points, has a sign, or is next to the word "absolute". The 23 in
    "from 11 % to 34 %, up by 23 %" is absolute, too. In "by 9.8 points and by 5.9", both numbers
    are points.
    """
    in_points = next((each for each in results if each.unit == "points"), None)
    levels = [each.number for each in results if (each.kind, each.unit) == ("level", "%")]
    steps = {round(abs(one - other), 6) for one, other in combinations(levels, 2)}
    for each in results:
        is_signed = each.span.text[0] in "+-−–" and each.unit_kind in ("%", "measure", "")
        is_change = each.kind == "level" and (is_signed or each.direction)
        if not (each.kind.endswith("gain") or is_change):
            yield each
        elif in_points and not each.unit and in_points.clause == each.clause:
            yield replace(each, unit="points", unit_kind="points", direction=in_points.direction)
        elif each.kind == "relative gain" and not _is_gain(each):
            yield replace(each, kind="level")
        else:
            is_step = each.unit == "%" and round(each.number, 6) in steps
            is_absolute = each.unit == "points" or is_step or _is_absolute(each, is_signed)
            kind: Kind = "absolute gain" if is_absolute and each.unit != "×" else "relative gain"
            yield replace(each, kind=kind, unit="points" if is_step else each.unit)


def _is_absolute(result: Result, is_signed: bool) -> bool:
    """Return whether a gain is absolute."""
    before, number, after = result.split_clause
    around = f"{before[-60:]}{number}{after[:60]}"
    is_marked = is_signed or _ABSOLUTE.search(around) is not None
    return is_marked and not _RELATIVE.search(around) and not AFTER_POINTS.search(before)


def _is_gain(result: Result) -> bool:
    """Return whether the words around a number say that it is the size of a change."""
    before, _, after = result.split_clause
    is_near = _CHANGE_BEFORE.search(before[-80:]) or _CHANGE_AFTER.search(after[:30])
    return bool(result.direction or result.unit == "×" or is_near)
