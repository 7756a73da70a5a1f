"""A trained model of the bread project, and files with all that a long input may hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from classifier.commands.label import label_model
from classifier.scale.tasks import LabelModel
from classifier.survey.inputs import read_inputs
from tests.scale.loaves import BREAD


@pytest.fixture(scope="session")
def model() -> LabelModel:
    """The model of the bread project."""
    return label_model(read_inputs(BREAD))


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, Sequence[object]], Path]:
    """Writes records as JSON Lines into the test's folder."""

    def write(name: str, told: Sequence[object]) -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(each) + "\n" for each in told), encoding="utf-8")
        return path

    return write
