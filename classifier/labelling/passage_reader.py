"""Reads papers into `Passages`, thousands at a time, equal to `passages_of` of their views."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from classifier.labelling.cue_cover import CueCover
from classifier.labelling.passages import Passages, Vocabulary, passages_of
from classifier.labelling.respell import respelled_passages
from classifier.labelling.views import text_views
from classifier.papers.paper import Paper
from classifier.text.bulk.reading import read_texts
from classifier.text.bulk.residue import displayed
from classifier.text.bulk.word_table import WordTable
from classifier.text.normalise import tokens


def all_words(papers: Sequence[Paper]) -> Vocabulary:
    """Return every word of some papers, in alphabetical order."""
    texts = displayed([text for paper in papers for text in (paper.title, paper.abstract)])
    return Vocabulary(sorted({word for text in texts for word in tokens(text)}))


_WORD = re.compile(r"[^\W_]")


class PassageReader:
    """Reads papers for one vocabulary and the cues of one taxonomy; made once, pure.

    Numbers of words are those of `vocabulary`, which holds every word of the cues. A passage is
    `respelled` only where an acronym may make one of `cues` fire.
    """

    def __init__(self, vocabulary: Vocabulary, cues: Iterable[str] = ()) -> None:
        self.vocabulary = vocabulary
        self._words = WordTable(vocabulary.words)
        self._cover = CueCover(vocabulary, cues)

    def read(self, papers: Sequence[Paper]) -> Passages:
        """Return the passages of papers; some hundreds at once are read fastest."""
        if not papers:
            return passages_of([], self.vocabulary)
        texts = displayed([text for paper in papers for text in (paper.title, paper.abstract)])
        if not _WORD.search("\n".join(texts)):  # nothing to look at in bulk
            return passages_of([text_views(paper) for paper in papers], self.vocabulary)
        is_title = np.arange(len(texts)) % 2 == 0
        reading = read_texts(texts, is_title)
        spans, found = reading.spans, reading.tokens
        words = self._words.numbers(found.hashes)
        headings = is_title[spans.texts]
        return Passages(
            len(papers),
            words,
            found.hashes,
            reading.negated,
            found.starts,
            spans.texts // 2,
            headings,
            reading.roles.stated & ~headings,
            respelled_passages(reading, words, texts, self._cover),
        )
