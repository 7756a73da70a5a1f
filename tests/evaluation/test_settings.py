from __future__ import annotations

from classifier.evaluation.settings import ALONE, COMPARED, FIRST_DAY, REVIEWED, ablation
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.taxonomy.model import Taxonomy


def test_settings_are_told_more_and_more() -> None:
    assert COMPARED == (FIRST_DAY, ALONE, REVIEWED)
    assert [setting.reviews for setting in COMPARED] == [0, 0, None]


def test_an_ablation_changes_what_the_model_sees_and_nothing_else(taxonomy: Taxonomy) -> None:
    settings = ablation(ALONE)
    classifiers = [setting.make_classifier(taxonomy) for setting in settings]
    assert [c.features for c in classifiers if isinstance(c, TaxonomyClassifier)] == [
        "both", "cues", "terms", "votes",
    ]  # fmt: skip
    assert {(setting.reviews, setting.first_day) for setting in settings} == {(0, False)}
    assert len({setting.name for setting in settings}) == 4
