"""Which words papers share that no category explains."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from classifier.survey.edition import Entry
from classifier.survey.emerging import emerging_groups
from classifier.survey.material import Material
from classifier.survey.sections.emerging import emerging_sections
from classifier.taxonomy.model import Taxonomy

MakeEntry = Callable[..., Entry]
MaterialOf = Callable[..., Material]

# texts of the papers -> the pairs of words, with the numbers of their papers
SHARED = {
    "two papers are too few": (["Introduces moon calendars."] * 2, ""),
    "three papers share two words": (["Introduces moon calendars."] * 3, "moon calendars: 1 2 3"),
    "words apart are no pair": (["Introduces a moon and calendars."] * 3, ""),
    "what the taxonomy knows is explained": (["Introduces soil compost."] * 3, ""),
    "one word that it does not know is enough": (
        ["Introduces moon compost."] * 3,
        "moon compost: 1 2 3",
    ),
    "how texts speak of themselves is no theme": (["The authors call for rain."] * 3, ""),
    "only what papers say they do": (["Introduces rain. Moon calendars help."] * 3, ""),
}


@pytest.mark.parametrize(("texts", "wanted"), SHARED.values(), ids=SHARED)
def test_what_papers_share(
    texts: list[str], wanted: str, make_entry: MakeEntry, garden: Taxonomy
) -> None:
    entries = [make_entry(n, text=text) for n, text in enumerate(texts, 1)]
    groups = emerging_groups(garden, entries)
    found = [f"{g.words}: {' '.join(str(e.number) for e in g.entries)}" for g in groups]
    assert found == ([wanted] if wanted else [])


def test_the_least_sure_group_comes_first_then_the_larger(
    make_entry: MakeEntry, garden: Taxonomy
) -> None:
    groups = {"moon calendars": (4, 2), "solar panels": (3, 2), "wind chimes": (4, 0),
              "rain barrels": (3, 0)}  # fmt: skip
    entries = []
    for words, (papers, unsure) in groups.items():
        for paper in range(papers):
            status = "provisional" if paper < unsure else "confident"
            number = len(entries) + 1
            entries.append(make_entry(number, text=f"Introduces {words}.", status=status))
    found = [group.words for group in emerging_groups(garden, entries)]
    assert found == ["solar panels", "moon calendars", "wind chimes", "rain barrels"]


def test_a_group_is_named_with_its_papers_and_how_surely_they_are_filed(
    make_entry: MakeEntry, material_of: MaterialOf
) -> None:
    text = "Introduces moon calendars."
    entries = [
        make_entry(1, text=text),
        make_entry(2, "seeds", text=text, status="provisional"),
        make_entry(3, "seeds", text=text, status="provisional"),
    ]
    material = material_of(entries)
    (section,) = emerging_sections(material)
    sentence = section.blocks[1].sentences[0]  # type: ignore[union-attr]
    assert sentence.text == (
        r"Three papers share the words *moon calendars* \[[1](#ref-1), [2](#ref-2), [3](#ref-3)\] "
        "and are filed under [Soil](#soil) and [Seeds](#seeds); two of these labels are "
        "provisional."
    )
    assert sentence.source == "facts: emerging.moon-calendars, emerging.moon-calendars.provisional"
    assert emerging_sections(material_of(entries[:2])) == []
