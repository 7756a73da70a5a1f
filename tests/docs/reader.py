"""A reader who does what a page says, in a folder of their own."""

from __future__ import annotations

import contextlib
import csv
import doctest
import io
import os
import re
import runpy
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from typer.main import get_command

from classifier.cli.commands import app
from tests.docs.output import differs
from tests.docs.page import ROOT, Block, page_blocks, table_rows

SHELL_WORDS = frozenset("cat cp cut grep head ls mkdir mv rm sed tail wc".split())
"""What a page may ask of the shell besides `fieldguide` and `cd`."""
_RESULT = re.compile(r"exits (\d+)")


class PageError(AssertionError):
    """What a page says is not so."""


@dataclass(slots=True)
class Reader:
    """Follows the blocks of one page.

    Changes the process's working folder, as a terminal does: the caller restores it.
    """

    home: Path
    """An empty folder."""
    projects: Mapping[str, Callable[[Path], None]]
    """Name -> what puts a copy of that project into a folder."""
    printed: list[str] = field(default_factory=list)
    """What each command of the last block printed."""
    typing: str = ""
    """The sheet into which the next table is typed."""
    showing: str = ""
    """The sheet of which the next table shows cells."""
    after_sh: bool = False
    named: dict[str, object] = field(default_factory=dict)
    """What examples of Python have named."""

    def to_the_end(self, page: Path) -> list[str]:
        """Follow a page and return what is not as it says, with file and line."""
        faults: list[str] = []
        for block in page_blocks(page):
            try:
                self.follow(block)
            except PageError as fault:
                faults.append(f"{page.name}:{block.line}: {fault}")
        return faults

    def follow(self, block: Block) -> None:
        """Do what a block says, or hold it against what happened."""
        deed = getattr(self, f"_{block.kind}", None)
        if deed and not block.about.startswith("no-run"):
            try:
                deed(block)
            except OSError as error:
                raise PageError(str(error)) from error
        self.after_sh = block.kind == "sh" and not block.about.startswith("no-run")

    def _project(self, block: Block) -> None:
        folder = self.home / f"project-{block.line}"
        self.projects[block.about](folder)
        os.chdir(folder)

    def _have(self, block: Block) -> None:
        for pair in block.about.split(";"):
            name, source = (word.strip() for word in pair.split("="))
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / source, name)

    def _filled(self, block: Block) -> None:
        """The workbook of the pictures in docs/images, as the reviewer fills it there."""
        pictures = runpy.run_path(str(ROOT / "docs" / "images" / "make.py"))
        pictures["fill"](Path(block.about)).replace(block.about)

    def _typed(self, block: Block) -> None:
        """The same in each row of a sheet: `ada.csv: verdict = ok`."""
        sheet, _, cell = block.about.partition(": ")
        column, _, text = cell.partition(" = ")
        with Path(sheet).open(encoding="utf-8", newline="") as file:
            titles = [row["title"] for row in csv.DictReader(file)]
        type_into(Path(sheet), [{"title": title, column: text} for title in titles])

    def _type(self, block: Block) -> None:
        self.typing = block.about

    def _shows(self, block: Block) -> None:
        self.showing = block.about

    def _table(self, block: Block) -> None:
        if self.typing:
            type_into(Path(self.typing), table_rows(block.text))
        if self.showing:
            hold_against(Path(self.showing), table_rows(block.text))
        self.typing = self.showing = ""

    def _yaml(self, block: Block) -> None:
        if re.fullmatch(r"[\w./-]+\.\w+", block.about):
            path = Path(block.about)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, "utf-8")

    _css = _html = _svg = _json = _csv = _yaml

    def _diff(self, block: Block) -> None:
        lines = block.text.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] in " -")
        new = "".join(line[1:] for line in lines if line[0] in " +")
        path = Path(block.about)
        text = path.read_text("utf-8")
        if text.count(old) != 1:
            raise PageError(f"{block.about} holds {text.count(old)} times what is changed:\n{old}")
        path.write_text(text.replace(old, new), "utf-8")

    def _text(self, block: Block) -> None:
        if self.after_sh and block.about != "excerpt":
            whole, last = "".join(self.printed), self.printed[-1]
            fault = differs(block.text, last)
            if fault and differs(block.text, whole):
                raise PageError(f"{fault}\n--- all that was printed:\n{whole}")

    def _python(self, block: Block) -> None:
        parser = doctest.DocTestParser()
        example = parser.get_doctest(block.text, {}, "page", "page", block.line)
        example.globs = self.named  # what earlier ones have named is known to it
        said: list[str] = []
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        runner = doctest.DocTestRunner(optionflags=flags, verbose=False)
        if runner.run(example, out=said.append, clear_globs=False).failed:
            raise PageError("".join(said))

    def _sh(self, block: Block) -> None:
        self.printed = []
        lines = [line for line in block.text.replace("\\\n", " ").splitlines() if line.strip()]
        result = _RESULT.search(block.about)
        for number, line in enumerate(lines):
            last = number == len(lines) - 1
            self._line(line, int(result[1]) if result and last else 0)

    def _line(self, line: str, expected: int) -> None:
        for command in line.split("&&"):
            words = shlex.split(command, comments=True)
            if not words:
                continue
            code, printed = self._run(words)
            self.printed.append(printed)
            if code != expected:
                raise PageError(
                    f"{command.strip()}: exit code {code}, expected {expected}\n{printed}"
                )

    def _run(self, words: list[str]) -> tuple[int, str]:
        name, *rest = words
        if name == "cd":
            os.chdir(rest[0])
            return 0, ""
        if words[:2] == ["fieldguide", "serve"]:
            raise PageError("serve ends by Ctrl-C alone: mark the block `no-run: runs until …`")
        if name == "fieldguide":
            expanded = [one for word in rest for one in _expanded(word)]
            return fieldguide(expanded)
        if name not in SHELL_WORDS:
            raise PageError(f"{name}: neither fieldguide nor one of {', '.join(SHELL_WORDS)}")
        run = subprocess.run(
            ["bash", "-c", shlex.join(words)], capture_output=True, text=True, check=False
        )
        return run.returncode, run.stdout + run.stderr


