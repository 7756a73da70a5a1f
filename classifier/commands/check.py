"""Suggestions of `fieldguide check`: cues for categories, and papers for claims.

Suggested cues come from papers similar to the exemplars and definition of a category, so that they
need no reviews. Suggested papers are similar to a claim that does not cite them yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from threadpoolctl import threadpool_limits

from classifier.commands.new.phrases import Phrases, Scored
from classifier.labelling.cue_index import CueIndex
from classifier.papers.paper import Paper
from classifier.survey.claims import pointed_at
from classifier.survey.inputs import Inputs
from classifier.taxonomy.claims import Claim
from classifier.taxonomy.model import Category, Taxonomy
from classifier.text.normalise import title_key
from classifier.text.sentences import split_sentences

_MAX_SUGGESTED = 8
_MAX_CANDIDATES = 10
_MIN_SIMILARITY = 0.12
"""Minimum cosine similarity of a paper to a category or claim. Texts below it have little more in
common than the vocabulary of the field."""
_MAX_SIMILAR = 40
_MIN_PAPERS = 3
_MIN_WORD_PRECISION = 0.6
"""Minimum share, among the papers that use a word, of papers similar to the category."""
_MAX_PER_CLAIM = 5


def suggestions(taxonomy: Taxonomy, papers: Sequence[Paper]) -> Iterator[str]:
    """Yield lines with new cues to paste, per category of the first facet.

    Each cue has two counts: similar papers that use it, and all papers that use it.

    The text of a category is its name, definition, inclusions and exemplars. Papers are similar to
    a category if their text is closest to its text. The suggested cues are the phrases that best
    distinguish these papers from the others. Decisions are not used.
    """
    facet = taxonomy.first
    categories = [
        category
        for category in facet.categories
        if not category.out_of_scope and not category.replaced_by
    ]
    texts = [_text(category, papers) for category in categories]
    all_phrases = Phrases([*papers, *texts])
    phrases = Phrases(papers)
    rows = all_phrases.rows
    if not all_phrases.keys:
        return
    with threadpool_limits(limits=1):  # For the same digits on every machine.
        similarity = np.round((rows[: len(papers)] @ rows[len(papers) :].T).toarray(), 9)
    similarity += 0.5 * _matches_cue(taxonomy, categories, papers)
    known = {key for category in facet.walk() for key in _cue_words(category)}
    for k, category in enumerate(categories):
        own = [
            i
            for i in np.argsort(-similarity[:, k], kind="stable")[:_MAX_SIMILAR].tolist()
            if similarity[i, k] >= max(_MIN_SIMILARITY, similarity[i].max())
        ]
        if len(own) < _MIN_PAPERS:
            hint = "Add one or two exemplars, or extend the definition."
            yield f"{category.id}: too few similar papers. {hint}"
            continue
        members = np.isin(np.arange(len(papers)), own)
        distinctive = [
            phrase
            for phrase in phrases.describe(members)
            if (" " in phrase.key or _is_distinctive_word(phrase, phrases))
            and not phrases.is_place(phrase.key)
        ]
        counts = {phrase.key: f"({phrase.inside} of {phrase.used})" for phrase in distinctive}
        keys = [
            key
            for key in phrases.cues(distinctive, set(), _MAX_CANDIDATES)
            if frozenset(phrases.written(key).split()) not in known
            and phrases.written(key) not in known
        ][:_MAX_SUGGESTED]
        if not keys:
            yield f"{category.id}: no new cue."
            continue
        cues = [phrases.cue(key) for key in keys]
        with_counts = (f"{cue} {counts[key]}" for cue, key in zip(cues, keys, strict=True))
        yield f"{category.id}: {', '.join(with_counts)}"
        yield f"  anywhere: [{', '.join(cues)}]"
        titles = "; ".join(papers[i].title_display for i in own[:2])
        yield f"  from {len(own)} similar papers, such as {titles}"


def _is_distinctive_word(word: Scored, phrases: Phrases) -> bool:
    """Return whether a word is a noun that occurs mainly in papers of one category."""
    return word.inside >= 3 and word.precision >= _MIN_WORD_PRECISION and phrases.is_name(word.key)


def _text(category: Category, papers: Sequence[Paper]) -> Paper:
    """Return the text of a category as a paper: its description, then its exemplars."""
    titles = {title_key(title) for title in category.exemplars}
    exemplars = [paper for paper in papers if title_key(paper.title) in titles]
    parts = [category.definition, *category.includes]
    parts += [f"{paper.title_display}. {paper.abstract_display}" for paper in exemplars]
    return Paper(title=category.name, abstract=". ".join(parts))


def _matches_cue(
    taxonomy: Taxonomy, categories: Sequence[Category], papers: Sequence[Paper]
) -> np.ndarray:
    """Return an (n, k) array: 1 if a paper matches a cue of the category, else 0."""
    columns = {category.id: k for k, category in enumerate(categories)}
    facet = taxonomy.first
    matches = np.zeros((len(papers), len(categories)))
    for i, hits in enumerate(CueIndex(taxonomy).count(papers)[facet.id].hits):
        for hit in hits:
            top = facet.top_of(hit.category)
            if hit.view != "against" and top in columns:
                matches[i, columns[top]] = 1.0
    return matches


def _cue_words(category: Category) -> list[object]:
    """Return the cues of a category, as text and as sets of words."""
    cues = [cue for _, view_cues in category.cues.views() for cue in view_cues]
    return [
        *(cue.rstrip("~") for cue in cues),
        *(frozenset(cue.replace("~", "").split()) for cue in cues),
    ]


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
            for sentence in pointed_at(each.words, by_id[identifier].abstract_display)
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
