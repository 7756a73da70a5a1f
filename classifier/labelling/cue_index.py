"""What the cues of a taxonomy say of papers: which fired where, and the votes made of them.

One index holds the cues of all facets and lists; a paper is read once. What a text sets itself
apart from ("reasoning without reinforcement learning") is told from the rest: a trigger denies the
words behind it up to the end of its clause, and a few at most, after Chapman et al., "A simple
algorithm for identifying negated findings and diseases in discharge summaries", Journal of
Biomedical Informatics 34(5), 2001. Of their triggers only those are taken that put one thing in
place of another. "No", "lack of" and "cannot" are not: an abstract that misses a benchmark is about
to introduce one.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifier.papers.paper import Paper
from classifier.parallel import parallel_map
from classifier.taxonomy.cue import CueMatcher, Element, inflections, parse_cue, widened
from classifier.taxonomy.model import CUE_VIEWS, Taxonomy
from classifier.text.normalise import tokens
from classifier.text.roles import roled_sentences

MOST_WORDS = 6
_NEED = r"(?:require|need|use|rely on|depend on)"
TRIGGERS = (
    r"(?:without|with no|instead of|rather than|as opposed to|in place of|free of"
    r"|independent(?:ly)? of"
    r"|no (?:need (?:for|of|to)|reliance on)|not (?:requiring|needing|relying on|using)"
    rf"|d(?:o|oes|id) not {_NEED}"
    r"|(?:eliminat|remov|avoid|obviat|bypass)(?:e|es|ed|ing|s) (?:the )?"
    r"(?:need|reliance|dependence|dependency) (?:for|on|of|to))"
)
_TRIGGER = re.compile(rf"\b(?:{TRIGGERS}|d(?:o|oes|id)n['’]t {_NEED})\b(?!['’])")
_CLAUSE_END = re.compile(
    r"[.,;:!?)\[\]–—]|\((?![\w-]{2,8}\))|\b(?:but|yet|we|which|that|while|by|through|via|using)\b"
)


def negated(text: str) -> frozenset[int]:
    """Return the positions among `tokens(text)` of the words that `text` sets itself apart from.

    >>> text = "Trained without any reward model, by imitation"
    >>> [word for at, word in enumerate(tokens(text)) if at in negated(text)]
    ['any', 'reward', 'model']
    """
    lower = text.lower()  # twice as fast as a pattern that ignores case
    text = lower if len(lower) == len(text) else text
    positions: set[int] = set()
    for trigger in _TRIGGER.finditer(text):
        clause_end = _CLAUSE_END.search(text, trigger.end())
        denied = text[trigger.end() : clause_end.start() if clause_end else len(text)]
        first = len(tokens(text[: trigger.end()]))
        positions.update(range(first, first + min(len(tokens(denied)), MOST_WORDS)))
    return frozenset(positions)


Array = NDArray[np.float64]

VOTE_WEIGHTS = np.array([4.0, 2.0, 1.5, -2.0])
"""What the log count of a list is worth in a vote, in the order of CUE_VIEWS."""
COUNTING = "v2-"
"""Before a digest of cues: which way of reading and judging them made it. By it a label that
another version of Fieldguide gave is known; to be changed with what moves labels all over."""
_VOTE_DIGITS = 9
"""Votes often are equal, or just what is asked for: no processor's last digit decides there."""
_SENTENCE_END = re.compile(r"(?<=[.!?;:])\s+|\n+")
_BOUNDARY = "\n"
"""Stands between two sentences: no cue runs across it."""
_COUNTED_IN_TITLE = frozenset(["title", "anywhere", "against"])
_COUNTED_IN_ABSTRACT = frozenset(["contribution", "anywhere", "against"])
_COUNTED_IN_KEYWORDS = frozenset(["anywhere", "against"])
_SAY_WHAT_IT_DOES = frozenset(["contribution", "method"])
"""Roles of the sentences that say what a paper does."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A cue that fired in a paper."""

    category: str
    """Id of the category, or child, that the cue belongs to."""
    view: str
    """One of CUE_VIEWS."""
    cue: str
    """The cue as written in the taxonomy."""
    count: int
    """How often it fired."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the cues of one facet say of n papers; k categories, children included."""

    category_ids: tuple[str, ...]
    """The k ids, depth first."""
    counts: Array
    """(n, k, 4): hits a paper, category and list. A child's cues tell children apart, so its hits
    do not count for its parent: they are broader than its own."""
    hits: Sequence[tuple[Hit, ...]]
    """Per paper what fired, in the order of the taxonomy."""
    faded: Sequence[tuple[Hit, ...]] = ()
    """Per paper the hits that no longer count (`faded_cues`); empty if all count."""

    def votes(self, category_ids: Sequence[str]) -> Array:
        """Return (n, len(category_ids)) votes: log2(1 + count) of each list, weighted."""
        return np.asarray(np.round(self._log_counts(category_ids) @ VOTE_WEIGHTS, _VOTE_DIGITS))

    def logs(self, category_ids: Sequence[str]) -> Array:
        """Return (n, len(category_ids) * 4) log counts, category by category."""
        width = len(category_ids) * len(CUE_VIEWS)
        return self._log_counts(category_ids).reshape(len(self.counts), width)

    def of(self, rows: NDArray[np.int64]) -> Evidence:
        """Return the evidence of some of the papers."""
        hits = [self.hits[row] for row in rows]
        faded = [self.faded[row] for row in rows] if self.faded else ()
        return Evidence(self.category_ids, self.counts[rows], hits, faded)

    def _log_counts(self, category_ids: Sequence[str]) -> Array:
        place = {category_id: i for i, category_id in enumerate(self.category_ids)}
        columns = [place[category_id] for category_id in category_ids]
        return np.asarray(np.log2(1 + self.counts[:, columns, :]))


