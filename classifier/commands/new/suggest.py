"""Cues for a category before any review: of papers like its exemplars and its definition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from classifier.commands.new.draft import Scored, cues_of, phrase_rows, scored
from classifier.commands.new.phrases import Phrases
from classifier.labelling.cue_index import CueIndex
from classifier.papers.paper import Paper
from classifier.taxonomy.cue import parse_cue
from classifier.taxonomy.model import Category, Taxonomy
from classifier.text.normalise import title_key

_MOST = 8
_LEAST_LIKE = 0.12
"""Cosine from which on a paper is like a category's exemplars and words."""
_MOST_LIKE = 40
_FEWEST = 3
_OF_A_WORD = 0.6
"""Of the papers that use a word, how many are like the category."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Cues that a category lacks."""

    category: str
    cues: tuple[tuple[str, int, int], ...]
    """(cue, papers like the category that use it, papers in all that do), the best first."""
    papers: int
    """Papers that are most like it, from which they are taken."""
    titles: tuple[str, ...]
    """Some of these."""


def suggest(taxonomy: Taxonomy, papers: Sequence[Paper]) -> list[Suggestion]:
    """Return cues for each category of the first facet in use, in its order; none that any has.

    A category is a text: its name, definition, what it includes, and its exemplars. The papers that
    are most like that text, and like no other category's more, are taken for its own; what most
    tells them from the rest is proposed. No decision is asked.
    """
    facet = taxonomy.first
    categories = [one for one in facet.categories if not one.out_of_scope and not one.replaced_by]
    texts = [_text(category, papers) for category in categories]
    every = Phrases([*papers, *texts])
    phrases = Phrases(papers)
    rows, names = phrase_rows(every, 2)
    if not names:
        return []
    with threadpool_limits(limits=1):  # the same digits on every machine
        like = np.round((rows[: len(papers)] @ rows[len(papers) :].T).toarray(), 9)
    like += 0.5 * _fired(taxonomy, categories, papers)
    known = {key for one in facet.walk() for key in _words_of(one)}
    found = []
    for k, category in enumerate(categories):
        own = [
            i
            for i in np.argsort(-like[:, k], kind="stable")[:_MOST_LIKE].tolist()
            if like[i, k] >= max(_LEAST_LIKE, like[i].max())
        ]
        if len(own) < _FEWEST:
            found.append(Suggestion(category.id, (), len(own), ()))
            continue
        telling = [
            one
            for one in scored(own, phrases, [name for name in names if phrases.used[name]])
            if (" " in one.key or _is_telling_word(one, phrases))
            and not phrases.holds_place(one.key)
        ]
        keys = cues_of("", telling, set(), phrases)
        inside = {one.key: one.inside for one in telling}
        cues = [
            (phrases.cue(key), inside[key], phrases.used[key])
            for key in keys
            if frozenset(key.split()) not in known and phrases.spelled(key) not in known
        ]
        titles = tuple(papers[i].title_display for i in own[:3])
        found.append(Suggestion(category.id, tuple(cues[:_MOST]), len(own), titles))
    return found


def _is_telling_word(one: Scored, phrases: Phrases) -> bool:
    """Say whether a single word is a noun that papers use for a category, and few others."""
    return one.inside >= 3 and one.precision >= _OF_A_WORD and phrases.is_name(one.key)


def _text(category: Category, papers: Sequence[Paper]) -> Paper:
    """Return what a category says of itself as a paper: its words, then its exemplars'."""
    wanted = {title_key(title) for title in category.exemplars}
    exemplars = [paper for paper in papers if title_key(paper.title) in wanted]
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
        *(frozenset(w for w in parse_cue(cue).text.replace("~", "").split()) for cue in cues),
    ]


def suggestion_lines(suggestions: Sequence[Suggestion]) -> list[str]:
    """Return suggestions as text: cues to paste, how many papers each, and what they are from."""
    lines: list[str] = []
    for one in suggestions:
        if not one.cues:
            few = "too few papers are like it: give it an exemplar or two, or a longer definition"
            lines.append(f"{one.category}: {few if one.papers < _FEWEST else 'nothing new'}.")
            continue
        told = ", ".join(f"{cue} ({inside} of {all_})" for cue, inside, all_ in one.cues)
        lines.append(f"{one.category}: {told}")
        lines.append(f"  anywhere: [{', '.join(cue for cue, _, _ in one.cues)}]")
        lines.append(f"  from {one.papers} papers like it, as {'; '.join(one.titles[:2])}")
    return lines
