"""Amounts in texts: made, studied or used."""

from __future__ import annotations

from dataclasses import replace

import pytest

from classifier.survey.entry import SurveyPaper
from classifier.survey.side_by_side import amounts_made, amounts_used
from classifier.text.roles import roled_sentences
from tests.site.generated import make_entry, make_paper


def entries(text: str) -> list[SurveyPaper]:
    return [replace(make_entry(make_paper(1), 1), sentences=roled_sentences(text))]


@pytest.mark.parametrize(
    ("said", "amounts"),
    [
        (
            "Presents Oven, a benchmark of 1,050 human-written baking tasks.",
            ["1,050 human-written baking tasks"],
        ),
        ("Trained on only 2K such trajectories, the model wins.", ["2K trajectories"]),
        ("The 3255 resulting tasks train agents.", ["3255 tasks"]),
        ("It wins with 128 times fewer training samples.", []),
        ("Over 12 Kaggle tasks of MLE, the trained agent wins.", ["12 Kaggle tasks"]),
        ("The trained agent is evaluated over 12 tasks.", ["12 tasks"]),
        ("Over 5,000 tasks are released.", ["Over 5,000 tasks"]),
        ("The pipeline yields over 17,000 tasks and 3 sizes of models.", ["over 17,000 tasks"]),
        ("It is trained on over one million trajectories.", ["over one million trajectories"]),
        ("With a 25M-pair dataset made this way, it wins.", ["25M-pair dataset"]),
        ("Training uses a million-sample dataset.", ["a million-sample dataset"]),
        ("It is a 500-task hard test.", []),
        ("Presents Oven, which wins on 12 of 15 breads.", []),
        ("It wins by 5.1 points on 3 tasks.", []),
    ],
)
def test_amounts_made_or_studied_are_found(said: str, amounts: list[str]) -> None:
    assert [each for _, _, found in amounts_made(entries(said)) for each in found] == amounts


@pytest.mark.parametrize(
    ("said", "amounts"),
    [
        ("Experiments of more than 400,000 GPU-hours fit curves.", ["more than 400,000 GPU-hours"]),
        (
            "Scenarios take 90 tool calls and 1 million tokens.",
            ["90 tool calls", "1 million tokens"],
        ),
        ("Training covered 20 trillion tokens within 30 days.", ["20 trillion tokens", "30 days"]),
        ("Inference exceeds 100 tokens per second.", []),
        ("It reads a context of 128K tokens.", []),
        ("It costs $0.70 per million output tokens.", []),
    ],
)
def test_amounts_used_are_found(said: str, amounts: list[str]) -> None:
    assert [each for _, _, found in amounts_used(entries(said)) for each in found] == amounts
