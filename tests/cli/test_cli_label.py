"""`fieldguide label`: any input gives labels, or a message that says what to do."""

from __future__ import annotations

import csv
import io
import json
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from classifier.cli.commands import app
from classifier.errors import OutputError, WorkerError
from classifier.project import Project
from classifier.scale.chunks import Chunk
from classifier.scale.tasks import Engine, LabelTask

BREAD = Path(__file__).resolve().parents[1] / "golden" / "project"
PAGE = (BREAD / "papers" / "page.txt").read_bytes()


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command runs in an empty folder that is no project."""
    monkeypatch.chdir(tmp_path)


def run(*arguments: object) -> Result:
    """Run the command in this process; an error that is a bug shows as itself."""
    words = [str(argument) for argument in arguments]
    return CliRunner().invoke(
        app, ["label", "--project", str(BREAD), *words], catch_exceptions=False
    )


def test_without_o_the_sheet_goes_to_standard_output() -> None:
    Path("new.jsonl").write_text('{"title": "Steam & Rye"}\n{"title": "Spelt"}\n', encoding="utf-8")
    result = run("new.jsonl")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["title"] for row in rows] == ["Steam & Rye", "Spelt"]


@pytest.mark.parametrize("ending", [".csv", ".xlsx", ".jsonl", ".parquet"])
def test_with_o_it_says_how_many_papers_wait(ending: str) -> None:
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    Path("new.jsonl").write_text('{"title": "Sourdough"}\n', encoding="utf-8")
    result = run("new.jsonl", "-o", f"labels{ending}")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("1 paper labelled, ")
    assert result.stdout.endswith(f" provisionally: labels{ending}\n")
    assert Path(f"labels{ending}").stat().st_size > 0


# name, content, start of the message: nothing can be labelled, exit 1
STOPS = {
    "empty.jsonl": (b"", "empty.jsonl: error: found an empty file; expected some content."),
    "blank.csv": (b" \n\n", "blank.csv: error: found an empty file; expected some content."),
    "scan.pdf": (
        b"%PDF\0",
        "scan.pdf: error: found a PDF file; expected a format that Fieldguide reads. ",
    ),
    "notes.txt": (
        b"Dear diary,\n",
        "notes.txt: error: found a text in an unknown format, which begins ",
    ),
    "long.txt": (
        b"a" * 50_000_000,
        "long.txt: error: found a text in an unknown format, which begins ",
    ),
}

# name, content, start of the message, papers that are labelled all the same: exit 0
GOES_ON = {
    "half.jsonl": (
        b'{"title": "Rye"}\n{"title": "Spe',
        "half.jsonl:2: not read: found no JSON (unterminated string",
        1,
    ),
    "cut.txt": (
        PAGE[:420],
        "cut.txt:8: warning: found an abstract at the end that stops within a sentence; "
        "expected a complete page.",
        1,
    ),
    "twice.jsonl": (
        b'{"id": "arxiv:2401.10230", "title": "Rye"}\n'
        b'{"id": "arxiv:2401.10230", "title": "Spelt and wheat"}\n',
        "twice.jsonl:2: warning: found id arxiv:2401.10230 again, for 'Spelt and wheat'; expected "
        "one id per paper. Only the first record was labelled.",
        1,
    ),
    "columns.csv": (
        b"title,mood\nRye,good\n",
        "columns.csv:1: warning: found unknown column 'mood'; expected id, title,",
        1,
    ),
    "long.jsonl": (
        b'{"title": "Rye"}\n{"title": "' + b"a" * 50_000_000,
        "long.jsonl:2: not read: found a line of more than 1,000,000 characters; expected a shorter "
        "line",
        1,
    ),
    "header.csv": (
        b"title,abstract\n",
        "header.csv: warning: found no record; expected a CSV whose",
        0,
    ),
}


@pytest.mark.parametrize(("name", "content", "message"), [(n, *c) for n, c in STOPS.items()])
def test_a_file_that_cannot_be_read_stops(name: str, content: bytes, message: str) -> None:
    Path(name).write_bytes(content)
    result = run(name, "-o", "labels.csv")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(message)
    assert result.stderr.endswith("1 error; nothing was written.\n")
    assert not Path("labels.csv").exists()


@pytest.mark.parametrize(
    ("name", "content", "message", "papers"), [(n, *c) for n, c in GOES_ON.items()]
)
def test_a_record_that_cannot_be_read_is_named(
    name: str, content: bytes, message: str, papers: int
) -> None:
    Path(name).write_bytes(content)
    result = run(name, "-o", "labels.jsonl")
    assert result.exit_code == 0
    assert result.stderr.startswith(message)
    assert len(Path("labels.jsonl").read_text(encoding="utf-8").splitlines()) == papers


def test_every_file_that_cannot_be_read_is_named_at_once() -> None:
    Path("good.jsonl").write_text('{"title": "Rye"}\n', encoding="utf-8")
    Path("empty.jsonl").write_bytes(b"")
    Path("folder").mkdir()
    result = run("good.jsonl", "none.csv", "empty.jsonl", "folder")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines() == snapshot(
        [
            "empty.jsonl: error: found an empty file; expected some content.",
            "folder: error: found a folder; expected a file. Name its files: folder/*",
            "none.csv: error: found no such file; expected a file that exists.",
            "3 errors; nothing was written.",
        ]
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["rye.jsonl", "-o", "labels.txt"],
            "fieldguide: labels.txt: found ending '.txt'; expected one of .csv, .xlsx, .jsonl, "
            ".parquet.\n",
        ),
        (
            ["rye.jsonl", "--reviews", "none.csv"],
            "fieldguide: none.csv: no such file; --reviews expects a ledger like "
            "taxonomy/reviews.csv.\n",
        ),
        (
            ["rye.jsonl", "--engine", "spark"],
            "fieldguide: --engine spark: expected processes or dask.\n",
        ),
        (
            ["rye.jsonl", "--scheduler", "tcp://10.0.0.1:8786"],
            "fieldguide: --scheduler is the address of a Dask cluster; add --engine dask.\n",
        ),
    ],
)
def test_wrong_use(arguments: list[str], message: str) -> None:
    Path("rye.jsonl").write_text('{"title": "Rye"}\n', encoding="utf-8")
    result = run(*arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", message)
    assert [path.name for path in Path().iterdir()] == ["rye.jsonl"]


def test_parquet_without_its_package_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    Path("rye.jsonl").write_text('{"title": "Rye"}\n', encoding="utf-8")
    result = run("rye.jsonl", "-o", "labels.parquet")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        snapshot("fieldguide: Parquet needs pyarrow: pip install 'fieldguide[scale]'.\n")
    )


def test_no_file_is_wrong_use() -> None:
    result = run()
    assert result.exit_code == 2
    assert "Missing argument" in result.stderr


def test_a_sheet_that_a_person_filled_stays() -> None:
    Path("rye.jsonl").write_text('{"title": "Rye"}\n', encoding="utf-8")
    run("rye.jsonl", "-o", "labels.csv")
    sheet = Path("labels.csv")
    rows = pd.read_csv(sheet, dtype=str).assign(note="mine")
    rows.to_csv(sheet, index=False)
    filled = sheet.read_text(encoding="utf-8")
    result = run("rye.jsonl", "-o", "labels.csv")
    assert result.exit_code == 1
    assert "has filled cells; nothing was written." in result.stderr
    assert sheet.read_text(encoding="utf-8") == filled


@pytest.mark.parametrize(("name", "code"), [("rye.jsonl", 2), ("./rye.jsonl", 2), ("notes.csv", 1)])
def test_neither_an_input_nor_a_file_of_somebody_else_is_replaced(name: str, code: int) -> None:
    Path("rye.jsonl").write_text('{"title": "Rye"}\n', encoding="utf-8")
    Path("notes.csv").write_text("day,mood\nMonday,good\n", encoding="utf-8")
    before = Path(name).read_bytes()
    result = run("rye.jsonl", "-o", name)
    reason = {
        2: "rye.jsonl is also an input.",
        1: "notes.csv exists and was not written by Fieldguide.",
    }[code]
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr == f"fieldguide: {reason} Choose another file with -o.\n"
    assert Path(name).read_bytes() == before


def interrupted(error: BaseException) -> Engine:
    """Return an engine that ends with `error` behind two chunks."""

    def engine(task: LabelTask, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, bytes]]:
        for chunk in chunks:
            if chunk.number == 2:
                raise error
            yield chunk, task(chunk)

    return engine


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "Stopped; nothing was written."),
        (WorkerError("A worker ended."), 1, "fieldguide: A worker ended."),
        (OutputError("The disk is full."), 1, "fieldguide: The disk is full."),
    ],
)
def test_an_interrupted_run_leaves_nothing(
    error: BaseException, code: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("new.jsonl").write_text(
        "".join(json.dumps({"title": f"Rye {number}"}) + "\n" for number in range(6)), "utf-8"
    )
    with monkeypatch.context() as patch:
        patch.setattr("classifier.scale.run.label_here", interrupted(error))
        result = run("new.jsonl", "-o", "labels.csv", "--chunk-size", "2")
    assert (result.exit_code, result.stdout, result.stderr) == (code, "", f"{message}\n")
    assert [path.name for path in Path().iterdir()] == ["new.jsonl"]


def test_a_run_that_is_told_to_end_ends_as_by_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(json.dumps({"title": f"Rye {number}"}) + "\n" for number in range(6))
    Path("new.jsonl").write_text(lines, encoding="utf-8")

    def engine(task: LabelTask, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, bytes]]:
        for chunk in chunks:
            if chunk.number == 2:
                signal.raise_signal(signal.SIGTERM)
            yield chunk, task(chunk)

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr("classifier.scale.run.label_here", engine)
    result = run("new.jsonl", "-o", "labels.csv", "--chunk-size", "2")
    assert (result.exit_code, result.stderr) == (143, "Stopped; nothing was written.\n")
    assert signal.getsignal(signal.SIGTERM) == before


def test_records_that_are_passed_over_are_counted() -> None:
    Path("new.jsonl").write_text('{"title": "Rye"}\n{"title": "RYE"}\n', encoding="utf-8")
    result = run("new.jsonl", "-o", "labels.csv")
    assert result.stdout.startswith("1 paper labelled, ")
    assert result.stderr == (
        snapshot("1 record was skipped: an earlier record has the same id or title.\n")
    )


@pytest.mark.parametrize("output", [(), ("-o", "labels.csv")])
def test_records_of_which_none_is_a_paper_are_an_error(output: tuple[str, ...]) -> None:
    Path("new.jsonl").write_text('{"title": ""}\n{"title": ""}\n', encoding="utf-8")
    result = run("new.jsonl", *output)
    assert result.exit_code == 1
    assert result.stderr.endswith("none of 2 records could be read as a paper.\n")
    Path("new.jsonl").write_text('{"title": ""}\n{"title": "Rye"}\n', encoding="utf-8")
    assert run("new.jsonl", *output).exit_code == 0


def test_outside_a_project_the_shipped_model_is_used_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Input of every sort: no traceback, one row a paper. The bread project stands for ours."""
    monkeypatch.setattr("classifier.cli.options.embedded_project", lambda: Project(BREAD))
    for name, (content, _, _) in GOES_ON.items():
        if not name.startswith("long"):
            Path(name).write_bytes(content)
    names = sorted(path.name for path in Path().iterdir())
    words = ["label", *names, "-o", "labels.jsonl", "--workers", "1"]
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    assert done.stderr.startswith(
        "This folder is not in a project: using the model of the shipped survey (agentic AI).\n"
    )
    records = [json.loads(line) for line in Path("labels.jsonl").read_text("utf-8").splitlines()]
    assert [record["title"] for record in records] == ["Rye", "What the Starter Remembers"]


def test_a_warning_is_not_hidden_behind_notices(tmp_path: Path) -> None:
    """Of many files the notices of one, or of the project, are more than are shown."""
    project = tmp_path / "project"
    shutil.copytree(BREAD, project, ignore=shutil.ignore_patterns("out"))
    dated = '{{"title": "Crumb {}", "published": "soon"}}\n'
    papers = "".join(dated.format(f"of its own {number}") for number in range(25))
    (project / "papers" / "dated.jsonl").write_text(papers, encoding="utf-8")
    Path("a.jsonl").write_text("".join(map(dated.format, range(25))), encoding="utf-8")
    abstract = "We bake loaves of rye and of wheat and measure how firm the crumb is. "
    rows = "".join(f"Loaf {number},{abstract * 3}{number}\n" for number in range(9))
    Path("b.csv").write_text(f"title,Zusammenfassung des Textes\n{rows}", encoding="utf-8")
    told = run("a.jsonl", "b.csv", "--project", project).stderr.splitlines()
    faults = [line for line in told if ": warning: " in line or ": notice: " in line]
    assert faults[0].startswith("b.csv:1: warning: found unknown column")
    assert {line.partition(":")[0] for line in faults} == {"a.jsonl", "b.csv"}
