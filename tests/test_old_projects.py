"""Three projects that version 0.1.0 made (locked; imported; two reviewers who differ) still hold.

`old_projects/said.json` is what 0.1.0 said of them: decisions in force with the categories that
they do not know, aliases, conflicts, and what the lock holds.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from classifier.cli.commands import app
from classifier.project import Project
from classifier.review.second_look import find_conflicts
from classifier.survey.changes.compare import REASONS
from classifier.survey.inputs import read_inputs

OLD = Path(__file__).parent / "old_projects"
SAID = json.loads((OLD / "said.json").read_text(encoding="utf-8"))


@pytest.fixture
def project(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    folder = tmp_path / str(request.param)
    shutil.copytree(OLD / str(request.param), folder)
    return folder


def said_of(folder: Path) -> dict[str, Any]:
    """What is read from a project today, in the form of said.json."""
    inputs = read_inputs(Project(folder))
    corpus, decided = inputs.corpus, inputs.decisions
    conflicts = find_conflicts(
        inputs.taxonomy, inputs.ledger, corpus.aliases, corpus.papers, inputs.versions
    )
    return {
        "decisions": {
            paper_id: {
                facet: [list(each.values), each.primary, list(each.unknown)]
                for facet, each in told.items()
            }
            for paper_id, told in decided.items()
        },
        "aliases": dict(corpus.aliases),
        "conflicts": [[each.paper.id, sorted(each.answers)] for each in conflicts],
        "held": {paper_id: list(told["topic"]) for paper_id, told in inputs.locked.items()},
    }


@pytest.mark.parametrize("project", sorted(SAID), indirect=True)
def test_what_people_wrote_means_what_it_meant(project: Path) -> None:
    assert said_of(project) == SAID[project.name]


@pytest.mark.parametrize("project", ["imported", "reviewers"], indirect=True)
def test_an_old_project_builds(project: Path) -> None:
    result = CliRunner().invoke(app, ["build", "--project", str(project)])
    assert result.exit_code == 0, result.stderr
    assert (project / "out" / "index.html").is_file()


@pytest.mark.parametrize("project", ["locked"], indirect=True)
def test_a_lock_holds_what_the_version_would_move_and_says_so_once(project: Path) -> None:
    lock = project / "taxonomy" / "labels.lock.csv"
    published = lock.read_text(encoding="utf-8")
    flour = "Does Resting Flour After Milling Pay?,flour,flour"
    assert flour in published
    lock.write_text(published.replace(flour, flour.replace(",flour", ",ovens")), encoding="utf-8")
    result = CliRunner().invoke(app, ["build", "--project", str(project)])
    assert result.exit_code == 0, result.stderr
    papers = json.loads((project / "out" / "papers.json").read_text(encoding="utf-8"))
    held = {**SAID["locked"]["held"], "p-ee363f6ee9": ["ovens"]}
    decided = SAID["locked"]["decisions"]
    shown = {paper["id"]: paper["labels"]["topic"]["categories"] for paper in papers}
    free = [name for name in shown if "topic" not in decided.get(name, {})]
    assert {name: shown[name] for name in free} == {name: held[name] for name in free}
    told = CliRunner().invoke(app, ["lock", "--project", str(project)])
    assert REASONS["version"] in told.stdout
    assert "would change" in result.stderr


@pytest.mark.parametrize("project", ["imported"], indirect=True)
def test_what_was_imported_is_not_said_to_be_reviewed(project: Path) -> None:
    """Rows of an old ledger are read so as they are; nothing says that a person did it."""
    result = CliRunner().invoke(app, ["build", "--project", str(project)])
    facts = json.loads((project / "out" / "facts.json").read_text(encoding="utf-8"))
    papers = json.loads((project / "out" / "papers.json").read_text(encoding="utf-8"))
    statuses = [paper["labels"]["topic"]["status"] for paper in papers]
    assert statuses.count("imported") > 0
    assert f"{statuses.count('imported')} imported, " in result.stdout
    assert f"{statuses.count('reviewed')} label" in result.stdout
    assert "↳" in (project / "out" / "style.css").read_text(encoding="utf-8")
    assert '<span class="badge imported">' in (project / "out" / "browse.html").read_text() or any(
        'class="badge imported"' in page.read_text(encoding="utf-8")
        for page in (project / "out" / "c").glob("*.html")
    )
    values = {fact["id"]: fact["value"] for fact in facts} if isinstance(facts, list) else facts
    assert "papers.imported" in values
