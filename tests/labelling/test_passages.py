from __future__ import annotations

import numpy as np

from classifier.labelling.passages import UNKNOWN, Vocabulary, passages_of
from classifier.labelling.views import text_views
from classifier.papers.paper import Paper

PAPERS = [
    Paper("A Lid", abstract="Bread is dry. We present a lid without a handle for bread."),
    Paper("Dry Bread"),
]


def test_every_word_of_every_passage_is_there_in_order() -> None:
    vocabulary = Vocabulary(["lid", "bread", "dry"])
    found = passages_of([text_views(paper) for paper in PAPERS], vocabulary)
    known = [vocabulary.words[n - 1] if n != UNKNOWN else "-" for n in found.words.tolist()]
    passages = [known[a:b] for a, b in zip(found.starts, found.starts[1:], strict=False)]
    assert passages == [
        ["-", "lid"],
        ["bread", "-", "dry"],
        ["-", "-", "-", "lid", "-", "-", "-", "-", "bread"],
        ["dry", "bread"],
    ]
    assert found.owners.tolist() == [0, 0, 0, 1]
    assert found.headings.tolist() == [True, False, False, True]
    assert found.stated.tolist() == [False, False, True, False]
    assert np.flatnonzero(found.negated).tolist() == [10, 11, 12, 13]
    assert found.hashes[1] == found.hashes[8]
    assert len(set(found.hashes.tolist())) == 10


def test_a_passage_with_an_acronym_has_another_spelling() -> None:
    paper = Paper("A Lid", abstract="We bake with a pan lid (PL). The PL is hot.")
    found = passages_of([text_views(PAPERS[0]), text_views(paper)], Vocabulary([]))
    assert {place: text.words[1:] for place, text in found.respelled.items()} == {
        5: ("pan", "lid", "is", "hot")
    }
