from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.papers.formats.tag_lines import Entry, TagForm, read_entries, without_wraps

FORM = TagForm(re.compile(r"([A-Z]{2}) (.*)"), start="ST", end="EN", passed_over=frozenset({"FI"}))


def entries(*lines: str, form: TagForm = FORM) -> list[tuple[int, dict[str, list[str]], bool]]:
    return [(e.line, e.values, e.is_ended) for e in read_entries(lines, form)]


def test_an_entry_stands_between_start_and_end() -> None:
    assert entries("FI x", "", "ST 1", "AU Ann", "AU  Bo ", "EN ", "prose", "ST 2", "EN ") == [
        (3, {"ST": ["1"], "AU": ["Ann", "Bo"]}, True),
        (8, {"ST": ["2"]}, True),
    ]


def test_lines_without_a_tag_belong_to_the_value_before_them() -> None:
    found = entries("ST 1", "  one", "", "\ttwo", "AU Ann", "EN ", "lost")
    assert found == [(1, {"ST": ["1\none\ntwo"], "AU": ["Ann"]}, True)]


@pytest.mark.parametrize(
    ("lines", "values"),
    [
        (("ST 1", "AU Ann", "ST 2", "EN "), [{"ST": ["1"], "AU": ["Ann"]}, {"ST": ["2"]}]),
        (("AU Ann", "EN ", "AU Bo"), [{"AU": ["Ann"]}, {"AU": ["Bo"]}]),
        (("AU Ann", "ST 1", "AU Bo"), [{"AU": ["Ann", "Bo"], "ST": ["1"]}]),
        (("EN ", "EN "), []),
        ((), []),
    ],
)
def test_missing_starts_and_ends(
    lines: tuple[str, ...], values: list[dict[str, list[str]]]
) -> None:
    assert [found for _, found, _ in entries(*lines)] == values


def test_a_blank_line_ends_an_entry_only_where_the_form_says_so() -> None:
    lines = ("AU Ann", "", "AU Bo", "more")
    form = TagForm(FORM.line, start="ST", blank_ends=True)
    assert len(entries(*lines)) == 1
    assert [v for _, v, _ in entries(*lines, form=form)] == [{"AU": ["Ann"]}, {"AU": ["Bo\nmore"]}]


def test_values_as_lines_and_items() -> None:
    entry = Entry(1, {"TI": ["", "Rye\nbread"], "KW": ["oven; salt", "rye\nwheat"]})
    assert entry.first("T1", "TI") == "Rye bread"
    assert entry.all("KW", "TI") == ["oven; salt", "rye wheat", "Rye bread"]
    assert entry.items("KW") == ["oven", "salt", "rye", "wheat"]
    assert entry.lines("KW") == ["oven; salt", "rye", "wheat"]
    assert entry.named({"TI": "title", "T1": "other"}) == {"title": "Rye bread"}
    assert without_wraps("Aim.\nAn\noven.") == "Aim.\nAn oven."


@given(st.lists(st.text(alphabet="STENAU 12\n\t") | st.sampled_from(["ST 1", "EN ", "AU a"])))
def test_no_value_is_lost_whatever_the_lines(lines: list[str]) -> None:
    assert all(found for _, found, _ in entries(*lines))


def test_many_lines_without_a_tag_take_no_time() -> None:
    start = time.process_time()
    (entry,) = read_entries(["ST 1", *["bees"] * 300_000], FORM)
    assert len(entry.values["ST"][0]) > 10**6
    assert time.process_time() - start < 5
