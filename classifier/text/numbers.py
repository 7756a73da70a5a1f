"""Numbers as texts of any field print them: value, sign, unit or measure.

A decimal point may be raised (`0·55`), a comma stand before the unit (`12,5 %`), thousands be set
apart by a thin space, a spread or a range belong to the value. What a number says is for
`results`: here every number is found that could say something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

_POWER = r"(?:\d+(?:\.\d+)?\s?[×x·]\s?)?10(?:\^[({]?[-−–]?\d+[)}]?|\([-−–]?\d+\)|[⁻⁺]?[⁰¹²³⁴-⁹]+)"
# "3.2 × 103 Ω" is a power, too: its exponent was raised until somebody copied it.
_FALLEN_POWER = r"(?:\d+(?:\.\d+)?\s?[×∙]\s?10[-−–]?\d{1,2}|\d+\.\d+\s10[-−–]\d{1,2})"
_NUMERAL = (
    rf"(?:{_POWER}|{_FALLEN_POWER}"
    r"|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[\u2009\u202f\xa0]\d{3})+(?:\.\d+)?"
    r"|\d{1,3}(?: \d{3})+(?=\s[a-zA-Z])|\d+[.·∙⋅]\d+(?:\(\d+\))?|\d{1,2}\.\s\d+(?=\s?%)"
    r"|\d+,\d{1,2}(?=\s?\\?%|\s?±)|(?<=±\s)\d+,\d{1,2}|(?<!\d,)\d{1,3},\d\d(?!\d)|\d+|[.·∙⋅]\d+)"
)
_WORDS = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    "|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
)
_WORD_NUMERAL = (
    rf"(?:(?:{_WORDS})(?:[- ](?:one|{_WORDS}))?(?:(?:\sto|\sor|-to-)\s?(?:{_WORDS}))?"
    r"|(?:one|two|three)[- ](?:thirds?|half|quarters?|fifths?)|half|twice)"
)
_SPREAD = (
    rf"(?:\s?(?:±|\+/?[-−])\s?{_NUMERAL}"
    r"|\s\((?:±\s?[\d.]+|\d\d?)\)(?=\s?(?:[kmcnµμ]?(?:eV|m)\b|[Å°])))"
)
_DASH = r"\s?\\?%?[×x]?\s?(?:--?|–|—|∼|~|\\sim)\s?[+\-−]?[$€£]?"
_TO = rf"(?P<to>\s?\\?%?\sto\s{_NUMERAL})"
_OF = rf"(?:\s(?:out )?of (?:the )?|/)(?:\d+|{_WORDS})\b(?!\s?%|\.\d)(?:(?<=\d)|(?<=[a-z]))"
# "between 62 % and 72 %", but "a difference between 62 % and 72 %".
_AND = (
    rf"(?(between)\s?\\?%?-?\sand\s(?:about\s)?(?:{_NUMERAL}(?=\s?(?:\\?%|per ?cent|pct|-?fold))"
    r"|\d*\.\d+)|(?!))"
)
_BETWEEN = (
    r"(?P<between>(?:(?<=[Bb]etween )|(?<=[Bb]etween about ))(?<!erence between )"
    r"(?<!erences between ))?"
)
_SIGN = r"(?P<sign>[+]\s?|[\-−–](?=[\d.·]))?"
_NUMBER = re.compile(
    r"(?=[-+−–\\×x\d.·∙⋅efhnost])"  # signs, digits, and what words begin with: saves half the time
    rf"(?<![\w.·∙⋅@^_√\ufffd])(?<!\d[,/])(?<!\w[-–—]){_SIGN}"
    rf"(?P<by>(?<!\d)(?<!\d )(?:\\times|×|(?-i:x))\s?)?"
    rf"{_BETWEEN}(?P<value>(?!(?:19|20)\d\d\s?(?:to|[-–—])\s){_NUMERAL}"
    rf"(?:(?:{_SPREAD})+|{_DASH}{_NUMERAL}|{_TO}|{_OF}|{_AND})?"
    rf"|(?<![\w-]){_WORD_NUMERAL}(?:{_OF})?(?![\w-]))(?!\d)",
    re.IGNORECASE,
)
_MEASURE = (
    r"F-?1(?:[- ]scores?)?|accuracy|AUROC|AUC|mAP|AP|mIoU|IoU|BLEU(?:-\d)?|ROUGE(?:-\w+)?"
    r"|METEOR|FID|PSNR|SSIM|WER|CER|NDCG(?:@\d+)?|MRR|[Pp]ass(?:@|\^)[\dk]+|(?:[Rr]ecall|[Hh]its?|R)@\d+|Elo"
    r"|FPS|MAE|RMSE|MSE|ECE|QWK|MCC|perplexity|success rates?|win rates?|F-measure|Jaccard"
    r"|Sharpe ratios?|Dice(?: scores?| coefficients?)?|C-index|c-statistic|scores?|coefficients?"
    r"|correlations?|sensitivity|specificity|precision|recall|ratios?"
    r"|area under the (?:ROC |receiver operating characteristic )?curve"
)
_EFFECT = (
    r"a?OR|AOR|a?HR|AHR|a?R?RR|a?IRR|a?PR|SMD|WMD|MD|(?:odds|hazards?|risk|rate|prevalence) ratios?"
    r"|relative risks?|(?:standardi[sz]ed |weighted )?mean differences?|(?:Cohen|Fleiss)['’]s? "
    r"(?:d|[Kk]appa|κ)|Hedges['’]s? g|Cronbach['’]s (?:alpha|α)|ICC|intra-?class correlation "
    r"coefficients?|kappa|rₛ|r_s|[rρτβακdgp]|P(?=\s?[=<>≤≥])|[Bb]etas?|[Rr]ho"
    r"|[RI][2²]|ηp?[2²]|Pearson['’]s \$?r"
)
# "OR (95 % CI) = 1.8", "an F1 score of about 0.9", "$\rho = 0.4".
_NAMED_BEFORE = re.compile(
    rf"(?:^|[^\w-])(?:(?P<effect>{_EFFECT})|(?!scores\s$)(?P<measure>{_MEASURE}))"
    r"(?:\svalues?|\sscores?|\srates?)?(?:\s?[\[(][^()\[\]]{0,12}[\])])?\s?"
    r"(?P<is>(?:of|was|were|is|are|to|at|reaches|reaching|above|below|exceeding|between|by"
    r"|(?:(?:rang|ris|fall|increas|decreas)(?:es|ed|ing)\s)?from(?:\s[\d.]+ to)?"
    r"|[=<>≤≥≈∼~:,(])?\s?)(?:about |only |up to |over |around |nearly )?$"
)
_PER_CENT = re.compile(
    r"\s?\\?,?\\?%(?P<points>[- ]points?\b)?|\s(?:per ?cent|pct)\b|\s?percentage\b(?! points?)"
)
_POINTS = re.compile(
    rf"\s?(?:(?:absolute|percentage|percent|p\.?)[- ])*(?:(?:{_MEASURE})\s)?"
    r"[- ]?(?:points?\b|pp\b|p\.p\.)"
)
_TIMES = re.compile(
    r"\s?(?:×|\\times)(?!\s?\d)|\s?x(?![\w-]|\s?\d)|[- ]?fold\b|\s?times\b"
    r"(?!\s(?:per|a|an|each|daily|in|during|for)\b)",
    re.IGNORECASE,
)
_VALUED_BEHIND = re.compile(
    rf"\s(?:(?:in|of) )?(?:absolute |top-1 |macro[- ]|average |mean )?(?P<unit>{_MEASURE})\b"
)
_FACTOR = re.compile(
    r"(?<!fill )\bfactors? (?:of|up to|above|over) (?:about |nearly |up to |over )?$"
)
_EXPONENT = r"(?:\^?[({]?[-−–—+]?[1-9][)}]?|⁻?[¹²³])"
_BASE = (
    r"[kMGTPmµμnpcdf]?(?:g|m|s|A|V|W|J|N|Pa|C|T|Hz|mol|[Ll]|eV|ev|atm|Torr|Oe|rad|pc|bar|Wh|cal|[ΩΩ]|M"
    r"|B|bps|iB)|tonnes?|years?|yr|days?|h|ha|min|cells|erg|deg|arcsec|sec|atom|tokens?|frames|images"
    r"|samples|queries|IU|U|Å"
)
_COMPOUND = (
    rf"(?:{_BASE})(?:{_EXPONENT})?(?:\s?[/·]\s?(?:{_BASE}){_EXPONENT}?(?: [sK](?!\w))?"
    rf"|[ ·](?:{_BASE}){_EXPONENT})+"
    rf"|(?:{_BASE}){_EXPONENT}"
)
_UNIT = (
    r"[mkMGTPµμ]?e[Vv](?:/c[2²]?|/atom)?|[mkMG]?(?:Pa|J|Wh|Hz|pc)|[mk]?bar|[µμ]B|°\s?C?|℃"
    r"|degrees(?: C)?|[pnµμcmk]m|Å|[mkM]?[ΩΩ]|mmHg|[munµμk]?[VAWTKFg]|HV|k?cal(?:/mole?)?|mol"
    r"|(?:mu|[mµμn])?M|€|m[Ll]|ppm|ppb|dB|Myr|Gyr|kpc|t"
    r"|[kMGTP]t(?:\sCO2)?|Tg|Pg|km[2²]|[pnfµμ]s|σ|L_?sun|M_?sun|M☉|Torr|Oe|µrad|microrad|ha|hectares"
    r"|tonnes|tons|kg|magnitudes?|sigma|(?:solar|Earth|Jupiter) masses|esu|kbps|[KMG]i?B"
    r"|(?:milli)?seconds?|minutes?|min|hours?|hrs?|h|days?|weeks?|months?|years?|yrs?|ms|s"
)
_QUANTITY = re.compile(
    rf"\s?(?P<unit>{_COMPOUND}|{_UNIT}"
    r"|(?:frames|images|queries|requests|samples|steps|tokens) per second"
    r"|per (?:1,?000|10,?000|100,?000|million)(?:[ -](?:person[- ]?years|[a-z]+))?)(?![\w/^])"
)
_MONEY = re.compile(r"(?:^|[\s(–-])(?:US\s?|AUD?\s?)?[$€£¥]\s?$|\b(?:USD|EUR|AUD)\s?$")
_SCALE = re.compile(r"[KMB]\b|bn\b|\s(?:million|billion|trillion)\b")
# "Of five patients, three were cured": who was asked.
_ASKED = re.compile(r"(?:^|[;:.]\s)Of (?:the |all )?$")
_NOT_COUNTED = (
    r"and|or|of|in|on|to|with|for|from|by|at|as|than|that|which|who|were|was|is|are|had|have|has|did"
    r"|while|but|over|under|between|among|across|within|during|after|before|when|using|per|vs|not|out"
    r"|having|giving|yielding|underwent|through|published|used|both|all|each|the|a|an|their|its|these"
    r"|those|our|we|it|they|respectively|points"
)
_COUNTED = re.compile(
    rf"\s(?P<unit>(?:(?!(?:{_NOT_COUNTED})\b)[A-Za-z][\w-]*\s){{0,2}}"
    rf"(?!(?:{_NOT_COUNTED})\b)(?:[a-z][\w-]*(?<![su])s|people|women|men|children)\b"
    r"(?:\s(?:per|a|each)\s(?:year|month|week|day|hour|patient|person)\b)?)"
)
# "CFI = 0.953", "a dielectric constant of 8.8": without a unit, of what is named before it.
_OF_A_QUANTITY = re.compile(
    rf"(?:(?:^|[\s(\[])(?!(?:n|N|M|SD)\s?=|[A-Z][a-z]?-[A-Z][a-z]?-)(?P<symbol>[A-Zα-ωΔ][\w@/+*-]{{0,11}})\s?[=≈∼~]"
    rf"|\b(?P<noun>(?:(?!(?:{_NOT_COUNTED})\b)[A-Za-z][\w@^/-]*(?<!s)\s)?"
    rf"(?!(?:total|values?|{_NOT_COUNTED})\b)[A-Za-z][\w@^/-]*(?<!ed|al|ng))\sof)"
    r"\s?(?:only |about |up to |over |around |nearly |[~∼≈])?$"
)
_TIMES_A_POWER = re.compile(r"\s?[×x·∙�]\s?\d")
_LIST = re.compile(
    rf"(?:,\s|,?\s(?:and|or)\s|\s?(?:vs\.?|versus)\s)[∼~≈]?{_SIGN}{_NUMERAL}", re.IGNORECASE
)
_INTERVAL = re.compile(
    r"\b(?:CI|CrI|IQR|[Rr]ange|[Cc]onfidence intervals?|[Cc]redible intervals?|HPD)\b[\]):=,]*"
    r"[^()\[\];a-z]{0,25}(?:to\s)?$"
)
_OF_AN_INTERVAL = re.compile(r"\s?%\s?(?:C[Ii]|CrI|[Cc]onfidence|[Cc]redible|[Ii]nterval|LOAs?\b)")
_FROM = re.compile(
    r"(?<!range )(?<!ranged )(?<!ranges )(?<!ranging )(?<!varied )(?<!vary )(?<!varying )"
    r"(?<!tuned )"
    r"\bfrom\s(?:[\w.-]+\s){0,3}(?:about |only |[~≈<>])?$"
)
# "an increase in the rate (3 % to 62 %)"
_GREW = re.compile(
    r"\b(?:increas|improv|grew|rose|rais|reduc|decreas|fell|dropp|declin)\w*[^;()]{0,60}\($"
)
_SO_ON = re.compile(r"(?:\s(?:on|for|in)\s[^,;()]{1,30})?,?\s(?:and\s|or\s|vs\.?\s|versus\s)?")
_A_YEAR = re.compile(r"(?:19|20)\d\d(?:[-–—/](?:19|20)?\d\d)?$")

UnitKind = Literal["%", "points", "×", "effect", "measure", "quantity", "count", "money", ""]


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a text, with what it is a number of."""

    start: int
    """Of the sign, if it has one, else of the value."""
    end: int
    """Behind the unit, where that stands behind the value."""
    value: str
    """As printed, without sign or unit: `12.3`, `0·55`, `4.8-14.2`, `forty`, `20 out of 24`."""
    sign: str
    unit: str
    """`%`, `×`, `points`, or the unit, measure or counted things as printed."""
    unit_kind: UnitKind


