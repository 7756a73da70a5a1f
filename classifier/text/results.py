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
from typing import Literal, get_args

from classifier.text.directions import Direction, directions
from classifier.text.linear import HUNDRED, LinearModel, read_model, shares
from classifier.text.mentions import Mention, mentions_in
from classifier.text.numbers import Number, UnitKind, numbers_in
from classifier.text.result_features import features_of
from classifier.text.result_places import places_of
from classifier.text.result_rules import (
    bracketed,
    is_compared_with,
    is_measured,
    states_no_outcome,
    sure_kind,
)
from classifier.text.roles import Role, RoledSentence
from classifier.text.sentences import Span

Whose = Literal["own", "baseline", "rival", "human", "attack"]
Kind = Literal["level", "absolute gain", "relative gain", "effect", "cost", "error"]
STATED = "stated"
WHOSE: tuple[Whose, ...] = get_args(Whose)
KINDS: tuple[Kind, ...] = get_args(Kind)
HEADLINE = "headline"
WEIGHTS_FILE = Path(__file__).with_name("result_weights.json")
SURE = 0.6
"""The probability from which a number counts as a result; `python -m tools.results` shows what a
higher or lower one would give."""
SURE_OF_HEADLINE = 0.65
SURE_OF_SECOND = 0.75
_LIKELY = 0.5
# Letters of a sentence, and numbers in it: more is a list.
_LONGEST = 3_000
_MOST_NUMBERS = 40


@dataclass(frozen=True, slots=True)
class Result:
    """One number that states an outcome, and where it stands."""

    value: str
    """As printed, without sign or unit: `12.3`, `0·55`, `4.8-14.2`, `forty`."""
    bound: str
    """`below`, `up to`, `over`, `at least` or `about` where the text says one of them before the
    value, or ""."""
    unit: str
    """`%`, `×`, `points`, or the unit, measure or counted things as printed: `eV`, `F1`, `OR`,
    `proteins`; "" where none stands beside it."""
    unit_kind: UnitKind
    direction: Direction
    """Whether the number is a rise or a fall; "" where it is a level, or the text does not say."""
    kind: Kind
    whose: Whose
    probability: float
    """That it states an outcome, and whose it is."""
    weight: float
    """How likely a reader takes it for what the paper found: a probability."""
    benchmark: str
    """The benchmark that it is stated for, where the sentence names one that is known, or ""."""
    span: Span
    """The number with its sign and unit, in the text."""
    clause: Span
    """The part of the sentence that states it."""
    sentence: Span
    role: Role
    """Of the sentence."""
    split: str = ""
    """The part of a benchmark that the clause names beside the number: `test set`, `dev split`."""
    system: str = ""
    """What was measured, where the clause names it: the paper's own name, or a known model."""

    @property
    def short(self) -> str:
        """The result as a table shows it: `+12.3 % on OSWorld`, `below 20 %`, `OR 1.8`."""
        if self.unit == "p":
            return f"p {_SYMBOLS.get(self.bound, '=')} {self.value}"
        value = self.value.replace("-", "−", 1) if self.value[0] == "-" else self.value
        if self.unit_kind == "money":
            per = _PER.match(self.marked[2])
            return f"{self.bound} {self.unit}{value}".strip() + (per.group() if per else "")
        if self.unit_kind in ("effect", "measure") and not self.span.text.endswith(self.unit):
            return f"{self.unit} {self.bound} {value}".replace("  ", " ")
        if (fell := _FROM.search(self.marked[0])) and _number(fell[1]) > _number(self.value):
            value = f"{fell[1]} → {value}"
        signed = self.unit in ("%", "points")
        is_speed = re.match(r"\W{0,2}faster\b", self.marked[2]) is not None
        sign = {"up": "+", "down": "−", "": ""}[self.direction] if signed and not is_speed else ""
        blank = "" if self.unit == "×" else " "
        place = f" on {self.benchmark}" if self.benchmark else ""
        unit = _IN_WORDS.get(self.unit, self.unit) if value[0].isalpha() else self.unit
        number = f"{sign}{value}{blank}{unit}".strip()
        if self.unit == "%" and (share := _OF_ANOTHERS.match(self.marked[2])):
            number += share.group()
        if self.unit == "×" and self.direction == "down":
            number += " less"
        if is_speed:
            number += " faster"  # nothing that a benchmark scores
        if sign == "−" and self.bound in ("over", "at least"):
            return f"{number} or more{place}"
        return f"{self.bound} {number}".strip() + place

    @property
    def marked(self) -> tuple[str, str, str]:
        """The clause before the number, the number, the clause behind it."""
        start, end = self.span.start - self.clause.start, self.span.end - self.clause.start
        return self.clause.text[:start], self.clause.text[start:end], self.clause.text[end:]


