"""A sample of `python -m tools.hostile`, and what the tables themselves must be.

The largest cases, the whole project of all records and most pages are left to that command.
"""

from __future__ import annotations

import re
import socket
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from classifier.files import content
from tools.hostile.campaign import Built, built_project, table_outcome
from tools.hostile.cases import Case, read_cases
from tools.hostile.in_browser import browser_dangers, pages_of
from tools.hostile.judge import misses
from tools.hostile.project import run, write_records, write_texts
from tools.hostile.scan import site_dangers
from tools.hostile.tables import TABLES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

KINDS = ("records", "texts", *TABLES)
SMALL = 3_000
POLICY = '<meta http-equiv="Content-Security-Policy">'
EVERY = 8
"""Of the records, every eighth is built here."""
IN_A_PDF = (
    "a script in the title",
    "a Markdown link that runs",
    "a script as name",
    "a definition with a link that runs",
    "a definition with a picture",
    "a definition with a data link",
)
"""What would run or be fetched from a PDF; setting the rest takes seconds and tells no more."""


def small(cases: list[Case]) -> list[Case]:
    return [case for case in cases if len(case.input) < SMALL]


def test_there_are_three_hundred_cases_which_differ_and_say_what_must_happen() -> None:
    cases = [(kind, case) for kind in KINDS for case in read_cases(kind)]
    assert len(cases) >= 300
    assert len({case.input for _, case in cases}) > len(cases) - 5  # one text in two tables
    for kind in KINDS:
        names = [case.name for each, case in cases if each == kind]
        assert len(set(names)) == len(names), kind
    assert not [case.name for kind, case in cases if kind != "texts" and not case.expected]


@pytest.mark.parametrize("kind", ["taxonomy", "ledger", "sheet"])
def test_what_people_write_is_read_or_refused_in_words(kind: str) -> None:
    assert table_outcome(kind, small(read_cases(kind))).faults == []


def test_a_file_of_any_kind_is_read_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "ALWAYS_FINE", 2**24)
    cases = [_lighter(case) for case in small(read_cases("files"))]
    assert table_outcome("files", cases).faults == []


def _lighter(case: Case) -> Case:
    """Return a case whose archive holds a tenth: it still is far more than may be."""
    return Case(case.name, case.line, case.input.replace("00000000", "0000000"), case.expected)


def test_a_project_that_was_tampered_with_is_built_or_refused() -> None:
    cases = [case for case in read_cases("projects") if not case.input.startswith("build")]
    assert table_outcome("projects", cases[::6]).faults == []


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    records = small(read_cases("records"))[::EVERY]
    texts = small(read_cases("texts"))[::EVERY]
    return built_project(tmp_path_factory.mktemp("hostile"), records, texts)


def test_no_record_fails_a_build_and_nothing_is_written_elsewhere(built: Built) -> None:
    of_records, of_texts = built.outcomes
    assert of_records.faults == []
    assert of_texts.faults == []


def test_nothing_runs_in_a_browser(browser: Browser, built: Built) -> None:
    paths = pages_of(built.files, 5)
    assert browser_dangers(browser, built.folder / "out", built.files, paths) == []


@pytest.mark.parametrize(
    ("path", "content", "danger"),
    [
        ("a.html", f'{POLICY}<p onclick="x">', "onclick='x'"),
        ("a.html", f'{POLICY}<a href="javascript:x">', "href="),
        ("a.html", f'{POLICY}<script>x</script>', "script"),
        ("a.html", f'{POLICY}<img src="https://x.example/">', "fetched"),
        ("a.html", "<p>x", "no policy"),
        ("a.svg", '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', "<script>"),
        ("a.svg", "<svg>", "cannot be read"),
        ("a.csv", "a\n=1+1\n", "a formula"),
        ("a.json", "[NaN]", "cannot be read"),
        ("a.md", "[x](javascript:y)", "a link of javascript:"),
        ("a.md", "a <script>", "a tag"),
    ],
)  # fmt: skip
def test_the_scan_sees_what_it_looks_for(path: str, content: str, danger: str) -> None:
    (found,) = site_dangers({path: content.encode()})
    assert danger in found


def test_the_judge_sees_what_was_not_said() -> None:
    assert misses(("refused: a", "warning: b"), ["refused: ab"]) == ["warning: b"]
    assert misses(("read",), ["read", "refused: x"]) == ["not: refused: x"]


def test_the_tables_stand_beside_this_file() -> None:
    assert {
        path.stem for path in (Path(__file__).parents[2] / "tools" / "hostile").glob("*.txt")
    } == {*KINDS}


def test_a_pdf_fetches_nothing_and_holds_nothing_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("weasyprint", reason="needs weasyprint")

    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    records = [case for case in read_cases("records") if case.name in IN_A_PDF]
    texts = [case for case in read_cases("texts") if case.name in IN_A_PDF]
    assert len(records) + len(texts) == len(IN_A_PDF)
    write_records(tmp_path, records)
    write_texts(tmp_path, texts)
    ran = run("build", "--pdf", "--project", str(tmp_path))
    assert (ran.code, ran.traceback) == (0, "")
    pdf = (tmp_path / "out" / "survey.pdf").read_bytes()
    streams = re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    held = pdf + b"".join(zlib.decompressobj().decompress(s) for s in streams if s[:1] == b"x")
    for acting in (b"/JavaScript", b"/JS ", b"/Launch", b"/EmbeddedFile", b"/URI (javascript:"):
        assert acting not in held


def test_a_pdf_of_texts_too_deep_to_be_set_is_refused_in_words(tmp_path: Path) -> None:
    pytest.importorskip("weasyprint", reason="needs weasyprint")
    write_records(tmp_path, read_cases("records")[:2])
    write_texts(tmp_path, [case for case in read_cases("texts") if "a thousand deep" in case.name])
    ran = run("build", "--pdf", "--project", str(tmp_path))
    assert (ran.code, ran.traceback) == (1, "")
    assert "that are nested too deeply" in ran.output
