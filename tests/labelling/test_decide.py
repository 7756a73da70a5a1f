"""From probabilities to labels, by small examples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import f1_score

from classifier.labelling.bulk_labels import NONE, children_of
from classifier.labelling.decide import (
    DEFAULT_CUT,
    DEFAULT_THRESHOLD,
    best_thresholds,
    child_columns,
    chosen_columns,
    confidence_cut,
    evidence_votes,
    is_out_of_scope,
)
from classifier.labelling.evidence import Evidence, EvidenceCounter
from classifier.labelling.views import text_views
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet, Taxonomy

STEPS = (0.1, 0.25, 0.5, 0.75)
DOUGH, OVENS, TASTE, OTHER = range(4)


def chosen_of_one(facet: Facet, probabilities: list[float], primary: int) -> list[int]:
    """The columns chosen for a paper where every threshold is a half."""
    half = np.full(len(probabilities), 0.5)
    found = chosen_columns(facet, np.array([probabilities]), half, np.array([primary]))
    return [column for column in found[0].tolist() if column != NONE]


def children_named(facet: Facet, evidence: Evidence, category: str) -> list[str | None]:
    """The child of a category that the cues of each paper point to."""
    places = child_columns(facet, evidence)[:, facet.ids.index(category)].tolist()
    return [None if place == NONE else children_of(facet, category)[place] for place in places]


@pytest.mark.parametrize(
    ("probabilities", "primary", "chosen"),
    [
        pytest.param([0.9, 0.1, 0.1, 0.1], DOUGH, [DOUGH], id="one"),
        pytest.param([0.6, 0.8, 0.1, 0.1], DOUGH, [DOUGH, OVENS], id="the primary first"),
        pytest.param([0.7, 0.8, 0.9, 0.1], OVENS, [OVENS, TASTE], id="at most two"),
        pytest.param([0.1, 0.5, 0.2, 0.1], DOUGH, [DOUGH, OVENS], id="a threshold is reached"),
        pytest.param([0.1, 0.1, 0.2, 0.1], TASTE, [TASTE], id="never none"),
        pytest.param([0.9, 0.9, 0.9, 0.2], OTHER, [OTHER], id="out of scope stands alone"),
        pytest.param([0.6, 0.1, 0.1, 0.9], DOUGH, [DOUGH], id="never beside another"),
    ],
)
def test_the_categories_that_apply(
    taxonomy: Taxonomy, probabilities: list[float], primary: int, chosen: list[int]
) -> None:
    assert chosen_of_one(taxonomy.first, probabilities, primary) == chosen


def test_without_a_limit_all_that_apply_are_chosen_by_falling_probability(
    taxonomy: Taxonomy,
) -> None:
    facet = taxonomy.first.model_copy(update={"at_most": None})
    assert chosen_of_one(facet, [0.7, 0.8, 0.9, 0.1], DOUGH) == [DOUGH, TASTE, OVENS]


def test_a_single_facet_has_one_answer(taxonomy: Taxonomy) -> None:
    assert chosen_of_one(taxonomy.facet("kind"), [0.9, 0.8], 1) == [1]


def one_by_one(
    facet: Facet, probabilities: np.ndarray, thresholds: np.ndarray, primary: int
) -> list[int]:
    """What `chosen_columns` says of a paper, said in words: the primary and what is likely."""
    order = sorted(range(len(probabilities)), key=lambda k: (-probabilities[k], k))
    likely = [k for k in order if probabilities[k] >= thresholds[k]]
    if facet.may_be_unstated:
        return likely[: 1 if facet.kind == "single" else facet.at_most]
    if facet.kind == "single" or is_out_of_scope(facet, facet.ids[primary]):
        return [primary]
    others = [k for k in likely if k != primary and not is_out_of_scope(facet, facet.ids[k])]
    return [primary, *others][: facet.at_most]


@st.composite
def facets(draw: st.DrawFn) -> Facet:
    """Any facet of up to five categories."""
    count = draw(st.integers(1, 5))
    alone = draw(st.one_of(st.none(), st.integers(0, count - 1)))
    return Facet.model_validate(
        {
            "id": "any",
            "kind": draw(st.sampled_from(["multi", "single"])),
            "at_most": draw(st.one_of(st.none(), st.integers(1, 6))),
            "applies_to": draw(st.sampled_from([[], ["ovens"]])),
            "categories": [{"id": f"c{k}", "out_of_scope": k == alone} for k in range(count)],
        }
    )


@given(facets(), st.data())
def test_many_papers_get_what_each_would_get_alone(facet: Facet, data: st.DataObject) -> None:
    """With ties, and thresholds that are just reached."""
    k, n = len(facet.ids), data.draw(st.integers(0, 4))
    likely = data.draw(arrays(float, (n, k), elements=st.sampled_from(STEPS)))
    thresholds = data.draw(arrays(float, k, elements=st.sampled_from(STEPS)))
    primary = data.draw(arrays(np.int64, n, elements=st.integers(0, k - 1)))
    found = chosen_columns(facet, likely, thresholds, primary).tolist()
    for row in range(n):
        wanted = one_by_one(facet, likely[row], thresholds, int(primary[row]))
        assert found[row] == [*wanted, *[NONE] * (len(found[row]) - len(wanted))]


def test_out_of_scope(taxonomy: Taxonomy) -> None:
    assert is_out_of_scope(taxonomy.first, "other")
    assert not is_out_of_scope(taxonomy.first, "dough")
    assert not is_out_of_scope(taxonomy.facet("kind"), "trial")


def test_a_category_learns_its_threshold_from_where_its_papers_lie() -> None:
    """Of a thousand papers those of the first category lie above 0.3, of the second above 0.6."""
    ladder = np.linspace(0, 1, 1001)
    truth = np.column_stack([ladder >= 0.3, ladder >= 0.6]).astype(float)
    low, high = best_thresholds(np.column_stack([ladder, ladder]), truth)
    assert 0.29 < low < 0.33
    assert 0.54 < high < 0.61


def test_the_more_papers_the_further_a_threshold_is_from_the_default() -> None:
    """A hundred positives draw it half way to where they lie themselves, one next to nothing."""

    def threshold(papers: int) -> float:
        scores = np.concatenate([np.full(papers, 0.65), np.full(papers, 0.55)])[:, None]
        truth = np.repeat([1.0, 0.0], papers)[:, None]
        return float(best_thresholds(scores, truth)[0])

    own = 0.6
    assert threshold(1) == pytest.approx(
        DEFAULT_THRESHOLD + (own - DEFAULT_THRESHOLD) / 101, abs=5e-4
    )
    assert threshold(100) == pytest.approx((own + DEFAULT_THRESHOLD) / 2, abs=0.02)
    assert DEFAULT_THRESHOLD < threshold(1) < threshold(10) < threshold(100) < threshold(1000)


def test_masked_truth_does_not_move_a_threshold() -> None:
    ladder = np.linspace(0, 1, 1001)[:, None]
    truth = (ladder >= 0.6).astype(float)
    masked = np.where(np.arange(1001)[:, None] % 3, truth, np.nan)
    kept = ~np.isnan(masked[:, 0])
    assert best_thresholds(ladder, masked) == best_thresholds(ladder[kept], truth[kept])
    assert best_thresholds(ladder, np.full((1001, 1), np.nan)).tolist() == [DEFAULT_THRESHOLD]


@pytest.mark.parametrize("seed", range(4))
def test_a_threshold_is_where_f1_and_its_neighbours_are_best(seed: int) -> None:
    """Of 0.2, 0.22, … 0.7 the first; a hundred papers more say that it is 0.4."""
    generator = np.random.default_rng(seed)
    scores = generator.integers(5, 40, (50, 2)) / 50
    truth = (generator.uniform(0, 1, (50, 2)) < scores**2).astype(float)
    truth[generator.uniform(0, 1, (50, 2)) < 0.2] = np.nan
    ladder = [round(0.2 + 0.02 * step, 2) for step in range(26)]
    for column, found in enumerate(best_thresholds(scores, truth)):
        known = ~np.isnan(truth[:, column])
        said, true = scores[known, column], truth[known, column]
        f1 = [f1_score(true, said >= threshold) for threshold in ladder]
        around = np.array([f1[0], *f1, f1[-1]])
        best = ladder[int(np.argmax(around[:-2] + around[1:-1] + around[2:]))]
        positives = true.sum()
        assert found == pytest.approx((positives * best + 100 * 0.4) / (positives + 100))


def test_without_decisions_thresholds_are_the_default() -> None:
    nothing = np.zeros((0, 3))
    assert best_thresholds(nothing, nothing).tolist() == [DEFAULT_THRESHOLD] * 3


def test_a_category_nobody_gave_has_the_default_too() -> None:
    scores = np.linspace(0, 1, 40)[:, None]
    assert best_thresholds(scores, np.zeros((40, 1))).tolist() == [DEFAULT_THRESHOLD]


def test_the_cut_is_the_lowest_confidence_that_keeps_the_target() -> None:
    confidence = np.linspace(0.99, 0.60, 40)
    right = np.ones(40, dtype=bool)
    right[[20, 25, 28, 30, 31, 32, 35]] = False
    # Of the first 30 papers 27 are right, of more never again nine of ten.
    cut = confidence_cut(confidence, right, 0.9)
    assert cut == confidence[29]
    assert right[confidence >= cut].mean() == 0.9


def test_of_papers_that_are_equally_sure_all_are_in_or_none() -> None:
    """Nine in ten of the first 30 are right, but eleven are as sure as the thirtieth."""
    confidence = np.concatenate([np.linspace(0.99, 0.8, 20), np.full(20, 0.7)])
    right = np.ones(40, dtype=bool)
    right[[24, 27, 29, *range(31, 40)]] = False
    assert confidence_cut(confidence, right, 0.9) == 0.8
    assert confidence_cut(confidence, right, 0.7) == 0.7
    assert confidence_cut(confidence[:30], right[:30], 0.9) == 0.7


def test_the_order_of_papers_does_not_move_the_cut() -> None:
    confidence = np.linspace(0.99, 0.60, 40)
    right = confidence > 0.7
    assert confidence_cut(confidence[::-1], right[::-1], 0.9) == (
        confidence_cut(confidence, right, 0.9)
    )


def test_a_target_out_of_reach_makes_nobody_confident_but_the_sure() -> None:
    assert confidence_cut(np.full(40, 0.9), np.zeros(40, dtype=bool), 0.9) == 1.0


def test_too_few_papers_say_nothing_of_the_cut() -> None:
    assert confidence_cut(np.full(29, 0.9), np.ones(29, dtype=bool), 0.9) == DEFAULT_CUT


@pytest.mark.parametrize(
    ("title", "category", "child"),
    [
        ("Rye at night", "dough", "dough/rye"),
        ("Bread of rye flour", "dough", "dough/rye"),
        ("Sourdough", "dough", None),
        ("Rye at night", "ovens", None),
    ],
)
def test_a_child_needs_more_than_a_cue_in_passing(
    facet: Facet, title: str, category: str, child: str | None
) -> None:
    evidence = EvidenceCounter(facet).count([text_views(Paper("Loaves")), text_views(Paper(title))])
    assert children_named(facet, evidence, category) == [None, child]


def test_the_votes_of_one_paper(facet: Facet) -> None:
    views = [text_views(Paper(title)) for title in ("Loaves", "An oven for sour dough", "Rye")]
    evidence = EvidenceCounter(facet).count(views)
    assert evidence_votes(evidence, 1, ["ovens", "dough", "dough/rye"]).tolist() == [4, 5.5, 0]
    assert evidence_votes(evidence, 2, ["dough/rye"]).tolist() == [4]


def test_one_cue_in_passing(facet: Facet) -> None:
    passing = text_views(Paper("Loaves", abstract="Bread is dry. Rye flour is grey."))
    assert children_named(facet, EvidenceCounter(facet).count([passing]), "dough") == [None]


def test_the_loudest_child_is_meant_and_the_first_of_equals() -> None:
    facet = Facet.model_validate({
        "id": "topic", "kind": "multi",
        "categories": [
            {"id": "dough", "children": [
                {"id": "dough/old", "replaced_by": "dough/rye", "cues": {"title": ["oats"]}},
                {"id": "dough/rye", "cues": {"title": ["rye", "malt"]}},
                {"id": "dough/wheat", "cues": {"title": ["wheat"]}},
            ]},
        ],
    })  # fmt: skip
    titles = ("Wheat and rye", "Wheat", "Rye malt and wheat", "Oats")
    evidence = EvidenceCounter(facet).count([text_views(Paper(title)) for title in titles])
    assert children_named(facet, evidence, "dough") == [
        "dough/rye",
        "dough/wheat",
        "dough/rye",
        None,
    ]


@pytest.fixture
def facet(taxonomy: Taxonomy) -> Facet:
    return taxonomy.first