class CueIndex:
    """Counts the cues of a taxonomy in papers.

    matched_stems: further words that a `stem~` matches (`dead_stems.matched_stems`).
    """

    def __init__(
        self, taxonomy: Taxonomy, matched_stems: Mapping[str, frozenset[str]] | None = None
    ) -> None:
        self.category_ids = {
            facet_id: tuple(category.id for category in facet.walk())
            for facet_id, facet in taxonomy.facets.items()
        }
        """Facet id -> its categories, depth first."""
        owners: dict[str, list[tuple[str, int, int]]] = {}
        for facet_id, facet in taxonomy.facets.items():
            columns = {name: column for column, name in enumerate(self.category_ids[facet_id])}
            for category in facet.walk(retired=True):
                # The cues of a merged category count for its successor.
                successor = facet.resolve(category.id) if category.replaced_by else category
                if successor is None or successor.id not in columns:
                    continue
                for view, cues in category.cues.views():
                    for cue in dict.fromkeys(cues):
                        owner = (facet_id, columns[successor.id], CUE_VIEWS.index(view))
                        if owner not in owners.setdefault(cue, []):
                            owners[cue].append(owner)
        self._cues = tuple(owners)
        self._owners = tuple(owners.values())
        wider: dict[Element, frozenset[str]] = {
            inflections(stem): inflections(stem) | words
            for stem, words in (matched_stems or {}).items()
        }
        self._matcher = CueMatcher([widened(parse_cue(cue), wider) for cue in self._cues])
        # What a text sets itself apart from ("without any reward model") states no column of a
        # table; of a topic it speaks all the same.
        self._optional = {
            facet_id for facet_id, facet in taxonomy.facets.items() if facet.may_be_unstated
        }

    def count(self, papers: Sequence[Paper]) -> dict[str, Evidence]:
        """Return facet id -> the evidence of papers, in their order."""
        counts = {
            facet_id: np.zeros((len(papers), len(ids), len(CUE_VIEWS)))
            for facet_id, ids in self.category_ids.items()
        }
        hits: dict[str, list[tuple[Hit, ...]]] = {facet_id: [] for facet_id in counts}
        for row, found in enumerate(parallel_map(self._fired, papers, len(papers))):
            for facet_id, fired in found.items():
                ids = self.category_ids[facet_id]
                told = sorted(fired.items())
                for (column, view, _), count in told:
                    counts[facet_id][row, column, view] += count
                hits[facet_id].append(
                    tuple(
                        Hit(ids[column], CUE_VIEWS[view], self._cues[cue], count)
                        for (column, view, cue), count in told
                    )
                )
        return {
            facet_id: Evidence(self.category_ids[facet_id], counts[facet_id], hits[facet_id])
            for facet_id in counts
        }

    def _fired(self, paper: Paper) -> dict[str, Counter[tuple[int, int, int]]]:
        """Return facet id -> how often each (category, list, cue) fired in a paper."""
        fired: dict[str, Counter[tuple[int, int, int]]] = {
            facet_id: Counter() for facet_id in self.category_ids
        }
        is_asked_what_it_does = False
        for text, counted in (
            (paper.title_display, _COUNTED_IN_TITLE),
            (paper.abstract_display, _COUNTED_IN_ABSTRACT),
            (paper.keywords_display, _COUNTED_IN_KEYWORDS),
        ):
            for facet_id, key, is_negated in self._matches(text):
                view = CUE_VIEWS[key[1]]
                if view not in counted or (is_negated and facet_id in self._optional):
                    continue
                if view == "contribution" and facet_id in self._optional:
                    is_asked_what_it_does = True
                    continue
                fired[facet_id][key] += 1
        if is_asked_what_it_does:
            for facet_id, key, is_negated in self._matches(_what_it_does(paper.abstract_display)):
                if CUE_VIEWS[key[1]] == "contribution" and facet_id in self._optional:
                    fired[facet_id][key] += not is_negated
        return {facet_id: +found for facet_id, found in fired.items()}

    def _matches(self, text: str) -> Iterator[tuple[str, tuple[int, int, int], bool]]:
        """Yield (facet id, (category, list, cue), whether negated) of each cue in a text."""
        words, denied = words_of(text)
        for match in self._matcher.find(words):
            for facet_id, column, view in self._owners[match.cue_index]:
                yield facet_id, (column, view, match.cue_index), match.start in denied

    def spans(self, text: str, facet_id: str, category_id: str) -> Iterator[tuple[int, int]]:
        """Yield the token positions of the cues of a category in a text, to mark them."""
        words, _ = words_of(text)
        column = self.category_ids[facet_id].index(category_id)
        for match in self._matcher.find(words):
            if any(owner[:2] == (facet_id, column) for owner in self._owners[match.cue_index]):
                yield match.start, match.end


