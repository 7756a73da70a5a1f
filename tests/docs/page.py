"""A page of the documentation as its blocks, in order, with what is written about each.

What a reader does not see stands in comments and behind the language of a block:

    <!-- project: bread -->               commands below run in a copy of that project
    <!-- have: library.bib = docs/examples/bees.bib -->   a file that the reader is said to have
    <!-- type: out/labels.csv -->         the table below is what the reader types into the sheet
    <!-- shows: out/labels.csv -->        the table below shows cells of the sheet
    <!-- typed: ada.csv: verdict = ok --> somebody has typed that into each row
    <!-- filled: labels.xlsx -->          the workbook is filled as docs/images shows it
    ```sh no-run: needs a cluster         is not run, and why
    ```sh exits 1                         the last command ends with that code
    ```text excerpt                       an output that no command on the page gives
    ```yaml taxonomy/taxonomy.yaml        the reader writes that file
    ```diff taxonomy/taxonomy.yaml        the reader changes that file
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
PAGE_NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]

_PART = re.compile(
    r"^```(?P<mark>[^\n]*)\n(?P<text>.*?)^```$"
    r"|^<!-- (?P<note>[a-z-]+): (?P<told>[^\n]*?) -->$"
    r"|^(?P<heading>#+ [^\n]+)$"
    r"|^(?P<table>\|[^\n]*\n(?:\|[^\n]*\n)+)",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block, a comment with an order in it, or a table."""

    kind: str
    """The language of a fence; `table`; or the word before the colon of a comment."""
    about: str
    """What stands behind the language, or behind the colon."""
    text: str
    line: int
    section: str
    """The heading above."""


def page_blocks(page: Path) -> Iterator[Block]:
    """Yield the blocks of a page in order."""
    source = page.read_text("utf-8")
    section = ""
    for found in _PART.finditer(source):
        line = source.count("\n", 0, found.start()) + 1
        if found["heading"]:
            section = found["heading"].lstrip("# ")
        elif found["note"]:
            yield Block(found["note"], found["told"], "", line, section)
        elif found["table"]:
            yield Block("table", "", found["table"], line, section)
        else:
            kind, _, about = found["mark"].partition(" ")
            yield Block(kind, about, found["text"], line, section)


def table_rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a Markdown table, column -> cell without code marks."""
    lines = [
        [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]
        for line in text.splitlines()
    ]
    head, _, *rows = lines
    return [dict(zip(head, row, strict=True)) for row in rows]
