"""Chunks labelled by processes: in their order, read as they are needed, and none left behind."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import WorkerError
from classifier.parallel import usable_cores
from classifier.scale.chunks import Chunk
from classifier.scale.processes import label_in_processes
from tests.scale.loaves import CountingTask, DeadlyTask


def test_chunks_come_in_their_order_and_are_read_as_they_are_needed() -> None:
    read: list[int] = []

    def chunks() -> Iterator[Chunk]:
        for number in range(50):
            read.append(number)
            yield Chunk(number, (), 0)

    labelled = label_in_processes(CountingTask(), chunks(), 2)  # type: ignore[arg-type]
    assert next(labelled)[1] == b"0"
    assert len(read) < 10
    assert [(chunk.number, part) for chunk, part in labelled] == [
        (number, str(number).encode()) for number in range(1, 50)
    ]
    assert len(read) == 50


def test_a_worker_that_is_lost_ends_the_run() -> None:
    chunks = (Chunk(number, (), 0) for number in range(9))
    with pytest.raises(WorkerError) as error:
        list(label_in_processes(DeadlyTask(), chunks, 2))  # type: ignore[arg-type]
    assert str(error.value) == (
        snapshot(
            "A worker process ended early, perhaps because memory ran out. Use fewer --workers "
            "(now 2)."
        )
    )


def test_a_run_that_is_left_leaves_no_process() -> None:
    others = multiprocessing.active_children()
    chunks = (Chunk(number, (), 0) for number in range(9))
    labelled = label_in_processes(CountingTask(), chunks, 1)  # type: ignore[arg-type]
    next(labelled)
    labelled.close()  # type: ignore[attr-defined]
    for process in multiprocessing.active_children():
        process.join(20)
    assert set(multiprocessing.active_children()) <= set(others)


def test_there_is_a_core() -> None:
    assert usable_cores() >= 1


def test_a_program_that_labels_is_not_run_again_in_each_worker(tmp_path: Path) -> None:
    """Few who write ten lines to label a file begin them with `if __name__ == "__main__":`."""
    program = tmp_path / "program.py"
    program.write_text(
        "from classifier.scale.chunks import Chunk\n"
        "from classifier.scale.processes import label_in_processes\n"
        "from tests.scale.loaves import CountingTask\n"
        "found = label_in_processes(CountingTask(), iter([Chunk(7, (), 0)]), 1)\n"
        "print([part for _, part in found])\n",
        encoding="utf-8",
    )
    root = Path(__file__).resolve().parents[2]
    run = subprocess.run(
        [sys.executable, str(program)],
        env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stdout, run.stderr, run.returncode) == ("[b'7']\n", "", 0)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="the system has no process groups")
def test_ctrl_c_while_workers_start_prints_no_traceback(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import os, signal\n"
        "from classifier.scale.chunks import Chunk\n"
        "from classifier.scale.processes import label_in_processes\n"
        "from tests.scale.loaves import CountingTask\n"
        "def chunks():\n"
        "    yield Chunk(0, (), 0)\n"
        "    os.killpg(0, signal.SIGINT)  # as a terminal does\n"
        "    yield Chunk(1, (), 0)\n"
        "try:\n"
        "    list(label_in_processes(CountingTask(), chunks(), 2))\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n",
        encoding="utf-8",
    )
    root = Path(__file__).resolve().parents[2]
    run = subprocess.run(
        [sys.executable, str(program)],
        env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )
    assert (run.stdout, run.stderr) == ("stopped\n", "")
