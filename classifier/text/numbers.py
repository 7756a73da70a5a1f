"""Find the numbers in a text, with value, sign, and unit or measure.

All numbers that could state something are found; `results` decides which of them are outcomes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

_NUMERAL = (
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+[.·]\d+|\d{1,2}\.\s\d+(?=\s?%)"
    r"|\d+,\d{1,2}(?=\s?%)|\d+|[.·]\d+)"
)
_WORDS = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    "|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
)
_WORD_NUMERAL = (
    rf"(?:(?:{_WORDS})(?:[- ](?:one|{_WORDS}))?(?:(?:\sto|\sor)\s(?:{_WORDS}))?"
    r"|(?:one|two|three)[- ](?:thirds?|half|quarters?|fifths?)|half|twice)"
)
_SPREAD = rf"\s?(?:±|\+/?[-−])\s?{_NUMERAL}"
_DASH = r"\s?%?[×x]?\s?(?:--?|–|—|∼|~)\s?[+\-−]?[$€£]?"
_TO = rf"(?P<to>\s?%?\sto\s{_NUMERAL})"
_OF = rf"(?:\s(?:out )?of (?:the )?|/)(?:\d+|{_WORDS})\b(?!\s?%|\.\d)(?:(?<=\d)|(?<=[a-z]))"
_SIGN = r"(?P<sign>[+]\s?|[\-−–](?=[\d.·]))?"
_NUMBER = re.compile(
    r"(?=[-+−–×x\d.·efhnost])"  # first characters of numbers: halves the time
    rf"(?<![\w.·@^_√\ufffd])(?<!\d[,/])(?<!\w[-–—]){_SIGN}"
    r"(?P<by>(?<!\d)(?<!\d )(?:×|(?-i:x))\s?)?"
    rf"(?P<value>(?!(?:19|20)\d\d\s?(?:to|[-–—])\s){_NUMERAL}"
    rf"(?:{_SPREAD}|{_DASH}{_NUMERAL}|{_TO}|{_OF})?"
    rf"|(?<![\w-]){_WORD_NUMERAL}(?:{_OF})?(?![\w-]))(?!\d)",
    re.IGNORECASE,
)
_MEASURE = (
    r"F-?1(?:[- ]scores?)?|accuracy|AUROC|AUC|mAP|AP|mIoU|IoU|BLEU(?:-\d)?|ROUGE(?:-\w+)?|METEOR"
    r"|FID|PSNR|SSIM|WER|CER|NDCG(?:@\d+)?|MRR|[Pp]ass(?:@|\^)[\dk]+|(?:[Rr]ecall|[Hh]its?|R)@\d+"
    r"|Elo|FPS|MAE|RMSE|MSE|ECE|QWK|MCC|perplexity|success rates?|win rates?|scores?"
    r"|coefficients?|correlations?|sensitivity|specificity|precision|recall|ratios?"
)
_EFFECT = (
    r"(?:odds|hazards?|risk) ratios?|relative risks?|(?:Cohen|Fleiss)['’]s? (?:d|[Kk]appa|κ)|OR|HR"
    r"|RR|ICC|kappa|[rρτκp]|P(?=\s?[=<>≤≥])|[Rr]ho|R[2²]"
)
# "OR (95 % CI) = 1.8", "an F1 score of about 0.9".
_MEASURE_BEFORE = re.compile(
    rf"(?:^|[^\w-])(?:(?P<effect>{_EFFECT})|(?!scores\s$)(?P<measure>{_MEASURE}))"
    r"(?:\svalues?|\sscores?|\srates?)?(?:\s?[\[(][^()\[\]]{0,12}[\])])?\s?"
    r"(?P<is>(?:of|was|were|is|are|to|at|reaches|reaching|above|below|exceeding|between|by"
    r"|(?:(?:rang|ris|fall|increas|decreas)(?:es|ed|ing)\s)?from(?:\s[\d.]+ to)?"
    r"|[=<>≤≥≈∼~:,(])?\s?)(?:about |only |up to |over |around |nearly )?$"
)
_PER_CENT = re.compile(
    r"\s?%(?P<points>[- ]points?\b)?|\s(?:per ?cent|pct)\b|\s?percentage\b(?! points?)"
)
_POINTS = re.compile(
    rf"\s?(?:(?:absolute|percentage|percent|p\.?)[- ])*(?:(?:{_MEASURE})\s)?"
    r"[- ]?(?:points?\b|pp\b|p\.p\.)"
)
_TIMES = re.compile(
    r"\s?×(?!\s?\d)|\s?x(?![\w-]|\s?\d)|[- ]?fold\b|\s?times\b"
    r"(?!\s(?:per|a|an|each|daily|in|during|for)\b)",
    re.IGNORECASE,
)
_MEASURE_AFTER = re.compile(
    rf"\s(?:(?:in|of) )?(?:absolute |top-1 |macro[- ]|average |mean )?(?P<unit>{_MEASURE})\b"
)
_FACTOR = re.compile(r"\bfactors? (?:of|up to|above|over) (?:about |nearly |up to |over )?$")
_SPEED_UP = re.compile(
    r"\b(?:speed-?ups?|throughput (?:gain|improvement)s?) of (?:about |nearly |up to |over )?$"
)
_QUANTITY = re.compile(
    r"\s?(?P<unit>[munµ]?s|[kKMG]i?B|[kMG]?Hz|dB|[kM]?W|k?Wh|(?:milli)?seconds?|minutes?|min"
    r"|hours?|h|days?|weeks?|months?|years?|[km]?m|k?g"
    r"|(?:frames|images|queries|requests|samples|steps|tokens) per second)(?![\w/^])"
)
_MONEY = re.compile(r"(?:^|[\s(–-])(?:US\s?)?[$€£¥]\s?$|\b(?:USD|EUR)\s?$")
_SCALE = re.compile(r"[KMB]\b|bn\b|\s(?:million|billion|trillion)\b")
_NOT_COUNTED = (
    r"and|or|of|in|on|to|with|for|from|by|at|as|than|that|which|who|were|was|is|are|had|have|has|did"
    r"|while|but|over|under|between|among|across|within|during|after|before|when|using|per|vs|not|out"
    r"|having|giving|yielding|underwent|through|published|used|both|all|each|the|a|an|their|its|these"
    r"|those|our|we|it|they|respectively|points"
)
_COUNTED = re.compile(
    rf"\s(?P<unit>(?:(?!(?:{_NOT_COUNTED})\b)[A-Za-z][\w-]{{0,40}}\s){{0,2}}"
    rf"(?!(?:{_NOT_COUNTED})\b)(?:[a-z][\w-]{{0,40}}(?<![su])s|people|women|men|children)\b)"
)
_LIST = re.compile(
    rf"(?:,\s|,?\s(?:and|or)\s|\s?(?:vs\.?|versus)\s)[∼~≈]?{_SIGN}{_NUMERAL}", re.IGNORECASE
)
_INTERVAL = re.compile(
    r"\b(?:CI|CrI|IQR|[Rr]ange|[Cc]onfidence intervals?)\b[\]):=,]*[^()\[\];a-z]{0,25}(?:to\s)?$"
)
_OF_AN_INTERVAL = re.compile(r"\s?%\s?(?:C[Ii]|CrI|[Cc]onfidence|[Cc]redible|[Ii]nterval)")
_FROM = re.compile(
    r"(?<!range )(?<!ranges )(?<!ranging )\bfrom\s(?:[\w.-]{1,40}\s){0,3}(?:about |only |[~≈<>])?$"
)
# "an increase in the rate (3 % to 62 %)"
_GREW = re.compile(
    r"\b(?:increas|improv|grew|rose|rais|reduc|decreas|fell|dropp|declin)\w*[^;()]{0,60}\($"
)
_NEXT = re.compile(r"(?:\s(?:on|for|in)\s[^,;()]{1,30})?,?\s(?:and\s|or\s|vs\.?\s|versus\s)?")
_YEAR = re.compile(r"(?:19|20)\d\d(?:[-–—/](?:19|20)?\d\d)?$")

UnitKind = Literal["%", "points", "×", "effect", "measure", "quantity", "count", "money", ""]


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text, with its unit."""

    start: int
    """Offset of the sign or, without a sign, of the value."""
    end: int
    """Offset after the value, or after the unit if the unit follows the value."""
    value: str
    """As printed, without sign and unit: `12.3`, `0·55`, `4.8-14.2`, `forty`, `20 out of 24`."""
    sign: str
    unit: str
    """`%`, `×`, `points`, or the unit, measure or counted noun as printed."""
    unit_kind: UnitKind


