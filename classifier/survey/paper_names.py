"""How prose calls a paper: by the name before the colon of its title, else by its title."""

from __future__ import annotations

import re

from classifier.survey.edition import Entry
from classifier.survey.escape import escape_cell
from classifier.survey.wording import citations

# "WebDancer: Towards …", "SkillFlow:Benchmarking …", "AITEE – Agentic Tutor …".
_BREAK = re.compile(r"(?<=\w\)): ?(?=\S)|(?<=\w): ?(?=[^\W\d])| [–—-] ")
# A longer part before the colon is a phrase, and the whole title says more.
_LONGEST_NAME = 75
_LONGEST_TITLE = 100
# Words before a colon that name a kind of text, or a part of it, and no paper.
_KINDS_OF_TEXT = re.compile(
    r"(?:an? )?(?:position(?: paper)?|survey|review|(?:technical )?report|perspective|tutorial"
    r"|(?:case )?study|part \w+)$",
    re.IGNORECASE,
)


def short_name(title: str) -> str:
    """Return the name by which a paper is known, as its title has it.

    >>> short_name("WebDancer: Towards Autonomous Information Seeking Agency")
    'WebDancer'
    >>> short_name("Position: Agents Need Brakes")
    'Position: Agents Need Brakes'
    """
    found = _BREAK.search(title)
    name = title[: found.start()] if found else ""
    if name and len(name) <= _LONGEST_NAME and not _KINDS_OF_TEXT.match(name):
        return name
    if len(title) <= _LONGEST_TITLE:
        return title
    return f"{title[:_LONGEST_TITLE].rpartition(' ')[0].rstrip(',;:')} …"


def called(entry: Entry) -> str:
    """Return how a sentence names a paper: its short name and its linked number."""
    return f"*{escape_cell(short_name(entry.paper.title_display))}* {citations([entry])}"
