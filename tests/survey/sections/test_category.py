"""What is said of a category, by the shape of the data."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from classifier.survey.edition import Entry
from classifier.survey.material import Material
from classifier.survey.sections.category import category_drafts

MakeEntry = Callable[..., Entry]
MaterialOf = Callable[..., Material]


# papers filed under soil: (primary, further topics, kind, status, text) -> its computed sentences
SCALE = {
    "nothing": ([], "No paper is filed under Soil."),
    "one": (["soil"], "This section holds one paper."),
    "one, and one of the neighbour": (
        ["soil", "seeds soil"],
        "This section holds one paper; one more belongs here too but is filed elsewhere.",
    ),
    "two, and two of the neighbour": (
        ["soil", "soil", "seeds soil", "seeds soil"],
        "This section holds two papers; two more belong here too but are filed elsewhere.",
    ),
    "one in a part": (
        ["soil soil/compost"],
        "This section holds one paper. Of the one paper with this topic, those that could be "
        "placed in a part of it are in Compost (1).",
    ),
    "parts, also of papers filed elsewhere": (
        ["soil soil/compost", "soil", "seeds soil soil/compost"],
        "This section holds two papers; one more belongs here too but is filed elsewhere. Of the "
        "three papers with this topic, those that could be placed in a part of it are in Compost "
        "(2).",
    ),
    "three of a kind": (
        ["soil"] * 3,
        "This section holds three papers. Each of them contributes a method. Of the three, none "
        "states a numeric result, and none links code or announces a release.",
    ),
    "too few with the neighbour": (
        ["soil seeds"] * 2 + ["soil"] * 3,
        "This section holds five papers. Each of them contributes a method. Of the five, none "
        "states a numeric result, and none links code or announces a release.",
    ),
    "three with the neighbour": (
        ["soil seeds"] * 3,
        "This section holds three papers. Each of them contributes a method. Its papers most "
        "often also belong to Seeds (3). Of the three, none states a numeric result, and none "
        "links code or announces a release.",
    ),
    "many, with neighbours": (
        ["soil seeds"] * 4 + ["soil"] * 8,
        "This section holds 12 papers. Each of them contributes a method. Its papers most often "
        "also belong to Seeds (4). Of the 12, none states a numeric result, and none links code "
        "or announces a release.",
    ),
}


@pytest.mark.parametrize(("labels", "wanted"), SCALE.values(), ids=SCALE)
def test_what_is_said_of_a_category(
    labels: list[str],
    wanted: str,
    make_entry: MakeEntry,
    material_of: MaterialOf,
) -> None:
    entries = [make_entry(n, *topics.split()) for n, topics in enumerate(labels, 1)]
    material = material_of(entries)
    drafts = category_drafts(material, material.first.categories[0])
    assert " ".join(draft.text for draft in drafts if draft) == wanted
