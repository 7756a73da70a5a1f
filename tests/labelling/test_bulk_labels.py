from __future__ import annotations

from pathlib import Path

from classifier.labelling.bulk_labels import bulk_labels_of
from classifier.labelling.estimator import TaxonomyClassifier
from classifier.project import Project
from classifier.survey.inputs import read_inputs


def test_labels_as_columns_and_as_objects_say_the_same(root: Path) -> None:
    inputs = read_inputs(Project(root))
    papers = inputs.corpus.papers[:40]
    labels = TaxonomyClassifier(inputs.taxonomy, features="votes").fit(papers).predict(papers)
    assert bulk_labels_of(inputs.taxonomy.facets, labels).paper_labels() == labels
