"""The seal: holds while the labels of a row stand as they were written, and no longer."""

from __future__ import annotations

import pytest

from classifier.review.seal import (
    label_columns,
    seal,
    seal_in,
    sealed_under,
    with_seal,
    without_seal,
)
from classifier.taxonomy.model import Taxonomy

NOW, BEFORE = "edb1bf449b09", "0123456789ab"
COLUMNS = ("primary", "topics", "kind")


def row(**changed: str) -> dict[str, str]:
    """A row as a build writes it, then `changed` as a person would."""
    cells = {
        "id": "arxiv:2401.10230",
        "primary": "dough",
        "topics": "dough; taste",
        "kind": "trial",
    }
    why = with_seal("‘rye’ in the title +2.0", seal(cells, COLUMNS, NOW))
    return {**cells, "why": why, "status": "provisional", **changed}


def test_the_columns_of_labels(taxonomy: Taxonomy) -> None:
    assert label_columns(taxonomy) == COLUMNS


def test_a_row_as_it_was_written_fits_its_seal() -> None:
    assert sealed_under(row(), COLUMNS, [BEFORE, NOW]) == NOW
    assert sealed_under(row(status="?", title="other"), COLUMNS, [NOW]) == NOW
    assert sealed_under(row(topics=" dough; taste "), COLUMNS, [NOW]) == NOW


@pytest.mark.parametrize(
    "changed",
    [
        {"id": "arxiv:2401.10231"},
        {"primary": "taste"},
        {"topics": "dough"},
        {"kind": ""},
        {"why": ""},
        {"why": "‘rye’ in the title +2.0"},
        {"why": "‘rye’ in the title +2.0 [000000]"},
    ],
)
def test_a_row_that_was_changed_does_not(changed: dict[str, str]) -> None:
    assert sealed_under(row(**changed), COLUMNS, [BEFORE, NOW]) is None


def test_a_row_of_an_unknown_taxonomy_does_not() -> None:
    assert sealed_under(row(), COLUMNS, [BEFORE]) is None


def test_the_seal_stands_at_the_end_of_why_and_comes_off() -> None:
    why = row()["why"]
    assert seal_in(why) == why[-7:-1]
    assert without_seal(why) == "‘rye’ in the title +2.0"
    assert (seal_in("one of: a [90 %]"), without_seal("a [90 %]")) == ("", "a [90 %]")
