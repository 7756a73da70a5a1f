"""Work that forks of this process share: the same outcome as here, whatever happens to a fork."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import time
from pathlib import Path

import pytest

from classifier import forks
from classifier.forks import FEW, Remembered, begun, spread
from classifier.pipeline import compute
from classifier.project import Project
from classifier.text.clean import clean_abstract

MANY = 2 * FEW
needs_forks = pytest.mark.skipif(sys.platform != "linux", reason="forks are safe on Linux only")


@pytest.fixture(autouse=True)
def three_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forks, "usable_cores", lambda: 3)


def told(item: int) -> tuple[int, int]:
    time.sleep(0.01)  # as long as it takes another one to begin
    return item * 2, os.getpid()


@needs_forks
def test_every_core_takes_items_and_the_order_stays() -> None:
    found = spread(told, range(90), MANY)
    assert [doubled for doubled, _ in found] == list(range(0, 180, 2))
    assert len({process for _, process in found}) == 3


@needs_forks
def test_forks_begin_before_the_rest_is_done_here() -> None:
    with begun(told, range(30), MANY) as finish:
        time.sleep(0.5)
        assert os.getpid() not in {process for _, process in finish()}


@needs_forks
def test_no_more_processes_work_at_a_time_than_there_are_cores() -> None:
    here = os.getpid()
    with begun(lambda _: time.sleep(2), range(4), MANY):  # one more each for both forks
        assert {process for _, process in spread(told, range(30), MANY)} == {here}
    assert len({process for _, process in spread(told, range(90), MANY)}) > 1


def test_very_many_items_are_taken_by_several() -> None:
    assert spread(abs, range(25_000), MANY) == list(range(25_000))


@needs_forks
def test_what_forks_have_read_is_remembered_here() -> None:
    where = Remembered(lambda text: (time.sleep(0.01), os.getpid())[1])
    texts = [f"text {number}" for number in range(MANY)]
    where.ask(texts)
    told = [where(text) for text in texts]
    assert len(set(told)) == 3
    assert where("another text") == os.getpid()
    assert [where(text) for text in texts] == told


def test_the_texts_read_last_alone_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Remembered, "most", 3)
    read: list[str] = []
    length = Remembered(lambda text: read.append(text) or len(text))
    length.ask(["a", "b", "a", "c", "d"])
    assert [length(text) for text in "abcdd"] == [1, 1, 1, 1, 1]
    assert read == ["a", "b", "c", "d"]
    length("b")  # "a" alone had to go
    assert read == ["a", "b", "c", "d"]


def test_what_is_remembered_is_pickled_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(clean_abstract)) is clean_abstract


def test_little_work_is_done_here() -> None:
    assert set(spread(lambda _: os.getpid(), range(10), FEW - 1)) == {os.getpid()}


def test_nothing_is_forked_in_a_fork() -> None:
    here = os.getpid()

    def inner(_: int) -> set[int]:
        time.sleep(0.1)
        return set() if os.getpid() == here else {pid for _, pid in spread(told, range(9), MANY)}

    assert {len(found) for found in spread(inner, range(3), MANY)} <= {0, 1}


def test_what_fails_in_a_fork_fails_here_with_its_own_error() -> None:
    def work(item: int) -> int:
        if item == 7:
            raise KeyError("seven")
        return item

    with pytest.raises(KeyError, match="seven"):
        spread(work, range(10), MANY)
    assert not multiprocessing.active_children()


@needs_forks
def test_the_share_of_a_fork_that_is_killed_is_done_here() -> None:
    here = os.getpid()

    def work(item: int) -> int:
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return item

    assert spread(work, range(10), MANY) == list(range(10))


def test_a_system_without_room_for_processes_has_the_work_done_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full() -> int:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", full)
    assert {process for _, process in spread(told, range(9), MANY)} == {os.getpid()}


@needs_forks
def test_a_fork_that_is_killed_amid_its_answer_has_its_items_done_here() -> None:
    here = os.getpid()

    class Late:
        def __reduce__(self) -> tuple[type[Late], tuple[()]]:
            if os.getpid() != here:
                os.kill(os.getpid(), signal.SIGKILL)
            return Late, ()

    def work(_: int) -> Late:
        time.sleep(0.01)
        return Late()

    assert all(isinstance(each, Late) for each in spread(work, range(9), MANY))


@needs_forks
def test_a_fork_ends_with_its_block() -> None:
    with pytest.raises(KeyboardInterrupt), begun(lambda _: signal.pause(), [1, 2], MANY):
        raise KeyboardInterrupt
    assert not multiprocessing.active_children()


@needs_forks
def test_a_fork_says_nothing_where_the_process_answers_signals(
    capfd: pytest.CaptureFixture[str],
) -> None:
    def told_to_stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, told_to_stop)
    try:
        for _ in range(30):  # ended while they begin, while they work and while they answer
            with begun(told, [1, 2], MANY):
                pass
            assert spread(told, range(4), MANY)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert capfd.readouterr() == ("", "")


def test_a_survey_has_the_same_bytes_on_one_core_and_on_three(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(root / "tests" / "golden" / "project")
    alone = compute(project).files
    monkeypatch.setattr(forks, "FEW", 1)
    assert compute(project).files == alone
