"""Cues counted in many papers at once are those counted paper by paper."""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from classifier.labelling.evidence import EvidenceCounter, cue_digest, cue_digests
from classifier.labelling.matching import PassageMatcher
from classifier.labelling.passages import passages_of
from classifier.labelling.views import text_views
from classifier.papers.paper import Paper
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import Taxonomy

VIEWS = ("title", "contribution", "anywhere", "against")


def assert_equal(taxonomy: Taxonomy, papers: Sequence[Paper]) -> None:
    """Compare evidence in all facets, hit by hit."""
    counters = {name: EvidenceCounter(facet) for name, facet in taxonomy.facets.items()}
    matcher = PassageMatcher(counters, [])
    views = [text_views(paper) for paper in papers]
    found = matcher.cues.count(passages_of(views, matcher.vocabulary))
    assert list(found) == list(counters)
    for name, counter in counters.items():
        wanted = counter.count(views)
        assert found[name].category_ids == wanted.category_ids
        assert np.array_equal(found[name].counts, wanted.counts)
        assert tuple(found[name].hits) == tuple(wanted.hits)
        assert tuple(found[name].negated) == tuple(wanted.negated)
    digests = [cue_digest(found, row) for row in range(len(papers))]
    assert cue_digests(found) == digests


def taxonomy_of(cues: Sequence[tuple[str, str, str]]) -> Taxonomy:
    """Return two facets of two categories, cues given as (category, view, cue)."""
    facets = {}
    for name in ("topic", "kind"):
        categories = [
            {
                "id": category,
                "cues": {
                    view: [cue for *place, cue in cues if place == [category, view]]
                    for view in VIEWS
                },
            }
            for category in (f"{name}-a", f"{name}-b")
        ]
        facets[name] = {"kind": "multi", "categories": categories}
    return Taxonomy.model_validate({"survey": {"title": "Bread"}, "facets": facets})


CATEGORIES = st.sampled_from(["topic-a", "topic-b", "kind-a", "kind-b"])
CUES = st.sampled_from(
    ["rye", "rye leaven", "rl", "bread~", "_ bread", "we bake", "wild-yeast~", "wy", "the _ bread"]
)
TEXTS = st.lists(
    st.sampled_from(
        "Rye leaven (RL)|wild yeast (WY)|RL|WY|RLs|bread|Breads|the|We bake|we propose|without|"
        "Rye|yeast.|bread.|RL.|Wild-yeasts|wildyeast|?|We present|\u00c9clair|(x)|".split("|")
    ),
    max_size=14,
).map(" ".join)


@given(
    st.lists(st.tuples(CATEGORIES, st.sampled_from(VIEWS), CUES), max_size=10, unique=True),
    st.lists(st.tuples(TEXTS, TEXTS), max_size=3),
)
def test_any_cues_in_any_papers(
    cues: list[tuple[str, str, str]], texts: list[tuple[str, str]]
) -> None:
    assert_equal(taxonomy_of(cues), [Paper(title, abstract=body) for title, body in texts])


def test_a_place_counts_once_for_a_category_however_it_is_spelled() -> None:
    cues = [("topic-a", "anywhere", cue) for cue in ("rye leaven", "rl", "leaven", "_ leaven")]
    cues += [("topic-b", "title", "rl"), ("kind-a", "against", "rye leaven")]
    texts = (
        "Rye leaven (RL) is old. We propose RL, and RL instead of RL. The RL rises. Rye leaven.",
        "We present RL. RL (rye leaven) is RL without a leaven.",
    )
    assert_equal(taxonomy_of(cues), [Paper("RL or rye leaven", abstract=text) for text in texts])


def test_papers_without_words(taxonomy: Taxonomy) -> None:
    assert_equal(taxonomy, [])
    assert_equal(taxonomy, [Paper("???"), Paper("Ovens"), Paper("…", abstract="?! …")])


def test_some_facets_alone(taxonomy: Taxonomy, papers: list[Paper]) -> None:
    counters = {name: EvidenceCounter(facet) for name, facet in taxonomy.facets.items()}
    matcher = PassageMatcher(counters, [])
    passages = passages_of([text_views(paper) for paper in papers], matcher.vocabulary)
    assert list(matcher.cues.count(passages, ["topic", "fuel"])) == ["topic", "fuel"]


def test_real_abstracts(root: Path, shared: Path) -> None:
    with gzip.open(shared / "data" / "arxiv_20k.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in itertools.islice(lines, 120)]
    papers = [Paper(record["title"], abstract=record["abstract"]) for record in records]
    assert_equal(load_taxonomy(root / "taxonomy" / "taxonomy.yaml").taxonomy, papers)
