"""Find matches of cues in papers, and compute the votes for categories.

One index contains the cues of all facets and lists, so that each paper is searched only once.
Negated words ("reasoning without reinforcement learning") are recognised: a trigger negates the
next words up to the end of the clause, at most `MAX_NEGATED_WORDS` words (Chapman et al., "A simple
algorithm for identifying negated findings and diseases in discharge summaries", Journal of
Biomedical Informatics 34(5), 2001). From their list, only triggers that replace one thing by
another are used. "No", "lack of" and "cannot" are not used, because an abstract that mentions the
lack of a benchmark usually introduces a benchmark.
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
from classifier.taxonomy.cue import CueMatcher, Element, inflections, parse_cue, widen_cue
from classifier.taxonomy.model import CUE_VIEWS, Taxonomy
from classifier.text.normalise import tokens
from classifier.text.roles import roled_sentences

MAX_NEGATED_WORDS = 6
"""Maximum number of words that one trigger negates."""
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


def negated_positions(text: str) -> frozenset[int]:
    """Return the positions of negated words in `tokens(text)`.

    >>> text = "Trained without any reward model, by imitation"
    >>> [word for at, word in enumerate(tokens(text)) if at in negated_positions(text)]
    ['any', 'reward', 'model']
    """
    lower = text.lower()  # twice as fast as a case-insensitive pattern
    if len(lower) == len(text):
        text = lower
    positions: set[int] = set()
    for trigger in _TRIGGER.finditer(text):
        clause_end = _CLAUSE_END.search(text, trigger.end())
        end = clause_end.start() if clause_end else len(text)
        denied = text[trigger.end() : end]
        first = len(tokens(text[: trigger.end()]))
        positions.update(range(first, first + min(len(tokens(denied)), MAX_NEGATED_WORDS)))
    return frozenset(positions)


Array = NDArray[np.float64]

VOTE_WEIGHTS = np.array([4.0, 2.0, 1.5, -2.0])
"""Weight of the log count of each list in a vote, in the order of CUE_VIEWS."""
COUNTING = "v2-"
"""Version at the start of each digest of cue matches. It marks labels from another version of
Fieldguide; change it together with any change that moves labels everywhere."""
_VOTE_DIGITS = 9
"""Decimals of a vote. Votes are often equal to each other or to a limit, and the last digits of a
processor must not decide then."""
_SENTENCE_END = re.compile(r"(?<=[.!?;:])\s+|\n+")
_BOUNDARY = "\n"
"""A token between two sentences, so that no cue matches across them."""
_COUNTED_IN_TITLE = frozenset(["title", "anywhere", "against"])
_COUNTED_IN_ABSTRACT = frozenset(["contribution", "anywhere", "against"])
_COUNTED_IN_KEYWORDS = frozenset(["anywhere", "against"])
_CONTRIBUTION_ROLES = frozenset(["contribution", "method"])
"""Roles of the sentences that describe the contribution of a paper."""


@dataclass(frozen=True, slots=True)
class Hit:
    """The matches of one cue in one paper."""

    category: str
    """Id of the category or subcategory of the cue."""
    view: str
    """One of CUE_VIEWS."""
    cue: str
    """The cue as written in the taxonomy."""
    count: int
    """Number of matches."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The cue matches of one facet in n papers, for k categories including children."""

    category_ids: tuple[str, ...]
    """The k ids, each parent before its children."""
    counts: Array
    """(n, k, 4): matches per paper, category and list. Matches of a child do not count for its
    parent: its cues only separate it from its siblings, and are broader than the parent's."""
    hits: Sequence[tuple[Hit, ...]]
    """The matching cues of each paper, in the order of the taxonomy."""
    faded: Sequence[tuple[Hit, ...]] = ()
    """The matching cues of each paper that no longer count (`faded_cues`); empty if all count."""

    def votes(self, category_ids: Sequence[str]) -> Array:
        """Return (n, len(category_ids)) votes: log2(1 + count) of each list, weighted."""
        return np.asarray(np.round(self._log_counts(category_ids) @ VOTE_WEIGHTS, _VOTE_DIGITS))

    def log_counts(self, category_ids: Sequence[str]) -> Array:
        """Return (n, len(category_ids) * 4) log counts, in the order of the categories."""
        width = len(category_ids) * len(CUE_VIEWS)
        return self._log_counts(category_ids).reshape(len(self.counts), width)

    def of(self, rows: NDArray[np.int64]) -> Evidence:
        """Return the evidence of the papers at `rows`."""
        hits = [self.hits[row] for row in rows]
        faded = [self.faded[row] for row in rows] if self.faded else ()
        return Evidence(self.category_ids, self.counts[rows], hits, faded)

    def _log_counts(self, category_ids: Sequence[str]) -> Array:
        """Return log counts, shape (n, len(category_ids), 4)."""
        column_of = {category_id: column for column, category_id in enumerate(self.category_ids)}
        columns = [column_of[category_id] for category_id in category_ids]
        return np.asarray(np.log2(1 + self.counts[:, columns, :]))


