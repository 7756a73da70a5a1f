"""Words for a result that pages and data print alike: its kind, and what it is measured by."""

from __future__ import annotations

import re

from classifier.survey.side_by_side import what_is_saved
from classifier.text.results import Result

GAIN_UNCLEAR = "gain unclear"
_RELATIVE = re.compile(r"\brelative(?:ly)?\b(?! to\b)")
_TRIES = r"pass(?:[@^]\w+|[⁰¹²³⁴⁵⁶⁷⁸⁹ᵏ]+)"
_METRICS = (
    _TRIES,
    r"accurac(?:y|ies)|F1|exact[- ]match|recall|precision|nDCG|BLEU"
    r"|(?:success|completion|pass|resolved?|solve|win)[- ]rates?",
)
"""Names of measures, those first that say more of a number."""


def kind_of(result: Result) -> str:
    """Return the kind; of a gain in per cent that may be relative or in points `gain unclear`."""
    is_clear = result.unit == "×" or what_is_saved(result) or _RELATIVE.search(result.clause.text)
    return result.kind if result.kind != "relative gain" or is_clear else GAIN_UNCLEAR


def metric_of(result: Result) -> str:
    """Return by what a level is measured, or "".

    It stands behind the number or alone in its clause; how many tries are counted, before it.
    """
    if result.kind != "level":
        return ""
    before, _, after = result.marked
    for measure in _METRICS:
        behind = re.match(rf"\W*(?:{measure})(?!\w)", after, re.IGNORECASE)
        around = before if measure == _TRIES else result.clause.text
        text = behind.group() if behind else f"{result.unit} {around}"
        named = re.finditer(rf"\b(?:{measure})(?!\w)", text, re.IGNORECASE)
        if len(found := {match.group().lower() for match in named}) == 1:
            return found.pop().replace("ies", "y").replace("-", " ").removesuffix("s")
    return ""
