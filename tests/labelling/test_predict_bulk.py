"""The model of the shipped project on real abstracts: columns, pieces and one by one are alike."""

from __future__ import annotations

import gzip
import itertools
import json
import pickle
from pathlib import Path

import pytest

from classifier.labelling.estimator import TaxonomyClassifier
from classifier.learning import train
from classifier.papers.paper import Paper
from classifier.project import Project
from classifier.survey.inputs import read_inputs
from tests.labelling.test_bulk_reasons import one_by_one


@pytest.fixture(scope="module")
def classifier(root: Path, shared: Path) -> TaxonomyClassifier:
    return train(read_inputs(Project(root)))


@pytest.fixture(scope="module")
def real_papers(shared: Path) -> list[Paper]:
    with gzip.open(shared / "data" / "arxiv_20k.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in itertools.islice(lines, 30)]
    return [Paper(r["title"], id=r["id"], abstract=r["abstract"]) for r in records]


def test_real_abstracts_have_the_reasons_of_each(
    classifier: TaxonomyClassifier, real_papers: list[Paper]
) -> None:
    for facet_id, labels in classifier.predict_bulk(real_papers).facets.items():
        assert list(labels.why) == one_by_one(classifier, real_papers, facet_id)


@pytest.mark.parametrize("size", [1, 7])
def test_real_abstracts_are_labelled_alike_in_pieces(
    size: int, classifier: TaxonomyClassifier, real_papers: list[Paper]
) -> None:
    whole = classifier.predict(real_papers)
    backwards = real_papers[::-1]
    pieces = [backwards[at : at + size] for at in range(0, len(backwards), size)]
    assert [labels for piece in pieces for labels in classifier.predict(piece)][::-1] == whole


def test_the_model_that_workers_are_sent_is_small_and_says_the_same(
    classifier: TaxonomyClassifier, real_papers: list[Paper]
) -> None:
    """No papers are in it, and no basis of what they span: 8 bytes a feature and paper."""
    classifier.predict(real_papers[:5])
    sent = pickle.dumps(classifier)
    features = classifier.models_["topic"].wide_weights_.shape[1]
    assert len(sent) < 8 * features * len(classifier.topics_)
    assert pickle.loads(sent).predict(real_papers[:5]) == classifier.predict(real_papers[:5])
