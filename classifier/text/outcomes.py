"""Whether a number was measured, and not chosen or counted: by the words around it."""

from __future__ import annotations

import re

from classifier.text.directions import CHANGE_BEHIND
from classifier.text.numbers import SIGNIFICANCE, is_averaged, is_quantity, is_ratio, unit_of

_MATERIAL_BEHIND = re.compile(
    r"\s*(?:of(?:\s[\w-]+){0,4}?\s(?:data|datasets?|samples?|examples?|tokens?|labels?|annotations?"
    r"|annotation effort|corpus|papers|studies|articles|publications|records|respondents"
    r"|participants|prompts|training set|size"
    r"|parameters|weights|layers|neurons)\b"
    r"|(?:H2|O2|N2|CO2|NaCl|solution(?!\s(?:correctness|rate|quality|accuracy))|n-\w+|wt|vol)\b"
    r"|(?:[\w-]+\s){0,2}?(?:labell?ed|annotated|training data|larger|bigger|resolution"
    r"|super-resolution|zoom|cover)\b)",
    re.IGNORECASE,
)
_SETTING_BEHIND = re.compile(
    r"\s*(?:sparsity|sparse|confidence|CI\b|noise|contamination|missing|masking|pruning|quantil"
    r"|[\w-]+ budget|significance|threshold|poison|dropout|train"
    r"|test(?!\s(?:set\s)?(?:accuracy|F1|AUC|score|performance))|holdout|split)\b",
    re.IGNORECASE,
)
_SETTING_BEFORE = re.compile(
    r"(?:\btop[- ]?|\bp\s?[<=>]\s?|\bCI\b\s?[:=,]?\s?[\[(]?"
    r"|\b(?:levels?|ratios?|thresholds?|budgets?"
    r"|(?:learning|sampling|compression|pruning|masking|noise|dropout|missing"
    r"|poisoning|mutation|frame|discount|injection|mixing)[- ]rates?)"
    r" (?:of|at) (?:only |just )?|\bonly with |\d at "
    r"|\b(?:(?<!ompared )with|using|on|given) (?:only |just |as little as |less than "
    r"|merely )*(?:~|about |roughly )?|\bfrom (?:only|just) |@"
    r"|\b(?:pruning|refreshing|masking|removing|keeping|activating|updating|labell?ing|visiting"
    r"|triggering|excluding|receiving)"
    r" (?:only |just |about |more than |over |up to |at least |the |first |last |[~∼≈]\s?)*"
    r"|\b(?:with|in|for|incidence of|cases of) (?:an? )?[<>≥≤]\s?"
    r"|\b(?:slopes?|cover|values?|temperatures?|levels?|concentrations?|those|performing)"
    r"\s(?:higher than|above|over|below|greater than|less than)\s)$",
    re.IGNORECASE,
)
# "With 98.5 % accuracy": no setting.
_OUTCOME_BEHIND = re.compile(
    r"\sof (?:all |the )?(?:total )?(?:number of )?patients\b"
    r"|\s(?:[\w-]+\s)?(?:accuracy|precision|recall|sensitivity|specificity|F1|success|win rate)\b"
)
# "Succeeds on only 11 % of the tasks".
_SUCCEEDS = re.compile(r"\b(?:succe|solv|complet|pass|resolv|fail|answer)\w*\b[^,;]{0,30}$")
_OF_TASKS = re.compile(
    r"\sof\s(?:[\w-]+\s){0,3}(?:tasks|problems|questions|cases|issues|episodes)\b"
)
_FOUND = re.compile(
    r"\bwe (?:\w+ )?(?:find|found|observed?) "
    r"|\b(?:reach|achiev|attain)(?:es|ed|ing)\b[^;]{0,120}$"
    r"|\bscor(?:es|ed|ing)\s(?:only |just |about |nearly |over |up to |an? )*$",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"\bwe (?:\w+ )?(?:find|found|observed?|measured?|obtain(?:ed)?|report|derived?|estimated?"
    r"|determined?|inferr?(?:ed)?|predict(?:ed)?|calculated?|computed?|show(?:ed)?)\b"
    r"|\bachiev\w+\s(?:about |up to |over )?$"
    r"|\b(?:is|was|are|were) (?:found|measured|estimated|calculated|determined|predicted|observed"
    r"|inferred|computed|obtained|achieved)\b",
    re.IGNORECASE,
)
# Of a physical quantity: "a gap of 2.1 eV", but not "annealed at 350 °C".
_FOUND_TO_BE = re.compile(
    r"(?:\bof|\bis|\bwas|\bwere|\bare|\bto be|\breach\w*|\bfound at|\bobtained|\byield\w*"
    r"|\btotal\w*|\baverag\w*|\bgiving|\bgave|\bachiev\w+|\battain\w+|\b(?:transforms|occurs"
    r"|observed|found) at"
    r"|\b(?:accuracy|precision|resolution|sensitivity) (?:of |down to )|[≈~∼=])\s?"
    r"(?:about |around |only |up to |approximately |the order of |ca\. |c\. |[≈~∼])*$"
)
_SET_TO = re.compile(
    r"\b(?:[Aa]t|[Ww]ith|using|[Uu]nder|annealed|heated|above|below|for|from|by)\s(?:(?:an?|the)\s)?"
    r"(?:[\w-]+\s){0,4}(?:of|is|=)\s?$|\brange of\s?$|\b[Aa]bove an?\s[^,;]{3,50}\sof\s?$"
    r"|\bprecision of\s?$"
    r"|\b(?:[Aa]n?|[Ee]ach|[Ee]very|[Pp]er) (?:\w+ )?(?:increase|increment|decrease|rise) of\s?$"
    r"|\b(?:bath|growth|substrate|\w+ing|deposition|reaction) (?:temperature|pressure|power)"
    r"s? of\s?$"
)
# Who or what was looked at, and what others have estimated.
_SAMPLE = re.compile(
    r"\b[Rr]espondieron\b|\b(?:has|have) been (?:reported|attributed|estimated)\b|\bascribed to\b"
    r"|\b(?:involved|presented with|(?:was|were) (?:located|used|performed|placed) in"
    r"|responsible for)\b"
    r"|\b[Tt]reatment was\b|\bHIV[- ](?:positive|negative)|\brecruitment\b|\bPre-test\b"
    r"|\bof (?:the )?(?:studies reported|sites|articles)\b|\b(?:mean|median|average) age\b"
    r"|\b(?:most|few|majority of)"
    r" (?:of the )?(?:studies|articles)\b"
    r"|\b(?:is|are|has been|have been) estimated to\b|\b(?:was|were) included\b"
    r"|\bincluded (?:papers|articles|studies)\b|\bbaseline characteristics\b|^studies\b"
    r"|\b(?:were|was) (?:fe)?males?\b|\b(?:fe)?males? \(\d|\b(?:wo)?men \(\d"
    r"|\boriginated (?:in|from)\b|\bremained untested\b|\blost to follow"
    r"|\bresponse rates?\b|\bof eligible\b"
    r"|\([A-Z][\w-]+(?: et al\.?| and [A-Z][\w-]+)?,? (?:19|20)\d\d",
    re.IGNORECASE,
)
# A case report's measurements, and what is said of who was looked at and for how long.
_OF_A_PATIENT = re.compile(
    r"\b(?:His|Her|[Tt]he patient['’]s)\b|\b(?:his|her)\s\w+\s(?:level|count|was)"
)
_OF_THE_STUDY = re.compile(
    r"\b(?:NIHSS|ages?|aged|follow(?:ed)?|experience|symptoms|sample|participants|(?:at|median"
    r"|mean)"
    r" baseline|onset|admission|presentation|diagnosis)\b",
    re.IGNORECASE,
)
# Of "1.02 % (95 % CI, 0.2 % to 1.8 %)" what stands in brackets: it belongs to the estimate.
_NAMED_INTERVAL = re.compile(
    r"\b(?:CI|CrI|IQR|[Rr]ange|[Cc]onfidence intervals?|[Cc]redible intervals?)\b\]?"
    r"[^()\[\];]{0,25}$"
)
_BEHIND_ESTIMATE = re.compile(r"\d\s?%?\s?[(\[]$")
_BOUNDS = re.compile(r"[-−–+]?[\d.·]+\s?%?\s?(?:[-–—]|to|,)\s?[-−–+]?[\d.·]+\s?%?[)\]]")
_COMPARED_BEHIND = re.compile(
    r"\s(?:as|higher|lower|faster|slower|more|less|fewer|smaller|better|the|over|speed\w*|cheaper"
    r"|shorter|greater)\b"
)
_WITHIN = re.compile(r"\bwithin (?:an? )?$")
_REPEATED = re.compile(r"\b(?:test|repeat|run|ran|sampl|train|measur)\w*\b[^,;]{0,50}$")
# Shares of a sample, not of an outcome.
_COUNTED = re.compile(
    r"\b(?:used|included|enrolled|recruited|assigned|allocated|received|underwent|women|men|female"
    r"|male)\b[^;]{0,80}\b\d[\d,]*\s(?:[\w-]+\s){0,4}\([^()]*$"
    r"|\(n\s?=\s?\d+[^()]*$"
)


