"""`fieldguide fetch` as people run it: on a loopback server, killed, and without its extra."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner

pytest.importorskip("requests")

from replay_server import Answer, Asked, Replay, running_server
from shapes import arxiv_feed, arxiv_server, loaves

from classifier.cli.commands import app
from classifier.extras.fetch.sources import ARXIV

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("FIELDGUIDE_CACHE", str(tmp_path / "cache"))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with running_server() as replay:
        monkeypatch.setenv(ARXIV.url_variable, replay.url)
        yield replay


@pytest.fixture
def bread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "bread"
    for folder in ("taxonomy", "papers"):
        (root / folder).mkdir(parents=True)
    golden = ROOT / "tests" / "golden" / "project" / "taxonomy" / "taxonomy.yaml"
    (root / "taxonomy" / "taxonomy.yaml").write_bytes(golden.read_bytes())
    monkeypatch.chdir(root)
    return root


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["fetch", *words])
    return result.exit_code, result.stdout, result.stderr


def test_a_query_becomes_a_file_of_the_project(server: Replay, bread: Path) -> None:
    server.answering = arxiv_server(loaves(3))
    code, said, _ = run("arxiv", "cat:cs.AI AND abs:bread", "--since", "2026-01-01")
    file = bread / "papers" / "arxiv-cat-cs-ai-and-abs-bread.jsonl"
    assert code == 0
    shown = file.relative_to(bread)
    assert said == f"3 papers received (2 pages): 3 new, 0 updated in {shown}.\n"
    assert len(file.read_text(encoding="utf-8").splitlines()) == 3
    assert (bread / "papers" / ".fetched" / "arxiv-cat-cs-ai-and-abs-bread.json").is_file()
    assert server.asked[0].parameters["search_query"] == (
        snapshot("(cat:cs.AI AND abs:bread) AND submittedDate:[202601010000 TO 209912312359]")
    )
    code, said, _ = run("arxiv", "cat:cs.AI AND abs:bread", "--since", "2026-01-01")
    assert said.startswith("3 papers received (2 pages, 2 of them kept): 0 new, 0 updated")


def test_killed_and_run_again_no_page_is_asked_twice(server: Replay, bread: Path) -> None:
    stock = loaves(6)
    third = threading.Event()

    def slow(asked: Asked) -> Answer:
        if asked.parameters["start"] == "4":
            third.set()
            return Answer(fault="silent")
        return arxiv_server(stock)(asked)

    server.answering = slow
    command = [sys.executable, "-m", "classifier", "fetch", "arxiv", "all:bread"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
    assert third.wait(60)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not list((bread / "papers").glob("*.jsonl"))
    server.released.set()
    server.asked.clear()
    server.answering = arxiv_server(stock)
    code, said, _ = run("arxiv", "all:bread")
    assert code == 0
    assert "6 papers received (3 pages, 2 of them kept): 6 new" in said
    assert [asked.parameters["start"] for asked in server.asked] == ["4"]


def test_nothing_found_is_told_and_leaves_a_project_that_builds(
    server: Replay, bread: Path
) -> None:
    server.answering = arxiv_server([])
    code, said, told = run("arxiv", "all:bread")
    assert (code, said, told) == snapshot(
        (0, "0 papers received (1 page): no file was begun.\n", "")
    )
    assert not (bread / "papers" / "arxiv-all-bread.jsonl").exists()


def test_what_no_build_reads_is_told(server: Replay, bread: Path) -> None:
    server.answering = arxiv_server(loaves(1))
    (bread / "more").mkdir()
    code, _, told = run("arxiv", "all:bread", "-o", "more/bread.jsonl")
    assert code == 0
    assert told == (
        snapshot(
            "No build reads more/bread.jsonl yet: add 'more/bread.jsonl' to survey.sources in "
            "taxonomy.yaml.\n"
        )
    )


def test_outside_a_project_a_file_must_be_named(
    server: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    server.answering = arxiv_server(loaves(1))
    code, _, told = run("arxiv", "all:bread")
    assert code == 2
    assert "name a file with -o FILE.jsonl" in told
    code, _, told = run("arxiv", "all:bread", "-o", "gone/bread.jsonl")
    assert (code, "gone/bread.jsonl: cannot be written" in told, server.asked) == (1, True, [])
    assert run("arxiv", "all:bread", "-o", "bread.jsonl")[0] == 0
    assert json.loads((tmp_path / "empty" / "bread.jsonl").read_text())["id"] == "arxiv:2601.00001"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("arxiv", "x", "--since", "yesterday"),
            "--since 'yesterday': is no day; expected one such",
        ),
        (("arxiv", "x", "--since", "2026-02-30"), "--since '2026-02-30': is no day"),
        (("hf-daily", "--until", "tomorrow"), "--until 'tomorrow': is no day"),
        (
            ("arxiv", "x", "--since", "2026-02-01", "--until", "2026-01-01"),
            "--until 2026-01-01: lies before --since 2026-02-01.",
        ),
        (("hf-daily", "--since", "2999-01-01"), "lies before --since 2999-01-01."),
        (("arxiv", "x", "-o", "bread.csv"), "bread.csv: found ending '.csv'; expected .jsonl."),
        (("openalex",), "fetch openalex: found no query; expected words to search, or --filter"),
        (("crossref", "sourdough"), "sourdough: is neither a file nor a DOI"),
        (
            ("metadata", "--service", "bakery"),
            "--service bakery: is none; expected one of openalex",
        ),
        (("arxiv", "x", "-o", "taxonomy/x.jsonl"), "no build reads papers from taxonomy/; name"),
    ],
)
def test_wrong_use(words: tuple[str, ...], message: str, server: Replay, bread: Path) -> None:
    code, _, told = run(*words)
    assert (code, message in told) == (2, True), told
    assert server.asked == []


def test_without_the_extra_the_command_says_how_to_get_it(
    bread: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("classifier.extras.fetch.find_spec", lambda name: None)
    for words in (("arxiv", "x"), ("metadata",)):
        code, _, told = run(*words)
        assert (code, told) == snapshot(
            (
                2,
                "fieldguide: fetch needs the package requests, which is not installed: "
                "pip install 'fieldguide[fetch]'.\n",
            )
        )


def test_dois_come_from_files_and_from_the_command_line(
    server: Replay, bread: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELDGUIDE_CROSSREF_URL", server.url)
    (bread / "dois.txt").write_text(
        "Bread: https://doi.org/10.1000/A, 10.1000/b;\n10.1000/a\n", encoding="utf-8"
    )
    (bread / "none.txt").write_text("no such thing\n", encoding="utf-8")
    code, said, told = run("crossref", "dois.txt", "doi:10.1000/c")
    assert code == 0
    assert [asked.path for asked in server.asked] == [
        "/works/10.1000%2Fa", "/works/10.1000%2Fb", "/works/10.1000%2Fc",
    ]  # fmt: skip
    assert said.startswith("0 papers received (3 pages)")
    assert "Not there: 10.1000/a, 10.1000/b, 10.1000/c." in told
    code, _, told = run("crossref", "none.txt")
    assert (code, "none.txt: error: found no DOI; expected DOIs, one a line." in told) == (1, True)


def test_metadata_by_the_command_line(
    server: Replay, bread: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    title = loaves(1)[0]["title"]
    (bread / "papers" / "list.jsonl").write_text(json.dumps({"title": title}), encoding="utf-8")
    server.script(arxiv_feed(loaves(1), 1))
    code, said, _ = run("metadata", "--service", "arxiv")
    assert code == 0
    assert said == (
        snapshot(
            "1 paper lacks something: 1 with a safe match, 0 with a doubtful one, 0 with none.\n"
            "1 new and 0 updated in papers/metadata.jsonl, 1 old id in taxonomy/identity.csv.\n"
        )
    )
    assert run("metadata")[1].startswith("Nothing to ask for: every paper has an id")


def test_services_that_all_fail_are_no_answer(server: Replay, bread: Path) -> None:
    (bread / "papers" / "list.jsonl").write_text('{"title": "A loaf"}', encoding="utf-8")
    server.script(Answer(status=403))
    code, said, told = run("metadata", "--service", "arxiv")
    assert (code, said) == (1, "")
    assert told.startswith("arxiv was left out: ")
    assert told.endswith("Nothing was found, and what was left out may know more.\n")
    assert not (bread / "papers" / "metadata.jsonl").exists()
