"""The project of the public Python API."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from classifier import TaxonomyClassifier, load_papers, load_taxonomy, open_project
from classifier.errors import UsageError

BREAD = Path(__file__).resolve().parent / "golden" / "project"


def test_papers_and_decisions_have_one_order() -> None:
    project = open_project(BREAD)
    papers, decisions = project.papers(), project.decisions()
    assert len(papers) == len(decisions)
    decided = {
        paper.id: each.primary for paper, each in zip(papers, decisions, strict=True) if each
    }
    assert decided["arxiv:2304.00111"] == "sourdough"
    taxonomy = load_taxonomy(project.taxonomy_file).taxonomy
    fitted = TaxonomyClassifier(taxonomy, folds=2).fit(papers, decisions)
    assert fitted.score(papers, decisions) > 0.5
    kinds = project.decisions("contribution")
    assert TaxonomyClassifier(taxonomy, facet="contribution", folds=2).fit(papers, kinds)


def test_an_unknown_facet_is_an_error() -> None:
    with pytest.raises(
        UsageError, match=r"found 'topics'; expected topic, .* Did you mean 'topic'"
    ):
        open_project(BREAD).decisions("topics")


def test_a_project_is_evaluated() -> None:
    evaluation = open_project(BREAD).evaluate(folds=2)
    assert evaluation.setup.n == 5
    assert 0 < evaluation.precision_at_1.value <= 1


def test_one_file_is_loaded_by_its_path(tmp_path: Path) -> None:
    path = shutil.copy(BREAD / "papers" / "bread.jsonl", tmp_path)
    assert load_papers(str(path)).papers == load_papers([path]).papers
