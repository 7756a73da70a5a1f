"""Acronyms that a text defines, and the same text with each written the other way.

Definitions are found after Schwartz & Hearst, "A simple algorithm for identifying abbreviation
definitions in biomedical text", Pacific Symposium on Biocomputing 8, 2003: of a pair such as
"Group Relative Policy Optimization (GRPO)" the letters of the short form are found, from the last
to the first, in the words of the long one, and the first letter begins a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from classifier.text.normalise import cased_tokens, tokens

MOST_BRACKETED = 80
"""Characters between brackets, at most, for these to define anything."""
_BRACKETS = re.compile(rf"[(\[][^()\[\]]{{2,{MOST_BRACKETED}}}[)\]]")
# Two capitals, so that "(ours)" and "(Python)" define nothing.
_SHORT = re.compile(r"(?=(?:[^A-Z]*[A-Z]){2})[A-Za-z0-9][\w\-/&.+]{1,9}")
_SENTENCE_END = re.compile(r"[.;:!?()\[\]]\s")
_LIST_SIGN = re.compile("[,;]")
_SIGNS = re.compile(r"\W")
_NEAR = 300
"""Characters before a bracket that hold the words of most long forms."""
_MOST_WORDS = 16
"""More words than the long form of the longest short form has."""


def definitions(text: str) -> dict[str, tuple[str, ...]]:
    """Return the acronyms that `text` defines, in order, each in singular and plural.

    >>> definitions("Tool-using agents (TUAs) fail")
    {'TUAs': ('tool', 'using', 'agents'), 'TUA': ('tool', 'using', 'agent')}
    """
    found: dict[str, tuple[str, ...]] = {}
    for match in _BRACKETS.finditer(text):
        for short, words in definition_at(text, *match.span()):
            found.setdefault(short, words)
    return found


def definition_at(text: str, start: int, end: int) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the acronym that a bracket of `text` defines, in its own number and the other one.

    start, end: of the bracket, its signs included.
    """
    return _spellings(*_defined(text, start, text[start + 1 : end - 1]))


