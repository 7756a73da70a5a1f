"""Headline results: the numbers in a text that state an outcome, as they are printed.

An outcome is what was measured: an accuracy, a gain, a speed-up, a rate found. Sizes of models and
of data, years, versions, settings and counts of material are none. A number counts by its unit
(per cent, times, points, a measure such as F1 or an odds ratio), by the role of its sentence and by
the words around it; where these say nothing the number is left out: better "not stated" than a
wrong result. Numbers of different papers are never compared.
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
    """`%`, `×`, `points`, or the measure, such as `F1` or `OR`."""
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

        A rise or fall in per cent or points has its sign: `+12.3 % on OSWorld`. A measure of effect
        stands before its value: `OR 1.83`.
        """
        if _EFFECT.match(f"{self.unit} .0"):
            return f"{self.unit} {self.value}"
        signed = self.unit in ("%", "points")
        sign = {"up": "+", "down": "−", "": ""}[self.direction] if signed else ""
        blank = "" if self.unit == "×" else " "
        place = f" on {self.benchmark}" if self.benchmark else ""
        return f"{sign}{self.value}{blank}{self.unit}".strip() + place


def headline_results(
    sentences: Sequence[RoledSentence], benchmarks: Callable[[str], Sequence[str]]
) -> tuple[Result, ...]:
    """Return the numbers that state an outcome, in the order of the text.

    Args:
        sentences: of an abstract or digest, with their roles.
        benchmarks: returns the known benchmarks that a piece of text names, in order.
    """
    return tuple(
        result for item in sentences if _may_state(item) for result in _results_in(item, benchmarks)
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
    r"|scores?|coefficients?|correlations?"
)
_SIGN = r"(?P<sign>[+\-−–±]\s?)?"
_JOIN = r"\s?(?:-|–|—|to|→|vs\.?|versus)\s?"
_TIMES = r"×(?!\s?\d)|[xX](?![\w-]|\s?\d)|[- ]?fold\b|\s?times\b(?=\s(?:as|higher|lower|faster"
_TIMES += r"|slower|more|less|fewer|smaller|better|the|over|speed|cheaper|shorter|greater))"
_UNIT = (
    rf"(?P<unit>\s?\\?%|\s?(?:percent|per cent|percentage)\b(?:[- ]points?\b)?|\s?{_TIMES}"
    rf"|\s?(?:absolute |percentage |p\.?)?(?:\b(?:{_MEASURES}) )?\s?(?:points?\b|pp\b|p\.p\.))"
)
_NUMBER = re.compile(
    rf"(?<![\w.@^_,/$-]){_SIGN}"
    rf"(?P<value>(?:{_NUMERAL})(?:\s?\\?%?[×x]?{_JOIN}[+\-−]?(?:{_NUMERAL}))?)"
    rf"{_UNIT}"
)
_IN_WORDS = re.compile(
    rf"(?<![\w-])(?P<value>{_WORD_NUMERAL})(?P<unit>\s(?:percent|per cent)\b(?:[- ]points?\b)?)",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    rf"(?P<unit>\b(?:{_MEASURES}))(?:\s(?:scores?|rates?))?\s?"
    rf"(?:of|to|at|is|reaches|reaching|=|:|by|\()\s?(?:about |only |up to |over )?"
    rf"(?P<value>\d*\.\d+|\d{{2,3}})(?![\w%×/-]|\.\d|\s?(?:%|×|percent|points))"
)
_VALUED = re.compile(
    rf"(?<![\w.@^_,/$-]){_SIGN}(?P<value>\d+\.\d+|(?<=\bof )\d{{2,3}}|(?<=\bat )\d{{2,3}})\s"
    rf"(?:absolute |top-1 |macro[- ]|average |mean )?(?P<unit>(?:{_MEASURES}))\b"
)
_SHIFTED = re.compile(
    r"\bfrom\s(?P<value>\d*\.\d+\s(?:\([^)]*\)\s)?to\s\d*\.\d+)(?![\w%×-]|\.\d|\s?(?:%|×))"
)
# Measures of effect, as medicine and the social sciences print them: "OR = 1.83", "HR, 0.72".
_RATIOS = r"a?OR|AOR|a?HR|AHR|a?RR|a?IRR|SMD|WMD"
_EFFECT = re.compile(
    rf"(?<![\w-])(?P<unit>(?:{_RATIOS}|(?:odds|hazards?|risk|rate) ratio|relative risk"
    r"|(?:standardi[sz]ed |weighted )?mean difference"
    r"|Cohen['’]s d|Hedges['’]s? g|Cronbach['’]s (?:alpha|α)))"
    rf"(?:\s?[\[(](?:{_RATIOS})[\])])?\s?(?:of|was|is|=|:|,)?\s?"
    r"(?P<value>[-−–]?\d*\.\d+)(?![\w%]|\.\d|\s?%)"
)
# Letters of a sentence; every number in it is held against all the words around.
_LONGEST = 3_000
_STATED = (_NUMBER, _IN_WORDS, _MEASURED, _VALUED, _SHIFTED, _EFFECT)
_DIGIT = re.compile(r"\d")

