"""Headline results: the numbers in a text that state an outcome, as they are printed.

An outcome is what was measured: an accuracy, a gain, a speed-up, a rate found. Sizes of models and
of data, years, versions, settings and counts of material are none. A number counts by its unit
(per cent, times, points, a measure such as F1), by the role of its sentence and by the words around
it; where these say nothing the number is left out: better "not stated" than a wrong result. Numbers
of different papers are never compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from classifier.text.roles import RoledSentence
from classifier.text.sentences import Span

Direction = Literal["up", "down", ""]
_MOST_IN_HEADLINE = 3


@dataclass(frozen=True, slots=True)
class Result:
    """One number that states an outcome, and where it stands."""

    value: str
    """As printed, without sign or unit: `12.3`, `5.9%→10.9`, `4.8-14.2`, `forty`."""
    unit: str
    """`%`, `×`, `points`, or the measure, such as `F1`."""
    direction: Direction
    """Whether the number is a rise or a fall; "" where it is a level, or the text does not say."""
    benchmark: str
    """The benchmark that it is stated for, where the sentence names one that is known, or ""."""
    span: Span
    """The number with its unit, in the text."""
    sentence: Span

    @property
    def short(self) -> str:
        """The result as a table shows it.

        A rise or fall in per cent or points has its sign: `+12.3 % on OSWorld`.
        """
        signed = self.unit in ("%", "points")
        sign = {"up": "+", "down": "−", "": ""}[self.direction] if signed else ""
        blank = "" if self.unit == "×" else " "
        place = f" on {self.benchmark}" if self.benchmark else ""
        return f"{sign}{self.value}{blank}{self.unit}{place}"


def headline_results(
    sentences: Sequence[RoledSentence], benchmarks: Callable[[str], Sequence[str]]
) -> tuple[Result, ...]:
    """Return the numbers that state an outcome, in the order of the text.

    Args:
        sentences: of an abstract or digest, with their roles.
        benchmarks: returns the known benchmarks that a piece of text names, in order.
    """
    return tuple(
        result
        for item in sentences
        if _may_state(item)
        for result in _results_in(item, benchmarks)
    )


def headline(results: Sequence[Result]) -> str:
    """Return the results of the first sentence that states any, for a cell; "" = not stated."""
    first = [result for result in results if result.sentence == results[0].sentence]
    return "; ".join(dict.fromkeys(result.short for result in first[:_MOST_IN_HEADLINE]))


_NUMERAL = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\s?\d+)?|\.\d+"
_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    "|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
)
_WORD_NUMERAL = rf"(?:{_WORDS})(?:[- ](?:{_WORDS}))?"
_MEASURES = (
    r"F1(?:[- ]scores?)?|accuracy|AUROC|AUC|mAP|AP|mIoU|IoU|BLEU(?:-\d)?|ROUGE(?:-\w+)?|METEOR|FID"
    r"|PSNR|SSIM|WER|CER|NDCG(?:@\d+)?|MRR|[Pp]ass(?:@|\^)\d+|(?:[Rr]ecall|[Hh]its?|R)@\d+|Elo"
    r"|FPS|AO|MAE|RMSE|MSE|perplexity|kappa|QWK|ECE|success rates?|win rates?|F-measure|dB"
)
_SIGN = r"(?P<sign>[+\-−–±]\s?)?"
_JOIN = r"\s?(?:-|–|—|to|→|vs\.?|versus)\s?"
_TIMES = r"×(?!\s?\d)|[xX](?![\w-]|\s?\d)|[- ]?fold\b|\s?times\b(?=\s(?:as|higher|lower|faster"
_TIMES += r"|slower|more|less|fewer|smaller|better|the|over|speed|cheaper|shorter|greater))"
_UNIT = (
    rf"(?P<unit>\s?\\?%|\s?(?:percent|per cent|percentage)\b(?:[- ]points?\b)?|\s?{_TIMES}"
    r"|\s?(?:absolute |percentage |p\.?)?\s?(?:points?\b|pp\b|p\.p\.))"
)
_NUMBER = re.compile(
    rf"(?<![\w.@^_,/$-])(?<![A-Za-z]\s)?{_SIGN}"
    rf"(?P<value>(?:{_NUMERAL})(?:\s?\\?%?[×x]?{_JOIN}[+\-−]?(?:{_NUMERAL}))?|{_WORD_NUMERAL}){_UNIT}",
)
_MEASURED = re.compile(
    rf"(?P<unit>\b(?:{_MEASURES}))(?:\s(?:scores?|rates?))?\s?"
    rf"(?:of|to|at|is|reaches|reaching|=|:|by|\()\s?(?:about |only |up to |over )?"
    rf"(?P<value>\d*\.\d+|\d{{2,3}})(?![\w%×-]|\.\d|\s?(?:%|×|percent|points))"
)
_VALUED = re.compile(
    rf"(?<![\w.@^_,/$-]){_SIGN}(?P<value>\d+\.\d+|(?<=\bof )\d{{2,3}}|(?<=\bat )\d{{2,3}})\s"
    rf"(?:absolute |top-1 |macro[- ]|average |mean )?(?P<unit>(?:{_MEASURES}))\b"
)
_SHIFTED = re.compile(
    r"\bfrom\s(?P<value>\d*\.\d+\s(?:\([^)]*\)\s)?to\s\d*\.\d+)(?![\w%×-]|\.\d|\s?(?:%|×))"
)
_STATED = (_NUMBER, _MEASURED, _VALUED, _SHIFTED)

_OUTCOME = re.compile(
    r"\b(?:outperform|surpass|exceed|achiev|attain|improv|gain|beat|reach|rais|lift|boost|reduc|cut"
    r"|lower|decreas|increas|drop|declin|degrad|accelerat|speed|fast|slow|sav|higher|fewer|better"
    r"|accura|succe|score|win|rate|retain|preserv|recover|detect|solv|yield|deliver|fail|match"
    r"|only|just|nearly|up to|than|error|recall|precision|agree|correlat|perform|find|found|show"
    r"|reveal|observ|report|rise|rose|ris|grow|shrink|cost|latency|throughput|overhead|rank"
    r"|identif|resol|complet|pass|accept|violat|account)",
    re.IGNORECASE,
)
_MATERIAL_BEHIND = re.compile(
    r"\s*(?:of|more|fewer|less)?\s*(?:the|its|our|all|their|total|original|available|full|entire"
    r"|whole)?\s*(?:[\w-]+\s){0,2}?(?:data|dataset|samples?|examples?|tokens?|labels?|labell?ed"
    r"|annotations?|corpus|corpora|papers|respondents|participants|prompts|training set"
    r"|larger|bigger|resolution|super-resolution|zoom)\b",
    re.IGNORECASE,
)
_SETTING_BEHIND = re.compile(
    r"\s*(?:sparsity|sparse|confidence|CI\b|noise|contamination|missing|masking|pruning|quantil"
    r"|significance|threshold|poison|dropout|train|test|holdout|split|of (?:the )?time\b)",
    re.IGNORECASE,
)
_SETTING_BEFORE = re.compile(
    r"(?:\btop[- ]?|\bp\s?[<=>]\s?|\b(?:levels?|ratios?|thresholds?|budgets?|rates?) (?:of|at) (?:only "
    r"|just )?|\bonly with |\b(?:with|using|on|from|given) (?:only |just |as little as |less than "
    r"|merely )*(?:~|about |roughly )?|@)$",
    re.IGNORECASE,
)
_SUCCESS_RATE = re.compile(
    r"(?:success|pass|win|accuracy|error|solve|resolution|refusal|completion|hit|detection|recall"
    r"|acceptance|failure|attack|positive|negative|compliance|agreement|resolve|violation)\s"
    r"rates? (?:of|at) (?:only |just )?$",
    re.IGNORECASE,
)
_RISES = (
    r"improv\w*|gain\w*|increas\w*|higher|rais\w+|boost\w*|lift\w*|outperform\w*|surpass\w*|beat\w*"
    r"|exceed\w*|speed-?ups?|faster|more|better|greater|rise\w*|grow\w*|accelerat\w*|up|over|adds?"
    r"|adding|margins?"
)
_FALLS = (
    r"reduc\w*|lower\w*|decreas\w*|cut\w*|drop\w*|declin\w*|fewer|less|smaller|sav\w+|shrink\w*"
    r"|degrad\w*|loss|slower|cheaper|shorter|fall\w*|down|underperform\w*|worse\w*"
)
_CHANGE_BEHIND = re.compile(
    rf"\s?(?:points?\s)?(?:(?:absolute|relative|average|mean|performance|accuracy|overall|point)\s)*"
    rf"(?:[\w-]+\s)?(?:(?P<up>{_RISES})|(?P<down>{_FALLS}))\b",
    re.IGNORECASE,
)
_CHANGE_BEFORE = re.compile(
    rf"\b(?:(?P<up>{_RISES})|(?P<down>{_FALLS}))\b(?P<between>[^.;]*)$", re.IGNORECASE
)
_BY = re.compile(
    r"\b(?:by|of|an?|up to|as much as|nearly|over|than|approximately|about|around|roughly|almost"
    r"|additional|average|and|or|,)(?:\s(?:an?|up to|as much as|nearly|over|more than|approximately"
    r"|about|around|roughly|almost|at least|average|of|absolute|additional|relative|than|~|≈))*"
    r"\s?[~≈]?$",
    re.IGNORECASE,
)
_TO = re.compile(
    r"\b(?:to|at|is|reaches|reaching|achiev\w+|attain\w+)\s(?:only |just |below |under |above |over"
    r" |nearly |about |around |an? )*[<>≥≤~≈]?$",
    re.IGNORECASE,
)


def _may_state(item: RoledSentence) -> bool:
    """Whether a sentence of its role may state an outcome."""
    if item.role == "result":
        return True
    return item.role in ("contribution", "method")


def _results_in(
    item: RoledSentence, benchmarks: Callable[[str], Sequence[str]]
) -> Iterator[Result]:
    sentence = item.span
    matches = _matches(sentence.text)
    named = tuple(benchmarks(sentence.text)) if matches else ()
    for index, match in enumerate(matches):
        behind = matches[index + 1].start() if index + 1 < len(matches) else len(sentence.text)
        before = matches[index - 1].end() if index else 0
        direction = _direction(match, sentence.text[before : match.start()], behind)
        if not _is_outcome(match, sentence.text) or (item.role != "result" and not direction):
            continue
        near = benchmarks(sentence.text[match.end() : behind]) if len(named) > 1 else named
        start = sentence.start + match.start()
        yield Result(
            re.sub(r"\s+", " ", match["value"]).strip(),
            _unit(match),
            direction,
            near[0] if near else "",
            Span(start, sentence.start + match.end(), match.group()),
            sentence,
        )


def _matches(text: str) -> list[re.Match[str]]:
    """Return the numbers with a unit or measure, in order; where two overlap, the first found."""
    found: list[re.Match[str]] = []
    for pattern in _STATED:
        for match in pattern.finditer(text):
            if all(match.end() <= m.start() or m.end() <= match.start() for m in found):
                found.append(match)
    return sorted(found, key=lambda match: match.start())


def _unit(match: re.Match[str]) -> str:
    unit = (match.groupdict().get("unit") or "").strip().lstrip("\\")
    lower = unit.lower()
    if lower == "%" or lower in ("percent", "per cent"):
        return "%"
    if "point" in lower or lower in ("pp", "p.p."):
        return "points"
    return "×" if re.fullmatch(r"×|x|-?fold|times", lower.strip("- ")) else unit


def _is_outcome(match: re.Match[str], text: str) -> bool:
    """Whether the words around a number say that it was measured, and not chosen or counted."""
    before, behind = text[: match.start()], text[match.end() :]
    if _MATERIAL_BEHIND.match(behind) or _SETTING_BEHIND.match(behind):
        return False
    if _SETTING_BEFORE.search(before) and not _SUCCESS_RATE.search(before):
        return False
    return bool(_OUTCOME.search(text))


def _direction(match: re.Match[str], before: str, behind_end: int) -> Direction:
    """Return which way a number points, by its sign or by the words beside it."""
    if sign := (match.groupdict().get("sign") or "").strip():
        return "up" if sign == "+" else "down" if sign in "−-–" else ""
    if "→" in match["value"] or " to " in match["value"]:
        return ""
    behind = _CHANGE_BEHIND.match(match.string, match.end(), min(behind_end, match.end() + 60))
    if behind:
        return "up" if behind["up"] else "down"
    if _TO.search(before):
        return ""
    said = None
    for said in _CHANGE_BEFORE.finditer(before):
        pass
    if said and _BY.search(said["between"]):
        return "up" if said["up"] else "down"
    return ""
