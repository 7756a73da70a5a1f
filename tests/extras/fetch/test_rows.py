"""What came joined with what is there: nothing lost, nothing mixed, the same bytes again."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from classifier.extras.fetch.rows import join_papers, rows_bytes
from classifier.papers.paper import Paper

EDITORIALS = [
    Paper("Editorial", authors=(author,), author_count=1) for author in ("Ada Baker", "Bo Mill")
]
_PAPERS = st.lists(
    st.builds(
        Paper,
        title=st.sampled_from(["Bread", "Salt", "Editorial"]),
        arxiv_id=st.sampled_from(["", "2601.00001", "2601.00002"]),
        doi=st.sampled_from(["", "10.1000/1"]),
        authors=st.sampled_from([(), ("Ada Baker",), ("Bo Mill",)]),
    ),
    max_size=6,
)


def test_two_papers_of_one_title_stay_two() -> None:
    once = join_papers([], EDITORIALS)
    assert [row["authors"] for row in once.rows] == [["Ada Baker"], ["Bo Mill"]]
    again = join_papers(once.rows, EDITORIALS)
    assert (again.rows, again.new, again.updated) == (once.rows, 0, 0)


def test_a_digest_gives_way_to_an_abstract() -> None:
    row = {"id": "arxiv:2601.00001", "title": "Bread", "abstract": "x", "abstract_kind": "digest"}
    paper = Paper("Bread", arxiv_id="2601.00001", abstract="We bake.", abstract_kind="abstract")
    (joined,) = join_papers([row], [paper]).rows
    assert "abstract_kind" not in joined


def test_references_are_joined_name_by_name() -> None:
    row = {"id": "doi:10.1000/1", "title": "Bread", "reference": {"page": "7", "volume": "1"}}
    paper = Paper("Bread", doi="10.1000/1", reference=(("volume", "2"),))
    (joined,) = join_papers([row], [paper]).rows
    assert joined["reference"] == {"page": "7", "volume": "2"}


@given(_PAPERS, _PAPERS)
def test_joining_again_changes_nothing_and_loses_nothing(
    first: list[Paper], second: list[Paper]
) -> None:
    once = join_papers(join_papers([], first).rows, second)
    parsed = [json.loads(line) for line in rows_bytes(once.rows).decode().splitlines()]
    assert {paper.arxiv_id for paper in (*first, *second)} <= {
        row.get("arxiv_id", "") for row in parsed
    } | {""}
    again = join_papers(parsed, second)
    assert len(again.rows) == len(parsed)
