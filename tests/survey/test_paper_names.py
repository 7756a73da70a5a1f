"""Short names of papers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import cited_name, mark_namesakes, name_of, short_name

NAMES = {
    "Digger: A Spade That Sings": "Digger",
    "Digger 2: A Spade": "Digger 2",
    "Deep Soil Gear (DSG): A Spade": "Deep Soil Gear (DSG)",
    "Digger:Singing in the Soil": "Digger",
    "Digger – A Spade": "Digger",
    "Digger: a spade that sings": "Digger",
    "Wet soil: a rare cause of falls": "Wet soil: a rare cause of falls",
    "Wet Soil: a rare cause of falls": "Wet Soil",
    "Case report: wet soil in a shoe.": "Case report: wet soil in a shoe",
    "Prevalence of wet soil.": "Prevalence of wet soil",
    "Digging in the U.S.": "Digging in the U.S.",
    "Digging on ...": "Digging on ...",
    "[Wet soil].": "Wet soil",
    "[Digger 2: A spade].": "Digger 2",
    "[Wet] and [dry]": "[Wet] and [dry]",
    "Well-Kept Soil": "Well-Kept Soil",
    "Digging at 12:30": "Digging at 12:30",
    "“Blades in Soil: Wet and Dry” in Soil": "“Blades in Soil: Wet and Dry” in Soil",
    "2020 : a year of spades": "2020 : a year of spades",
    "Cu₂O: a metal for spades": "Cu₂O: a metal for spades",
    '"Wet soil: who digs?" Spades in rain': '"Wet soil: who digs?" Spades in rain',
    "Position: Spades Should Sing": "Position: Spades Should Sing",
    "A Survey: Spades": "A Survey: Spades",
    "Part II: Rakes": "Part II: Rakes",
    "THE SYSTEM COPPER: A REVIEW": "THE SYSTEM COPPER: A REVIEW",
    "The good, the bad, and the wet: Soil in Rain": "The good, the bad, and the wet: Soil in Rain",
    "What Do We Know of Spades? A Review": "What Do We Know of Spades? A Review",
    f"{'On ' * 27}Soil: A Review": f"{'On ' * 27}Soil: A Review",
    "土" * 101: f"{'土' * 100} …",
    f"{'Digging ' * 11}and of the Soilsoil": f"{'Digging ' * 11}…",
    f"{'Digging ' * 12}Soil Again": f"{'Digging ' * 12}…",
}


@pytest.mark.parametrize(("title", "expected"), NAMES.items())
def test_the_short_name_is_the_part_of_the_title_before_the_colon(
    title: str, expected: str
) -> None:
    assert short_name(title) == expected


def test_a_name_in_a_sentence_is_emphasized_and_cited(
    make_entry: Callable[..., SurveyPaper],
) -> None:
    assert cited_name(make_entry(3)) == "*Paper 3* \\[[3](#ref-3)\\]"


def test_papers_with_the_same_short_name_are_called_by_their_titles(
    make_entry: Callable[..., SurveyPaper],
) -> None:
    titles = ["Digger: Deep", "DIGGER: Wide", "Raker: Slow"]
    entries = [make_entry(number) for number in (1, 2, 3)]
    named = [
        replace(entry, paper=replace(entry.paper, title=title))
        for entry, title in zip(entries, titles, strict=True)
    ]
    assert [name_of(entry) for entry in mark_namesakes(named)] == [
        "Digger: Deep",
        "DIGGER: Wide",
        "Raker",
    ]
