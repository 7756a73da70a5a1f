"""Find comparable numbers in several papers: scores, costs and savings, quantities.

A level is a result on one version of a benchmark. An amount is a quantity such as a number of tasks
or of GPU hours, printed as in the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import short_name
from classifier.text.result import Result
from classifier.text.result_words import SPENT, result_kind, saved_resource
from classifier.text.roles import MAX_SENTENCES, RoledSentence

_COMPARED = re.compile(
    r"\b(?:against|than|compared|versus|vs|over|instead of|relative to)\b", re.IGNORECASE
)
_EACH = re.compile(r"s (?:each|both) ")
"""“Both verifiers each reach 43 %” is not the level of one system."""
_SAVING_PHASES = {
    "people's work": r"\b(?:coding|development|annotation|writing) time\b",
    "use": r"\binference\b|\blatency\b|\btest-time\b|\bper (?:query|task)\b|\btokens\b"
    r"|\bsteps\b|\buse tools\b|\boperational\b",
    "training": r"\b(?:post-?)?training\b|\bGPU hours\b|\bRL(?:HF|VR)?\b",
}
"""Phase in which a cost is saved -> pattern for the clause or the title; the first match counts."""
MIN_PAPERS = 3
"""Minimum number of papers with a level of their own on a version of a benchmark."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A system whose benchmark score differs between its own paper and another paper."""

    benchmark: str
    system: str
    own: tuple[SurveyPaper, Result]
    """The paper of the system, and its first level on the benchmark."""
    other: tuple[SurveyPaper, Result]


def own_levels(entries: Sequence[SurveyPaper]) -> dict[str, list[tuple[SurveyPaper, Result]]]:
    """Return the scores of papers' own systems by version of a benchmark, oldest first."""
    levels: dict[str, list[tuple[SurveyPaper, Result]]] = {}
    for entry in sorted(
        entries, key=lambda entry: (entry.paper.published.date or "9", entry.number)
    ):
        for result in entry.results:
            is_level = result_kind(result) == "level" and result.whose == "own"
            is_of_several = not result.system and _EACH.search(result.split_clause[0])
            if result.benchmark and is_level and not result.split and not is_of_several:
                levels.setdefault(result.benchmark, []).append((entry, result))
    return dict(sorted(levels.items()))


def comparable_levels(
    entries: Sequence[SurveyPaper],
) -> dict[str, list[tuple[SurveyPaper, Result]]]:
    """Return the scores on those benchmark versions for which enough papers report a score."""
    return {
        name: found
        for name, found in own_levels(entries).items()
        if len({entry.number for entry, _ in found}) >= MIN_PAPERS
    }


def savings(entries: Sequence[SurveyPaper]) -> dict[str, list[tuple[SurveyPaper, list[Result]]]]:
    """Return by resource the papers that report a saving of it or a cost in money.

    A time or a number of steps counts only if its clause compares it with another. Each clause of a
    paper is one item, with all its numbers on the same resource.
    """
    found: dict[str, dict[tuple[int, str], tuple[SurveyPaper, list[Result]]]] = {}
    for entry in entries:
        for result in entry.results:
            is_its_own = not _FOREIGN_RUNTIME.search(result.clause.text)
            if is_its_own and (spent := saved_resource(result)) and _is_compared(result):
                clauses = found.setdefault(spent, {})
                clause = clauses.setdefault((entry.number, result.clause.text), (entry, []))
                clause[1].append(result)
    return {spent: list(found[spent].values()) for spent in SPENT if spent in found}


def _is_compared(result: Result) -> bool:
    """Return whether a saving is a share, a sum of money, or compared within its clause."""
    is_share = result.unit in ("%", "×") or result.kind != "cost"
    return (
        is_share or result.unit_kind == "money" or _COMPARED.search(result.clause.text) is not None
    )


# "Cuts the runtime by a third" is about the code that a system writes, not about the system.
_FOREIGN_RUNTIME = re.compile(r"\bruntimes?\b", re.IGNORECASE)


def saving_phase(entry: SurveyPaper, result: Result) -> str:
    """Return the phase in which a result saves costs (a key of `_SAVING_PHASES`), or ""."""
    for text in (result.clause.text, entry.paper.title_display):
        for phase, words in _SAVING_PHASES.items():
            if re.search(words, text, re.IGNORECASE):
                return phase
    return ""


def disagreements(entries: Sequence[SurveyPaper]) -> list[Disagreement]:
    """Return the systems whose score differs between their own paper and another paper.

    Both scores are for the same version of a benchmark, and both clauses name the system.
    """
    found = []
    for benchmark, levels in own_levels(entries).items():
        first_own = {
            short_name(entry.paper.title_display): (entry, level) for entry, level in levels[::-1]
        }
        for entry in entries:
            for result in entry.results:
                if result.system not in first_own or result.benchmark != benchmark:
                    continue
                own_paper, level = first_own[result.system]
                if entry is not own_paper and _contradicts(result, level):
                    own = (own_paper, level)
                    found.append(Disagreement(benchmark, result.system, own, (entry, result)))
    return found


