"""`fieldguide check`: every fault at once, nothing written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from classifier.cli.commands import app

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"


@pytest.fixture
def bread(tmp_path: Path) -> Path:
    """A copy of the bread project, to be edited."""
    return shutil.copytree(BREAD, tmp_path / "bread")


def run(*arguments: object) -> Result:
    """Run the command in this process; an error that is a bug shows as itself."""
    words = ["check", *(str(argument) for argument in arguments)]
    return CliRunner().invoke(app, words, catch_exceptions=False)


LOOK = (
    "1 paper has no abstract: `fieldguide fetch metadata` looks up missing abstracts.\n"
    "1 paper occurs more than once in the files and once in the survey: `fieldguide explain "
    "TITLE` says why.\n"
)


def test_a_project_without_fault_is_counted(bread: Path) -> None:
    before = sorted(bread.rglob("*"))
    result = run("--project", bread)
    assert result.exit_code == 0
    assert result.stdout == (
        "3 facets with 10 categories, 16 papers from 17 records, 5 of them reviewed: "
        f"no error, 1 warning.\n{LOOK}"
    )
    assert result.stderr == (
        snapshot(
            "papers/bread.jsonl:13: warning: found a record that cannot be read (abstract 'A record "
            "without a title, which no survey can hold.'): title: found none; expected the paper's "
            "title; expected a complete record. The record is listed in quarantine.csv; all others were read.\n"
        )
    )
    assert sorted(bread.rglob("*")) == before


def test_errors_of_all_files_are_named(bread: Path) -> None:
    taxonomy = bread / "taxonomy" / "taxonomy.yaml"
    text = taxonomy.read_text(encoding="utf-8").replace("id: flour", "id: ovens", 1)
    taxonomy.write_text(text, encoding="utf-8")
    (bread / "taxonomy" / "reviews.csv").write_bytes(b"\0")
    result = run("--project", bread)
    assert (result.exit_code, result.stdout) == (1, "")
    lines = result.stderr.splitlines()
    assert lines[0] == snapshot(
        "taxonomy/reviews.csv: error: found a binary file; expected a text file."
    )
    assert any(line.startswith("taxonomy/taxonomy.yaml:") and "ovens" in line for line in lines)
    assert lines[-1].endswith("nothing was written.")


def test_a_foreign_table_tells_its_columns_and_that_is_no_warning(bread: Path) -> None:
    table = "Document Title,Resumen,Journal\nBrick ovens of Lisbon,We bake.,Loaves\n"
    (bread / "papers" / "more.csv").write_text(table, encoding="utf-8")
    result = run("--project", bread)
    assert result.stderr.splitlines()[0] == (
        snapshot(
            "papers/more.csv: 1 paper; title ← Document Title, abstract ← Resumen, venue ← Journal"
        )
    )
    assert "no error, 1 warning.\n" in result.stdout


def test_warnings_fail_only_under_strict(bread: Path) -> None:
    (bread / "papers" / "more.csv").write_text("title,mood\nRye,good\n", encoding="utf-8")
    assert run("--project", bread).exit_code == 0
    strict = run("--project", bread, "--strict")
    assert strict.exit_code == 1
    assert "\npapers/more.csv:1: warning: found unknown column 'mood';" in strict.stderr


def test_deep_prints_advice_behind_the_usual_check(bread: Path) -> None:
    result = run("--project", bread, "--deep")
    assert result.exit_code == 0
    usual, *look, empty, first, more = result.stdout.split("\n", 5)
    rest = more.splitlines()
    assert usual.endswith("no error, 1 warning.")
    assert (look, empty) == (LOOK.splitlines(), "")
    assert first.startswith(
        "67 cues, 16 papers, 5 of them reviewed. The following are suggestions, not errors."
    )
    assert any(line.startswith("Cues that match no paper (") for line in rest)
    assert any(line.startswith("  taxonomy/taxonomy.yaml:") for line in rest)


def test_claims_are_followed_by_papers_that_may_bear_on_them(bread: Path) -> None:
    (bread / "taxonomy" / "claims.yaml").write_text(
        "- claim: A lid gives a loaf steam, and the crust is glossier.\n"
        "  topic: ovens\n  open: true\n  by: A. Keeper, 2026-11\n"
        "- claim: Zebras migrate.\n  topic: ovens\n  open: true\n  by: A. Keeper, 2026-11\n",
        encoding="utf-8",
    )
    result = run("--project", bread, "--claims")
    assert result.exit_code == 0
    _, lid, zebras, how = result.stdout.split("\n\n")  # standard output, for a file
    assert lid.startswith(
        "A lid gives a loaf steam, and the crust is glossier. (taxonomy/claims.yaml:1)\n"
    )
    assert (
        "  Steam for Home Ovens Without a Pan\n"
        "      Crusts were glossier in 14 of 15 blind ratings.\n"
        '    p-fdffdc591c: "Crusts were glossier in"\n'
    ) in lid
    assert zebras == snapshot(
        "Zebras migrate. (taxonomy/claims.yaml:5)\n  No other paper is similar."
    )
    assert how.startswith("If a paper bears on the claim, copy its last line below `for:`")


def test_advice_does_not_fail_a_strict_check(bread: Path) -> None:
    papers = bread / "papers" / "bread.jsonl"
    lines = papers.read_text(encoding="utf-8").splitlines()
    papers.write_text("\n".join(lines[:12]), encoding="utf-8")
    assert run("--project", bread, "--strict").exit_code == 0
    assert run("--project", bread, "--strict", "--deep").exit_code == 0


def test_deep_writes_nothing_into_the_project(bread: Path) -> None:
    before = sorted(bread.rglob("*"))
    run("--project", bread, "--deep")
    assert sorted(bread.rglob("*")) == before


def test_outside_a_project_it_is_wrong_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run().exit_code == 2
