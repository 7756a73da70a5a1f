"""What fuzzing of the readers starts from: examples in their formats, and the formats' tokens."""

from __future__ import annotations

import ast
import io
import json
import zipfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from random import Random

import classifier
from classifier.files.content import Content, text_content
from classifier.files.reading import binary_kind
from classifier.papers.reader import Reader

ROOT = Path(classifier.__file__).parents[1]
TESTS = ROOT / "tests"
REAL = ROOT.parent / "shared" / "data" / "inputs"
MOST = 2_000
"""Bytes of a seed: longer ones are tried less often."""

SHEET = b"<worksheet "
"""What is put into a workbook as its sheet: a changed byte would else only break the archive."""

TOKENS: tuple[str, ...] = (
    "{", "}", "@article{", "@comment{", "@string(", '"', " = ", "#", ",", "\\", "$", "\\'{e}",
    "crossref = {a}", "author = {", " and ", "month = jan", "archiveprefix", "eprint",
    '<c r="A1" t="s"><v>9</v></c>', '<c t="inlineStr"><is><t>', '<row r="7">', ' r="XFD1048576"',
    "\n", "\r", "\t", " ", ";", "|", "||", "---", "- ", "* ", "1. ", "# ", "## ", "> ", "```",
    "[", "](", ")", "![", "**", "__", "`", "<br>", "<details>", "</details>", "<summary>",
    "<!--", "-->", "<![CDATA[", "]]>", "<?xml ", "<!DOCTYPE ", "<!ENTITY ", "</", "/>", "&amp;",
    "&#x1F41D;", "&#0;", "&lt;", "<script>", "<table>", "<tr>", "<td>", "<a href=\"", "<i>",
    "TY  - JOUR", "TI  - ", "AU  - ", "ER  - ", "AB  - ", "PMID- ", "FAU - ", "PT J", "UT ", "EF",
    "%0 ", "%A ", "%T ", "\\\\", "arXiv:", "https://arxiv.org/abs/2403.00001", "10.1000/182",
    '{"title": "', '"authors": [', '": {', "null", "true", "[]", "{}", "1e999", "-0", "NaN",
    "\\ud83d", "\\u0000", "None", "'", "title", "Title", "Authors", "Year", "DOI", "Abstract",
    "2024-02-30", "Mar 1, 2024", "2024", "et al.", "others", "\ufeff", "\u00a0", "\u200b",
    "\u2028", "\x00", "\x0b", "\x0c", "\x1c", "\x85", "é", "Ã©", "ﬁ", "𝒳", "²", "٣", "İ",
)  # fmt: skip
"""What the formats are made of, and the signs that programs stumble over."""


def content_of(data: bytes) -> Content:
    """Return bytes as what readers get; a text of them is in UTF-8, a sheet in a workbook."""
    if data.startswith(SHEET):
        data = _workbook({"xl/worksheets/sheet1.xml": data})
    if binary_kind(data):
        return Content("fuzz", lambda: io.BytesIO(data), "", "", "")
    return text_content("fuzz", data.decode("utf-8", "replace"))


def seeds_of(reader: Reader) -> list[bytes]:
    """Return examples that a reader knows: those in our tests, and pieces of the real files."""
    texts = {text.encode("utf-8", "replace") for text in _examples()}
    own = (example.replace("@@", "honey").encode() for example in reader.examples)
    found = sorted({*texts, *own, *_pieces(), *_tables()}, key=lambda data: (len(data), data))
    return [data for data in found if data.strip() and _is_known(reader, data)]


def _is_known(reader: Reader, data: bytes) -> bool:
    try:
        return not reader.why_not(content_of(data))
    except Exception:
        return True  # a finding


def _examples() -> Iterator[str]:
    """Yield the longer strings in the tests of readers: they are examples of the formats."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and 20 < len(text) <= MOST:
                yield text


def _tables() -> Iterator[bytes]:
    """Yield a small workbook, its sheet alone, an OpenDocument archive and a Parquet file."""
    with zipfile.ZipFile(io.BytesIO(_workbook({}))) as archive:
        yield archive.read("xl/worksheets/sheet1.xml").replace(b"<worksheet ", SHEET)
    yield _workbook({})
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    yield packed.getvalue()
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = {"title": ["Bees", None], "authors": [["Ada One"], []], "year": [2024, 1]}
    for compression in ("none", "snappy"):
        packed = io.BytesIO()
        pq.write_table(pa.table(table), packed, compression=compression)
        yield packed.getvalue()


@lru_cache
def _members() -> dict[str, bytes]:
    """Return the parts of a small workbook."""
    from datetime import date

    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["Title", "Authors", "Year", "Date"])
    book.active.append(["Bees", "Ada One; Bo Two", 2024, date(2024, 2, 1)])
    book.active.append(["Bread", True, 1.5, "=1+1"])
    packed = io.BytesIO()
    book.save(packed)
    with zipfile.ZipFile(packed) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _workbook(changed: dict[str, bytes]) -> bytes:
    """Return a small workbook, with some of its parts changed."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in {**_members(), **changed}.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return packed.getvalue()


def _pieces() -> Iterator[bytes]:
    """Yield the start of each real file, and other pieces of it behind its first line."""
    for path in sorted(REAL.rglob("*")) if REAL.is_dir() else ():
        if not path.is_file() or path.name.startswith("MANIFEST"):
            continue
        data = path.read_bytes()
        if len(data) <= 20 * MOST and binary_kind(data):
            yield data
        yield data[:MOST]
        yield data[: MOST // 4]
        head, _, _ = data.partition(b"\n")
        for place in range(1, 5):
            piece = data[data.find(b"\n", len(data) * place // 5) :][:MOST]
            yield head[:MOST] + piece
        if path.suffix in (".json", ".jsonl"):
            yield from _first_records(data)


def _first_records(data: bytes) -> Iterator[bytes]:
    """Yield the first records of a file in JSON as a whole text."""
    try:
        value = json.loads(data)
    except ValueError:
        yield b"\n".join(data.split(b"\n")[:2])
        return
    if isinstance(value, list):
        yield json.dumps(value[:2]).encode()


def mutated(data: bytes, others: list[bytes], random: Random) -> bytes:
    """Return a text with a piece left out, doubled, repeated, moved, or put in from another."""
    start = random.randrange(len(data) + 1)
    end = min(len(data), start + random.choice((1, 2, 4, 8, 20, 50, 200, 1000)))
    before, piece, after = data[:start], data[start:end], data[end:]
    match random.randrange(7):
        case 0:
            return before + after
        case 1:
            return before + piece * random.choice((2, 3, 10, 100)) + after
        case 2:
            return before + random.choice(TOKENS).encode() + after
        case 3:
            token = random.choice(TOKENS).encode()
            return before + token * random.choice((2, 3, 10, 100, 1000)) + piece + after
        case 4:
            return after + piece + before
        case 5:
            other = random.choice(others)
            cut = random.randrange(len(other) + 1)
            return before + other[cut : cut + random.choice((10, 50, 200, 1000))] + after
    lines = data.split(b"\n")
    random.shuffle(lines)
    return b"\n".join(lines)
