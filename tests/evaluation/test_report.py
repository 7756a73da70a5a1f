from __future__ import annotations

import json
from dataclasses import replace

import pytest

from classifier.evaluation.outcome import Findings, Setup, quality_json
from classifier.evaluation.quality_report import quality_report
from classifier.evaluation.report import text_lines
from tests.evaluation.findings import EVALUATION, FINDINGS

VERDICT = """\
Filed right: 0.85 (0.75–0.90) of 40 papers of gold.csv.
Weakest category: soil, F1 0.67 (precision 0.75, recall 0.60, 20 papers).
What to do: use `includes`, `excludes` and `against` cues to separate soil from other, \
which was assigned to 2 of its papers.
"""
REPORT = """\
Scored 40 papers.
Cross-validated: 5 folds, 3 times over, learned from 50 papers with decisions and 9 without,
each time without the papers of the scored fold.

category     P     R    F1   n  95 % interval of F1
* soil    0.75  0.60  0.67  20  0.50–0.81
  tools      –     –     –   0
  other   1.00  1.00  1.00   3  1.00–1.00
* core category
Out of scope, not in the means: other.
Not in the means because no scored paper has them: tools.

core mean F1            0.67  0.50–0.81  1 category
mean F1                 0.67  0.50–0.81  1 category
micro F1                0.70  0.60–0.80  1 category
mean average precision  0.72  0.61–0.83  1 category
P@1                     0.90  0.80–1.00  the primary category is one of the true topics
primary accuracy        0.85  0.75–0.90  the primary category is right
kind accuracy           0.50  0.25–0.75  12 papers

Confusion matrix: rows are true categories, columns assigned ones (27 papers).
           1  2
 1 soil   18  2
 2 other   4  3

Not scored, because no paper has the title: 2
  Lost
  Mislaid
"""


def report_text(findings: Findings, *, full: bool = False) -> str:
    return "\n".join([*text_lines(quality_report(findings, is_full=full)), ""])


def evaluated(**changed: object) -> Findings:
    """Return the findings with an evaluation that is another in these fields."""
    return replace(FINDINGS, evaluation=replace(EVALUATION, **changed))  # type: ignore[arg-type]


def test_three_lines_say_how_it_stands() -> None:
    shown = f"{VERDICT}\nEvery figure: --full; for programs: --json FILE.\n"
    assert report_text(FINDINGS).startswith(shown)


@pytest.mark.parametrize(
    ("drawn", "first", "last"),
    [
        (
            {"queue": 40},
            "gold.csv, all selected by a queue, which prefers difficult papers.",
            "What to do: `fieldguide review audit 30`: with 30 papers selected at random "
            "the figures are valid for all papers.",
        ),
        (
            {"audit": 10, "queue": 30},
            "gold.csv, 30 selected by a queue, which prefers difficult papers; 10 selected at random.",
            "What to do: `fieldguide review audit 20`: with 30 papers selected at random "
            "the figures are valid for all papers.",
        ),
        (
            {"audit": 40},
            "gold.csv, all selected at random.",
            "What to do: use `includes`, `excludes` and `against` cues to separate soil from other, "
            "which was assigned to 2 of its papers.",
        ),
    ],
)
def test_the_verdict_depends_on_how_papers_were_selected(
    drawn: dict[str, int], first: str, last: str
) -> None:
    lines = report_text(replace(FINDINGS, drawn=drawn)).splitlines()
    assert lines[0].endswith(first)
    assert lines[2] == last


def test_few_papers_have_no_interval() -> None:
    setup = replace(EVALUATION.setup, n=1)
    assert "0.85 (too few for an interval) of 1 paper" in report_text(evaluated(setup=setup))


def test_the_whole_report() -> None:
    assert report_text(FINDINGS, full=True) == f"{VERDICT}\n{REPORT}"


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
            "each time without the papers of the scored fold.\n\n",
        ),
    ],
)
def test_the_header_says_what_was_learned_from(setup: Setup, header: str) -> None:
    assert header in report_text(evaluated(setup=setup), full=True)


def test_many_unmatched_titles_are_counted() -> None:
    setup = replace(EVALUATION.setup, unmatched=tuple("abcdefgh"))
    assert report_text(evaluated(setup=setup)).endswith("  e\n  … and 3 more\n")


def test_json_is_json_and_undefined_is_null() -> None:
    figures = json.loads(json.dumps(quality_json(FINDINGS), allow_nan=False))
    assert list(figures) == [
        "n", "cross_validated", "folds", "repeats", "trained_on", "unlabelled",
        "left_out_in_prior", "categories", "core_f1", "mean_f1", "micro_f1", "precision_at_1",
        "primary_accuracy", "mean_average_precision", "ece", "brier", "confident",
        "confident_accuracy", "facets", "intervals",
        "facet_figures", "confusion", "left_out", "unmatched",
        "provenance", "method",
    ]  # fmt: skip
    assert figures["categories"]["soil"] == {
        "precision": 0.75, "recall": 0.6, "f1": 0.6667, "support": 20,
        "interval": [0.5, 0.81], "core": True,
    }  # fmt: skip
    assert figures["categories"]["tools"]["f1"] is None
    assert figures["categories"]["tools"]["interval"] == [None, None]
    assert figures["core_f1"] == 0.6667
    assert figures["intervals"]["core_f1"] == [0.5, 0.81]
    assert (figures["ece"], figures["intervals"]["ece"]) == (0.0321, [0.02, 0.051])
    assert figures["facets"] == {"kind": 0.5}
    assert figures["facet_figures"]["kind"] == {
        "measure": "accuracy", "value": 0.5, "interval": [0.25, 0.75], "n": 12,
    }  # fmt: skip
    assert (figures["confident"], figures["confident_accuracy"]) == (0.4, 0.95)
    assert figures["confusion"]["soil"] == {"soil": 18, "other": 2}
    assert figures["left_out"] == ["tools"]
    assert figures["unmatched"] == ["Lost", "Mislaid"]


def test_a_model_card_finds_what_the_figures_rest_on() -> None:
    figures = json.loads(json.dumps(quality_json(FINDINGS)))
    assert figures["provenance"]["truth"] == "gold.csv"
    assert figures["method"]["resamples"] == 1000
