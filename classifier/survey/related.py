"""Find related papers (cosine similarity of TF-IDF vectors), and papers that mention another."""

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
from classifier.text.mentions import defines_abbreviation
from classifier.text.normalise import tokens

MAX_RELATED = 5
_MIN_WORD_LENGTH, _STEM_LENGTH, _MIN_TITLES = 5, 5, 2
_MAX_TEXTS_PER_TITLE = 6
"""Maximum ratio of texts to titles with a word; a word with a higher ratio is jargon."""
MIN_COSINE = 0.05
"""Minimum similarity of related papers; below it they share little but function words."""
_MAX_SHARE = 0.2
"""Maximum share of texts with a word; a more frequent word says little about similarity."""
_GENERAL_WORDS = frozenset(
    "about above across after against along among around before behind bench between beyond could"
    " during every first large other should system systems their there these those through toward"
    " towards under until versus where whether which while within without would".split()
)
"""Words of any title. The stop words of scikit-learn are not used, because its import is slow."""
_SMALL_SURVEY = 50
"""Number of texts up to which no word is too frequent."""
_MAX_TEXTS = 1_000
"""Maximum number of texts with a word, so that the time per text does not grow with the number of
texts; it is below `_MAX_SHARE` from 5,000 texts on."""
_BLOCK = 256
"""Number of texts whose cosines with all others are in memory at the same time."""


def related_papers(entries: Sequence[SurveyPaper]) -> Mapping[str, tuple[str, ...]]:
    """Return the ids of the most similar papers, the most similar first, by paper id.

    The weight of a word in a text is (1 + ln tf) * ln(n / df); words in the title count twice, and
    rows are scaled to length 1 (Salton and Buckley, "Term-weighting approaches in automatic text
    retrieval", Information Processing & Management 24(5), 1988). Papers with equal cosines are
    ordered by reference number.
    """
    weights = _tfidf_weights([word_counts(entry) for entry in entries])
    related = {}
    for start in range(0, len(entries), _BLOCK):
        cosines = (weights[start : start + _BLOCK] @ weights.T).toarray()
        for place, row in enumerate(cosines, start):
            row[place] = 0.0
            near = np.flatnonzero(row >= MIN_COSINE)
            # Rounding makes results equal on all processors.
            nearest = near[np.lexsort((near, -np.round(row[near], 9)))][:MAX_RELATED]
            ids = tuple(entries[other].paper.id for other in nearest.tolist())
            related[entries[place].paper.id] = ids
    return related


def _tfidf_weights(texts: Sequence[Mapping[str, int]]) -> csr_array:
    """Return (texts, words) weights; each row has length 1 or 0.

    Words that occur in one text only, or in very many, are ignored.
    """
    total, max_texts = len(texts), _max_texts(len(texts))
    n_texts = Counter(word for text in texts for word in text)
    usable = (w for w, n in n_texts.items() if 1 < n <= max_texts and n < total and len(w) > 1)
    column = {word: number for number, word in enumerate(sorted(usable))}
    rows, columns, values = [], [], []
    for row, text in enumerate(texts):
        for place, word in sorted((column[word], word) for word in text if word in column):
            rows.append(row)
            columns.append(place)
            values.append((1 + log(text[word])) * log(total / n_texts[word]))
    weights = np.array(values)
    lengths = np.sqrt(np.bincount(rows, weights * weights, minlength=total))
    return csr_array((weights / lengths[rows], (rows, columns)), shape=(total, len(column)))


def _max_texts(n_texts: int) -> float:
    """Return the maximum number of texts, out of `n_texts`, in which a word may occur."""
    return max(_SMALL_SURVEY, min(n_texts * _MAX_SHARE, _MAX_TEXTS))


def word_counts(entry: SurveyPaper) -> Counter[str]:
    """Count the words in a paper; words in its title count twice."""
    title = tokens(entry.paper.title_display)
    return Counter([*title, *title, *tokens(entry.paper.abstract_display)])


