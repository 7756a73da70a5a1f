"""A retracted paper: read from a title or a field, kept through merging, marked wherever it is."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from classifier.cli.commands import app
from classifier.papers.load import load_papers

GOLDEN = Path(__file__).parent / "golden" / "project"
RYE = {
    "title": "Rye bread rises on the moon", "doi": "10.1000/moon", "published": "2025",
    "abstract": "We bake rye bread in an oven. Accuracy reaches 93.5% on MoonBench.",
}  # fmt: skip


def retracted(folder: Path, *rows: dict[str, object]) -> list[str]:
    file = folder / "papers.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return [paper.retracted for paper in load_papers([file], folder).papers]


@pytest.mark.parametrize(
    ("title", "source"),
    [
        ("RETRACTED: Rye bread rises on the moon", "title"),
        ("Retracted Article: Rye bread", "title"),
        ("[Retracted] Rye bread", "title"),
        ("Rye bread (Retracted article. See vol. 3)", "title"),
        ("Retraction: Rye bread", ""),
        ("Why papers are retracted: a study", ""),
    ],
)
def test_a_title_marks_a_retracted_paper(title: str, source: str, tmp_path: Path) -> None:
    assert retracted(tmp_path, {"title": title}) == [source]


def test_a_record_that_knows_of_the_retraction_marks_the_merged_paper(tmp_path: Path) -> None:
    mark = {"title": RYE["title"], "doi": RYE["doi"], "retracted": "Crossref, 10.1000/notice"}
    assert retracted(tmp_path, RYE, mark) == ["Crossref, 10.1000/notice"]


def test_a_build_says_so_and_marks_page_list_and_references(tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(GOLDEN, project)
    row = {**RYE, "retracted": "Crossref, 10.1000/notice"}
    (project / "papers" / "moon.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    for _ in range(2):  # The second build writes nothing and reports the same.
        result = CliRunner().invoke(app, ["build", "--project", str(project)])
        assert result.exit_code == 0, result.output
        assert "1 paper was retracted and is marked: Rye bread rises on the moon." in result.stdout
    out = project / "out"
    papers = json.loads((out / "papers.json").read_text("utf-8"))
    (paper,) = [each for each in papers if each["retracted"]]
    assert paper["retracted"] == "Crossref, 10.1000/notice"
    assert paper["results"] == []  # Its numbers no longer count.
    page = (out / paper["page"]).read_text("utf-8")
    assert "This paper was retracted</strong> (source: Crossref, 10.1000/notice)." in page
    lists = [path.read_text("utf-8") for path in (out / "c").glob("*.html")]
    assert any('<strong class="retracted">retracted</strong>' in text for text in lists)
    for name in ("references.bib", "references.ris", "references.json"):
        assert "Retracted (source: Crossref, 10.1000/notice)." in (out / name).read_text("utf-8")
