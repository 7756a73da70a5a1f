"""Headline results: the numbers in a text that state an outcome, as they are printed.

An outcome is what was measured: an accuracy, a gain, a speed-up, a rate found. Sizes of models and
of data, years, versions, settings and counts of material are none. A number counts by its unit
(per cent, times, points, a measure such as F1 or an odds ratio), by the role of its sentence and by
the words around it; where these say nothing the number is passed over in silence. Whose it is
stands beside it: the paper's own, a baseline's, a rival's, people's, an attack's.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from classifier.text.directions import Direction, directions
from classifier.text.numbers import (
    SIGNIFICANCE,
    is_duration,
    is_effect,
    is_quantity,
    numbers_in,
    unit_of,
)
from classifier.text.outcomes import is_outcome
from classifier.text.result_places import places_of
from classifier.text.roles import Role, RoledSentence
from classifier.text.sentences import Span
from classifier.text.whose import STARTS_FROM, Whose, whose_number

Kind = Literal["level", "absolute gain", "relative gain", "effect", "cost", "error"]
_MOST_IN_HEADLINE = 2
_FITS = frozenset(["r", "ρ", "α", "κ", "R2", "R²", "I2", "I²", "ICC", "Cronbach's alpha"])
"""Measures of how well something fits or agrees: no effect that goes before a level."""
# Letters of a sentence; every number in it is held against all the words around.
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
    """`%`, `×`, `points`, or the unit or measure as printed, such as `eV`, `F1` or `OR`."""
    direction: Direction
    """Whether the number is a rise or a fall; "" where it is a level, or the text does not say."""
    kind: Kind
    whose: Whose
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
        """The result as a table shows it: `+12.3 % on OSWorld`, `below 20 %`."""
        if self.unit == "p":
            return f"p {_SYMBOLS[self.bound]} {self.value}"
        if self.kind == "effect" and self.unit != "×":
            return f"{self.unit} {self.value}"
        signed = self.unit in ("%", "points")
        sign = {"up": "+", "down": "−", "": ""}[self.direction] if signed else ""
        blank = "" if self.unit == "×" else " "
        place = f" on {self.benchmark}" if self.benchmark else ""
        unit = " times" if self.unit == "×" and self.value[0].isalpha() else self.unit
        number = f"{sign}{self.value}{blank}{unit}".strip()
        if self.unit == "×" and self.direction == "down":
            number += " less"
        if sign == "−" and self.bound in ("over", "at least"):
            return f"{number} or more{place}"
        return f"{self.bound} {number}".strip() + place

    @property
    def marked(self) -> tuple[str, str, str]:
        """The clause before the number, the number, the clause behind it."""
        start, end = self.span.start - self.clause.start, self.span.end - self.clause.start
        return self.clause.text[:start], self.clause.text[start:end], self.clause.text[end:]


def headline_results(
    sentences: Sequence[RoledSentence], benchmarks: Callable[[str], Sequence[str]]
) -> tuple[Result, ...]:
    """Return the numbers that state an outcome, in the order of the text.

    `benchmarks` returns the known benchmarks that a piece of text names, in order.
    """
    own = next((index for index, item in enumerate(sentences) if item.role != "problem"), 0)
    stating = [
        item for index, item in enumerate(sentences) if _may_state(item, is_behind=index > own)
    ]
    found = [result for item in stating for result in _stated_in(item, benchmarks)]
    telling = [item.span for item in stating if item.role == "result"]
    if not found and not any(numbers_in(span.text) for span in telling):
        found = [result for span in telling for result in _significances(span)]
    return tuple(found)


def headline(results: Sequence[Result]) -> tuple[Result, ...]:
    """Return at most two results of the paper's own: of the first clause that states any.

    A sentence that tells results goes before one that tells what was done. Where it has none of its
    own, how often an attack succeeds is what it found. A measure of effect goes first, a cost or an
    error last; behind them how a check went, shares of another's performance, and p-values.
    """
    own = [result for result in results if result.whose == "own"]
    own = own or [result for result in results if result.whose == "attack"]
    own = [result for result in own if result.role == "result"] or own
    weighty = [result for result in own if result.unit != "p"]
    found = [result for result in weighty if not _is_aside(result)] or weighty
    effects = [result for result in found if result.kind == "effect" and result.unit not in _FITS]
    levels = [result for result in found if result.kind not in ("cost", "error")]
    marked = [result for result in levels if not _is_mean(result)]
    able = effects or marked or levels or found or own
    first = [result for result in able if result.clause == able[0].clause]
    return tuple({result.short: result for result in first}.values())[:_MOST_IN_HEADLINE]


_SYMBOLS = {"": "=", "below": "<", "up to": "≤", "over": ">", "at least": "≥"}
_MEAN = re.compile(r"\b(?:[Mm]ean|[Mm]edian|[Aa]verage)\b")
_OF_A_MEAN = re.compile(
    r"(?:(?:milli)?seconds?|min(?:utes?)?|h(?:ours?)?|days?|weeks?|months?|years?)?"
)
_CHECKED = re.compile(
    r"\b(?:(?:expert|human|manual|professional) validation|annotators?|annotations?)\b[^,;]{0,40}"
    r"\b(?:yield|agree|pass)|\bagreement with (?:human|expert)",
    re.IGNORECASE,
)
_OF_ANOTHERS = re.compile(r"\sof\s[^,;.]{1,60}\bperformance\b")
_ERROR = re.compile(r"\b(?:MAE|RMSE|MSE|WER|CER|ECE|FID|perplexity|loss)\b")
_BOUND = re.compile(
    r"(?:(?P<up_to>\b(?:at most|up to|as much as|at or below|no more than)\s|≤\s?)"
    r"|(?P<at_least>\b(?:at least|no less than)\s|≥\s?)"
    r"|(?P<below>\b(?:below|under|(?:less|fewer|lower) than)\s|<\s?)"
    r"|(?P<over>\b(?:above|over|exceeding|(?:more|greater|higher) than)\s|>\s?)"
    r"|(?P<about>\b(?:near(?:ly)?|almost|about|around|approximately|roughly|close to)\s|[~≈∼]\s?))"
    r"(?:an? |another )?$",
    re.IGNORECASE,
)
_GAP_BEFORE = re.compile(r"\b(?:gap|error rate|(?:under|over)estimat\w+)\b[^,;:]{0,60}$")
_OF_THE_COST = re.compile(
    r"\s?of (?:the |its )?(?:\w+ )?(?:costs?|price|compute|computation|latency)\b"
)
_COST_BEFORE = re.compile(r"\bcosts?\s(?:\w+\s){0,2}$")
_AND_ANOTHER = re.compile(r"[^,;]{0,40}\s(?:and|or)\s(?:by\s)?")
_ABSOLUTE = re.compile(r"\babsolute\b|percentage[- ]points?|\bpp\b")
_BESIDE_POINTS = re.compile(r"(?:points?\b[^();,]{0,30}|\d)\s\($")
_RELATIVE = re.compile(r"\brelative(?:ly)?\b")
_SPLIT = re.compile(
    r"\b(?:test|dev(?:elopment)?|val(?:idation)?|held-out(?: dev| test)?|hidden|public|private"
    r"|train(?:ing)?)"
    r"[ -](?:set|split)\b",
    re.IGNORECASE,
)
_BREAK = re.compile(r";\s(?![^()]*\))|,\s(?=(?:while|whereas|but)\b)")
# "Outperforms a baseline (69 % vs. 93 %)": the second is its own.
_BEATS = re.compile(r"\b(?:outperform|surpass|exceed|beat)\w*\s[^,;()]{1,80}\($")
_VERSUS = re.compile(r"\s?(?:vs\.?|versus)\s?")
_SHIFT = re.compile(r"\s?(?:\([^)]*\)\s)?(?:→|\bto\b)\s?")


def _is_aside(result: Result) -> bool:
    """Whether a number says how a check went, or which share of another's performance is left."""
    behind = result.sentence.text[result.span.end - result.sentence.start :]
    return bool(_CHECKED.search(result.clause.text) or _OF_ANOTHERS.match(behind))


