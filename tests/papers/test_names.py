"""A person's name is taken apart alike in whatever order it was read."""

from __future__ import annotations

import pytest

from classifier.papers.names import plain_name, split_name


@pytest.mark.parametrize(
    ("text", "family", "given", "plain"),
    [
        ("Bo Bal Jr.", "Bal Jr.", "Bo", "Bo Bal Jr."),
        ("Bal, Bo, Jr.", "Bal Jr.", "Bo", "Bo Bal Jr."),
        ("Bal Jr., Bo", "Bal Jr.", "Bo", "Bo Bal Jr."),
        ("Bo van der Bal III", "van der Bal III", "Bo", "Bo van der Bal III"),
        ("Bo Sr", "Sr", "Bo", "Bo Sr"),
        ("Bal, Jr.", "Bal", "Jr.", "Jr. Bal"),
        (", Bo, Jr.", "Bo, Jr.", "", "Bo, Jr."),
    ],
)
def test_a_rank_is_no_family_name(text: str, family: str, given: str, plain: str) -> None:
    assert split_name(text) == (family, given)
    assert plain_name(text) == plain
