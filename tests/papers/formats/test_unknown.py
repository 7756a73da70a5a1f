"""What the person who gave an unreadable file is told about it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.files.content import text_content
from classifier.papers.formats import describe_unknown


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<!DOCTYPE html><p>", "an HTML page that no reader knows"),
        ('<?xml version="1.0"?>\n<html>', "an HTML page that no reader knows"),
        ('<?xml version="1.0"?>\n<feed>', "XML that no reader knows"),
        ('{"name": "A"}', "JSON that no reader knows"),
        ("Once upon a time", "a text that no reader knows, which begins 'Once upon a time'"),
    ],
)
def test_what_it_looks_like(text: str, found: str) -> None:
    assert describe_unknown(text_content("x.txt", text)) == found


@given(st.text(alphabet='[]{}":,1at @<>%\n') | st.text())
def test_any_text_is_described_without_a_traceback(text: str) -> None:
    assert describe_unknown(text_content("x.csv", text))
