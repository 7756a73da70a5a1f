"""What at least three papers report a number of."""

from __future__ import annotations

from collections.abc import Callable

from classifier.survey.entry import SurveyPaper
from classifier.survey.side_by_side import quantities


def test_numbers_stand_under_the_words_that_name_them(
    make_entry: Callable[..., SurveyPaper],
) -> None:
    texts = [
        "an activation energy of 1.1 eV was measured",
        "the activation energy was 0.03 eV below zero",
        "growth has an activation energy (of grains) of 0.3 eV",
        "the rake reaches 97% accuracy",
        "the band gap is 2.1 eV",
    ]
    entries = [
        make_entry(number, "soil", text=f"Presents a tool. Results show that {text}.")
        for number, text in enumerate(texts, 1)
    ]
    found = quantities(entries)
    assert [(name, [result.short for _, result in rows]) for name, rows in found.items()] == [
        ("activation energy", ["1.1 eV", "0.03 eV", "0.3 eV"])
    ]