def _is_mean(result: Result) -> bool:
    """Whether a number is a mean without a measure's name, of which texts tell many."""
    return bool(_OF_A_MEAN.fullmatch(result.unit) and _MEAN.search(result.clause.text))


def _may_state(item: RoledSentence, *, is_behind: bool) -> bool:
    """Whether a sentence of its role may state an outcome; a list of numbers is no sentence.

    Behind the first sentence that tells of the paper one that seems to tell a problem may, too.
    """
    roles = ("result", "contribution", "method", *(["problem"] if is_behind else []))
    return item.role in roles and len(item.span.text) <= _LONGEST


def _stated_in(item: RoledSentence, benchmarks: Callable[[str], Sequence[str]]) -> list[Result]:
    return [*_gains_in_points([*_results_in(item, benchmarks)])]


def _results_in(
    item: RoledSentence, benchmarks: Callable[[str], Sequence[str]]
) -> Iterator[Result]:
    sentence, text = item.span, item.span.text
    matches = numbers_in(text)
    if len(matches) > _MOST_NUMBERS:
        return
    pointing = directions(matches, text)
    places = places_of(text, matches, benchmarks)
    whose: Whose = "own"
    end, bound = 0, ""
    for match, direction, place in zip(matches, pointing, places, strict=True):
        between = text[end : match.start()]
        is_change = bool(direction) or unit_of(match) == "×"
        whose = whose_number(text, match, between, whose, is_change=is_change)
        end = match.end()
        carried = bound if bound == "up to" and _AND_ANOTHER.fullmatch(between) else ""
        bound = _bound(text, match) or carried
        tells = item.role == "result" or (item.role == "problem" and is_quantity(match))
        if not is_outcome(match, text, in_results=tells, is_compared=bool(direction)):
            continue
        kind = _kind(match, text, direction)
        clause = _clause(text, match, sentence.start)
        span = _span(match, sentence.start)
        levels = [*_levels(match, text)]
        for number, value in levels:
            yield Result(
                _printed(value),
                "" if number == 2 else bound,
                unit_of(match),
                "" if number or is_quantity(match) else direction,
                "level" if number and kind.endswith("gain") else kind,
                "baseline" if number == 1 else "own" if number == 2 or is_effect(match) else whose,
                place,
                span,
                clause,
                sentence,
                item.role,
                _split(clause, span),
            )
        if len(levels) == 2 and levels[0][0] == 2:  # "94 % versus 85 % and 88 %"
            whose = "baseline"


