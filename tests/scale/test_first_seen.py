"""Which records are the first of their paper: the same however a stream is cut."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from classifier.papers.paper import Paper
from classifier.scale.joining import FirstSeen, key_hash, record_keys

NAMED = st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=3, unique=True))


def kept(named: Sequence[Sequence[str]], size: int) -> list[bool]:
    """Return which records are kept of a stream that is cut into chunks."""
    seen = FirstSeen()
    found: list[bool] = []
    for start in range(0, len(named), size):
        chunk = [list(map(key_hash, names)) for names in named[start : start + size]]
        found += [not any(known) for known in seen.find_known(chunk)]
    return found


@given(NAMED, st.integers(1, 7))
def test_a_record_is_kept_where_no_earlier_one_has_a_name_of_it(
    named: list[list[str]], size: int
) -> None:
    seen: set[str] = set()
    expected = []
    for names in named:
        expected.append(seen.isdisjoint(names))
        seen |= set(names)
    assert kept(named, size) == expected


def test_names_of_many_chunks_are_remembered() -> None:
    named = [[f"name {number}"] for number in range(3000)]
    assert kept([*named, *named], 7) == [True] * 3000 + [False] * 3000


def test_a_title_comes_before_the_ids() -> None:
    paper = Paper("Rye", arxiv_id="2401.00001", doi="10.1000/1")
    assert list(record_keys(paper)) == ["rye", "arxiv:2401.00001", "doi:10.1000/1"]
    # Without a better one the id of the title counts, which is how another file may name the paper.
    assert list(record_keys(Paper("Rye"))) == ["rye", "p-bfac1a4230"]


def test_no_record_has_no_name() -> None:
    assert FirstSeen().find_known([]) == []
