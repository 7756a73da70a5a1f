"""What is said of years: the papers of each, and which shares chance would not have moved."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from classifier.survey.edition import Entry
from classifier.survey.material import Material
from classifier.survey.sections.years import year_drafts

MakeEntry = Callable[..., Entry]
MaterialOf = Callable[..., Material]

# (soil, seeds) of 2023, then of 2024 -> what is said
YEARS = {
    ((30, 10), (10, 30)): "The dates of all 80 papers are known: 2023 (40) and 2024 (40). | From "
    "2023 to 2024 the share of [Soil](#soil) fell (30 of 40 papers, then 10 of 40) and "
    "[Seeds](#seeds) rose (10 of 40 papers, then 30 of 40).",
    ((20, 20), (21, 19)): "The dates of all 80 papers are known: 2023 (40) and 2024 (40). | From "
    "2023 to 2024 no category's share changed beyond chance.",
}


@pytest.mark.parametrize(("papers", "wanted"), YEARS.items())
def test_shares_that_moved_beyond_chance_are_told(
    papers: tuple[tuple[int, int], ...],
    wanted: str,
    make_entry: MakeEntry,
    material_of: MaterialOf,
) -> None:
    filed = [
        (primary, year)
        for year, numbers in zip(("2023", "2024"), papers, strict=True)
        for primary, number in zip(("soil", "seeds"), numbers, strict=True)
        for _ in range(number)
    ]
    entries = [make_entry(n, primary, published=year) for n, (primary, year) in enumerate(filed, 1)]
    drafts = [draft for draft in year_drafts(material_of(entries)) if draft]
    assert " | ".join(draft.text for draft in drafts) == wanted
    assert [draft.name for draft in drafts] == ["years", "years-2023-2024"]


# years of the papers -> what is said where a list of them would be too long to read
LONG = {
    (*range(1990, 2000), 2005, 2005): "The dates of all 12 papers are known, from 1990 to 2005, "
    "with the most in 2005 (2).",
    (*range(1990, 2000), 2005, 2005, 1990): "The dates of all 13 papers are known, from 1990 to "
    "2005, with the most in 1990 and 2005 (2 each).",
    (2021, 2022, 2022): "The dates of all three papers are known: 2021 (1) and 2022 (2).",
    tuple(range(1990, 2001)): "The dates of all 11 papers are known, from 1990 to 2000.",
}


@pytest.mark.parametrize(("years", "wanted"), LONG.items())
def test_many_years_are_told_by_their_span(
    years: tuple[int, ...], wanted: str, make_entry: MakeEntry, material_of: MaterialOf
) -> None:
    entries = [make_entry(n, published=str(year)) for n, year in enumerate(years, 1)]
    first, *_ = year_drafts(material_of(entries))
    assert first is not None
    assert first.text == wanted
