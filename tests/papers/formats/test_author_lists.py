from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.papers.names import author_style, split_authors

CASES = {
    "Oven, Ann; Flour, Bo": ["Oven, Ann", "Flour, Bo"],
    "Oven, A; Flour, BC": ["Oven, A", "Flour, BC"],
    "Oven A.; Flour B.-C.": ["Oven, A.", "Flour, B.-C."],
    "Oven, A. (57190000001); Flour, B. (57190000002)": ["Oven, A.", "Flour, B."],
    "Oven A, Flour BC.": ["Oven, A", "Flour, BC"],
    "Oven, A., Flour, B., Salt, C.": ["Oven, A.", "Flour, B.", "Salt, C."],
    "Oven, A., Flour, B. et al.": ["Oven, A.", "Flour, B."],
    "Ann Oven, Bo Flour and Cy Salt": ["Ann Oven", "Bo Flour", "Cy Salt"],
    "Ann Oven, Bo Flour, Cy Salt et al.": ["Ann Oven", "Bo Flour", "Cy Salt"],
    "Oven, Ann and Flour, Bo": ["Oven, Ann", "Flour, Bo"],
    "Oven, Ann und Flour, Bo": ["Oven, Ann", "Flour, Bo"],
    "Oven, A. et Flour, B.": ["Oven, A.", "Flour, B."],
    "Oven, Ann / Flour, Bo": ["Oven, Ann", "Flour, Bo"],
    "Oven, Ann; Flour, Bo u. a.": ["Oven, Ann", "Flour, Bo"],
    "Ann Oven and Bo Flour": ["Ann Oven", "Bo Flour"],
    "Oven, Ann": ["Oven, Ann"],
    "Ann de la Oven": ["Ann de la Oven"],
    "Ann Oven|Bo Flour": ["Ann Oven", "Bo Flour"],
    "张三、李四": ["张三", "李四"],
    "['Ann Oven', 'Bo Flour']": ["Ann Oven", "Bo Flour"],
    '[{"authorId": "1", "name": "Ann Oven"}]': ["Ann Oven"],
    "": [],
}


@pytest.mark.parametrize("cell", CASES)
def test_people_are_parted_as_their_column_is_written(cell: str) -> None:
    assert split_authors(cell, author_style([cell])) == CASES[cell]


def test_a_column_decides_what_a_cell_leaves_open() -> None:
    style = author_style(["Oven, Ann; Flour, Bo", "De Oven, Ann Maria"])
    assert split_authors("De Oven, Ann Maria", style) == ["De Oven, Ann Maria"]
    assert split_authors("Oven, Ann / Flour, Bo", style) == ["Oven, Ann", "Flour, Bo"]
    assert split_authors("Oven, Ann und Flour, Bo", style) == ["Oven, Ann", "Flour, Bo"]


def test_names_that_run_together_are_parted_at_their_capitals() -> None:
    style = author_style(["Ann OvenBo McFlour"], run_together=True)
    assert split_authors("Ann OvenBo McFlour", style) == ["Ann Oven", "Bo McFlour"]


def test_thousands_of_authors_are_all_there() -> None:
    cell = "; ".join(f"Oven, A{number}" for number in range(5000))
    assert len(split_authors(cell, author_style([cell]))) == 5000


@given(st.lists(st.text(alphabet="Aa,;|.'\"[]{}() &\n等\\u", max_size=30), max_size=4))
def test_any_cells_are_read(cells: list[str]) -> None:
    style = author_style(cells)
    for cell in cells:
        assert all(split_authors(cell, style))
