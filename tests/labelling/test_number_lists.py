from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from classifier.labelling.number_lists import NumberLists


@given(st.lists(st.lists(st.integers(0, 9), max_size=3), min_size=1, max_size=5), st.data())
def test_lists_are_read_one_after_the_other(lists: list[list[int]], data: st.DataObject) -> None:
    asked = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=6))
    places, members = NumberLists(lists).of(np.array(asked, dtype=np.int64))
    wanted = [(place, member) for place, name in enumerate(asked) for member in lists[name]]
    assert list(zip(places.tolist(), members.tolist(), strict=True)) == wanted


def test_no_lists() -> None:
    places, members = NumberLists([]).of(np.zeros(0, dtype=np.int64))
    assert (len(places), len(members)) == (0, 0)
