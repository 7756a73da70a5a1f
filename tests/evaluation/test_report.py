from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from classifier.errors import UsageError
from classifier.evaluation.metrics import Figure
from classifier.evaluation.outcome import (
    Abstention,
    CategoryFigures,
    Evaluation,
    FacetFigure,
    Setup,
)
from classifier.evaluation.report import check_bars, report_json, report_text

NOTHING = Figure(math.nan, math.nan, math.nan)
EVALUATION = Evaluation(
    setup=Setup(
        n=40, folds=5, repeats=3, trained_on=50, unlabelled=9, unmatched=("Lost", "Mislaid")
    ),
    categories={
        "tools": CategoryFigures(math.nan, math.nan, NOTHING, 0, core=False, out_of_scope=False),
        "soil": CategoryFigures(
            0.75, 0.6, Figure(0.66666, 0.5, 0.81), 20, core=True, out_of_scope=False
        ),
        "other": CategoryFigures(1.0, 1.0, Figure(1, 1, 1), 3, core=False, out_of_scope=True),
    },
    core_f1=Figure(0.66666, 0.5, 0.81),
    mean_f1=Figure(0.66666, 0.5, 0.81),
    micro_f1=Figure(0.7, 0.6, 0.8),
    mean_average_precision=Figure(0.72, 0.61, 0.83),
    precision_at_1=Figure(0.9, 0.8, 1.0),
    primary_accuracy=Figure(0.84996, 0.75, 0.9),
    ece=0.0321,
    brier=0.101,
    facets={"kind": FacetFigure("accuracy", Figure(0.5, 0.25, 0.75), 12)},
    abstention=Abstention(
        Figure(0.4, 0.3, 0.5), Figure(0.95, 0.9, 1.0), ((0.5, 0.975), (1.0, 0.85))
    ),
    confusion={"soil": {"soil": 18, "other": 2}, "other": {"other": 3, "soil": 4}},
)
REPORT = """\
Scored 40 papers.
Cross-validated: 5 folds, 3 times over, learned from 50 papers with decisions and 9 without,
each time without the papers of the fold that is scored.

category    P     R    F1     n  95 % interval of F1
* soil   0.75  0.60  0.67    20  0.50–0.81
  tools     –     –     –     0
  other  1.00  1.00  1.00     3  1.00–1.00
* core category
Out of scope, in no mean: other.
In no mean, since no scored paper has them: tools.

core mean F1            0.67  0.50–0.81    1 category
mean F1                 0.67  0.50–0.81    1 category
micro F1                0.70  0.60–0.80    1 category
mean average precision  0.72  0.61–0.83    1 category
P@1                     0.90  0.80–1.00    the filed category is one of the true topics
primary accuracy        0.85  0.75–0.90    filed where it belongs
kind accuracy           0.50  0.25–0.75    12 papers

Topic probabilities: expected calibration error 0.032, Brier score 0.101.
confident papers           0.40  0.30–0.50    share of the scored papers
primary accuracy of those  0.95  0.90–1.00
most confident       50%  100%
primary accuracy    0.97  0.85

Filed elsewhere most often (true category -> filed under):
   4  other -> soil
   2  soil -> other

Not scored, since no paper bears the title: 2
  Lost
  Mislaid
"""


def test_the_whole_report() -> None:
    assert report_text(EVALUATION) == REPORT


@pytest.mark.parametrize(
    ("setup", "header"),
    [
        (
            Setup(n=1, folds=1, repeats=1, trained_on=5, unlabelled=2),
            "Scored 1 paper.\n"
            "Not cross-validated: one fit on 5 papers with decisions and 2 without, "
            "none of them scored.\n\n",
        ),
        (
            Setup(n=40, folds=1, repeats=1, trained_on=0, unlabelled=2),
            "Scored 40 papers.\n"
            "Not cross-validated: the taxonomy alone, with 2 unlabelled papers,\n"
            "none of them scored.\n\n",
        ),
        (
            Setup(n=40, folds=5, repeats=1, trained_on=50, unlabelled=2),
            "Scored 40 papers.\n"
            "Cross-validated: 5 folds, learned from 50 papers with decisions and 2 without,\n"
            "each time without the papers of the fold that is scored.\n\n",
        ),
    ],
)
def test_the_header_says_what_was_learned_from(setup: Setup, header: str) -> None:
    assert report_text(replace(EVALUATION, setup=setup)).startswith(header)


