"""Which cues fire where, and what they are worth."""

from __future__ import annotations

import numpy as np
import pytest

from classifier.labelling.evidence import VIEWS, Evidence, EvidenceCounter, Hit, cue_digest
from classifier.labelling.views import text_views
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy


def evidence_of(taxonomy: Taxonomy, title: str, abstract: str = "") -> Evidence:
    counter = EvidenceCounter(taxonomy.first)
    return counter.count([text_views(Paper(title, abstract=abstract))])


@pytest.mark.parametrize(
    ("title", "abstract", "hits"),
    [
        pytest.param("Loaves", "", [], id="nothing"),
        pytest.param("Ovens", "", ["ovens title oven~ 1"], id="inflection"),
        pytest.param("Overnight", "", [], id="a word that begins alike"),
        pytest.param(
            "Sour dough, sour-dough, sourdoughs", "",
            ["dough title sour-dough~ 3", "dough anywhere dough~ 2"],
            id="hyphen, blank, joined",
        ),
        pytest.param(
            "Loaves", "Many ovens fail. We show how to knead. Kneading is hard.",
            ["dough contribution knead~ 1"],
            id="contribution counts where the paper says what it does",
        ),
        pytest.param(
            "Loaves", "Bread is dry. We bake at 200 degrees.", ["ovens anywhere bake at _ 1"],
            id="open word",
        ),
        pytest.param("Bake at", "Bread is dry.", [], id="no cue runs out of the title"),
        pytest.param(
            "Cake", "Cakes are sweet. We propose a cake. The cake is round.",
            ["dough against cake~ 2"],
            id="against: title and contribution only",
        ),
        pytest.param(
            "Rye", "Rye flour is grey. We sieve rye flour.",
            ["dough/rye title rye 1", "dough/rye anywhere rye flour 2"],
            id="child",
        ),
    ],
)  # fmt: skip
def test_hits(taxonomy: Taxonomy, title: str, abstract: str, hits: list[str]) -> None:
    found = evidence_of(taxonomy, title, abstract).hits[0]
    assert [f"{hit.category} {hit.view} {hit.cue} {hit.count}" for hit in found] == hits