def _contradicts(result: Result, level: Result) -> bool:
    """Return whether a result of another paper is a comparable but different level."""
    is_comparable = (
        result.kind == "level"
        and result.whose in ("baseline", "rival")
        and not result.split
        and result.unit == level.unit
    )
    return is_comparable and result.value != level.value


_NUMBER = (
    r"(?<![\w$.,-])(?:(?:over|about|around|more than|approximately|some|nearly|roughly|up to)\s)?"
    r"(?:\d[\d,.]*(?:\s?[KMBT]\b|\s(?:thousand|million|billion|trillion))?"
    r"|(?:(?:half )?an?|one|two|three|several) (?:thousand|million|billion|trillion)"
    r"|(?:thousand|million|billion)(?=-))(?!\stimes\b)"
)
# "Such" and "resulting" refer to an earlier sentence.
_REFERS_BACK = re.compile(r"\b(?:such|resulting)\s", re.IGNORECASE)
# "Evaluated over 12 tasks" and "Over 12 tasks of Crumb, it wins": across them, not more than 12.
_OVER = re.compile(r"over\s", re.IGNORECASE)
_TESTED = re.compile(
    r"\b(?:evaluat|test|averag|measur|experiment|scor|mean|rate|compar)[\w-]*\s$", re.IGNORECASE
)
_OPENS_SENTENCE = re.compile(r"(?: (?:of|from|in) [^,;]{1,60})?,")
_AMOUNT_HINT = re.compile(r"\d|thousand|illion", re.IGNORECASE)
"""Part of every amount; a quick test, since most sentences have no amount."""
# "100 tokens per second" is a speed, "a context of 128K tokens" a setting.
_AMOUNT_USED = re.compile(
    rf"(?<!context of )(?<!window of ){_NUMBER}[- ](?:[\w-]+\s){{0,2}}?"
    r"(?:GPU[- ](?:hours|days)|GPUs|tokens|(?:API|LLM|tool|function|model) calls|turns"
    r"|hours|days|weeks)\b(?! per\b)(?! (?:context|window))",
    re.IGNORECASE,
)
_AMOUNT_MADE = re.compile(
    rf"{_NUMBER}(?:\s(?:[\w-]+\s){{0,3}}?(?:tasks|trajectories|environments|samples|examples|pairs"
    r"|instances|queries|questions|demonstrations|episodes|problems|dialogues|websites|sites"
    r"|responses|elements|events|screenshots|traces|scenarios|instructions|entries|templates"
    r"|variants|functions)"
    r"|-(?:task|trajectory|sample|pair|example|question)\s(?:[\w-]+\s){0,2}?"
    r"(?:benchmark|collection|corpus|dataset|pool|set|suite))\b",
    re.IGNORECASE,
)
_MAKING = re.compile(
    r"\b(?:generat|synthesi|collect|releas|curat|buil[dt]|construct|produc|creat|annotat|yield"
    r"|contribut|distil|gather|present|introduc|propos|train|dataset|corpus|benchmark of)\w*",
    re.IGNORECASE,
)
_MAX_LENGTH = 3_000
"""Maximum length of a sentence, in characters; a longer one is a list."""
Amounts = list[tuple[SurveyPaper, RoledSentence, list[str]]]
"""A paper, one of its sentences, and the amounts in it as printed."""


def amounts_made(entries: Sequence[SurveyPaper]) -> Amounts:
    """Return the papers that state how many tasks, trajectories and so on their authors made."""
    return [
        found for found in _find_amounts(entries, _AMOUNT_MADE) if _MAKING.search(found[1].words)
    ]


def amounts_used(entries: Sequence[SurveyPaper]) -> Amounts:
    """Return the papers that state quantities of GPU hours, tokens, calls, days and so on."""
    return _find_amounts(entries, _AMOUNT_USED)


def _find_amounts(entries: Sequence[SurveyPaper], pattern: re.Pattern[str]) -> Amounts:
    """Return the papers with a quantity that matches `pattern`, and the sentence that states it."""
    return [
        (entry, sentence, amounts)
        for entry in entries
        for sentence in entry.sentences[:MAX_SENTENCES]
        if len(sentence.words) <= _MAX_LENGTH
        and sentence.role not in ("problem", "limit")
        and _AMOUNT_HINT.search(sentence.words)
        and (amounts := [_amount(match) for match in pattern.finditer(sentence.words)])
    ]


def _amount(match: re.Match[str]) -> str:
    """Return an amount as a phrase that is complete without its sentence."""
    text = _REFERS_BACK.sub("", match.group())
    sentence, start = match.string, match.start()
    is_across = _TESTED.search(sentence, 0, start) or (
        start == 0 and _OPENS_SENTENCE.match(sentence, match.end())
    )
    return _OVER.sub("", text, count=1) if is_across else text