def test_many_unmatched_titles_are_counted() -> None:
    setup = replace(EVALUATION.setup, unmatched=tuple("abcdefgh"))
    assert report_text(replace(EVALUATION, setup=setup)).endswith("  e\n  and 3 more\n")


def test_without_mistakes_there_is_no_list_of_them() -> None:
    assert "elsewhere" not in report_text(replace(EVALUATION, confusion={"soil": {"soil": 9}}))


def test_json_is_json_and_undefined_is_null() -> None:
    figures = json.loads(json.dumps(report_json(EVALUATION), allow_nan=False))
    assert list(figures) == [
        "n", "cross_validated", "folds", "repeats", "trained_on", "unlabelled", "categories",
        "core_f1", "mean_f1", "micro_f1", "precision_at_1", "primary_accuracy",
        "mean_average_precision", "intervals", "ece", "brier", "facets", "abstention",
        "confusion", "left_out", "unmatched",
    ]  # fmt: skip
    assert figures["categories"]["soil"] == {
        "precision": 0.75, "recall": 0.6, "f1": 0.6667, "support": 20,
        "interval": [0.5, 0.81], "core": True,
    }  # fmt: skip
    assert figures["categories"]["tools"]["f1"] is None
    assert figures["categories"]["tools"]["interval"] == [None, None]
    assert figures["core_f1"] == 0.6667
    assert figures["intervals"]["core_f1"] == [0.5, 0.81]
    assert figures["facets"] == {"kind": 0.5}
    assert figures["abstention"] == {
        "confident": 0.4,
        "accuracy": 0.95,
        "risk_coverage": [
            {"coverage": 0.5, "accuracy": 0.975},
            {"coverage": 1.0, "accuracy": 0.85},
        ],
    }
    assert figures["confusion"]["soil"] == {"soil": 18, "other": 2}
    assert figures["left_out"] == ["tools"]
    assert figures["unmatched"] == ["Lost", "Mislaid"]


def test_bars_that_are_reached_are_not_spoken_of() -> None:
    bars = ["core=0.6", "all=0.6", "micro=0.7", "primary=0.8", "p_at_1=0.9", "map=0.7", "kind=.5"]
    assert check_bars(EVALUATION, bars) == []


def test_a_value_just_below_its_bar_does_not_look_as_if_it_reached_it() -> None:
    assert check_bars(EVALUATION, ["primary=0.85", "kind=0.75"]) == [
        "primary: primary accuracy is 0.849, wanted at least 0.85.",
        "kind: accuracy of kind is 0.500, wanted at least 0.75.",
    ]


def test_an_undefined_value_reaches_no_bar() -> None:
    assert check_bars(replace(EVALUATION, core_f1=NOTHING), ["core=0"]) == [
        "core: core mean F1 is undefined, wanted at least 0."
    ]


@pytest.mark.parametrize(
    ("bar", "message"),
    [
        (
            "cores=0.5",
            "--fail-under cores=0.5: no figure 'cores'; "
            "one of kind, core, all, micro, primary, p_at_1, map.",
        ),
        ("core", "--fail-under core: '' is no number from 0 to 1."),
        ("core=85", "--fail-under core=85: '85' is no number from 0 to 1."),
        ("core=nan", "--fail-under core=nan: 'nan' is no number from 0 to 1."),
    ],
)
def test_bars_that_make_no_sense(bar: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        check_bars(EVALUATION, [bar])
    assert str(caught.value) == message
