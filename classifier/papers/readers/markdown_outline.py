"""Split a Markdown document into blocks: nested bullets, table rows and paragraphs, with headings.

markdown-it-py finds the blocks; their text is unchanged. From HTML, folded texts (`<details>`) and
table rows become blocks; all other HTML is treated as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from markdown_it import MarkdownIt

from classifier.papers.clean import plain_text
from classifier.papers.readers.markdown_links import find_links, restore_escapes

Kind = Literal["heading", "bullet", "row", "paragraph", "details"]

_MAX_TORN = 10_000
"""Maximum length of a table row that continues on the next line, in characters."""
_MAX_HEADING = 200
_TAG = re.compile(
    r"<(/?)(details|summary)\b[^<>]*>([^<]*(?:<(?!/?(?:details|summary)\b)[^<]*)*)", re.IGNORECASE
)
_ROW = re.compile(r"<tr\b[^<>]*>", re.IGNORECASE)
_CELL = re.compile(r"<t[dh]\b[^<>]*>", re.IGNORECASE)
# The start of each line of a paragraph that has one entry per line.
_IS_ENTRY = re.compile(r"\s*\*\*[^*\n]{8,300}\*\*.{0,4000}\]\(http|\|\s*\[")
_OF_ENTRY = re.compile(
    r"(?:show |view |read |the )?(?:abstract|tl;?dr|summary|bib(?:tex)?|citation|authors?|notes?)",
    re.IGNORECASE,
)
_NO_TOPIC = re.compile(
    r"(?:(?:table of )?contents?|toc|outline|index|contribut\w+.*|how to .*|licen[cs]e|citations?"
    r"|cit(?:e|ing)\b.*|bibtex|acknowledge?ments?|star(?:s|[- ]history).*|news|updates?|changelog"
    r"|what'?s new|about(?: us)?|contacts?|maintainers?|disclaimer|references?|introduction"
    r"|overview|legend|(?:recent|all|latest|selected|list of|the|research)* ?papers?(?: list)?"
    r"(?: ?\(.*\))?|paper[- ]?lists?|reading list|full list|back to top"
    r"|目录|贡献|引用|更新|致谢)\W*"
    r"|.*\b(?:click|expand|collapse|unfold|toggle|(?:show|see) (?:more|all)|view all|details?)\b.*"
    r"|.*(?:展开|点击).*",
    re.IGNORECASE,
)
# "[^](#contents)" leads back to the contents; it is not part of a heading, nor is a badge.
_WITHIN_PAGE = re.compile(
    r"\[[^\[\]]*\]\(#[^()\s]*\)|<a\s[^<>]*href=[\"']#[^<>]*>[^<]*</a>", re.IGNORECASE
)
_PICTURE = re.compile(r"\[\s*!\[[^\[\]]*\]\([^()]*\)\s*\]\([^()]*\)|!\[[^\[\]]*\]\([^()]*\)")
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?:[^\n]*\n){0,200}?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_EMOJI = re.compile("[\U0001f000-\U0010ffff\u2190-\u21ff\u2300-\u2bff\ufe0f\u200d\u20e3]")


@dataclass(slots=True)
class Block:
    """One block of a document, with the blocks nested in it."""

    line: int
    """1-based."""
    kind: Kind
    path: tuple[str, ...]
    """The headings above it, the outermost first, as `heading_text` cleans them."""
    section: int
    """The number of its section, from 1."""
    text: str
    """Its lines without the bullet; "" for a row."""
    cells: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    """The header of the table of a row."""
    children: list[Block] = field(default_factory=list)
    heading: str = ""
    """The heading directly above it, or ""."""


def read_outline(text: str) -> list[Block]:
    """Return the blocks of a document in order; no path contains the document's title."""
    blocks = _blocks_of(text)
    if _document_title_heading(blocks):
        for block in all_blocks(blocks):
            block.path = block.path[1:]
    return blocks


def document_title(text: str) -> str:
    r"""Return a document's title, which is its only heading of the top level, or "".

    >>> document_title("# 🍞 Awesome Bread\n## Rye\n- Sour Dough\n## Wheat\n- Crumb")
    'Awesome Bread'
    """
    return _document_title_heading(_blocks_of(text))


