"""Suggest papers with evidence on claims: `fieldguide check --claims`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer

from classifier.papers.paper import Paper
from classifier.survey.claims import sentences_with
from classifier.survey.inputs import Inputs
from classifier.taxonomy.claims import Claim
from classifier.text.normalise import stem
from classifier.text.roles import roled_sentences

_MIN_SIMILARITY = 0.05
"""Minimum cosine similarity of a paper to a claim. Less similar texts share little more than the
vocabulary of the field."""
_MAX_PER_CLAIM = 8
_MIN_WORDS = 4
"""Minimum number of words that identify a sentence."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paper that may have evidence on a claim."""

    paper: Paper
    sentence: str
    """The sentence of the abstract that is most similar to the claim; a result if it has any."""

    @property
    def placement(self) -> str:
        """A line to paste under `for`, `mixed` or `against` of the claim in claims.yaml."""
        words = _unique_start(self.sentence, self.paper.abstract_display)
        return f"{self.paper.id}: {json.dumps(words, ensure_ascii=False)}"


def claim_candidates(inputs: Inputs) -> Iterator[tuple[Claim, list[Candidate]]]:
    """Yield each claim with the most similar papers that it does not cite, most similar first.

    Papers without an abstract are left out: they have no sentence to cite.
    """
    aliases = inputs.corpus.aliases
    papers = [paper for paper in inputs.corpus.papers if paper.abstract_display]
    if not papers:
        yield from ((claim, []) for claim in inputs.claims.claims)
        return
    by_id = {paper.id: paper for paper in papers}
    vectorizer = TfidfVectorizer(analyzer=_stems, sublinear_tf=True)
    rows = vectorizer.fit_transform(f"{each.title}. {each.abstract_display}" for each in papers)
    for claim in inputs.claims.claims:
        placed = {aliases.get(each.paper_id, each.paper_id): each for each in claim.placements}
        cited = [
            sentence
            for paper_id, each in placed.items()
            if each.words and paper_id in by_id
            for sentence in sentences_with(each.words, by_id[paper_id].abstract_display)
        ]
        query = vectorizer.transform([" ".join([claim.text, *cited])])
        similarity = (rows @ query.T).toarray()[:, 0]
        order = np.lexsort((list(by_id), -similarity))
        near = (papers[position] for position in order if similarity[position] >= _MIN_SIMILARITY)
        chosen = [paper for paper in near if paper.id not in placed][:_MAX_PER_CLAIM]
        yield claim, [Candidate(each, _most_similar(each, vectorizer, query)) for each in chosen]


def _stems(text: str) -> list[str]:
    words = re.findall(r"[^\W_]{2,}", text.casefold())
    return [stem(word) for word in words if word not in ENGLISH_STOP_WORDS]


def _most_similar(paper: Paper, vectorizer: TfidfVectorizer, query: object) -> str:
    sentences = roled_sentences(paper.abstract_display)
    results = [each for each in sentences if each.role == "result"]
    texts = [each.span.text for each in results or sentences]
    similarity = (vectorizer.transform(texts) @ query.T).toarray()[:, 0]  # type: ignore[attr-defined]
    return texts[int(similarity.argmax())]


def _unique_start(sentence: str, text: str) -> str:
    words = sentence.rstrip(".").split()
    for length in range(_MIN_WORDS, len(words)):
        start = " ".join(words[:length])
        if len(sentences_with(start, text)) == 1:
            return start
    return " ".join(words)
