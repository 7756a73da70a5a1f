"""A number that states an outcome; `headline` chooses the main results of a paper."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from classifier.text.directions import SAVED_AFTER, Direction
from classifier.text.numbers import UnitKind
from classifier.text.roles import Role
from classifier.text.sentences import Span

Whose = Literal["own", "baseline", "rival", "human", "attack"]
Kind = Literal["level", "absolute gain", "relative gain", "effect", "cost", "error"]
WHOSE: tuple[Whose, ...] = get_args(Whose)
KINDS: tuple[Kind, ...] = get_args(Kind)
_MIN_HEADLINE, _MIN_SECOND_HEADLINE = 0.4, 0.65
"""Minimum of `Result.confidence` for the first and the second headline."""
_MIN_BARE_PROBABILITY, _MIN_BARE_WEIGHT = 0.65, 0.5
"""Minimum probability and weight of a headline without a unit and benchmark."""

_PER = re.compile(r"\sper(?:\s[a-z-]+){1,3}?(?=[^\w\s-]|$|\s(?:\(|(?:and|at|for|in|on|to|with)\b))")
_FROM = re.compile(r"\bfrom (\d+(?:\.\d+)?)\s?%? to $")
_IN_WORDS = {"×": " times", "%": "per cent"}
_SYMBOLS = {"": "=", "below": "<", "up to": "≤", "over": ">", "at least": "≥"}
# "96.7 % of the performance of OWL" is not a score.
_SHARE_OF = re.compile(r"\sof (?:[\w.'’-]+\s){0,4}?(?:performance|accuracy)\b(?:\sof [A-Z][\w-]*)?")
_NOTHING_FOUND = re.compile(
    r"\b(?:no|not|without)\b(?: \w+){0,2} (?:significant|associated|statistically)"
    r"|\bp\s?>\s?0?\.0[5-9]",
    re.IGNORECASE,
)


# "A verifier agrees with people at a rate of 80 %", "80 % agreement": a check of the evaluation.
_AGREES_BEFORE = re.compile(
    r"\bagree(?:s|d|ment)?\b(?!-|\sthat\b|\sto\b)(?:\sbetween\s[^,;]*|(?:(?!\band\b)[^,;])*)$"
)
_AGREES_AFTER = re.compile(r"\s?%?\s(?:[a-z-]+\s){0,2}?agreement\b")
# "ahead on measures such as accuracy (89 %)" is one measure of several.
_EXAMPLE = re.compile(r"\b(?:such as|e\.g\.|for example|for instance)\s[^,;()]{1,40}\s\($")


@dataclass(frozen=True, slots=True)
class Result:
    """A number that states an outcome, with its place in the text."""

    value: str
    """As printed, without sign and unit: `12.3`, `0·55`, `4.8-14.2`, `forty`."""
    bound: str
    """`below`, `up to`, `over`, `at least` or `about` before the value, or ""."""
    unit: str
    """`%`, `×`, `points`, or the unit, measure or counted noun as printed: `hours`, `F1`, `tasks`;
    "" for none."""
    unit_kind: UnitKind
    direction: Direction
    """Rise or fall; "" for a level, or if the text does not say."""
    kind: Kind
    whose: Whose
    probability: float
    """Probability that it states an outcome of `whose`."""
    weight: float
    """Probability that it is a main result of the paper."""
    benchmark: str
    """The benchmark that its clause names, or ""."""
    span: Span
    """The number with its sign and unit, in the text."""
    clause: Span
    """The clause that states it."""
    sentence: Span
    role: Role
    """The role of the sentence."""
    split: str = ""
    """The part of a benchmark that the clause names: `test set`, `dev split`."""
    system: str = ""
    """The measured system, if the clause names it: the paper's own name, or a known model."""

    @property
    def cell_text(self) -> str:
        """The result in the form of a table cell: `+12.3 % on OSWorld`, `below 20 %`, `F1 0.8`."""
        return self.cell_text_with("")

    def cell_text_with(self, measure: str) -> str:
        """Return the result as the text of a table cell, with its measure: `−50 % latency`."""
        if self.unit == "p":
            return f"p {_SYMBOLS.get(self.bound, '=')} {self.value}"
        value = self.value.replace("-", "−", 1) if self.value[0] == "-" else self.value
        if self.unit_kind == "money":
            return f"{self.bound} {self.unit}{value}".strip() + self.denominator
        part = f" ({self.split})" if self.split else ""
        place = f" on {self.benchmark}{part}" if self.benchmark else ""
        if self.unit_kind in ("effect", "measure") and not self.span.text.endswith(self.unit):
            return f"{self.unit} {self.bound} {value}".replace("  ", " ") + place
        if (fell := _FROM.search(self.split_clause[0])) and float(fell[1]) > self.number:
            value = f"{fell[1]} → {value}"
        signed = self.unit in ("%", "points")
        is_speed = re.match(r"\W{0,2}faster\b", self.split_clause[2]) is not None
        sign = {"up": "+", "down": "−", "": ""}[self.direction] if signed and not is_speed else ""
        blank = "" if self.unit == "×" else " "
        unit = _IN_WORDS.get(self.unit, self.unit) if value[0].isalpha() else self.unit
        number = f"{sign}{value}{blank}{unit}".strip()
        if self.unit == "%" and (share := _SHARE_OF.match(self.split_clause[2])):
            number += share.group()
        if self.unit == "×" and self.direction == "down":
            number += " fewer" if measure.endswith("s") else " less"
        if is_speed:
            number += " faster"
        elif measure:
            number += f" {measure}"
        if sign == "−" and self.bound in ("over", "at least"):
            return f"{number} or more{place}"
        return f"{self.bound} {number}".strip() + place

    @property
    def denominator(self) -> str:
        """The denominator of a sum of money: ` per million output tokens`, or ""."""
        per = _PER.match(self.split_clause[2]) if self.unit_kind == "money" else None
        return per.group() if per else ""

    @property
    def is_agreement(self) -> bool:
        """Whether the number says how often a judge agrees, and so is not a score of a system."""
        before, _, after = self.split_clause
        is_after = _AGREES_AFTER.match(after) is not None
        return self.kind == "level" and (
            is_after or _AGREES_BEFORE.search(before[-60:]) is not None
        )

    @property
    def split_clause(self) -> tuple[str, str, str]:
        """The clause split at the number: before the number, the number, after the number."""
        start, end = self.span.start - self.clause.start, self.span.end - self.clause.start
        return self.clause.text[:start], self.clause.text[start:end], self.clause.text[end:]

    @property
    def number(self) -> float:
        """The value as a number, or NaN."""
        try:
            return float(self.value.replace("·", ".").strip(" %"))
        except ValueError:
            return math.nan

    @property
    def confidence(self) -> float:
        """Probability that it is a result, halved for numbers that no reader would choose."""
        return self.probability * (1 + self.weight) / 2


