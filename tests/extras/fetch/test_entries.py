"""New entries of a list: looked up, proposed, taken."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from replay_server import Answer, Asked, Replay
from shapes import arxiv_feed, openalex_page

from classifier.commands.apply import place_by_headings
from classifier.commands.label import label_model
from classifier.extras.fetch.entries import Proposal, headings_of, propose, take
from classifier.extras.fetch.pages import Pages
from classifier.project import Project
from classifier.survey.inputs import read_inputs

MakePages = Callable[..., Pages]
RYE = "Keeping a Rye Starter Alive on Four Feedings a Month"
_TAXONOMY = """
survey: {title: Bread}
facets:
  topic:
    kind: multi
    categories:
      - {id: rye, name: Rye, definition: Rye bread., cues: {anywhere: [rye, feedings]}}
      - {id: bees, name: Bees, definition: Bees., cues: {anywhere: [bees, hive]}}
"""
_LIST = f"""# Bread

## Starters

- [An old loaf and how it was kept](https://arxiv.org/abs/2201.00001)
- [Another old loaf of spelt and wheat](https://arxiv.org/abs/2201.00002)
- [The third loaf that nobody bakes](https://arxiv.org/abs/2201.00003)
- [{RYE}](https://arxiv.org/abs/2304.00111)
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "bread"
    (root / "taxonomy").mkdir(parents=True)
    (root / "papers").mkdir()
    (root / "taxonomy" / "taxonomy.yaml").write_text(_TAXONOMY, encoding="utf-8")
    texts = {"Bees in a hive": "Bees live in a hive.", "Rye bread": "We bake rye."}
    lines = (json.dumps({"title": t, "abstract": a}) + "\n" for t, a in texts.items())
    (root / "papers" / "papers.jsonl").write_text("".join(lines), encoding="utf-8")
    (root / "README.md").write_text(_LIST, encoding="utf-8")
    (root / "before.md").write_text("\n".join(_LIST.splitlines()[:-1]) + "\n", encoding="utf-8")
    return Project(root)


def proposed(
    project: Project, pages: Pages, lists: list[Path], before: list[Path]
) -> tuple[list[Proposal], dict[str, str]]:
    inputs = read_inputs(project)
    return propose(project, inputs, lambda p: label_model(inputs).label(p), lists, before, pages)


def answering(asked: Asked) -> Answer:
    if asked.path == "/api/query":
        loaf = {"id": "2304.00111", "title": RYE, "summary": "We feed rye.", "date": "2023-04-01"}
        return arxiv_feed([loaf], 1)
    return openalex_page([], 0, None)


def test_a_new_entry_is_looked_up_and_proposed_with_its_reasons(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    server.answering = answering
    lists, before = [project.root / "README.md"], [project.root / "before.md"]
    (found,), failures = proposed(project, make_pages(), lists, before)
    assert not failures
    assert found.line.startswith(f"- {RYE}: proposed **Rye** (")
    assert "or **Bees** (" in found.line
    assert "because of ‘rye’ in the text" in found.line
    assert found.line.endswith("(its abstract is from arxiv). It stands under “Starters”.")
    assert proposed(project, make_pages(), before, before) == ([], {})


def test_what_was_found_is_taken_with_its_heading(
    server: Replay, project: Project, make_pages: MakePages
) -> None:
    server.answering = answering
    lists, before = [project.root / "README.md"], [project.root / "before.md"]
    proposals, _ = proposed(project, make_pages(), lists, before)
    (row,) = map(json.loads, take(project, proposals).read_text("utf-8").splitlines())
    assert (row["abstract"], row["collections"]) == ("We feed rye.", ["Starters"])


@pytest.mark.parametrize(("heading", "named"), [("Rye", True), ("Starters", False)])
def test_what_is_taken_is_filed_under_its_heading_as_imported(
    server: Replay, project: Project, make_pages: MakePages, heading: str, named: bool
) -> None:
    server.answering = answering
    readme, before = project.root / "README.md", project.root / "before.md"
    readme.write_text(_LIST.replace("## Starters", f"## {heading}"), encoding="utf-8")
    proposals, _ = proposed(project, make_pages(), [readme], [before])
    take(project, proposals)
    placed, unknown = place_by_headings(project, headings_of(proposals), date(2026, 1, 2))
    assert [category.id for category in placed.values()] == (["rye"] if named else [])
    assert unknown == (set() if named else {"Starters"})
    if not named:
        return
    (decision,) = (facets["topic"] for facets in read_inputs(project).decisions.values())
    assert (decision.primary, decision.drawn_by) == ("rye", "imported")
    assert place_by_headings(project, headings_of(proposals)) == ({}, set())
