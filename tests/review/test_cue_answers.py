"""Answers on cues in the file of a review page: `review apply` writes them into taxonomy.yaml."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from classifier.commands.apply import apply_sheets
from classifier.commands.withdraw import undo_last_apply
from classifier.errors import UsageError
from classifier.project import Project
from classifier.taxonomy.load import load_taxonomy

HEADER = "id,title,verdict,review_primary,reviewer\n"
TAXONOMY = """\
survey: {title: Bread}  # short
facets:
  topic:
    kind: single
    categories:
      - id: dough
        cues:  # what kneads
          title: [dough~]
      - {id: ovens, cues: {anywhere: [oven~], rejected: [kitchen]}}
      - id: taste   # no cue yet
      - id: other
        cues:
          anywhere:
            - trade  # of flour
"""
EDITED = """\
survey: {title: Bread}  # short
facets:
  topic:
    kind: single
    categories:
      - id: dough
        cues:  # what kneads
          anywhere: [wild yeast~, gluten]
          title: [dough~]
      - {id: ovens, cues: {anywhere: [baking stone, oven~], rejected: [salt, kitchen]}}
      - id: taste   # no cue yet
        cues: {anywhere: ['2d crumb']}
      - id: other
        cues:
          anywhere:
            - harvest
            - trade  # of flour
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    found = Project(tmp_path / "bread")
    for path, text in {
        found.taxonomy_file: TAXONOMY,
        found.root / "papers" / "p.jsonl": '{"title": "Rye at night", "abstract": "Slow."}\n',
    }.items():
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    return found


def saved(project: Project, rows: str) -> Path:
    path = project.root / "reviews-ada.csv"
    path.write_text(HEADER + rows, encoding="utf-8")
    return path


def test_accepted_and_rejected_phrases_are_written_to_the_taxonomy(project: Project) -> None:
    rows = (
        "cue,wild yeast~,yes,dough,ada\n"
        "cue,gluten,yes,Dough,ada\n"
        "cue,baking stone,yes,ovens,ada\n"
        "cue,salt,no,ovens,ada\n"
        "cue,crust,unsure,taste,ada\n"
        "cue,2d crumb,yes,taste,ada\n"
        "cue,harvest,yes,other,ada\n"
    )
    applied = apply_sheets(project, [path := saved(project, rows)])
    assert applied.is_whole
    assert project.taxonomy_file.read_text(encoding="utf-8") == EDITED
    assert [str(each) for each in applied.cues[3:5]] == [
        "row 5  ovens: 'salt' → is not proposed again",
        "row 6  taste: 'crust' → left open",
    ]
    again = apply_sheets(project, [path])
    assert not any(each.is_new for each in again.cues)
    assert project.taxonomy_file.read_text(encoding="utf-8") == EDITED


def test_a_rejected_phrase_does_not_move_a_label(project: Project) -> None:
    before = load_taxonomy(project.taxonomy_file).taxonomy
    apply_sheets(project, [saved(project, "cue,salt,no,ovens,ada\n")])
    after = load_taxonomy(project.taxonomy_file).taxonomy
    assert after.first.get("ovens").cues.views() == before.first.get("ovens").cues.views()  # type: ignore[union-attr]
    assert after.first.get("ovens").cues.rejected == ("salt", "kitchen")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("cue,salt,maybe,ovens,ada", "'maybe' for a cue"),
        ("cue,salt,yes,oven,ada", "'oven' for a cue"),
        ("cue,_,yes,ovens,ada", "the cue '_' with only open words"),
        ("cue,kitchen,yes,ovens,ada", "'yes', but 'kitchen' was rejected as a cue of ovens"),
        ("cue,oven~,no,ovens,ada", "'no', but 'oven~' is a cue of ovens"),
    ],
)
def test_an_invalid_row_is_refused_and_other_rows_are_applied(
    project: Project, row: str, found: str
) -> None:
    applied = apply_sheets(project, [saved(project, f"{row}\ncue,salt,yes,dough,ada\n")])
    (fault,) = applied.refused
    assert (fault.line, fault.actual) == (2, found)
    assert [each.is_new for each in applied.cues] == [True]


def test_undo_removes_the_cues_again(project: Project) -> None:
    apply_sheets(project, [saved(project, "cue,salt,yes,dough,ada\n")])
    assert undo_last_apply(project) == [project.ledger_file, project.taxonomy_file]
    assert project.taxonomy_file.read_text(encoding="utf-8") == TAXONOMY


def test_undo_refuses_to_delete_later_edits(project: Project) -> None:
    apply_sheets(project, [saved(project, "cue,salt,yes,dough,ada\n")])
    path = project.taxonomy_file
    path.write_text(edited := f"{path.read_text(encoding='utf-8')}# mine\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"taxonomy\.yaml: changed since the last"):
        undo_last_apply(project)
    assert path.read_text(encoding="utf-8") == edited


def test_a_dry_run_writes_nothing(project: Project) -> None:
    applied = apply_sheets(project, [saved(project, "cue,salt,yes,dough,ada\n")], dry_run=True)
    assert [each.is_new for each in applied.cues] == [True]
    assert project.taxonomy_file.read_text(encoding="utf-8") == TAXONOMY


def test_a_file_can_have_answers_on_papers_and_on_cues(built_bread: Path, tmp_path: Path) -> None:
    project = Project(shutil.copytree(built_bread, tmp_path / "bread"))
    first = load_taxonomy(project.taxonomy_file).taxonomy.first
    path = saved(project, f"cue,salt,yes,{first.ids[0]},ada\np-nothing,None,ok,,ada\n")
    applied = apply_sheets(project, [path])
    assert [each.is_new for each in applied.cues] == [True]
    assert [fault.line for fault in applied.refused] == [3]
