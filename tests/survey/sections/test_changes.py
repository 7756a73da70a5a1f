"""What the survey tells of changes since it was last published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from classifier.survey.changes.compare import Changes
from classifier.survey.changes.move import Move
from classifier.survey.changes.published import PublishedLabels, PublishedPaper
from classifier.survey.document import Paragraph, Table
from classifier.survey.entry import Entry
from classifier.survey.sections.category import category_sections
from classifier.survey.sections.changes import change_drafts, change_sections
from classifier.survey.survey import Survey

MaterialOf = Callable[..., Survey]

NOTHING = Changes("lock", "topic", (3, 3), (), (), (), (), (), (), (), (), ((), ()))
PAPER = PublishedPaper("p-1", "A spade", {})
MOVE = Move(
    "p-1",
    "A *spade*",
    "topic",
    PublishedLabels(("soil",), "soil", "confident", 0.9),
    PublishedLabels(("seeds",), "seeds", "confident", 0.8),
    "model",
    "",
)

# changes -> the sentences on them
CHANGES = {
    "none": (NOTHING, "Since the labels were last locked nothing changed: three papers."),
    "a paper came": (
        replace(NOTHING, papers=(3, 4), added=(PAPER,)),
        "Since the labels were last locked three papers became four: one was added, none was "
        "dropped and none was merged into another.",
    ),
    "labels moved since a build": (
        replace(NOTHING, kind="build", relabelled=(MOVE, MOVE)),
        "Since the earlier build the number of papers stayed at three: none was added, none was "
        "dropped and none was merged into another. Two labels moved.",
    ),
}


@pytest.mark.parametrize(("changes", "wanted"), CHANGES.values(), ids=CHANGES)
def test_what_is_told_of_changes(changes: Changes, wanted: str) -> None:
    assert " ".join(draft.text for draft in change_drafts(changes) if draft) == wanted


def test_moved_labels_are_listed_and_counted_as_facts(material_of: MaterialOf) -> None:
    material = material_of([])
    assert change_sections(material) == []
    material = replace(material, changes=replace(NOTHING, relabelled=(MOVE,)))
    (section,) = change_sections(material)
    sources = [said.source for block in section.blocks if isinstance(block, Paragraph)
               for said in block.sentences]  # fmt: skip
    assert sources == [
        "facts: changes.papers_before, changes.papers_now, changes.added, changes.dropped, "
        "changes.merged",
        "facts: changes.labels_moved",
    ]
    table = section.blocks[-1]
    assert isinstance(table, Table)
    assert table.rows == ((r"A \*spade\*", "topic", "soil → seeds (0.80)", "model"),)
    assert material.facts.number("changes.labels_moved") == 1


def test_a_category_names_its_papers_that_came_since(
    make_entry: Callable[..., Entry], material_of: MaterialOf
) -> None:
    entries = [make_entry(number, "soil") for number in (1, 2)]
    added = (PublishedPaper(entries[1].paper.id, "Paper 2", {}),)
    material = replace(
        material_of(entries), changes=replace(NOTHING, kind="build", papers=(1, 2), added=added)
    )
    (section,) = category_sections(material, material.first.categories[0])
    told = [
        sentence.text
        for block in section.blocks
        if isinstance(block, Paragraph)
        for sentence in block.sentences
    ]
    assert "One paper is new here since the last edition: *Paper 2* \\[[2](#ref-2)\\]." in told


def test_what_stands_for_further_new_papers_is_a_fact(
    make_entry: Callable[..., Entry], material_of: MaterialOf
) -> None:
    entries = [make_entry(number, "soil") for number in range(1, 8)]
    added = tuple(PublishedPaper(entry.paper.id, "", {}) for entry in entries)
    changes = replace(NOTHING, kind="build", papers=(0, 7), added=added)
    material = replace(material_of(entries), changes=changes)
    (section,) = category_sections(material, material.first.categories[0])
    (said,) = (sentence for block in section.blocks if isinstance(block, Paragraph)
               for sentence in block.sentences if sentence.id.endswith("-new"))  # fmt: skip
    assert said.text.endswith(" and two more.")
    assert said.source == "facts: soil.new, soil.new_unnamed"
    assert material.facts.number("soil.new_unnamed") == 2
