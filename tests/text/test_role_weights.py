from __future__ import annotations

import json
from pathlib import Path

from classifier.text.linear import LinearModel, model_text, read_model
from classifier.text.roles import ROLES, WEIGHTS_FILE, shipped_weights

BREAD = LinearModel(("a", "main"), (10, -5), {"rye": (3, 0), "oat’s": (-1, 7)})


def test_scores_are_sums_of_what_is_known() -> None:
    assert BREAD.scores(["rye", "oat’s", "salt"]) == (12, 2)
    assert BREAD.scores([]) == (10, -5)


def test_what_is_written_is_read_again_a_line_a_feature(tmp_path: Path) -> None:
    text = model_text(BREAD)
    (tmp_path / "bread.json").write_text(text, encoding="utf-8")
    assert read_model(tmp_path / "bread.json") == BREAD
    assert '"rye": [3,0]' in text.splitlines()
    assert json.loads(text)["columns"] == ["a", "main"]


def test_the_shipped_weights_have_a_column_a_role_and_say_nothing_idle() -> None:
    weights = shipped_weights()
    assert weights.columns == (*ROLES, "main")
    assert all(len(row) == len(weights.columns) and any(row) for row in weights.weights.values())
    assert model_text(weights) == WEIGHTS_FILE.read_text(encoding="utf-8")


def test_no_weight_is_more_than_a_few_words_of_any_text() -> None:
    assert max(len(name.removeprefix("opens: ").split()) for name in shipped_weights().weights) <= 5
