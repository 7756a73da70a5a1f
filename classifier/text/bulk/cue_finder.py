"""The phrases and prefixes that cues of roles, and negation, are made of, spelled out once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from functools import lru_cache

from classifier.text import negation
from classifier.text import role_cues as cues
from classifier.text.bulk.phrases import PhraseFinder
from classifier.text.bulk.prefixes import PrefixFinder
from classifier.text.bulk.spelled_out import spelled_out


class Meaning(IntEnum):
    """What a phrase of whole words means, besides the cue that it may be."""

    SELF = 0
    DISCUSSER = 1
    WE = 2
    IS_INTRODUCED = 3
    INTRODUCES = 4
    STAYS_OPEN = 5
    ADVERB = 6
    RELEASE_ADVERB = 7
    MATERIAL = 8
    CONTRIBUTES = 9
    RELEASED = 10
    OPENS_DIGEST = 11
    FINE = 12
    """The first word of "fine-tune", which is two words."""
    OPEN = 13
    """Of "open-source", likewise."""
    TRIGGER = 14
    """Of negation: it sets the text apart from the words behind it."""
    CLAUSE = 15
    """Of negation: these end with it."""
    SHORTENED = 16
    """The "don" of "don't"."""


class Prefix(IntFlag):
    """What words mean by how they begin."""

    CONTRIBUTES = 1
    DOES = 2
    DISCUSSES = 4
    KIND = 8
    THING = 16
    STAYS_OPEN = 32
    RELEASES = 64


SPELLED = {**cues.BEGINNINGS, **cues.WHOLE_WORDS}
"""Cues that are nothing but phrases of whole words."""
_BOUNDARY = r"\b"


def meaning_of(cue: str) -> int:
    """Return the meaning of phrases that are a cue of `SPELLED`."""
    return len(Meaning) + list(SPELLED).index(cue)


@dataclass(frozen=True, slots=True)
class CueFinder:
    """What finds the cues; made once."""

    phrases: PhraseFinder
    prefixes: PrefixFinder


@lru_cache(maxsize=1)
def cue_finder() -> CueFinder:
    """Return what finds the cues, with the phrases of negation beside those of roles."""
    phrases: dict[str, list[int]] = {}
    for meaning, texts in _meanings():
        for text in texts:
            phrases.setdefault(text, []).append(meaning)
    prefixes: dict[str, int] = {}
    for flag, pattern in (
        (Prefix.CONTRIBUTES, cues.CONTRIBUTES),
        (Prefix.DOES, cues.DOES),
        (Prefix.DISCUSSES, cues.DISCUSSES),
        (Prefix.KIND, cues.KINDS),
        (Prefix.THING, cues.THING_VERBS),
        (Prefix.STAYS_OPEN, cues.STAYS_OPEN_VERBS),
        (Prefix.RELEASES, "releas"),
    ):
        for text in spelled_out(pattern):
            if text.isalpha():
                prefixes[text] = prefixes.get(text, 0) | flag
    return CueFinder(PhraseFinder(phrases), PrefixFinder(prefixes))


def _meanings() -> Iterator[tuple[int, list[str]]]:
    """Yield (meaning, phrases)."""
    patterns = {
        Meaning.SELF: cues.SELF,
        Meaning.DISCUSSER: cues.DISCUSSERS,
        Meaning.WE: "we",
        Meaning.IS_INTRODUCED: cues.IS_INTRODUCED,
        Meaning.INTRODUCES: cues.INTRODUCES,
        Meaning.STAYS_OPEN: cues.STAYS_OPEN,
        Meaning.ADVERB: cues.PLAIN_ADVERBS,
        Meaning.RELEASE_ADVERB: cues.RELEASE_ADVERBS,
        Meaning.MATERIAL: cues.MATERIALS,
        Meaning.RELEASED: cues.RELEASED,
        Meaning.FINE: "fine",
        Meaning.OPEN: "open",
        Meaning.TRIGGER: negation.TRIGGERS,
        Meaning.CLAUSE: negation.CLAUSE_WORDS,
        Meaning.SHORTENED: negation.SHORTENED,
    }
    for meaning, pattern in patterns.items():
        yield meaning, list(spelled_out(pattern))
    yield Meaning.CONTRIBUTES, list(_contributing())
    yield Meaning.OPENS_DIGEST, list(_digest_openings())
    for name, pattern in SPELLED.items():
        yield meaning_of(name), list(spelled_out(pattern))


def _contributing() -> Iterator[str]:
    """Yield what of `CONTRIBUTES` is no beginning of one word."""
    for text in spelled_out(cues.CONTRIBUTES):
        if text.endswith(_BOUNDARY):
            yield text.removesuffix(_BOUNDARY)
        elif " " in text:
            yield rf"{text}\w*"


def _digest_openings() -> Iterator[str]:
    """Yield what opens a digest, as whole words; "open-sources" aside."""
    for text in dict.fromkeys(spelled_out(cues.CONTRIBUTES) + spelled_out(cues.OPENS_DIGEST)):
        whole = text.removesuffix(_BOUNDARY)
        forms = [whole] if whole != text else [text, f"{text}s", f"{text}es"]
        yield from (form for form in forms if form.endswith("s") and "." not in form)