@lru_cache(maxsize=2**14)  # most papers of a field define the same ones
def _spellings(short: str, long: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return a definition in its own number and the other one; none of a single word."""
    words = tuple(tokens(long))
    return ((short, words), _other_number(short, words)) if len(words) > 1 else ()


def _defined(text: str, start: int, bracketed: str) -> tuple[str, str]:
    """Return (short form, long form), either of which may stand in the brackets; "" for none."""
    inside = _LIST_SIGN.split(bracketed, maxsplit=1)[0].strip()
    if _SHORT.fullmatch(inside):
        return inside, _long_form(inside, _words_before(text, start))
    before = _words_before(text, start)
    if before and _SHORT.fullmatch(before[-1]) and _stands_for(before[-1], inside):
        return before[-1], inside
    return "", ""


def _words_before(text: str, end: int) -> list[str]:
    """Return the last words of the sentence before a place: as many as a short form may need."""
    near = _SENTENCE_END.split(text[max(0, end - _NEAR) : end])
    words = near[-1].split()
    if end > _NEAR and len(near) == 1 and len(words) <= _MOST_WORDS:
        words = _SENTENCE_END.split(text[:end])[-1].split()
    return words


def _stands_for(short: str, long: str) -> bool:
    return _long_form(short, long.split()) == long


def _long_form(short: str, before: list[str]) -> str:
    """Return the last of the words `before` that `short` stands for, or ""."""
    letters = _SIGNS.sub("", short[:-1] if _is_plural(short) else short).lower()
    candidate = " ".join(before[-min(len(letters) + 5, 2 * len(letters)) :])
    lower = candidate.lower()
    at = len(candidate)
    for position in range(len(letters) - 1, -1, -1):
        at = lower.rfind(letters[position], 0, at)
        while not position and at > 0 and candidate[at - 1].isalnum():
            at = lower.rfind(letters[position], 0, at)
        if at < 0:
            return ""
    return candidate[at:]


def _is_plural(short: str) -> bool:
    return short.endswith("s") and short[-2].isupper()


def _other_number(short: str, words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return the singular of a plural definition, and the plural of any other."""
    if not _is_plural(short):
        return f"{short}s", (*words[:-1], f"{words[-1]}s")
    singular = re.sub("s$", "", re.sub("ies$", "y", words[-1]))
    return short[:-1], (*words[:-1], singular)


@lru_cache(maxsize=2**14)
def tokens_of_short(short: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tokens of a short form, as written and in lower case."""
    cased = tuple(cased_tokens(short))
    return cased, tuple(word.lower() for word in cased)


@dataclass(frozen=True, slots=True)
class Respelling:
    """A text in which defined acronyms are written out, and long forms as their acronym."""

    words: tuple[str, ...]
    """Its tokens."""
    places: tuple[tuple[int, int], ...]
    """(start, end) of the tokens that were put in."""
    replaced: tuple[tuple[int, int], ...]
    """For each place the (start, end), in the text as written, of what was there."""

    def covers_place(self, start: int, end: int) -> bool:
        """Tell whether the tokens from `start` to `end` hold a whole form that was put in."""
        return any(start <= first and last <= end for first, last in self.places)

    def as_written(self, start: int, end: int) -> tuple[int, int]:
        """Return (start, end) in the text as written of the tokens from `start` to `end`."""
        return self._origin(start)[0], self._origin(end - 1)[1]

    def _origin(self, at: int) -> tuple[int, int]:
        """Return the (start, end) in the text as written that a token stands for."""
        more = 0
        for (first, last), (start, end) in zip(self.places, self.replaced, strict=True):
            if at < first:
                break
            if at < last:
                return start, end
            more = end - last
        return at + more, at + more + 1


class _Form(NamedTuple):
    """One of the two forms of an acronym, as tokens, and the other one."""

    written: tuple[str, ...]
    other: tuple[str, ...]
    is_cased: bool
    """Whether `written` counts in this case only: "IS" is a short form, "is" a word."""


@lru_cache(maxsize=2**14)
def _forms(short: str, long: tuple[str, ...]) -> tuple[tuple[str, _Form], tuple[str, _Form]]:
    """Return both forms of an acronym, each with the word that it begins with in lower case."""
    cased, lower = tokens_of_short(short)
    of_short, of_long = _Form(cased, long, is_cased=True), _Form(long, lower, is_cased=False)
    return (lower[0], of_short), (long[0].lower(), of_long)


class Speller:
    """Respells texts by one set of definitions."""

    def __init__(self, defined: Mapping[str, tuple[str, ...]]) -> None:
        self._forms: dict[str, list[_Form]] = {}
        for definition in defined.items():
            for first, form in _forms(*definition):
                self._forms.setdefault(first, []).append(form)
        for forms in self._forms.values():
            if len(forms) > 1:
                forms.sort(key=lambda form: -len(form.written))

    def respell(self, cased: Sequence[str]) -> Respelling | None:
        """Return the other spelling of a text, given as `cased_tokens`; None if there is none."""
        written = [word.lower() for word in cased]
        words: list[str] = []
        places: list[tuple[int, int]] = []
        replaced: list[tuple[int, int]] = []
        at = 0
        for start, end, put_in in self._replaced(cased, written):
            words += written[at:start]
            places.append((len(words), len(words) + len(put_in)))
            replaced.append((start, end))
            words += put_in
            at = end
        if not replaced:
            return None
        words += written[at:]
        return Respelling(tuple(words), tuple(places), tuple(replaced))

    def _replaced(
        self, cased: Sequence[str], written: Sequence[str]
    ) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Yield (start, end, other form) of every place where one form of an acronym stands."""
        behind = 0
        for start in [at for at, word in enumerate(written) if word in self._forms]:
            form = self._form_at(cased, written, start) if start >= behind else None
            if form is None:
                continue
            end = start + len(form.written)
            behind = end + len(form.other)
            if tuple(written[end:behind]) != form.other:
                yield start, end, form.other
                behind = end
            # else: the definition, where both forms stand

    def _form_at(self, cased: Sequence[str], written: Sequence[str], at: int) -> _Form | None:
        for form in self._forms.get(written[at], ()):
            there = (cased if form.is_cased else written)[at : at + len(form.written)]
            if tuple(there) == form.written:
                return form
        return None
