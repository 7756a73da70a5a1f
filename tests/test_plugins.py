"""Plug-ins: packages outside of Fieldguide add readers, exports and commands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from classifier.cli.commands import app
from classifier.papers.readers import all_readers, json_file
from classifier.plugins import plugin_entries

PAGE = Path(__file__).resolve().parents[1] / "docs" / "plug-ins.md"
BREAD = PAGE.parents[1] / "tests" / "golden" / "project"

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


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (
            "[[papers]]\ntitle = Rye\n",
            1,
            "error: found an error of syntax: Invalid value (at line 2,",
        ),
        ("[[paper]]\ntitle = 'Rye'\n", 1, "TOML in an unknown format (no table '[[papers]]'); exp"),
        ("[[papers]]\nname = 'Rye'\n", 1, "in a list with the key papers."),
    ],
)
def test_the_reader_of_the_page_reports_faults(
    toml: Path, tmp_path: Path, text: str, code: int, message: str
) -> None:
    (tmp_path / "list.toml").write_text(text)
    done = run(toml, tmp_path, "new", "survey", "list.toml")
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_the_page_lists_the_keys_of_lists() -> None:
    text = " ".join(PAGE.read_text("utf-8").split())
    listed = text.partition("one of the keys ")[2].partition(".")[0]
    assert tuple(re.findall(r"`(\w+)`", listed)) == json_file._LISTS


def entry_points(folder: Path, text: str, module: str = "") -> Path:
    """Write what an installed package looks like: its metadata and its module."""
    metadata = folder / "bakery-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Name: bakery\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(text)
    (folder / "bakery.py").write_text(module)
    return folder


def test_a_command_is_listed_without_an_import_and_runs(tmp_path: Path) -> None:
    points = "[fieldguide.commands]\ngreet = bakery:greet\n"
    entry_points(tmp_path, points, MORE + "\nprint('imported')\n")
    helped = run(tmp_path, tmp_path, "--help")
    assert "Plug-ins:\n  greet" in helped.stdout
    assert "imported" not in helped.stdout
    greeted = run(tmp_path, tmp_path, "greet", "--name", "Ann")
    assert greeted.stdout == "imported\nHello, Ann!\n"


def test_an_export_is_written(tmp_path: Path) -> None:
    folder = shutil.copytree(BREAD, tmp_path / "bread")
    entry_points(tmp_path, "[fieldguide.exports]\ntitles = bakery:TITLES\n", MORE)
    done = run(tmp_path, folder, "export", "titles")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) > 3


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Install a plug-in of this process, which is removed after the test."""

    def forget() -> None:
        plugin_entries.cache_clear()
        all_readers.cache_clear()
        sys.modules.pop("bakery", None)

    def install(point: str, module: str = "") -> None:
        group, _, name = point.partition(".")
        entry_points(tmp_path, f"[fieldguide.{group}]\n{name}\n", module)
        monkeypatch.syspath_prepend(tmp_path)
        forget()

    monkeypatch.chdir(tmp_path)
    yield install
    forget()


def invoke(*arguments: str) -> Result:
    """Run a command in this process; an error that is a bug shows as itself."""
    return CliRunner().invoke(app, arguments, catch_exceptions=False)


READER = """
from classifier.papers.paper import Paper, Source
from classifier.papers.reader import Reader


def reject(content):
    return ""


def read(content):
    yield Paper("Rye", sources=(Source(content.name, "rye", 1),))


"""


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("raise ValueError('no oven')", "the import of bakery:RYE raised ValueError: no oven."),
        ("raise SystemExit", "the import of bakery:RYE raised SystemExit."),
        ("RYE = 3", "bakery:RYE is of type int: Input should be an instance of Reader."),
        ("RYE = Reader('bread', reject, read, '')", "its name is 'bread'; expected 'rye', the"),
        (
            "RYE = Reader('rye', None, read, '')",
            "RYE.reject_reason is of type NoneType: Input should be callable",
        ),
        (
            "RYE = Reader('rye', reject, None, '')",
            "RYE.read is of type NoneType: Input should be callable",
        ),
        (
            "RYE = Reader('rye', lambda c: None, read, '')",
            "(list.txt) is of type NoneType: Input should be a valid string.",
        ),
        (
            "RYE = Reader('rye', lambda c: c.no, read, '')",
            "reject_reason(list.txt) raised AttributeError: 'Content' object has no attribute 'no'",
        ),
        (
            "RYE = Reader('rye', reject, lambda c: None, '')",
            "read(list.txt) is of type NoneType: Input should be iterable.",
        ),
        (
            "RYE = Reader('rye', reject, lambda c: (1 / 0 for _ in 'a'), '')",
            "read(list.txt) raised ZeroDivisionError: division by zero.",
        ),
        (
            "RYE = Reader('rye', reject, lambda c: [{'title': 'Rye'}], '')",
            "an item.Paper is of type dict: Input should be an instance of Paper.",
        ),
        (
            "RYE = Reader('rye', reject, lambda c: [Paper('Rye', authors=['Ann'])], '')",
            "an item.Paper.authors is of type list: Input should be a valid tuple.",
        ),
        (
            "RYE = Reader('rye', reject, lambda c: [Paper('Rye', published='2024')], '')",
            "Paper.published is of type str: Input should be an instance of Published.",
        ),
        (
            "RYE = Reader('rye', reject, lambda c: [Paper('Rye')], '')",
            "read(list.txt): the paper 'Rye' has 0 sources; expected a title and one Source.",
        ),
    ],
)
def test_a_broken_reader_is_named_with_its_package(
    tmp_path: Path, install: Callable[..., None], module: str, message: str
) -> None:
    install("readers.rye = bakery:RYE", READER + module)
    (tmp_path / "list.txt").write_text("Rye\n")
    done = invoke("new", "survey", "list.txt")
    start = (
        "fieldguide: The plug-in 'rye' of the package bakery (fieldguide.readers) cannot be used: "
    )
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(start)
    assert message in done.stderr
    assert done.stderr.endswith("Update the package, or remove it: pip uninstall bakery\n")
    assert done.stderr.count("\n") == 1


