"""Read the words around a result: what the paper saves, and the result's kind and measure."""

from __future__ import annotations

import re

from classifier.text.directions import IN_STEPS
from classifier.text.result import Kind, Result
from classifier.text.results import AFTER_POINTS

_SPEED = "speed or efficiency"
SPENT = {
    "cost-of-pass": r"cost-of-pass",
    "cost": r"\bcosts?\b(?!-of-)|\bprices?\b|cheaper",
    "tokens": r"(?<!-)(?<!first )\btokens?\b",
    "time": r"(?<!real-)(?<!test-)\btime\b(?!-(?!to))"
    r"|\blatency\b|\bruntimes?\b|\b(?:GPU[- ])?hours\b",
    "computation": r"\bcomput(?:e|ing|ations?|ational(?:ly)?)\b(?!\scosts?\b)|\bFLOPs\b",
    "steps and calls": r"\b(?:steps|calls|queries|use[ds]? tools|tool[- ]us(?:e|age))\b",
    "training data": r"(?<![\w-])(?:annotations|data|demonstrations|examples|samples"
    r"|trajectories)\b(?!-|\s\w+(?:ion|ing|put)\b)",
    "memory and energy": r"(?<![\w-])(?:energy|memory)"
    r"\s(?:consumption|costs?|footprint|usage|use)\b",
    _SPEED: r"speed(?:s|ing)?[- ]?ups?|acceleration|faster|throughput|efficien(?:t|cy)\b",
}
"""Resource that is saved -> pattern of its words."""
_OF = rf"(?P<word>{'|'.join(SPENT.values())})"
_LESS = re.compile(
    r"\s?(?:(?!(?:after|and|as(?! (?:many|much))|at|but|by|for|from|on|or|than|to|via|when|while"
    rf"|with|without)\b)[\w'’-]+\s){{0,4}}?{_OF}",
    re.IGNORECASE,
)
"""“50 % less wall-clock training time”."""
# "reduces errors at equal cost by 5 %" saves no cost, "a reduction in training time of 5 %" does.
_FALL = r"(?:cut|decreas|drop|improv|increas|lower|reduc|sav|short|shrink)\w*"
_ASIDE = re.compile(
    rf"\b(?P<fall>{_FALL}\s)?(?P<link>at|for|in|over|per|under|using|with|without)\s"
    rf"(?:(?!(?:and|by|in|of|while|{_FALL})\b)[\w-]+\s){{0,3}}$",
    re.IGNORECASE,
)
_FALL_OF = re.compile(r"[\s-](?:cut|decrease|improvement|reduction|saving)s?\b")
_MEASURE_NAMES = {
    r"cost-of-pass": "cost-of-pass", r"costs?|prices?|cheaper": "cost",
    r"speed.*|acceleration|faster": "speed", r"efficien.*": "efficiency",
    r"comput.*": "computation", r"use[ds]? tools|tool.*": "tool use", r"gpu.hours": "GPU hours",
    r"tokens?": "tokens",
}  # fmt: skip
"""Pattern of the word for a resource -> name of the measure; other words name it themselves."""
_WORD_OF = re.compile(
    rf"{_OF}(?=(?:(?!\band\b)[^\d,;])*(?:\d[\d.]*\s?[x×%][^\d,;]*\band\s(?:by\s)?)?$)",
    re.IGNORECASE,
)
"""“lowers latency by 50 %”, “speedups of 2x for runs and 3x for tasks”."""
_GAIN_TYPES: dict[Kind, str] = {
    "absolute gain": r"(?:absolute|percentage[- ]points?)\b(?!\s(?:deviation|error|value)s?)",
    "relative gain": r"relative(?:ly)?\b(?!\sto\b)",
}
"""Type of a gain -> pattern of the words that say so."""
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
    words = _resource(result)
    spent = next((spent for spent, form in SPENT.items() if re.search(form, words)), "")
    falls = result.direction != "down" if spent == _SPEED else result.direction == "down"
    return spent if falls or result.kind == "cost" else ""


def _resource(result: Result) -> str:
    """Return the word for what a gain or a cost is measured in, or the unit."""
    before, _, after = result.split_clause
    if IN_STEPS.match(after):
        return "steps"
    before = before[-90:]
    words = [
        each
        for each in _WORD_OF.finditer(before)
        if result.kind == "cost" or not _is_aside(before, each.start(), each.end())
    ]
    match = _LESS.match(after) or next(reversed(words), None)
    return match.group("word").lower() if match else result.unit


