"""A result: a number that states an outcome, and which of several are what a paper found."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from classifier.text.directions import Direction
from classifier.text.numbers import UnitKind
from classifier.text.roles import Role
from classifier.text.sentences import Span

Whose = Literal["own", "baseline", "rival", "human", "attack"]
Kind = Literal["level", "absolute gain", "relative gain", "effect", "cost", "error"]
WHOSE: tuple[Whose, ...] = get_args(Whose)
KINDS: tuple[Kind, ...] = get_args(Kind)
SURE_OF_HEADLINE = 0.65
"""How likely a bare number has to be a result that it may be a headline, or any by its form is."""
_LEAST_WORTH, _LEAST_WORTH_OF_SECOND = 0.4, 0.65
_LIKELY = 0.5

_PER = re.compile(r"\sper(?:\s[a-z-]+){1,3}?(?=[^\w\s-]|$|\s(?:\(|(?:and|at|for|in|on|to|with)\b))")
_FROM = re.compile(r"\bfrom (\d+(?:\.\d+)?)\s?%? to $")
_IN_WORDS = {"×": " times", "%": "per cent"}
_SYMBOLS = {"": "=", "below": "<", "up to": "≤", "over": ">", "at least": "≥"}
# "96.7 % of the performance of OWL" is no score.
_OF_ANOTHERS = re.compile(
    r"\sof (?:[\w.'’-]+\s){0,4}?(?:performance|accuracy)\b(?:\sof [A-Z][\w-]*)?"
)
_NOTHING_FOUND = re.compile(
    r"\b(?:no|not|without)\b(?: \w+){0,2} (?:significant|associated|statistically)"
    r"|\bp\s?>\s?0?\.0[5-9]",
    re.IGNORECASE,
)


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
        if (fell := _FROM.search(self.marked[0])) and float(fell[1]) > self.number:
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

    @property
    def number(self) -> float:
        """The value as a number, or NaN, which equals none."""
        try:
            return float(self.value.replace("·", ".").strip(" %"))
        except ValueError:
            return math.nan


def headline(results: Sequence[Result]) -> tuple[Result, ...]:
    """Return the one or two numbers that a reader would take for what the paper found.

    Its own, with a unit or measure; how often an attack succeeds where it has none.
    p-values only where a text has nothing else; "two patients", "three clusters" only as so many of
    all.
    """
    own = [each for each in results if each.whose == "own"]
    own = own or [each for each in results if each.whose == "attack"]
    telling = [each for each in own if _is_telling(each)]
    able = [each for each in telling if _worth(each) >= _LEAST_WORTH]
    if able and all(each.unit == "p" for each in able):
        able = [each for each in telling if each.unit != "p" and each.weight >= _LIKELY] or [
            each for each in able if each.bound != "over" and not each.number > 0.05
        ]
    able = [each for each in able if each.unit != "p"] or able
    able = [each for each in able if not _NOTHING_FOUND.search(each.clause.text)] or able
    if not able:
        return ()
    first, *others = sorted(able, key=lambda each: -each.weight)
    second = [each for each in others[:1] if _worth(each) >= _LEAST_WORTH_OF_SECOND]
    shown = [each for each in able if each in (first, *second)]
    return tuple({each.short: each for each in shown}.values())


def _worth(result: Result) -> float:
    """Return how sure it is that a number is a headline: it is a result, and a reader's choice."""
    return result.probability * (1 + result.weight) / 2


def _is_telling(result: Result) -> bool:
    """Whether a number says something by itself, or without a unit is surely what a paper found."""
    if result.unit_kind == "count":
        return " of " in result.value
    is_sure = result.probability >= SURE_OF_HEADLINE and result.weight >= _LIKELY
    return bool(result.unit or result.benchmark) or is_sure
