"""Whatever a server sends is a page, or told to be unreadable; the addresses say what is asked."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from shapes import arxiv_feed, crossref_work, daily_paper, loaves, openalex_work, scholar_paper

from classifier.errors import FetchError
from classifier.extras.fetch.papers_file import papers_of
from classifier.extras.fetch.source import Page, Query, Source, UnreadableError, parameter
from classifier.extras.fetch.sources import (
    ARXIV_DEEPEST,
    SOURCES,
    arxiv_entries,
    arxiv_first,
    arxiv_page,
    arxiv_titled,
    openalex_titled,
    scholar_first,
)
from classifier.papers.paper import Paper

QUERY = Query("bread", "2026-01-01", "2026-01-31", None, "", ("10.1000/1", "10.1000/2"))
_NAMES = st.sampled_from(
    "meta results next_cursor count data token total message items title paper id DOI authors "
    "authorships abstract_inverted_index externalIds publishedAt numComments error".split()
) | st.text(max_size=5)
_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=4),
    max_leaves=12,
)
_RECORD = st.sampled_from(
    [
        openalex_work("Bread", "10.1000/1"),
        scholar_paper("Bread"),
        crossref_work("10.1000/1", "Bread"),
        daily_paper("2601.00001", "Bread"),
    ]
)


def answered(source: Source, body: bytes | None) -> Page | None:
    with suppress(UnreadableError, FetchError):
        return source.read(body, source.first(QUERY), QUERY)
    return None


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@given(body=st.none() | st.binary(max_size=200))
def test_any_bytes(source: Source, body: bytes | None) -> None:
    answered(source, body)


@pytest.mark.parametrize("source", [SOURCES[name] for name in SOURCES if name != "arxiv"])
@given(value=_ANY, record=_RECORD, name=_NAMES, spoilt=_ANY)
def test_any_json(
    source: Source, value: object, record: dict[str, object], name: str, spoilt: object
) -> None:
    one = {**record, name: spoilt}
    whole = {"meta": {}, "results": [one], "data": [one], "message": one}
    for answer in (value, whole, [one], {**whole, name: value}):
        page = answered(source, json.dumps(answer).encode())
        for _ in papers_of(page.records if page else (), "any"):
            pass


@given(st.text(max_size=50), st.sampled_from(["title", "summary", "id", "published", "author"]))
def test_any_atom(text: str, element: str) -> None:
    body = arxiv_feed(loaves(1), 1).body.decode()
    spoilt = body.replace(f"<{element}>", f"<{element}>{text}", 2)
    page = answered(SOURCES["arxiv"], spoilt.encode())
    assert all(isinstance(paper, Paper) or paper.actual for paper in papers_of(
        page.records if page else (), "any"
    ))  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        b"<" * 2**20,
        b"<a>" * 2**18,
        b"<feed xmlns='http://www.w3.org/2005/Atom'>" + b"<entry>" * 2**16,
        b"[" * 2**20,
        b'{"a":' * 2**18,
        b'<!DOCTYPE f [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
        b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>&b;</title></entry></feed>",
    ],
)
def test_hostile_bodies_are_left_quickly(body: bytes) -> None:
    for source in SOURCES.values():
        page = answered(source, body)
        assert page is None or b"ENTITY" in body
        assert not page or all("aaa" not in str(record) for record in page.records)


def test_real_answers_of_arxiv(shared: Path) -> None:
    folder = shared / "data" / "inputs" / "arxiv_atom"
    found = {path.name: arxiv_entries(path.read_bytes()) for path in sorted(folder.glob("*.xml"))}
    assert {name: (len(papers), total) for name, (papers, total) in found.items()} == {
        "query_haitun.xml": (3, 9),
        "query_old_ids.xml": (1, 1),
        "query_transformer.xml": (5, 28946),
    }


def test_addresses() -> None:
    url = arxiv_first(Query("cat:cs.AI OR ti:bread", until="2026-01-31"))
    assert parameter(url, "search_query") == (
        snapshot("(cat:cs.AI OR ti:bread) AND submittedDate:[199101010000 TO 202601312359]")
    )
    assert parameter(arxiv_titled('Bread: "Why?" & how', 5), "search_query") == (
        'ti:"Bread Why how"'
    )
    assert parameter(openalex_titled("Bread, salt | water", 5), "filter") == (
        "title.search:Bread salt water"
    )
    days = scholar_first(Query("bread", since="2026-01-01"))
    assert parameter(days, "publicationDateOrYear") == "2026-01-01:"


def test_behind_the_deepest_result_the_cure_is_told() -> None:
    url = arxiv_first(QUERY).replace("start=0", f"start={ARXIV_DEEPEST}")
    with pytest.raises(FetchError, match="Part the query by time with --since and --until"):
        arxiv_page(arxiv_feed([], 99_000).body, url, QUERY)
