"""Find the phrases of papers, runs of up to four content words, and score them for groups."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfVectorizer

from classifier.commands.new.filing import name_key, no_topics
from classifier.papers.paper import Paper
from classifier.text.empty_words import (
    BREAKS,
    EMPTY,
    LITTLE,
    METHODS,
    NOUNS,
    is_adverb,
    is_participle,
    stop_words,
)
from classifier.text.normalise import stem, tokens

_MAX_WORDS = 4
_MAX_CHINESE = 5
"""Maximum number of characters of a Chinese phrase. Chinese has no blanks between words."""
_MAX_SHARE = 0.34
"""Maximum share of the papers with a phrase; a more frequent one describes the whole field."""
_ALWAYS_KEPT = 3
"""Number of papers up to which a phrase is kept, even in a small project."""
_MIN_END_SHARE = 0.45
"""Minimum share of a phrase's uses at the end of a run of words, as for a noun: "prejudice" often
ends a run, "racial" does not."""
_MAX_FRAGMENT = 0.6
"""Maximum share of a phrase's uses within one longer phrase; above it, it is a fragment."""
_MIN_PRECISION = 0.5
"""Minimum share of a cue's papers that are in the group."""
_WORD_WEIGHTS = (1.0, 1.9, 2.1, 2.1)
"""Weights by number of words: phrases of several words are better names than single words."""

# Punctuation, and frequent words of Chinese abstracts, which have no blanks between words.
_BETWEEN_RUNS = re.compile(
    r"[^\w\s'’\-\u2010\u2011]+"
    "|一种|进行|提出|基于|通过|采用|利用|运用|研究|方法|结果|表明|介绍|具有|不同|影响|分析|作用|问题|本文|我国|主要|随着|为了"
    "|[的了和与及在对为是等以其有从将由并而被于或之该这本各中上下着就也都还使可能对用]"
)
_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_FOREIGN = frozenset("de des du del della les las los und der das dos".split())
_ENGLISH = frozenset("the of and by with for from to an".split())

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ScoredPhrase:
    """A phrase and its score as a description of a group of papers."""

    key: str
    score: float
    n_inside: int
    """Number of papers in the group that use the phrase."""
    n_papers: int
    """Number of all papers that use the phrase."""

    @property
    def precision(self) -> float:
        """Share of the papers with this phrase that are in the group."""
        return self.n_inside / self.n_papers


