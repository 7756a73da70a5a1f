"""Asking: what passes is asked again, what does not is told with its cure."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from replay_server import Answer, Replay

from classifier.errors import FetchError, UsageError
from classifier.extras.fetch.pages import Pages, seconds_to_wait
from classifier.extras.fetch.source import Service, UnreadableError
from classifier.extras.fetch.sources import ARXIV, CROSSREF, OPENALEX, SEMANTIC_SCHOLAR

GOOD = Answer(b"bread")


def body_of(body: bytes | None) -> bytes | None:
    return body


def ask(pages: Pages, service: Service = ARXIV, path: str = "/page") -> bytes | None:
    return pages.ask(service, service.url(path), body_of)


@pytest.mark.parametrize(
    ("fault", "found"),
    [
        (Answer(status=429), "answers 429 Too Many Requests"),
        (Answer(status=500), "answers 500 Internal Server Error"),
        (Answer(status=503), "answers 503 Service Unavailable"),
        (Answer(b"bre", fault="cut"), "a lost connection"),
        (Answer(fault="reset"), "a lost connection"),
        (Answer(fault="silent"), "no answer within 0.5 s"),
    ],
)
def test_what_may_pass_is_asked_again(
    fault: Answer,
    found: str,
    server: Replay,
    pages: Pages,
    waits: list[float],
    notices: list[str],
) -> None:
    server.script(fault, fault, GOOD)
    assert ask(pages) == b"bread"
    assert len(server.asked) == 3
    assert [wait for wait in waits if wait >= 1] == [2.0, 4.0]
    host = server.url.removeprefix("http://")
    assert notices == [
        f"{host}: {found}; waiting 2 s (try 1 of 6).",
        f"{host}: {found}; waiting 4 s (try 2 of 6).",
    ]


def test_after_six_tries_the_message_says_what_to_do(
    server: Replay, pages: Pages, waits: list[float]
) -> None:
    server.script(Answer(status=503))
    with pytest.raises(FetchError) as error:
        ask(pages)
    assert re.fullmatch(
        r"127\.0\.0\.1:\d+: answers 503 Service Unavailable, 6 times\. "
        r"Run the same command again later: it goes on where it was\.",
        str(error.value),
    )
    assert waits == [2, 4, 8, 16, 32]
    assert len(server.asked) == 6


def test_an_answer_that_cannot_be_read_is_asked_again(server: Replay, pages: Pages) -> None:
    server.script(Answer(b"brea"), GOOD)

    def whole(body: bytes | None) -> bytes | None:
        if body != b"bread":
            raise UnreadableError("half a loaf")
        return body

    assert pages.ask(ARXIV, ARXIV.url("/page"), whole) == b"bread"


def test_retry_after_is_seconds_or_a_date() -> None:
    assert seconds_to_wait("37") == 37
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=300), usegmt=True)
    assert 200 < (seconds_to_wait(later) or 0) <= 300


@pytest.mark.parametrize("header", [None, "", "soon", "-5", "1e99", "9" * 5000, "Thu, 99 Jan 2026"])
def test_another_retry_after_says_nothing(header: str | None) -> None:
    assert seconds_to_wait(header) is None


def test_a_server_says_how_long_to_wait(server: Replay, pages: Pages, waits: list[float]) -> None:
    server.script(Answer(status=429, headers={"Retry-After": "37"}), GOOD)
    assert ask(pages) == b"bread"
    assert waits == [37]


def test_where_a_key_has_a_rate_of_its_own_it_is_told(
    server: Replay, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script(Answer(status=429))
    with pytest.raises(FetchError, match=r"A key of Semantic Scholar in SEMANTIC_SCHOLAR_API_KEY"):
        ask(pages, SEMANTIC_SCHOLAR)
    monkeypatch.setenv("SEMANTIC_SCHOLAR_API_KEY", "crust")
    with pytest.raises(FetchError, match=r"it goes on where it was\.$"):
        ask(pages, SEMANTIC_SCHOLAR)


def test_nobody_waits_for_hours(server: Replay, pages: Pages, waits: list[float]) -> None:
    server.script(Answer(status=429, headers={"Retry-After": "7200"}), GOOD)
    with pytest.raises(FetchError, match=r"and asks to wait for 120 min\. Run the same command"):
        ask(pages)
    assert waits == []


def test_what_is_not_there_is_none(server: Replay, pages: Pages) -> None:
    server.script(Answer(status=404))
    assert ask(pages) is None
    assert len(server.asked) == 1


def test_a_refusal_is_not_asked_again(server: Replay, pages: Pages) -> None:
    server.script(Answer(b"no such field: loaf", status=400))
    with pytest.raises(FetchError, match=r"answers 400: no such field: loaf\. Correct the query\."):
        ask(pages)
    assert len(server.asked) == 1


def test_a_missing_key_names_its_variable(server: Replay, pages: Pages) -> None:
    server.script(Answer(b"key?", status=403))
    with pytest.raises(FetchError, match=r"environment variable SEMANTIC_SCHOLAR_API_KEY"):
        ask(pages, SEMANTIC_SCHOLAR)


def test_a_redirect_is_followed_and_a_circle_is_left(server: Replay, pages: Pages) -> None:
    moved = Answer(status=302, headers={"Location": "/there"})
    server.answering = lambda asked: GOOD if asked.path == "/there" else moved
    assert ask(pages) == b"bread"
    server.answering = lambda asked: moved
    with pytest.raises(FetchError, match=r"cannot be asked \(Exceeded 30 redirects"):
        ask(pages)


def test_no_server_at_all(
    monkeypatch: pytest.MonkeyPatch, pages: Pages, waits: list[float]
) -> None:
    monkeypatch.setenv(ARXIV.url_variable, "http://127.0.0.1:9")
    with pytest.raises(FetchError, match=r"a lost connection, 6 times"):
        ask(pages)


@pytest.mark.parametrize("address", ["gopher://bread", "export.arxiv.org", "http://[::1"])
def test_an_address_that_is_none(
    address: str, monkeypatch: pytest.MonkeyPatch, pages: Pages, waits: list[float]
) -> None:
    monkeypatch.setenv(ARXIV.url_variable, address)
    with pytest.raises(FetchError, match=r"cannot be asked .*\. See to FIELDGUIDE_ARXIV_URL"):
        ask(pages)
    assert waits == []


def test_a_proxy_that_has_no_address(
    server: Replay, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.setenv("http_proxy", "http:///nowhere")
    with pytest.raises(FetchError, match=r"cannot be asked .*\. See to .* HTTPS_PROXY"):
        ask(pages)


def test_between_two_requests_lies_the_interval(
    server: Replay, pages: Pages, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script(GOOD)
    ask(pages)
    ask(pages)
    assert waits == []  # this very machine needs no mercy
    elsewhere = server.url.replace("127.0.0.1", "127.0.0.2")
    monkeypatch.setenv(ARXIV.url_variable, elsewhere)
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    server_like = Pages(sleep=waits.append, now=lambda: noon)
    server_like._keep_distance(ARXIV)
    server_like._keep_distance(ARXIV)
    server_like._keep_distance(OPENALEX)
    assert waits == [3.0]


def test_who_asks_is_told_to_the_server(server: Replay, pages: Pages) -> None:
    server.script(GOOD)
    ask(pages, CROSSREF)
    asked = server.asked[0]
    assert re.fullmatch(r"fieldguide/\S+ \(mailto:ann@example\.org\)", asked.headers["User-Agent"])
    assert asked.parameters == {"mailto": "ann@example.org"}


def test_a_key_of_the_users_goes_along(
    server: Replay, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENALEX_API_KEY", "crumb")
    monkeypatch.setenv("SEMANTIC_SCHOLAR_API_KEY", "crust")
    server.script(GOOD)
    ask(pages, OPENALEX)
    ask(pages, SEMANTIC_SCHOLAR)
    assert server.asked[0].parameters["api_key"] == "crumb"
    assert server.asked[1].headers["x-api-key"] == "crust"


def test_a_key_goes_to_its_service_and_to_nobody_else(
    server: Replay, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEMANTIC_SCHOLAR_API_KEY", "crust")
    elsewhere = server.url.replace("127.0.0.1", "localhost")
    for place, key in (("/there", "crust"), (f"{elsewhere}/there", None)):
        moved = Answer(status=302, headers={"Location": place})
        server.script(moved, GOOD)
        assert ask(pages, SEMANTIC_SCHOLAR) == b"bread"
        assert server.asked[-1].headers.get("x-api-key") == key


@pytest.mark.parametrize("key", ["crust…", "cru\nst"])
def test_a_key_that_no_request_can_carry(
    key: str, server: Replay, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEMANTIC_SCHOLAR_API_KEY", key)
    with pytest.raises(FetchError, match=r"sign that .*\. Correct SEMANTIC_SCHOLAR_API_KEY\.$"):
        ask(pages, SEMANTIC_SCHOLAR)
    assert server.asked == []


@pytest.mark.parametrize("address", ["żółć@example.org", "ann@example.org\r\nX: y"])
def test_a_mail_address_that_no_request_can_carry(address: str) -> None:
    with pytest.raises(UsageError, match=r"^--mailto '.*': holds a sign that no request can carry"):
        Pages(address)


def test_a_body_without_end_is_left(
    server: Replay, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("classifier.extras.fetch.pages.MAX_BYTES", 2**20)
    server.script(Answer(b"x" * (2**20 + 1)))
    with pytest.raises(FetchError, match=r"more than 1 MB in one answer, 6 times"):
        ask(pages)