def numbers_in(text: str) -> list[Number]:
    """Return the numbers of a sentence, in order."""
    return list(_numbers(text))


def _numbers(text: str) -> Iterator[Number]:
    end = 0
    last: Number | None = None
    since_change = 0  # numbers read since the last "from a to b"
    while match := _NUMBER.search(text, end):
        before, value = text[: match.start()], match["value"]
        is_next = since_change == 2 and _SO_ON.fullmatch(text[end : match.start()])
        if match["to"] and (_FROM.search(before[-60:]) or _GREW.search(before[-100:]) or is_next):
            since_change = 0  # a baseline and what became of it
            match = _NUMBER.match(text[: match.start("to")], match.start()) or match
            value = match["value"]
        end = match.end()
        is_bound = _INTERVAL.search(before[-45:]) and "(" in before[-60:]
        if is_bound or _OF_AN_INTERVAL.match(text, end) or text[end : end + 1] == "\ufffd":
            continue
        unit, kind, behind = _unit(text, match)
        if (kind == "" and _A_YEAR.match(value)) or (kind == "count" and _ASKED.search(before)):
            continue
        if kind == "money" and (scale := _SCALE.match(text, end)):
            value, behind = value + scale.group(), scale.end()
        if kind == "" and last and _goes_on(text, last, match):
            unit, kind = last.unit, last.unit_kind
        end = max(end, behind)
        since_change += 1
        last = Number(match.start(), behind, value, (match["sign"] or "").strip(), unit, kind)
        yield last