def numbers_in(text: str) -> list[Number]:
    """Return the numbers in a sentence, in text order."""
    return list(_find_numbers(text))


def _find_numbers(text: str) -> Iterator[Number]:
    end = 0
    last: Number | None = None
    since_change = 0  # numbers read since the last "from a to b"
    while match := _NUMBER.search(text, end):
        before, value = text[max(0, match.start() - 100) : match.start()], match["value"]
        is_next = since_change == 2 and _NEXT.fullmatch(text[end : match.start()])
        if match["to"] and (_FROM.search(before[-60:]) or _GREW.search(before) or is_next):
            since_change = 0  # "from a to b" is two numbers: read only a
            match = _NUMBER.match(text[: match.start("to")], match.start()) or match
            value = match["value"]
        end = match.end()
        is_bound = _INTERVAL.search(before[-45:]) and "(" in before[-60:]
        if is_bound or _OF_AN_INTERVAL.match(text, end) or text[end : end + 1] == "\ufffd":
            continue
        unit, kind, unit_end = _find_unit(text, match)
        if kind == "" and _YEAR.match(value):
            continue
        if kind == "money" and (scale := _SCALE.match(text, end)):
            value, unit_end = value + scale.group(), scale.end()
        if kind == "" and last and _shares_unit(text, last, match):
            unit, kind = last.unit, last.unit_kind
        end = max(end, unit_end)
        since_change += 1
        last = Number(match.start(), unit_end, value, (match["sign"] or "").strip(), unit, kind)
        yield last


