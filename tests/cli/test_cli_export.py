"""`fieldguide export`: what the survey knows, in the formats of other tools; nothing of a person's
is overwritten."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from classifier.cli.commands import app
from classifier.commands.export import FORMATS

ENDINGS = {name: form.endings[0] for name, form in FORMATS.items()}


@pytest.fixture(scope="module")
def bread(built_bread: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bread project, built: its labels are recalled and not learned anew."""
    return Path(shutil.copytree(built_bread, tmp_path_factory.mktemp("bread") / "bread"))


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(project: Path, *words: object) -> Result:
    """Run the command in this process; an error that is a bug shows as itself."""
    arguments = ["export", *map(str, words), "--project", str(project)]
    return CliRunner().invoke(app, arguments, catch_exceptions=False)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_is_written_and_written_again(bread: Path, name: str) -> None:
    if name == "parquet":
        pytest.importorskip("pyarrow")
    file = f"papers{ENDINGS[name]}"
    result = run(bread, name, "-o", file)
    assert (result.exit_code, result.stdout) == (0, f"15 papers: {file}\n")
    before = Path(file).read_bytes()
    assert run(bread, name, "-o", file).exit_code == 0
    assert Path(file).read_bytes() == before


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"parquet", "xlsx"}))
def test_without_o_a_text_goes_to_standard_output(bread: Path, name: str) -> None:
    run(bread, name, "-o", f"papers{ENDINGS[name]}")
    result = run(bread, name)
    assert result.stdout_bytes == Path(f"papers{ENDINGS[name]}").read_bytes()


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_what_a_person_made_is_not_overwritten(bread: Path, name: str) -> None:
    if name == "parquet":
        pytest.importorskip("pyarrow")
    file = Path(f"mine{ENDINGS[name]}")
    file.write_text("@misc{mine, title = {My own}}\n", encoding="utf-8")
    result = run(bread, name, "-o", file)
    assert result.exit_code == 1
    assert result.stderr == (
        f"fieldguide: {file} exists and was not written by Fieldguide. Choose another file with "
        "-o.\n"
    )
    assert "My own" in file.read_text(encoding="utf-8")


def test_nothing_is_written_among_what_people_write(bread: Path) -> None:
    result = run(bread, "bibtex", "-o", bread / "papers" / "references.bib")
    assert result.exit_code == 2
    assert "is in papers/, which contains only hand-written files" in result.stderr
    result = run(bread, "markdown", "--cite", "sourdough", "-o", bread / "taxonomy" / "a.md")
    assert result.exit_code == 2
    assert "is in taxonomy/, which contains only hand-written files" in result.stderr


def test_an_export_writes_nothing_into_the_project(bread: Path) -> None:
    def snapshot() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in sorted(bread.rglob("*"))}

    before = snapshot()
    run(bread, "jsonl")
    assert snapshot() == before


def test_labels_are_those_of_the_build(bread: Path) -> None:
    built = json.loads((bread / "out" / "papers.json").read_text(encoding="utf-8"))
    exported = [json.loads(line) for line in run(bread, "jsonl").stdout.splitlines()]
    assert [paper["id"] for paper in exported] == [paper["id"] for paper in built]
    for one, other in zip(exported, built, strict=True):
        assert one["cite_key"] == other["cite_key"]
        for facet, labels in one["labels"].items():
            assert labels.items() <= other["labels"][facet].items()


def test_a_query_of_the_browse_page_selects(bread: Path) -> None:
    result = run(bread, "csl-json", "--query", "browse.html?filed=sourdough&status=reviewed")
    items = json.loads(result.stdout)
    assert items
    assert all("fieldguide:sourdough" in item["keyword"] for item in items)
    nothing = run(bread, "bibtex", "--category", "sourdough", "--query", "filed=flour&year=2023")
    assert (nothing.exit_code, nothing.stdout) == (0, "")
    assert nothing.stderr == "No paper matches the selection.\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["parquet"], "fieldguide: parquet is a binary format. Choose a file: -o papers.parquet.\n"),
        (
            ["markdown"],
            "fieldguide: --cite is missing. Choose a section, such as --cite search-agents.\n",
        ),
        (["bibtex", "-o", "a.txt"], "fieldguide: a.txt: found ending '.txt'; expected .bib.\n"),
        (["bibtex", "--filed"], "fieldguide: --filed needs --category. Add --category ID.\n"),
    ],
)  # fmt: skip
def test_wrong_use_is_told_with_its_cure(bread: Path, words: list[str], message: str) -> None:
    result = run(bread, *words)
    assert (result.exit_code, result.stderr) == (2, message)


def test_a_section_cites_by_the_keys_of_the_references(bread: Path) -> None:
    result = run(bread, "markdown", "--cite", "sourdough", "-o", "related.md")
    assert (result.exit_code, result.stdout) == (
        0, "related.md: written. For its references: fieldguide export bibtex -o references.bib\n"
    )  # fmt: skip
    text = Path("related.md").read_text("utf-8")
    assert "# Sourdough & fermentation\n\n" in text
    assert run(bread, "markdown", "--cite", "sourdough", "-o", "related.md").exit_code == 0
    cited = set(re.findall(r"@([\w.:+/-]+\w)", text))
    keys = set(re.findall(r"^@\w+\{(.+),$", run(bread, "bibtex").stdout, re.MULTILINE))
    assert len(cited) > 3
    assert cited <= keys
    assert "](#" not in text
    assert "<a id" not in text
    unknown = run(bread, "markdown", "--cite", "crumbs")
    assert unknown.exit_code == 2
    assert (
        "--cite: 'crumbs' is not a section of the survey; expected one of abstract,"
        in unknown.stderr
    )


@pytest.mark.parametrize("words", [[], ["--section", "sourdough", "-o", "related.tex"]])
def test_the_former_latex_export_names_the_way_instead(bread: Path, words: list[str]) -> None:
    result = run(bread, "latex", *words)
    assert (result.exit_code, result.stderr) == (
        2,
        "fieldguide: `export latex` was removed. Use `fieldguide export markdown --cite ID` and "
        "`pandoc --natbib` (docs/export.md).\n",
    )