_PER = re.compile(r"\sper(?:\s[a-z-]+){1,3}?(?=[^\w\s-]|$|\s(?:\(|(?:and|at|for|in|on|to|with)\b))")


@lru_cache(maxsize=1)
def shipped_weights() -> LinearModel:
    """Return the weights in `result_weights.json`, read once, when the first text is asked for.

    Columns: `stated`, `headline`, then WHOSE and KINDS, of which one each holds.
    """
    return read_model(WEIGHTS_FILE)


def headline_results(
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


def headline(results: Sequence[Result]) -> tuple[Result, ...]:
    """Return the one or two numbers that a reader would take for what the paper found.

    Its own, with a unit or measure; how often an attack succeeds where it has none.
    p-values only where a text has nothing else; "two patients", "three clusters" only as so many of
    all.
    """
    own = [each for each in results if each.whose == "own"]
    own = own or [each for each in results if each.whose == "attack"]
    telling = [each for each in own if _is_telling(each)]
    able = [each for each in telling if each.probability >= SURE_OF_HEADLINE]
    if able and all(each.unit == "p" for each in able):
        able = [each for each in telling if each.unit != "p" and each.weight >= _LIKELY] or [
            each for each in able if each.bound != "over" and not _number(each.value) > 0.05
        ]
    able = [each for each in able if each.unit != "p"] or able
    able = [each for each in able if not _NOTHING_FOUND.search(each.clause.text)] or able
    if not able:
        return ()
    first, *others = sorted(able, key=lambda each: -each.weight)
    second = [
        each for each in others[:1] if each.probability >= SURE_OF_SECOND and each.weight >= _LIKELY
    ]
    shown = [each for each in able if each in (first, *second)]
    return tuple({each.short: each for each in shown}.values())


def _is_telling(result: Result) -> bool:
    """Whether a number says something by itself."""
    if result.unit_kind == "count":
        return " of " in result.value
    return bool(result.unit or result.benchmark)


_FROM = re.compile(r"\bfrom (\d+(?:\.\d+)?)\s?%? to $")
_IN_WORDS = {"×": " times", "%": "per cent"}
_SYMBOLS = {"": "=", "below": "<", "up to": "≤", "over": ">", "at least": "≥"}
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
# "96.7 % of the performance of OWL" is no score.
_OF_ANOTHERS = re.compile(
    r"\sof (?:[\w.'’-]+\s){0,4}?(?:performance|accuracy)\b(?:\sof [A-Z][\w-]*)?"
)
_NOTHING_FOUND = re.compile(
    r"\b(?:no|not|without)\b(?: \w+){0,2} (?:significant|associated|statistically)"
    r"|\bp\s?>\s?0?\.0[5-9]",
    re.IGNORECASE,
)
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
    levels = [_number(each.value) for each in results if (each.kind, each.unit) == ("level", "%")]
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
        is_step = each.unit == "%" and round(_number(each.value), 6) in steps
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


def _number(value: str) -> float:
    """Return the number of a value, or NaN, which equals none."""
    try:
        return float(value.replace("·", ".").strip(" %"))
    except ValueError:
        return math.nan


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