def _significances(sentence: Span) -> Iterator[Result]:
    """Yield the p-values of a sentence: each is the paper's own effect."""
    for match in SIGNIFICANCE.finditer(sentence.text):
        bound = next(word for word, sign in _SYMBOLS.items() if sign == match["sign"])
        clause = _clause(sentence.text, match, sentence.start)
        span = _span(match, sentence.start)
        yield Result(
            match["value"], bound, "p", "", "effect", "own", "", span, clause, sentence, "result"
        )


def _gains_in_points(results: Sequence[Result]) -> Iterator[Result]:
    """Yield the results of a sentence, gains that it shows to be points as absolute ones.

    Of "from 11 % to 34 %, up by 23 %" the 23 are points; of "3 % absolute on A, and 8 % on B" the 8
    are absolute, too.
    """
    levels = [_number(each.value) for each in results if (each.kind, each.unit) == ("level", "%")]
    steps = {round(abs(one - other), 6) for one, other in combinations(levels, 2)}
    carries = False
    for each in results:
        is_gain = each.unit == "%" and each.kind == "relative gain"
        if is_gain and round(_number(each.value), 6) in steps:
            each = replace(each, kind="absolute gain", unit="points")
        elif is_gain and carries:
            each = replace(each, kind="absolute gain")
        said = _ABSOLUTE.search(each.sentence.text) and not _RELATIVE.search(each.sentence.text)
        carries = bool(said) and (each.kind, each.unit) == ("absolute gain", "%")
        yield each


def _number(value: str) -> float:
    """Return the number of a value, or NaN, which equals none."""
    try:
        return float(value.replace("·", ".").strip(" %"))
    except ValueError:
        return math.nan


