from __future__ import annotations

from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from classifier.commands.evaluate import check_bars
from classifier.errors import UsageError
from tests.evaluation.findings import EVALUATION, NOTHING


def test_reached_bars_have_no_message() -> None:
    bars = ["core=0.6", "all=0.6", "micro=0.7", "primary=0.8", "p_at_1=0.9", "map=0.7", "kind=.5"]
    assert check_bars(EVALUATION, bars) == []


def test_a_value_just_below_its_bar_is_rounded_down() -> None:
    assert check_bars(EVALUATION, ["primary=0.85", "kind=0.75"]) == snapshot(
        [
            "primary: primary accuracy is 0.849, expected at least 0.85.",
            "kind: accuracy of kind is 0.500, expected at least 0.75.",
        ]
    )


def test_an_undefined_value_does_not_reach_a_bar() -> None:
    assert check_bars(replace(EVALUATION, core_f1=NOTHING), ["core=0"]) == snapshot(
        ["core: core mean F1 is undefined, expected at least 0."]
    )


def test_a_bar_for_core_topics_without_core_categories_has_a_hint() -> None:
    categories = {
        name: replace(figures, core=False) for name, figures in EVALUATION.categories.items()
    }
    assert check_bars(
        replace(EVALUATION, core_f1=NOTHING, categories=categories), ["core=0.8"]
    ) == snapshot(
        [
            "core: core mean F1 is undefined, expected at least 0.8. Mark categories `core: true` in the taxonomy, or use `all`."
        ]
    )


@pytest.mark.parametrize(
    ("bar", "message"),
    [
        (
            "cores=0.5",
            "--fail-under cores=0.5: unknown metric 'cores'; "
            "expected one of core, all, micro, primary, p_at_1, map, kind.",
        ),
        ("core", "--fail-under core: '' is not a number from 0 to 1."),
        ("core=85", "--fail-under core=85: '85' is not a number from 0 to 1."),
        ("core=nan", "--fail-under core=nan: 'nan' is not a number from 0 to 1."),
    ],
)
def test_invalid_bars_are_refused(bar: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        check_bars(EVALUATION, [bar])
    assert str(caught.value) == message
