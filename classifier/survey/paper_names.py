"""How prose calls a paper: by the name before the colon of its title, else by its title."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from classifier.survey.entry import SurveyPaper
from classifier.survey.wording import citations, escape_cell
from classifier.text.clean import clean_title

# "WebDancer: Towards …", "SkillFlow:Benchmarking …", "AITEE – Agentic Tutor …".
_BREAK = re.compile(r"(?<=\w\)): ?(?=\S)|(?<=\w): ?(?=[^\W\d])| [–—-] ")
# A longer part before the colon is a phrase, and the whole title says more.
_LONGEST_NAME = 75
_LONGEST_TITLE = 100
# Words before a colon that name a kind of text, or a part of it, and no paper.
_KINDS_OF_TEXT = re.compile(
    r"(?:an? |the )?(?:(?:\w+ )?(?:position|survey|review|report|perspective|tutorial|opinion"
    r"|research|original|feature|data|short|brief)(?: (?:paper|article|communication))?"
    r"|(?:\w+ )?case (?:report|series)s?|(?:case )?study"
    r"|(?:invited |guest )?(?:comment(?:ary)?|editorial|letter|reply|response|viewpoint"
    r"|correspondence|erratum|correction)(?: (?:on|to|by) .*)?|part \w+|retract(?:ed|ion)\b.*)$",
    re.IGNORECASE,
)

# "Online Gambling Addiction: The Relationship between …": what stands before is what is studied.
_STUDIES = re.compile(
    r"(?:The|Its|An?) (?:systematic|scoping|cross-sectional|randomi[sz]ed|longitudinal|qualitative"
    r"|case|cohort|retrospective|prospective|relationship|association|effects?|impacts?|role"
    r"|prevalence|influence|contribution)\b",
    re.IGNORECASE,
)
# "2020 :", "Cu₂O: a catalyst": what many papers are of.
_YEAR_OR_FORMULA = re.compile(r"\d+|\S*[₀-₉]\S*|[A-Z][a-z]?[–-][A-Z][a-z]?")
_COINED = re.compile(r"[A-Z]\S*[A-Z]|\d")

# "… in Theory and Practice: A": where a long title is cut, no small word is left over.
_HANGING = re.compile(
    r"(?:[\s,;:–—-]+(?:an?|and|as|at|between|by|during|for|from|in|its|of|on|or|over|the|to|under"
    r"|using|via|with))*[\s,;:–—-]*$",
    re.IGNORECASE,
)


@lru_cache(maxsize=2**14)  # sentences, tables and pages name the same papers
def short_name(title: str) -> str:
    """Return the name by which a paper is known, as its title has it.

    >>> short_name("WebDancer: Towards Autonomous Information Seeking Agency")
    'WebDancer'
    >>> short_name("Position: Agents Need Brakes")
    'Position: Agents Need Brakes'
    >>> short_name("Proteins of Sarcoptes (Acari: Sarcoptidae)")
    'Proteins of Sarcoptes (Acari: Sarcoptidae)'
    >>> short_name("[Psoas abscess: the spine as a source].")
    'Psoas abscess: the spine as a source'
    """
    title = clean_title(title)
    found = _BREAK.search(title)
    name = title[: found.start()] if found else ""
    if found and len(name) <= _LONGEST_NAME and not _is_subject(name, title[found.end() :]):
        return name
    return _fitting(title)


def _fitting(title: str) -> str:
    if len(title) <= _LONGEST_TITLE:
        return title
    cut = title[:_LONGEST_TITLE]  # Chinese and Japanese set no spaces
    return f"{_HANGING.sub('', cut.rpartition(' ')[0] or cut)} …"


def _is_subject(name: str, rest: str) -> bool:
    """Whether what stands before a colon is no name: a kind of text, or what many papers study.

    "Psoas abscess: a rare complication" goes on in small letters, as one phrase does; "vLLM: an
    engine" and "Digger: a spade" are names all the same.
    """
    last = name.split()[-1]
    is_phrase = " " in name and last[:1].islower() and rest[:1].islower()
    opened = name.count("(") + name.count("“") > name.count(")") + name.count("”")
    is_open = opened or name.count('"') % 2 == 1
    is_substance = _YEAR_OR_FORMULA.fullmatch(name) is not None
    is_loud = (name + rest).isupper() and " " in name
    is_plain = name.startswith("The ") and not re.search(r"[A-Z0-9]", name[1:])
    is_studied = " " in name and not _COINED.search(name) and _STUDIES.match(rest) is not None
    is_part = is_open or is_substance or is_loud or is_plain or is_phrase or is_studied
    return is_part or _KINDS_OF_TEXT.match(name) is not None


def mark_namesakes(entries: Sequence[SurveyPaper]) -> tuple[SurveyPaper, ...]:
    """Return the papers, with those marked that share a short name with another."""
    names = [short_name(entry.paper.title_display).casefold() for entry in entries]
    count = Counter(names)
    return tuple(
        replace(entry, has_namesake=count[name] > 1)
        for entry, name in zip(entries, names, strict=True)
    )


def name_of(entry: SurveyPaper) -> str:
    """Return the short name of a paper, or its title if another paper has the same name.

    The name of a retracted paper is marked.
    """
    title = entry.paper.title_display
    name = _fitting(clean_title(title)) if entry.has_namesake else short_name(title)
    return entry.paper.marked(name)


def cited_name(entry: SurveyPaper) -> str:
    """Return how a sentence names a paper: its name and its linked number."""
    return f"*{escape_cell(name_of(entry))}* {citations([entry])}"
