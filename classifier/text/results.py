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

from classifier.text.numbers import is_duration, is_effect, is_quantity, numbers_in, unit_of
from classifier.text.roles import RoledSentence
from classifier.text.sentences import Span
from classifier.text.whose import STARTS_FROM, Whose, whose_number

Direction = Literal["up", "down", ""]
Kind = Literal["level", "absolute gain", "relative gain", "effect", "cost", "error"]
_MOST_IN_HEADLINE = 2
# Letters of a sentence; every number in it is held against all the words around.
_LONGEST = 3_000
_MOST_NUMBERS = 40


@dataclass(frozen=True, slots=True)
class Result:
    """One number that states an outcome, and where it stands."""

    value: str
    """As printed, without sign or unit: `12.3`, `0·55`, `4.8-14.2`, `forty`."""
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

    @property
    def short(self) -> str:
        """The result as a table shows it: `+12.3 % on OSWorld`, `OR 1.83`."""
        if self.kind == "effect" and self.unit != "×":
            return f"{self.unit} {self.value}"
        signed = self.unit in ("%", "points")
        sign = {"up": "+", "down": "−", "": ""}[self.direction] if signed else ""
        blank = "" if self.unit == "×" else " "
        place = f" on {self.benchmark}" if self.benchmark else ""
        return f"{sign}{self.value}{blank}{self.unit}".strip() + place

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
    return tuple(
        result
        for item in sentences
        if _may_state(item)
        for result in _gains_in_points([*_results_in(item, benchmarks)])
    )


def headline(results: Sequence[Result]) -> tuple[Result, ...]:
    """Return at most two results of the paper's own: of the first clause that states any.

    A measure of effect goes first, a cost or an error last.
    """
    own = [result for result in results if result.whose == "own"]
    effects = [result for result in own if result.kind == "effect"]
    able = effects or [result for result in own if result.kind not in ("cost", "error")] or own
    first = [result for result in able if result.clause == able[0].clause]
    return tuple({result.short: result for result in first}.values())[:_MOST_IN_HEADLINE]


