"""The bread survey compared with edited copies of itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.pipeline import BuildResult
from classifier.survey.changes.compare import Changes, compare
from classifier.survey.changes.published import (
    Publication,
    PublishedLabels,
    PublishedPaper,
    read_build,
)
from classifier.survey.changes.report import changes_json

CRUST = "Steam Schedules for Deck Ovens"


@pytest.fixture
def published(bread: BuildResult, tmp_path: Path) -> Publication:
    """The golden survey, as its out/ is read."""
    for name in ("papers.json", "taxonomy.json", "excluded.csv"):
        (tmp_path / name).write_bytes(bread.files[name])
    return read_build(tmp_path)


def edited(publication: Publication, *papers: PublishedPaper) -> Publication:
    """The publication with other papers in the place of those of the same id."""
    return replace(publication, papers={**publication.papers, **{p.id: p for p in papers}})


def without(publication: Publication, *keys: str) -> Publication:
    kept = {key: paper for key, paper in publication.papers.items() if key not in keys}
    return replace(publication, papers=kept)


def by_title(publication: Publication, title: str) -> PublishedPaper:
    return next(paper for paper in publication.papers.values() if paper.title == title)


def with_topic(paper: PublishedPaper, **fields: Any) -> PublishedPaper:
    return replace(
        paper, labels={**paper.labels, "topic": replace(paper.labels["topic"], **fields)}
    )


def test_without_a_baseline_there_are_no_changes() -> None:
    assert changes_json(None) == {
        "baseline": None,
        "added": [],
        "dropped": [],
        "relabelled": [],
        "held": [],
        "held_reasons": {},
    }


def test_a_build_equals_itself(published: Publication) -> None:
    changes = compare(published, published)
    assert not changes
    told: Mapping[str, Any] = changes_json(changes)
    assert told["baseline"] == {"papers": 15, "kind": "build"}
    assert [told[key] for key in ("added", "dropped", "relabelled")] == [[], [], []]


def test_labels_of_other_facets_change_independently(published: Publication) -> None:
    paper = by_title(published, CRUST)
    names = [name for name in paper.labels if name != "topic"]
    for name in names:
        other = replace(paper.labels[name], categories=("gone",), primary="gone")
        before = edited(published, replace(paper, labels={**paper.labels, name: other}))
        assert [(move.facet, move.before) for move in compare(before, published).relabelled] == [
            (name, other)
        ]


def test_added_and_dropped_papers_are_found(published: Publication) -> None:
    cakes = by_title(published, "Layer Cakes That Do Not Lean")
    toast = replace(cakes, id="p-00000000aa", title="Toast", aliases=())
    changes = compare(without(edited(published, toast), cakes.id), published)
    assert changes.papers == (15, 15)
    assert [paper.title for paper in changes.added] == snapshot(["Layer Cakes That Do Not Lean"])
    assert [paper.title for paper in changes.dropped] == ["Toast"]
    (added,) = changes_json(changes)["added"]  # type: ignore[misc]
    assert added["primary"] == "other"


def test_changed_labels_are_found(published: Publication) -> None:
    moved = by_title(published, "Does Resting Flour After Milling Pay?")
    before = with_topic(moved, primary="ovens", categories=("ovens", "flour"))
    changes: Mapping[str, Any] = changes_json(compare(edited(published, before), published))
    (change,) = changes["relabelled"]
    assert (change["id"], change["facet"], change["reason"]) == (moved.id, "topic", "model")
    assert change["before"]["primary"] == "ovens"
    assert change["now"]["primary"] == "flour"
    assert change["now"]["title"] == snapshot("Does Resting Flour After Milling Pay?")
    assert changes["reasons"] == {"model": 1}


def test_a_paper_that_is_an_alias_of_another_is_merged(published: Publication) -> None:
    crust = by_title(published, CRUST)
    twin = replace(crust, id="p-00000000aa", title="Baking Stones", aliases=())
    now = edited(published, replace(crust, aliases=("p-00000000aa",)))
    changes = compare(edited(published, twin), now)
    assert [(each.id, into) for each, into in changes.merged] == [("p-00000000aa", crust.id)]
    assert (changes.added, changes.dropped) == ((), ())


@pytest.mark.parametrize("older_knows", [True, False])
def test_a_paper_with_a_new_id_is_the_same_paper(older_knows: bool, published: Publication) -> None:
    crust = by_title(published, CRUST)
    new = replace(crust, id="arxiv:2501.00001", aliases=(crust.id,))
    sides = [published, edited(without(published, crust.id), new)]
    changes = compare(*(sides if older_knows else sides[::-1]))
    assert not changes


def test_a_facet_of_one_side_only_is_not_compared(published: Publication) -> None:
    bare = {key: replace(paper, labels={"topic": paper.labels["topic"]})
            for key, paper in published.papers.items()}  # fmt: skip
    before = replace(published, papers=bare, taxonomy=None)
    assert not compare(before, published)
    assert not compare(published, before)


def test_papers_left_out_by_the_editors_are_marked(published: Publication) -> None:
    crust = by_title(published, CRUST)
    now = replace(without(published, crust.id), excluded=frozenset([crust.id]))
    changes = compare(published, now)
    assert ([paper.id for paper in changes.dropped], changes.left_out) == ([crust.id], {crust.id})


def test_a_facet_of_some_topics_changes_for_the_reason_of_the_topic(published: Publication) -> None:
    crust = by_title(published, CRUST)
    before = replace(
        with_topic(crust, primary="flour", categories=("flour",)),
        labels={"topic": PublishedLabels(("flour",), "flour", "confident", 0.9)},
    )
    now = with_topic(crust, status="reviewed")
    moves = compare(edited(published, before), edited(published, now)).relabelled
    assert [(move.facet, move.reason) for move in moves] == [
        ("topic", "human"),
        ("contribution", "human"),
    ]


LABELS = st.builds(
    PublishedLabels,
    categories=st.permutations(["sourdough", "flour", "ovens"]).map(lambda ids: tuple(ids[:2])),
    primary=st.just(""),
    status=st.sampled_from(["reviewed", "confident", "provisional", ""]),
    confidence=st.none() | st.floats(0, 1).map(lambda value: round(value, 4)),
).map(lambda labels: replace(labels, primary=labels.categories[0]))
DIGESTS = st.sampled_from(["", "1", "2"])
PAPERS = st.lists(
    st.builds(
        PublishedPaper,
        id=st.sampled_from([f"p-{n}" for n in range(8)]),
        title=st.text(max_size=5),
        labels=st.dictionaries(st.sampled_from(["topic", "contribution"]), LABELS, min_size=1),
        text_digest=DIGESTS,
        cue_digest=DIGESTS,
        aliases=st.lists(st.sampled_from([f"p-{n}" for n in range(4, 12)]), max_size=2).map(tuple),
    ),
    unique_by=lambda paper: paper.id,
)


def some(papers: list[PublishedPaper]) -> Publication:
    return Publication("build", {paper.id: paper for paper in papers}, "topic")


@given(PAPERS)
def test_equal_labels_are_unchanged(papers: list[PublishedPaper]) -> None:
    assert not compare(some(papers), some(papers))


@given(PAPERS, PAPERS)
def test_every_paper_is_reported_once(old: list[PublishedPaper], new: list[PublishedPaper]) -> None:
    changes: Changes = compare(some(old), some(new))
    both = len(new) - len(changes.added)
    assert len(old) == both + len(changes.dropped) + len(changes.merged)
    gone = {paper.id for paper in (*changes.dropped, *(paper for paper, _ in changes.merged))}
    assert gone <= {paper.id for paper in old} - {paper.id for paper in new}
    json.dumps(changes_json(changes, changes.relabelled))
