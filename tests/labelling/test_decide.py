"""From probabilities to labels, by small examples."""

from __future__ import annotations

import numpy as np
import pytest

from classifier.corpus.paper import Paper
from classifier.labelling.decide import (
    DEFAULT_CUT,
    DEFAULT_THRESHOLD,
    best_thresholds,
    child_of,
    choose_categories,
    confidence_cut,
    is_out_of_scope,
)
from classifier.labelling.evidence import EvidenceCounter
from classifier.labelling.views import text_views
from classifier.taxonomy.model import Facet, Taxonomy

HALF = np.full(4, 0.5)
DOUGH, OVENS, TASTE, OTHER = range(4)


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
    assert choose_categories(taxonomy.first, np.array(probabilities), HALF, primary) == chosen


def test_without_a_limit_all_that_apply_are_chosen_by_falling_probability(
    taxonomy: Taxonomy,
) -> None:
    facet = taxonomy.first.model_copy(update={"at_most": None})
    chosen = choose_categories(facet, np.array([0.7, 0.8, 0.9, 0.1]), HALF, DOUGH)
    assert chosen == [DOUGH, TASTE, OVENS]


def test_a_single_facet_has_one_answer(taxonomy: Taxonomy) -> None:
    assert choose_categories(taxonomy.facet("kind"), np.array([0.9, 0.8]), HALF[:2], 1) == [1]


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
    assert child_of(facet, category, evidence, 1) == child
    assert child_of(facet, category, evidence, 0) is None


def test_one_cue_in_passing(facet: Facet) -> None:
    passing = text_views(Paper("Loaves", abstract="Bread is dry. Rye flour is grey."))
    assert child_of(facet, "dough", EvidenceCounter(facet).count([passing]), 0) is None


@pytest.fixture
def facet(taxonomy: Taxonomy) -> Facet:
    return taxonomy.first
