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

OfOthers = Literal["baseline", "human"]
SureKind = Literal["level", "effect", "cost"]


def _any(rules: Iterable[str]) -> re.Pattern[str]:
    text = "|".join(rules).replace("□", "⟨[^⟩]*⟩")
    return re.compile(re.sub(r"(?<=[ ?])⟨", f"{_ABOUT}⟨", text))


_AROUND = 150
_ABOUT = r"(?:about |approximately |around |only |nearly |a |[~∼≈] ?)?"
_NO_OUTCOME = _any(
    (
        # conditions and criteria
        r"\bat (?:T ?= ?)?⟨[^⟩]*(?:\dK| K|° ?C|degrees C|V|Torr|[kM]?Hz)⟩",
        r"\b(?:[Aa]t|[Ii]n|[Uu]nder) an? (?:\w+ )?(?:length|depth|pressure|concentration|dose"
        r"|temperature|field|voltage|pH) of □",
        r"\b(?:as|with|when)\b[^,;]{0,60}\b(?:(?:flow|charge|scan) rate|atomic ratio|pressure"
        r"|temperature|voltage)\b[^,;]{0,40}\b(?:increas|decreas|rais|vari)\w+[^,;]*□",
        r"\b(?:temperature|concentration|wavelength)s? (?:in the )?range\b[^,;]{0,20}□",
        r"\b(?:laser|light|illumination)\b[^,;]{0,15}(?:of|at) ⟨[^⟩]*nm⟩",
        r"\b(?:atomic|molar|mass) ratio of □|\bslopes (?:higher|greater|steeper) than □",
        r"\bconfian\w+ (?:de|del|al) □",
        r"\btemperatures (?:above|below|up to|between|from|of) □",
        r"\b(?:is|are|was|were) (?:varied|tuned)\b[^;]*□",
        r"\bsizes from (?:[\d.%]+ to )?□",
        r"(?:≥|> or =|>/=) ?□|\b[Ii]oU ?= ?□",
        r"\b(?:top|Top|cut-?off score of|outcome of(?: more than)?|not) □",
        r"\b[Ss]ignifican\w+ (?:was|is) (?:defined|set|considered|accepted)\b[^;]*□",
        r"\bafter ⟨[^⟩]*times⟩|\btested\b[^,;]*⟨[^⟩]*(?:times|×)⟩",
        # names that hold a number: orbitals, strains, groups, purities, models and their sizes
        r"⟨[1-7]s⟩ [a-z]|⟨\d x⟩ [A-Z]|□(?:-[A-Z]|B\b)",
        r"⟨[^⟩]*(?:%|pct)⟩ (?:[A-Z][a-z]?\d|\(\dN\))",
        r"□ (?:the [\w' ]{1,20}size|size\b|longer (?:horizons?|contexts?)|its parameters)",
        # who was studied, and what was done to them
        r"□ (?:were |was )?(?:(?:fe)?males?|(?:wo)?men)\b",
        r"\b[Bb]aseline (?:characteristics|ratio|values?|levels?)\b[^;]*□",
        r"\bbetween (?:the |these )?⟨[^⟩\d]*groups⟩",
        r"\b(?:used|administered|received|placed|performed) (?:in|by) □",
        r"^Based on [^,;]*□|\bstudies were (?:conducted|carried out) in [^;]*□",
        # what others found
        r"\b[Tt]o date,[^;]*□|\bhas been reported\b[^,;]*□|□[^,;]* have been attributed\b",
    )
)
_COSTS = r"\b[Cc]osts?(?: of| below| under| about| only| just)? [$€£]□"
_MEASURED = _any(
    (
        _COSTS,
        r"\b(?:estimated|calculated|determined|measured|found|deduced|predicted) (?:to be|as) □",
        r"\byields?,? (?:of )?⟨[^⟩]*%⟩",
        r"⟨[^⟩]*%⟩ yields?\b",
        r"\b(?:band ?gap|activation (?:energy|barrier)|mobility|Curie temperature|half-life)\b"
        r"[^,;()]{0,40}\b(?:of|is|was) ⟨[^⟩]*[A-Za-z]⟩",
    )
)
_OF_HUMANS = _any(
    (r"\b[Hh]umans?(?: \w+)? (?:perform|achiev|reach|attain|scor|outperform)\w*\b[^;]*□",)
)
_OF_A_BASELINE = _any(
    (
        r"\b(?:versus|vs\.?|cf\.|against)\s(?:\d+/\d+,? )?[\[(]?□",
        # "(63 %) than those without (49 %)"
        r"\([^()]*\d[^()]*\) (?:versus|vs\.?|than|compared (?:to|with))\s[^,;()]{1,60}"
        r"[(\[](?:\d+/\d+ [(\[]|[\wρ@ ]{1,12}= ?)?□",
        # "against 27 % for the one and 41 % for the other"
        r"\b(?:vs\.?|versus|against) \d[^;]{0,60}(?:,| and) □ (?:for|with|without|in)\b",
        r"□\s?(?:→|->|to)\s?(?:less than |below |over |more than )?\d",
        r"□(?: \([^)]*\))? (?:of|in|for) (?:the )?(?:non-\w+|controls?|placebo) (?:group|arm)",
        r"\b[Pp]re-?test\b[^;]*□[^;]*\b[Pp]ost-?test",
        r"\bfrom [A-Z]\S+ \(□|\bfar (?:below|above) an? □",
        r"\bcompared (?:with|to) an? [^,;]{1,30} of □",
        r"\b(?:baseline|state-of-the-art|solution) (?:achiev|obtain|reach)\w+"
        r" (?:an accuracy of )?□",
        r"\b(?:that|which) achieve (?:at most )?□",
    )
)


_AGREEMENT = re.compile(r"kappa|κ|ICC|intra-?class|Cronbach", re.IGNORECASE)
_PRICED = _any((_COSTS,))
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


def of_others(sentence: str) -> OfOthers | None:
    """Return whose a number is that stands on the far side of a comparison, or None."""
    if _OF_HUMANS.search(sentence):
        return "human"
    return "baseline" if _OF_A_BASELINE.search(sentence) else None


def sure_kind(sentence: str, number: Number) -> SureKind | None:
    """Return the kind of a number that its measure settles: agreement is a level, not an effect."""
    if _AGREEMENT.match(number.unit):
        return "level"
    if _PRICED.search(sentence):
        return "cost"
    return "effect" if _EXPLAINED.search(sentence) else None
