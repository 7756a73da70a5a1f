"""Suggestions of `fieldguide check`: cues for categories, and papers for claims.

Suggested cues separate the papers that are probably in a category from the others. Suggested papers
are similar to a claim that does not cite them yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from classifier.commands.cue_proposals import propose_cues
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decisions
from classifier.papers.paper import Paper
from classifier.survey.claims import sentences_with
from classifier.survey.inputs import Inputs
from classifier.taxonomy.claims import Claim
from classifier.text.sentences import split_sentences

_MAX_SUGGESTED = 5
_MORE_PAPERS = "Add one or two exemplars, or extend the definition."
_HOW_TO_ANSWER = (
    "Copy the phrases that you would look for into `anywhere` under the `cues` of their category, "
    "and the others into `rejected`: they are not proposed again."
)
_MIN_SIMILARITY = 0.12
"""Minimum cosine similarity of a paper to a claim. Texts below it have little more in common than
the vocabulary of the field."""
_MAX_PER_CLAIM = 5


def suggestions(
    classifier: TaxonomyClassifier, papers: Sequence[Paper], decisions: Decisions
) -> Iterator[str]:
    """Yield lines with proposed cues per category of the first facet, and a list to paste.

    classifier: fitted on these papers and decisions.
    """
    proposals = propose_cues(classifier, papers, decisions)
    for category in classifier.taxonomy.first.tops:
        if category.out_of_scope:
            continue
        own = [each for each in proposals if each.category == category.id][:_MAX_SUGGESTED]
        if not own:
            yield f"{category.id}: no phrase separates its papers from the others. {_MORE_PAPERS}"
            continue
        yield f"{category.id}:"
        for each in own:
            yield f"  {each.cue} ({each.n_likely} of {each.n_papers} papers)"
            yield from (f"      “{title}”" for title in each.titles)
        yield f"  anywhere: [{', '.join(each.cue for each in own)}]"
    if proposals:
        yield _HOW_TO_ANSWER


def candidates(inputs: Inputs) -> Iterator[tuple[Claim, list[tuple[Paper, str]]]]:
    """Yield each claim with at most five similar papers that it does not cite, the closest first.

    Each paper comes with the sentence of its text that is closest to the claim and its cited
    sentences, or "".
    """
    papers, aliases = inputs.corpus.papers, inputs.corpus.aliases
    by_id = {paper.id: paper for paper in papers}
    texts = [f"{paper.title}. {paper.abstract_display}" for paper in papers]
    vectorizer = TfidfVectorizer(stop_words="english", sublinear_tf=True)
    rows = vectorizer.fit_transform(texts)
    for claim in inputs.claims.claims:
        placed = {aliases.get(each.paper_id, each.paper_id): each for each in claim.placements}
        cited = [
            sentence
            for identifier, each in placed.items()
            if each.words and identifier in by_id
            for sentence in sentences_with(each.words, by_id[identifier].abstract_display)
        ]
        query = vectorizer.transform([" ".join([claim.text, *cited])])
        similarity = (rows @ query.T).toarray()[:, 0]
        order = np.lexsort((list(by_id), -similarity))
        near = (papers[position] for position in order if similarity[position] >= _MIN_SIMILARITY)
        chosen = [paper for paper in near if paper.id not in placed][:_MAX_PER_CLAIM]
        yield claim, [(each, _nearest(each.abstract_display, vectorizer, query)) for each in chosen]


def _nearest(text: str, vectorizer: TfidfVectorizer, query: object) -> str:
    """Return the sentence of a text that is closest to the query, or ""."""
    sentences = [span.text for span in split_sentences(text)]
    if not sentences:
        return ""
    similarity = (vectorizer.transform(sentences) @ query.T).toarray()[:, 0]  # type: ignore[attr-defined]
    return sentences[int(similarity.argmax())]
