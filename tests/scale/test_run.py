"""Runs to a file: the same bytes whatever the chunks and the workers."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from classifier.errors import UsageError
from classifier.files.writing import new_file
from classifier.scale import formats
from classifier.scale.chunks import Chunk, InputTexts
from classifier.scale.joining import Part, Run
from classifier.scale.processes import label_here, label_in_processes
from classifier.scale.run import run_to_stream
from classifier.scale.tasks import Engine, LabelModel, LabelTask
from tests.scale.loaves import BREAD, records

Write = Callable[[str, Sequence[object]], Path]
ENDINGS = [".csv", ".jsonl", ".parquet", ".xlsx"]
PACKAGE = Path(__file__).resolve().parents[2]


@pytest.fixture
def source(write: Write) -> Path:
    return write("new.jsonl", records(40))


def run(
    model: LabelModel,
    source: Path,
    output: Path,
    size: int,
    *,
    engine: Engine = label_here,
) -> Run:
    """Label a file."""
    texts, task = InputTexts([source], source.parent), LabelTask(model, output.suffix)
    with new_file(output) as stream:
        return run_to_stream(stream, texts, task, lambda _: engine, size)


class InterruptionError(Exception):
    """What ends a run in the middle."""


def interrupt(output: object) -> None:
    raise InterruptionError


def interrupt_cut(texts: InputTexts, size: int) -> Iterator[Chunk]:
    raise InterruptionError


def label_some(count: int) -> Engine:
    """Return an engine that is interrupted behind some chunks."""

    def engine(task: LabelTask, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Part]]:
        for chunk in chunks:
            if chunk.number == count:
                raise InterruptionError
            yield chunk, task(chunk)

    return engine


def is_running(group: int) -> bool:
    """Say whether a process of a group is still there."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def never(task: LabelTask, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Part]]:
    """Fail where there is anything left to label."""
    assert list(chunks) == []
    yield from ()


# --- the same bytes -------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_bytes_are_the_same_whatever_a_chunk_holds(
    ending: str, source: Path, model: LabelModel, tmp_path: Path
) -> None:
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    made = set()
    for size in (3, 1000):
        output = tmp_path / f"labels{ending}"
        told = run(model, source, output, size)
        made.add(output.read_bytes())
        assert (told.papers, told.skipped) == (42, 3)
    assert len(made) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [output.name, source.name]


def test_the_bytes_are_the_same_from_two_processes(
    source: Path, model: LabelModel, tmp_path: Path
) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    run(model, source, one, 1000)
    run(model, source, two, 7, engine=lambda task, chunks: label_in_processes(task, chunks, 2))
    assert two.read_bytes() == one.read_bytes()


@pytest.mark.parametrize("size", [7, 1000])
def test_row_groups_do_not_depend_on_chunks(
    size: int, source: Path, model: LabelModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(formats, "ROWS_PER_GROUP", 10)
    output = tmp_path / "labels.parquet"
    run(model, source, output, size)
    told = parquet.read_metadata(output)
    assert [told.row_group(n).num_rows for n in range(told.num_row_groups)] == [10, 10, 10, 10, 2]


def test_a_row_with_a_carriage_return_changes_no_other(
    write: Write, model: LabelModel, tmp_path: Path
) -> None:
    rye, oats = {"title": "Rye"}, {"title": "Oats\rand salt", "abstract": "We bake."}
    alone, output = tmp_path / "alone.csv", tmp_path / "labels.csv"
    run(model, write("a.jsonl", [rye]), alone, 1000)
    run(model, write("b.jsonl", [rye, oats]), output, 1)
    assert output.read_bytes().startswith(alone.read_bytes())


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_paper_gives_a_file_without_rows(ending: str, model: LabelModel, tmp_path: Path) -> None:
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    source = tmp_path / "header.tsv"
    source.write_text("title\tabstract\n", encoding="utf-8")
    output = tmp_path / f"labels{ending}"
    assert run(model, source, output, 7).papers == 0
    assert (output.stat().st_size > 0) is (ending != ".jsonl")


def test_a_workbook_holds_only_so_many_rows(
    source: Path, model: LabelModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "MAX_WORKBOOK_ROWS", 20)
    with pytest.raises(UsageError, match="the maximum number of rows of a worksheet"):
        run(model, source, tmp_path / "labels.xlsx", 7)
    assert not (tmp_path / "labels.xlsx").exists()


# --- interruptions --------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_interrupted_run_leaves_nothing(
    ending: str, source: Path, model: LabelModel, tmp_path: Path
) -> None:
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    output = tmp_path / f"labels{ending}"
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InterruptionError):
        run(model, source, output, 7, engine=label_some(4))
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_table_whose_first_papers_cannot_be_read_is_closed(
    source: Path, model: LabelModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr("classifier.scale.run.cut_chunks", interrupt_cut)
    with pytest.raises(InterruptionError):
        run(model, source, tmp_path / "labels.parquet", 7)
    gc.collect()
    assert not (tmp_path / "labels.parquet").exists()


def test_the_workers_of_a_run_that_is_killed_end_with_it(write: Write, tmp_path: Path) -> None:
    """The real program, ended by the system in the middle."""
    source, output = write("long.jsonl", records(600)), tmp_path / "labels.csv"
    command = [sys.executable, "-m", "classifier", "label", source.name, "-o", output.name]
    command += ["--project", str(BREAD.root), "--chunk-size", "20", "--workers", "2"]
    environment = os.environ | {"PYTHONPATH": str(PACKAGE)}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, start_new_session=True)
    while not list(tmp_path.glob(".*labels.csv*")) and process.poll() is None:
        time.sleep(0.02)
    process.kill()
    process.wait()
    while is_running(process.pid):  # its workers end with it, or the test runs out of time
        time.sleep(0.02)
    assert not output.exists()
