"""Runs to a file: the same bytes whatever the chunks, the workers and the interruptions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from classifier.commands.label import label_to
from classifier.errors import OutputError, UsageError
from classifier.files.parts import PartsFolder
from classifier.project import Project
from classifier.scale import formats
from classifier.scale.chunks import Chunk, InputTexts
from classifier.scale.label_model import LabelModel, LabelTask
from classifier.scale.options import LabelOptions
from classifier.scale.processes import label_here, label_in_processes
from classifier.scale.run import Engine, Run, run_to_file
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
    restart: bool = False,
) -> Run:
    """Label a file, and go on from the parts that are there."""
    texts, task = InputTexts([source], source.parent), LabelTask(model, output.suffix)
    parts = PartsFolder(output, {"the input": source.read_text("utf-8"), "the chunk size": size})
    parts.open(restart=restart)
    return run_to_file(output, texts, task, lambda _: engine, parts, size, lambda *_: None)


class InterruptionError(Exception):
    """What ends a run in the middle."""


def interrupt(output: object) -> None:
    raise InterruptionError


def label_some(count: int) -> Engine:
    """Return an engine that is interrupted behind some chunks."""

    def engine(task: LabelTask, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, bytes]]:
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


def never(task: LabelTask, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, bytes]]:
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
    for size in (1, 7, 1000):
        output = tmp_path / f"labels{ending}"
        told = run(model, source, output, size)
        made.add(output.read_bytes())
        assert (told.papers, told.passed_over) == (42, 3)
    assert len(made) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [output.name, source.name]


def test_the_bytes_are_the_same_from_two_processes(
    source: Path, model: LabelModel, tmp_path: Path
) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    run(model, source, one, 1000)
    run(model, source, two, 7, engine=lambda task, chunks: label_in_processes(task, chunks, 2))
    assert two.read_bytes() == one.read_bytes()


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_row_groups_do_not_depend_on_chunks(
    size: int, source: Path, model: LabelModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(formats, "ROWS_A_GROUP", 10)
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
    monkeypatch.setattr(formats, "MOST_WORKBOOK_ROWS", 20)
    with pytest.raises(UsageError, match="found more than 20 papers; a workbook holds no more"):
        run(model, source, tmp_path / "labels.xlsx", 7)
    assert not (tmp_path / "labels.xlsx").exists()


# --- interruptions --------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_interrupted_run_goes_on_with_what_is_missing(
    ending: str, source: Path, model: LabelModel, tmp_path: Path
) -> None:
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    whole, output = tmp_path / f"whole{ending}", tmp_path / f"labels{ending}"
    run(model, source, whole, 7)
    with pytest.raises(InterruptionError):
        run(model, source, output, 7, engine=label_some(4))
    assert not output.exists()
    told = run(model, source, output, 7)
    assert output.read_bytes() == whole.read_bytes()
    assert (told.labelled, told.papers) == (45 - 4 * 7 + 1, 42)  # one of 28 lines is no record
    assert not PartsFolder(output).path.exists()


def test_a_run_that_was_finished_but_for_its_file_labels_nothing(
    source: Path, model: LabelModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "labels.jsonl"
    with monkeypatch.context() as patch:
        patch.setattr(formats.LabelFile, "close", interrupt)
        with pytest.raises(InterruptionError):
            run(model, source, output, 7)
    assert run(model, source, output, 7, engine=never).papers == 42


def test_a_part_that_is_torn_is_made_again(source: Path, model: LabelModel, tmp_path: Path) -> None:
    whole, output = tmp_path / "whole.jsonl", tmp_path / "labels.jsonl"
    run(model, source, whole, 7)
    with pytest.raises(InterruptionError):
        run(model, source, output, 7, engine=label_some(4))
    torn = sorted(PartsFolder(output).path.glob("*.part"))[1]
    torn.write_bytes(torn.read_bytes()[:-7])
    run(model, source, output, 7)
    assert output.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("restart", [True, False])
def test_parts_of_another_input_are_not_used(
    restart: bool, source: Path, model: LabelModel, tmp_path: Path
) -> None:
    output = tmp_path / "labels.jsonl"
    with pytest.raises(InterruptionError):
        run(model, source, output, 7, engine=label_some(4))
    if not restart:
        source.write_text('{"title": "Salt"}\n{"title": "Rye"}\n', encoding="utf-8")
    told = run(model, source, output, 1, restart=restart)
    assert told.labelled == (45 if restart else 2)


def test_a_short_input_leaves_no_parts(source: Path, model: LabelModel, tmp_path: Path) -> None:
    output = tmp_path / "labels.jsonl"
    with pytest.raises(InterruptionError):
        run(model, source, output, 1000, engine=label_some(0))
    assert not PartsFolder(output).path.exists()


def test_parts_of_somebody_else_are_not_replaced(
    source: Path, model: LabelModel, tmp_path: Path
) -> None:
    (tmp_path / "labels.jsonl.parts").mkdir()
    (tmp_path / "labels.jsonl.parts" / "engine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError, match=r"labels\.jsonl\.parts: exists and was not written by"):
        run(model, source, tmp_path / "labels.jsonl", 7)


# --- the whole ------------------------------------------------------------------------------------


def test_parts_of_another_model_are_not_used(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(tmp_path / "bread")
    shutil.copytree(BREAD.root, project.root)
    output, options = tmp_path / "labels.jsonl", LabelOptions(workers=1, chunk_size=7)
    told: list[str] = []
    for count in (4, 5):
        with monkeypatch.context() as patch:
            patch.setattr("classifier.scale.options.label_here", label_some(count))
            with pytest.raises(InterruptionError):
                label_to(output, project, [source], options, outdated=told.append)
    assert told == []  # nothing has changed
    project.ledger_file.unlink()
    assert label_to(output, project, [source], options, outdated=told.append).run.labelled == 45
    assert told == ["the model"]


def test_a_run_that_is_killed_goes_on(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real program, ended by the system in the middle, then called again."""
    source, output = write("long.jsonl", records(600)), tmp_path / "labels.csv"
    command = [sys.executable, "-m", "classifier", "label", source.name, "-o", output.name]
    command += ["--project", str(BREAD.root), "--chunk-size", "20", "--workers", "2"]
    environment = os.environ | {"PYTHONPATH": str(PACKAGE)}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, start_new_session=True)
    parts = PartsFolder(output).path
    while len(list(parts.glob("*.part"))) < 3 and process.poll() is None:
        time.sleep(0.02)
    process.kill()
    process.wait()
    while is_running(process.pid):  # its workers end with it, or the test runs out of time
        time.sleep(0.02)
    assert not output.exists()
    assert len(list(parts.glob("*.part"))) >= 3
    monkeypatch.chdir(tmp_path)
    options = LabelOptions(workers=1, chunk_size=20)
    told = label_to(output, BREAD, [Path(source.name)], options)
    assert told.run.labelled <= 605 - 3 * 20 + 1
    assert (told.run.papers, parts.exists()) == (602, False)
    whole = tmp_path / "whole.csv"
    label_to(whole, BREAD, [source], LabelOptions(workers=1))
    assert output.read_bytes() == whole.read_bytes()