def _is_aside(text: str, start: int, end: int) -> bool:
    """Return whether a word for a resource belongs to an aside: "at equal cost"."""
    aside = _ASIDE.search(text, 0, start)
    is_changed = aside is not None and aside["fall"] and aside["link"].lower() == "in"
    return aside is not None and not is_changed and not _FALL_OF.match(text, end)


def result_kind(result: Result) -> str:
    """Return the kind of a result.

    `saving` is a fall of a cost. `gain unclear` is a gain in per cent of which the text does not
    say whether it is relative or in points.
    """
    if result.direction == "down" and result.kind != "cost" and saved_resource(result):
        return "saving"
    if result.kind == "level" and result.unit == "%" and _SHARE.match(result.split_clause[2]):
        return "ratio"
    if result.kind not in ("absolute gain", "relative gain") or result.unit == "×":
        return result.kind
    if saved_resource(result) or AFTER_POINTS.search(result.split_clause[0]):
        return "relative gain"
    if result.unit != "%":
        return result.kind if result.kind == "absolute gain" else "gain unclear"
    # A share cannot rise by 100 points or more.
    return "relative gain" if re.match(r"\d{3}", result.value) else _gain_type(result)


def _gain_type(result: Result) -> str:
    """Return the type of a gain if the words around the number say exactly one."""
    before, _, after = result.split_clause
    types = [
        kind
        for kind, word in _GAIN_TYPES.items()
        # "absolute gains of 3 % on A and 5 % on B"; in "3 % absolute on A and 5 % on B" only the 3.
        if re.search(
            rf"(?<![%\d]\s)\b{word}(?:\s$|(?!\s[+\-−]?\d)(?:(?!%.*\bby\b).)*$)", before[-80:]
        )
        or re.match(rf"(?:(?!\b(?:and|but|or)\b)[^,;%])*?\b{word}(?!\s[+\-−]?\d)", after)
        or re.search(rf"\b(?:all|both)\s(?:in\s)?{word}", result.clause.text)
    ]
    return types[0] if len(types) == 1 else "gain unclear"


def stated_text(result: Result) -> str:
    """Return a result as the text of a table cell that cannot be taken for a score."""
    is_named = result.kind.endswith("gain") and result.unit in ("%", "×")
    return result.cell_text_with(result_measure(result) if is_named else "")


def unit_of(result: Result) -> str:
    """Return the unit with its denominator: `$ per task`; "" for a measure such as pass@1."""
    return "" if result.unit_kind == "measure" else result.unit + result.denominator


def result_measure(result: Result) -> str:
    """Return the measure of a level, the resource of a saving or speed-up, or "".

    The measure follows the number, or is the only measure in the clause; pass@k may precede the
    number.
    """
    if result.kind.endswith("gain") and saved_resource(result):
        word = _resource(result)
        names = (name for form, name in _MEASURE_NAMES.items() if re.fullmatch(form, word))
        return next(names, word)
    if result.unit_kind == "measure":
        return _measure_name(result.unit)
    if result.kind != "level":
        return ""
    before, _, after = result.split_clause
    if share := _SHARE.match(after):
        return f"share of {share['of']}"
    if lowered := _LOWERED.search(before):
        return f"{lowered['what'].strip()}, lower is better"
    if result.is_agreement:
        return "agreement"
    for measure in _METRICS:
        following = re.match(rf"\W*(?:{measure})(?!\w)", after, re.IGNORECASE)
        around = before if measure == _TRIES else result.clause.text
        text = following.group() if following else f"{result.unit} {around}"
        matches = re.finditer(rf"\b(?:{measure})(?!\w)", text, re.IGNORECASE)
        if len(found := {match.group().lower(): match.group() for match in matches}) == 1:
            return _measure_name(*found.values())
    return ""


def _measure_name(printed: str) -> str:
    """Return the name of a measure: `success rate` for "Success rates", F1 as printed."""
    if not printed.lower().startswith("pass") and re.search(r"[A-Z]\w*[A-Z\d]", printed):
        return printed
    return printed.lower().replace("ies", "y").replace("-", " ").removesuffix("s")


_MEASURE = re.compile(
    r"\b(?:succe|accura|scor|F1|pass|correct|precision|recall|win|solv|resolv|complet"
    r"|of (?:\w+ )?performance)",
    re.IGNORECASE,
)


def has_measure(result: Result) -> bool:
    """Return whether a clause names a measure; else "over 90 %" would look like a score."""
    is_level = result.kind == "level" and result.unit == "%" and not result.benchmark
    return not is_level or _MEASURE.search(result.clause.text) is not None
