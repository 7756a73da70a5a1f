"""A Zotero library, by recorded answers of its API: papers, and collections as imported labels."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from replay_server import Answer, Asked, Replay
from typer.testing import CliRunner

from classifier.cli.commands import app
from classifier.errors import UsageError
from classifier.extras.fetch.client import Client
from classifier.extras.fetch.rows import read_rows
from classifier.extras.fetch.zotero import collection_paths, zotero_papers
from classifier.papers.paper import Paper
from classifier.project import Project

COLLECTIONS = [
    {"key": "AAAA2222", "name": "Bakery", "parentCollection": False},
    {"key": "BBBB3333", "name": "Sourdough", "parentCollection": "AAAA2222"},
    {"key": "CCCC4444", "name": "Ships", "parentCollection": False},
]


def item(
    key: str, title: str, *collections: str, kind: str = "journalArticle"
) -> dict[str, object]:
    return {
        "key": key, "itemType": kind, "title": title, "DOI": f"10.1000/{key.lower()}",
        "creators": [{"creatorType": "author", "firstName": "Ada", "lastName": "Baker"}],
        "date": "2024-05-03", "abstractNote": "We bake.", "collections": list(collections),
    }  # fmt: skip


ITEMS = {
    "AAAA2222": [item("AA", "Bread in space", "AAAA2222"), item("NN", "", kind="note")],
    "BBBB3333": [item("BB", "A starter of rye and time", "BBBB3333", "AAAA2222")],
    "CCCC4444": [item("CC", "Sails of linen", "CCCC4444")],
}


@pytest.fixture
def zotero(server: Replay, monkeypatch: pytest.MonkeyPatch) -> Replay:
    """Zotero on this machine and zotero.org."""
    monkeypatch.setenv("FIELDGUIDE_ZOTERO_URL", server.url)
    monkeypatch.setenv("FIELDGUIDE_ZOTERO_LOCAL_URL", server.url)

    def answer(asked: Asked) -> Answer:
        if asked.path.endswith("/collections"):
            found = COLLECTIONS
        else:
            parts = asked.path.split("/")
            keys = [parts[4]] if "collections" in parts else list(ITEMS)
            found = [each for key in keys for each in ITEMS[key]]
        return Answer.of_json([{"key": each["key"], "data": each} for each in found])

    server.answering = answer
    return server


def titles(papers: list[object]) -> list[str]:
    return [paper.title for paper in papers if isinstance(paper, Paper)]


def test_a_collection_includes_those_below_it(zotero: Replay, client: Client) -> None:
    found = zotero_papers(client, "local", "Bakery")
    assert titles([*found]) == ["Bread in space", "A starter of rye and time"]
    assert [paper.collections for paper in found if isinstance(paper, Paper)] == [
        ("Bakery",), ("Bakery", "Bakery / Sourdough"),
    ]  # fmt: skip
    assert len(zotero_papers(client, "local", "")) == 3


def test_a_key_is_sent_to_the_web_api_only(
    zotero: Replay, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZOTERO_API_KEY", "secret")
    zotero_papers(client, "group:12", "Ships")
    assert {asked.path for asked in zotero.asked} == {
        "/groups/12/collections", "/groups/12/collections/CCCC4444/items/top",
    }  # fmt: skip
    assert all(asked.parameters["key"] == "secret" for asked in zotero.asked)
    zotero.asked.clear()
    zotero_papers(client, "local", "Ships")
    assert all("key" not in asked.parameters for asked in zotero.asked)


def test_an_unknown_collection_or_library_is_named(zotero: Replay, client: Client) -> None:
    with pytest.raises(UsageError, match=r"no collection 'Bread'\. Its collections: Bakery, Ships"):
        zotero_papers(client, "local", "Bread")
    with pytest.raises(UsageError, match="--library ada: expected user:NUMBER"):
        zotero_papers(client, "ada", "")


def test_collections_in_a_circle_end() -> None:
    circle = [
        {"key": "A", "name": "a", "parentCollection": "B"},
        {"key": "B", "name": "b", "parentCollection": "A"},
    ]
    assert collection_paths(circle) == {"A": ("b", "a"), "B": ("a", "b")}


def test_collections_become_imported_labels(zotero: Replay, bread: Project) -> None:
    command = ["fetch", "zotero", "Bakery", "--project", str(bread.root)]
    result = CliRunner().invoke(app, command, catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (
        0,
        "2 papers: 2 new, 0 updated in papers/zotero-bakery.jsonl.\n"
        "1 paper filed by collection (status: imported).\n",
    )
    assert result.stderr == "No category matches Bakery. These papers wait for review.\n"
    rows = read_rows(Path(bread.root) / "papers" / "zotero-bakery.jsonl", "")
    assert rows[0]["collections"] == ["Bakery"]
    (decision,) = csv.DictReader(bread.ledger_file.read_text("utf-8").splitlines())
    assert (decision["id"], decision["value"], decision["drawn_by"]) == (
        "doi:10.1000/bb", "sourdough", "imported",
    )  # fmt: skip