def test_the_hits_of_a_child_are_its_own(taxonomy: Taxonomy) -> None:
    evidence = evidence_of(taxonomy, "Rye dough", "Rye flour is grey. We knead.")
    assert evidence.category_ids == ("dough", "dough/rye", "ovens", "taste", "other")
    assert VIEWS == ("title", "contribution", "anywhere", "against")
    assert evidence.counts[0].tolist() == [
        [0, 1, 1, 0],
        [1, 0, 1, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
    ]


@pytest.mark.parametrize(
    ("abstract", "counted", "negated"),
    [
        pytest.param(
            "We bake bread without kneading the dough.",
            [], ["dough contribution knead~ 1", "dough anywhere dough~ 1"],
            id="in the scope",
        ),
        pytest.param(
            "We propose to knead dough without care. No dough is left.",
            ["dough contribution knead~ 1", "dough anywhere dough~ 2"], [],
            id="outside of it",
        ),
        pytest.param(
            "We propose bread instead of cake.", [], ["dough against cake~ 1"],
            id="against",
        ),
    ],
)  # fmt: skip
def test_what_a_paper_sets_itself_apart_from_is_told_and_not_counted(
    taxonomy: Taxonomy, abstract: str, counted: list[str], negated: list[str]
) -> None:
    evidence = evidence_of(taxonomy, "Loaves", abstract)
    for found, wanted in ((evidence.hits[0], counted), (evidence.negated[0], negated)):
        assert [f"{hit.category} {hit.view} {hit.cue} {hit.count}" for hit in found] == wanted
    assert evidence.counts.sum() == sum(hit.count for hit in evidence.hits[0])


@pytest.mark.parametrize(
    ("title", "abstract", "hits"),
    [
        pytest.param(
            "SD at home", "Sour dough (SD) is old. SD is wet.",
            ["dough title sour-dough~ 1", "dough anywhere dough~ 1"],
            id="the whole long form counts where the acronym stands, a part of it does not",
        ),
        pytest.param(
            "Loaves", "Rye Flour (RF) is grey. We sift RF and rye flour.",
            ["dough/rye anywhere rye flour 3"],
            id="in every sentence, the definition once",
        ),
        pytest.param(
            "Loaves", "Rye flour is RF.", ["dough/rye anywhere rye flour 1"],
            id="what nobody defines stands for nothing",
        ),
        pytest.param(
            "Loaves", "Rye Flour (RF) is grey. We sift without RF.",
            ["dough/rye anywhere rye flour 1"],
            id="negated as an acronym too",
        ),
    ],
)  # fmt: skip
def test_a_defined_acronym_counts_as_its_long_form(
    taxonomy: Taxonomy, title: str, abstract: str, hits: list[str]
) -> None:
    found = evidence_of(taxonomy, title, abstract).hits[0]
    assert [f"{hit.category} {hit.view} {hit.cue} {hit.count}" for hit in found] == hits


@pytest.mark.parametrize(
    ("cues", "hits"),
    [
        pytest.param(["rl"], ["rl 2"], id="a cue that is the acronym fires on the long form"),
        pytest.param(["rye leaven"], ["rye leaven 2"], id="and the other way round"),
        pytest.param(["rl", "rye leaven"], ["rl 1", "rye leaven 1"], id="each place counts once"),
    ],
)
def test_both_ways_and_once(cues: list[str], hits: list[str]) -> None:
    facet = Taxonomy.model_validate(
        {
            "survey": {"title": "Bread"},
            "facets": {"topic": {"kind": "multi", "categories": [
                {"id": "dough", "cues": {"title": cues}}, {"id": "ovens"},
            ]}},
        }
    ).first  # fmt: skip
    paper = Paper("RL or Rye Leaven", abstract="RL (rye leaven) is old.")
    found = EvidenceCounter(facet).count([text_views(paper)]).hits[0]
    assert [f"{hit.cue} {hit.count}" for hit in found] == hits


def test_votes_by_hand() -> None:
    """4 log2(1+1) + 2 log2(1+3) + 1.5 log2(1+7) - 2 log2(1+1) = 4 + 4 + 4.5 - 2."""
    counts = np.array([[[1, 3, 7, 1], [0, 0, 0, 3]]], dtype=float)
    evidence = Evidence(("dough", "ovens"), counts, ((),))
    assert evidence.votes(["ovens", "dough"]).tolist() == [[-4.0, 10.5]]
    assert evidence.logs(["dough"]).tolist() == [[1.0, 2.0, 3.0, 1.0]]
    assert evidence.logs(["ovens", "dough"]).tolist() == [[0, 0, 0, 2.0, 1.0, 2.0, 3.0, 1.0]]


def test_papers_are_counted_one_by_one_in_their_order(taxonomy: Taxonomy) -> None:
    views = [text_views(Paper(title)) for title in ("Ovens", "Loaves", "Tasting")]
    evidence = EvidenceCounter(taxonomy.first).count(views)
    assert evidence.hits == (
        (Hit("ovens", "title", "oven~", 1),),
        (),
        (Hit("taste", "title", "tasting", 1),),
    )
    assert evidence.votes(["ovens", "taste"]).tolist() == [[4, 0], [0, 0], [0, 4]]


def test_no_papers(taxonomy: Taxonomy) -> None:
    assert EvidenceCounter(taxonomy.first).count([]).counts.shape == (0, 5, 4)


def test_a_digest_of_cues_changes_with_what_fires_and_nothing_else() -> None:
    def found(*hits: Hit) -> dict[str, Evidence]:
        return {"topic": Evidence((), np.zeros((1, 0, 4)), (hits,))}

    once = cue_digest(found(Hit("frogs", "title", "frog~", 1)), 0)
    assert len(once) == 12
    assert cue_digest(found(Hit("frogs", "title", "the frog", 1)), 0) == once
    assert cue_digest(found(Hit("frogs", "title", "frog~", 2)), 0) != once
    assert cue_digest(found(Hit("frogs", "anywhere", "frog~", 1)), 0) != once
    assert cue_digest(found(Hit("newts", "title", "frog~", 1)), 0) != once
    assert cue_digest({**found(), "kind": Evidence((), np.zeros((1, 0, 4)), ((),))}, 0) == (
        cue_digest(found(), 0)
    )
