"""The blocks of a Markdown document: bullets in bullets, table rows, paragraphs, under headings.

No Markdown parser, since lists on the web are written by hand and by scripts: rows that a line
break tears apart, HTML between Markdown, bullets without blanks. What a block means is asked
elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from classifier.papers.formats.markdown_links import DEFINITION, find_links
from classifier.papers.formats.markdown_title import MOST_HEADING, heading_text, is_topic

Kind = Literal["heading", "bullet", "row", "paragraph", "details"]

# Deeper bullets count as this deep: nobody nests so far, and depth costs calls.
_MOST_DEPTH = 12
_MOST_CELLS = 100
# Characters of a cell that goes on on the next line.
_MOST_TORN = 10_000

_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+)?(```|~~~)")
_ATX = re.compile(r"[ ]{0,3}(#{1,6})(?!#)")
_UNDERLINE = re.compile(r"(=+|-{3,})[ \t]*$")
_BULLET = re.compile(r"([ \t>]*)(?:[-*+•·●▪◦‣](?:[ \t]+|(?=[\[\"“]))|\(?\d{1,4}[.)][ \t]+)(?=\S)")
BOLD_LINE = re.compile(r"\*\*[^*\n]{8,300}\*\*:?\s*")
"""A line that is nothing but words in bold."""
_RULE = re.compile(r"[ ]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
_SEPARATOR = re.compile(r"[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$")
_TAG = re.compile(r"(</?(?:details|summary|li|ul|ol|tr|td|th|h[1-6])\b[^<>]*>)", re.IGNORECASE)
_ANY_TAG = re.compile(
    r"</?(?:details|summary|li|ul|ol|tr|table|tbody|thead)\b[^<>]*>", re.IGNORECASE
)
_OF_ENTRY = re.compile(
    r"(?:show |view |read |the )?(?:abstract|tl;?dr|summary|bib(?:tex)?|citation|authors?|notes?)",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Block:
    """One block of a document, with what is nested in it."""

    line: int
    """1-based."""
    kind: Kind
    path: tuple[str, ...]
    """The headings above it, the outermost first, as `heading_text` cleans them."""
    section: int
    """The number of its heading, from 1; blocks of one section have the same."""
    texts: list[str]
    """Its lines without the bullet; of a row its cells."""
    header: tuple[str, ...] = ()
    """Of a row: the cells of the table's first row, which may be shorter or longer."""
    children: list[Block] = field(default_factory=list)
    heading: str = ""
    """The heading right above it, where nothing stands between."""


def read_outline(text: str) -> tuple[list[Block], dict[str, str]]:
    """Return the blocks of a document in order, and its link definitions by folded name.

    The document's own title stands in no path.
    """
    blocks, references = _outlined(text)
    if _own_title(blocks):
        for block in _all_blocks(blocks):
            block.path = block.path[1:]
    return blocks, references


def document_title(text: str) -> str:
    """Return what a document calls itself: the one heading above all others; "" without one.

    >>> document_title("# 🍞 Awesome Bread\\n## Rye\\n- Sour Dough\\n## Wheat\\n- Crumb")
    'Awesome Bread'
    """
    return _own_title(_outlined(text)[0])


def _outlined(text: str) -> tuple[list[Block], dict[str, str]]:
    """Return what `read_outline` does, with all headings in the paths."""
    lines = _without_comments(text).split("\n")
    _blank_fences(lines)
    references: dict[str, str] = {}
    for number, line in enumerate(lines):
        if match := DEFINITION.match(line):
            references.setdefault(match[1].casefold(), match[2])
            lines[number] = ""
    outline = _Outline(references)
    for number, line in enumerate(lines, start=1):
        outline.take(number, line)
    outline.close()
    return outline.blocks, references