def heading_text(text: str) -> str:
    """Return a heading as a name, without links, emoji, numbers, counts and anchors.

    >>> heading_text("🍞 2.1 **Rye / wheat** (12) [🔝](#top)")
    'Rye/wheat'
    """
    without_marks = _WITHIN_PAGE.sub("", _PICTURE.sub("", text[:2_000]))
    linked = find_links(without_marks if re.search(r"\w", without_marks) else text[:2_000])
    words = " ".join(plain_text(linked.with_link_words(linked.text)).split())
    words = re.sub(r"[*`]+|(?<!\w)_+|_+(?!\w)|\{#[\w-]+\}|:[a-z_]{2,30}:", "", words)
    words = _EMOJI.sub("", words)
    words = re.sub(r"^\W*(?:\d{1,2}(?:\.\d{1,2})+[.)]?|\d{1,2}[.)]|[IVX]{1,5}[.)])\s+", "", words)
    words = re.sub(r"\s*[(\[]\s*\d{1,5}(?: (?:papers?|items?))?\s*[)\]]\s*$", "", words)
    return re.sub(r"\s*/\s*", "/", restore_escapes(words)).strip(" \t:-–—|#.,;")[:_MAX_HEADING]


def is_topic(heading: str) -> bool:
    """Return whether a heading can be a topic, unlike “Table of contents” or “Click to expand”."""
    return bool(re.search(r"[^\W_]", heading)) and not _NO_TOPIC.fullmatch(heading)


@cache
def _parser() -> MarkdownIt:
    """Return a parser of blocks without indented code, since lists of papers may be indented."""
    return MarkdownIt("commonmark").enable("table").disable(["inline", "text_join", "code"])


def _blocks_of(text: str) -> list[Block]:
    """Return the blocks of a document with the headings above them as paths."""
    lines, numbers = _join_torn_rows(_without_comments(_without_front_matter(text)).split("\n"))
    outline = _Outline()
    line, level, in_head = 1, 0, False
    for token in _parser().parse("\n".join(lines)):
        line = numbers[token.map[0]] if token.map and token.map[0] < len(numbers) else line
        match token.type:
            case "heading_open":
                level = int(token.tag[1])
            case "heading_close":
                level = 0
            case "list_item_open":
                outline.open_bullet(line)
            case "list_item_close":
                outline.bullets.pop()
            case "thead_open" | "thead_close":
                in_head = token.nesting > 0
            case "tr_open":
                outline.row = []
            case "tr_close":
                outline.close_row(line, in_head)
            case "table_close":
                outline.header = ()
            case "html_block":
                outline.add_html(line, token.content)
            case "inline" if level:
                outline.add_heading(line, level, token.content)
            case "inline" if outline.row is not None:
                outline.row.append(token.content)
            case "inline":
                outline.add_text(line, token.content)
    return outline.blocks


