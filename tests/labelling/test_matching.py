from __future__ import annotations

import pickle

from classifier.labelling.evidence import EvidenceCounter
from classifier.labelling.matching import PassageMatcher
from classifier.labelling.passages import passages_of
from classifier.labelling.views import text_views
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy


def matcher_of(taxonomy: Taxonomy) -> PassageMatcher:
    counters = {name: EvidenceCounter(facet) for name, facet in taxonomy.facets.items()}
    return PassageMatcher(counters, [["title:rye loaf", "vote:dough"], ["whole:kiln"]])


def test_one_vocabulary_of_cues_terms_and_function_words(taxonomy: Taxonomy) -> None:
    words = set(matcher_of(taxonomy).vocabulary.words)
    assert {"rye", "loaf", "kiln", "sourdoughs", "ovens", "bake", "the"} <= words
    assert not {"vote", "title", "_", "rye loaf"} & words


def test_it_can_be_sent_to_another_process(taxonomy: Taxonomy, papers: list[Paper]) -> None:
    matcher = matcher_of(taxonomy)
    sent = pickle.loads(pickle.dumps(matcher))
    passages = passages_of([text_views(paper) for paper in papers], sent.vocabulary)
    for name, evidence in matcher.cues.count(passages).items():
        assert (sent.cues.count(passages)[name].counts == evidence.counts).all()
    assert sent.terms.count(passages).rows.tolist() == matcher.terms.count(passages).rows.tolist()