class _Outline:
    """Takes a document line by line."""

    def __init__(self, references: Mapping[str, str]) -> None:
        self.blocks: list[Block] = []
        self._references = references
        self._headings: list[tuple[int, str]] = []
        self._section = 0
        self._fresh = ""
        self._bullets: list[tuple[int, Block]] = []
        self._paragraph: Block | None = None
        self._header: tuple[str, ...] | None = None
        self._row = ""
        self._blank = False
        self._folds: list[Block | int | None] = []
        self._summary: tuple[int, list[str]] | None = None
        self._cells: tuple[int, list[str], bool] | None = None
        self._title: tuple[int, list[str]] | None = None
        self._lists = 0

    def take(self, number: int, line: str) -> None:
        """Take one line."""
        bare = line.lstrip(" \t>")
        if bare.startswith("|") or (self._header is not None and "|" in line):
            self._text(number, _ANY_TAG.sub("\n", line).replace("\n", "<br>"))
        elif "<" not in line:
            self._text(number, line)
        else:
            for piece in _TAG.split(line):
                if _TAG.fullmatch(piece):
                    name = re.sub(r"[</>\s].*", "", piece.lstrip("</")).lower()
                    self._tag(number, name, piece.startswith("</"))
                elif piece.strip() or piece == line:
                    self._text(number, piece)

    def close(self) -> None:
        """End what is open."""
        self._end_summary(0)
        self._end_row()
        self._end()

    def _tag(self, number: int, name: str, closes: bool) -> None:
        match name:
            case "details" if closes:
                self._end_fold()
            case "details":
                self._folds.append(None)
            case "summary" if closes:
                self._end_summary(number)
            case "summary":
                self._summary = (number, [])
            case "ul" | "ol":
                self._lists = max(0, self._lists + (-1 if closes else 1))
            case "li" if not closes:
                self._open_bullet(number, 4 * self._lists, "")
            case "tr" if not closes:
                self._end()
                self._cells = (number, [], True)
            case "tr":
                self._end_row()
            case "td" | "th" if self._cells and not closes:
                line, cells, heads = self._cells
                self._cells = (line, [*cells, ""], heads and name == "th")
            case _ if name.startswith("h") and closes and self._title:
                self._heading(self._title[0], int(name[1]), " ".join(self._title[1]))
                self._title = None
            case _ if name.startswith("h") and not closes:
                self._title = (number, [])

    def _text(self, number: int, line: str) -> None:
        """Take a line, or what stands between two tags of one."""
        if self._title is not None:
            self._title[1].append(line.strip())
        elif self._summary is not None:
            self._summary[1].append(line.strip())
        elif self._cells is not None:
            if self._cells[1]:
                self._cells[1][-1] += f"{line.strip()} "
        elif isinstance(fold := self._folds[-1] if self._folds else None, Block):
            fold.children.append(self._block(number, "paragraph", [line.strip()]))
        elif not line.strip():
            self._blank, self._header, self._row, self._paragraph = True, None, "", None
        else:
            self._line(number, line)
            self._blank = False

    def _line(self, number: int, line: str) -> None:
        """Take a line that is not blank."""
        bare = line.lstrip(" \t>")
        if atx := _ATX.match(line):
            said = line[atx.end() :].rstrip(" \t").rstrip("#")
            self._heading(number, len(atx[1]), said.strip(" \t"))
        elif self._row and not bare.startswith("|") and self._tears(bare):
            self._row = bare
            first, *others = _split_cells(bare)
            cells = self.blocks[-1].texts
            cells[-1:] = [f"{cells[-1]} {first}".strip(), *others][: _MOST_CELLS - len(cells) + 1]
        elif _SEPARATOR.match(line) and "|" in line:
            self._table_head()
        elif bare.startswith("|") or (self._header is not None and "|" in line):
            self._table_row(number, bare)
        elif self._paragraph and len(self._paragraph.texts) == 1 and _UNDERLINE.match(line):
            self._setext(line)
        elif _RULE.match(line):
            self._end()
        elif bullet := _BULLET.match(line):
            indent = len(bullet[1].replace("\t", "    "))
            self._open_bullet(number, indent, line[bullet.end() :].strip())
        else:
            self._running_text(number, line)

    def _running_text(self, number: int, line: str) -> None:
        indent = len(line) - len(line.lstrip())
        if self._bullets and (not self._blank or indent >= 2) and not BOLD_LINE.fullmatch(line):
            # Below a nested bullet a line belongs to the bullet under which it is indented.
            while self._blank and len(self._bullets) > 1 and self._bullets[-1][0] >= indent:
                self._bullets.pop()
            self._bullets[-1][1].texts.append(line.strip())
        elif self._paragraph:
            self._paragraph.texts.append(line.strip())
        else:
            self._end()
            self._paragraph = self._block(number, "paragraph", [line.strip()])
            self.blocks.append(self._paragraph)

    def _setext(self, line: str) -> None:
        """Make a heading of the paragraph that a line of `=` or `-` underlines."""
        assert self._paragraph
        block = self.blocks.pop()
        self._fresh = block.heading
        self._heading(block.line, 1 if line[0] == "=" else 2, block.texts[0])

    def _heading(self, number: int, level: int, text: str) -> None:
        self._end()
        self._section += 1
        self._folds = [fold for fold in self._folds if not isinstance(fold, Block)]
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        linked = find_links(text, self._references)
        if any(link.is_paper for link in linked.links):
            self.blocks.append(self._block(number, "heading", [text]))
            return
        self._fresh = text
        self._headings.append((level, heading_text(text, self._references)))

    def _open_bullet(self, number: int, indent: int, text: str) -> None:
        while self._bullets and (
            self._bullets[-1][0] >= indent or len(self._bullets) >= _MOST_DEPTH
        ):
            self._bullets.pop()
        if not self._bullets:
            self._end()
        block = self._block(number, "bullet", [text])
        siblings = self._bullets[-1][1].children if self._bullets else self.blocks
        siblings.append(block)
        self._bullets.append((indent, block))

    def _table_head(self) -> None:
        """Make the line above a separator the header of the table."""
        last = self.blocks[-1] if self.blocks else None
        cells: Sequence[str] = ()
        if last and last.kind == "row" and not last.header and self._row:
            cells = self.blocks.pop().texts
        elif self._paragraph and "|" in self._paragraph.texts[-1]:
            cells = _split_cells(self._paragraph.texts.pop())
            if not self._paragraph.texts:
                self.blocks.pop()
        elif self._header:
            return
        self._paragraph, self._row = None, ""
        self._header = tuple(cells)

    def _table_row(self, number: int, line: str) -> None:
        header = self._header or ()
        self._bullets, self._paragraph = [], None
        self.blocks.append(self._block(number, "row", _split_cells(line), header))
        self._header, self._row = header, line.rstrip()

    def _tears(self, line: str) -> bool:
        """Say whether the row before is torn apart, and `line` its other part."""
        wanted = len(self._header or ())
        cells = self.blocks[-1].texts
        short = len(cells) < wanted or "|" in line
        fits = len(cells[-1]) < _MOST_TORN
        return not self._row.endswith("|") and short and fits and not line.startswith("#")

    def _end_row(self) -> None:
        if self._cells is None:
            return
        number, cells, heads = self._cells
        self._cells = None
        if cells and heads:
            self._header = tuple(cells)
        elif cells:
            self.blocks.append(self._block(number, "row", cells, self._header or ()))

    def _end_summary(self, number: int) -> None:
        """Say what a fold is: an entry with its text, a topic, or nothing of its own."""
        if self._summary is None:
            return
        line, texts = self._summary
        self._summary = None
        text = " ".join(texts)
        words = heading_text(text, self._references)
        if not self._folds:
            self._folds.append(None)
        holder = self._bullets[-1][1] if self._bullets else self._paragraph
        if find_links(text, self._references).links:
            self._end()
            block = self._block(line, "details", [text])
            self.blocks.append(block)
            self._folds[-1] = block
        elif holder and _OF_ENTRY.fullmatch(words):
            # Folded text of an entry, as its abstract: what is folded says so itself.
            label = self._block(line, "paragraph", [f"{words}:"])
            holder.children.append(label)
            self._folds[-1] = label
        elif is_topic(words) and len(words) < MOST_HEADING:
            self._end()
            self._section += 1
            level = 7 + sum(1 for fold in self._folds if isinstance(fold, int))
            self._headings.append((level, words))
            self._folds[-1] = level
            self._fresh = text

    def _end_fold(self) -> None:
        self._end_summary(0)
        fold = self._folds.pop() if self._folds else None
        if isinstance(fold, int):
            self._end()
            self._section += 1
            while self._headings and self._headings[-1][0] >= fold:
                self._headings.pop()

    def _end(self) -> None:
        """End lists, paragraphs and tables."""
        self._bullets, self._paragraph, self._header, self._row = [], None, None, ""

    def _block(
        self, number: int, kind: Kind, texts: list[str], header: tuple[str, ...] = ()
    ) -> Block:
        path = tuple(words for _, words in self._headings)
        heading, self._fresh = self._fresh, ""
        return Block(number, kind, path, self._section, texts, header, [], heading)


