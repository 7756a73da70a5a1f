"""`fieldguide explain`: text for people, JSON for programs, and messages without a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from classifier.cli.commands import app

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"


def run(*arguments: str) -> Result:
    words = ["explain", "--project", str(BREAD), *arguments]
    return CliRunner().invoke(app, words, catch_exceptions=False)


def test_it_prints_the_paper_then_its_facets() -> None:
    result = run("rye starter")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == snapshot("Keeping a Rye Starter Alive on Four Feedings a Month")
    assert [line for line in lines if "— reviewed" in line] == [
        "Topic: sourdough — reviewed",
        "Contribution: method — reviewed",
    ]


def test_json_is_one_object() -> None:
    result = run("arxiv:2304.00111", "--category", "flour", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    told = json.loads(result.stdout)
    assert told["paper"]["id"] == "arxiv:2304.00111"
    assert [account["category"] for account in told["facets"]["topic"]["accounts"]] == ["flour"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["steam"],
            "fieldguide: 'steam' matches 2 papers. Use an id or more words of the title:\n"
            "  p-fdffdc591c  Steam for Home Ovens Without a Pan\n"
            "  p-e1267a85a1  Steam Schedules for Deck Ovens\n",
        ),
        (
            ["rye", "--category", "dough"],
            "fieldguide: 'rye' matches 2 papers. Use an id or more words of the title:\n"
            "  arxiv:2304.00111  Keeping a Rye Starter Alive on Four Feedings a Month\n"
            "  p-6fc02ddbfb  Shelf Life of Rye Bread in Paper, Cloth and Tin\n",
        ),
        (
            ["shelf life", "--category", "dough"],
            "fieldguide: 'dough' is not a category; expected one of sourdough, flour, ovens, keeping, "
            "other, method, study, survey, clock, signal. Did you mean 'sourdough'?\n",
        ),
    ],
)
def test_wrong_use(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)