_CLAUSE_END = re.compile(
    r"[;.:]|,\s(?:and (?![A-Z])|but|while|which|with|whereas|a|an|the|compared|\w+ing)\b"
)
_PLACED = re.compile(r"\b(?:on|in|for|over|across)\s(?P<names>.*)", re.DOTALL)
_PLACED_FROM = re.compile(r"\b(?:on|in) (?P<names>[^,;]{1,40}) from (?:[\w.-]+ ){0,2}$")
_AND_ELSEWHERE = re.compile(r",?\sand (?:on|in)\b")
_LEAD = re.compile(r"(?:On|In) (?P<names>[^,;]{1,60}),(?!\s[A-Z][\w-]*(?:,|\sand\b))")
_ASIDE = re.compile(r"\b(?:steps?|costs?|tokens?|time|latency|runtime|samples|faster|cheaper)\b")
_SEVERAL = re.compile(r"(?:,|\band|&)\s(?:the\s)?[A-Z]")
_MATERIAL_BEHIND = re.compile(
    r"\s*(?:of(?:\s[\w-]+){0,4}?\s(?:data|datasets?|samples?|examples?|tokens?|labels?|annotations?"
    r"|annotation effort|corpus|papers|studies|articles|publications|records|respondents"
    r"|participants|prompts|training set|size"
    r"|parameters|weights|layers|neurons)\b"
    r"|(?:H2|O2|N2|CO2|NaCl|solution|n-\w+|wt|vol)\b"
    r"|(?:[\w-]+\s){0,2}?(?:labell?ed|annotated|training data|larger|bigger|resolution"
    r"|super-resolution|zoom)\b)",
    re.IGNORECASE,
)
_SETTING_BEHIND = re.compile(
    r"\s*(?:sparsity|sparse|confidence|CI\b|noise|contamination|missing|masking|pruning|quantil"
    r"|[\w-]+ budget|significance|threshold|poison|dropout|train|test|holdout|split)\b",
    re.IGNORECASE,
)
_SETTING_BEFORE = re.compile(
    r"(?:\btop[- ]?|\bp\s?[<=>]\s?|\bCI\b\s?[:=,]?\s?[\[(]?"
    r"|\b(?:levels?|ratios?|thresholds?|budgets?"
    r"|(?:learning|sampling|compression|pruning|masking|noise|dropout|missing"
    r"|poisoning|mutation|frame|discount|injection|mixing)[- ]rates?)"
    r" (?:of|at) (?:only |just )?|\bonly with "
    r"|\b(?:with|using|on|given) (?:only |just |as little as |less than "
    r"|merely )*(?:~|about |roughly )?|\bfrom (?:only|just) |@)$",
    re.IGNORECASE,
)
_RISING = (
    r"improv\w*|enhanc\w*|gain\w*|increas\w*|rais\w+|boost\w*|lift\w*|outperform\w*|surpass\w*|beat\w*"
    r"|exceed\w*|speed-?ups?|accelerat\w*|adds?|adding|ris(?:es|ing)|rose|grow\w*|margins?|advantages?|leads?|leading"
)
_FALLING = (
    r"reduc\w*|lowers?|lowering|decreas\w*|cuts?|cutting|drop\w*|declin\w*|sav\w+|shrink\w*"
    r"|degrad\w*|loss|falls?|underperform\w*"
)
_CHANGE_BEHIND = re.compile(
    r"(?:\s?\([^()]{0,60}\))?\s?(?:points?\s)?(?:(?!(?:and|or|but|while|with|that|which|as|compared|for|on|in|of|to|by"
    r"|from|at)\b)[\w-]+\s){0,3}?"
    r"(?!(?:improved|increased|decreased|declined|rose|fell|dropped|gained) (?:on|over|from|in)\b)"
    rf"(?:(?P<up>{_RISING}|higher|ahead|faster|more|better|greater|over|above)"
    rf"|(?P<down>{_FALLING}|lower|fewer|less|smaller|slower|cheaper|shorter|worse|below))\b",
    re.IGNORECASE,
)
_CHANGE_BEFORE = re.compile(
    rf"\b(?:(?P<up>{_RISING})|(?P<down>{_FALLING}))\b(?P<between>[^;]*)$", re.IGNORECASE
)
_FOUND = re.compile(r"\bwe (?:\w+ )?(?:find|found|observed?) ", re.IGNORECASE)
_ABOUT = (
    r"(?:\s?(?:an?|up to|as much as|nearly|over|more than|approximately|about|around|roughly|almost"
    r"|at least|average|mean|absolute|additional|relative|of|another|further|[~≈≥>]))*\s?"
)
_BY = re.compile(rf"^(?:.*\bby{_ABOUT}|\s(?:[\w-]+\s){{0,2}}(?:of{_ABOUT})|{_ABOUT}|\s?\()$")
_AND = re.compile(
    r"^(?:[^,;]*(?:,|\band|\bor)(?:\sand)?(?:\sby)?|(?:,|,?\sand)\s[\w\s-]+\sby)(?=\s)"
    rf"{_ABOUT}$"
)
_PARENTHESIS = re.compile(r"\s?\([^()]{0,60}\)")
_LAST_BY = re.compile(rf"\band\b[^;]*\bby{_ABOUT}$")
_ONLY_AND = re.compile(r"^,?\s(?:(?:and|or)\s)?$")
_TO = re.compile(
    r"\b(?:(?<!up )to|at|is|reaches|reaching|exceed(?:s|ing)|achiev\w+|attain\w+)\s"
    r"(?:only |just |below |under |above |over |nearly |about |around |an? )*[<>≥≤~≈]?$",
    re.IGNORECASE,
)

