"""Projects that were tampered with: links out of them, foreign folders, templates that climb."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from tools.hostile.cases import Case
from tools.hostile.project import copy_bread, fingerprint, run

_WORDS = ("write", "bytes", "link", "replace-by-link", "folder", "build")


def said_of_project(folder: Path, case: Case) -> list[str]:
    """Tamper with a copy of the golden project and build it: `built`, or what was refused.

    Whatever changed that no build may change, and a stray exception, is said, too.
    """
    home = folder / "home"
    outside = home / "outside"
    project = copy_bread(home / "project")
    (outside / "empty").mkdir(parents=True)
    (outside / "templates").mkdir()
    (outside / "precious.txt").write_text("precious\n", encoding="utf-8")
    shutil.copy(project / "taxonomy" / "reviews.csv", outside)
    for words, text in _steps(case.input):
        _tamper(project, words, text)
    before = _authored(home)
    ran = run("build", "--project", str(project))
    said = ["built"] if ran.code == 0 else [f"refused: {each}" for each in _found(ran.output)]
    changed = sorted({*before.items()} ^ {*_authored(home).items()})
    said += [f"ESCAPED {name}" for name, _ in changed if not name.startswith("outside/empty/")]
    return [*said, *([f"TRACEBACK {ran.traceback}"] if ran.traceback else [])]


def _authored(home: Path) -> dict[str, str]:
    found = fingerprint(home)
    if (home / "project" / "out").is_file():
        found["out"] = (home / "project" / "out").read_text(encoding="utf-8")
    return found


def _steps(text: str) -> Iterator[tuple[list[str], str]]:
    """Yield the words of each step, and the text that stands behind them."""
    words: list[str] = []
    held: list[str] = []
    for line in text.split("\n"):
        if line.split(" ")[0] in _WORDS and len(line.split()) <= 6:
            if words:
                yield words, "\n".join(held)
            words, held = line.split(), []
        else:
            held.append(line)
    yield words, "\n".join(held)


def _tamper(project: Path, words: list[str], text: str) -> None:
    word, *rest = words
    if word == "build":
        assert run("build", "--project", str(project)).code == 0
        return
    path = project / rest[0]
    path.parent.mkdir(parents=True, exist_ok=True)
    if word == "write":
        path.write_text(text + "\n", encoding="utf-8")
    elif word == "bytes":
        path.write_bytes(bytes.fromhex("".join(rest[1:])))
    else:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        path.symlink_to(os.path.relpath(project / rest[1], path.parent))


def _found(output: str) -> Iterator[str]:
    """Yield what was found in each line of what a command printed."""
    for line in output.split("\n"):
        _place, mark, found = line.partition("error: found ")
        if mark:
            yield found
        elif line.startswith("fieldguide: "):
            yield line.partition(": ")[2].partition(": ")[2]