def _shares_unit(text: str, previous_number: Number, match: re.Match[str]) -> bool:
    """Return whether a number has the unit of the number before: "42.1 on A and 52.8 on B"."""
    return (
        previous_number.unit_kind in ("measure", "effect")
        and "." in previous_number.value
        and "." in match["value"]
        and bool(_NEXT.fullmatch(text[previous_number.end : match.start()]))
    )


def _find_unit(text: str, match: re.Match[str]) -> tuple[str, UnitKind, int]:
    """Return the unit of a number, the unit's kind, and the position after both."""
    end = match.end()
    if points := _POINTS.match(text, end):
        return "points", "points", points.end()
    if share := _PER_CENT.match(text, end):
        return ("points", "points", share.end()) if share["points"] else ("%", "%", share.end())
    times = _TIMES.match(text, end)
    if times or match["by"]:
        return "×", "×", times.end() if times else end
    before = text[max(0, match.start() - 60) : match.start()]
    is_factor = _FACTOR.search(before) and not text.startswith(" to ", end)
    if is_factor or (_SPEED_UP.search(before) and not _QUANTITY.match(text, end)):
        return "×", "×", end
    measured = _MEASURE_BEFORE.search(before)
    if measured and measured["effect"] and (len(measured["effect"]) > 1 or measured["is"].strip()):
        return "p" if measured["effect"] == "P" else measured["effect"], "effect", end
    money = _MONEY.search(before)
    if money and text[end : end + 1] != "$":
        return money.group().strip(" (–-"), "money", end
    if quantity := _QUANTITY.match(text, end):
        return quantity["unit"], "quantity", quantity.end()
    if measured and not measured["effect"]:
        return measured["measure"], "measure", end
    if measure := _MEASURE_AFTER.match(text, end):
        return measure["unit"], "measure", measure.end()
    if listed := _LIST.match(text, end):
        following = _NUMBER.search(text, listed.start() + 1)
        is_level = following and _OF_AN_INTERVAL.match(text, following.end())
        if following and following.start() < listed.end() and not is_level:
            unit, kind, _ = _find_unit(text, following)
            return unit, kind, end
    if counted := _COUNTED.match(text, end):
        return counted["unit"], "count", counted.end()
    return "", "", end
