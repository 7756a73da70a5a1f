"""What is read out of texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from classifier.project import Project
from classifier.survey import paper_reading
from classifier.survey.inputs import read_inputs
from classifier.survey.paper_reading import read_papers

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"


def test_many_papers_are_read_as_few_are(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = read_inputs(Project(BREAD))
    papers, lexicons = inputs.corpus.papers, inputs.taxonomy.lexicons
    few = read_papers(papers, lexicons)
    monkeypatch.setattr(paper_reading, "_MANY", 1)
    assert read_papers(papers, lexicons) == few
