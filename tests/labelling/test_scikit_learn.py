"""The classifier in the tools of scikit-learn."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    cross_val_predict,
    cross_val_score,
    learning_curve,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import LinearSVC
from sklearn.utils import estimator_checks

from classifier import Decision, Paper, TaxonomyClassifier
from classifier.errors import UsageError
from tests.labelling.conftest import bread_decisions, bread_papers, bread_taxonomy, topic_of

FEW = bread_papers(40)
LATER = bread_papers(80)[40:]
BY_ID = bread_decisions(FEW)
DECISIONS = [BY_ID[paper.id]["topic"] for paper in FEW]
NAMES = [decision.primary for decision in DECISIONS]
CATEGORIES = sorted(bread_taxonomy().first.ids)
INDICATOR = pd.DataFrame(
    [[int(name in decision.values) for name in CATEGORIES] for decision in DECISIONS],
    columns=CATEGORIES,
)


def bread_topics(papers: list[Paper]) -> list[str]:
    return [topic_of(paper.id) for paper in papers]


def estimator(**parameters: Any) -> TaxonomyClassifier:
    return TaxonomyClassifier(bread_taxonomy(), folds=2, **parameters)


@pytest.mark.parametrize("y", [NAMES, DECISIONS, np.array(NAMES), [BY_ID[p.id] for p in FEW]])
def test_each_form_of_y_says_the_same(y: Any) -> None:
    by_id = estimator().fit(FEW, BY_ID)
    aligned = estimator().fit(FEW, y)
    assert aligned.predict(LATER).tolist() == by_id.predict(LATER).tolist()
    assert aligned.score(LATER, bread_topics(LATER)) > 0.9


def test_predictions_are_categories_and_probabilities_are_theirs() -> None:
    fitted = estimator().fit(FEW, NAMES)
    assert fitted.classes_.tolist() == CATEGORIES
    probabilities = fitted.predict_proba(LATER)
    assert probabilities.shape == (len(LATER), len(CATEGORIES))
    assert np.allclose(probabilities.sum(axis=1), 1)
    likeliest = fitted.classes_[probabilities.argmax(axis=1)]
    assert np.mean(likeliest == fitted.predict(LATER)) > 0.8


def test_an_undecided_paper_is_none() -> None:
    y: list[Decision | None] = [*DECISIONS[:30], *[None] * 10]
    fitted = estimator().fit(FEW, y)
    same = estimator().fit(FEW, {paper.id: BY_ID[paper.id] for paper in FEW[:30]})
    assert fitted.predict(LATER).tolist() == same.predict(LATER).tolist()
    assert fitted.score(FEW, y) == fitted.score(FEW[:30], DECISIONS[:30])
    assert np.isnan(fitted.score(FEW[30:], y[30:]))


@pytest.mark.parametrize("y", [NAMES, DECISIONS, [None, *NAMES[1:]], [*DECISIONS[:-1], None]])
def test_it_is_cross_validated(y: Any) -> None:
    scores = cross_val_score(estimator(), FEW, y, cv=2)
    assert scores.shape == (2,)
    assert scores.min() > 0.6
    predicted = cross_val_predict(estimator(), FEW, y, cv=2)
    assert np.mean(predicted == np.array(NAMES)) > 0.6


def test_gaps_between_names_want_folds_without_strata() -> None:
    y = [*NAMES[:-1], None]
    assert cross_val_score(estimator(), FEW, y, cv=KFold(2)).min() > 0.6


def test_scorers_of_scikit_learn_take_names_and_probabilities() -> None:
    for scoring in ("f1_macro", "neg_log_loss"):
        assert np.isfinite(cross_val_score(estimator(), FEW, NAMES, cv=2, scoring=scoring)).all()


def test_an_indicator_table_gives_several_categories_per_paper() -> None:
    fitted = estimator().fit(FEW, INDICATOR)
    assert fitted.predict(FEW).shape == INDICATOR.shape
    assert fitted.score(FEW, INDICATOR) > 0.6
    shares = cross_val_predict(estimator(), FEW, INDICATOR, cv=2, method="predict_proba")
    assert shares.shape == INDICATOR.shape
    assert cross_val_score(estimator(), FEW, INDICATOR, cv=2, scoring="f1_micro").min() > 0.6


def test_parameters_are_searched_and_steps_put_before_it() -> None:
    search = GridSearchCV(estimator(), {"estimator": [None, LinearSVC(C=0.5)]}, cv=2)
    search.fit(FEW, NAMES)
    assert search.best_score_ > 0.6
    assert search.classes_.tolist() == CATEGORIES
    papers = FunctionTransformer(lambda texts: [Paper(title=text) for text in texts])
    steps = make_pipeline(papers, estimator())
    titles = [paper.title for paper in FEW]
    assert steps.fit(titles, NAMES).score(titles, NAMES) > 0.8
    assert learning_curve(estimator(), FEW, NAMES, cv=2, train_sizes=[0.5])[2].shape == (1, 2)


def test_a_text_is_a_paper_without_a_title() -> None:
    texts = [f"{paper.title}. {paper.abstract}" for paper in FEW]
    fitted = estimator().fit(texts, NAMES)
    assert fitted.score(texts, NAMES) > 0.8
    assert fitted.predict(np.array(texts, dtype=object)).tolist() == fitted.predict(texts).tolist()


def test_papers_without_an_id_are_told_apart() -> None:
    bare = [replace(paper, id="") for paper in FEW]
    assert estimator().fit(bare, NAMES).predict(bare).tolist() == (
        estimator().fit(FEW, NAMES).predict(FEW).tolist()
    )


def test_another_facet_may_be_the_target() -> None:
    kinds = [decision["kind"] for decision in map(BY_ID.get, [p.id for p in FEW]) if decision]
    fitted = estimator(facet="kind").fit(FEW, kinds)
    assert fitted.classes_.tolist() == sorted(bread_taxonomy().facet("kind").ids)
    assert set(fitted.predict(FEW)) <= set(fitted.classes_)


def test_it_is_cloned_and_pickled() -> None:
    fitted = estimator(facet="topic").fit(FEW, NAMES)
    assert clone(fitted).get_params()["facet"] == "topic"
    assert is_classifier(fitted)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.predict(FEW).tolist() == fitted.predict(FEW).tolist()
    with pytest.raises(NotFittedError):
        estimator().predict(FEW)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([*NAMES[:-1], "oven"], "y, row 39: found 'oven'; expected a category of topic. Did you mean 'ovens'?"),
        ([*DECISIONS[:-1], Decision(("oven",), "oven")],
         "y, row 39: found 'oven'; expected a category of topic. Did you mean 'ovens'?"),
        ({"p-1": {"topics": DECISIONS[0]}},
         "p-1: found the facet 'topics'; expected topic, kind, fuel. Did you mean 'topic'?"),
        (NAMES[:-1], "y: found 39 entries for 40 papers; expected one per paper."),
        (list(range(40)), "y, row 0: found 0 (int); expected a category, a Decision or None. "
         "scikit-learn numbers the classes for method='predict_proba': pass an indicator DataFrame "
         "as y there."),
        (INDICATOR.rename(columns={"ovens": "oven"}),
         "y: found the column 'oven'; expected a category of topic. Did you mean 'ovens'?"),
    ],
)  # fmt: skip
def test_an_unknown_category_is_an_error_with_its_place(y: Any, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        estimator().fit(FEW, y)
    assert str(refused.value).splitlines()[0] == message


def test_an_unknown_facet_or_input_is_an_error() -> None:
    with pytest.raises(UsageError, match="facet: found 'topics'; expected topic"):
        estimator(facet="topics").fit(FEW)
    with pytest.raises(UsageError, match=r"X, row 0: found 3 \(int\); expected a Paper or a text"):
        estimator().fit([3])  # type: ignore[list-item]


@pytest.mark.parametrize(
    "check",
    [
        estimator_checks.check_do_not_raise_errors_in_init_or_set_params,
        estimator_checks.check_estimator_cloneable,
        estimator_checks.check_estimator_repr,
        estimator_checks.check_estimator_tags_renamed,
        estimator_checks.check_get_params_invariance,
        estimator_checks.check_mixin_order,
        estimator_checks.check_no_attributes_set_in_init,
        estimator_checks.check_set_params,
        estimator_checks.check_valid_tag_types,
    ],
)
def test_it_passes_the_checks_of_scikit_learn_that_need_no_numbers(
    check: Callable[..., None],
) -> None:
    check("TaxonomyClassifier", estimator())
