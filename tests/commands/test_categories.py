"""Categories are renamed, merged and split, with all references to them."""

from __future__ import annotations

import csv
import io
import shutil
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.commands.categories import merge_categories, rename_category, split_category
from classifier.errors import FieldguideError, InputError, PendingEditsError, UsageError
from classifier.pipeline import build, label
from classifier.project import Project
from classifier.survey.changes.compare import compare
from classifier.survey.changes.published import read_publication
from classifier.taxonomy.load import load_taxonomy

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"


@pytest.fixture
def bread(tmp_path: Path) -> Project:
    return Project(shutil.copytree(BREAD, tmp_path / "bread"))


def edited(project: Project, old: str, new: str) -> None:
    text = project.taxonomy_file.read_text(encoding="utf-8")
    assert old in text
    project.taxonomy_file.write_text(text.replace(old, new), encoding="utf-8")


def primaries(project: Project) -> dict[str, tuple[str, str, float]]:
    """Return paper id -> its primary topic, status and confidence."""
    labels = label(project).to_frame()
    columns = zip(labels.id, labels.primary, labels.status, labels.confidence, strict=True)
    return {paper: (primary, status, sure) for paper, primary, status, sure in columns}


@pytest.mark.parametrize(
    ("facet", "old", "new"),
    [("topic", "sourdough", "leavening"), ("contribution", "survey", "overview")],
)
def test_a_rename_moves_no_label(built_bread: Path, tmp_path: Path, facet: str, old: str,
                                 new: str) -> None:  # fmt: skip
    project = Project(shutil.copytree(built_bread, tmp_path / "bread"))
    before = primaries(project)
    shutil.copytree(project.out, tmp_path / "before")
    rename_category(project, old, new)
    build(project, project.out)
    after = primaries(project)
    assert after == {
        paper: (new if primary == old else primary, *rest)
        for paper, (primary, *rest) in before.items()
    }
    published = read_publication(tmp_path / "before"), read_publication(project.out)
    assert not compare(*published)
    names = [{c.id: c.name for c in load_taxonomy(p / "taxonomy.yaml").taxonomy.facets[facet].walk()}
             for p in (built_bread / "taxonomy", project.root / "taxonomy")]  # fmt: skip
    assert list(names[0].values()) == list(names[1].values())
    assert new in names[1]


def test_a_rename_changes_ids_and_no_other_character(bread: Project) -> None:
    before = bread.taxonomy_file.read_text(encoding="utf-8")
    done = rename_category(bread, "sourdough", "leavening")
    after = bread.taxonomy_file.read_text(encoding="utf-8")
    expected = before.replace(
        "      - id: sourdough\n", "      - id: leavening\n        aliases: [sourdough]\n"
    ).replace(
        "          - id: sourdough/cultures\n",
        "          - id: leavening/cultures\n            aliases: [sourdough/cultures]\n",
    ).replace("applies_to: [sourdough]", "applies_to: [leavening]")  # fmt: skip
    assert after == expected
    assert done.lines == snapshot(
        (
            "taxonomy/taxonomy.yaml:19: - id: leavening",
            "taxonomy/taxonomy.yaml:20: aliases: [sourdough]",
            "taxonomy/taxonomy.yaml:32: - id: leavening/cultures",
            "taxonomy/taxonomy.yaml:33: aliases: [sourdough/cultures]",
            "taxonomy/taxonomy.yaml:98: applies_to: [leavening]",
        )
    )
    assert {entry.value for entry in done.decisions} <= {"sourdough", "sourdough/cultures"}
    assert done.decisions


def test_a_default_role_of_a_renamed_category_is_written(bread: Project) -> None:
    rename_category(bread, "study", "experiment")
    rename_category(bread, "survey", "overview")
    roles = load_taxonomy(bread.taxonomy_file).taxonomy.roles
    assert (roles.study, roles.survey) == ("experiment", "overview")


