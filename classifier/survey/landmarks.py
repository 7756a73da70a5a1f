"""Find works that are not in the survey, but that its papers mention."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from classifier.survey.entry import SurveyPaper
from classifier.survey.names import NameFinder
from classifier.survey.paper_names import short_name
from classifier.survey.survey import Survey

MIN_MENTIONS = 3
"""Minimum number of papers that mention a work in the table of landmarks."""
_INTRODUCES = re.compile(
    r"\b(?:along with|introduc|present|propos|releas|contribut|buil[dt]|develop)\w*"
    r"(?:\W+(?!(?:against|beyond|for|from|of|on|over|than|to|using|with)\b)[\w-]+){0,6}\W*$",
    re.IGNORECASE,
)
"""Words before a name that show that the paper introduces the named work."""


@dataclass(frozen=True, slots=True)
class Landmark:
    """A work that is not in the survey."""

    name: str
    spellings: tuple[str, ...]
    is_benchmark: bool
    entries: Sequence[SurveyPaper]
    """The papers that mention it, by reference number."""


def landmarks(survey: Survey) -> list[Landmark]:
    """Return works outside the survey, starting with those that most papers mention.

    They are the landmarks of the taxonomy, except those that have the name of a paper in the
    survey; and the benchmarks that at least `MIN_MENTIONS` papers mention and no paper introduces.
    """
    titled = {short_name(entry.paper.title_display).casefold() for entry in survey.entries}
    texts = [
        (entry, f"{entry.paper.title_display}. {entry.paper.abstract_display}")
        for entry in survey.entries
    ]
    works = [
        Landmark(name, spellings, False, _papers_mentioning(texts, (name, *spellings)))
        for name, spellings in survey.taxonomy.landmarks.items()
        if name.casefold() not in titled
    ]
    found = [*works, *_benchmark_landmarks(survey, titled)]
    return sorted(found, key=lambda each: (-len(each.entries), each.name.casefold()))


def _papers_mentioning(
    texts: Iterable[tuple[SurveyPaper, str]], names: Sequence[str]
) -> list[SurveyPaper]:
    """Return the papers whose title or abstract contains one of these names, in the same case.

    For example, "ReAct-based" contains the name ReAct; "GRPO-RoC" and "Flow-GRPO" are other works.
    """
    either = "|".join(map(re.escape, names))
    whole = re.compile(rf"(?<![\w-])(?:{either})(?!\w|-[A-Z0-9])")
    return [
        entry for entry, text in texts if any(name in text for name in names) and whole.search(text)
    ]


def _benchmark_landmarks(survey: Survey, paper_names: Iterable[str]) -> list[Landmark]:
    """Return the landmarks from the lexicon of benchmarks.

    paper_names: names of papers, case-folded.
    """
    lexicon = survey.roles.benchmarks
    names = survey.taxonomy.lexicons.get(lexicon, {})
    finder = NameFinder(survey.taxonomy.lexicons, survey.roles)
    naming: dict[str, list[SurveyPaper]] = {}
    for entry in survey.entries:
        for name in entry.names.get(lexicon, ()):
            naming.setdefault(name, []).append(entry)
    return [
        Landmark(name, names[name], True, entries)
        for name, entries in naming.items()
        if name in names
        and len(entries) >= MIN_MENTIONS
        and name.casefold() not in paper_names
        and not any(introduces(finder, entry, name) for entry in entries)
    ]


def introduces(finder: NameFinder, entry: SurveyPaper, name: str) -> bool:
    """Return whether a paper introduces the work with this lexicon name."""
    texts = (sentence.span.text for sentence in entry.sentences)
    return any(
        mention.name == name and _INTRODUCES.search(text[: mention.start])
        for text in texts
        for mention in finder.mentions(text)
    )
