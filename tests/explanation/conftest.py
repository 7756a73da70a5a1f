"""The small field of bread, explained."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from classifier.explanation.explanation import FacetExplanation, explain_facet
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import with_decisions
from classifier.papers.paper import Paper
from tests.labelling.conftest import bread_decisions, bread_papers, bread_taxonomy

Explain = Callable[..., FacetExplanation]


@pytest.fixture(scope="session")
def fitted() -> TaxonomyClassifier:
    papers = bread_papers()
    return TaxonomyClassifier(bread_taxonomy()).fit(papers, bread_decisions(papers))


@pytest.fixture(scope="session")
def explain(fitted: TaxonomyClassifier) -> Explain:
    """Explain a facet of any paper: explain(paper, "topic", asked="")."""
    decisions = bread_decisions(bread_papers())

    def explain(paper: Paper, facet_id: str = "topic", asked: str = "") -> FacetExplanation:
        labels = with_decisions(fitted.taxonomy, fitted.label([paper]), decisions)[0]
        decision = decisions.get(paper.id, {}).get(facet_id)
        scores = fitted.facet_scores([paper])[facet_id]
        model, shown = fitted.models_[facet_id], labels.facets[facet_id]
        return explain_facet(model, scores, paper, shown, decision, asked)

    return explain
