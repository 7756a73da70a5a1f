"""Each service is asked as its manual says, and its recorded answers become papers."""

from __future__ import annotations

from pathlib import Path

import pytest
from replay_server import Answer, Replay
from shapes import (
    arxiv_error,
    arxiv_feed,
    arxiv_server,
    crossref_list,
    crossref_work,
    daily_paper,
    loaves,
    openalex_page,
    openalex_work,
)

from classifier.errors import FetchError
from classifier.extras.fetch.client import Client
from classifier.extras.fetch.papers_file import Fetched, fetch_papers
from classifier.extras.fetch.rows import read_rows
from classifier.extras.fetch.services import Query


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "papers.jsonl"


def titles(fetched: Fetched) -> list[str]:
    return [paper.title for paper in fetched.papers.values()]


def test_arxiv_is_paged_and_searched_by_date(server: Replay, client: Client, file: Path) -> None:
    server.answering = arxiv_server(loaves(5))
    fetched = fetch_papers("arxiv", Query("all:bread", since="2026-01-01"), file, client)
    assert titles(fetched) == [loaf["title"] for loaf in loaves(5)]
    assert [asked.parameters["start"] for asked in server.asked] == ["0", "2", "4"]
    expected = "(all:bread) AND submittedDate:[202601010000 TO 209912312359]"
    assert server.asked[0].parameters["search_query"] == expected
    assert (fetched.new, fetched.updated) == (5, 0)
    again = fetch_papers("arxiv", Query("all:bread"), file, client)
    assert (again.new, again.updated) == (0, 0)


def test_with_a_limit_the_newest_come_first(server: Replay, client: Client, file: Path) -> None:
    server.answering = arxiv_server(loaves(5))
    fetched = fetch_papers("arxiv", Query("all:bread", limit=3), file, client)
    assert len(fetched.papers) == 3
    assert server.asked[0].parameters["sortOrder"] == "descending"


def test_an_empty_page_before_the_end_is_asked_again(
    server: Replay, client: Client, file: Path
) -> None:
    server.script(arxiv_feed([], 1), arxiv_feed(loaves(1), 1))
    assert len(fetch_papers("arxiv", Query("all:bread"), file, client).papers) == 1


def test_openalex_is_paged_by_cursor(server: Replay, client: Client, file: Path) -> None:
    works = [openalex_work("Rye", "10.1000/1"), openalex_work("Spelt", "10.1000/2")]
    server.script(openalex_page(works[:1], 2, "next"), openalex_page(works[1:], 2, None))
    fetched = fetch_papers("openalex", Query("bread", until="2026-02-01"), file, client)
    assert titles(fetched) == ["Rye", "Spelt"]
    assert server.asked[0].parameters["filter"] == "to_publication_date:2026-02-01"
    assert server.asked[1].parameters["cursor"] == "next"
    assert server.asked[0].parameters["mailto"] == "ann@example.org"


def test_crossref_is_asked_for_dois_at_once(server: Replay, client: Client, file: Path) -> None:
    server.script(crossref_list(crossref_work("10.1000/1", "Rye")))
    fetched = fetch_papers("crossref", Query(dois=("10.1000/1", "10.1000/2")), file, client)
    assert (titles(fetched), fetched.missing) == (["Rye"], ["10.1000/2"])
    assert server.asked[0].parameters["filter"] == "doi:10.1000/1,doi:10.1000/2"


def test_daily_papers_come_day_by_day(server: Replay, client: Client, file: Path) -> None:
    server.script(Answer.of_json([daily_paper("2601.00001", "Rye")]), Answer.of_json([]))
    query = Query(since="2026-01-02", until="2026-01-03")
    assert titles(fetch_papers("hf-daily", query, file, client)) == ["Rye"]
    assert [asked.parameters["date"] for asked in server.asked] == ["2026-01-02", "2026-01-03"]


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_service_is_asked_again(
    status: int, server: Replay, client: Client, file: Path
) -> None:
    server.script(Answer(status=status), Answer(status=status), arxiv_feed(loaves(1), 1))
    assert len(fetch_papers("arxiv", Query("all:bread"), file, client).papers) == 1


def test_papers_before_a_failure_are_kept(server: Replay, client: Client, file: Path) -> None:
    works = [openalex_work("Rye", "10.1000/1")]
    server.script(openalex_page(works, 2, "next"), Answer(b"No entry", status=403))
    with pytest.raises(
        FetchError, match=r"returned status 403: No entry.*OPENALEX_API_KEY.*1 papers"
    ):
        fetch_papers("openalex", Query("bread"), file, client)
    assert [row["title"] for row in read_rows(file, "papers.jsonl")] == ["Rye"]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (arxiv_error("incorrect id format"), "arXiv: incorrect id format. Correct the query."),
        (Answer(b"<html>"), "arXiv: the response is not XML. Run the command again later."),
        (Answer(b"Bad query", status=400), "returned status 400: Bad query. Correct the query."),
        (Answer(fault="reset"), "Run the command again later."),
        (Answer(status=503), "returned status 503: . Run the command again later."),
    ],
)
def test_a_failure_says_what_to_do(
    answer: Answer, message: str, server: Replay, client: Client, file: Path
) -> None:
    server.script(answer)
    with pytest.raises(FetchError) as error:
        fetch_papers("arxiv", Query("all:bread"), file, client)
    assert str(error.value).endswith(message)
    assert not file.exists()