def _what_it_does(abstract: str) -> str:
    """Return the sentences that say what a paper does, a line each."""
    return "\n".join(
        sentence.words
        for sentence in roled_sentences(abstract)
        if sentence.role in _SAY_WHAT_IT_DOES
    )


def words_of(text: str) -> tuple[list[str], frozenset[int]]:
    """Return the tokens of a text, a boundary between two sentences, and which are negated."""
    words: list[str] = []
    denied: set[int] = set()
    for sentence in _SENTENCE_END.split(text):
        if words:
            words.append(_BOUNDARY)
        denied.update(len(words) + place for place in negated(sentence) | _in_model_names(sentence))
        words += tokens(sentence)
    return words, frozenset(denied)


# What follows the size in `Qwen3-8B-openthinker-sft` says how others made that model.
_MODEL_NAME = re.compile(r"\b[A-Za-z][\w.]*(?:-[\w.]+)*?-\d+(?:\.\d+)?[bB](?P<rest>(?:-[\w.]+)+)")


def _in_model_names(text: str) -> frozenset[int]:
    """Return the positions among `tokens(text)` of the words after the size in names of models.

    >>> text = "Trains Qwen3-8B-openthinker-sft by PPO"
    >>> [word for at, word in enumerate(tokens(text)) if at in _in_model_names(text)]
    ['openthinker', 'sft']
    """
    positions: set[int] = set()
    for name in _MODEL_NAME.finditer(text):
        first = len(tokens(text[: name.start("rest")]))
        positions.update(range(first, first + len(tokens(name["rest"]))))
    return frozenset(positions)


def cue_digests(evidence: Mapping[str, Evidence]) -> list[str]:
    """Return a digest a paper of its cue hits over all facets: category, list, count.

    A cue that is added and never fires in a paper leaves its digest as it is. So do decisions: hits
    that no longer count are part of the digest.
    """
    papers = len(next(iter(evidence.values())).hits) if evidence else 0
    digests = []
    for row in range(papers):
        counts: Counter[tuple[str, str, str]] = Counter()
        for facet_id, found in evidence.items():
            for hit in (*found.hits[row], *(found.faded[row] if found.faded else ())):
                counts[facet_id, hit.category, hit.view] += hit.count
        lines = "\n".join(f"{'|'.join(key)}={count}" for key, count in sorted(counts.items()))
        digests.append(COUNTING + hashlib.blake2b(lines.encode(), digest_size=6).hexdigest())
    return digests


def vote_shares(votes: Array) -> Array:
    """Return (n, k) votes as shares of each paper's strongest, which counts as 1 or more."""
    strongest = np.maximum(votes.max(axis=1, keepdims=True, initial=-np.inf), 1.0)
    return np.asarray(votes / strongest)
