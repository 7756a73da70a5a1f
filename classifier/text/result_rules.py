"""What the form of a sentence says of a number, where that is surer than a model of its words.

Each rule is read from how abstracts print settings, measurements and comparisons. In its sentence
the number stands in brackets of its own, `stirred at ⟨77 K⟩`; in a rule `□` is the number with
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from classifier.text.numbers import Number
from classifier.text.roles import Role

SureKind = Literal["level", "effect", "cost", "relative gain"]


def _any(rules: Iterable[str]) -> re.Pattern[str]:
    text = "|".join(rules).replace("□", "⟨[^⟩]*⟩")
    return re.compile(re.sub(r"(?<=[ ?])⟨", f"{_ABOUT}⟨", text))


_AROUND = 150
_ABOUT = r"(?:about |approximately |around |only |nearly |a |[~∼≈] ?)?"
_NO_OUTCOME = _any(
    (
        # conditions
        r"\bat (?:T ?= ?)?⟨[^⟩]*(?:\dK| K|° ?C|degrees C|V|Torr|[kM]?Hz)⟩",
        r"\b(?:[Aa]t|[Ii]n|[Uu]nder) an? (?:\w+ )?(?:length|depth|pressure|concentration|dose"
        r"|temperature|field|voltage|pH) of □",
        r"\b(?:as|with|when)\b[^,;]{0,60}\b(?:(?:flow|charge|scan) rate|atomic ratio|pressure"
        r"|temperature|voltage)\b[^,;]{0,40}\b(?:increas|decreas|rais|vari)\w+[^,;]*□",
        r"\b(?:temperature|concentration|wavelength)s? (?:in the )?range\b[^,;]{0,20}□",
        r"\btemperatures (?:above|below|up to|between|from|of) □",
        r"\b(?:[Aa]bove|[Bb]elow) an? (?:[\w-]+ ){1,4}of □",
        r"\b(?:higher|steeper|lower|greater) than □ slopes?\b|\bslopes? (?:\w+ )?than □",
        r"\([^()]*, ⟨[^⟩]* K⟩\)|\bwithin a factor of □|\bprecision of ± ?□",
        r"[(=] ?⟨[^⟩]* (?:kV|Torr|M|kPa)⟩\)|\bfor [A-Z]\w? ?= ?□",
        r"\b(?:laser|light|excitation|irradiation) (?:of|at) □|□ (?:excitation|laser)\b",
        # how strong a solution is: "20 % ethanol", "6 % H2"
        r"⟨[^⟩]*%⟩ (?:n-|(?:H2|O2|N2|CO2?|H?Na?Cl)\b"
        r"|[\w-]*(?:toluene|hexanes?|(?:eth|meth|prop)anol|saline|glucose|acrylate|chloride|oxygen|nitrogen|acid)\b)",
        # which class of patients is meant: "a Rankin score of 0-2"
        r"\b(?:[Ss]cales?|mRS|TICI|[Gg]rades?|[Ss]tages?)(?: scores?)?(?: of)?[ =:]*"
        r"⟨\d[a-c]?[-–]\d[a-c]?⟩",
        # 1.8 × 10⁵ whose 5 was set down as "105"
        r"⟨[^⟩]*[×x∙·] ?10\d{1,2}(?!\d)|\bfactor (?:of )?(?:up to )?⟨10[1-9]\b",
        # who was studied, and what was done
        r"\(\d+ (?:articles|papers|studies|trials)[,;] □\)|\bsymptoms before [^,;]*□",
        r"□ (?:were |was )?(?:(?:fe)?males?|(?:wo)?men)\b",
        r"\b(?:used|administered|received|placed|performed) (?:in|by) □",
        r"^Based on [^,;]*□|\bstudies were (?:conducted|carried out) in [^;]*□",
        r"\bafter ⟨[^⟩]*times⟩|\btested\b[^,;]*⟨[^⟩]*(?:times|×)⟩",
        # how sure an interval is
        r"□ ?(?:C\.?I|CrI|confidence|credible)\b",
        # what agreement was asked for, what was learned by heart
        r"(?:\bconsensus\b[^;]{0,60}\b|\bendorsed by )at least □",
        r"\btraining accuracy of □|□ training accuracy\b",
        r"\b[Bb]aseline characteristics\b[^;]*□|□ (?:[^;]{0,40} )?(?:originated|received)\b",
        r"\bwere located in\b[^;]*□",
        # how large what it is compared with is
        r"□ (?:its|their|the \w+['’]s) (?:own )?(?:size|parameters)\b",
        r"□ (?:larger|size) (?:difference|LLMs?|models?)\b",
        # what others found
        r"\b[Tt]o date,[^;]*□|\bhas been reported\b[^,;]*□|□[^,;]* have been attributed\b",
        r"\b[Aa]n? (?:[\w-]+ )?(?:agency|company|search engine|(?:comprehensive|earlier|previous"
        r"|recent) (?:meta-analysis|report|review|study|survey)) (?:estimated|found|reported"
        r"|revealed|showed)\b[^;]*□",
        r"□[^.;]*\([A-Z]\w+(?: et al\.?| and \w+)?,? (?:19|20)\d\d[a-z]?[;)]",
        r"\bis (?:an?|one of the|the) (?:common|global|leading|major|most)\b[^;]*□",
    )
)
_COSTS = r"\b[Cc]osts?(?: of| below| under| about| only| just)? [$€£]□"
_SHARE_OF_COST = (
    r"\b(?:using|at|needs?|requir\w+) (?:less than |under )?□ of the "
    r"(?:tokens|costs?|compute|calls)\b"
)
_OVERHEAD = (
    r"\b(?:memory|time|token) (?:consumption|cost|overhead|usage)s? of (?:⟨?[\d.]+[KM]?⟩? and )?□"
)
_MEASURED = _any(
    (
        _COSTS,
        _SHARE_OF_COST,
        r"\b[Ss]peed(?:s|ing)? up (?:[\w-]+ ){1,3}by □",
        r"\b(?:estimated|calculated|determined|measured|found|deduced|predicted) (?:to be|as) □",
    )
)
_FAR_SIDE = _any(
    (
        r"\b(?:versus|vs\.?|cf\.|against)\s(?:\d+/\d+,? )?[\[(]?□",
        r"□\s?(?:→|->|to)\s?(?:less than |below |over |more than )?\d",
        r"□\)? (?:in|of) the (?:comparison|controls?|conventional|non-[\w-]+|placebo)\b",
        r"\bwhereas\b[^;,]{0,80}□ (?:in|of) the\b",
        r"\bwhile (?:the )?(?:baselines?|existing|previous|prior|state-of-the-art|SOTA)\b[^,;]*□",
    )
)
_OF_A_RIVAL = _any((r"\b(?:vs\.?|versus|than|against|&) [A-Z][\w-]*[a-z\d][A-Z][\w-]*['’]s □",))
_GREW = _any(
    (r"⟨[^⟩]*(?:-fold|times|×|x)⟩ (?:decrease|increase|improvement|reduction|speed-?up)\b",)
)
_SCORED = _any((r"\b(?:returns?|scores?) of (?:at (?:least|most) )?□",))
_AGREEMENT = re.compile(r"kappa|κ|ICC|intra-?class|Cronbach", re.IGNORECASE)
_PRICED = _any((_COSTS, _SHARE_OF_COST, _OVERHEAD))
_EXPLAINED = _any((r"□ of (?:the )?(?:total )?varia(?:nce|tion)\b",))


def bracketed(text: str, number: Number) -> str:
    """Return what stands around a number, with the number in its brackets."""
    start, end = number.start, number.end
    return f"{text[max(0, start - _AROUND) : start]}⟨{text[start:end]}⟩{text[end : end + _AROUND]}"


def states_no_outcome(sentence: str, number: Number, role: Role) -> bool:
    """Whether a number sets a condition, counts who was studied, or says how large a problem is."""
    return (role == "problem" and number.unit == "%") or bool(_NO_OUTCOME.search(sentence))


def is_measured(sentence: str, role: Role) -> bool:
    """Whether a number is said to be measured: "was estimated to be ⟨1.4 mm⟩"."""
    return role != "problem" and bool(_MEASURED.search(sentence))


def is_of_a_rival(sentence: str) -> bool:
    """Whether a number is that of another system, by its name: "vs. ToolFlow's ⟨21 %⟩"."""
    return bool(_OF_A_RIVAL.search(sentence))


def is_compared_with(sentence: str) -> bool:
    """Whether a number stands on the far side of a comparison: "68 % versus ⟨49 %⟩"."""
    return bool(_FAR_SIDE.search(sentence))


def sure_kind(sentence: str, number: Number) -> SureKind | None:
    """Return the kind of a number that its measure settles: agreement is a level, not an effect."""
    if _AGREEMENT.match(number.unit):
        return "level"
    if _SCORED.search(sentence):
        return "level"
    if _PRICED.search(sentence):
        return "cost"
    if _GREW.search(sentence):
        return "relative gain"
    return "effect" if _EXPLAINED.search(sentence) else None
