"""A lock keeps unreviewed labels until the user accepts their changes."""

from __future__ import annotations

import csv
import io
import json
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from classifier.commands.changes import plan_lock, record_date, write_lock
from classifier.errors import InputError, UsageError
from classifier.pipeline import BuildResult, build, compute
from classifier.project import Project
from classifier.review.lock import History, LockedPaper
from classifier.survey.inputs import read_inputs
from classifier.survey.last_build import BuildOptions

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"
STARTER = "What the Starter Remembers"


@pytest.fixture
def bread(locked_bread: Path, tmp_path: Path) -> Project:
    """A copy of the bread project, with a lock."""
    return Project(shutil.copytree(locked_bread, tmp_path / "bread"))


@pytest.fixture
def bakery(tmp_path: Path) -> Project:
    """Sixty papers on loaves or on ovens, half of them on both, nobody has read one yet."""
    project = Project(tmp_path / "bakery")
    for folder in ("taxonomy", "papers"):
        (project.root / folder).mkdir(parents=True)
    project.taxonomy_file.write_text(
        "survey: {title: Bakery}\n"
        "facets:\n"
        "  topic:\n"
        "    kind: multi\n"
        "    categories:\n"
        "      - {id: loaves, cues: {title: [loaf~], anywhere: [crumb]}}\n"
        "      - {id: ovens, cues: {title: [oven~], anywhere: [steam]}}\n"
    )
    lines = [
        {
            "title": f"{'Loaf' if n % 2 else 'Oven'} number {n}",
            "abstract": f"We bake. {'The crumb is soft.' if n % 2 else 'The steam is hot.'} "
            f"{'A crumb in steam.' if n % 4 < 2 else ''} Batch {n}.",
        }
        for n in range(60)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (project.root / "papers" / "bakery.jsonl").write_text(text)
    return project


def papers(result: BuildResult) -> dict[str, dict[str, Any]]:
    return {paper["id"]: paper for paper in json.loads(result.files["papers.json"])}


def changes(result: BuildResult) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(result.files["changes.json"])
    return told


def why(result: BuildResult, paper_id: str) -> str:
    rows = csv.DictReader(io.StringIO(result.files["labels.csv"].decode()))
    return next(row["why"] for row in rows if row["id"] == paper_id)


def topics(result: BuildResult) -> dict[str, tuple[str, frozenset[str]]]:
    return {
        key: (topic["primary"], frozenset(topic["categories"]))
        for key, paper in papers(result).items()
        if (topic := paper["labels"]["topic"])
    }


def decide(project: Project, result: BuildResult, number: int) -> set[str]:
    """Let somebody find that `number` papers on ovens are on loaves; returns their ids."""
    chosen = [paper for paper in papers(result).values()
              if paper["labels"]["topic"]["primary"] == "ovens"][:number]  # fmt: skip
    rows = "".join(
        f"{paper['id']},{paper['title']},topic,loaves,yes,ada,2025-06-01,queue,,\n"
        for paper in chosen
    )
    header = "id,title,facet,value,primary,reviewer,reviewed_on,drawn_by,taxonomy_digest,note\n"
    project.ledger_file.write_text(header + rows, encoding="utf-8")
    return {paper["id"] for paper in chosen}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_twenty_decisions_change_no_locked_label_until_the_lock_is_updated(bakery: Project) -> None:
    before = compute(bakery)
    write_lock(plan_lock(bakery))
    decided = decide(bakery, before, 20)
    held = compute(bakery)
    assert topics(held) == {
        key: ("loaves", frozenset({"loaves"})) if key in decided else label
        for key, label in topics(before).items()
    }
    told = changes(held)
    assert {move["id"] for move in told["relabelled"]} == decided
    assert told["reasons"] == {"human": 20}
    assert told["held_reasons"] == {"model": len(told["held"])}
    assert told["held"], "the decisions would move nothing: the case tests nothing"

    plan = plan_lock(bakery)
    assert plan.changes is not None
    would_move = {move["id"] for move in told["held"]}
    assert {move.paper_id for move in plan.changes.relabelled} == decided | would_move
    write_lock(plan)
    after = compute(bakery)
    assert changes(after)["held"] == []
    assert changes(after)["relabelled"] == []
    assert {key for key, label in topics(after).items() if label != topics(held)[key]} == would_move
    bakery.lock_file.unlink()
    assert topics(compute(bakery)) == topics(after)


def test_a_locked_label_is_in_all_outputs(bread: Project) -> None:
    edit(bread.lock_file, f"{STARTER},sourdough,sourdough,", f"{STARTER},flour,flour; keeping,")
    result = compute(bread)
    paper = papers(result)["p-dd0d023955"]["labels"]["topic"]
    assert paper["categories"] == ["flour", "keeping"]
    assert paper["status"] == "provisional"
    assert why(result, "p-dd0d023955").startswith(
        "locked; the classifier now assigns sourdough (0.83) ["
    )
    assert result.fact("filed=flour") == compute(Project(BREAD)).fact("filed=flour") + 1
    page = result.files["p/p-dd0d023955.html"].decode()
    assert "locked; the classifier now assigns sourdough (0.83)" in page
    move, fed_by = changes(result)["held"]
    assert (fed_by["facet"], fed_by["before"]["primary"]) == ("fed_by", None)
    assert (move["id"], move["facet"], move["reason"]) == ("p-dd0d023955", "topic", "model")
    assert (move["before"]["primary"], move["now"]["primary"]) == ("flour", "sourdough")
    assert [each["facet"] for each in changes(result)["relabelled"]] == ["fed_by"]


def test_a_lock_without_differences_changes_no_label(bread: Project) -> None:
    locked, free = compute(bread), compute(Project(BREAD))
    assert papers(locked) == papers(free)
    assert locked.files["labels.csv"] == free.files["labels.csv"]
    assert changes(locked)["baseline"] == {"papers": 15, "kind": "lock"}
    assert changes(locked)["held"] == []


def test_the_lock_is_part_of_the_version(bread: Project) -> None:
    before = compute(bread).survey.document.version
    edit(bread.lock_file, ",provisional,", ",confident,")
    assert compute(bread).survey.document.version != before


def test_new_papers_are_not_locked_and_removed_ones_are_reported(bread: Project) -> None:
    shelf = bread.root / "papers" / "shelf.csv"
    header, *rows = shelf.read_text(encoding="utf-8").splitlines(keepends=True)
    gone = [row for row in rows if "Gluten, Explained" in row]
    new = "Mould on Stale Loaves" + "," * header.count(",") + "\n"
    kept = [row for row in rows if row not in gone]
    shelf.write_text("".join([header, *kept, new]), encoding="utf-8")
    result = compute(bread)
    told = changes(result)
    assert [(paper["title"], paper["primary"]) for paper in told["added"]] == [
        ("Mould on Stale Loaves", "keeping")
    ]
    assert [paper["title"] for paper in told["dropped"]] == ["Gluten, Explained to Bakers"]
    assert "Gluten, Explained" in bread.lock_file.read_text(encoding="utf-8")
    assert [fault for fault in result.warnings if "lock" in fault.file] == []


def reason_of_held(project: Project) -> dict[str, str]:
    return {move["id"]: move["reason"] for move in changes(compute(project))["held"]}


def test_a_changed_text_is_the_reason_of_a_locked_label(bread: Project) -> None:
    edit(bread.lock_file, 'Explained to Bakers",flour,flour,', 'Explained to Bakers",ovens,ovens,')
    lock = bread.lock_file.read_text(encoding="utf-8")
    digest = next(line for line in lock.splitlines() if "Explained to" in line).split(",")[-3]
    edit(bread.lock_file, digest, "0" * 12)
    assert reason_of_held(bread) == {"p-2a2bbe240b": "text"}


def test_a_new_cue_is_a_reason(bread: Project) -> None:
    edit(bread.taxonomy_file, "title: [oven~, steam~, crust]", "title: [oven~, steam~, remembers]")
    edit(bread.taxonomy_file, "title: [sourdough, starter~,", "title: [sourdough,")
    assert "cue" in set(reason_of_held(bread).values())


def test_a_new_category_is_a_reason(bread: Project) -> None:
    edit(
        bread.taxonomy_file,
        "      - id: other\n",
        "      - id: memory\n"
        "        cues: {title: [remembers, what the starter], anywhere: [starter~]}\n"
        "      - id: other\n",
    )
    held = reason_of_held(bread)
    assert held["p-dd0d023955"] == "taxonomy"


def test_a_withdrawn_decision_is_a_reason(bread: Project) -> None:
    ledger = bread.ledger_file.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in ledger if not line.startswith("p-0278e58e9a")]
    bread.ledger_file.write_text("".join(kept), encoding="utf-8")
    (move,) = changes(compute(bread))["held"]
    assert (move["id"], move["reason"]) == ("p-0278e58e9a", "human")
    assert move["detail"] == "the decision was withdrawn"