def _own_title(blocks: list[Block]) -> str:
    """Return the first heading where it is the document's title and no topic, else ""."""
    outer = {block.path[0] for block in blocks if len(block.path) > 1}
    alone = {block.path[0] for block in blocks if len(block.path) == 1}
    return (outer | alone).pop() if len(outer | alone) == 1 and outer else ""


def _all_blocks(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from _all_blocks(block.children)


def _split_cells(line: str) -> list[str]:
    line = line.strip().removeprefix("|")
    cells = re.split(r"(?<!\\)\|", line)
    if len(cells) > 1 and not cells[-1].strip():
        cells.pop()
    return [cell.strip().replace("\\|", "|") for cell in cells[:_MOST_CELLS]]


def _without_comments(text: str) -> str:
    """Blank HTML comments; their line breaks stay. One that does not end is text."""
    parts: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        parts += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end + 3
    return "".join([*parts, text[at:]])


def _blank_fences(lines: list[str]) -> None:
    """Blank fenced code; a fence that does not end is text."""
    opened: tuple[int, str] | None = None
    for number, line in enumerate(lines):
        fence = _FENCE.match(line)
        if opened is None and fence:
            opened = (number, fence[1])
        elif opened and line.strip(" \t>").startswith(opened[1]):
            lines[opened[0] : number + 1] = [""] * (number + 1 - opened[0])
            opened = None
