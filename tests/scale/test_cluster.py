"""Labels from a real Dask cluster on this machine: the same bytes, whatever becomes of workers."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import UsageError, WorkerError
from classifier.files.writing import new_file
from classifier.scale.chunks import Chunk, InputTexts
from classifier.scale.joining import Part
from classifier.scale.processes import label_here
from classifier.scale.run import LabelOptions, run_to_stream
from classifier.scale.tasks import Engine, LabelModel, LabelTask
from tests.scale.loaves import records

label_on_cluster = pytest.importorskip("classifier.scale.cluster").label_on_cluster

Write = Callable[[str, Sequence[object]], Path]
PACKAGE = Path(__file__).resolve().parents[2]
_ADDRESS = re.compile(r"tcp://[\d.]+:\d+")
_HERE_ALONE = ("--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0")
"""Without these, each of them listens to every machine around, with --no-dashboard, too."""


@dataclass
class Cluster:
    """A scheduler and two workers, each a process of its own."""

    address: str
    workers: list[subprocess.Popen[str]]


def start(*words: str) -> subprocess.Popen[str]:
    """Start a part of a cluster in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]],
        env=os.environ | {"PYTHONPATH": str(PACKAGE), "DASK_LOGGING__DISTRIBUTED": "info"},
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def scheduler() -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """Give the address of a scheduler, and a list of processes that end with it."""
    first = start("dask_scheduler", "--port", "0", *_HERE_ALONE)
    processes = [first]
    try:
        assert first.stderr is not None
        yield next(found[0] for line in first.stderr if (found := _ADDRESS.search(line))), processes
    finally:
        for process in processes:
            process.kill()
            process.wait()
            if process.stderr is not None:
                process.stderr.close()


@pytest.fixture(scope="module")
def idle() -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """A scheduler without workers, until `cluster` starts two."""
    with scheduler() as started:
        yield started


@pytest.fixture(scope="module")
def cluster(
    idle: tuple[str, list[subprocess.Popen[str]]], tmp_path_factory: pytest.TempPathFactory
) -> Cluster:
    address, processes = idle
    scratch = str(tmp_path_factory.mktemp("workers"))
    options = ["--nthreads", "1", "--no-nanny", *_HERE_ALONE, "--local-directory", scratch]
    workers = [start("dask_worker", address, *options) for _ in range(2)]
    processes += workers
    return Cluster(address, workers)


def run(model: LabelModel, source: Path, output: Path, engine: Engine) -> None:
    """Label a file in chunks of few records."""
    texts, task = InputTexts([source], output.parent), LabelTask(model, output.suffix)
    with new_file(output) as stream:
        run_to_stream(stream, texts, task, lambda _: engine, 5)


def test_a_cluster_without_workers_is_not_waited_for_without_end(
    idle: tuple[str, list[subprocess.Popen[str]]],
    model: LabelModel,
    write: Write,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It stands before the test for which the scheduler gets workers."""
    address, _ = idle
    monkeypatch.setattr("classifier.scale.cluster._MAX_SECONDS_WITHOUT_WORKER", 0.1)
    source = write("new.jsonl", records(9))
    with pytest.raises(WorkerError) as error:
        run(
            model,
            source,
            tmp_path / "there.csv",
            lambda task, chunks: label_on_cluster(task, chunks, 1, address),
        )
    assert str(error.value).startswith("The cluster has had no worker for ")
    assert [path.name for path in tmp_path.iterdir()] == ["new.jsonl"]


def test_a_lost_worker_loses_no_part(
    cluster: Cluster, model: LabelModel, write: Write, tmp_path: Path
) -> None:
    source = write("new.jsonl", records(120))
    run(model, source, tmp_path / "here.jsonl", label_here)

    def engine(task: LabelTask, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Part]]:
        for chunk, part in label_on_cluster(task, chunks, 2, cluster.address):
            if chunk.number == 4:
                os.kill(cluster.workers[0].pid, signal.SIGKILL)
            yield chunk, part

    run(model, source, tmp_path / "there.jsonl", engine)
    assert cluster.workers[0].wait() == -signal.SIGKILL
    assert (tmp_path / "there.jsonl").read_bytes() == (tmp_path / "here.jsonl").read_bytes()


def test_a_cluster_of_this_machine_is_started(
    model: LabelModel, write: Write, tmp_path: Path
) -> None:
    source = write("new.jsonl", records(40))
    run(model, source, tmp_path / "here.jsonl", label_here)
    run(
        model,
        source,
        tmp_path / "there.jsonl",
        lambda task, chunks: label_on_cluster(task, chunks, 1),
    )
    assert (tmp_path / "there.jsonl").read_bytes() == (tmp_path / "here.jsonl").read_bytes()


def test_an_address_is_tried_before_anything_is_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("classifier.scale.cluster._CONNECT_SECONDS", 1)
    with pytest.raises(UsageError, match="no scheduler answers at this address"):
        LabelOptions(engine="dask", scheduler="tcp://127.0.0.1:9").check_engine()


def test_where_no_scheduler_is_it_is_told(
    model: LabelModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("classifier.scale.cluster._CONNECT_SECONDS", 1)
    with pytest.raises(UsageError) as error:
        next(label_on_cluster(LabelTask(model, ".csv"), iter(()), 1, "tcp://127.0.0.1:9"))
    assert str(error.value) == (
        snapshot(
            "tcp://127.0.0.1:9: no scheduler answers at this address. --scheduler expects an address "
            "such as tcp://10.0.0.1:8786."
        )
    )