def _goes_on(text: str, last: Number, match: re.Match[str]) -> bool:
    """Whether a number is of what the last one is of: "scores of 42.1 on A and 52.8 on B"."""
    return (
        last.unit_kind in ("measure", "effect")
        and "." in last.value
        and "." in match["value"]
        and bool(_SO_ON.fullmatch(text[last.end : match.start()]))
    )


def _unit(text: str, match: re.Match[str]) -> tuple[str, UnitKind, int]:
    """Return what a number is a number of, and where it ends."""
    end = match.end()
    if points := _POINTS.match(text, end):
        return "points", "points", points.end()
    if share := _PER_CENT.match(text, end):
        return ("points", "points", share.end()) if share["points"] else ("%", "%", share.end())
    times = _TIMES.match(text, end)
    if times or match["by"]:
        return "×", "×", times.end() if times else end
    before = text[max(0, match.start() - 60) : match.start()]
    if _FACTOR.search(before) and not text.startswith(" to ", end):
        return "×", "×", end
    named = _NAMED_BEFORE.search(before)
    if named and named["effect"] and (len(named["effect"]) > 1 or named["is"].strip()):
        return "p" if named["effect"] == "P" else named["effect"], "effect", end
    money = _MONEY.search(before)
    if money and text[end : end + 1] != "$":
        return money.group().strip(" (–-"), "money", end
    if quantity := _QUANTITY.match(text, end):
        return quantity["unit"], "quantity", quantity.end()
    if named and not named["effect"]:
        return named["measure"], "measure", end
    if valued := _VALUED_BEHIND.match(text, end):
        return valued["unit"], "measure", valued.end()
    if listed := _LIST.match(text, end):
        following = _NUMBER.search(text, listed.start() + 1)
        is_level = following and _OF_AN_INTERVAL.match(text, following.end())
        if following and following.start() < listed.end() and not is_level:
            unit, kind, _ = _unit(text, following)
            return unit, kind, end
    if counted := _COUNTED.match(text, end):
        return counted["unit"], "count", counted.end()
    of = _OF_A_QUANTITY.search(before)
    if of and "." in match["value"] and not _TIMES_A_POWER.match(text, end):
        return of["symbol"] or of["noun"], "measure", end
    return "", "", end
