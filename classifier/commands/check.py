"""What `fieldguide check` proposes: cues for categories, and papers for claims.

Cues are of papers like a category's exemplars and its definition, before any review; papers are
likely to bear on a claim, and stand under none.
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

_MOST = 8
_MAX_CUES = 10
_LEAST_LIKE = 0.12
"""Cosine from which on a paper is like a category's exemplars and words, or a claim: below it a
text shares hardly more than the words of the field."""
_MOST_LIKE = 40
_FEWEST = 3
_OF_A_WORD = 0.6
"""Of the papers that use a word, how many are like the category."""
_MOST_OF_A_CLAIM = 5


def suggestions(taxonomy: Taxonomy, papers: Sequence[Paper]) -> Iterator[str]:
    """Yield lines on each category of the first facet in use: cues to paste, none that any has.

    With each stand how many papers it is from: those like the category, and all that use it.

    A category is a text: its name, definition, what it includes, and its exemplars. The papers that
    are most like that text, and like no other category's more, are taken for its own; what most
    tells them from the rest is proposed. No decision is asked.
    """
    facet = taxonomy.first
    categories = [one for one in facet.categories if not one.out_of_scope and not one.replaced_by]
    texts = [_text(category, papers) for category in categories]
    every = Phrases([*papers, *texts])
    phrases = Phrases(papers)
    rows = every.rows
    if not every.keys:
        return
    with threadpool_limits(limits=1):  # the same digits on every machine
        like = np.round((rows[: len(papers)] @ rows[len(papers) :].T).toarray(), 9)
    like += 0.5 * _fired(taxonomy, categories, papers)
    known = {key for one in facet.walk() for key in _words_of(one)}
    for k, category in enumerate(categories):
        own = [
            i
            for i in np.argsort(-like[:, k], kind="stable")[:_MOST_LIKE].tolist()
            if like[i, k] >= max(_LEAST_LIKE, like[i].max())
        ]
        if len(own) < _FEWEST:
            few = "too few papers are like it: give it an exemplar or two, or a longer definition"
            yield f"{category.id}: {few}."
            continue
        members = np.isin(np.arange(len(papers)), own)
        telling = [
            one
            for one in phrases.describe(members)
            if (" " in one.key or _is_telling_word(one, phrases)) and not phrases.is_place(one.key)
        ]
        counts = {one.key: f"({one.inside} of {one.used})" for one in telling}
        keys = [
            key
            for key in phrases.cues(telling, set(), _MAX_CUES)
            if frozenset(phrases.written(key).split()) not in known
            and phrases.written(key) not in known
        ][:_MOST]
        if not keys:
            yield f"{category.id}: nothing new."
            continue
        cues = [phrases.cue(key) for key in keys]
        with_counts = (f"{cue} {counts[key]}" for cue, key in zip(cues, keys, strict=True))
        yield f"{category.id}: {', '.join(with_counts)}"
        yield f"  anywhere: [{', '.join(cues)}]"
        titles = "; ".join(papers[i].title_display for i in own[:2])
        yield f"  from {len(own)} papers like it, as {titles}"


def _is_telling_word(one: Scored, phrases: Phrases) -> bool:
    """Say whether a single word is a noun that papers use for a category, and few others."""
    return one.inside >= 3 and one.precision >= _OF_A_WORD and phrases.is_name(one.key)


def _text(category: Category, papers: Sequence[Paper]) -> Paper:
    """Return what a category says of itself as a paper: its words, then its exemplars'."""
    expected = {title_key(title) for title in category.exemplars}
    exemplars = [paper for paper in papers if title_key(paper.title) in expected]
    told = [category.definition, *category.includes]
    told += [f"{paper.title_display}. {paper.abstract_display}" for paper in exemplars]
    return Paper(title=category.name, abstract=". ".join(told))


def _fired(
    taxonomy: Taxonomy, categories: Sequence[Category], papers: Sequence[Paper]
) -> np.ndarray:
    """Return (n, k) whether a cue that the category has already speaks for a paper."""
    at = {category.id: k for k, category in enumerate(categories)}
    facet = taxonomy.first
    fired = np.zeros((len(papers), len(categories)))
    for i, hits in enumerate(CueIndex(taxonomy).count(papers)[facet.id].hits):
        for hit in hits:
            top = facet.top_of(hit.category)
            if hit.view != "against" and top in at:
                fired[i, at[top]] = 1.0
    return fired


def _words_of(category: Category) -> list[object]:
    """Return the cues that a category has, as their words."""
    cues = [cue for _, some in category.cues.views() for cue in some]
    return [
        *(cue.rstrip("~") for cue in cues),
        *(frozenset(cue.replace("~", "").split()) for cue in cues),
    ]


def candidates(inputs: Inputs) -> Iterator[tuple[Claim, list[tuple[Paper, str]]]]:
    """Yield each claim, with at most five papers that it does not place, the likeliest first.

    With each paper stands the sentence of its text that is most like the claim and the sentences
    cited, or "".
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
        asked = vectorizer.transform([" ".join([claim.text, *cited])])
        likeness = (rows @ asked.T).toarray()[:, 0]
        order = np.lexsort((list(by_id), -likeness))
        near = (papers[at] for at in order if likeness[at] >= _LEAST_LIKE)
        chosen = [paper for paper in near if paper.id not in placed][:_MOST_OF_A_CLAIM]
        yield claim, [(each, _nearest(each.abstract_display, vectorizer, asked)) for each in chosen]


def _nearest(text: str, vectorizer: TfidfVectorizer, asked: object) -> str:
    """Return the sentence of a text that is most like what is asked, or ""."""
    sentences = [span.text for span in split_sentences(text)]
    if not sentences:
        return ""
    likeness = (vectorizer.transform(sentences) @ asked.T).toarray()[:, 0]  # type: ignore[attr-defined]
    return sentences[int(likeness.argmax())]