COMMANDS = get_command(app)


def fieldguide(words: list[str]) -> tuple[int, str]:
    """Run a command in this process and return its exit code and what a terminal would show."""
    shown = io.BytesIO()
    terminal = io.TextIOWrapper(shown, encoding="utf-8", write_through=True)
    code = 0
    with contextlib.redirect_stdout(terminal), contextlib.redirect_stderr(terminal):
        try:
            COMMANDS(words, prog_name="fieldguide")
        except SystemExit as end:
            code = int(end.code or 0)
    return code, shown.getvalue().decode("utf-8")


def _expanded(word: str) -> list[str]:
    return sorted(map(str, Path().glob(word))) if "*" in word else [word]


def hold_against(sheet: Path, rows: list[dict[str, str]]) -> None:
    """Raise PageError where a sheet holds other cells than are shown of it, known by title."""
    with sheet.open(encoding="utf-8", newline="") as file:
        papers = {row["title"]: row for row in csv.DictReader(file)}
    for shown in rows:
        given = {column: papers[shown["title"]][column] for column in shown}
        if given != shown:
            raise PageError(f"{sheet}: shown {shown}, found {given}")


def type_into(sheet: Path, rows: list[dict[str, str]]) -> None:
    """Type cells into the rows of a sheet that have their title (or the beginning of it)."""
    with sheet.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        columns = list(reader.fieldnames or ())
        papers = list(reader)
    for typed in rows:
        beginning = typed.pop("title").removesuffix("…")
        (paper,) = (row for row in papers if row["title"].startswith(beginning))
        unknown = sorted(set(typed) - set(columns))
        if unknown:
            raise PageError(f"{sheet}: no column {', '.join(unknown)}")
        paper.update({column: cell for column, cell in typed.items() if cell})
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(papers)
