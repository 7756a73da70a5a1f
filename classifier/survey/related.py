"""Which papers speak of the same things (cosine over TF-IDF of title and text), and which name
another by its own name: WebArena, GPT-4."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log

import numpy as np
from scipy.sparse import csr_array

from classifier.survey.entry import SurveyPaper
from classifier.survey.names import NO_OTHER_NAME
from classifier.survey.paper_names import short_name
from classifier.text.mentions import spells_out
from classifier.text.normalise import tokens

MOST = 5
_SHORTEST_SHARED, _STEM, _LEAST_TITLES = 5, 5, 2
_LEAST_TITLED = 6
"""Of so many texts that hold a word one has it in its title: else it is of the trade."""
LEAST_COSINE = 0.05
"""Below it two texts share little but function words."""
_MOST_COMMON = 0.2
"""A word in a larger share of the texts tells them apart too little for what it costs."""
_OF_ANY_TITLE = frozenset(
    "about above across after against along among around before behind bench between beyond could"
    " during every first large other should system systems their there these those through toward"
    " towards under until versus where whether which while within without would".split()
)
"""Scikit-learn's stop words would let a build that learns nothing wait for its import."""
_FEW_TEXTS = 50
"""Of fewer texts every word counts."""
_MANY_TEXTS = 1_000
"""A word in more texts than this is not looked at, so that the time that a text takes does not
grow with their number: from 5,000 texts on fewer words count than the share allows."""
_AT_ONCE = 256
"""Texts whose cosines with all others are in memory at once."""


def related_papers(entries: Sequence[SurveyPaper]) -> Mapping[str, tuple[str, ...]]:
    """Return paper id -> ids of the papers whose title and text are nearest, the nearest first.

    The weight of a word in a text is (1 + ln tf) * ln(n / df), the title counted twice, rows scaled
    to length 1 (Salton and Buckley, "Term-weighting approaches in automatic text retrieval",
    Information Processing & Management 24(5), 1988). Equal cosines go by reference number.
    """
    weights = _weights([word_counts(entry) for entry in entries])
    related = {}
    for start in range(0, len(entries), _AT_ONCE):
        cosines = (weights[start : start + _AT_ONCE] @ weights.T).toarray()
        for place, row in enumerate(cosines, start):
            row[place] = 0.0
            near = np.flatnonzero(row >= LEAST_COSINE)
            # Rounding hides the last digits of processors.
            nearest = near[np.lexsort((near, -np.round(row[near], 9)))][:MOST]
            ids = tuple(entries[other].paper.id for other in nearest.tolist())
            related[entries[place].paper.id] = ids
    return related


def _weights(texts: Sequence[Mapping[str, int]]) -> csr_array:
    """Return (texts, words) weights, each row of length 1 or 0.

    Words of one text alone, or of very many, are left out.
    """
    total, most = len(texts), _most(len(texts))
    holding = Counter(word for text in texts for word in text)
    usable = (w for w, n in holding.items() if 1 < n <= most and n < total and len(w) > 1)
    column = {word: number for number, word in enumerate(sorted(usable))}
    rows, columns, values = [], [], []
    for row, text in enumerate(texts):
        for place, word in sorted((column[word], word) for word in text if word in column):
            rows.append(row)
            columns.append(place)
            values.append((1 + log(text[word])) * log(total / holding[word]))
    weights = np.array(values)
    lengths = np.sqrt(np.bincount(rows, weights * weights, minlength=total))
    return csr_array((weights / lengths[rows], (rows, columns)), shape=(total, len(column)))


def _most(total: int) -> float:
    """Return in how many of `total` texts a word may stand that tells them apart."""
    return max(_FEW_TEXTS, min(total * _MOST_COMMON, _MANY_TEXTS))


def word_counts(entry: SurveyPaper) -> Counter[str]:
    """Return how often a paper holds each word, those of its title counted twice."""
    title = tokens(entry.paper.title_display)
    return Counter([*title, *title, *tokens(entry.paper.abstract_display)])


