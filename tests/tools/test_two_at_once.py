"""Two commands that write the same: one waits or is refused, and nothing is mixed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from classifier.errors import OutputError
from classifier.files.lock import LOCK, sole_writer, tell_waiting
from classifier.pipeline import build
from classifier.project import Project

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "project"
HOLD = """
import sys
from pathlib import Path
from classifier.files.lock import sole_writer
with sole_writer(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return Path(shutil.copytree(GOLDEN, tmp_path / "bread"))


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that writes `out` until it is told to end."""
    command = [sys.executable, "-c", HOLD, str(tmp_path / "out")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, env=_environment(), **pipes) as process:  # type: ignore[call-overload]
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}


def start(project: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "classifier", *arguments],
        cwd=project,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_who_comes_second_is_refused(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    told: list[str] = []
    asked = tell_waiting.set(told.append)
    with pytest.raises(OutputError) as caught, sole_writer(tmp_path / "out", patience=0.1):
        pass
    tell_waiting.reset(asked)
    assert str(caught.value) == (
        f"{tmp_path / 'out'}: is being written by another process; nothing was written. Wait until "
        "it finishes, or end it, then run the command again."
    )
    assert told == [f"Waiting for another process, which writes {tmp_path / 'out'} …"]


def test_who_waits_long_enough_has_it(tmp_path: Path, holder: subprocess.Popen[str]) -> None:
    threading.Timer(0.3, lambda: holder.stdin and holder.stdin.close()).start()
    with sole_writer(tmp_path / "out", patience=30):
        pass
    assert os.listdir(tmp_path) == []


def test_the_lock_of_a_process_that_was_killed_is_taken_over(
    tmp_path: Path, holder: subprocess.Popen[str]
) -> None:
    holder.kill()
    holder.wait()
    assert os.listdir(tmp_path) == [f".out{LOCK}"]
    with sole_writer(tmp_path / "out", patience=0):
        assert os.listdir(tmp_path) == [f".out{LOCK}"]
    assert os.listdir(tmp_path) == []


def test_who_holds_a_lock_may_take_it_again_and_write_below(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with sole_writer(tmp_path / "out"), sole_writer(tmp_path / "out"):
        with sole_writer(tmp_path / "out" / "labels.csv"):
            assert os.listdir(tmp_path / "out") == []
        assert f".out{LOCK}" in os.listdir(tmp_path)


def test_another_thread_is_another_writer(tmp_path: Path) -> None:
    refused: list[str] = []

    def other() -> None:
        try:
            with sole_writer(tmp_path / "out", patience=0):
                pass
        except OutputError as error:
            refused.append(str(error))

    with sole_writer(tmp_path / "out"):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert len(refused) == 1


def test_a_missing_folder_is_not_made_for_a_lock(tmp_path: Path) -> None:
    with sole_writer(tmp_path / "not" / "there"):
        assert os.listdir(tmp_path) == []


def test_two_builds_and_an_apply_at_once(project: Path) -> None:
    """Whoever comes second waits, or on a busy machine is refused; nothing is mixed."""
    build(Project(project), project / "out")
    survey = {path: path.read_bytes() for path in project.glob("out/**/*.html")}
    together(project, ["build"], ["review", "apply"], ["build"])
    assert {path: path.read_bytes() for path in project.glob("out/**/*.html")} == survey
    assert sorted(os.listdir(project)) == [".fieldguide", "out", "papers", "taxonomy"]


def together(project: Path, *commands: list[str]) -> None:
    """Run commands at the same time; one at least is good, and none that is not is silent."""
    running = [start(project, *command) for command in commands]
    ended = [(each.communicate(timeout=200)[1], each.returncode) for each in running]
    for said, code in ended:
        assert not code or "; nothing was written. Wait until it finishes" in said, said
    assert not all(code for _, code in ended)


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(
    ("number", "code"),
    [
        pytest.param(signal.SIGINT, 130, id="Ctrl-C"),
        pytest.param(signal.SIGTERM, 143, id="kill"),
    ],
)
def test_a_command_that_is_told_to_stop_says_so_in_one_line(
    project: Path, number: signal.Signals, code: int
) -> None:
    build = start(project, "build")
    lock = project / f".out{LOCK}"
    while not lock.exists() and build.poll() is None:  # by then the command has begun
        time.sleep(0.01)
    build.send_signal(number)
    _, said = build.communicate(timeout=60)
    assert said == "Stopped; nothing was written.\n"
    assert build.returncode in (code, -number)  # Python may end by the signal itself
    assert sorted(os.listdir(project)) == ["papers", "taxonomy"]
