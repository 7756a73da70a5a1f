from __future__ import annotations

import numpy as np
from known_words import all_words

from classifier.labelling.passages import passages_of
from classifier.labelling.term_places import (
    PLACE_BITS,
    TEXT_VIEWS,
    begins,
    in_views,
    plain_words,
    sums_between,
    term_places,
)
from classifier.labelling.views import text_views
from classifier.papers.paper import Paper


def standing(papers: list[Paper]) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return (paper, term, its views) of every place."""
    views = [text_views(paper) for paper in papers]
    vocabulary = all_words(views)
    passages = passages_of(views, vocabulary)
    found = term_places(passages, plain_words(vocabulary))
    words = [vocabulary.words[number - 1] for number in passages.words.tolist()]
    terms = [words[at] for at in found.words.tolist()]
    pairs = zip(found.firsts.tolist(), found.seconds.tolist(), strict=True)
    terms += [f"{words[first]} {words[second]}" for first, second in pairs]
    inside = np.stack(in_views(found.spots), axis=1).tolist()
    papers_of = (found.spots >> PLACE_BITS).tolist()
    return [
        (paper, term, tuple(view for view, is_in in zip(TEXT_VIEWS, each, strict=True) if is_in))
        for paper, term, each in zip(papers_of, terms, inside, strict=True)
    ]


def test_words_pairs_and_the_views_that_they_stand_in() -> None:
    paper = Paper("Rye pans", abstract="Bread rises. We present rye. Ovens cool. We propose it.")
    found = standing([Paper("Of the"), paper])
    assert {owner for owner, _, _ in found} == {1}
    places = [(term, views) for _, term, views in found]
    for place in (
        ("rye", ("title", "whole")),
        ("rye", ("contribution", "whole")),
        ("rye pans", ("title", "whole")),
        ("pans bread", ("whole",)),
        ("rises we", ("whole",)),
        ("present rye", ("contribution", "whole")),
        ("rye ovens", ("whole",)),
        ("rye we", ("contribution",)),
    ):
        assert place in places, place
    assert not {"we", "it", "of", "of the", "the rye"} & {term for term, _ in places}


def test_sums_and_beginnings() -> None:
    assert sums_between(np.array([True, False, True, True]), np.array([0, 1, 1, 4])).tolist() == [
        1, 0, 2,
    ]  # fmt: skip
    assert begins(np.array([0, 1, 3, 4, 8, 9], dtype=np.uint64)).tolist() == [0, 3, 4]
    assert begins(np.zeros(0, dtype=np.uint64)).tolist() == []
