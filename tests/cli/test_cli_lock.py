"""`fieldguide lock`: it pins labels once, lists what would move, and asks before it moves them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from classifier.cli.commands import app

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"


@pytest.fixture
def bread(locked_bread: Path, tmp_path: Path) -> Path:
    """A copy of the bread project, locked."""
    return shutil.copytree(locked_bread, tmp_path / "bread")


def run(*arguments: object) -> Result:
    words = [str(argument) for argument in arguments]
    return CliRunner().invoke(app, words, catch_exceptions=False)


def disturb(folder: Path) -> bytes:
    """Change a locked label by hand, so that the classifier would move it; return the lock."""
    lock = folder / "taxonomy" / "labels.lock.csv"
    text = lock.read_text(encoding="utf-8")
    text = text.replace(
        "Remembers,sourdough,sourdough,method,signal", "Remembers,flour,flour,method,"
    )
    lock.write_text(text)
    return lock.read_bytes()


def test_it_tells_before_it_pins(tmp_path: Path) -> None:
    folder = shutil.copytree(BREAD, tmp_path / "bread")
    lock = folder / "taxonomy" / "labels.lock.csv"
    told = run("lock", "--project", folder)
    assert (told.exit_code, lock.exists()) == (0, False)
    assert "A lock keeps the labels of 15 papers" in told.stdout
    assert "fieldguide lock --update   writes the lock" in told.stdout
    result = run("lock", "--update", "--project", folder)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"The labels of 15 papers are locked: {lock}\n"
    assert lock.read_text(encoding="utf-8").count("\n") == 16


def test_where_nothing_would_move_it_says_so(bread: Path) -> None:
    result = run("lock", "--project", bread)
    assert (result.exit_code, result.stdout) == snapshot(
        (0, "No label would change in 15 papers.\n")
    )


def test_it_overwrites_no_lock_unasked_and_lists_what_would_move(bread: Path) -> None:
    locked = disturb(bread)
    result = run("lock", "--project", bread)
    assert result.exit_code == 1
    shown = [line.split() for line in result.stdout.splitlines() if line]
    assert [" ".join(words) for words in shown] == snapshot(
        [
            "15 papers; 2 labels moved (2 model).",
            "Labels moved: the classifier learned otherwise (model)",
            "paper facet change title",
            "p-dd0d023955 topic flour → sourdough (0.83) What the Starter Remembers",
            "p-dd0d023955 fed_by nothing → signal (0.62) What the Starter Remembers",
        ]
    )
    assert result.stderr == (
        snapshot("Nothing was written. `fieldguide lock --update` accepts these changes.\n")
    )
    assert (bread / "taxonomy" / "labels.lock.csv").read_bytes() == locked


def test_what_people_decided_moves_without_a_complaint(bread: Path) -> None:
    with (bread / "taxonomy" / "reviews.csv").open("a", encoding="utf-8") as ledger:
        ledger.write("p-dd0d023955,,topic,flour,yes,ada,2025-07-01,volunteer,,\n")
    result = run("lock", "--project", bread)
    assert (result.exit_code, result.stdout.splitlines()[0]) == snapshot(
        (
            1,
            "15 papers; 3 labels moved (2 human, 1 model).",
        )
    )


def test_with_update_it_accepts(bread: Path) -> None:
    disturb(bread)
    result = run("lock", "--update", "--project", bread)
    assert result.exit_code == 0
    assert "2 labels moved" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("The labels of 15 papers are locked: ")
    assert run("lock", "--project", bread).exit_code == 0


def test_a_build_says_what_it_holds_and_what_changed(bread: Path) -> None:
    disturb(bread)
    result = run("build", "--project", bread)
    assert result.exit_code == 0
    assert result.stderr == (
        snapshot(
            "taxonomy/labels.lock.csv keeps 2 labels that would change (2 model): `fieldguide lock` "
            "lists them, `fieldguide lock --update` accepts the changes.\n"
        )
    )
    assert "Since the lock: 15 papers; no label moved.\n" in result.stdout


def test_a_build_says_what_changed_since_the_baseline(bread: Path, tmp_path: Path) -> None:
    run("build", "--project", bread)
    baseline = shutil.copytree(bread / "out", tmp_path / "old")
    result = run("build", "--project", bread, "--baseline", baseline)
    assert "Since the baseline: 15 papers; no label moved.\n" in result.stdout
    assert result.stderr == ""