def test_the_topics_of_claims_are_renamed(bread: Project) -> None:
    claims = (
        "# Ours.\n- claim: Steam matters.\n  topic: ovens  # filed there\n  by: ada\n  open: true\n"
    )
    bread.claims_file.write_text(claims, encoding="utf-8")
    rename_category(bread, "ovens", "heat")
    assert bread.claims_file.read_text(encoding="utf-8") == claims.replace("ovens", "heat")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{id: pans, definition: d}", "{id: tins, name: Pans, aliases: [pans], definition: d}"),
        ("{id: 'pans', aliases: [tray]}", "{id: tins, name: Pans, aliases: [pans, tray]}"),
        ("{id: pans, name: Pans, aliases: []}", "{id: tins, name: Pans, aliases: [pans]}"),
        (
            "id: pans  # flat\n        aliases:\n        - tray",
            "id: tins  # flat\n        name: Pans\n        aliases:\n        - pans\n        - tray",
        ),
    ],
)  # fmt: skip
def test_lists_and_mappings_keep_their_style(bread: Project, before: str, after: str) -> None:
    edited(bread, "      - id: keeping\n", f"      - {before}\n      - id: keeping\n")
    rename_category(bread, "pans", "tins")
    text = bread.taxonomy_file.read_text(encoding="utf-8")
    loaded = load_taxonomy(bread.taxonomy_file).taxonomy.first.get("tins")
    assert loaded is not None
    assert loaded.name == "Pans"
    assert "pans" in loaded.aliases
    assert f"      - {after}\n" in text


def test_the_line_ends_and_the_byte_order_mark_of_the_file_stay(bread: Project) -> None:
    text = bread.taxonomy_file.read_text(encoding="utf-8").replace("\n", "\r\n")
    bread.taxonomy_file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    rename_category(bread, "ovens", "heat")
    data = bread.taxonomy_file.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf# A small")
    assert data.count(b"\n") == data.count(b"\r\n")
    assert b"- id: heat\r\n        aliases: [ovens]\r\n" in data


def test_a_merge_files_the_papers_of_both_under_one_category(bread: Project) -> None:
    before = primaries(bread)
    done = merge_categories(bread, "ovens", "flour")
    after = primaries(bread)
    both = [paper for paper, (primary, *_) in before.items() if primary in ("ovens", "flour")]
    assert {after[paper][0] for paper in both} == {"ovens"}
    reviewed = [paper for paper, (_, status, _) in before.items() if status == "reviewed"]
    assert all(after[paper][1] == "reviewed" for paper in reviewed)
    flour = load_taxonomy(bread.taxonomy_file).taxonomy.first.get("flour")
    assert flour is not None
    assert flour.replaced_by == "ovens"
    assert done.merged == flour.model_copy(update={"replaced_by": None})
    assert done.lines == snapshot(("taxonomy/taxonomy.yaml:44: replaced_by: ovens",))


def test_the_cues_of_a_merged_category_count_for_the_new_one(bread: Project) -> None:
    bread.ledger_file.unlink()
    merge_categories(bread, "ovens", "flour")
    labels = label(bread)
    flour = [(paper.title, each) for paper, each in zip(labels.inputs.corpus.papers,
             labels.labels, strict=True) if "Flour" in paper.title]  # fmt: skip
    assert flour
    assert all(each.facets["topic"].primary == "ovens" for _, each in flour)


def test_a_merge_may_give_the_result_a_new_id(bread: Project) -> None:
    merge_categories(bread, "ovens", "flour", "baking")
    first = load_taxonomy(bread.taxonomy_file).taxonomy.first
    assert first.ids == ("sourdough", "baking", "keeping", "other")
    assert {first.resolve(each).id for each in ("ovens", "flour")} == {"baking"}  # type: ignore[union-attr]


def test_a_split_adds_categories_and_lists_the_decisions_to_review(bread: Project) -> None:
    before = bread.taxonomy_file.read_text(encoding="utf-8")
    done = split_category(bread, "ovens", ["deck-ovens", "steam"])
    after = bread.taxonomy_file.read_text(encoding="utf-8")
    added = snapshot("""\
taxonomy/taxonomy.yaml:60: - id: deck-ovens
taxonomy/taxonomy.yaml:61: name: Deck ovens
taxonomy/taxonomy.yaml:62: definition: ''
taxonomy/taxonomy.yaml:63: cues: {anywhere: [deck ovens]}
taxonomy/taxonomy.yaml:64: - id: steam
taxonomy/taxonomy.yaml:65: name: Steam
taxonomy/taxonomy.yaml:66: definition: ''
taxonomy/taxonomy.yaml:67: cues: {anywhere: [steam]}\
""")
    assert "\n".join(done.lines) == added
    new_lines = [line.split(": ", 1)[1] for line in done.lines]
    assert [each for each in after.splitlines() if each.strip() not in new_lines] == (
        before.splitlines()
    )
    first = load_taxonomy(bread.taxonomy_file).taxonomy.first
    assert first.ids == ("sourdough", "flour", "ovens", "deck-ovens", "steam", "keeping", "other")
    assert {entry.value for entry in done.decisions} == {"ovens"}
    assert primaries(bread)  # decisions on the old category stand


