"""Numbers with a unit or measure, as texts of any field print them.

A decimal point may be raised (`0·55`), a comma stand before the unit (`12,5 %`), thousands be set
apart by a thin space. A number that the grammar does not know whole is passed over: a piece of it
would be another number.
"""

from __future__ import annotations

import re

_POWER = r"(?:\d+(?:\.\d+)?\s?[×x·]\s?)?10(?:\^[({]?[-−–]?\d+[)}]?|[⁻⁺]?[⁰¹²³⁴-⁹]+)"
_NUMERAL = (
    rf"{_POWER}|"
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[\u2009\u202f\xa0]\d{3})+(?:\.\d+)?"
    r"|\d+[.·∙⋅]\d+|\d{1,2}\.\s\d+|\d+,\d{1,2}(?=\s?\\?%)|\d+|[.·∙⋅]\d+"
)
_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    "|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
)
_WORD_NUMERAL = rf"(?:{_WORDS})(?:[- ](?:{_WORDS}))?"
_MEASURES = (
    r"F1(?:[- ]scores?)?|accuracy|AUROC|AUC|mAP|AP|mIoU|IoU|BLEU(?:-\d)?|ROUGE(?:-\w+)?|METEOR|FID"
    r"|PSNR|SSIM|WER|CER|NDCG(?:@\d+)?|MRR|[Pp]ass(?:@|\^)\d+|(?:[Rr]ecall|[Hh]its?|R)@\d+|Elo"
    r"|FPS|AO|MAE|RMSE|MSE|perplexity|kappa|QWK|ECE|success rates?|win rates?|F-measure|dB"
    r"|Sharpe ratios?|Dice(?: scores?| coefficients?)?|C-index|c-statistic|MCC|Jaccard"
    r"|scores?|coefficients?|correlations?|sensitivity|specificity|precision|recall"
    r"|area under the (?:ROC |receiver operating characteristic )?curve"
)
# A dash between blanks is none.
_SIGN = r"(?P<sign>[+±]\s?|[\-−–](?!\s))?"
_JOIN = r"\s?(?:--?|–|—|to|→|vs\.?|versus)\s?"
_SPREAD = rf"\s?(?:±|\+/[-−])\s?(?:{_NUMERAL})"
_TIMES = r"×(?!\s?\d)|[xX](?![\w-]|\s?\d)|[- ]?fold\b|\s?times\b(?=\s(?:as|higher|lower|faster"
_TIMES += (
    r"|slower|more|less|fewer|smaller|better|the|over|speed|cheaper|shorter|greater|compared|or|and"
)
_TIMES += r"|inference)|[.,;)]|$)"
_UNIT = (
    rf"(?P<unit>\s?\\?%|\spct\b|\s?(?:percent|per cent|percentage)\b(?:[- ]points?\b)?|\s?{_TIMES}"
    rf"|\s?(?:absolute |percentage |p\.?)?(?:\b(?:{_MEASURES}) )?\s?(?:points?\b|pp\b|p\.p\.))"
)
_NUMBER = re.compile(
    rf"(?<![\w.·∙⋅@^_,/$√-])(?<!\d ){_SIGN}"
    rf"(?P<value>(?!(?:19|20)\d\d\s?(?:-|–|—|to)\s?\d)(?:{_NUMERAL})(?:{_SPREAD}"
    rf"|\s?\\?%?[×x]?{_JOIN}[+\-−]?(?:{_NUMERAL}))?)"
    rf"{_UNIT}"
)
# Of "yields of 46 and 52 %" the 46.
_SHARING = re.compile(
    r"(?<![\w.·∙⋅@^_,/$√-])(?!(?:19|20)\d\d\b)(?P<value>\d{1,3}(?:[.·]\d+)?)"
    r"(?=(?:,\s\d{1,3}(?:[.·]\d+)?)*,?\s(?:and|or)\s\d{1,3}(?:[.·]\d+)?"
    r"(?P<unit>\s?(?:%|per ?cent\b|(?:percentage |absolute )?points\b|pp\b|[×xX](?!\w))))"
)
_IN_WORDS = re.compile(
    rf"(?<![\w-])(?P<value>{_WORD_NUMERAL})(?P<unit>\s(?:percent|per cent)\b(?:[- ]points?\b)?)",
    re.IGNORECASE,
)
# "By a factor of 3.7", "eight times fewer steps".
_FACTOR = re.compile(
    rf"\b(?:an? )?factors? of (?:about |around |nearly |over |up to |more than |~|≈)?"
    rf"(?P<value>(?:{_NUMERAL})(?:{_JOIN}(?:{_NUMERAL}))?|{_WORD_NUMERAL}(?! to one))(?![\w%.]\d)"
)
_TIMES_IN_WORDS = re.compile(
    rf"(?<![\w-])(?P<value>(?:{_WORD_NUMERAL}\s(?:to|or)\s)?{_WORD_NUMERAL})"
    r"(?P<unit>\stimes)(?=\s(?:as|higher|lower|faster|slower"
    r"|more|less|fewer|smaller|better|cheaper|shorter|greater|larger|longer)\b)",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    rf"(?P<unit>\b(?:{_MEASURES}))(?:\s(?:scores?|rates?))?(?:\s\([A-Za-zρτ]{{1,6}}\))?\s?"
    rf"(?:(?:of|to|at|is|reaches|reaching|above|below|exceeding|between|=|:|by|\()\s?(?:about "
    rf"|only |up to |over )?|(?=\s?0?\.\d)\s?)"
    rf"(?P<value>(?:(?<=between )\d+(?:\.\d+)?\sand\s)?(?:\d*[.·∙⋅]\d+(?:{_SPREAD})?|\d{{2,3}}))"
    r"(?![\w%×/-]"
    rf"|[.·∙⋅]\d|\s?(?:%|×|percent|points))"
)
_VALUED = re.compile(
    rf"(?<![\w.·∙⋅@^_,/$-]){_SIGN}(?P<value>\d+\.\d+|(?<=\bof )\d{{2,3}}|(?<=\bat )\d{{2,3}})\s"
    rf"(?:absolute |top-1 |macro[- ]|average |mean )?(?P<unit>(?:{_MEASURES}))\b"
)
_SHIFTED = re.compile(
    r"\bfrom\s(?P<value>\d*\.\d+\s(?:\([^)]*\)\s)?to\s\d*\.\d+)"
    r"(?![\w%×-]|\.\d|\s?(?:%|×|[mkMGT]?eV|[A-Zµμ°Ω/]|[munkp]?(?:m|g|s|A|V|K)\b|years|days|per))"
)
# "Scores 43.0 on CodeContests, 98.7 on MBPP".
_SCORED = re.compile(
    r"(?<![\w.$@=-])(?P<value>\d{1,2}\.\d{1,2}(?=\son\s[A-Z])"
    r"|(?:(?<=\breaches )|(?<=\bachieves )|(?<=\bscores ))\d{1,2}\.\d{1,2}(?=\s(?:in|on|under)\b))"
)
_BESIDE_ANOTHER = re.compile(r"\((?P<value>0?\.\d+\s?vs\.?\s?0?\.\d+)(?=\)|[,;]\s[pP]\b)")
# "The mean score was 2.51 ± 0.61", "(median 4.7 months)".
_TIME = r"(?:milli)?seconds?|minutes?|min|hours?|h|days?|weeks?|months?|years?"
_AVERAGED = re.compile(
    r"(?:\b(?:[Aa]verage|[Mm]ean|[Mm]edian)\s[^,;()\d]{2,80}?\s(?:is|was|were|are|of|=|:)\s"
    r"|\((?:average|mean|median)[,:]?\s|\bmedia\s[^,;()\d]{2,60}?\sfue\s(?:de\s)?)"
    r"(?:only |about |approximately )?"
    r"(?P<value>\d+(?:[.·,]\d+)?\s?±\s?\d+(?:[.·,]\d+)?|\d+[.·]\d+|\d+(?=\s(?:"
    rf"{_TIME})\b))(?P<unit>(?:\s(?:{_TIME})\b)?)"
    r"(?![\w×/-]|[.·,]\d|\s?(?:%|×|±|percent|points|to\s\d|[-–]\s?\d))"
)
# Measures of effect, as medicine and the social sciences print them: "OR = 1.83", "HR, 0.72".
_RATIOS = r"a?OR|AOR|a?HR|AHR|a?RR|a?IRR|a?PR|SMD|WMD|MD"
_EFFECT = re.compile(
    rf"(?<![\w-])(?P<unit>(?:{_RATIOS}|(?:odds|hazards?|risk|rate|prevalence) ratios?"
    r"|relative risks?|(?:standardi[sz]ed |weighted )?mean differences?"
    r"|intra-?class correlation coefficients?"
    r"|Cohen['’]s (?:d|kappa|κ)|Hedges['’]s? g|Cronbach['’]s (?:alpha|α)|ICC))"
    rf"s?(?:\s?[\[(](?:{_RATIOS}|95\s?% CI|ICC)[\])])?\s?(?:of|was|were|is|are|=|:|,)?\s?"
    r"(?P<value>[-−–]?\d*[.·∙⋅]\d+)(?![\w%]|[.·∙⋅]\d|\s?%)"
)
_AGREEMENT = re.compile(r"intra|ICC|Cronbach|Cohen['’]s (?:kappa|κ)", re.IGNORECASE)
_SYMBOL = re.compile(
    r"(?<![\w-])(?P<unit>r|rₛ|r_s|ρ|τ|β|[Bb]etas?|α|κ|R2|R²|I2|I²|d|g|η2|η²|ηp2)"
    r"\s?=\s?(?P<value>[-−–]?\s?\d*[.·∙⋅]\d+(?:[-–]\d*[.·∙⋅]\d+)?)(?![\w%(]|[.·∙⋅]\d)"
)
# Units of quantities that were measured; a setting has them too, so the words before decide.
_UNITS = (
    r"[mkMGTP]?eV(?:/c2?|/c²|/atom)?|k?cal/mol|kJ/mol|kcal mol[-−⁻]1|kJ mol[-−⁻]1|[kMG]J|[kMGT]?Wh"
    r"|[kMG]?Pa|mbar|°\s?C|℃|°|[pnµμcmk]m|Å|[kMG]?pc|[kMGT]Hz|[mkM]?[ΩΩ](?:\s?cm)?|mmHg|m[VAWT]|kV"
    r"|[kM]?W/m2|W/m²|[mnµμp]?g/(?:[mdk]?[Ll]|kg|m3|m³|g)|[µμ]g m[-−⁻]3|[mµμnp]mol/[LlgG]|[µμn]M|mM"
    r"|IU/[mdk]?[Ll]|U/[mdk]?[Ll]|ppm|ppb|dB|Myr|Gyr|[kMG]g/ha|t/ha|t ha[-−⁻]1"
    r"|[kMGT]t(?:\sCO2)?|Tg|Pg|km2|km²|[pnfµμ]s|(?:tokens?|frames|images|samples|queries)"
    r"/s(?:ec)?|(?:mm|cm|m|km|kg|t|tonnes|tons)/(?:year|yr|a|s|day|h)|σ|L_?sun|M_?sun|M☉|kpc"
)
# Units that others are made of: "7.1 mA/cm2", "4.4 x 10^(-22) rad s^(-2)".
_EXPONENT = r"(?:\^?\(?[-−–+]?[1-9]\)?|⁻?[¹²³])"
_BASE = (
    r"[kMGmµμnpcdf]?(?:g|m|s|A|V|W|J|N|Pa|C|T|Hz|mol|L|l|eV|Torr|Oe|rad|pc|bar)|tonnes?|years?|yr"
    r"|day|h|ha"
    r"|min|cells|erg|deg|arcsec"
)
_COMPOUND = (
    rf"(?:{_BASE}){_EXPONENT}(?:[ ·]?(?:{_BASE}){_EXPONENT}?)*"
    rf"|cm2/V\s?s|(?:{_BASE}){_EXPONENT}?(?:[/·](?:{_BASE}){_EXPONENT}?|\s(?:{_BASE}){_EXPONENT})+"
)
_UNITS_IN_WORDS = (
    r"V|Torr|µrad|microrad|K|HV|ha|tonnes|tons|kg|mL|ml|hectares|magnitudes?|sigma|solar masses"
)
_SPACED = r"\d{1,3}(?: \d{3})+(?=\s[a-zA-Z])"
_QUANTITY = re.compile(
    rf"(?<![\w.·∙⋅@^_,/$-])(?<!\d )(?!0 ){_SIGN}"
    rf"(?P<value>(?:{_SPACED}|{_NUMERAL})(?:{_SPREAD}|{_JOIN}(?:{_NUMERAL}))?)"
    rf"(?P<unit>\s?(?:{_COMPOUND}|{_UNITS})|\s(?:{_UNITS_IN_WORDS})"
    r"|\sper (?:1,?000|10,?000|100,?000|million)(?:[ -](?:person[- ]?years|people|patients"
    r"|inhabitants|births|live births|population|women|men|children|adults))?)(?![\w/^-])"
)
_DURATION = re.compile(
    rf"\b(?:takes?|took|requires?|reaching (?:values of )?|within(?=[^,;]{{0,30}}\bseconds?\b))"
    r"\s(?:only |just |less than |more than |about |under |over )*"
    rf"(?P<value>(?:{_NUMERAL})(?:{_JOIN}(?:{_NUMERAL}))?)"
    r"\s(?P<unit>(?:milli)?seconds?|minutes?|hours?|ms|s|weeks?)(?![\w-])"
)
_STATED = (
    _EFFECT,
    _SYMBOL,
    _NUMBER,
    _SHARING,
    _IN_WORDS,
    _FACTOR,
    _TIMES_IN_WORDS,
    _MEASURED,
    _VALUED,
    _SHIFTED,
    _BESIDE_ANOTHER,
    _SCORED,
    _QUANTITY,
    _DURATION,
    _AVERAGED,
)
# Of "(all P < 0·05)" the 0·05.
SIGNIFICANCE = re.compile(
    r"(?<![\w-])(?<!correlation of )(?P<unit>[pP])(?:[- ]values?)?\s?(?P<sign>[<>=≤])"
    r"\s?(?P<value>0?[.·]\d+)(?![\d.])"
)
_DIGIT = re.compile(r"\d")