def headline(results: Sequence[Result]) -> tuple[Result, ...]:
    """Return the one or two main results of a paper; () if the model is not sure of any.

    They are the paper's own results; if it has none, success rates of attacks. Negative results,
    p-values and rates of agreement are never headlines.
    """
    own = [each for each in results if each.whose == "own"]
    own = own or [each for each in results if each.whose == "attack"]
    able = [each for each in own if _is_sure(each) and each.unit != "p" and not each.is_agreement]
    able = [each for each in able if not _NOTHING_FOUND.search(each.clause.text)]
    able = [
        each
        for each in able
        if not _EXAMPLE.search(each.split_clause[0]) and not SAVED_AFTER.match(each.split_clause[2])
    ]
    if not able:
        return ()
    first, *others = sorted(able, key=lambda each: -each.weight)
    second = [each for each in others[:1] if each.confidence >= _MIN_SECOND_HEADLINE]
    chosen = [each for each in able if each in (first, *second)]
    return tuple({each.cell_text: each for each in chosen}.values())


def _is_sure(result: Result) -> bool:
    """Return whether a result is certain enough for a headline; a count only as "8 of 11"."""
    if result.confidence < _MIN_HEADLINE:
        return False
    if result.unit_kind == "count":
        return " of " in result.value
    is_sure = result.probability >= _MIN_BARE_PROBABILITY and result.weight >= _MIN_BARE_WEIGHT
    return bool(result.unit or result.benchmark) or is_sure
