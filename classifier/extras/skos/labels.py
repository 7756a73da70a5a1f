"""Labels of a thesaurus as cues, and cues as labels."""

from __future__ import annotations

import re
from collections.abc import Iterable

from classifier.taxonomy.cue import OPEN_WORD, Cue, CueError, Pattern, inflections, parse_cue
from classifier.taxonomy.model import Category

# "Bridges (dentistry)": the qualifier tells homonyms apart, but nobody writes it in a sentence.
_QUALIFIER = re.compile(r"(?<=\S)\s*\([^()]*\)\s*$")


def labels_of(category: Category) -> tuple[list[str], list[str]]:
    """Return the alternative and the hidden labels of a category, sorted.

    Aliases and title cues that are plain phrases are fit to be shown; every other supporting cue
    without an open word is hidden: it finds the concept, but does not name it. No label stands
    twice (SKOS Reference, S13).
    """
    phrases = [cue for cue in category.cues.title if " " in cue and "~" not in cue]
    shown = {*category.aliases, *filter(None, map(label_of, phrases))} - {category.name}
    supporting = (*category.cues.title, *category.cues.contribution, *category.cues.anywhere)
    hidden = {*filter(None, map(label_of, supporting))} - shown - {category.name}
    return sorted(shown), sorted(hidden)


def label_of(cue: str) -> str:
    """Return the phrase of a cue without its inflection marks; "" where it has an open word."""
    return "" if OPEN_WORD in cue.split() else cue.replace("~", "")


def cues_of(preferred: str, others: Iterable[str], *, english: bool) -> dict[str, list[str]]:
    """Return view -> cues made of the labels of a concept.

    The preferred label and labels of one word count in the title only, where they are nearly
    certain; labels of several words count anywhere. In English a plural stands for its inflections.

    >>> cues_of("Neural networks", ["ANN", "connectionist model"], english=True)
    {'title': ['Neural network~', 'ANN'], 'anywhere': ['Neural network~', 'connectionist model']}
    """
    first = as_cue(preferred, english=english)
    cues = _distinct([first, *(as_cue(label, english=english) for label in others)])
    title = [cue for cue in cues if cue == first or " " not in cue]
    anywhere = [cue for cue in cues if " " in cue]
    return {view: found for view, found in (("title", title), ("anywhere", anywhere)) if found}


def as_cue(label: str, *, english: bool) -> str:
    """Return the cue that looks for a label, without its qualifier; "" where none can."""
    words = re.sub("[~_]", " ", _QUALIFIER.sub("", label)).split()
    if english and words:
        words[-1] = _singular(words[-1])
    cue = " ".join(words)
    return cue if _parsed(cue) else ""


def _singular(word: str) -> str:
    """Return a plural as its base form with `~`; any other word as it is.

    >>> [_singular(word) for word in ("agents", "studies", "boxes", "analyses", "bias", "Memory")]
    ['agent~', 'study~', 'box~', 'analysis~', 'bias', 'Memory']
    """
    if len(word) < 4 or not word.isascii() or not word.isalpha() or not word[-2:].islower():
        return word
    for ending, base_ending in _PLURALS:
        if word.endswith(ending):
            base = word.removesuffix(ending) + base_ending
            is_plural = base != word and word.lower() in inflections(base.lower())
            return f"{base}~" if is_plural else word
    return word


# The first that fits decides; an ending of the singular stands for itself.
_PLURALS = (
    ("series", "series"), ("species", "species"),
    ("ss", "ss"), ("us", "us"), ("is", "is"), ("as", "as"),
    ("ies", "y"), ("yses", "ysis"), ("theses", "thesis"),
    ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"),
    ("s", ""),
)  # fmt: skip


def _distinct(cues: Iterable[str]) -> list[str]:
    """Return the cues without empty ones and without those that match the same as an earlier."""
    distinct: dict[frozenset[Pattern], str] = {}
    for cue in cues:
        if parsed := _parsed(cue):
            distinct.setdefault(frozenset(parsed.alternatives), cue)
    return [*distinct.values()]


def _parsed(cue: str) -> Cue | None:
    try:
        return parse_cue(cue)
    except CueError:
        return None
