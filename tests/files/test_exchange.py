"""Two folders change places, or the caller is told that they cannot."""

from __future__ import annotations

import ctypes
import errno
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from classifier.files.exchange import exchange


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "name").write_text(name, encoding="utf-8")
    return tmp_path / "one", tmp_path / "other"


def system_says(code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the system refuse with an error number."""

    def refuse(*_: Any) -> int:
        ctypes.set_errno(code)
        return -1

    library = SimpleNamespace(renameat2=refuse, renamex_np=refuse)
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: library)
    monkeypatch.setattr(sys, "platform", "linux")


def test_each_has_what_the_other_had(folders: tuple[Path, Path]) -> None:
    if not exchange(*folders):
        pytest.skip("this file system cannot")
    assert [(each / "name").read_text("utf-8") for each in folders] == ["other", "one"]


@pytest.mark.parametrize("code", [errno.ENOSYS, errno.EINVAL, errno.ENOTSUP])
def test_a_system_that_cannot_is_no_fault(
    code: int, folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    system_says(code, monkeypatch)
    assert exchange(*folders) is False


def test_a_system_that_may_not_is_one(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    system_says(errno.EACCES, monkeypatch)
    with pytest.raises(PermissionError):
        exchange(*folders)


def test_other_systems_are_not_asked(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert exchange(*folders) is False


def test_an_old_library_does_not_know_how(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: SimpleNamespace())
    monkeypatch.setattr(sys, "platform", "linux")
    assert exchange(*folders) is False
