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
from typing import NamedTuple

from classifier.text.normalise import cased_tokens, tokens

_BRACKETS = re.compile(r"[(\[]([^()\[\]]{2,80})[)\]]")
# Two capitals, so that "(ours)" and "(Python)" define nothing.
_SHORT = re.compile(r"(?=(?:[^A-Z]*[A-Z]){2})[A-Za-z0-9][\w\-/&.+]{1,9}")
_SENTENCE_END = re.compile(r"[.;:!?()\[\]]\s")


def definitions(text: str) -> dict[str, tuple[str, ...]]:
    """Return the acronyms that `text` defines, in order, each in singular and plural.

    >>> definitions("Tool-using agents (TUAs) fail")
    {'TUAs': ('tool', 'using', 'agents'), 'TUA': ('tool', 'using', 'agent')}
    """
    found: dict[str, tuple[str, ...]] = {}
    for short, long in _defined(text):
        words = tuple(tokens(long))
        if len(words) > 1:
            found.setdefault(short, words)
            found.setdefault(*_other_number(short, words))
    return found


def _defined(text: str) -> Iterator[tuple[str, str]]:
    """Yield (short form, long form), either of which may stand in the brackets."""
    for match in _BRACKETS.finditer(text):
        inside = re.split(r"[,;]", match.group(1))[0].strip()
        before = _SENTENCE_END.split(text[: match.start()])[-1].split()
        if _SHORT.fullmatch(inside):
            if long := _long_form(inside, before):
                yield inside, long
        elif before and _SHORT.fullmatch(before[-1]) and _stands_for(before[-1], inside):
            yield before[-1], inside


def _stands_for(short: str, long: str) -> bool:
    return _long_form(short, long.split()) == long


def _long_form(short: str, before: list[str]) -> str:
    """Return the last of the words `before` that `short` stands for, or ""."""
    letters = re.sub(r"\W", "", short[:-1] if _is_plural(short) else short).lower()
    candidate = " ".join(before[-min(len(letters) + 5, 2 * len(letters)) :])
    at = len(candidate)
    for position in range(len(letters) - 1, -1, -1):
        at = candidate.lower().rfind(letters[position], 0, at)
        while not position and at > 0 and candidate[at - 1].isalnum():
            at = candidate.lower().rfind(letters[position], 0, at)
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


@dataclass(frozen=True, slots=True)
class Respelling:
    """A text in which defined acronyms are written out, and long forms as their acronym."""

    words: tuple[str, ...]
    """Its tokens."""
    origins: tuple[tuple[int, int], ...]
    """For each token the (start, end) among the tokens of the text as written."""
    places: tuple[tuple[int, int], ...]
    """(start, end) of the tokens that were put in."""

    def covers_place(self, start: int, end: int) -> bool:
        """Tell whether the tokens from `start` to `end` hold a whole form that was put in."""
        return any(start <= first and last <= end for first, last in self.places)

    def as_written(self, start: int, end: int) -> tuple[int, int]:
        """Return (start, end) in the text as written of the tokens from `start` to `end`."""
        return self.origins[start][0], self.origins[end - 1][1]


class _Form(NamedTuple):
    """One of the two forms of an acronym, as tokens, and the other one."""

    written: tuple[str, ...]
    other: tuple[str, ...]
    is_cased: bool
    """Whether `written` counts in this case only: "IS" is a short form, "is" a word."""


class Speller:
    """Respells texts by one set of definitions."""

    def __init__(self, defined: Mapping[str, tuple[str, ...]]) -> None:
        self._forms: dict[str, list[_Form]] = {}
        for short, long in defined.items():
            self._add(_Form(tuple(cased_tokens(short)), long, is_cased=True))
            self._add(_Form(long, tuple(tokens(short)), is_cased=False))
        for forms in self._forms.values():
            forms.sort(key=lambda form: -len(form.written))

    def _add(self, form: _Form) -> None:
        self._forms.setdefault(form.written[0].lower(), []).append(form)

    def respell(self, cased: Sequence[str]) -> Respelling | None:
        """Return the other spelling of a text, given as `cased_tokens`; None if there is none."""
        if not self._forms:
            return None
        written = [word.lower() for word in cased]
        words: list[str] = []
        origins: list[tuple[int, int]] = []
        places: list[tuple[int, int]] = []
        at = 0
        for start, end, put_in in [*self._replaced(cased, written), (len(cased), len(cased), ())]:
            words += written[at:start]
            origins += [(kept, kept + 1) for kept in range(at, start)]
            places.append((len(words), len(words) + len(put_in)))
            words += put_in
            origins += [(start, end)] * len(put_in)
            at = end
        places.pop()
        return Respelling(tuple(words), tuple(origins), tuple(places)) if places else None

    def _replaced(
        self, cased: Sequence[str], written: Sequence[str]
    ) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Yield (start, end, other form) of every place where one form of an acronym stands."""
        at = 0
        while at < len(written):
            form = self._form_at(cased, written, at)
            if form is None:
                at += 1
                continue
            start, at = at, at + len(form.written)
            behind = at + len(form.other)
            if tuple(written[at:behind]) == form.other:
                at = behind  # the definition, where both forms stand
            else:
                yield start, at, form.other

    def _form_at(self, cased: Sequence[str], written: Sequence[str], at: int) -> _Form | None:
        for form in self._forms.get(written[at], ()):
            there = (cased if form.is_cased else written)[at : at + len(form.written)]
            if tuple(there) == form.written:
                return form
        return None
