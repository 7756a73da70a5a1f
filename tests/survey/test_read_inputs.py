"""The files of a project are read and checked together."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import InputError
from classifier.project import Project, open_project
from classifier.survey.inputs import read_inputs

GOLDEN = Path(__file__).parents[1] / "golden" / "project"
PAPER = "arxiv:2304.00111,Keeping a Rye Starter Alive on Four Feedings a Month"


@pytest.fixture
def bread(tmp_path: Path) -> Project:
    """A copy of the golden project that a test may spoil."""
    shutil.copytree(GOLDEN, tmp_path / "bread")
    return open_project(tmp_path / "bread")


def append(project: Project, *rows: str) -> None:
    """Append rows to the ledger."""
    with project.ledger_file.open("a", encoding="utf-8") as ledger:
        ledger.writelines(f"{row}\n" for row in rows)


def test_all_invalid_decisions_are_reported_at_once(bread: Project) -> None:
    append(
        bread,
        f"{PAPER},contribution,survey,,ada,2025-06-01,audit,,",
        "banana,,topic,flour,yes,ada,2025-06-01,audit,,",
    )
    with pytest.raises(InputError) as error:
        read_inputs(bread)
    assert str(error.value).splitlines() == snapshot(
        [
            "taxonomy/reviews.csv:2: error: found 2 values of facet contribution (lines 2, 14); expected one per paper, facet, date and reviewer. Delete all but one of the rows.",
            "taxonomy/reviews.csv:15: warning: found id 'banana'; expected the id of a paper. The row is kept and not used; if it has another id now, add that to taxonomy/identity.csv; else restore the paper, or delete the row if you removed the paper.",
        ]
    )


def test_a_decision_on_a_missing_paper_is_not_counted(bread: Project) -> None:
    before = read_inputs(bread).decisions
    append(bread, "p-0000000000,Gone,topic,flour,yes,ada,2025-06-01,audit,,")
    inputs = read_inputs(bread)
    assert inputs.decisions == before
    assert [str(fault) for fault in inputs.warnings] == snapshot(
        [
            "taxonomy/reviews.csv:14: warning: found id 'p-0000000000' of 'Gone'; expected the id of a paper. The row is kept and not used; if it has another id now, add that to taxonomy/identity.csv; else restore the paper, or delete the row if you removed the paper."
        ]
    )


@pytest.mark.parametrize(
    "name", ["reviews.csv", "identity.csv", "versions.csv", "labels.lock.csv", "prior.npz"]
)
def test_a_broken_link_is_a_missing_file(bread: Project, name: str) -> None:
    path = bread.root / "taxonomy" / name
    path.unlink(missing_ok=True)
    path.symlink_to(bread.root / "unmounted" / name)
    with pytest.raises(InputError, match=r"error: found .*[Nn]o such file"):
        read_inputs(bread)


def test_versions_of_the_taxonomy_are_read_and_checked(bread: Project) -> None:
    before = read_inputs(bread)
    assert before.versions.has_version(before.taxonomy.digest)
    header = "taxonomy_digest,facet,categories\n"
    row = f"{before.taxonomy.digest},topic,flour; keeping; ovens; sourdough; sourdough/cultures\n"
    bread.versions_file.write_text(f"{header}0123456789ab,topic,flour\n{row}", encoding="utf-8")
    inputs = read_inputs(bread)
    assert inputs.decisions == before.decisions
    assert inputs.version != before.version
    assert inputs.versions.categories("0123456789ab", "topic") == {"flour"}
    bread.versions_file.write_text(f"{header}0123456789ab,,flour\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"^taxonomy/versions.csv:2: error: found an empty facet;"):
        read_inputs(bread)


def test_a_decision_does_not_cover_categories_added_later(bread: Project) -> None:
    digest = "567e83de9e5e"
    text = bread.taxonomy_file.read_text(encoding="utf-8")
    changed = text.replace("name: Ovens & heat", "name: Heat")
    bread.taxonomy_file.write_text(changed, encoding="utf-8")
    bread.versions_file.unlink()
    assert [str(fault) for fault in read_inputs(bread).warnings] == [
        f"taxonomy/reviews.csv:2: warning: found taxonomy_digest '{digest}' on 8 decisions; expected a digest in taxonomy/versions.csv. Categories added since then count as rejected. Restore the digest's rows in taxonomy/versions.csv, or empty the cells."
    ]
    bread.versions_file.write_text(
        "taxonomy_digest,facet,categories\n"
        f"{digest},topic,flour; keeping; sourdough; sourdough/cultures; other\n",
        encoding="utf-8",
    )
    inputs = read_inputs(bread)
    assert inputs.warnings == ()
    unknown = {facets["topic"].unknown for facets in inputs.decisions.values()}
    assert unknown == {(), ("ovens",)}


def test_a_pattern_without_files_is_an_error_with_its_line(bread: Project) -> None:
    text = bread.taxonomy_file.read_text(encoding="utf-8")
    text = text.replace("survey:\n", "survey:\n  sources:\n    - papers/*\n    - none/*\n", 1)
    bread.taxonomy_file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_inputs(bread)
    assert str(error.value) == snapshot(
        "taxonomy/taxonomy.yaml:6: error: found survey.sources 'none/*'; expected at least one file. Put the papers there, or change survey.sources."
    )
