"""The cue language: phrases that are evidence for or against a category.

A cue is matched on the words of a text as returned by `classifier.text.normalise.tokens`: in lower
case, separated at hyphens and punctuation.

| cue | matches |
|---|---|
| `reward model` | the two words, one after the other |
| `introduce a _ benchmark` | `_` is exactly one arbitrary word: "introduce a new benchmark" |
| `benchmark~` | the word and its inflections: benchmarks, benchmarked, benchmarking |
| `multi-agent` | all spellings of a compound: multi agent, multi-agent, multiagent |
| `text-to-sql~` | the last part is inflected: text-to-SQLs, texttosqls |

`word~` matches the word, which must be its base form, with the regular English endings that its
last letters allow (`inflections`): -s -es -ies, -ed -d -ied, -ing; a final consonant after one
vowel may be doubled (planning, labelled); -is becomes -es (analyses). Irregular forms (built,
chosen) need separate cues.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from classifier.errors import FieldguideError
from classifier.text.normalise import tokens

OPEN_WORD = "_"
_HYPHENS = re.compile("[-\u2010-\u2013]")
# Every hyphenated word doubles the number of spellings.
MAX_HYPHENATED = 5

Element = frozenset[str] | None
"""The words allowed at one position of a pattern; None allows any word."""
Pattern = tuple[Element, ...]
Cue = tuple[Pattern, ...]
"""A parsed cue: one pattern per spelling, each with at least one position that is not open."""


class CueError(FieldguideError):
    """The error for a cue that can never match, or is certainly a mistake."""

    def __init__(self, actual: str, hint: str) -> None:
        self.found = actual
        self.hint = hint
        super().__init__(f"found {actual}. {hint}")


class Match(NamedTuple):
    """A place where a cue matches, in token positions."""

    cue_index: int
    """Index of the cue in the matcher's sequence."""
    start: int
    """Position of its first token."""
    end: int
    """Position after its last token."""


@lru_cache(maxsize=2**14)  # lint, counting and advice read the same cues
def parse_cue(text: str) -> Cue:
    """Parse a cue.

    Raises CueError if the cue is empty, has only open words, a `~` that is not at the end of a
    word, a `_` inside a word, or more than `MAX_HYPHENATED` hyphenated words.

    >>> [len(pattern) for pattern in parse_cue("multi-agent system~")]
    [3, 2]
    """
    words = [spellings for word in text.split() if (spellings := _word_patterns(word, text))]
    if not words:
        raise CueError(f"an empty cue '{text.strip()}'", "Write a phrase of at least one word.")
    if all(spellings == [(None,)] for spellings in words):
        found = f"the cue '{text.strip()}' with only open words"
        raise CueError(found, "Add a required word.")
    if sum(len(spellings) > 1 for spellings in words) > MAX_HYPHENATED:
        found = f"the cue '{text.strip()}' with more than {MAX_HYPHENATED} hyphenated words"
        raise CueError(found, "Split it into shorter cues.")
    patterns = (sum(choice, start=()) for choice in product(*words))
    return tuple(dict.fromkeys(patterns))


def _word_patterns(word: str, cue: str) -> list[Pattern]:
    """Return the patterns for one word of a cue; an empty list for punctuation."""
    if word == OPEN_WORD:
        return [(None,)]
    base = word.removesuffix("~")
    parts = tokens(base)
    inflected = base != word
    if "~" in base or (inflected and not parts) or base == OPEN_WORD:
        raise CueError(
            f"a stray '~' in the cue '{cue.strip()}'", "Write '~' directly after a word."
        )
    if OPEN_WORD in base:
        hint = "Put blanks around '_', or replace it with a blank."
        raise CueError(f"'_' inside a word of the cue '{cue.strip()}'", hint)
    if not parts:
        return []
    spellings = [_pattern(parts, inflected)]
    if len(parts) > 1 and _HYPHENS.search(base):
        spellings.append(_pattern(["".join(parts)], inflected))
    return spellings


def _pattern(parts: Sequence[str], is_inflected: bool) -> Pattern:
    """Return the pattern of a word with these parts."""
    last = inflections(parts[-1]) if is_inflected else frozenset({parts[-1]})
    return (*(frozenset({part}) for part in parts[:-1]), last)