class Phrases:
    """The phrases of papers. The key of a phrase has the stem of its last word."""

    def __init__(self, papers: Sequence[Paper], min_papers: int = 2) -> None:
        self._papers = papers
        self._forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._ends: Counter[str] = Counter()
        both = [text for paper in papers for text in (paper.title_display, paper.abstract_display)]
        self._includes_foreign = 2 * len({*filter(_is_foreign, both)}) > len(papers)
        titles = [self._read(paper.title_display) for paper in papers]
        abstracts = [self._read(paper.abstract_display) for paper in papers]
        texts = [2 * title + rest for title, rest in zip(titles, abstracts, strict=True)]
        counts = Counter(key for keys in texts for key in set(keys))
        max_papers = max(_MAX_SHARE * len(papers), _ALWAYS_KEPT)
        self.keys: list[str] = sorted(
            key for key, number in counts.items() if min_papers <= number <= max_papers
        )
        self._columns = {key: column for column, key in enumerate(self.keys)}
        self.rows: csr_matrix = csr_matrix((len(papers), 0))
        """TF-IDF of the phrases, one row per paper; a title counts twice."""
        in_title = self.rows
        if self.keys:
            vectorizer = TfidfVectorizer(analyzer=list, vocabulary=self.keys, sublinear_tf=True)
            self.rows = vectorizer.fit_transform(texts)
            in_title = vectorizer.transform(titles)
        self.uses_by_paper: csr_matrix = (self.rows > 0).astype(np.int64)
        """(papers, phrases): 1 if a paper uses a phrase, or else 0."""
        self._in_title = (in_title > 0).astype(np.int64)
        self._n_papers = np.asarray(self.uses_by_paper.sum(axis=0)).ravel()
        self._fragments = self._find_fragments()

    def score(self, members: Flags, min_inside: int = 2) -> list[ScoredPhrase]:
        """Return the phrases of a group of papers with their scores, the best first.

        members: whether each paper is in the group. min_inside: minimum number of the group's
        papers that use a phrase. The score is the F1 of "uses the phrase" as a prediction of "is in
        the group", weighted by the number of words and the share of uses in titles.
        """
        inside = np.asarray(self.uses_by_paper[members].sum(axis=0)).ravel()
        titled = np.asarray(self._in_title[members].sum(axis=0)).ravel()
        f1 = 2 * inside / np.maximum(self._n_papers + members.sum(), 1)
        weights = np.array([_weight(key) for key in self.keys])
        scores = f1 * weights * (0.3 + titled / np.maximum(inside, 1))
        found = [
            ScoredPhrase(key, float(scores[j]), int(inside[j]), int(self._n_papers[j]))
            for j, key in enumerate(self.keys)
            if inside[j] >= min_inside
        ]
        return sorted(found, key=lambda phrase: (-round(phrase.score, 9), phrase.key))

    def uses(self, key: str) -> Flags:
        """Return whether each paper uses a phrase."""
        column: NDArray[np.int64] = self.uses_by_paper[:, [self._columns[key]]].toarray().ravel()
        return column > 0

    def cues(self, scored: Sequence[ScoredPhrase], used: set[str], n_cues: int) -> list[str]:
        """Return the keys that separate a group best, without `used` ones."""
        chosen: list[ScoredPhrase] = []
        for phrase in scored:
            if (
                len(chosen) < n_cues
                and phrase.key not in used
                and phrase.precision >= _MIN_PRECISION
                and self._is_whole(phrase.key)
                and not any(_is_redundant(phrase, other) for other in chosen)
            ):
                chosen.append(phrase)
        return [phrase.key for phrase in chosen]

    def lower_case(self, key: str) -> str:
        """Return the most frequent form of a phrase, in lower case."""
        return _most_frequent(self._forms[key])

    def cue(self, key: str) -> str:
        """Return a phrase as a cue, with `~` if papers inflect its last word."""
        shortest = min(self._forms[key], key=lambda form: (len(form), form))
        return f"{shortest}~" if len(self._forms[key]) > 1 else shortest

    def name(self, key: str) -> str:
        """Return a phrase with the hyphens and capitals of most texts."""
        words = map(re.escape, self.lower_case(key).split())
        pattern = re.compile(
            r"(?<!\w)" + r"(?:['’]s)?[\s\-\u2010\u2011]+".join(words) + r"(?!\w)", re.IGNORECASE
        )
        abstracts = (paper.abstract_display for paper in self._papers)
        titles = (paper.title_display for paper in self._papers)
        for texts in (abstracts, titles):
            if forms := Counter(form for text in texts for form in pattern.findall(text)):
                return " ".join(_most_frequent(forms).split())
        return self.lower_case(key)

    def is_name(self, key: str) -> bool:
        """Return whether a phrase can name a subject: it ends with a noun and is not a place."""
        words = self.lower_case(key).split()
        last = words[-1]
        everywhere, in_keywords = no_topics()
        has_number = all(any(map(str.isdigit, word)) for word in words)
        if not self._is_whole(key) or has_number or last in METHODS:
            return False
        if name_key(" ".join(words)) in in_keywords:
            return False
        parts = (words[i:j] for i in range(len(words)) for j in range(i + 1, len(words) + 1))
        if any(name_key(" ".join(part)) in everywhere for part in parts):
            return False
        is_long = len(last) > 3 or _CHINESE.match(last) is not None
        return len(words) > 1 or (last not in LITTLE and is_long)

    def _is_whole(self, key: str) -> bool:
        """Return whether a phrase is complete: often ends a run of words, and is not a fragment."""
        if key in self._fragments:
            return False
        is_chinese = _CHINESE.match(key) is not None
        return is_chinese or self._ends[key] >= _MIN_END_SHARE * self._forms[key].total()

    def _read(self, text: str) -> list[str]:
        """Return the keys of a text's phrases in order, and count their forms."""
        keys: list[str] = []
        if _is_foreign(text) and not self._includes_foreign:
            return keys
        for run in _runs(text):
            for phrase, is_end in _phrases(run):
                key = _key(phrase)
                keys.append(key)
                self._forms[key][phrase] += 1
                self._ends[key] += is_end
        return keys

    def _find_fragments(self) -> set[str]:
        fragments: set[str] = set()
        for key in self.keys:
            number = self._forms[key].total()
            for part in map(_key, _parts(self.lower_case(key))):
                if part in self._forms and number > _MAX_FRAGMENT * self._forms[part].total():
                    fragments.add(part)
        return fragments