_CLAUSE_END = re.compile(
    r"[;.:]|,\s(?:and (?![A-Z])|but|while|which|with|whereas|a|an|the|compared|\w+ing)\b"
)
_PLACED = re.compile(r"\b(?:on|in|for|over|across)\s(?P<names>.*)", re.DOTALL)
_SEVERAL = re.compile(r"(?:,|\band|&)\s(?:the\s)?[A-Z]")
_MATERIAL_BEHIND = re.compile(
    r"\s*(?:of(?:\s[\w-]+){0,4}?\s(?:data|datasets?|samples?|examples?|tokens?|labels?|annotations?"
    r"|annotation effort|corpus|papers|respondents|participants|prompts|training set|size"
    r"|parameters|weights|layers|neurons)\b"
    r"|(?:[\w-]+\s){0,2}?(?:labell?ed|annotated|training data|larger|bigger|resolution"
    r"|super-resolution|zoom)\b)",
    re.IGNORECASE,
)
_SETTING_BEHIND = re.compile(
    r"\s*(?:sparsity|sparse|confidence|CI\b|noise|contamination|missing|masking|pruning|quantil"
    r"|[\w-]+ budget|significance|threshold|poison|dropout|train|test|holdout|split)\b",
    re.IGNORECASE,
)
_SETTING_BEFORE = re.compile(
    r"(?:\btop[- ]?|\bp\s?[<=>]\s?|\bCI\b\s?[:=,]?\s?[\[(]?"
    r"|\b(?:levels?|ratios?|thresholds?|budgets?|rates?) (?:of|at) "
    r"(?:only |just )?|\bonly with "
    r"|\b(?:with|using|on|given) (?:only |just |as little as |less than "
    r"|merely )*(?:~|about |roughly )?|\bfrom (?:only|just) |@)$",
    re.IGNORECASE,
)
_SUCCESS_RATE = re.compile(
    r"(?:success|pass|win|accuracy|error|solve|resolution|refusal|completion|hit|detection|recall"
    r"|acceptance|failure|attack|positive|negative|compliance|agreement|resolve|violation)\s"
    r"rates? (?:of|at) (?:only |just )?$",
    re.IGNORECASE,
)
_RISING = (
    r"improv\w*|enhanc\w*|gain\w*|increas\w*|rais\w+|boost\w*|lift\w*|outperform\w*|surpass\w*|beat\w*"
    r"|exceed\w*|speed-?ups?|accelerat\w*|adds?|adding|ris(?:es|ing)|rose|grow\w*|margins?|advantages?|leads?|leading"
)
_FALLING = (
    r"reduc\w*|lowers?|lowering|decreas\w*|cuts?|cutting|drop\w*|declin\w*|sav\w+|shrink\w*"
    r"|degrad\w*|loss|falls?|underperform\w*"
)
_CHANGE_BEHIND = re.compile(
    r"\s?(?:points?\s)?(?:(?!(?:and|or|but|while|with|that|which|as|compared|for|on|in|of|to|by"
    r"|from|at)\b)[\w-]+\s){0,3}?"
    rf"(?:(?P<up>{_RISING}|higher|faster|more|better|greater|over|above)"
    rf"|(?P<down>{_FALLING}|lower|fewer|less|smaller|slower|cheaper|shorter|worse|below))\b",
    re.IGNORECASE,
)
_CHANGE_BEFORE = re.compile(
    rf"\b(?:(?P<up>{_RISING})|(?P<down>{_FALLING}))\b(?P<between>[^;]*)$", re.IGNORECASE
)
_FOUND = re.compile(r"\bwe (?:\w+ )?(?:find|found|observed?) ", re.IGNORECASE)
_ABOUT = (
    r"(?:\s?(?:an?|up to|as much as|nearly|over|more than|approximately|about|around|roughly|almost"
    r"|at least|average|mean|absolute|additional|relative|of|another|further|[~≈≥>]))*\s?"
)
_BY = re.compile(rf"^(?:.*\bby{_ABOUT}|\s(?:[\w-]+\s){{0,2}}(?:of{_ABOUT})|{_ABOUT}|\s?\()$")
_AND = re.compile(
    r"^(?:[^,;]*(?:,|\band|\bor)(?:\sand)?(?:\sby)?|(?:,|,?\sand)\s[\w\s-]+\sby)(?=\s)"
    rf"{_ABOUT}$"
)
_ONLY_AND = re.compile(r"^,?\s(?:(?:and|or)\s)?$")
_TO = re.compile(
    r"\b(?:(?<!up )to|at|is|reaches|reaching|achiev\w+|attain\w+)\s"
    r"(?:only |just |below |under |above |over |nearly |about |around |an? )*[<>≥≤~≈]?$",
    re.IGNORECASE,
)


