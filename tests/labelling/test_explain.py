"""What is given as the reason for a label is what made it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from classifier.corpus.paper import Paper
from classifier.labelling.estimator import TaxonomyClassifier
from classifier.labelling.evidence import Hit
from classifier.labelling.explain import reasons
from classifier.labelling.labels import Decision
from classifier.taxonomy.model import Taxonomy

HITS = (
    Hit("dough", "title", "sour-dough~", 1),
    Hit("dough/rye", "title", "rye", 3),
    Hit("ovens", "anywhere", "oven~", 2),
)


@pytest.fixture(scope="module")
def fitted(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Mapping[str, Mapping[str, Decision]]
) -> TaxonomyClassifier:
    return TaxonomyClassifier(taxonomy).fit(papers, decisions)


def logits(fitted: TaxonomyClassifier, facet_id: str, papers: list[Paper]) -> np.ndarray:
    """The sum of all contributions and the intercept, for every paper and category."""
    model = fitted.models_[facet_id]
    scores = model.score(fitted.facet_views(papers)[facet_id])
    parts = [
        [model.contributions(scores, row, column) for column in range(len(model.ids))]
        for row in range(len(papers))
    ]
    return np.array([[part.values.sum() + part.intercept for part in row] for row in parts])


def test_contributions_add_up_to_the_logit_that_is_calibrated(
    fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    added = fitted.models_["topic"].apply_platt_.transform(logits(fitted, "topic", papers))
    assert np.allclose(added, fitted.predict_proba(papers)["topic"], rtol=0, atol=1e-9)


def test_of_a_single_facet_the_calibrated_probabilities_are_scaled_to_one(
    fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    added = fitted.models_["kind"].file_platt_.transform(logits(fitted, "kind", papers))
    added /= added.sum(axis=1, keepdims=True)
    assert np.allclose(added, fitted.predict_proba(papers)["kind"], rtol=0, atol=1e-9)


def test_the_law_holds_for_papers_never_seen(
    fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    new = [Paper("Rye in a cold oven", "p-9", abstract="Unheard words. We knead gluten.")]
    added = fitted.models_["topic"].apply_platt_.transform(logits(fitted, "topic", new))
    assert np.allclose(added, fitted.predict_proba(new)["topic"], rtol=0, atol=1e-9)


def test_all_reasons_together_leave_nothing_out() -> None:
    names = ("title:rye", "whole:rye", "cue:dough:title", "cue:ovens:anywhere")
    contributions = np.array([0.5, 0.25, 2.0, -1.0])
    given = reasons("dough", names, contributions, HITS, most=99)
    assert sum(reason.weight for reason in given) == pytest.approx(contributions.sum())
    assert [str(reason) for reason in given] == [
        "‘sour-dough~’ in the title +2.0",
        "cues of ovens -1.0",
        "“rye” +0.8",
    ]
    assert [reason.kind for reason in given] == ["cue", "cue", "term"]
    assert {reason.category for reason in given} == {"dough"}


def test_the_strongest_come_first_for_or_against_and_the_weakest_not_at_all() -> None:
    names = tuple(f"whole:{word}" for word in "abcdefgh")
    contributions = np.array([0.1, -0.9, 0.04, 0.3, 0.0, -0.049, 0.3, 0.2])
    assert [str(reason) for reason in reasons("dough", names, contributions, ())] == [
        "“b” -0.9",
        "“d” +0.3",
        "“g” +0.3",
        "“h” +0.2",
        "“a” +0.1",
    ]
    assert len(reasons("dough", names, contributions, (), most=2)) == 2


def test_a_cue_that_a_person_wrote_is_named_as_written(
    fitted: TaxonomyClassifier, papers: list[Paper]
) -> None:
    labels = fitted.predict([paper for paper in papers if "sourdough" in paper.title][:1])[0]
    texts = [reason.text for reason in labels.facets["topic"].why]
    assert "‘sour-dough~’ in the title" in texts
