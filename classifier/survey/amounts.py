"""Amounts as texts print them: what was made or studied, and what a thing took."""

from __future__ import annotations

import re
from collections.abc import Sequence

from classifier.survey.entry import Entry
from classifier.text.roles import RoledSentence

_NUMBER = (
    r"(?<![\w$.,-])(?:(?:over|about|around|more than|approximately|some|nearly|roughly|up to)\s)?"
    r"(?:\d[\d,.]*(?:\s?[KMBT]\b|\s(?:thousand|million|billion|trillion))?"
    r"|(?:(?:half )?an?|one|two|three|several) (?:thousand|million|billion|trillion)"
    r"|(?:thousand|million|billion)(?=-))"
)
_MAY_HOLD = re.compile(r"\d|thousand|illion", re.IGNORECASE)
"""In every amount: most sentences hold none, which is soon seen."""
# "100 tokens per second" is a speed, "a context of 128K tokens" a setting.
_TOOK = re.compile(
    rf"(?<!context of )(?<!window of ){_NUMBER}[- ](?:[\w-]+\s){{0,2}}?"
    r"(?:GPU[- ](?:hours|days)|GPUs|tokens|(?:API|LLM|tool|function|model) calls|turns"
    r"|hours|days|weeks)\b(?! per\b)(?! (?:context|window))",
    re.IGNORECASE,
)
_MADE = re.compile(
    rf"{_NUMBER}(?:\s(?:[\w-]+\s){{0,3}}?(?:tasks|trajectories|environments|samples|examples|pairs"
    r"|instances|queries|questions|demonstrations|episodes|problems|dialogues|websites|sites"
    r"|responses|elements|events|screenshots)"
    r"|-(?:task|trajectory|sample|pair|example|question)\b(?= \w))\b",
    re.IGNORECASE,
)
_MAKING = re.compile(
    r"\b(?:generat|synthesi|collect|releas|curat|buil[dt]|construct|produc|creat|annotat|yield"
    r"|contribut|distil|gather|present|introduc|propos|train|dataset|corpus|benchmark of)\w*",
    re.IGNORECASE,
)
Amounts = list[tuple[Entry, RoledSentence, list[str]]]
"""A paper, one of its sentences, and the amounts in it as printed."""


def made(entries: Sequence[Entry]) -> Amounts:
    """Return how many tasks, trajectories and the like texts name where they tell of making."""
    return [found for found in _amounts(entries, _MADE) if _MAKING.search(found[1].words)]


def took(entries: Sequence[Entry]) -> Amounts:
    """Return how many GPU hours, tokens, calls, days and the like texts name."""
    return _amounts(entries, _TOOK)


def _amounts(entries: Sequence[Entry], pattern: re.Pattern[str]) -> Amounts:
    return [
        (entry, sentence, amounts)
        for entry in entries
        for sentence in entry.sentences
        if sentence.role not in ("problem", "limit")
        and _MAY_HOLD.search(sentence.words)
        and (amounts := [match.group() for match in pattern.finditer(sentence.words)])
    ]
