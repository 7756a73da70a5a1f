"""`fieldguide check --claims`: papers that are likely to bear on a claim, and stand under none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from classifier.survey.claims import pointed_at
from classifier.survey.inputs import Inputs
from classifier.taxonomy.claims import Claim
from classifier.text.sentences import split_sentences

MAX_PAPERS = 5
MIN_LIKENESS = 0.12
"""Cosine below which a text shares hardly more with a claim than the words of the field."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paper that may bear on a claim."""

    paper_id: str
    title: str
    sentence: str
    """The sentence of its text that is most like the claim and the sentences cited."""


def candidates(inputs: Inputs) -> list[tuple[Claim, list[Candidate]]]:
    """Return for each claim at most five papers that it does not place, the likeliest first."""
    papers = {paper.id: paper for paper in inputs.corpus.papers}
    aliases = inputs.corpus.aliases
    texts = [f"{paper.title}. {paper.abstract_display}" for paper in papers.values()]
    vectorizer = TfidfVectorizer(stop_words="english", sublinear_tf=True)
    rows = vectorizer.fit_transform(texts)
    found = []
    for claim in inputs.claims.claims:
        placed = {aliases.get(each.paper_id, each.paper_id): each for each in claim.placements}
        cited = [
            sentence
            for identifier, each in placed.items()
            if each.words and identifier in papers
            for sentence in pointed_at(each.words, papers[identifier].abstract_display)
        ]
        asked = vectorizer.transform([" ".join([claim.text, *cited])])
        likeness = (rows @ asked.T).toarray()[:, 0]
        order = np.lexsort((list(papers), -likeness))
        listed = list(papers.values())
        near = (listed[at] for at in order if likeness[at] >= MIN_LIKENESS)
        chosen = [paper for paper in near if paper.id not in placed][:MAX_PAPERS]
        told = [
            Candidate(p.id, p.title_display, _nearest(p.abstract_display, vectorizer, asked))
            for p in chosen
        ]
        found.append((claim, told))
    return found


def _nearest(text: str, vectorizer: TfidfVectorizer, asked: object) -> str:
    """Return the sentence of a text that is most like what is asked, or ""."""
    sentences = [span.text for span in split_sentences(text)]
    if not sentences:
        return ""
    likeness = (vectorizer.transform(sentences) @ asked.T).toarray()[:, 0]  # type: ignore[attr-defined]
    return sentences[int(likeness.argmax())]
