"""Phrases of papers: runs of up to four content words, and how well each tells a group apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfTransformer

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
    stops,
)
from classifier.text.normalise import stem, tokens

_MAX_WORDS = 4
_MAX_CHINESE = 5
"""Characters of a Chinese phrase; its text has no blanks between words."""
_MAX_SHARE = 0.34
"""A phrase that a larger share of the papers uses describes the field, not a part of it."""
_ALWAYS_KEPT = 3
"""A phrase of up to this many papers is kept, however few papers there are."""
_MIN_END_SHARE = 0.45
"""A noun mostly ends its run of words: "prejudice" does, "racial" does not."""
_MAX_FRAGMENT = 0.6
"""A phrase that occurs more often than this within one longer phrase is a part of that phrase."""
_MIN_PRECISION = 0.5
"""Share of a cue's papers that must belong to the group."""
_WORD_WEIGHTS = (1.0, 1.9, 2.1, 2.1)
"""Phrases of several words make better names than single words."""

# Punctuation, and words of any Chinese abstract: its text has no blanks that would separate them.
_BETWEEN_RUNS = re.compile(
    r"[^\w\s'’\-\u2010\u2011]+"
    "|一种|进行|提出|基于|通过|采用|利用|运用|研究|方法|结果|表明|介绍|具有|不同|影响|分析|作用|问题|本文|我国|主要|随着|为了"
    "|[的了和与及在对为是等以其有从将由并而被于或之该这本各中上下着就也都还使可能对用]"
)
_FOREIGN = re.compile(
    r"(?!.*\b(?:the|of|and|by|with|for|from|to|an)\b)"
    r".*\b(?:de|des|du|del|della|les|las|los|und|der|das|dos)\b",
    re.IGNORECASE | re.DOTALL,
)
_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_ADJECTIVE = re.compile(r".*(?:ful|ous|less|ive|ible|ical|ional|inal|ental)")

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Scored:
    """A phrase and how well it describes a group of papers."""

    key: str
    score: float
    inside: int
    """Number of papers in the group that use the phrase."""
    used: int
    """Number of all papers that use the phrase."""

    @property
    def precision(self) -> float:
        """Share of the papers with this phrase that are in the group."""
        return self.inside / self.used