def is_outcome(match: re.Match[str], text: str, *, in_results: bool, is_compared: bool) -> bool:
    """Whether the words around a number say that it was measured, and not chosen or counted.

    in_results: whether its sentence tells results; elsewhere the words must say so. is_compared:
    whether it is a rise or a fall.
    """
    before, behind = text[: match.start()], text[match.end() :]
    found = _MEASURED if is_quantity(match) else _FOUND
    is_stated = in_results or is_compared or is_ratio(match) or SIGNIFICANCE.search(text)
    if not (is_stated or found.search(before)):
        return False
    if _NAMED_INTERVAL.search(before) or (match.groupdict().get("sign") or "").strip() == "±":
        return False
    if _BEHIND_ESTIMATE.search(before) and _BOUNDS.match(text, match.start()):
        return False
    if _OF_A_PATIENT.search(text) or (is_averaged(match) and _OF_THE_STUDY.search(text)):
        return False
    if is_quantity(match):
        return bool(_FOUND_TO_BE.search(before) and not _SET_TO.search(before))
    if _COUNTED.search(before) or _WITHIN.search(before) or _SAMPLE.search(text):
        return False
    is_plain = match.group().endswith(("fold", "times")) and not _COMPARED_BEHIND.match(behind)
    if not is_compared and (is_plain or (unit_of(match) == "×" and _REPEATED.search(before))):
        return False
    if _MATERIAL_BEHIND.match(behind) or _SETTING_BEHIND.match(behind):
        return False
    is_told = CHANGE_BEHIND.match(behind) or _OUTCOME_BEHIND.match(behind)
    is_told = is_told or (_SUCCEEDS.search(before) and _OF_TASKS.match(behind))
    return not _SETTING_BEFORE.search(before) or bool(is_told)