def inflections(word: str) -> frozenset[str]:
    """Return a word (in base form) and its regular plural, past and -ing forms.

    >>> sorted(inflections("study"))
    ['studied', 'studies', 'study', 'studying']
    """
    forms = {word, f"{word}ing"}
    if re.search(r"[^aeiou]y$", word):
        forms |= {f"{word[:-1]}ies", f"{word[:-1]}ied"}
    elif word.endswith("e"):
        forms |= {f"{word}s", f"{word}d"}
        if not word.endswith(("ee", "oe", "ye")):
            forms = forms - {f"{word}ing"} | {f"{word[:-1]}ing"}
    else:
        forms |= {f"{word}ed"} | _plurals(word)
    if re.search(r"(?:^|[^aeiou])[aeiou][bdfgklmnprstvz]$", word):
        forms |= {f"{word}{word[-1]}ed", f"{word}{word[-1]}ing"}
    return frozenset(forms)


def widen_cue(cue: Cue, wider_words: Mapping[Element, frozenset[str]]) -> Cue:
    """Return a cue with more words allowed at some positions.

    wider_words: the new words by the old words.
    """
    return tuple(tuple(wider_words.get(place, place) for place in pattern) for pattern in cue)


def _plurals(word: str) -> set[str]:
    """Return the regular plurals of a word."""
    if word.endswith("sis"):
        return {f"{word[:-2]}es"}
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return {f"{word}es"}
    return {f"{word}s", f"{word}es"} if word.endswith("o") else {f"{word}s"}


@dataclass(slots=True)
class State:
    """A node in the prefix tree of all patterns."""

    after: dict[str, list[State]] = field(default_factory=dict)
    """Next states by the next word."""
    after_open: State | None = None
    """Next state after an open word, if a pattern has one here."""
    ends: list[tuple[int, int]] = field(default_factory=list)
    """(cue index, number of leading open words) of the patterns that end here."""
    branches: dict[frozenset[str], State] = field(default_factory=dict)
    """Next states by the set of allowed words: one state for all inflections."""

    def branch(self, place: Element) -> State:
        """Return the next state for `place`; create the state if necessary."""
        if place is None:
            self.after_open = self.after_open or State()
            return self.after_open
        if place not in self.branches:
            self.branches[place] = State()
            for word in sorted(place):
                self.after.setdefault(word, []).append(self.branches[place])
        return self.branches[place]


class CueMatcher:
    """Finds all cues of a sequence in one pass over the words of a text.

    All patterns share a prefix tree that starts at their first position that is not open. Thus a
    word that starts no pattern costs only one dictionary look-up.
    """

    def __init__(self, cues: Sequence[Cue]) -> None:
        self.root = State()
        for index, cue in enumerate(cues):
            for pattern in cue:
                offset = next(i for i, place in enumerate(pattern) if place is not None)
                state = self.root
                for place in pattern[offset:]:
                    state = state.branch(place)
                state.ends.append((index, offset))

    def find(self, words: Sequence[str]) -> list[Match]:
        """Return the matches in `words` (from `tokens`), sorted by start, end and cue.

        Matches of different cues may overlap. If matches of the same cue overlap, only the leftmost
        counts.
        """
        ends: dict[int, int] = {}
        matches = []
        for start, end, cue_index in sorted(self._all_matches(words)):
            if start >= ends.get(cue_index, 0):
                ends[cue_index] = end
                matches.append(Match(cue_index, start, end))
        return matches

    def _all_matches(self, words: Sequence[str]) -> Iterator[tuple[int, int, int]]:
        """Yield (start, end, cue index) of all matches, even overlapping ones of the same cue."""
        begin = self.root.after
        for position, word in enumerate(words):
            states = begin.get(word)
            if not states:
                continue
            pending = [(state, position + 1) for state in states]
            while pending:
                state, end = pending.pop()
                for cue_index, offset in state.ends:
                    if offset <= position:
                        yield position - offset, end, cue_index
                if end < len(words):
                    if following := state.after.get(words[end]):
                        pending += [(after, end + 1) for after in following]
                    if state.after_open:
                        pending.append((state.after_open, end + 1))
