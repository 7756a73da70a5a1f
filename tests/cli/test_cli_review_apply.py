"""`fieldguide review apply`: what was applied on stdout, what was refused on stderr."""

from __future__ import annotations

import csv
import io
import re
import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from classifier.cli.commands import app


@pytest.fixture
def project(built_bread: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built_bread, tmp_path / "bread"))


def run(project: Path, *arguments: str) -> Result:
    words = ["review", "apply", "--project", str(project), *arguments]
    return CliRunner().invoke(app, words, catch_exceptions=False)


def fill(project: Path, column: str, *cells: str) -> None:
    """Type into the first rows of out/labels.csv."""
    sheet = project / "out" / "labels.csv"
    rows = list(csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8"))))
    for row, cell in zip(rows, cells, strict=False):
        row[column] = cell
    with sheet.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def test_it_tells_each_row_and_what_to_do_next(project: Path) -> None:
    fill(project, "review_topics", "keeping", "", "flour; ovens")
    result = run(project, "--reviewer", "ada")
    assert (result.exit_code, result.stderr) == (0, "")
    head, first, second, *rest = result.stdout.splitlines()
    assert head == "out/labels.csv:"
    assert re.fullmatch(r"  row 2  \S+  topic: keeping → decided by ada \(was: .*\)", first)
    assert re.fullmatch(
        r"  row 4  \S+  topic: flour; ovens → decided by ada \(was: .*; filed under flour, the "
        r"first given\)",
        second,
    )
    assert rest == snapshot(
        [
            "2 answers applied on 2 papers.",
            "The sheets are not changed; the next `fieldguide build` writes a new one.",
        ]
    )


def test_a_refused_row_is_exit_code_1(project: Path) -> None:
    fill(project, "verdict", "ok", "yes")
    result = run(project, "--reviewer", "ada")
    assert result.exit_code == 1
    assert result.stderr == (
        snapshot(
            "out/labels.csv: row 3, verdict: found 'yes'; expected ok, key, not key, withdraw, or an empty cell. Write ok to approve exactly the labels of the row. To correct them, fill the review_ columns and leave verdict empty.\n"
        )
    )
    assert "2 answers applied on 1 paper (1 topic, 1 contribution); 1 row refused." in result.stdout
    assert result.stdout.splitlines()[-1] == snapshot(
        "The sheet stays as it is. `fieldguide build` stops until these cells are corrected or emptied; with --ignore-sheet it moves the sheet to sheets/."
    )
    assert run(project, "--reviewer", "ada").exit_code == 1


def test_a_dry_run_says_so(project: Path) -> None:
    fill(project, "verdict", "ok")
    ledger = (project / "taxonomy" / "reviews.csv").read_bytes()
    result = run(project, "--dry-run", "--reviewer", "ada")
    assert result.stdout.splitlines()[-1] == snapshot(
        "2 answers would be applied on 1 paper (1 topic, 1 contribution)."
    )
    assert (project / "taxonomy" / "reviews.csv").read_bytes() == ledger


def test_an_empty_sheet_says_so(project: Path) -> None:
    result = run(project)
    assert (result.exit_code, result.stdout) == snapshot(
        (
            0,
            "Nothing to apply: no answer in out/labels.csv.\n",
        )
    )


def test_the_taxonomy_may_be_edited_while_the_sheet_is_filled(project: Path) -> None:
    taxonomy = project / "taxonomy" / "taxonomy.yaml"
    text = taxonomy.read_text(encoding="utf-8")
    fill(project, "verdict", "ok")
    taxonomy.write_text(text.replace("Which microbes live", "Microbes that live"), encoding="utf-8")
    assert run(project, "--reviewer", "ada").exit_code == 0
    again = run(project, "--reviewer", "ada").stdout.splitlines()
    assert again[-1] == snapshot("0 answers applied; 2 already in the ledger.")


def test_a_sheet_that_was_saved_under_another_name_is_named(project: Path) -> None:
    sheet = project / "out" / "labels.csv"
    fill(project, "verdict", "ok")
    (project / "out" / "labels (1).csv").write_bytes(sheet.read_bytes())
    (project / "ada.xlsx").write_bytes(b"PK")
    fill(project, "verdict", "")
    assert run(project).stderr.splitlines() == snapshot(
        [
            "ada.xlsx: not read. To apply it: `fieldguide review apply ada.xlsx`.",
            "out/labels (1).csv: not read. To apply it: `fieldguide review apply 'out/labels (1).csv'`.",
        ]
    )


def test_the_login_name_is_meant_where_nobody_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(project, "verdict", "ok")
    monkeypatch.setattr("getpass.getuser", lambda: "grace")
    assert "decided by grace" in run(project).stdout


def test_without_a_name_it_asks_for_one(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise OSError("no user name")

    fill(project, "verdict", "ok")
    monkeypatch.setattr("getpass.getuser", nobody)
    result = run(project)
    assert result.exit_code == 1
    assert "Write your name there, or use --reviewer NAME." in result.stderr


@pytest.mark.parametrize("name", ["  ", "ada; bo", "ada\nbo"])
def test_a_name_that_is_none_is_a_usage_error(project: Path, name: str) -> None:
    fill(project, "verdict", "ok")
    ledger = (project / "taxonomy" / "reviews.csv").read_bytes()
    result = run(project, "--reviewer", name)
    assert (result.exit_code, "--reviewer" in result.stderr) == (2, True)
    assert (project / "taxonomy" / "reviews.csv").read_bytes() == ledger


def test_a_name_alone_is_no_answer(project: Path) -> None:
    fill(project, "reviewer", "ada")
    assert run(project).stdout == snapshot("Nothing to apply: no answer in out/labels.csv.\n")


def test_the_ledger_is_no_sheet(project: Path) -> None:
    ledger = project / "taxonomy" / "reviews.csv"
    before = ledger.read_bytes()
    result = run(project, str(ledger))
    assert result.exit_code == 2
    assert "taxonomy/reviews.csv: is the ledger, not a sheet" in result.stderr
    assert ledger.read_bytes() == before
    copy = project / "copy.csv"
    copy.write_bytes(before)
    result = run(project, str(copy))
    assert (result.exit_code, "of a ledger; expected a sheet" in result.stderr) == (1, True)


def test_a_paper_file_is_no_sheet(project: Path) -> None:
    path = next(path for path in (project / "papers").iterdir() if path.is_file())
    result = run(project, str(path))
    assert (result.exit_code, "is in papers/" in result.stderr) == (2, True)


def test_many_rows_are_cut_short(project: Path) -> None:
    fill(project, "verdict", *["ok; key"] * 20)
    told = run(project, "--dry-run", "--reviewer", "ada").stdout
    whole = run(project, "--dry-run", "--reviewer", "ada", "--verbose").stdout
    assert told.count("→") == 40
    assert f"  … and {whole.count('→') - 40} more; --verbose lists all" in told


def test_a_file_that_is_not_there(project: Path) -> None:
    result = run(project, str(project / "nowhere.csv"))
    assert result.exit_code == 1
    assert result.stderr == (
        snapshot("nowhere.csv: error: found no such file; expected a file that exists.\n")
    )


def test_outside_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["review", "apply"])
    assert result.exit_code == 2


def test_what_holds_a_build_up_is_named(project: Path) -> None:
    fill(project, "prio", *["1"] * 16)
    fill(project, "title", "Typed over")
    result = run(project, "--reviewer", "ada")
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("out/labels.csv: column 'prio': found 16 filled cells; expected a")


def test_columns_of_ones_own_are_in_nobodys_way_elsewhere(project: Path) -> None:
    fill(project, "prio", "1")
    mine = project / "mine.csv"
    mine.write_bytes((project / "out" / "labels.csv").read_bytes())
    assert (run(project, str(mine)).exit_code, run(project).exit_code) == (0, 1)


def test_a_column_that_somebody_renamed_is_named_elsewhere_too(project: Path) -> None:
    fill(project, "exclude", "cakes only")
    mine = project / "mine.csv"
    text = (project / "out" / "labels.csv").read_text(encoding="utf-8")
    mine.write_text(text.replace(",exclude,", ",Reason,", 1), encoding="utf-8")
    result = run(project, str(mine))
    assert result.exit_code == 1
    assert result.stderr.strip() == (
        snapshot(
            "mine.csv: column 'reason': found 1 filled cell; expected a column of the sheet. They are not applied. If the column was renamed, rename it back: exclude."
        )
    )


def test_the_summary_counts_papers_acts_and_answers_on_cues(project: Path) -> None:
    built = (project / "out" / "labels.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(built)))
    sheet = project / "reviews-ada.csv"
    with sheet.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "title", "review_primary", "review_topics", "verdict", "remark"])
        writer.writerow([rows[0]["id"], rows[0]["title"], "", "flour", "", "Baked twice."])
        writer.writerow([rows[1]["id"], rows[1]["title"], "", "ovens", "", ""])
        writer.writerow(["cue", "salt", "flour", "", "yes", ""])
        writer.writerow(["cue", "sugar", "flour", "", "unsure", ""])
    result = run(project, str(sheet), "--reviewer", "ada")
    assert result.stdout.splitlines()[-2] == snapshot(
        "3 answers applied on 2 papers (2 topic, 1 remark); 1 answer on cues applied in taxonomy/taxonomy.yaml; 1 answer on cues left open."
    )
