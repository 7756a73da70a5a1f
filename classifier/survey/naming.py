"""Which papers name another by its own name: WebArena, GPT-4."""

from __future__ import annotations

import re
from collections.abc import Sequence

from classifier.survey.entry import Entry
from classifier.survey.names import NO_OTHER_NAME
from classifier.survey.paper_names import short_name
from classifier.survey.survey import Survey

_WORD_OF_TITLES = 0.02
_WORD = re.compile(r"\w+")
_FORMULA = re.compile(r"(?!.*[A-Za-z]{3}).*")
"""Of a substance: “Cu–O”, “TiO2”."""
_OWN_NAME = re.compile(r"(?=\S*[A-Z0-9])(?=\S*[A-Za-z])[^\s,;:]{4,}|[A-Z]{3}")
"""A name that is no plain word: "WebArena", "GPT-4"; as the part of a title before its colon."""


def naming(material: Survey, entry: Entry) -> list[Entry]:
    """Return the other papers whose text holds a paper's own name; none where it has no such name
    or that is a word of the field."""
    if not material.asked.get(("texts",)):  # so that no name is sought in every text
        material.asked[("texts",)] = list(material.entries)
        for each in material.entries:
            for word in set(_WORD.findall(_text(each))):
                material.asked.setdefault(("text", word), []).append(each)
    name = short_name(entry.paper.title_display)
    is_own = _OWN_NAME.fullmatch(name) and not (name[1:].isalpha() and name[1:].islower())
    if entry.has_namesake or not is_own or _FORMULA.fullmatch(name):
        return []
    able = material.asked.get(("text", _WORD.findall(name)[0]), [])
    if _is_a_word(name, able, len(material.entries)):
        return []
    whole = re.compile(rf"(?<!\w){NO_OTHER_NAME}{re.escape(name)}(?!\w)")
    return [each for each in able if each is not entry and whole.search(_text(each))]


def _text(entry: Entry) -> str:
    return f"{entry.paper.title_display} {entry.paper.abstract_display}"


def _is_a_word(name: str, able: Sequence[Entry], total: int) -> bool:
    """Say whether a name is a word of the field: “Cu₂O” where many titles have it."""
    titles = sum(name in entry.paper.title_display for entry in able)
    return titles > max(2, _WORD_OF_TITLES * total)