class Phrases:
    """The phrases of some papers. A key is a phrase whose last word is reduced to its stem."""

    def __init__(self, papers: Sequence[Paper], min_papers: int = 2) -> None:
        self._papers = papers
        self._written: dict[str, Counter[str]] = {}
        self._ends: Counter[str] = Counter()
        foreign = _foreign_texts(papers)
        titles = [self._keys(paper.title_display, foreign) for paper in papers]
        abstracts = [self._keys(paper.abstract_display, foreign) for paper in papers]
        texts = [[*title, *title, *rest] for title, rest in zip(titles, abstracts, strict=True)]
        used = Counter(key for keys in texts for key in set(keys))
        max_papers = max(_MAX_SHARE * len(papers), _ALWAYS_KEPT)
        self.keys: list[str] = sorted(
            key for key, number in used.items() if min_papers <= number <= max_papers
        )
        self._at = {key: j for j, key in enumerate(self.keys)}
        counts = self._count(texts)
        self.rows: csr_matrix = csr_matrix(counts.shape)
        """TF-IDF of the phrases, one row per paper; a title counts twice."""
        if self.keys:
            self.rows = TfidfTransformer(sublinear_tf=True).fit_transform(counts)
        self._uses = (counts > 0).astype(np.int64)
        self._in_title = (self._count(titles) > 0).astype(np.int64)
        self._n_papers = np.asarray(self._uses.sum(axis=0)).ravel()
        self._fragments = self._find_fragments()

    def describe(self, members: Flags, min_inside: int = 2) -> list[Scored]:
        """Return the phrases of a group of papers, the most descriptive first.

        members: whether each paper is in the group. min_inside: minimum number of the group's
        papers that use a phrase. The score is the F1 of "uses the phrase" for
        "is in the group", weighted by the number of words and the share of uses in titles.
        """
        inside = np.asarray(self._uses[members].sum(axis=0)).ravel()
        titled = np.asarray(self._in_title[members].sum(axis=0)).ravel()
        f1 = 2 * inside / np.maximum(self._n_papers + members.sum(), 1)
        found = [
            Scored(
                key,
                float(f1[j] * _weight(key) * (0.3 + titled[j] / inside[j])),
                int(inside[j]),
                int(self._n_papers[j]),
            )
            for j, key in enumerate(self.keys)
            if inside[j] >= min_inside
        ]
        return sorted(found, key=lambda phrase: (-round(phrase.score, 9), phrase.key))

    @property
    def uses_by_paper(self) -> csr_matrix:
        """(n, len(keys)) 1 where a paper uses a phrase, else 0."""
        return self._uses

    def uses(self, key: str) -> Flags:
        """Return for each paper whether it uses a phrase."""
        column: NDArray[np.int64] = self._uses[:, self._at[key]].toarray().ravel()
        return column > 0

    def cues(self, described: Sequence[Scored], taken: set[str], n_cues: int) -> list[str]:
        """Return the keys that separate a group best, without those of `taken`."""
        chosen: list[Scored] = []
        for phrase in described:
            if (
                len(chosen) < n_cues
                and phrase.key not in taken
                and phrase.precision >= _MIN_PRECISION
                and self._is_whole(phrase.key)
                and not any(_adds_nothing(phrase, other) for other in chosen)
            ):
                chosen.append(phrase)
        return [phrase.key for phrase in chosen]

    def written(self, key: str) -> str:
        """Return the commonest form of a phrase, in lower case."""
        forms = self._written[key]
        return min(forms, key=lambda form: (-forms[form], form))

    def cue(self, key: str) -> str:
        """Return a phrase as a cue, with `~` where papers inflect its last word."""
        forms = self._written[key]
        shortest = min(forms, key=lambda form: (len(form), form))
        return f"{shortest}~" if len(forms) > 1 else shortest

    def name(self, key: str) -> str:
        """Return a phrase with the hyphens and capitals that most texts give it."""
        words = map(re.escape, self.written(key).split())
        pattern = re.compile(
            r"(?<!\w)" + r"(?:['’]s)?[\s\-\u2010\u2011]+".join(words) + r"(?!\w)", re.IGNORECASE
        )
        abstracts = Counter(
            form for paper in self._papers for form in pattern.findall(paper.abstract_display)
        )
        titles = Counter(
            form for paper in self._papers for form in pattern.findall(paper.title_display)
        )
        forms = abstracts or titles
        if not forms:
            return self.written(key)
        common = min(forms, key=lambda form: (-forms[form], form))
        return " ".join(common.split())

    def is_name(self, key: str) -> bool:
        """Say whether a phrase can name a subject: a whole phrase that ends with a noun."""
        words = self.written(key).split()
        last = words[-1]
        if not self._is_whole(key) or self.is_place(key):
            return False
        if name_key(" ".join(words)) in no_topics()[1] or all(
            any(map(str.isdigit, w)) for w in words
        ):
            return False
        if _ADJECTIVE.fullmatch(last) or last in METHODS:
            return False
        return len(words) > 1 or (
            last not in LITTLE and (len(last) > 3 or bool(_CHINESE.match(last)))
        )

    def is_place(self, key: str) -> bool:
        """Say whether a phrase contains a place, a month or a language."""
        words = self.written(key).split()
        parts = (
            " ".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1)
        )
        return any(name_key(part) in no_topics()[0] for part in parts)

    def _is_whole(self, key: str) -> bool:
        if key in self._fragments:
            return False
        forms = self._written[key]
        return bool(_CHINESE.match(key)) or self._ends[key] >= _MIN_END_SHARE * forms.total()

    def _count(self, texts: Sequence[Sequence[str]]) -> csr_matrix:
        """Return how often each text has each key."""
        rows = [i for i, keys in enumerate(texts) for key in keys if key in self._at]
        columns = [self._at[key] for keys in texts for key in keys if key in self._at]
        shape = (len(texts), len(self.keys))
        return csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)

    def _keys(self, text: str, foreign: Collection[str]) -> list[str]:
        """Return the keys of a text's phrases in order, and count how each is written."""
        keys: list[str] = []
        if text in foreign:
            return keys
        for words, is_end in _phrases(text):
            written = "".join(words) if _CHINESE.match(words[0]) else " ".join(words)
            key = _key(written)
            keys.append(key)
            self._written.setdefault(key, Counter())[written] += 1
            self._ends[key] += is_end
        return keys

    def _find_fragments(self) -> set[str]:
        """Return the keys that mostly occur as a part of one longer phrase."""
        fragments: set[str] = set()
        for key in self.keys:
            number = self._written[key].total()
            for part in map(_key, _parts(self.written(key))):
                if part in self._at and number > _MAX_FRAGMENT * self._written[part].total():
                    fragments.add(part)
        return fragments


