from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.papers.merge import combine_records, disagreements, record_order
from classifier.papers.paper import Paper, Published, Source

HERE = Source("a.jsonl", "jsonl", 1)
THERE = Source("b.csv", "csv", 2)


def test_the_richest_value_of_each_field_is_kept() -> None:
    poor = Paper(
        "baking", abstract="Own words on bread, at length.", abstract_kind="digest",
        authors=("Ann Oven",), published=Published("2024"), comment_count=3, sources=(THERE,),
    )  # fmt: skip
    rich = Paper(
        "Baking", abstract="We bake.", abstract_kind="abstract", authors=("Ann Oven", "Bo Flour"),
        organisation="Guild", published=Published("2024-05"), venue="Bread", doi="10.1000/1",
        url="https://example.org", code_urls=("https://github.com/a/b",), author_count=2,
        sources=(HERE,),
    )  # fmt: skip
    expected = replace(rich, comment_count=3, sources=(HERE, THERE))
    assert combine_records([poor, rich]) == combine_records([rich, poor]) == expected


def test_of_equally_precise_dates_the_earliest_is_kept() -> None:
    dates = ["2025-03-02", "2025-03-01", "2024"]
    assert (
        combine_records([Paper("A", published=Published(d)) for d in dates]).published.date
        == dates[1]
    )


def test_the_fuller_title_is_kept_and_capitals_give_way() -> None:
    titles = ["BAKING: A STUDY", "Baking", "Baking: A Study"]
    assert combine_records([Paper(title) for title in titles]).title == "Baking: A Study"


def test_each_contradiction_names_both_places() -> None:
    kept = Paper(
        "Baking bread", arxiv_id="2401.00001", published=Published("2024"), sources=(HERE,)
    )
    other = Paper("Mowing", arxiv_id="2401.00002", published=Published("2025"), sources=(THERE,))
    found = [str(fault) for fault in disagreements([other, kept], combine_records([other, kept]))]
    assert found == snapshot(
        [
            "b.csv:2: notice: found date '2025' for a paper that has '2024' at a.jsonl:1; expected one date. '2024' was kept.",
            "b.csv:2: notice: found arXiv id '2401.00002' for a paper that has '2401.00001' at a.jsonl:1; expected one arXiv id. '2401.00001' was kept.",
            "b.csv:2: notice: found title 'Mowing' for a paper that has 'Baking bread' at a.jsonl:1; expected one title. 'Baking bread' was kept.",
        ]
    )


def test_a_more_precise_date_and_a_fuller_title_contradict_nothing() -> None:
    records = [
        Paper("Baking", published=Published("2024")),
        Paper("Baking: A Study", published=Published("2024-05-01")),
    ]
    assert list(disagreements(records, combine_records(records))) == []


def test_a_preprint_and_its_publication_do_not_contradict_each_other() -> None:
    preprint = Paper(
        "Bread", doi="10.48550/arxiv.2401.00001", arxiv_id="2401.00001",
        published=Published("2024-01"), reference=(("citation-key", "oven24"),),
    )  # fmt: skip
    article = Paper(
        "Bread", doi="10.1000/1", published=Published("2025-03-01"),
        reference=(("page", "1-9"), ("volume", "3")),
    )  # fmt: skip
    paper = combine_records([preprint, article])
    assert paper.doi == "10.1000/1"
    assert dict(paper.reference) == {"citation-key": "oven24", "page": "1-9", "volume": "3"}
    assert list(disagreements([preprint, article], paper)) == []


def test_of_authors_that_end_in_others_nobody_knows_how_many_there_are() -> None:
    open_list = Paper("Baking", authors=("Ann Oven", "Bo Flour"), sources=(HERE,))
    assert combine_records([open_list]).author_count is None
    counted = Paper("Baking", author_count=5, sources=(THERE,))
    assert combine_records([open_list, counted]).author_count == 5
    fewer = Paper("Baking", authors=("Ann Oven",), author_count=1, sources=(THERE,))
    assert combine_records([open_list, fewer]).author_count is None


LINES = st.lists(st.sampled_from(["a", "b", "https://a.b"]), max_size=3).map(tuple)


def test_records_of_one_place_come_in_the_order_of_what_they_hold() -> None:
    here = (Source("a.bib", "bibtex", 1),)
    first, second = Paper("Frogs", sources=here), Paper("Toads", sources=here)
    assert sorted([second, first], key=record_order) == [first, second]
    assert min([second, replace(first, sources=())], key=record_order).sources == ()