_ERROR = re.compile(r"\b(?:MAE|RMSE|MSE|WER|CER|ECE|FID|perplexity|loss)\b")
_ABSOLUTE = re.compile(r"\babsolute\b|percentage[- ]points?|\bpp\b")
_BESIDE_POINTS = re.compile(r"(?:points?|\d)\s\($")
_RELATIVE = re.compile(r"\brelative(?:ly)?\b")
_BREAK = re.compile(r";\s(?![^()]*\))|,\s(?=(?:while|whereas|but)\b)")
# Of a physical quantity: "a gap of 2.1 eV", but not "annealed at 350 °C".
_FOUND_TO_BE = re.compile(
    r"(?:\bof|\bis|\bwas|\bwere|\bare|\bto be|\breach\w*|\bfound at|\bobtained|[≈~])\s?"
    r"(?:about |around |only |up to |approximately |ca\. |c\. )*$"
)
_SET_TO = re.compile(
    r"\b(?:at|with|using|under|annealed|heated|above|below|for|from|by)\s(?:(?:an?|the)\s)?"
    r"(?:[\w-]+\s){0,4}(?:of|is|=)\s?$|\brange of\s?$"
)
_VERSUS = re.compile(r"\s?(?:vs\.?|versus)\s?")
_SHIFT = re.compile(r"\s?(?:\([^)]*\)\s)?(?:→|\bto\b)\s?")
# Who or what was looked at, and what others have estimated.
_SAMPLE = re.compile(
    r"\b(?:mean|median|average) age\b|\b(?:most|few|majority of) (?:of the )?(?:studies|articles)\b"
    r"|\b(?:is|are|has been|have been) estimated to\b|\b(?:was|were) included\b"
    r"|\bincluded (?:papers|articles|studies)\b|\bbaseline characteristics\b|^studies\b"
    r"|\b(?:were|was) (?:fe)?males?\b",
    re.IGNORECASE,
)
_WITHIN = re.compile(r"\bwithin (?:an? )?$")
_REPEATED = re.compile(r"\b(?:test|repeat|run|ran|sampl|train|measur)\w*\b[^,;]{0,50}$")
# Shares of a sample, not of an outcome.
_COUNTED = re.compile(
    r"\b(?:used|included|enrolled|recruited|assigned|allocated|received|underwent|women|men|female"
    r"|male)\b[^;]{0,80}\b\d[\d,]*\s(?:[\w-]+\s){0,4}\([^()]*$"
    r"|\(n\s?=\s?\d+[^()]*$"
)


def _may_state(item: RoledSentence) -> bool:
    """Whether a sentence of its role may state an outcome; a list of numbers is no sentence."""
    return item.role in ("result", "contribution", "method") and len(item.span.text) <= _LONGEST


def _results_in(
    item: RoledSentence, benchmarks: Callable[[str], Sequence[str]]
) -> Iterator[Result]:
    sentence, text = item.span, item.span.text
    matches = numbers_in(text)
    if len(matches) > _MOST_NUMBERS:
        return
    directions = _directions(matches, text)
    place, end = "", 0
    whose: Whose = "own"
    ends = [*(match.start() for match in matches[1:]), len(text)][: len(matches)]
    for match, direction, behind in zip(matches, directions, ends, strict=True):
        between = text[end : match.start()]
        place = _place(text, match, between, behind, place, benchmarks)
        whose = whose_number(text, match, between, whose, is_change=bool(direction))
        end = match.end()
        is_expected = item.role == "result" or bool(
            direction or _FOUND.search(text, 0, match.start())
        )
        if not _is_outcome(match, text, is_expected=is_expected, is_compared=bool(direction)):
            continue
        kind = _kind(match, text, direction)
        clause = _clause(text, match, sentence.start)
        span = _span(match, sentence.start)
        for number, value in _levels(match, text):
            yield Result(
                _printed(value),
                unit_of(match),
                "" if number or is_quantity(match) else direction,
                "level" if number and kind.endswith("gain") else kind,
                "baseline" if number == 1 else "own" if number == 2 else whose,
                place,
                span,
                clause,
                sentence,
            )


def _gains_in_points(results: Sequence[Result]) -> Iterator[Result]:
    """Yield the results of a sentence; of "from 11 % to 34 %, up by 23 %" the 23 are points."""
    levels = [_number(each.value) for each in results if (each.kind, each.unit) == ("level", "%")]
    steps = {round(abs(one - other), 6) for one, other in combinations(levels, 2)}
    for each in results:
        is_step = each.unit == "%" and round(_number(each.value), 6) in steps
        is_gain = each.kind == "relative gain" and is_step
        yield replace(each, kind="absolute gain", unit="points") if is_gain else each


def _number(value: str) -> float:
    """Return the number of a value, or NaN, which equals none."""
    try:
        return float(value.replace("·", "."))
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
        yield from zip((2, 1), beside, strict=True)
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
    if direction:
        signed = bool((match.groupdict().get("sign") or "").strip())
        before = re.split(r"[,;]", text[max(0, match.start() - 40) : match.start()])[-1]
        around = before + re.split(r"[,;]", text[match.start() : match.end() + 16])[0]
        is_relative = _RELATIVE.search(around) or (unit == "%" and _BESIDE_POINTS.search(before))
        is_absolute = unit == "points" or _ABSOLUTE.search(around) or (signed and not is_relative)
        return "absolute gain" if is_absolute else "relative gain"
    return "level"


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


