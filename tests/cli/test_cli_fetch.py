"""`fieldguide fetch` from the command line, against a local server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner

pytest.importorskip("requests")

from replay_server import Answer, Replay, running_server
from shapes import arxiv_feed, arxiv_server, crossref_list, loaves

from classifier.cli.commands import app

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):  # type: ignore[no-untyped-def]
    monkeypatch.setattr("urllib3.util.Retry.sleep", lambda *_: None)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with running_server() as replay:
        monkeypatch.setenv("FIELDGUIDE_ARXIV_URL", replay.url)
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
    assert said == f"3 papers received: 3 new, 0 updated in {shown}.\n"
    assert len(file.read_text(encoding="utf-8").splitlines()) == 3
    assert (bread / "papers" / ".fetched" / "arxiv-cat-cs-ai-and-abs-bread.json").is_file()
    assert server.asked[0].parameters["search_query"] == (
        snapshot("(cat:cs.AI AND abs:bread) AND submittedDate:[202601010000 TO 209912312359]")
    )
    code, said, _ = run("arxiv", "cat:cs.AI AND abs:bread", "--since", "2026-01-01")
    assert said.startswith("3 papers received: 0 new, 0 updated")


def test_nothing_found_is_told_and_leaves_a_project_that_builds(
    server: Replay, bread: Path
) -> None:
    server.answering = arxiv_server([])
    code, said, told = run("arxiv", "all:bread")
    assert (code, said, told) == snapshot((0, "0 papers received: no file was written.\n", ""))
    assert not (bread / "papers" / "arxiv-all-bread.jsonl").exists()


def test_what_no_build_reads_is_told(server: Replay, bread: Path) -> None:
    server.answering = arxiv_server(loaves(1))
    (bread / "more").mkdir()
    code, _, told = run("arxiv", "all:bread", "-o", "more/bread.jsonl")
    assert code == 0
    assert told == (
        snapshot(
            "Builds do not read more/bread.jsonl: add 'more/bread.jsonl' to survey.sources in "
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
    assert "choose a file with -o FILE.jsonl" in told
    code, _, told = run("arxiv", "all:bread", "-o", "gone/bread.jsonl")
    assert (code, "gone/bread.jsonl: cannot be written" in told, server.asked) == (1, True, [])
    assert run("arxiv", "all:bread", "-o", "bread.jsonl")[0] == 0
    assert json.loads((tmp_path / "empty" / "bread.jsonl").read_text())["id"] == "arxiv:2601.00001"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("arxiv", "x", "--since", "yesterday"),
            "--since: 'yesterday' is not a date; expected a date such",
        ),
        (("arxiv", "x", "--since", "2026-02-30"), "--since: '2026-02-30' is not a date"),
        (("hf-daily", "--until", "tomorrow"), "--until: 'tomorrow' is not a date"),
        (
            ("arxiv", "x", "--since", "2026-02-01", "--until", "2026-01-01"),
            "--until 2026-01-01 is before --since 2026-02-01.",
        ),
        (("hf-daily", "--since", "2999-01-01"), "is before --since 2999-01-01."),
        (("arxiv", "x", "-o", "bread.csv"), "bread.csv: found ending '.csv'; expected .jsonl."),
        (("openalex",), "fetch openalex: no query. Write words to search, or use --filter"),
        (("crossref", "sourdough"), "sourdough is neither a file nor a DOI"),
        (
            ("metadata", "--service", "bakery"),
            "--service bakery: unknown service; expected one of openalex",
        ),
        (
            ("arxiv", "x", "-o", "taxonomy/x.jsonl"),
            "x.jsonl is in taxonomy/, which contains only hand-written files",
        ),
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
    server.script(crossref_list())
    code, said, told = run("crossref", "dois.txt", "doi:10.1000/c")
    assert (code, said) == (0, "0 papers received: no file was written.\n")
    assert server.asked[0].parameters["filter"] == "doi:10.1000/a,doi:10.1000/b,doi:10.1000/c"
    assert told == "Not found: 10.1000/a, 10.1000/b, 10.1000/c.\n"
    code, _, told = run("crossref", "none.txt")
    assert (code, "none.txt: error: found no DOI; expected DOIs." in told) == (1, True)


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
            "1 paper lacks metadata: 1 with a reliable match, 0 with an uncertain match, 0 without a match.\n"
            "1 new and 0 updated in papers/metadata.jsonl, 1 former id in taxonomy/identity.csv.\n"
        )
    )


def test_nothing_but_failures_is_an_error(server: Replay, bread: Path) -> None:
    (bread / "papers" / "list.jsonl").write_text('{"title": "A loaf"}', encoding="utf-8")
    server.script(Answer(status=403))
    code, said, told = run("metadata", "--service", "arxiv")
    assert (code, said) == (1, "")
    assert told.startswith("arxiv was skipped: ")
    assert told.endswith("Nothing was found; the skipped services may have more.\n")
    assert not (bread / "papers" / "metadata.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("semanticscholar", "agents", "--limit", "3"), "Use `fieldguide fetch openalex`"),
        (("entries", "README.md", "--take"), "run `fieldguide fetch metadata`"),
        (("links",), "Use a link checker"),
    ],
)
def test_a_removed_command_names_the_way_instead(words: tuple[str, ...], hint: str) -> None:
    code, said, told = run(*words)
    assert (code, said) == (2, "")
    assert told.startswith(f"fieldguide: `fieldguide fetch {words[0]}` was removed. ")
    assert hint in told