def informative_words(
    entries: Sequence[SurveyPaper], texts: Iterable[Mapping[str, int]]
) -> dict[str, int]:
    """Return the words that can explain a similarity, with the number of papers with each word.

    The words occur in titles and not in too many texts. texts: the `word_counts` of the entries.
    """
    n_texts = Counter(word for text in texts for word in text)
    titled = Counter(word for entry in entries for word in set(tokens(entry.paper.title_display)))
    max_texts = _max_texts(len(entries))
    min_titles = _MIN_TITLES if len(entries) > _SMALL_SURVEY else 0
    return {
        word: count
        for word, count in n_texts.items()
        if titled[word] >= min_titles
        and (not min_titles or titled[word] * _MAX_TEXTS_PER_TITLE >= count)
        and count <= max_texts
        and len(word) >= _MIN_WORD_LENGTH
        and word not in _GENERAL_WORDS
    }


def shared_words(
    first_counts: Mapping[str, int],
    second_counts: Mapping[str, int],
    n_texts: Mapping[str, int],
    total: int,
) -> list[str]:
    """Return the words that contribute most to a similarity, one per stem, the strongest first.

    n_texts: number of papers with each allowed word (`informative_words`), out of `total` papers.
    """
    weights = {
        word: (1 + log(first_counts[word]))
        * (1 + log(second_counts[word]))
        * log(total / n_texts[word]) ** 2
        for word in first_counts.keys() & second_counts.keys() & n_texts.keys()
    }
    stems: dict[str, str] = {}
    for word in sorted(weights, key=lambda word: (-round(weights[word], 6), word)):
        stems.setdefault(word[:_STEM_LENGTH], word)
    return list(stems.values())


_MAX_TITLE_SHARE = 0.02
"""Maximum share of titles with the name of a paper; a more frequent name is a word of the field."""
_WORD = re.compile(r"\w+")
_FORMULA = re.compile(r"(?!.*[A-Za-z]{3}).*")
"""The formula of a substance: “Cu–O”, “TiO2”."""
_OWN_NAME = re.compile(r"(?=\S*[A-Z0-9])(?=\S*[A-Za-z])[^\s,;:]{4,}|[A-Z]{3}")
"""A name other than a plain word: "WebArena", "GPT-4"; the part of a title before its colon."""
_PLAIN_WORD = re.compile(r"[A-Za-z](?:-?[a-z]+)+")
"""A plain word: "Ethics", "E-health"."""


def papers_mentioning(entries: Sequence[SurveyPaper]) -> dict[str, list[SurveyPaper]]:
    """Return the other papers whose text contains a paper's name, by paper id.

    A paper is omitted if its title has no name, or if the name is a common word of the field: it is
    in many titles ("Cu₂O"), or it is an abbreviation with another meaning in other papers.
    """
    texts = {
        entry.number: f"{entry.paper.title_display} {entry.paper.abstract_display}"
        for entry in entries
    }
    by_word: dict[str, list[SurveyPaper]] = {}  # avoids searching each name in every text
    for entry in entries:
        for word in set(_WORD.findall(texts[entry.number])):
            by_word.setdefault(word, []).append(entry)
    max_titles = max(2, _MAX_TITLE_SHARE * len(entries))
    found: dict[str, list[SurveyPaper]] = {}
    for entry in entries:
        name = short_name(entry.paper.title_display)
        is_own = _OWN_NAME.fullmatch(name) and not _PLAIN_WORD.fullmatch(name)
        if entry.has_namesake or not is_own or _FORMULA.fullmatch(name):
            continue
        if name.isupper() and not _introduces(entry, name):
            continue
        containing = [e for e in by_word.get(_WORD.findall(name)[0], []) if name in texts[e.number]]
        others = [each for each in containing if each is not entry]
        if name.isupper() and any(
            defines_abbreviation(texts[each.number], name) for each in others
        ):
            continue
        if sum(name in each.paper.title_display for each in containing) <= max_titles:
            whole = re.compile(rf"(?<!\w){NO_OTHER_NAME}{re.escape(name)}(?!\w)")
            found[entry.paper.id] = [each for each in others if whole.search(texts[each.number])]
    return found


def _introduces(entry: SurveyPaper, name: str) -> bool:
    """Return whether the paper's own abstract introduces its abbreviation.

    This is so if the abstract spells the abbreviation out, or if a sentence about the contribution
    contains it.
    """
    if defines_abbreviation(entry.paper.abstract_display, name):
        return True
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return any(s.role == "contribution" and whole.search(s.words) for s in entry.sentences)
