"""A hidden facet is labelled and exported but not printed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from classifier.errors import InputError
from classifier.pipeline import BuildResult, compute
from classifier.project import Project
from classifier.site.exports.labelled import labelled_csv, select_papers
from classifier.taxonomy.load import load_taxonomy

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"


def hide(folder: Path, facet: str) -> Project:
    shutil.copytree(BREAD, folder)
    path = folder / "taxonomy" / "taxonomy.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace(f"  {facet}:\n", f"  {facet}:\n    hidden: true\n", 1), "utf-8")
    return Project(folder)


@pytest.mark.parametrize("facet", ["contribution", "fed_by"])
def test_a_hidden_facet_is_only_in_the_sheet_and_exports(
    facet: str, tmp_path: Path, bread: BuildResult
) -> None:
    built = compute(hide(tmp_path / "bread", facet))
    assert built.files["labels.csv"] == bread.files["labels.csv"]
    assert facet in labelled_csv(select_papers(built.survey)).decode().partition("\n")[0].split(",")
    assert facet in built.survey.table.columns
    name = bread.survey.taxonomy.facet(facet).name
    shown = re.compile(rf"\b{facet}=|\"{facet}\"|>{name}\b", re.IGNORECASE)
    for path, content in built.files.items():
        if path != "labels.csv" and not path.startswith(("c/", "assets/")):
            assert not shown.search(content.decode("utf-8", "replace")), path
    papers = json.loads(built.files["papers.json"])
    assert all(facet not in paper["labels"] for paper in papers)


def test_the_first_facet_cannot_be_hidden(tmp_path: Path) -> None:
    project = hide(tmp_path / "bread", "topic")
    with pytest.raises(InputError) as error:
        load_taxonomy(project.taxonomy_file)
    assert "taxonomy.yaml:15: error: found 'hidden: true' in the first facet; expected" in str(
        error.value
    )