def test_a_renamed_category_stays_locked(bread: Project) -> None:
    edit(bread.taxonomy_file, "      - id: ovens\n", "      - id: heat\n        aliases: [ovens]\n")
    result = compute(bread)
    assert changes(result)["relabelled"] == changes(result)["held"] == []
    assert papers(result)["p-e1267a85a1"]["labels"]["topic"]["primary"] == "heat"


def test_papers_of_a_removed_category_are_not_locked(bread: Project) -> None:
    edit(bread.taxonomy_file, "      - id: ovens\n", "      - id: heat\n")
    result = compute(bread)
    told = changes(result)
    assert {(move["reason"], move["before"]["primary"]) for move in told["relabelled"]} == {
        ("taxonomy", "ovens")
    }
    assert told["held"] == []
    assert [str(fault) for fault in result.warnings if "lock" in fault.file] == snapshot(
        [
            "taxonomy/labels.lock.csv:4: warning: found topic 'ovens' in 3 rows; expected a category of facet topic. The papers are labelled without it; `fieldguide lock --update` accepts this. Or list the old id under `aliases` of the category that replaced it."
        ]
    )


def test_a_damaged_lock_is_reported_with_all_other_faults(bread: Project) -> None:
    edit(bread.lock_file, ",provisional,", ",certain,")
    (bread.root / "taxonomy" / "identity.csv").write_text("id\n1\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        compute(bread)
    files = {fault.file for fault in error.value.faults}
    assert files == {"taxonomy/identity.csv", "taxonomy/labels.lock.csv"}


def test_lock_writes_the_lock_and_the_versions(bread: Project) -> None:
    names = {path.name for path in (bread.root / "taxonomy").iterdir()}
    assert names == {"taxonomy.yaml", "reviews.csv", "versions.csv", "labels.lock.csv"}
    before = {path: path.read_bytes() for path in bread.root.rglob("*") if path.is_file()}
    write_lock(plan_lock(bread))
    after = {path: path.read_bytes() for path in bread.root.rglob("*") if path.is_file()}
    assert after == before


def test_excluded_papers_are_not_locked(bread: Project) -> None:
    row = "p-1c93a9dbc4,,exclude,a cake,,ada,2025-06-03,,,\n"
    bread.ledger_file.write_text(bread.ledger_file.read_text(encoding="utf-8") + row, "utf-8")
    plan = plan_lock(bread)
    assert plan.papers == 14
    assert plan.changes is not None
    assert [paper.id for paper in plan.changes.dropped] == ["p-1c93a9dbc4"]


def test_changes_against_a_baseline_keep_locked_labels(bread: Project, tmp_path: Path) -> None:
    build(bread, bread.out)
    baseline = shutil.copytree(bread.out, tmp_path / "baseline")
    edit(bread.lock_file, f"{STARTER},sourdough,sourdough,", f"{STARTER},flour,flour,")
    told = changes(compute(bread, BuildOptions(baseline=baseline)))
    assert told["baseline"] == {"papers": 15, "kind": "build"}
    assert [move["now"]["primary"] for move in told["relabelled"]] == ["flour", None]
    assert [move["facet"] for move in told["relabelled"]] == ["topic", "fed_by"]
    assert [move["now"]["primary"] for move in told["held"]] == ["sourdough", "signal"]


def rows(project: Project) -> dict[str, dict[str, str]]:
    """Paper id -> its row of the lock."""
    reader = csv.DictReader(project.lock_file.read_text(encoding="utf-8").splitlines())
    return {row["id"]: row for row in reader}


def test_updates_of_the_lock_record_dates_of_entry_and_of_moves(bakery: Project) -> None:
    write_lock(plan_lock(bakery, today="2025-01-01"))
    assert "entered_on" not in next(iter(rows(bakery).values())), "the first lock dates nothing"

    moved = decide(bakery, compute(bakery), 1)
    with (bakery.root / "papers" / "bakery.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"title": "Oven for rye", "abstract": "The steam is hot."}) + "\n")
    write_lock(plan_lock(bakery, today="2025-06-02"))
    locked = rows(bakery)
    dates = {(row["entered_on"], row["moved_on"], row["moved_from"]) for row in locked.values()}
    assert dates >= {("2025-06-02", "", ""), ("", "", "")}
    assert all(locked[each]["moved_on"] == "2025-06-02" for each in moved)
    assert all(locked[each]["moved_from"] == "ovens" for each in moved)

    write_lock(plan_lock(bakery, today="2025-07-03"))
    assert rows(bakery) == locked, "an update without changes dates nothing"
    published = papers(compute(bakery))
    assert {published[each]["moved_from"] for each in moved} == {"ovens"}


def test_a_move_between_merged_categories_is_left_out(bakery: Project) -> None:
    facet = read_inputs(bakery).taxonomy.first
    row = LockedPaper(
        "p-1", "A", {"topic": ("loaves",)}, "reviewed", frozenset(), "", "", "",
        History("2025-01-01", "2025-02-02", "ovens"),
    )  # fmt: skip
    assert row.history_under(facet, "loaves") == row.history
    assert row.history_under(facet, "ovens") == History("2025-01-01")
    merged = replace(row, history=History("2025-01-01", "2025-02-02", "loaves"))
    assert merged.history_under(facet, "loaves") == History("2025-01-01")


@pytest.mark.parametrize(
    ("epoch", "day"), [("1767225600", "2026-01-01"), ("", date.today().isoformat())]
)
def test_the_date_is_that_of_the_source_date_epoch(
    epoch: str, day: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    assert record_date() == day
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(UsageError, match=r"SOURCE_DATE_EPOCH is 'soon'; expected seconds"):
        record_date()
