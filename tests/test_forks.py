"""Work that forks of this process share: the same outcome as here, whatever happens to a fork."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from pathlib import Path

import pytest

from classifier import forks
from classifier.forks import FEW, forked, spread
from classifier.pipeline import compute
from classifier.project import Project

MANY = FEW + 1
needs_forks = pytest.mark.skipif(sys.platform != "linux", reason="forks are safe on Linux only")


@pytest.fixture(autouse=True)
def three_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forks, "usable_cores", lambda: 3)


@needs_forks
def test_every_core_does_a_share_and_the_order_stays() -> None:
    found = spread(lambda item: (item * 2, os.getpid()), range(10), MANY)
    assert [doubled for doubled, _ in found] == list(range(0, 20, 2))
    assert len({process for _, process in found}) == 3
    assert found[0][1] == os.getpid()


def test_little_work_is_done_here() -> None:
    assert set(spread(lambda _: os.getpid(), range(10), FEW)) == {os.getpid()}


def test_nothing_is_forked_in_a_fork() -> None:
    def inner(_: int) -> bool:
        return len(set(spread(lambda _: os.getpid(), range(10), MANY))) == 1

    assert spread(inner, range(3), MANY)[1:] == [True, True]


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


@needs_forks
def test_a_fork_ends_with_its_block() -> None:
    with pytest.raises(KeyboardInterrupt), forked(signal.pause, MANY):
        raise KeyboardInterrupt
    assert not multiprocessing.active_children()


def test_a_survey_has_the_same_bytes_on_one_core_and_on_three(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(root / "tests" / "golden" / "project")
    alone = compute(project).files
    monkeypatch.setattr(forks, "FEW", 0)
    assert compute(project).files == alone