def _may_state(item: RoledSentence) -> bool:
    """Whether a sentence of its role may state an outcome; a list of numbers is no sentence."""
    return item.role in ("result", "contribution", "method") and len(item.span.text) <= _LONGEST


def _results_in(
    item: RoledSentence, benchmarks: Callable[[str], Sequence[str]]
) -> Iterator[Result]:
    sentence, text = item.span, item.span.text
    matches = _matches(text)
    directions = _directions(matches, text)
    place, end = "", 0
    ends = [*(match.start() for match in matches[1:]), len(text)][: len(matches)]
    for match, direction, behind in zip(matches, directions, ends, strict=True):
        place = _place(text, match, text[end : match.start()], behind, place, benchmarks)
        end = match.end()
        is_expected = item.role == "result" or bool(
            direction or _FOUND.search(text, 0, match.start())
        )
        if _is_outcome(match, text, is_expected):
            yield Result(
                _printed(match["value"]),
                _unit(match),
                direction,
                place,
                _span(match, sentence.start),
                sentence,
            )


def _printed(value: str) -> str:
    """Return a value without units inside (`5 % – 9`) and without blanks that a page left."""
    return re.sub(
        r"(?<=\d)\.\s(?=\d)", ".", re.sub(r"\s+", " ", re.sub(r"\s?\\?%", "", value))
    ).strip()


def _span(match: re.Match[str], offset: int) -> Span:
    """Return where a number stands, with its sign, and its unit where that is behind it."""
    start = match.start("value")
    if (match.groupdict().get("unit") or "") and match.start("unit") > start:
        start = match.start()
        return Span(offset + start, offset + match.end(), match.group())
    return Span(offset + start, offset + match.end("value"), match["value"])


def _place(
    text: str,
    match: re.Match[str],
    between: str,
    behind: int,
    earlier: str,
    benchmarks: Callable[[str], Sequence[str]],
) -> str:
    """Return the benchmark of a number: named behind it, else that of the number before it."""
    clause = _CLAUSE_END.split(text[match.end() : behind], maxsplit=1)[0]
    for piece in (clause, between):
        if placed := _PLACED.search(piece):
            named = benchmarks(placed["names"])
            return named[0] if len(named) == 1 and not _SEVERAL.search(placed["names"]) else ""
    named = benchmarks(text[: match.start()])
    return earlier or (named[0] if len(named) == 1 == len(benchmarks(text)) else "")


def _matches(text: str) -> list[re.Match[str]]:
    """Return the numbers with a unit or measure, in order; where two overlap, the first found."""
    found: list[re.Match[str]] = []
    # Most sentences hold nothing that a pattern could find.
    has_digit, has_words = _DIGIT.search(text), "cent" in text.lower()
    for pattern in _STATED:
        if not (has_words if pattern is _IN_WORDS else has_digit):
            continue
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


def _is_outcome(match: re.Match[str], text: str, is_expected: bool) -> bool:
    """Whether the words around a number say that it was measured, and not chosen or counted."""
    before, behind = text[: match.start()], text[match.end() :]
    if _MATERIAL_BEHIND.match(behind) or _SETTING_BEHIND.match(behind):
        return False
    if _SETTING_BEFORE.search(before):
        return bool(_SUCCESS_RATE.search(before) or _CHANGE_BEHIND.match(behind))
    return is_expected


def _directions(matches: Sequence[re.Match[str]], text: str) -> list[Direction]:
    """Return which way each number points; what is said of one holds for a list of them."""
    found: list[Direction] = []
    for index, match in enumerate(matches):
        end = matches[index + 1].start() if index + 1 < len(matches) else len(text)
        between = text[matches[index - 1].end() if index else 0 : match.start()]
        said = _direction(match, between, end)
        inherits = not said and index and _AND.match(between) and not _TO.search(between)
        found.append(found[-1] if inherits else said)
    for index in range(len(matches) - 2, -1, -1):
        between = text[matches[index].end() : matches[index + 1].start()]
        if not found[index] and _ONLY_AND.match(between):
            found[index] = found[index + 1]
    return found


def _direction(match: re.Match[str], before: str, end: int) -> Direction:
    """Return which way a number points, by its sign or by the words beside it.

    Args:
        before: the text between the number before it, or the start of the sentence, and itself.
        end: where the next number starts.
    """
    if sign := (match.groupdict().get("sign") or "").strip():
        return "up" if sign == "+" else "down" if sign in "−-–" else ""
    if behind := _CHANGE_BEHIND.match(match.string, match.end(), end):
        return "up" if behind["up"] else "down"
    if "→" in match["value"] or _TO.search(before):
        return ""
    last = _last_change(before)
    if last and _BY.match(last["between"]):
        return "up" if last["up"] else "down"
    return ""


def _last_change(before: str) -> re.Match[str] | None:
    """Return the last word of change in a text, with all that stands behind it."""
    last, start = None, 0
    while found := _CHANGE_BEFORE.search(before, start):
        last, start = found, found.start() + 1
    return last
