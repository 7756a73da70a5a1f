from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.fields import iso_date


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2024 Jan 5", "2024-01-05"), ("MAR-APR 2024", "2024"), ("2024 Mar-Apr", "2024-03"),
        ("5. März 2024", "2024-03-05"), ("déc. 2024", "2024-12"), ("juin 2024", "2024-06"),
        ("juillet 2024", "2024-07"), ("1 de marzo de 2024", "2024-03-01"),
        ("giugno 2024", "2024-06"), ("2024 Out", "2024-10"), ("3-7 June 2024", "2024-06"),
        ("June 3–7, 2024", "2024-06"), ("2024年1月5日", "2024-01-05"), ("2024年", "2024"),
        ("2024 Winter", "2024"), ("03/04/2024", "2024"), ("２０２４", ""), ("in press", ""),
    ],
)  # fmt: skip
def test_dates(text: str, date: str) -> None:
    assert read_date(text) == date


def test_parts() -> None:
    assert date_of_parts("2024", "Août", 3) == "2024-08-03"
    assert date_of_parts("2024", "Spring", 3) == "2024"


def test_a_part_longer_than_any_calendar_has_is_cut_off() -> None:
    assert date_of_parts("2024", "Mar", "5" * 10) == "2024-03"
    assert date_of_parts("2024", "3" * 5_000, 1) == "2024"


@given(st.text())
def test_any_text_is_a_date_or_none(text: str) -> None:
    found = read_date(text)
    assert not found or iso_date(found) == found