def _levels(match: re.Match[str], text: str) -> Iterator[tuple[int, str]]:
    """Yield a value with 0; of "from 3 to 5" and "5 vs 3" the 3 with 1, the 5 with 2."""
    sign = (match.groupdict().get("sign") or "").strip()
    if is_quantity(match) and sign:
        yield 0, f"{sign}{match['value']}"
        return
    beside = _VERSUS.split(match["value"])
    if len(beside) == 2:
        is_beaten = _BEATS.search(text[: match.start()]) and _number(beside[0]) < _number(beside[1])
        yield from zip((1, 2) if is_beaten else (2, 1), beside, strict=True)
        return
    parts = _SHIFT.split(match["value"])
    is_shift = "→" in match["value"] or STARTS_FROM.search(text[: match.start("value")])
    if len(parts) == 2 and is_shift:
        yield from enumerate(parts, 1)
    else:
        yield 0, match["value"]


def _kind(match: re.Match[str], text: str, direction: Direction) -> Kind:
    """Return what a number measures; a gain is absolute only where the text prints it so."""
    unit = unit_of(match)
    is_cost = _COST_BEFORE.search(text[: match.start()])
    if is_effect(match):
        return "effect"
    if is_duration(match):
        return "cost"
    if is_quantity(match):
        return "level"
    if _ERROR.search(unit):
        return "error"
    if unit == "×":
        return "relative gain"
    if direction and is_cost and match.group().startswith("from"):
        return "cost"
    if direction:
        signed = bool((match.groupdict().get("sign") or "").strip())
        before = re.split(r"[,;]", text[max(0, match.start() - 40) : match.start()])[-1]
        around = before + re.split(r"[,;]", text[match.start() : match.end() + 16])[0]
        is_relative = _RELATIVE.search(around) or (unit == "%" and _BESIDE_POINTS.search(before))
        says_so = _ABSOLUTE.search(around) or signed
        is_absolute = unit == "points" or (says_so and not is_relative)
        return "absolute gain" if is_absolute else "relative gain"
    if _OF_THE_COST.match(text, match.end()) or is_cost:
        return "cost"
    is_gap = unit in ("%", "points") and _GAP_BEFORE.search(text[: match.start()])
    return "error" if is_gap else "level"


def _clause(text: str, match: re.Match[str], offset: int) -> Span:
    """Return the part of a sentence that holds a number, between its larger breaks."""
    start, end = 0, len(text)
    for edge in _BREAK.finditer(text):
        if edge.end() <= match.start():
            start = edge.end()
        elif edge.start() >= match.end():
            end = edge.start()
            break
    return Span(offset + start, offset + end, text[start:end])


def _split(clause: Span, number: Span) -> str:
    """Return the split that a clause names behind a number, else last before it, or ""."""
    at = number.start - clause.start
    found = [*_SPLIT.finditer(clause.text)]
    behind = next((match for match in found if match.start() >= at), None)
    named = behind or next(iter(found[::-1]), None)
    return named.group() if named else ""


def _bound(text: str, match: re.Match[str]) -> str:
    """Return in one word how a text bounds a number: `below` of "less than 30 %"."""
    ends = (match.start(), match.start("value"))
    found = next(filter(None, (_BOUND.search(text[max(0, end - 30) : end]) for end in ends)), None)
    return (found.lastgroup or "").replace("_", " ") if found else ""


def _printed(value: str) -> str:
    """Return a value without units inside (`5 % – 9`) and without blanks that a page left."""
    return re.sub(
        r"(?<=\d)\.\s(?=\d)", ".", re.sub(r"\s+", " ", re.sub(r"\s?\\?%", "", value))
    ).strip()


def _span(match: re.Match[str], offset: int) -> Span:
    """Return where a number stands, with its sign, and its unit where that is behind it."""
    start = match.start("value")
    if (match.groupdict().get("unit") or "") and match.start("unit") > start:
        start = match.start()
        return Span(offset + start, offset + match.end(), match.group())
    return Span(offset + start, offset + match.end("value"), match["value"])
