from __future__ import annotations

import pytest

from classifier.papers.people import People, same_authors

OTHERS = """
Ann Oven | Bo Flour
Ann Oven | Ann Flour
Oven, Ann; Salt, Bo | Ann Flour; Bo Yeast
Wei Li | Wei Zhang
Ann Oven Jr. | Flour, Bo, Jr.
Vincent van Loaf | Marco van Basten
The Rye Group | Oats Consortium
面包师 | 园丁
Хлебов И. И. | Травин И. И.
"""
PERHAPS_THE_SAME = """
Ann Oven | Oven A
Ann Oven | Oven, A. B.
Ann Oven Jr. | Oven, A.
Wei Zhang | Zhang Wei
Wei Li | Li, W.; Zhang, Q.
Ana García Márquez | Garcia, A.
Kåre Sørensen | Sorensen K
K. Müller | Mueller, K.
The Rye Group | Ann Oven
面包师 | Mian Baoshi
A | Bo Flour
"""


def pairs(table: str) -> list[list[list[str]]]:
    return [
        [side.strip().split("; ") for side in line.split("|")] for line in table.strip().split("\n")
    ]


@pytest.mark.parametrize(("first", "second"), pairs(OTHERS))
def test_nobody_is_among_both(first: list[str], second: list[str]) -> None:
    assert People.of(first).are_others_than(People.of(second))
    assert People.of(second).are_others_than(People.of(first))


@pytest.mark.parametrize(("first", "second"), pairs(PERHAPS_THE_SAME))
def test_somebody_may_be_among_both(first: list[str], second: list[str]) -> None:
    assert not People.of(first).are_others_than(People.of(second))
    assert not People.of(second).are_others_than(People.of(first))


def test_of_no_names_nothing_is_known() -> None:
    assert not People.of([]).are_others_than(People.of(["Ann Oven"]))
    assert not same_authors([], [])


def test_lists_of_authors_are_one_by_their_family_names() -> None:
    assert same_authors(["Ann Oven", "Łukasz Müller"], ["Oven A", "Mueller, L."])
    assert not same_authors(["Ann Oven", "Bo Flour"], ["Oven, Ann", "Salt, Cy"])