def telling_words(
    entries: Sequence[SurveyPaper], texts: Iterable[Mapping[str, int]]
) -> dict[str, int]:
    """Return the words that say why two papers are alike -> how many papers hold each.

    They tell texts apart, and authors put them into titles, as nobody does "mostly".

    texts: the `word_counts` of the entries.
    """
    holding = Counter(word for text in texts for word in text)
    titled = Counter(word for entry in entries for word in set(tokens(entry.paper.title_display)))
    most = _most(len(entries))
    least = _LEAST_TITLES if len(entries) > _FEW_TEXTS else 0
    return {
        word: texts_holding
        for word, texts_holding in holding.items()
        if titled[word] >= least
        and (not least or titled[word] * _LEAST_TITLED >= texts_holding)
        and texts_holding <= most
        and len(word) >= _SHORTEST_SHARED
        and word not in _OF_ANY_TITLE
    }


def shared_words(
    one: Mapping[str, int], other: Mapping[str, int], holding: Mapping[str, int], total: int
) -> list[str]:
    """Return the words that bring two texts nearest, the strongest first, one of each stem.

    holding: the words that may be named (`telling_words`) -> how many of `total` papers hold each.
    """
    weights = {
        word: (1 + log(one[word])) * (1 + log(other[word])) * log(total / holding[word]) ** 2
        for word in one.keys() & other.keys() & holding.keys()
    }
    stems: dict[str, str] = {}
    for word in sorted(weights, key=lambda word: (-round(weights[word], 6), word)):
        stems.setdefault(word[:_STEM], word)
    return list(stems.values())


_WORD_OF_TITLES = 0.02
_WORD = re.compile(r"\w+")
_FORMULA = re.compile(r"(?!.*[A-Za-z]{3}).*")
"""Of a substance: “Cu–O”, “TiO2”."""
_OWN_NAME = re.compile(r"(?=\S*[A-Z0-9])(?=\S*[A-Za-z])[^\s,;:]{4,}|[A-Z]{3}")
"""A name that is not a plain word: "WebArena", "GPT-4"; the part of a title before its colon."""
_PLAIN_WORD = re.compile(r"[A-Za-z](?:-?[a-z]+)+")
"""A word in any field: "Ethics", "E-health"."""


def papers_naming(entries: Sequence[SurveyPaper]) -> dict[str, list[SurveyPaper]]:
    """Return paper id -> the other papers whose text holds its own name.

    A paper is left out if its title has no such name, or if the name is a word of the field: many
    titles hold it ("Cu₂O"), or it is an abbreviation that other papers use for something else.
    """
    texts = {
        entry.number: f"{entry.paper.title_display} {entry.paper.abstract_display}"
        for entry in entries
    }
    holding: dict[str, list[SurveyPaper]] = {}  # so that no name is sought in every text
    for entry in entries:
        for word in set(_WORD.findall(texts[entry.number])):
            holding.setdefault(word, []).append(entry)
    most_titles = max(2, _WORD_OF_TITLES * len(entries))
    found: dict[str, list[SurveyPaper]] = {}
    for entry in entries:
        name = short_name(entry.paper.title_display)
        is_own = _OWN_NAME.fullmatch(name) and not _PLAIN_WORD.fullmatch(name)
        if entry.has_namesake or not is_own or _FORMULA.fullmatch(name):
            continue
        if name.isupper() and not _introduces(entry, name):
            continue
        able = [e for e in holding.get(_WORD.findall(name)[0], []) if name in texts[e.number]]
        others = [each for each in able if each is not entry]
        if name.isupper() and any(spells_out(texts[each.number], name) for each in others):
            continue
        if sum(name in each.paper.title_display for each in able) <= most_titles:
            whole = re.compile(rf"(?<!\w){NO_OTHER_NAME}{re.escape(name)}(?!\w)")
            found[entry.paper.id] = [each for each in others if whole.search(texts[each.number])]
    return found


def _introduces(entry: SurveyPaper, name: str) -> bool:
    """Return whether a paper's own abstract introduces its abbreviation.

    Either the abstract spells it out, or a sentence on what the paper contributes holds it.
    """
    if spells_out(entry.paper.abstract_display, name):
        return True
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return any(s.role == "contribution" and whole.search(s.words) for s in entry.sentences)
