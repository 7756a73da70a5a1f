"""Read the words around a result: what the paper saves, and the result's kind and measure."""

from __future__ import annotations

import re

from classifier.text.directions import IN_STEPS
from classifier.text.result import Result
from classifier.text.results import AFTER_POINTS

_SPEED = "speed or efficiency"
SPENT = {
    "cost-of-pass": r"cost-of-pass",
    "cost": r"\bcost(?!-of-)|\bprice|cheaper",
    "tokens": r"\btokens?\b",
    "time": r"\btime\b|latency|runtime|\bhours\b",
    "computation": r"\bcomput",
    "steps and calls": r"\bsteps\b|\bcalls\b|\bqueries\b|\buse tools\b",
    _SPEED: r"speed(?:s|ing)?[- ]?ups?|faster|throughput|efficien",
}
"""Resource that is saved -> pattern of its words."""
_OF = rf"(?P<word>{'|'.join(SPENT.values())})"
_LESS = re.compile(rf"\s?(?:(?!and\b)[\w'’-]+\s){{0,4}}?{_OF}", re.IGNORECASE)
"""“50 % less wall-clock training time”."""
_WORD_OF = re.compile(
    rf"{_OF}(?=(?:(?!\band\b)[^\d,;])*(?:\d[\d.]*\s?[x×%][^\d,;]*\band\s(?:by\s)?)?$)",
    re.IGNORECASE,
)
"""“lowers latency by 50 %”, “speedups of 2x for runs and 3x for tasks”."""
_RELATIVE = re.compile(r"\brelative(?:ly)?\b(?! to\b)")
_SHARE = re.compile(
    r"\s?%?\sof (?:the )?(?P<of>[\w.'’-]+(?: [\w.'’-]+){0,3}? (?:performance|accuracy)|accuracy)\b"
)
"""“95 % of accuracy” is a share that is kept, not an accuracy of 95 %."""
# "Cuts unsafe outputs on CrumbBench from 81 % to 4 %".
_LOWERED = re.compile(
    r"\b(?:cuts?|cutting|reduc(?:e|es|ed|ing)|lower(?:s|ed|ing)?|decreas(?:e|es|ed|ing))\s"
    r"(?:the\s|its\s|their\s)?(?P<what>(?:(?!on\b|in\b|for\b|of\b|by\b|from\b)[a-z-]+\s?){1,4}?)\s?"
    r"(?:(?:on|in|for|of)\s[^,;%]{1,40}\s)?from\s(?:[\d.]+\s?%?\sto\s)?(?:about\s|only\s|just\s)?$"
)
_AGREES = re.compile(r"\bagree(?:s|d|ment)?\b(?![^,;]*[,;])")
_TRIES = r"pass(?:[@^]\w+|[⁰¹²³⁴⁵⁶⁷⁸⁹ᵏ]+)"
_METRICS = (
    _TRIES,
    r"accurac(?:y|ies)|F1|exact[- ]match|recall|precision|nDCG|BLEU"
    r"|(?:success|completion|pass|resolved?|solve|win)[- ]rates?|completion(?![- ]rate)",
)
"""Names of measures, the most specific first."""


def saved_resource(result: Result) -> str:
    """Return the resource that a result of the paper saves, or ""."""
    if result.whose != "own" or result.kind not in ("cost", "relative gain", "absolute gain"):
        return ""
    if result.unit_kind == "money":
        return "cost"
    before, _, after = result.split_clause
    if IN_STEPS.match(after):
        return "steps and calls"
    match = _LESS.match(after) or next(reversed(list(_WORD_OF.finditer(before[-90:]))), None)
    words = match.group("word").lower() if match else result.unit
    spent = next((spent for spent, form in SPENT.items() if re.search(form, words)), "")
    falls = result.direction != "down" if spent == _SPEED else result.direction == "down"
    return spent if falls or result.kind == "cost" else ""


def kind_of(result: Result) -> str:
    """Return the kind of a result.

    `gain unclear` is a gain in per cent that may be relative or in points.
    """
    if result.kind == "level" and result.unit == "%" and _SHARE.match(result.split_clause[2]):
        return "ratio"
    is_clear = (
        result.unit == "×"
        or re.match(r"\d{3}", result.value)  # a share cannot rise by 100 points or more
        or saved_resource(result)
        or _RELATIVE.search(result.clause.text)
        or AFTER_POINTS.search(result.split_clause[0])
    )
    return result.kind if result.kind != "relative gain" or is_clear else "gain unclear"


def metric_of(result: Result) -> str:
    """Return the measure of a level, or "".

    The measure follows the number, or is the only measure in the clause; pass@k may precede the
    number.
    """
    if result.kind != "level":
        return ""
    before, _, after = result.split_clause
    if share := _SHARE.match(after):
        return f"share of {share['of']}"
    if lowered := _LOWERED.search(before):
        return f"{lowered['what'].strip()}, lower is better"
    if _AGREES.search(before[-60:]):
        return "agreement"
    for measure in _METRICS:
        following = re.match(rf"\W*(?:{measure})(?!\w)", after, re.IGNORECASE)
        around = before if measure == _TRIES else result.clause.text
        text = following.group() if following else f"{result.unit} {around}"
        matches = re.finditer(rf"\b(?:{measure})(?!\w)", text, re.IGNORECASE)
        if len(found := {match.group().lower() for match in matches}) == 1:
            return found.pop().replace("ies", "y").replace("-", " ").removesuffix("s")
    return ""


_MEASURE = re.compile(
    r"\b(?:succe|accura|scor|F1|pass|correct|precision|recall|win|solv|resolv|complet"
    r"|of (?:\w+ )?performance)",
    re.IGNORECASE,
)


def has_measure(result: Result) -> bool:
    """Return whether the clause names a measure.

    Without it, "over 90 %" (of sessions) would look like a score.
    """
    is_level = result.kind == "level" and result.unit == "%" and not result.benchmark
    return not is_level or _MEASURE.search(result.clause.text) is not None