def _foreign_texts(papers: Sequence[Paper]) -> set[str]:
    """Return the Romance and German texts among papers that are mostly in another language."""
    texts = [text for paper in papers for text in (paper.title_display, paper.abstract_display)]
    foreign = {text for text in texts if _FOREIGN.search(text)}
    return foreign if 2 * len(foreign) <= len(papers) else set()


def _key(phrase: str) -> str:
    *words, last = phrase.split()
    return " ".join([*words, stem(last)])


def _adds_nothing(phrase: Scored, other: Scored) -> bool:
    """Say whether a phrase has all words of another, or is a part of it in the same papers."""
    words, others = set(phrase.key.split()), set(other.key.split())
    return words >= others or (words <= others and phrase.inside <= other.inside)


def _weight(key: str) -> float:
    n_words = 2 if _CHINESE.match(key) and len(key) > 3 else key.count(" ") + 1
    return _WORD_WEIGHTS[min(n_words, _MAX_WORDS) - 1]


def _phrases(text: str) -> Iterator[tuple[list[str], bool]]:
    """Yield each phrase of a text as its words, and whether it ends its run of content words."""
    for run in _runs(text):
        is_chinese = bool(_CHINESE.match(run[0]))
        shortest, longest = (2, _MAX_CHINESE) if is_chinese else (1, _MAX_WORDS)
        for start in range(len(run)):
            for end in range(start + shortest, min(start + longest, len(run)) + 1):
                words = run[start:end]
                if _is_phrase(words):
                    yield words, end == len(run)


def _parts(phrase: str) -> Iterator[str]:
    """Yield the phrases within a phrase that lack its first or its last word or character."""
    if _CHINESE.match(phrase):
        if len(phrase) > 2:
            yield from (phrase[1:], phrase[:-1])
        return
    words = phrase.split()
    if len(words) > 1:
        yield from (" ".join(words[1:]), " ".join(words[:-1]))


def _runs(text: str) -> Iterator[list[str]]:
    """Yield the content words between function words, adverbs, participles and punctuation."""
    for part in _BETWEEN_RUNS.split(text):
        run: list[str] = []
        for joined in part.split():
            words = tokens(joined)
            is_break = not words or (_is_break(words[0]) and len(words) == 1)
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
    if word in EMPTY and word not in NOUNS:
        return True
    return word in stops() or word in BREAKS or len(word) < 2 or word.isdigit() or is_adverb(word)


def _is_phrase(words: Sequence[str]) -> bool:
    """Say whether words can be a phrase: some carry meaning, and the last is a possible noun."""
    if all(word in EMPTY or word in LITTLE for word in words):
        return False
    last = words[-1]
    if last in EMPTY and (last not in NOUNS or len(words) == 1):
        return False
    return not is_participle(last)
