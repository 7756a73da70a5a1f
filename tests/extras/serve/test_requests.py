"""Requests over real sockets: what is answered, and what never is."""

from __future__ import annotations

import json
import socket
from dataclasses import asdict
from pathlib import Path

from classifier.errors import Fault
from classifier.extras.serve.server import Problem
from tests.extras.serve.conftest import SECRET, Served

CASES = Path(__file__).with_name("request_cases.txt").read_text(encoding="utf-8")


def cases() -> list[tuple[str, str]]:
    """Return (status, request) of each line of the table."""
    lines = [line for line in CASES.splitlines() if line.strip() and not line.startswith("#")]
    return [(status, rest) for status, _, rest in (line.partition(" ") for line in lines)]


def as_bytes(request: str, port: int) -> bytes:
    """Return a line of the table as it goes over the wire."""
    first, *headers = (part.strip() for part in request.replace("PORT", str(port)).split(" | "))
    lines = [first.encode().decode("unicode_escape"), *(headers or [f"Host: 127.0.0.1:{port}"])]
    return "\r\n".join([*lines, "", ""]).encode()


def test_every_request_of_the_table_is_answered_as_it_says(served: Served) -> None:
    wrong = []
    for status, request in cases():
        answer = served.ask(as_bytes(request, served.port))
        found = answer.split()[1].decode() if answer.startswith(b"HTTP/1.0 ") else "none"
        if found != status or SECRET.encode() in answer or b"secret.txt" in answer:
            wrong.append(f"{request}: {found}, expected {status}: {answer[-300:]!r}")
    assert wrong == []


def test_the_table_is_long() -> None:
    hostile = [status for status, _ in cases() if status not in ("200", "301")]
    assert len(hostile) >= 60


def test_every_answer_forbids_what_browsers_may_be_forbidden(served: Served) -> None:
    for path in ("/", "/papers.json", "/no/such", "/-/reload.js", "/../x", "/c"):
        _, head, _ = served.get(path)
        for header in (
            "X-Content-Type-Options: nosniff", "Cache-Control: no-store",
            "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin",
            "frame-ancestors 'none'",
        ):  # fmt: skip
            assert header in head, path
        assert "Access-Control" not in head


def test_a_refused_method_names_those_that_are_not(served: Served) -> None:
    answer = served.ask(f"POST / HTTP/1.1\r\nHost: localhost:{served.port}\r\n\r\n".encode())
    assert b"Allow: GET, HEAD\r\n" in answer


def test_a_head_request_gets_no_content(served: Served) -> None:
    request = f"HEAD /papers.json HTTP/1.1\r\nHost: localhost:{served.port}\r\n\r\n"
    head, _, content = served.ask(request.encode()).partition(b"\r\n\r\n")
    assert b"Content-Length: 2" in head
    assert content == b""


def test_a_folder_leads_to_its_index(served: Served) -> None:
    assert "Location: /c/\r\n" in served.get("/c")[1]
    assert b"<h1>c/index.html</h1>" in served.get("/c/")[2]


def test_what_is_not_found_gets_the_page_of_the_site_with_links_from_the_top(
    served: Served,
) -> None:
    status, _, content = served.get("/no/such/page")
    assert status == 404
    assert b"<h1>404.html</h1>" in content
    assert b'<base href="/">' in content


def test_without_a_survey_every_address_says_why(served: Served, tmp_path: Path) -> None:
    served.out.rename(tmp_path / "elsewhere")
    served.news.publish(Problem("fault", "taxonomy.yaml:3: <b> is no key"))
    status, head, content = served.get("/survey.html")
    assert status == 503
    assert b"taxonomy.yaml:3: &lt;b&gt; is no key" in content
    assert b"/-/reload.js" in content
    assert "script-src 'self'" in head


def read_events(connection: socket.socket, number: int) -> list[dict[str, object]]:
    """Return the next events of a stream of news."""
    received = b""
    while received.count(b"\n\n") < number:
        received += connection.recv(65536)
    return [
        json.loads(line.removeprefix("data: "))
        for line in received.decode().splitlines()
        if line.startswith("data: ")
    ]


def listen(served: Served) -> socket.socket:
    """Open a stream of news and read its headers."""
    connection = socket.create_connection(("127.0.0.1", served.port), timeout=20)
    connection.sendall(f"GET /-/news HTTP/1.1\r\nHost: localhost:{served.port}\r\n\r\n".encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += connection.recv(1)
    assert b"text/event-stream" in head
    return connection


def test_news_tell_the_version_of_a_page_and_what_is_wrong(served: Served) -> None:
    version = served.get("/")[2].split(b'data-version="')[1].split(b'"')[0].decode()
    with listen(served) as connection:
        assert read_events(connection, 1) == [{"version": version, "problem": None}]
        fault = Fault("error", "a.yaml", 3, "x", "y")
        served.news.publish(Problem("fault", str(fault), (fault,)))
        (event,) = read_events(connection, 1)
    assert event["version"] == version
    assert event["problem"] == {
        "kind": "fault",
        "title": "1 fault in your files; this is the last good survey",
        "text": "a.yaml:3: error: found x; expected y.",
        "faults": [asdict(fault)],
        "trace": "",
    }


def test_pages_that_listen_and_readers_that_dawdle_block_nobody(served: Served) -> None:
    listening = [listen(served) for _ in range(20)]
    dawdling = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(20)]
    for connection in dawdling:
        connection.sendall(b"GET / HT")
    assert served.get("/")[0] == 200
    for connection in (*listening, *dawdling):
        connection.close()


def test_a_line_a_request_shows_no_control_character(served: Served) -> None:
    served.ask(b"GET /\x1b]0;evil\x07 HTTP/1.1\r\nHost: x\r\n\r\n")
    assert served.log
    assert all(line.isprintable() for line in served.log)


def test_a_request_of_any_bytes_leaves_the_server_answering(served: Served) -> None:
    for request in (b"\x16\x03\x01\x02\x00", b"\x00" * 100, b"G" * 100_000, b"\r\n\r\n", b"",
                    b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 1000 + b"\r\n",
                    b"GET / HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n",
                    b"GET / HTTP/1.1\r\n: :\r\n\r\n"):  # fmt: skip
        try:
            answer = served.ask(request)
        except OSError:  # it hung up while we were sending
            continue
        assert b"<h1>" not in answer
    assert served.get("/")[0] == 200
