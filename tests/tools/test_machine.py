"""A sample of `python -m tools.workflows`, which plays all good and bad days."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.commands.new.recipe import workflow_text
from tools.workflows import project
from tools.workflows.machine import Forge, GitHub

EXPRESSIONS = """
github.event_name == 'push'                                          | True
github.event_name != 'push' || github.event_name == 'schedule'       | False
${{ !cancelled() && steps.build.outcome == 'success' }}              | False
${{ !cancelled() && (github.ref_name == 'main') }}                   | True
"""


@pytest.mark.parametrize("case", EXPRESSIONS.strip().splitlines())
def test_conditions_are_read_as_the_forge_reads_them(case: str) -> None:
    condition, expected = case.split(" | ")
    machine = GitHub.__new__(GitHub)
    machine.status = "failure" if "cancelled" in condition else "success"
    machine.context = {"github.event_name": "push", "github.ref_name": "main"}
    assert machine.holds(condition.strip()) is (expected.strip() == "True")


@pytest.mark.skipif(sys.platform == "win32", reason="the stubs of a machine are shell scripts")
def test_a_taxonomy_fault_stops_a_push_names_the_line_and_keeps_the_site(tmp_path: Path) -> None:
    repository = project.make_repository(tmp_path / "repository")
    forge = Forge(tmp_path / "forge", repository)
    forge.site.mkdir()
    (forge.site / "index.html").write_text("The old site.", encoding="utf-8")
    project.break_taxonomy(repository)
    project.commit(repository, "A slip")
    outcome = GitHub(forge, workflow_text("github")).run("push")
    assert outcome.jobs == {"build": "failure", "comment": "skipped", "publish": "skipped"}
    assert outcome.stopped_at == "Check"
    assert (
        "::error file=taxonomy/taxonomy.yaml,line=11::taxonomy/taxonomy.yaml:11: error: found"
        in (outcome.log)
    )
    assert outcome.summary == (
        snapshot(
            "<!-- fieldguide: survey -->\n**The survey was not built:** the log of the run says why.\n"
        )
    )
    assert [path.name for path in forge.site.iterdir()] == ["index.html"]