def numbers_in(text: str) -> list[re.Match[str]]:
    """Return the numbers with a unit or measure, in order; where two overlap, the first found."""
    found: list[re.Match[str]] = []
    # Most sentences hold nothing that a pattern could find.
    has_digit, lower = _DIGIT.search(text), text.lower()
    worded = {_IN_WORDS: "cent" in lower, _TIMES_IN_WORDS: " times " in lower}
    worded[_FACTOR] = "factor" in lower
    for pattern in _STATED:
        if not worded.get(pattern, has_digit):
            continue
        for match in pattern.finditer(text):
            if all(match.end() <= m.start() or m.end() <= match.start() for m in found):
                found.append(match)
    return sorted(found, key=lambda match: match.start())


def unit_of(match: re.Match[str]) -> str:
    """Return the unit of a number as a table shows it: `%`, `×`, `points`, or as printed."""
    if match.re is _FACTOR:
        return "×"
    unit = (match.groupdict().get("unit") or "").strip().lstrip("\\")
    lower = unit.lower()
    if lower in ("%", "pct", "percent", "per cent"):
        return "%"
    if "point" in lower or lower in ("pp", "p.p."):
        return "points"
    return "×" if re.fullmatch(r"×|x|-?fold|times", lower.strip("- ")) else unit


def is_effect(match: re.Match[str]) -> bool:
    """Whether a number is a measure of effect: an odds ratio, a correlation."""
    return match.re is _EFFECT or match.re is _SYMBOL


def is_ratio(match: re.Match[str]) -> bool:
    """Whether a number is an effect that is stated as such wherever it stands."""
    return match.re is _EFFECT and not _AGREEMENT.match(match["unit"])


def is_quantity(match: re.Match[str]) -> bool:
    """Whether a number has a unit of physics, chemistry or medicine."""
    return match.re is _QUANTITY


def is_averaged(match: re.Match[str]) -> bool:
    """Whether a number is the mean or median of something."""
    return match.re is _AVERAGED


def is_duration(match: re.Match[str]) -> bool:
    """Whether a number is a time that something took."""
    return match.re is _DURATION
