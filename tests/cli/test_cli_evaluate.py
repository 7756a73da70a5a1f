"""`fieldguide evaluate`: a report on standard output, bars that fail, figures as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from classifier.cli.commands import app

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"


def run(*arguments: object, project: Path = BREAD) -> Result:
    """Run the command in this process; an error that is a bug shows as itself."""
    words = ["evaluate", "--project", str(project), *(str(argument) for argument in arguments)]
    return CliRunner().invoke(app, words, catch_exceptions=False)


def test_the_ledger_is_cross_validated() -> None:
    result = run("--folds", "2", "--full")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines[:3]] == [
        "Filed right", "Weakest category", "What to do",
    ]  # fmt: skip
    assert lines[4] == "Scored 5 papers."
    assert lines[5].startswith("Cross-validated: 2 folds, learned from 5 papers with decisions")
    for category in ("* sourdough", "* flour", "  ovens", "  keeping"):
        assert any(line.startswith(category) for line in lines)


def test_json_holds_every_figure_of_the_report(tmp_path: Path) -> None:
    run("--folds", "2", "--json", tmp_path / "figures.json")
    figures = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert set(figures) >= {
        "n", "cross_validated", "folds", "repeats", "trained_on", "unlabelled", "categories",
        "core_f1", "mean_f1", "micro_f1", "precision_at_1", "primary_accuracy",
        "mean_average_precision", "intervals", "ece", "brier", "facets", "confident", "confusion",
        "confident_accuracy", "left_out", "unmatched", "provenance", "method",
    }  # fmt: skip
    assert set(figures["categories"]["flour"]) == {
        "precision", "recall", "f1", "support", "interval", "core",
    }  # fmt: skip


def test_figures_replace_figures_and_nothing_else(tmp_path: Path) -> None:
    gold, mine = tmp_path / "gold.csv", tmp_path / "mine.json"
    gold.write_text("title,primary,topics\n", encoding="utf-8")
    mine.write_text('{"provenance": "me"}', encoding="utf-8")
    before = (gold.read_bytes(), mine.read_bytes())
    for target, message in (
        (gold, "is also an input. Choose another file with --json."),
        (mine, "exists and was not written by Fieldguide. Choose another file with --json."),
        (
            BREAD / "papers" / "new.json",
            "is in papers/, which contains only hand-written files. Choose another",
        ),
    ):
        result = run("--gold", gold, "--json", target)
        assert (result.exit_code in (1, 2), result.stdout) == (True, "")
        assert result.stderr.startswith(f"fieldguide: {target} {message}")
    assert (gold.read_bytes(), mine.read_bytes()) == before
    for _ in range(2):
        assert run("--folds", "2", "--json", tmp_path / "own.json").exit_code == 0


def test_a_figure_under_its_bar_fails() -> None:
    reached = run("--folds", "2", "--fail-under", "core=0")
    assert (reached.exit_code, reached.stderr) == (0, "")
    missed = run("--folds", "2", "--fail-under", "core=0", "--fail-under", "primary=1")
    assert missed.exit_code == 1
    assert missed.stderr.startswith("primary: primary accuracy is 0.")
    assert missed.stderr.endswith(", expected at least 1.\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--fail-under", "crust=0.9"],
            "fieldguide: --fail-under crust=0.9: unknown metric 'crust'; expected one of core, all, micro, "
            "primary, p_at_1, map, contribution, fed_by.\n",
        ),
        (
            ["--fail-under", "core=9"],
            "fieldguide: --fail-under core=9: '9' is not a number from 0 to 1.\n",
        ),
    ],
)
def test_a_bar_that_is_none_is_wrong_use(arguments: list[str], message: str) -> None:
    result = run("--folds", "2", *arguments)
    assert (result.exit_code, result.stderr) == (2, message)


@pytest.mark.parametrize(
    ("option", "value", "fault"),
    [
        ("--fail-under", "core=x", "'x' is not a number from 0 to 1."),
    ],
)
def test_a_bad_option_is_refused_before_anything_is_read(
    tmp_path: Path, option: str, value: str, fault: str
) -> None:
    (tmp_path / "taxonomy").mkdir()
    (tmp_path / "taxonomy" / "taxonomy.yaml").write_text("survey: [", encoding="utf-8")
    result = run(option, value, project=tmp_path)
    assert (result.exit_code, result.stderr) == (2, f"fieldguide: {option} {value}: {fault}\n")


def test_gold_is_scored_by_the_taxonomy_alone(tmp_path: Path) -> None:
    gold = tmp_path / "gold.csv"
    gold.write_text(
        "title,primary,topics,contribution\n"
        "Steam Schedules for Deck Ovens,ovens,ovens,study\n"
        "Proofing by Sound,sourdough,sourdough,method\n"
        "Never Written,flour,flour,study\n",
        encoding="utf-8",
    )
    result = run("--gold", gold, "--train", "none", "--full")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Scored 2 papers.\nNot cross-validated: the taxonomy alone, with " in result.stdout
    assert "Not scored, because no paper has the title: 1\n  Never Written\n" in result.stdout


def test_a_gold_file_that_is_not_there_is_named() -> None:
    result = run("--gold", "none.csv")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("none.csv: error: found no such file;")


def test_papers_that_nobody_decided_cannot_be_scored(tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    path.write_text('{"title": "Rye"}\n', encoding="utf-8")
    result = run(path)
    assert result.exit_code == 2
    assert result.stderr == (
        snapshot(
            "fieldguide: taxonomy/reviews.csv: no decision on any of the 1 papers. Choose papers "
            "that were decided, or a --gold file with their titles.\n"
        )
    )
