"""Names from the taxonomy's lexicons, found in text: benchmarks, models, environments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from classifier.taxonomy.cue import CueMatcher, parse_cue
from classifier.text.normalise import display, tokens
from classifier.text.roles import RoledSentence

Lexicons = Mapping[str, Mapping[str, Sequence[str]]]

UNSOLVED = "unsolved"
"""The lexicon of what authors say is unsolved: problem -> cues, read in some sentences only."""
_STATES_A_PROBLEM = frozenset(["problem", "limit"])


class NameFinder:
    """Finds lexicon names in text: leftmost, longest, over all lexicons at once.

    One table for all, so that `GAIA-1` (a model) is not also counted as `GAIA` (a benchmark).
    """

    def __init__(self, lexicons: Lexicons) -> None:
        self.lexicons = tuple(lexicons)
        self._starting: dict[str, list[tuple[tuple[str, ...], str, str]]] = {}
        for lexicon, names in lexicons.items():
            if lexicon == UNSOLVED:
                continue
            for name, spellings in names.items():
                for spelling in {tuple(tokens(display(form))) for form in (name, *spellings)}:
                    if spelling:
                        rows = self._starting.setdefault(spelling[0], [])
                        rows.append((spelling, lexicon, name))
        for rows in self._starting.values():
            rows.sort(key=lambda row: (-len(row[0]), row))

    def find(self, text: str) -> dict[str, tuple[str, ...]]:
        """Return lexicon -> names in `text`, each once, in order of appearance."""
        words = tokens(display(text))
        found: dict[str, dict[str, None]] = {lexicon: {} for lexicon in self.lexicons}
        free, starting = 0, self._starting
        for position in [place for place, word in enumerate(words) if word in starting]:
            if position >= free:  # no part of a name that begins before it
                free = position + self._match(words, position, found)
        return {lexicon: tuple(names) for lexicon, names in found.items()}

    def benchmarks(self, text: str) -> tuple[str, ...]:
        """Return the names of the lexicon `benchmarks` in `text`; () where there is none."""
        return self.find(text).get("benchmarks", ())

    def models(self, text: str) -> tuple[str, ...]:
        """Return the names of the lexicon `models` in `text`; () where there is none."""
        return self.find(text).get("models", ())

    def _match(self, words: list[str], position: int, found: dict[str, dict[str, None]]) -> int:
        """Note the longest name at `position` and return how many words to go on."""
        for spelling, lexicon, name in self._starting[words[position]]:
            if tuple(words[position : position + len(spelling)]) == spelling:
                found[lexicon][name] = None
                return len(spelling)
        return 1


class ProblemFinder:
    """Finds what a text says is unsolved: the cues of a lexicon, in its problems and limits."""

    def __init__(self, problems: Mapping[str, Sequence[str]]) -> None:
        cues = [(cue, problem) for problem, cues in problems.items() for cue in cues]
        self._problems = [problem for _, problem in cues]
        self._matcher = CueMatcher([parse_cue(cue) for cue, _ in cues])

    def find(self, sentences: Sequence[RoledSentence]) -> dict[str, RoledSentence]:
        """Return problem -> the first sentence that states it, in the order of the text."""
        found: dict[str, RoledSentence] = {}
        for sentence in sentences:
            if sentence.role in _STATES_A_PROBLEM:
                for match in self._matcher.find(tokens(display(sentence.words))):
                    found.setdefault(self._problems[match.cue_index], sentence)
        return found