def test_verbose_prints_where_a_plug_in_failed(install: Callable[..., None]) -> None:
    install("commands.greet = bakery:greet", "def greet():\n    1 / 0\n")
    assert "Traceback" not in invoke("greet").stderr
    assert 'bakery.py", line 2, in greet' in invoke("-v", "greet").stderr


@pytest.mark.parametrize("arguments", [("greet",), ("greet", "--help")])
@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("import no_oven", "the import of bakery:greet raised ModuleNotFoundError: No module"),
        (
            "class greet: pass",
            "bakery:greet is of type type: Input should be an instance of function.",
        ),
        (
            "import functools\ngreet = functools.partial(print)",
            "is of type partial: Input should be",
        ),
        ("def greet(oven: 'Oven'): pass", "reading its parameters raised NameError: name 'Oven'"),
    ],
)
def test_a_broken_command_is_named_with_its_package(
    install: Callable[..., None], module: str, message: str, arguments: tuple[str, ...]
) -> None:
    install("commands.greet = bakery:greet", module)
    done = invoke(*arguments)
    text = " ".join((done.stdout + done.stderr).split())
    assert "plug-in 'greet' of the package bakery (fieldguide.commands) cannot be used" in text
    assert message in text
    assert "Traceback" not in text
    assert done.exit_code == (0 if "--help" in arguments else 2)


@pytest.mark.parametrize(
    ("module", "code", "message"),
    [
        ("def greet(): raise KeyError('oven')", 2, "the command `greet` raised KeyError: 'oven'."),
        ("def greet(): raise SystemExit(3)", 3, ""),
        ("import typer\ndef greet(): raise typer.BadParameter('cold')", 2, "cold"),
        ("def greet(): open('no.csv')", 1, "no.csv: No such file or directory."),
    ],
)
def test_a_command_may_end_as_any_command_does(
    install: Callable[..., None], module: str, code: int, message: str
) -> None:
    install("commands.greet = bakery:greet", module)
    done = invoke("greet")
    assert done.exit_code == code, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (
            "Format('.txt', titles, bool)",
            "TITLES.endings is of type str: Input should be a valid tuple",
        ),
        (
            "Format(('.txt',), lambda s: 'a', bool)",
            "write() is of type str: Input should be a valid bytes.",
        ),
        (
            "Format(('.txt',), lambda s: None, bool)",
            "write() is of type NoneType: Input should be a valid bytes.",
        ),
        ("Format(('.txt',), lambda s: s.no, bool)", "write() raised AttributeError: 'Selection'"),
        (
            "Format(('.txt',), titles, None)",
            "TITLES.is_ours is of type NoneType: Input should be callable",
        ),
        (
            "Format(('.txt',), titles, lambda p: 1)",
            "is_ours(t.txt) is of type int: Input should be a valid boolean",
        ),
    ],
)
def test_a_broken_export_is_named_with_its_package(
    tmp_path: Path, install: Callable[..., None], built_bread: Path, form: str, message: str
) -> None:
    install("exports.titles = bakery:TITLES", f"{MORE}\nTITLES = {form}\n")
    (tmp_path / "t.txt").write_text("Rye\n")
    done = invoke("export", "titles", "-o", "t.txt", "--project", str(built_bread))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "plug-in 'titles' of the package bakery (fieldguide.exports) cannot be" in done.stderr
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("group", "name", "arguments"),
    [
        ("readers", "jsonl", ("label", str(BREAD / "papers" / "bread.jsonl"))),
        ("exports", "csv", ("export", "csv", "--project", str(BREAD))),
        ("exports", "markdown", ("export", "markdown", "--cite", "ovens")),
        ("commands", "check", ("check",)),
    ],
)
def test_a_plug_in_with_the_name_of_a_built_in_one_is_refused(
    install: Callable[..., None], group: str, name: str, arguments: tuple[str, ...]
) -> None:
    install(f"{group}.{name} = bakery:X")
    done = invoke(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"plug-in '{name}' of the package bakery (fieldguide.{group}) cannot" in done.stderr
    assert "a built-in one has the same name; expected another name." in done.stderr


def test_two_plug_ins_with_one_name_are_refused(
    tmp_path: Path, install: Callable[..., None]
) -> None:
    install("commands.greet = bakery:greet", MORE)
    shutil.copytree(tmp_path / "bakery-1.0.dist-info", tmp_path / "cafe-1.0.dist-info")
    (tmp_path / "cafe-1.0.dist-info" / "METADATA").write_text("Name: cafe\nVersion: 1.0\n")
    done = invoke("greet")
    assert done.exit_code == 2
    assert "has the same name; expected another name." in done.stderr
