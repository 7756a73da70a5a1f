"""Work shared with worker processes gives the same outcome as work done in this process."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from classifier import parallel
from classifier.parallel import MIN_PAPERS, background_map, parallel_map
from classifier.pipeline import compute
from classifier.project import Project

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks safely")


@pytest.fixture(autouse=True)
def three_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "usable_cores", lambda: 3)


def double(item: int) -> tuple[int, int]:
    """Return twice `item`, and the process that computed it."""
    time.sleep(0.01)
    return item * 2, os.getpid()


@linux_only
def test_several_workers_share_the_items_and_the_order_stays() -> None:
    found = parallel_map(double, range(90), MIN_PAPERS)
    assert [doubled for doubled, _ in found] == list(range(0, 180, 2))
    assert len({process for _, process in found}) > 1


@linux_only
def test_workers_start_before_the_result_is_needed() -> None:
    begun_at = time.monotonic()
    with background_map(lambda _: time.sleep(0.4), range(3), MIN_PAPERS) as finish:
        time.sleep(0.5)
        finish()
    assert time.monotonic() - begun_at < 5


@linux_only
def test_the_work_may_be_a_closure_over_what_cannot_be_pickled() -> None:
    lock = multiprocessing.get_context("fork").Lock()
    assert parallel_map(lambda item: item if lock else 0, range(9), MIN_PAPERS) == list(range(9))


def test_little_work_is_done_in_this_process() -> None:
    processes = {process for _, process in parallel_map(double, range(5), MIN_PAPERS - 1)}
    assert processes == {os.getpid()}


def test_a_worker_starts_no_workers() -> None:
    def inner(_: int) -> tuple[int, set[int]]:
        return os.getpid(), {pid for _, pid in parallel_map(double, range(9), MIN_PAPERS)}

    assert all(used == {own} for own, used in parallel_map(inner, range(3), MIN_PAPERS)) or (
        sys.platform != "linux"
    )


def test_progress_is_reported() -> None:
    calls: list[tuple[int, int]] = []
    parallel_map(abs, range(4), MIN_PAPERS, lambda done, total: calls.append((done, total)))
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_an_error_in_a_worker_is_raised_here() -> None:
    def fail_at_seven(item: int) -> int:
        if item == 7:
            raise KeyError("seven")
        return item

    with pytest.raises(KeyError, match="seven"):
        parallel_map(fail_at_seven, range(10), MIN_PAPERS)
    assert not multiprocessing.active_children()


@linux_only
def test_the_work_of_a_killed_worker_is_done_here() -> None:
    here = os.getpid()

    def die_elsewhere(item: int) -> int:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return item

    assert parallel_map(die_elsewhere, range(10), MIN_PAPERS) == list(range(10))


def test_without_room_for_processes_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refuse)
    found = parallel_map(double, range(9), MIN_PAPERS)
    assert {process for _, process in found} == {os.getpid()}


@linux_only
def test_workers_end_with_the_block_and_print_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    def pause(_: int) -> None:
        time.sleep(60)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        with suppress(KeyboardInterrupt), background_map(pause, [1, 2], MIN_PAPERS):
            time.sleep(0.1)
            raise KeyboardInterrupt
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not multiprocessing.active_children()
    assert capfd.readouterr() == ("", "")


def test_a_survey_has_the_same_bytes_on_one_core_and_on_three(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(root / "tests" / "golden" / "project")
    alone = compute(project).files
    monkeypatch.setattr(parallel, "MIN_PAPERS", 1)
    assert compute(project).files == alone
