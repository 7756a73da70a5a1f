"""What adds up to many logits is what adds up to each."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from classifier.labelling.bulk_contributions import (
    bulk_contributions,
    contribution_names,
    row_entries,
)
from classifier.labelling.estimator import TaxonomyClassifier
from classifier.labelling.labels import Decision
from classifier.labelling.prior import Prior
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy


@pytest.mark.parametrize("facet_id", ["topic", "kind", "fuel"])
@pytest.mark.parametrize("count", [8, 60])
def test_the_entries_of_a_pair_are_the_contributions_of_its_paper_to_its_category(
    facet_id: str,
    count: int,
    taxonomy: Taxonomy,
    papers: list[Paper],
    decisions: dict[str, dict[str, Decision]],
    prior: Prior,
) -> None:
    """Of eight papers with few decisions the votes speak, of sixty the regressions."""
    told = decisions if count == 60 else {}
    classifier = TaxonomyClassifier(taxonomy, prior=prior).fit(papers[:count], told)
    model, scores = classifier.models_[facet_id], classifier.facet_scores(papers)[facet_id]
    rows, columns = np.divmod(np.arange(len(papers) * len(model.ids)), len(model.ids))
    found = bulk_contributions(model, scores, rows, columns)
    names = contribution_names(model, scores.seen.prior)
    for pair, (row, column) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True)):
        parts = model.contributions(scores, row, column)
        there = np.flatnonzero(parts.values)
        own = found.pairs == pair
        assert found.values[own].tolist() == parts.values[there].tolist()
        assert [names[at] for at in found.features[own]] == [parts.names[at] for at in there]


def test_rows_are_taken_in_any_order_and_more_than_once() -> None:
    matrix = sparse.csr_matrix(np.array([[0, 1.0, 2.0], [0, 0, 0], [3.0, 0, 4.0]]))
    whose, columns, values = row_entries(matrix, np.array([2, 1, 0, 2]))
    assert whose.tolist() == [0, 0, 2, 2, 3, 3]
    assert columns.tolist() == [0, 2, 1, 2, 0, 2]
    assert values.tolist() == [3, 4, 1, 2, 3, 4]
