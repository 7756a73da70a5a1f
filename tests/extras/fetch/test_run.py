"""One query into one file: page after page, nothing twice, nothing lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from replay_server import Answer, Asked, Replay
from shapes import (
    arxiv_error,
    arxiv_feed,
    arxiv_server,
    crossref_work,
    daily_paper,
    loaves,
    openalex_page,
    openalex_work,
    scholar_paper,
)

from classifier.errors import FetchError, InputError, UsageError
from classifier.extras.fetch.pages import Pages
from classifier.extras.fetch.papers_file import Fetched, fetch_papers, file_name
from classifier.extras.fetch.source import Query, Source
from classifier.extras.fetch.sources import SOURCES
from classifier.papers.load import load_papers

MakePages = Callable[..., Pages]
BREAD = Query("all:bread")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "bread.jsonl"


def fetch(
    target: Path, pages: Pages, query: Query = BREAD, source: Source = SOURCES["arxiv"]
) -> Fetched:
    return fetch_papers(source, query, target, pages, now=NOON)


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def starts(server: Replay) -> list[str]:
    return [asked.parameters["start"] for asked in server.asked]


def test_all_pages_become_one_file_that_a_build_reads(
    server: Replay, make_pages: MakePages, target: Path
) -> None:
    server.answering = arxiv_server(loaves(5))
    fetched = fetch(target, make_pages())
    assert (fetched.received, fetched.new, fetched.updated, fetched.pages) == (5, 5, 0, 3)
    assert starts(server) == ["0", "2", "4"]
    corpus = load_papers([target], target.parent)
    assert [paper.id for paper in corpus.papers] == [f"arxiv:2601.0000{n}" for n in range(1, 6)]
    assert corpus.papers[0].authors == ("Ada Baker", "Ben Miller")
    assert corpus.papers[0].published.date == "2026-01-01"
    assert corpus.faults == ()


def test_where_the_papers_came_from_is_noted_beside_them(
    server: Replay, make_pages: MakePages, target: Path
) -> None:
    server.answering = arxiv_server(loaves(3))
    fetch(target, make_pages(), Query("all:bread", since="2026-01-01"))
    noted = json.loads((target.parent / ".fetched" / "bread.json").read_text(encoding="utf-8"))
    assert noted["file"] == "bread.jsonl"
    (run,) = noted["runs"]
    assert run["query"] == {"text": "all:bread", "since": "2026-01-01"}
    assert run["at"] == "2026-01-01T12:00:00+00:00"
    assert (run["pages"], run["received"], run["new"], run["total"]) == (2, 3, 3, 3)
    assert run["url"].startswith(f"{server.url}/api/query?search_query=%28all%3Abread%29+AND+")


def test_again_on_the_same_day_asks_nobody_and_changes_no_byte(
    server: Replay, make_pages: MakePages, target: Path
) -> None:
    server.answering = arxiv_server(loaves(3))
    fetch(target, make_pages())
    noted = target.parent / ".fetched" / "bread.json"
    before, asked = (target.read_bytes(), noted.read_bytes()), len(server.asked)
    again = fetch(target, make_pages())
    assert (again.asked, again.new, again.updated) == (0, 0, 0)
    assert (target.read_bytes(), noted.read_bytes()) == before
    assert len(server.asked) == asked


def test_anew_asks_again(server: Replay, make_pages: MakePages, target: Path) -> None:
    server.answering = arxiv_server(loaves(3))
    fetch(target, make_pages())
    assert fetch(target, make_pages(hour=13, anew=True)).asked == 2


def test_anew_goes_on_with_no_run_that_was_cut_off(
    server: Replay, make_pages: MakePages, target: Path
) -> None:
    """A token may have run out: then only the first page leads on."""
    first = Answer.of_json({"total": 2, "token": "crumb", "data": [scholar_paper("Bread")]})
    server.script(first, Answer(b"token ran out", status=400))
    for pages in (make_pages(), make_pages(hour=13)):
        with pytest.raises(FetchError, match="answers 400: token ran out"):
            fetch(target, pages, Query("bread"), SOURCES["semanticscholar"])
    last = Answer.of_json({"total": 1, "token": None, "data": [scholar_paper("Bread")]})
    server.script(last)
    anew = make_pages(hour=14, anew=True)
    assert fetch(target, anew, Query("bread"), SOURCES["semanticscholar"]).received == 1


def test_another_day_adds_new_papers_and_updates_known_ones(
    server: Replay, make_pages: MakePages, target: Path
) -> None:
    server.answering = arxiv_server(loaves(3))
    fetch(target, make_pages())
    changed = [*loaves(3)[:2], {**loaves(3)[2], "summary": "We weigh it twice."}, *loaves(1, 3)]
    server.answering = arxiv_server(changed)
    fetched = fetch(target, make_pages(day=3))
    assert (fetched.new, fetched.updated) == (1, 1)
    assert rows(target)[2]["abstract"] == "We weigh it twice."


def test_rows_that_were_there_stay(server: Replay, make_pages: MakePages, target: Path) -> None:
    mine = {"id": "p-0123456789", "title": "A loaf of my own", "oven": "clay"}
    known = {"id": "doi:10.1000/1", "title": "Bread", "arxiv_id": "2601.00001", "venue": "Ovens"}
    target.write_text(f"{json.dumps(mine)}\n{json.dumps(known)}\n", encoding="utf-8")
    server.answering = arxiv_server(loaves(2))
    fetched = fetch(target, make_pages())
    assert (fetched.new, fetched.updated) == (1, 1)
    found = {row["id"]: row for row in rows(target)}
    assert list(found) == ["arxiv:2601.00002", "doi:10.1000/1", "p-0123456789"]
    assert found["p-0123456789"] == mine
    assert found["doi:10.1000/1"]["venue"] == "Ovens"
    assert found["doi:10.1000/1"]["title"] == snapshot("Bread number 0, baked slowly")


def test_a_file_with_lines_that_would_be_lost_is_not_touched(
    server: Replay, make_pages: MakePages, target: Path
) -> None:
    target.write_text('{"title": "Bread"}\n{"title": "half\nmy notes\n', encoding="utf-8")
    before = target.read_bytes()
    with pytest.raises(InputError) as error:
        fetch(target, make_pages())
    assert [fault.line for fault in error.value.faults] == [2, 3]
    assert target.read_bytes() == before
    assert server.asked == []


def test_what_was_cut_off_goes_on_where_it_was(
    server: Replay, make_pages: MakePages, target: Path
) -> None:
    good = arxiv_server(loaves(6))
    server.answering = lambda asked: (
        Answer(status=503) if asked.parameters["start"] == "4" else good(asked)
    )
    with pytest.raises(FetchError, match=r"it goes on where it was"):
        fetch(target, make_pages())
    assert not target.exists()
    server.asked.clear()
    server.answering = good
    fetched = fetch(target, make_pages(hour=20))
    assert starts(server) == ["4"]
    assert (fetched.received, fetched.asked) == (6, 1)


def test_an_empty_page_before_the_end_is_asked_again(
    server: Replay, make_pages: MakePages, target: Path, notices: list[str]
) -> None:
    good, empty = arxiv_server(loaves(4)), [arxiv_feed([], 4, 2)]
    server.answering = lambda asked: (
        empty.pop() if asked.parameters["start"] == "2" and empty else good(asked)
    )
    assert fetch(target, make_pages()).received == 4
    assert "an empty page at 2 of 4; waiting 2 s" in notices[0]


@pytest.mark.parametrize("body", [b"", b"<feed", b"<html><body>Sorry</body></html>", b"{}"])
def test_an_answer_that_is_no_feed_is_asked_again(
    body: bytes, server: Replay, make_pages: MakePages, target: Path
) -> None:
    server.script(Answer(body), arxiv_feed(loaves(1), 1))
    assert fetch(target, make_pages()).received == 1


def test_a_total_that_grows_while_paging(
    server: Replay, make_pages: MakePages, target: Path
) -> None:
    totals = iter([3, 5, 5])

    def answer(asked: Asked) -> Answer:
        return arxiv_server(loaves(next(totals)))(asked)

    server.answering = answer
    assert fetch(target, make_pages()).received == 5


def test_a_total_that_shrinks_while_paging(
    server: Replay, make_pages: MakePages, target: Path
) -> None:
    totals = iter([4, 2])

    def answer(asked: Asked) -> Answer:
        return arxiv_server(loaves(next(totals)))(asked)

    server.answering = answer
    assert fetch(target, make_pages()).received == 2


def test_papers_that_slide_over_to_the_next_page_count_once(
    server: Replay, make_pages: MakePages, target: Path
) -> None:
    stock = loaves(4)
    server.script(arxiv_feed(stock[:2], 4), arxiv_feed(stock[1:3], 5), arxiv_feed(stock[3:], 5))
    fetched = fetch(target, make_pages())
    assert (fetched.received, len(rows(target))) == (4, 4)


def test_a_limit_takes_the_newest(server: Replay, make_pages: MakePages, target: Path) -> None:
    server.answering = arxiv_server(loaves(9))
    fetched = fetch(target, make_pages(), Query("all:bread", limit=3))
    assert fetched.received == 3
    assert server.asked[0].parameters["sortOrder"] == "descending"
    assert len(server.asked) == 2


def test_a_wrong_query_is_told_in_the_services_words(
    server: Replay, make_pages: MakePages, target: Path
) -> None:
    server.script(arxiv_error("incorrect field name: crumb"))
    with pytest.raises(FetchError, match=r"arXiv: incorrect field name: crumb\. Correct"):
        fetch(target, make_pages())


def test_no_query(make_pages: MakePages, target: Path) -> None:
    for source in SOURCES.values():
        with pytest.raises(UsageError, match=r"expected"):
            fetch(target, make_pages(), Query(" "), source)


def test_nothing_found_begins_no_file(server: Replay, make_pages: MakePages, target: Path) -> None:
    """An empty file is a fault: the night on which nobody published would not build."""
    server.script(arxiv_feed([], 0))
    assert fetch(target, make_pages()).received == 0
    assert not target.exists()


def test_openalex_goes_from_cursor_to_cursor(
    server: Replay, make_pages: MakePages, target: Path
) -> None:
    server.script(
        openalex_page([openalex_work("Bread and salt", "10.1000/1")], 2, "next"),
        openalex_page([openalex_work("Salt and bread", "10.1000/2")], 2, "last"),
        openalex_page([], 2, None),
    )
    query = Query("bread", since="2024-01-01", filter="type:article")
    fetched = fetch(target, make_pages(), query, SOURCES["openalex"])
    assert fetched.received == 2
    assert [asked.parameters["cursor"] for asked in server.asked] == ["*", "next", "last"]
    assert server.asked[0].parameters["filter"] == ("type:article,from_publication_date:2024-01-01")
    assert [row["id"] for row in rows(target)] == ["doi:10.1000/1", "doi:10.1000/2"]
    assert rows(target)[0]["abstract"] == "We bake."


def test_semantic_scholar_goes_from_token_to_token(
    server: Replay, make_pages: MakePages, target: Path
) -> None:
    first, second = scholar_paper("Bread and salt"), scholar_paper("Salt", externalIds={})
    server.script(
        Answer.of_json({"total": 2, "token": "crumb", "data": [first]}),
        Answer.of_json({"total": 2, "token": None, "data": [second]}),
    )
    fetched = fetch(target, make_pages(), Query("bread"), SOURCES["semanticscholar"])
    assert fetched.received == 2
    assert server.asked[1].parameters["token"] == "crumb"
    assert rows(target)[0]["id"] == "arxiv:2405.00001"


def test_daily_papers_day_by_day(server: Replay, make_pages: MakePages, target: Path) -> None:
    days = {"2026-01-02": [daily_paper("2601.00001", "Bread and salt")], "2026-01-03": []}
    server.answering = lambda asked: Answer.of_json(
        days.get(asked.parameters["date"], [daily_paper("2601.00002", "Salt and bread")])
    )
    query = Query(since="2026-01-02", until="2026-01-04")
    fetched = fetch(target, make_pages(), query, SOURCES["hf-daily"])
    assert (fetched.received, fetched.pages) == (2, 3)
    assert rows(target)[0]["comment_count"] == 2


def test_crossref_doi_by_doi(server: Replay, make_pages: MakePages, target: Path) -> None:
    known = "10.1002/(sici)1097-4571(1998)49:1<1::aid>3.0.co;2-a"

    def answer(asked: Asked) -> Answer:
        if asked.path == "/works/10.1000%2Fgone":
            return Answer(status=404)
        return Answer.of_json({"status": "ok", "message": crossref_work(known, "Old bread")})

    server.answering = answer
    query = Query(dois=("10.1000/gone", known))
    fetched = fetch(target, make_pages(), query, SOURCES["crossref"])
    assert (fetched.received, fetched.missing) == (1, ["10.1000/gone"])
    assert rows(target)[0]["published"] == "2024-05"


@pytest.mark.parametrize(
    "answer",
    [b"{}", b'{"meta": {}, "results": null}', b"[", b"[]", b'{"results": []}', b"[" * 100_000],
)
def test_an_answer_of_another_shape_is_given_up_in_words(
    answer: bytes, server: Replay, make_pages: MakePages, target: Path
) -> None:
    server.script(Answer(answer))
    with pytest.raises(FetchError, match=r"an answer (that is no|without).*, 6 times"):
        fetch(target, make_pages(), Query("bread"), SOURCES["openalex"])


def test_a_record_without_title_is_counted_and_left_out(
    server: Replay, make_pages: MakePages, target: Path
) -> None:
    server.script(openalex_page([openalex_work(""), openalex_work("Bread")], 2, None))
    fetched = fetch(target, make_pages(), Query("bread"), SOURCES["openalex"])
    assert fetched.received == 1
    assert "expected the paper's title" in fetched.unread[0].actual


def test_pages_that_lead_in_a_circle(server: Replay, make_pages: MakePages, target: Path) -> None:
    server.script(openalex_page([openalex_work("Bread")], 9, "*"))
    with pytest.raises(FetchError, match=r"OpenAlex: its pages lead in a circle"):
        fetch(target, make_pages(), Query("bread"), SOURCES["openalex"])


def test_a_key_is_kept_nowhere(
    server: Replay,
    make_pages: MakePages,
    target: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENALEX_API_KEY", "secretcrumb")
    server.script(openalex_page([openalex_work("Bread")], 1, None))
    fetch(target, make_pages(), Query("bread"), SOURCES["openalex"])
    assert server.asked[0].parameters["api_key"] == "secretcrumb"
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 3
    assert not [path for path in files if b"secretcrumb" in path.read_bytes()]


def test_a_long_query_has_a_short_name_of_its_own() -> None:
    names = {file_name("arxiv", f"all:{'bread ' * 40}{n}") for n in range(3)}
    assert len(names) == 3
    assert max(map(len, names)) <= 66
