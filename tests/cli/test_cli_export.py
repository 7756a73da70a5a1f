"""`fieldguide export`: what the survey knows, in the formats of other tools; nothing of a person's
is overwritten."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot
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


@pytest.mark.parametrize("name", sorted(set(FORMATS) - {"parquet"}))
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
        f"fieldguide: {file}: exists and was not written by Fieldguide; name another file with "
        "-o.\n"
    )
    assert "My own" in file.read_text(encoding="utf-8")


def test_nothing_is_written_among_what_people_write(bread: Path) -> None:
    result = run(bread, "bibtex", "-o", bread / "papers" / "references.bib")
    assert result.exit_code == 2
    assert "lies in papers/, which is written by hand" in result.stderr
    result = run(bread, "latex", "-o", bread / "templates" / "article")
    assert result.exit_code == 2
    assert "lies in templates/, which is written by hand" in result.stderr


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
    assert nothing.stderr == "No paper is selected.\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["parquet"], "fieldguide: parquet is no text: name a file with -o papers.parquet.\n"),
        (["latex"], "fieldguide: An article is several files: name a folder with -o article.\n"),
        (
            ["latex", "-o", "article.tex"],
            "fieldguide: An article is several files: name a folder with -o article.\n",
        ),
        (["bibtex", "-o", "a.txt"], "fieldguide: a.txt: found ending '.txt'; expected .bib.\n"),
        (["bibtex", "--filed"], "fieldguide: --filed says how --category is meant; name a "
         "category, too.\n"),
    ],
)  # fmt: skip
def test_wrong_use_is_told_with_its_cure(bread: Path, words: list[str], message: str) -> None:
    result = run(bread, *words)
    assert (result.exit_code, result.stderr) == (2, message)


def test_an_article_is_a_folder(bread: Path) -> None:
    assert run(bread, "latex", "-o", "article").exit_code == 0
    assert {"article.tex", "references.bib"} <= {path.name for path in Path("article").iterdir()}
    Path("mine").mkdir()
    Path("mine/notes.txt").write_text("mine", encoding="utf-8")
    assert run(bread, "latex", "-o", "mine").exit_code == 1
    assert [path.name for path in Path("mine").iterdir()] == ["notes.txt"]


def test_a_folder_does_not_replace_a_survey_or_another_export(bread: Path) -> None:
    out = shutil.copytree(bread / "out", Path("out"))
    with (out / "labels.csv").open("a", encoding="utf-8") as sheet:
        sheet.write("typed by hand\n")
    result = run(bread, "latex", "-o", "out")
    assert (result.exit_code, result.stderr) == snapshot(
        (
            1,
            "fieldguide: out: holds files, but no article.tex of an earlier export; nothing was "
            "touched. Name an empty folder with -o.\n",
        )
    )
    assert (out / "labels.csv").read_text("utf-8").endswith("typed by hand\n")
    Path("file").touch()
    assert "file: is a file, and nothing was touched" in run(bread, "latex", "-o", "file").stderr
    Path("empty").mkdir()
    Path("empty/.gitkeep").touch()
    for _ in range(2):
        assert run(bread, "latex", "-o", "empty").exit_code == 0


def test_a_part_goes_with_its_references(bread: Path) -> None:
    result = run(bread, "latex", "--section", "sourdough", "-o", "related.tex")
    assert result.exit_code == 0
    tex, bib = Path("related.tex").read_text("utf-8"), Path("related.bib").read_text("utf-8")
    assert r"\citep{" in tex
    assert bib.count("@misc{") > 1
    assert run(bread, "latex", "--section", "sourdough", "-o", "related.tex").exit_code == 0
    told = run(bread, "latex", "--section", "sourdough")
    assert told.stdout.startswith("% Written by `fieldguide export latex`: section sourdough, ")