class _Outline:
    """Builder that collects the blocks of a document from its tokens."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.bullets: list[Block] = []
        self.header: tuple[str, ...] = ()
        self.row: list[str] | None = None
        self._headings: list[tuple[int, str]] = []
        self._section = 0
        self._last_heading = ""
        """The heading since which there was no block."""
        self._folds: list[Block | int | None] = []
        """The open folds: an entry with its text, the level of a topic, or None."""

    def open_bullet(self, line: int) -> None:
        """Begin a bullet inside the bullet that is open."""
        block = self._block(line, "bullet", "")
        (self.bullets[-1].children if self.bullets else self.blocks).append(block)
        self.bullets.append(block)

    def add_text(self, line: int, text: str) -> None:
        """Add a paragraph to the open fold or bullet, or as a new block."""
        fold = self._folds[-1] if self._folds else None
        if isinstance(fold, Block):
            fold.children.append(self._block(line, "paragraph", text))
        elif not self.bullets and self._is_note_of_heading(text):
            self.blocks[-1].children.append(self._block(line, "paragraph", text))
        elif self.bullets:
            self.bullets[-1].text = f"{self.bullets[-1].text}\n{text}".strip()
        else:
            lines = text.split("\n")
            if len(lines) < 2 or not all(map(_IS_ENTRY.match, lines)):
                lines = [text]
            for number, part in enumerate(lines, start=line):
                self.blocks.append(self._block(number, "paragraph", part))

    def _is_note_of_heading(self, text: str) -> bool:
        """Return whether a paragraph belongs to the paper of the heading directly above it."""
        is_below = bool(self.blocks) and self.blocks[-1].kind == "heading"
        return is_below and not any(link.is_paper for link in find_links(text).links)

    def add_heading(self, line: int, level: int, text: str) -> None:
        """Begin a section; if its heading links to a paper, also add an entry."""
        self._end_sections(level)
        self._folds = [fold for fold in self._folds if not isinstance(fold, Block)]
        if any(link.is_paper for link in find_links(text).links):
            self.blocks.append(self._block(line, "heading", text))
        else:
            self._headings.append((level, heading_text(text)))
            self._last_heading = text

    def close_row(self, line: int, is_header: bool) -> None:
        """Add the collected cells as a row, or store them as the header."""
        cells, self.row = tuple(self.row or ()), None
        if is_header:
            self.header = cells
        elif any(cells):
            self.blocks.append(self._block(line, "row", "", cells))

    def add_html(self, line: int, text: str) -> None:
        """Add a block of HTML: its folds, and the text after each tag."""
        first = _TAG.search(text)
        self._html_text(line, text[: first.start()] if first else text)
        counted = 0
        for tag in _TAG.finditer(text):
            line += text.count("\n", counted, tag.start())
            counted = tag.start()
            name, words = f"{tag[1]}{tag[2].lower()}", tag[3].strip()
            if name == "summary":
                self._open_fold(line, words)
                continue
            if name == "details":
                self._folds.append(None)
            elif name == "/details" and isinstance(fold := (self._folds or [None]).pop(), int):
                self._end_sections(fold)
            self._html_text(line, words)

    def _html_text(self, line: int, text: str) -> None:
        before, *rows = _ROW.split(text)
        if plain_text(before):
            self.add_text(line, before.strip())
        for row in rows:
            self.row = [cell.partition("</t")[0] for cell in _CELL.split(row)[1:]]
            self.close_row(line, "<th" in row)

    def _open_fold(self, line: int, text: str) -> None:
        """Open a fold, whose summary is an entry with a title, a topic, or neither."""
        if not self._folds:
            self._folds.append(None)
        words = heading_text(text)
        holders = [block for block in (self.bullets or self.blocks)[-1:] if block.kind != "row"]
        if find_links(text).links:
            self._folds[-1] = block = self._block(line, "details", text)
            self.blocks.append(block)
        elif holders and _OF_ENTRY.fullmatch(words):
            self._folds[-1] = block = self._block(line, "paragraph", f"{words}:")
            holders[0].children.append(block)
        elif is_topic(words) and len(words) < _MAX_HEADING:
            level = 7 + sum(isinstance(fold, int) for fold in self._folds)
            self._section += 1
            self._headings.append((level, words))
            self._folds[-1] = level

    def _end_sections(self, level: int) -> None:
        self._section += 1
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()

    def _block(self, line: int, kind: Kind, text: str, cells: tuple[str, ...] = ()) -> Block:
        path = tuple(words for _, words in self._headings)
        heading, self._last_heading = self._last_heading, ""
        return Block(line, kind, path, self._section, text, cells, self.header, [], heading)


def _document_title_heading(blocks: Sequence[Block]) -> str:
    """Return the first heading if it is the document's title and not a topic, else ""."""
    outer = {block.path[0] for block in blocks if block.path}
    return outer.pop() if len(outer) == 1 and any(len(b.path) > 1 for b in blocks) else ""


def all_blocks(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield blocks together with all blocks nested in them."""
    for block in blocks:
        yield block
        yield from all_blocks(block.children)


def _without_front_matter(text: str) -> str:
    """Remove a document's YAML front matter (between `---` lines), but keep its line breaks."""
    return _FRONT_MATTER.sub(lambda found: "\n" * found[0].count("\n"), text.lstrip("\ufeff"))


def _without_comments(text: str) -> str:
    """Remove HTML comments, but keep line breaks. A comment without an end is treated as text."""
    *parts, last = text.split("-->")
    kept: list[str] = []
    for part in parts:
        before, opened, comment = part.partition("<!--")
        kept.append(before + "\n" * comment.count("\n") if opened else f"{part}-->")
    return "".join([*kept, last])


def _join_torn_rows(lines: Sequence[str]) -> tuple[list[str], list[int]]:
    """Join table rows that were broken into two lines; return the lines and their numbers."""
    kept: list[str] = []
    numbers: list[int] = []
    for number, line in enumerate(lines, start=1):
        before = kept[-1] if kept else ""
        is_torn = before.startswith("|") and not before.rstrip().endswith("|")
        if is_torn and "|" in line and line[:1] not in "|#" and len(before) < _MAX_TORN:
            kept[-1] = f"{before.rstrip()} {line.strip()}"
        else:
            kept.append(line)
            numbers.append(number)
    return kept, numbers