def _place(
    text: str,
    match: re.Match[str],
    between: str,
    behind: int,
    earlier: str,
    benchmarks: Callable[[str], Sequence[str]],
) -> str:
    """Return the benchmark of a number: named behind it, else that of the number before it."""
    if _ASIDE.search(text[max(match.start() - 30, 0) : match.end() + 30]):
        return ""
    if placed := _PLACED_FROM.search(between):
        named = benchmarks(placed["names"])
        return named[0] if len(named) == 1 else ""
    clause = _CLAUSE_END.split(text[match.end() : behind], maxsplit=1)[0]
    clause = "" if _AND_ELSEWHERE.match(clause) else clause
    for piece in (clause, between):
        if placed := _PLACED.search(piece):
            named = benchmarks(placed["names"])
            return named[0] if len(named) == 1 and not _SEVERAL.search(placed["names"]) else ""
    lead = _LEAD.match(text)
    if lead and ";" not in text[: match.start()]:
        named = benchmarks(lead["names"])
        return named[0] if len(named) == 1 else ""
    named = benchmarks(text[: match.start()])
    return earlier or (named[0] if len(named) == 1 == len(benchmarks(text)) else "")


def _is_outcome(match: re.Match[str], text: str, *, is_expected: bool, is_compared: bool) -> bool:
    """Whether the words around a number say that it was measured, and not chosen or counted."""
    before, behind = text[: match.start()], text[match.end() :]
    if is_quantity(match):
        return is_expected and bool(_FOUND_TO_BE.search(before) and not _SET_TO.search(before))
    if _COUNTED.search(before) or _WITHIN.search(before) or _SAMPLE.search(text):
        return False
    is_fold = match.group().endswith("fold")
    if not is_compared and (is_fold or (unit_of(match) == "×" and _REPEATED.search(before))):
        return False
    if _MATERIAL_BEHIND.match(behind) or _SETTING_BEHIND.match(behind):
        return False
    if _SETTING_BEFORE.search(before):
        return bool(_CHANGE_BEHIND.match(behind))
    return is_expected


def _directions(matches: Sequence[re.Match[str]], text: str) -> list[Direction]:
    """Return which way each number points; what is said of one holds for a list of them."""
    found: list[Direction] = []
    for index, match in enumerate(matches):
        beside = _PARENTHESIS.match(text, match.end())
        behind = beside.end() if beside else match.end()
        later = (other.start() for other in matches[index + 1 : index + 9])
        end = next((start for start in later if start >= behind), len(text))
        between = text[matches[index - 1].end() if index else 0 : match.start()]
        said = _direction(match, between, end)
        in_list = _AND.match(between) or _LAST_BY.search(between)
        inherits = not said and index and in_list and not _TO.search(between)
        found.append(found[-1] if inherits else said)
    for index in range(len(matches) - 2, -1, -1):
        between = text[matches[index].end() : matches[index + 1].start()]
        if not found[index] and _ONLY_AND.match(between):
            found[index] = found[index + 1]
    return found


def _direction(match: re.Match[str], before: str, end: int) -> Direction:
    """Return which way a number points, by its sign or by the words beside it.

    Args:
        before: the text between the number before it, or the start of the sentence, and itself.
        end: where the next number starts.
    """
    if sign := (match.groupdict().get("sign") or "").strip():
        return "up" if sign == "+" else "down" if sign in "−-–" else ""
    if behind := _CHANGE_BEHIND.match(match.string, match.end(), end):
        return "up" if behind["up"] else "down"
    if "→" in match["value"] or _TO.search(before):
        return ""
    last = _last_change(before)
    if last and _BY.match(last["between"]):
        return "up" if last["up"] else "down"
    return ""


def _last_change(before: str) -> re.Match[str] | None:
    """Return the last word of change in a text, with all that stands behind it."""
    last, start = None, 0
    while found := _CHANGE_BEFORE.search(before, start):
        last, start = found, found.start() + 1
    return last
