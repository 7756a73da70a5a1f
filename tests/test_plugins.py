"""Plug-ins: packages outside of Fieldguide add readers, exports and commands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[1] / "docs" / "plug-ins.md"

MORE = '''
from classifier.commands.export import Format


def greet(name: str = "reader") -> None:
    """Greet a reader."""
    print(f"Hello, {name}!")


def titles(selection):
    return "".join(f"{entry.paper.title}\\n" for entry in selection.entries).encode()


TITLES = Format((".txt",), titles, lambda path: True)
'''


def run(packages: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "classifier", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{packages}{os.pathsep}{PAGE.parents[1]}"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def toml(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of the page, installed; returns the folder with its file of papers."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("target")
    blocks = re.findall(r"^```\w+\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    for name, text in zip(("pyproject.toml", "fieldguide_toml.py", "breads"), blocks, strict=True):
        (source / name).write_text(text, encoding="utf-8")
    (source / "breads").rename(target / "breads.toml")
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [*install, "--no-index", "--target", str(target), str(source)],
        check=True,
        capture_output=True,
    )
    return target


def test_the_reader_of_the_page_reads_toml(toml: Path) -> None:
    done = run(toml, toml, "new", "survey", "breads.toml")
    assert done.returncode == 0, done.stderr
    assert "1 paper" in done.stdout


def entry_points(folder: Path, text: str, module: str = "") -> Path:
    """Write what an installed package looks like: its metadata and its module."""
    metadata = folder / "bakery-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Name: bakery\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(text)
    (folder / "bakery.py").write_text(module)
    return folder


def test_a_command_is_listed_without_an_import_and_runs(tmp_path: Path) -> None:
    points = "[fieldguide.commands]\ngreet = bakery:greet\nbuild = bakery:greet\n"
    entry_points(tmp_path, points, MORE + "\nprint('imported')\n")
    helped = run(tmp_path, tmp_path, "--help")
    assert "Plug-ins:\n  greet" in helped.stdout
    assert "imported" not in helped.stdout
    greeted = run(tmp_path, tmp_path, "greet", "--name", "Ann")
    assert greeted.stdout == "imported\nHello, Ann!\n"


def test_an_export_is_written(tmp_path: Path) -> None:
    folder = shutil.copytree(PAGE.parents[1] / "tests" / "golden" / "project", tmp_path / "bread")
    entry_points(tmp_path, "[fieldguide.exports]\ntitles = bakery:TITLES\n", MORE)
    done = run(tmp_path, folder, "export", "titles")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 3


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (
            "raise ValueError('no oven')",
            "cannot be loaded: ValueError: no oven. Update the package",
        ),
        ("TITLES = 3", "is of type int, not Reader. Update the package"),
    ],
)
def test_a_broken_plug_in_is_named_with_its_package(
    tmp_path: Path, module: str, message: str
) -> None:
    entry_points(tmp_path, "[fieldguide.readers]\ntitles = bakery:TITLES\n", module)
    (tmp_path / "list.txt").write_text("Rye\n")
    done = run(tmp_path, tmp_path, "new", "survey", "list.txt")
    assert done.returncode == 2
    assert "plug-in 'titles' of the package bakery (fieldguide.readers)" in done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