class CueIndex:
    """Index that counts the matches of a taxonomy's cues in papers.

    matched_stems: further words that `stem~` matches, by stem (`dead_stems.matched_stems`).
    """

    def __init__(
        self, taxonomy: Taxonomy, matched_stems: Mapping[str, frozenset[str]] | None = None
    ) -> None:
        self.category_ids = {
            facet_id: tuple(category.id for category in facet.walk())
            for facet_id, facet in taxonomy.facets.items()
        }
        """Ids of categories by facet id, each parent before its children."""
        owners: dict[str, list[tuple[str, int, int]]] = {}
        for facet_id, facet in taxonomy.facets.items():
            columns = {name: column for column, name in enumerate(self.category_ids[facet_id])}
            for category in facet.walk(include_retired=True):
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
        self._matcher = CueMatcher([widen_cue(parse_cue(cue), wider) for cue in self._cues])
        # A negated cue ("without any reward model") is evidence for the subject of a paper, but not
        # for a value that the paper may leave unstated.
        self._optional = {
            facet_id for facet_id, facet in taxonomy.facets.items() if facet.may_be_unstated
        }

    def count(self, papers: Sequence[Paper]) -> dict[str, Evidence]:
        """Return the matches in papers, by facet id; rows are in the order of the papers."""
        counts = {
            facet_id: np.zeros((len(papers), len(ids), len(CUE_VIEWS)))
            for facet_id, ids in self.category_ids.items()
        }
        hits: dict[str, list[tuple[Hit, ...]]] = {facet_id: [] for facet_id in counts}
        for row, by_facet in enumerate(parallel_map(self._count_in, papers, len(papers))):
            for facet_id, counter in by_facet.items():
                ids = self.category_ids[facet_id]
                matches = sorted(counter.items())
                for (column, view, _), count in matches:
                    counts[facet_id][row, column, view] += count
                hits[facet_id].append(
                    tuple(
                        Hit(ids[column], CUE_VIEWS[view], self._cues[cue], count)
                        for (column, view, cue), count in matches
                    )
                )
        return {
            facet_id: Evidence(self.category_ids[facet_id], counts[facet_id], hits[facet_id])
            for facet_id in counts
        }

    def _count_in(self, paper: Paper) -> dict[str, Counter[tuple[int, int, int]]]:
        """Return the number of matches of each (category, list, cue) in a paper, by facet id."""
        fired: dict[str, Counter[tuple[int, int, int]]] = {
            facet_id: Counter() for facet_id in self.category_ids
        }
        needs_contribution = False
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
                    needs_contribution = True
                    continue
                fired[facet_id][key] += 1
        if needs_contribution:
            for facet_id, key, is_negated in self._matches(
                _contribution_sentences(paper.abstract_display)
            ):
                if CUE_VIEWS[key[1]] == "contribution" and facet_id in self._optional:
                    fired[facet_id][key] += not is_negated
        return {facet_id: +found for facet_id, found in fired.items()}

    def _matches(self, text: str) -> Iterator[tuple[str, tuple[int, int, int], bool]]:
        """Yield facet id, (category, list, cue), and whether it is negated, for each match."""
        words, denied = tokens_and_negations(text)
        for match in self._matcher.find(words):
            for facet_id, column, view in self._owners[match.cue_index]:
                yield facet_id, (column, view, match.cue_index), match.start in denied

    def spans(self, text: str, facet_id: str, category_id: str) -> Iterator[tuple[int, int]]:
        """Yield start and end (in tokens) of each match of a category's cues in a text."""
        words, _ = tokens_and_negations(text)
        column = self.category_ids[facet_id].index(category_id)
        for match in self._matcher.find(words):
            if any(owner[:2] == (facet_id, column) for owner in self._owners[match.cue_index]):
                yield match.start, match.end


def _contribution_sentences(abstract: str) -> str:
    """Return the sentences that describe the paper's contribution, one per line."""
    return "\n".join(
        sentence.words
        for sentence in roled_sentences(abstract)
        if sentence.role in _CONTRIBUTION_ROLES
    )


def tokens_and_negations(text: str) -> tuple[list[str], frozenset[int]]:
    """Return the tokens of a text, with boundaries between sentences, and the negated positions."""
    words: list[str] = []
    denied: set[int] = set()
    for sentence in _SENTENCE_END.split(text):
        if words:
            words.append(_BOUNDARY)
        start = len(words)
        positions = negated_positions(sentence) | _positions_in_model_names(sentence)
        denied.update(start + position for position in positions)
        words += tokens(sentence)
    return words, frozenset(denied)


# The words after the size in `Qwen3-8B-openthinker-sft` describe how others made that model.
_MODEL_NAME = re.compile(r"\b[A-Za-z][\w.]*(?:-[\w.]+)*?-\d+(?:\.\d+)?[bB](?P<rest>(?:-[\w.]+)+)")


def _positions_in_model_names(text: str) -> frozenset[int]:
    """Return the positions in `tokens(text)` of the words that follow the size in model names.

    >>> text = "Trains Qwen3-8B-openthinker-sft by PPO"
    >>> [word for at, word in enumerate(tokens(text)) if at in _positions_in_model_names(text)]
    ['openthinker', 'sft']
    """
    positions: set[int] = set()
    for name in _MODEL_NAME.finditer(text):
        first = len(tokens(text[: name.start("rest")]))
        positions.update(range(first, first + len(tokens(name["rest"]))))
    return frozenset(positions)


def cue_digests(evidence: Mapping[str, Evidence]) -> list[str]:
    """Return one digest per paper of its matches in all facets: category, list and count.

    A new cue that does not match a paper leaves the paper's digest unchanged. Decisions also leave
    it unchanged, because the digest includes matches that no longer count.
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


def normalise_votes(votes: Array) -> Array:
    """Divide the votes of each paper by its strongest vote, or by 1 if that is less."""
    strongest = np.maximum(votes.max(axis=1, keepdims=True, initial=-np.inf), 1.0)
    return np.asarray(votes / strongest)
