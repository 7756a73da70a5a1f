"""Words that papers share and no category explains: what may be coming up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from classifier.survey.choices import Choices
from classifier.survey.edition import Entry
from classifier.taxonomy.model import Taxonomy
from classifier.text.function_words import FUNCTION_WORDS
from classifier.text.normalise import tokens
from classifier.text.stem import stem

LEAST_PAPERS = 3
"""Papers that share a pair of words before it is a group."""
_LEAST_SHARE = 0.008
"""Share of all papers, so that a large corpus names no more than a small one."""
_SHORTEST_WORD = 3
_REPORTING = frozenset(
    map(stem, "author paper work study call present propose introduce show argue approach".split())
)
"""Words by which texts speak of themselves."""


@dataclass(frozen=True, slots=True)
class Emerging:
    """Papers that share two words in a row which the taxonomy does not know."""

    words: str
    """The pair, small letters, as one says it: `action space`."""
    entries: tuple[Entry, ...]
    """The papers, by reference number."""

    @property
    def unsure(self) -> int:
        """How many of the papers are filed provisionally."""
        return sum(entry.first.status == "provisional" for entry in self.entries)


def emerging_groups(
    taxonomy: Taxonomy,
    entries: Sequence[Entry],
    most: int = 6,
    choices: Choices | None = None,
) -> list[Emerging]:
    """Return groups of papers by a pair of words, at most `most`.

    Looked at are titles and the sentences that state contributions: what a paper says it is about.
    A pair counts where one of its words stands in no name, definition, border, cue or lexicon of
    the taxonomy. Those come first whose papers are most often filed provisionally, then those of
    more papers. Of two pairs of the same papers the first in the alphabet stands.

    choices: where what earlier builds found is remembered.
    """
    said = [(e.paper.title, e.contribution, e.first.status) for e in entries]
    places = {id(entry): place for place, entry in enumerate(entries)}
    found = (choices or Choices()).made(
        "emerging",
        [list(_texts(taxonomy)), said, most],
        lambda: [
            (group.words, [places[id(entry)] for entry in group.entries])
            for group in _groups(taxonomy, entries)[:most]
        ],
    )
    return [Emerging(words, tuple([entries[n] for n in held])) for words, held in found]


def _groups(taxonomy: Taxonomy, entries: Sequence[Entry]) -> list[Emerging]:
    """Return all groups, in order."""
    words = _Words(_vocabulary(taxonomy))
    holding: dict[str, list[Entry]] = {}
    for entry in entries:
        for pair in {pair for text in (entry.paper.title_display, entry.contribution)
                     for pair in _pairs(text, words)}:  # fmt: skip
            holding.setdefault(pair, []).append(entry)
    least = max(LEAST_PAPERS, _LEAST_SHARE * len(entries))
    groups = [
        Emerging(words, tuple(papers))
        for words, papers in sorted(holding.items())
        if len(papers) >= least
    ]
    groups.sort(key=lambda g: (-g.unsure / len(g.entries), -len(g.entries), g.words))
    return _of_different_papers(groups)


def _vocabulary(taxonomy: Taxonomy) -> frozenset[str]:
    """Return the stems of every word that the taxonomy uses."""
    return frozenset(stem(word) for text in _texts(taxonomy) for word in tokens(text))


def _texts(taxonomy: Taxonomy) -> Iterator[str]:
    for facet in taxonomy.facets.values():
        yield f"{facet.name} . {facet.definition}"
        for category in facet.walk(retired=True):
            yield f"{category.name} . {category.definition}"
            yield from (*category.includes, *category.excludes)
            yield from (cue for _, cues in category.cues.views() for cue in cues)
    for names in taxonomy.lexicons.values():
        yield from (form for name, spellings in names.items() for form in (name, *spellings))


class _Words(dict[str, int]):
    """What a word adds to a pair, looked up once a word: 0 nothing, 1 known content, 2 new."""

    def __init__(self, known: frozenset[str]) -> None:
        super().__init__()
        self._known = known

    def __missing__(self, word: str) -> int:
        worth = 0 if not _is_content(word) else 1 if stem(word) in self._known else 2
        self[word] = worth
        return worth


def _pairs(text: str, words: _Words) -> Iterator[str]:
    """Yield the pairs of content words in a row of which one is new to the taxonomy."""
    found = tokens(text)
    worth = [words[word] for word in found]
    for place, (one, other) in enumerate(pairwise(worth)):
        if one and other and one + other > 2:
            yield f"{found[place]} {found[place + 1]}"


def _is_content(word: str) -> bool:
    if len(word) < _SHORTEST_WORD or not word.isalpha() or word in FUNCTION_WORDS:
        return False
    return stem(word) not in _REPORTING


def _of_different_papers(groups: Iterable[Emerging]) -> list[Emerging]:
    kept: dict[tuple[int, ...], Emerging] = {}
    for group in groups:
        kept.setdefault(tuple(entry.number for entry in group.entries), group)
    return list(kept.values())
