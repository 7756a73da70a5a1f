"""A retracted paper: read from a title or a field, kept through merging, marked wherever it is."""

from __future__ import annotations

import csv
import json
import re
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


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return the out/ of a survey with a retracted paper, and what two builds print."""
    project = tmp_path_factory.mktemp("retracted") / "project"
    shutil.copytree(GOLDEN, project)
    row = {**RYE, "retracted": "Crossref, 10.1000/notice"}
    (project / "papers" / "moon.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    printed = ""
    for _ in range(2):  # The second build writes nothing and reports the same.
        result = CliRunner().invoke(app, ["build", "--project", str(project)])
        assert result.exit_code == 0, result.output
        printed += result.stdout
    return project / "out", printed


def test_a_build_says_so(built: tuple[Path, str]) -> None:
    line = (
        "1 paper was retracted: marked everywhere, results and evidence not counted: "
        "Rye bread rises on the moon.\n"
    )
    assert built[1].count(line) == 2


def test_its_results_do_not_count(built: tuple[Path, str]) -> None:
    out, _ = built
    papers = json.loads((out / "papers.json").read_text("utf-8"))
    (paper,) = [each for each in papers if each["retracted"]]
    assert (paper["retracted"], paper["results"]) == ("Crossref, 10.1000/notice", [])
    page = (out / paper["page"]).read_text("utf-8")
    source = "This paper was retracted</strong> (source: Crossref, 10.1000/notice)."
    assert f"{source} Its results do not count in this survey." in page
    assert "<s>Accuracy reaches 93.5% on MoonBench.</s>" in page
    for path in [*out.glob("**/*.html"), out / "survey.md"]:
        if path != out / paper["page"]:
            assert "93.5" not in path.read_text("utf-8"), path


def test_no_list_table_or_export_prints_its_title_unmarked(built: tuple[Path, str]) -> None:
    out, _ = built
    title = "Rye bread rises on the moon"
    tables = [out / "labels.csv", out / "papers.json", out / "evidence.js", *out.glob("c/*.csv")]
    marked = set()
    for path in out.glob("**/*"):
        if path.suffix in {".html", ".md", ".bib", ".ris", ".json", ".js", ".csv", ".atom"}:
            text = " ".join(path.read_text("utf-8").split())
            if title in text and path not in tables:  # Tables have a column for it.
                marked.add(path.relative_to(out).as_posix())
                # The line to copy for reviews.csv holds the title as the ledger does.
                unmarked = re.sub('<pre class="cite">[^<]*</pre>', "", text)
                unmarked = unmarked.replace(f"RETRACTED: {title}", "")
                assert title not in unmarked, path
    assert {
        "search-index.js", "references.bib", "references.json", "references.ris", "survey.md",
        "survey.html", "p/doi-10.1000-moon.html",
    } <= marked  # fmt: skip


def test_tables_for_programs_have_a_column_for_it(built: tuple[Path, str]) -> None:
    out, _ = built
    tables = [out / "labels.csv", *out.glob("c/*-filed.csv")]
    texts = [path.read_text("utf-8-sig").splitlines() for path in tables]
    rows = [row for lines in texts for row in csv.DictReader(lines)]
    found = [row["retracted"] for row in rows if row["title"] == RYE["title"]]
    assert found == ["Crossref, 10.1000/notice"] * 2
    assert {row["retracted"] for row in rows if row["title"] != RYE["title"]} == {""}
    for name in ("references.bib", "references.ris", "references.json"):
        assert "Retracted (source: Crossref, 10.1000/notice)." in (out / name).read_text("utf-8")


@pytest.mark.parametrize("form", ["bibtex", "ris", "csl-json", "readme", "csv", "jsonl"])
def test_exports_mark_it(built: tuple[Path, str], form: str) -> None:
    project = built[0].parent
    result = CliRunner().invoke(app, ["export", form, "--project", str(project)])
    assert result.exit_code == 0, result.output
    is_marked = "RETRACTED: Rye bread" in result.stdout
    assert is_marked or "Crossref, 10.1000/notice" in result.stdout
