"""Short names of papers: the part of the title before a colon, or else the whole title."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from classifier.survey.entry import SurveyPaper
from classifier.survey.wording import citation_links, escape_cell
from classifier.text.clean import clean_title

# "WebDancer: Towards …", "SkillFlow:Benchmarking …", "AITEE – Agentic Tutor …".
_BREAK = re.compile(r"(?<=\w\)): ?(?=\S)|(?<=\w): ?(?=[^\W\d])| [–—-] ")
_MAX_NAME = 75
"""Maximum length of a name, in characters; a longer part before a colon is a phrase."""
_MAX_TITLE = 100
"""Maximum length of a printed title, in characters; longer ones are cut."""
# Parts before a colon that are not names: kinds of texts ("Position") and parts ("Part II").
_KINDS_OF_TEXT = re.compile(
    r"(?:an? |the )?(?:(?:\w+ )?(?:position|survey|review|report|perspective|tutorial|opinion"
    r"|research|original|feature|data|short|brief)(?: (?:paper|article|communication))?"
    r"|(?:\w+ )?case (?:report|series)s?|(?:case )?study"
    r"|(?:invited |guest )?(?:comment(?:ary)?|editorial|letter|reply|response|viewpoint"
    r"|correspondence|erratum|correction)(?: (?:on|to|by) .*)?|part \w+|retract(?:ed|ion)\b.*)$",
    re.IGNORECASE,
)

# In "Online Gambling Addiction: The Relationship between …" the part before the colon is a subject.
_STUDIES = re.compile(
    r"(?:The|Its|An?) (?:systematic|scoping|cross-sectional|randomi[sz]ed|longitudinal|qualitative"
    r"|case|cohort|retrospective|prospective|relationship|association|effects?|impacts?|role"
    r"|prevalence|influence|contribution)\b",
    re.IGNORECASE,
)
# "2020 :" and "Cu₂O: a catalyst" are not names, because many papers have them.
_YEAR_OR_FORMULA = re.compile(r"\d+|\S*[₀-₉]\S*|[A-Z][a-z]?[–-][A-Z][a-z]?")
_COINED_WORD = re.compile(r"[A-Z]\S*[A-Z]|\d")

# Function words and signs at the end of a cut title: "… in Theory and Practice: A".
_DANGLING_END = re.compile(
    r"(?:[\s,;:–—-]+(?:an?|and|as|at|between|by|during|for|from|in|its|of|on|or|over|the|to|under"
    r"|using|via|with))*[\s,;:–—-]*$",
    re.IGNORECASE,
)


@lru_cache(maxsize=2**14)  # sentences, tables and pages repeat the names
def short_name(title: str) -> str:
    """Return the name that a paper has in its title; if there is none, the title.

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
    colon = _BREAK.search(title)
    if colon:
        name, rest = title[: colon.start()], title[colon.end() :]
        if len(name) <= _MAX_NAME and not _is_subject(name, rest):
            return name
    return _shorten(title)


def _shorten(title: str) -> str:
    """Return a title, cut at a blank if it is too long."""
    if len(title) <= _MAX_TITLE:
        return title
    cut = title[:_MAX_TITLE]
    whole_words = cut.rpartition(" ")[0] or cut  # Chinese and Japanese have no spaces
    return f"{_DANGLING_END.sub('', whole_words)} …"


def _is_subject(name: str, rest: str) -> bool:
    """Return whether the words before a colon state a subject or a type of text, not a name.

    rest: the title after the colon. Several words of which the last is in lower case are a subject
    if the title continues in lower case ("Psoas abscess: a rare complication"). A single word is
    a name ("vLLM: an engine", "Digger: a spade").
    """
    last = name.split()[-1]
    is_phrase = " " in name and last[:1].islower() and rest[:1].islower()
    opened = name.count("(") + name.count("“") > name.count(")") + name.count("”")
    is_open = opened or name.count('"') % 2 == 1
    is_substance = _YEAR_OR_FORMULA.fullmatch(name) is not None
    is_all_capitals = (name + rest).isupper() and " " in name
    is_plain = name.startswith("The ") and not re.search(r"[A-Z0-9]", name[1:])
    is_studied = " " in name and not _COINED_WORD.search(name) and _STUDIES.match(rest) is not None
    is_part = is_open or is_substance or is_all_capitals or is_plain or is_phrase or is_studied
    return is_part or _KINDS_OF_TEXT.match(name) is not None


def mark_namesakes(entries: Sequence[SurveyPaper]) -> tuple[SurveyPaper, ...]:
    """Set `has_namesake` in papers whose short name another paper has too."""
    names = [short_name(entry.paper.title_display).casefold() for entry in entries]
    count = Counter(names)
    return tuple(
        replace(entry, has_namesake=count[name] > 1)
        for entry, name in zip(entries, names, strict=True)
    )


def name_of(entry: SurveyPaper) -> str:
    """Return the short name of a paper; its title if another paper has the same name.

    The name of a retracted paper is marked.
    """
    title = entry.paper.title_display
    name = _shorten(clean_title(title)) if entry.has_namesake else short_name(title)
    return entry.paper.mark_if_retracted(name)


def page_link(entry: SurveyPaper) -> str:
    """Return the name of a paper as a link to its page, with its reference number."""
    return f"[{escape_cell(name_of(entry))}](p/{entry.slug}.html) {citation_links([entry])}"


def cited_name(entry: SurveyPaper) -> str:
    """Return the name of a paper with its linked reference number, for use in a sentence."""
    return f"*{escape_cell(name_of(entry))}* {citation_links([entry])}"