def _is_foreign(text: str) -> bool:
    words = set(tokens(text))
    return bool(words & _FOREIGN) and not words & _ENGLISH


def _runs(text: str) -> Iterator[list[str]]:
    """Yield runs of content words between function words, adverbs, participles and punctuation."""
    for part in _BETWEEN_RUNS.split(text):
        run: list[str] = []
        for joined in part.split():
            words = tokens(joined)
            is_break = not words or (len(words) == 1 and _is_break(words[0]))
            if run and (is_break or is_participle(words[-1])):
                yield run
                run = []
            if not is_break:
                run += words
        if run:
            yield run


def _is_break(word: str) -> bool:
    if _CHINESE.match(word):
        return False
    is_empty = word in stop_words() or word in BREAKS or (word in EMPTY and word not in NOUNS)
    return is_empty or len(word) < 2 or word.isdigit() or is_adverb(word)


def _phrases(run: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield each phrase of a run of words, and whether it ends the run."""
    is_chinese = bool(_CHINESE.match(run[0]))
    shortest, longest = (2, _MAX_CHINESE) if is_chinese else (1, _MAX_WORDS)
    for start in range(len(run)):
        for end in range(start + shortest, min(start + longest, len(run)) + 1):
            words = run[start:end]
            if _can_be_phrase(words):
                yield ("" if is_chinese else " ").join(words), end == len(run)


def _can_be_phrase(words: Sequence[str]) -> bool:
    """Return whether one of the words has a meaning, and the last one may be a noun."""
    if all(word in EMPTY or word in LITTLE for word in words):
        return False
    last = words[-1]
    is_empty = last in EMPTY and (last not in NOUNS or len(words) == 1)
    return not is_empty and not is_participle(last)


def _parts(phrase: str) -> Iterator[str]:
    """Yield a phrase without its first word, and without its last word (Chinese: character)."""
    blank = "" if _CHINESE.match(phrase) else " "
    words = list(phrase) if not blank else phrase.split()
    if len(words) > (1 if blank else 2):
        yield from (blank.join(words[1:]), blank.join(words[:-1]))


def _key(phrase: str) -> str:
    *words, last = phrase.split()
    return " ".join([*words, stem(last)])


def _is_redundant(phrase: ScoredPhrase, other: ScoredPhrase) -> bool:
    """Return whether a phrase contains another, or is a part of it and not more frequent."""
    words, others = set(phrase.key.split()), set(other.key.split())
    return words >= others or (words <= others and phrase.n_inside <= other.n_inside)


def _weight(key: str) -> float:
    n_words = 2 if _CHINESE.match(key) and len(key) > 3 else key.count(" ") + 1
    return _WORD_WEIGHTS[min(n_words, _MAX_WORDS) - 1]


def _most_frequent(forms: Counter[str]) -> str:
    return min(forms, key=lambda form: (-forms[form], form))