def test_a_dry_run_writes_nothing(bread: Project) -> None:
    before = {path: path.read_bytes() for path in bread.root.rglob("*") if path.is_file()}
    done = rename_category(bread, "ovens", "heat", dry_run=True)
    merge_categories(bread, "ovens", "flour", dry_run=True)
    split_category(bread, "ovens", ["steam"], dry_run=True)
    assert done.lines[0].endswith("- id: heat")
    assert {path: path.read_bytes() for path in bread.root.rglob("*") if path.is_file()} == before


def test_an_invalid_change_is_refused_with_a_hint(bread: Project) -> None:
    attempts = [
        lambda: rename_category(bread, "oven", "heat"),
        lambda: rename_category(bread, "ovens", "Heat & steam"),
        lambda: rename_category(bread, "ovens", "flour"),
        lambda: rename_category(bread, "ovens", "ovens"),
        lambda: rename_category(bread, "ovens", "sourdough/ovens"),
        lambda: rename_category(bread, "sourdough/cultures", "cultures"),
        lambda: rename_category(bread, "ovens", "heat", "topics"),
        lambda: merge_categories(bread, "ovens", "ovens"),
        lambda: merge_categories(bread, "ovens", "other"),
        lambda: merge_categories(bread, "ovens", "study"),
        lambda: merge_categories(bread, "sourdough/cultures", "sourdough"),
    ]
    messages = []
    for attempt in attempts:
        with pytest.raises(UsageError) as refused:
            attempt()
        messages.append(str(refused.value))
    assert "\n".join(messages) == snapshot("""\
oven: no facet has this category. Did you mean 'ovens'?
'Heat & steam' is not a valid id; expected lower-case words joined by hyphens, such as 'gui-agents'.
flour: is already an id, name or alias of flour. Choose another id.
ovens: is already an id, name or alias of ovens. Choose another id.
sourdough/ovens: expected an id at the top level.
cultures: expected an id below sourdough.
ovens in topics: no facet has this category.
ovens: is the same category as ovens. Choose two categories.
other, ovens: the category for papers out of scope cannot be merged.
ovens and study: no facet has both.
sourdough, sourdough/cultures: sourdough/cultures is a part of sourdough; merge the other way.\
""")


def test_an_id_in_two_facets_needs_the_facet(bread: Project) -> None:
    edited(bread, "      - id: clock\n", "      - id: ovens\n      - id: clock\n")
    with pytest.raises(UsageError, match="Add --facet topic or --facet fed_by"):
        rename_category(bread, "ovens", "heat")
    rename_category(bread, "ovens", "heat", "fed_by")
    assert "heat" not in load_taxonomy(bread.taxonomy_file).taxonomy.first.ids


def test_a_project_with_faults_is_refused_with_all_faults(bread: Project) -> None:
    edited(bread, "applies_to: [sourdough]", "applies_to: [sourdo]")
    edited(bread, "kind: single", "kind: some")
    with pytest.raises(InputError) as refused:
        rename_category(bread, "ovens", "heat")
    assert len(refused.value.faults) == 2


def test_unapplied_answers_in_the_sheet_stop_a_rename(built_bread: Path, tmp_path: Path) -> None:
    project = Project(shutil.copytree(built_bread, tmp_path / "bread"))
    sheet = project.out / "labels.csv"
    rows = list(csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8"))))
    rows[0]["verdict"] = "ok"
    with sheet.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    before = project.taxonomy_file.read_bytes()
    with pytest.raises(PendingEditsError, match="review apply"):
        rename_category(project, "ovens", "heat")
    assert project.taxonomy_file.read_bytes() == before
    assert issubclass(PendingEditsError, FieldguideError)
