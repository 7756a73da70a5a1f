"""The review page on the server: who gets it, who may save, and where the answers go."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from classifier.extras.serve.review_desk import ReviewDesk
from classifier.extras.serve.server import News, Server
from classifier.extras.serve.site_folder import SiteFolder

SHEET = b"id,title,verdict\np-1,Rye,ok\n"


@pytest.fixture
def server(site: Path, tmp_path: Path) -> Iterator[Server]:
    desk = ReviewDesk(lambda token: f"<title>Review: {token}</title>".encode(), tmp_path / "sheets")
    server = Server(0, SiteFolder(site), News(), desk=desk)
    server.start()
    yield server
    server.stop()


def ask(server: Server, path: str, data: bytes | None = None, **headers: str) -> tuple[int, str]:
    """Return status and text, asked as the page asks unless headers say otherwise."""
    assert server.desk is not None
    given = {
        "X-Fieldguide-Token": server.desk.token,
        "X-Fieldguide-File": "reviews-ada.csv",
        "Content-Type": "text/csv",
        "Origin": server.address.rstrip("/"),
    } | {name.replace("_", "-"): text for name, text in headers.items()}
    given = {name: text for name, text in given.items() if text}
    request = urllib.request.Request(f"{server.address.rstrip('/')}{path}", data, given)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_the_page_is_given_to_who_has_the_token(server: Server) -> None:
    assert server.desk is not None
    token = server.desk.token
    assert ask(server, f"/-/review?token={token}") == (200, f"<title>Review: {token}</title>")
    assert ask(server, "/-/review?token=guessed")[0] == 403
    assert ask(server, "/-/review")[0] == 403


def test_each_save_is_a_new_file(server: Server, tmp_path: Path) -> None:
    status, text = ask(server, "/-/review", SHEET)
    assert (status, text) == (
        200,
        "Saved sheets/reviews-ada-1.csv. Next: fieldguide review apply sheets/reviews-ada-1.csv",
    )
    assert ask(server, "/-/review", SHEET + b"p-2,Oats,ok\n")[0] == 200
    folder = tmp_path / "sheets"
    assert (folder / "reviews-ada-1.csv").read_bytes() == SHEET
    assert (folder / "reviews-ada-2.csv").read_bytes() == SHEET + b"p-2,Oats,ok\n"


@pytest.mark.parametrize(
    ("path", "data", "headers", "status"),
    [
        ("/-/review", SHEET, {"X_Fieldguide_Token": "guessed"}, 403),
        ("/-/review", SHEET, {"Origin": "http://bread.example"}, 403),
        ("/-/review", SHEET, {"Origin": "null"}, 403),
        ("/-/review", SHEET, {"Origin": ""}, 403),
        ("/-/review", SHEET, {"Host": "bread.example"}, 421),
        ("/-/review", SHEET, {"Content_Type": "text/plain"}, 415),
        ("/-/review", SHEET, {"X_Fieldguide_File": "../../x.csv"}, 400),
        ("/-/review", SHEET, {"X_Fieldguide_File": "labels.csv"}, 400),
        ("/-/review", b"<html>", {}, 400),
        ("/-/other", SHEET, {}, 405),
        ("/labels.csv", SHEET, {}, 405),
    ],
)
def test_nothing_else_is_written(
    path: str, data: bytes, headers: dict[str, str], status: int, server: Server, tmp_path: Path
) -> None:
    assert ask(server, path, data, **headers)[0] == status
    assert not (tmp_path / "sheets").exists()
