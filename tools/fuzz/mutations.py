"""Files of people, changed by chance: YAML by its lines and blocks, tables by rows and cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from random import Random

from tools.fuzz.seeds import mutated

ODD = (
    "", " ", "\t", "0", "-1", "1e999", "NaN", "null", "true", "~", "yes", "no", "ok", "wrong", "x",
    "=1+1", "+A1", "@SUM(A1)", "-cmd|' /C calc'!A0", "'", '"', "''", '""', "a;b", "a; a", ";", "|",
    "sourdough", "flour; sourdough", "sourdough/cultures", "../../etc/passwd", "no such thing",
    "withdraw", "confirm", "2024-02-30", "2025-06-01", "9999-12-31", "0000-00-00", "ada; ben",
    "{{ 7*7 }}", "{% raw %}", "<script>alert(1)</script>", "[a](javascript:alert(1))", "&lt;",
    "\u202e", "\u200b", "\ufeff", "\u2028", "\x85", "\x1b[2J", "\x00", "\x7f", "\ud800", "İ",
    "ß", "ﬁ", "é", "e\u0301", "蜜蜂", "🐝", "a" * 300, "(" * 60, "[" * 40, "1" * 5000, "\n", "\r",
    "a\nb", "doi:10.1/x", "arxiv:2304.00111", "p-2a2bbe240b", "*", "a~", "~a", "a*b",
    "a NEAR b", "!a", "fed_by: clock", "benchmarks: Rapeseed test", "code",
    "topic=flour&year=2024", "%zz", "a=b=c",
)  # fmt: skip
"""Values that programs stumble over, and words that mean something somewhere."""

_SCALARS = (
    *(repr(text) for text in ODD[:60]), "[]", "{}", "[a, [b, [c]]]", "{a: {b: c}}", "&a b", "*a",
    "!!python/object/apply:os.system [x]", "!!binary aGk=", "|\n  text", ">-\n  text", "- a", "? a",
    "0x1F", "0o17", "1_000", "12:30:45", "2024-01-01", ".inf", "-.nan", "off", "Null", "%YAML 1.2",
    "<<: *a", "[a", "{a", '"a', "'a", "a: b: c", "# c", "@a", "`a`", "---", "...", "\t- a",
)  # fmt: skip
_ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252", "utf-32")


def mutated_yaml(data: bytes, others: list[bytes], random: Random) -> bytes:
    """Return YAML with a few lines, blocks, keys or values changed, or any bytes of it."""
    if random.random() < 0.15:
        return mutated(data, others, random)
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        lines = random.choice(_YAML)(lines, random)
    return _encoded("\n".join(lines), random, rarely=0.04)


def mutated_table(data: bytes, others: list[bytes], random: Random) -> bytes:
    """Return a CSV with a few cells, rows or columns changed, or any bytes of it."""
    if random.random() < 0.15:
        return mutated(data, others, random)
    try:
        rows = list(csv.reader(io.StringIO(data.decode("utf-8", "replace"), newline="")))
    except csv.Error:  # an earlier change left no table
        return mutated(data, others, random)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        rows = random.choice(_TABLE)(rows, random)
    text = io.StringIO()
    writer = csv.writer(
        text,
        delimiter=random.choice(",,,,,;\t|"),
        quoting=random.choice((csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL)),
        lineterminator=random.choice(("\n", "\n", "\r\n", "\r")),
    )
    writer.writerows(rows)
    return _encoded(text.getvalue(), random, rarely=0.2)


def _encoded(text: str, random: Random, rarely: float) -> bytes:
    if random.random() >= rarely:
        return text.encode("utf-8", "surrogateescape" if _is_escaped(text) else "replace")
    return text.encode(random.choice(_ENCODINGS), "replace")


def _is_escaped(text: str) -> bool:
    return all(0xDC80 <= ord(sign) <= 0xDCFF for sign in text if 0xD800 <= ord(sign) <= 0xDFFF)


# --- YAML -----------------------------------------------------------------------------------------


def _block(lines: list[str], random: Random) -> tuple[int, int]:
    """Return where a line and all that is indented below it starts and ends."""
    start = random.randrange(len(lines))
    indent = _indent(lines[start])
    end = start + 1
    while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) > indent):
        end += 1
    return start, end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _drop_block(lines: list[str], random: Random) -> list[str]:
    start, end = _block(lines, random)
    return [*lines[:start], *lines[end:]] or [""]


def _double_block(lines: list[str], random: Random) -> list[str]:
    start, end = _block(lines, random)
    return [*lines[:end], *lines[start:end] * random.choice((1, 1, 2, 9)), *lines[end:]]


def _move_block(lines: list[str], random: Random) -> list[str]:
    start, end = _block(lines, random)
    rest = [*lines[:start], *lines[end:]]
    place = random.randrange(len(rest) + 1)
    return [*rest[:place], *lines[start:end], *rest[place:]]


def _swap_lines(lines: list[str], random: Random) -> list[str]:
    one, two = random.randrange(len(lines)), random.randrange(len(lines))
    swapped = lines[:]
    swapped[one], swapped[two] = swapped[two], swapped[one]
    return swapped


def _indent_block(lines: list[str], random: Random) -> list[str]:
    start, end = _block(lines, random)
    by = random.choice((-4, -2, -1, 1, 2, 4))
    moved = [" " * by + line if by > 0 else line[min(-by, _indent(line)) :]
             for line in lines[start:end]]  # fmt: skip
    return [*lines[:start], *moved, *lines[end:]]


def _change_value(lines: list[str], random: Random) -> list[str]:
    place = random.randrange(len(lines))
    head, sign, _ = lines[place].partition(random.choice((": ", "- ")))
    return [*lines[:place], head + sign + random.choice(_SCALARS), *lines[place + 1 :]]


def _change_key(lines: list[str], random: Random) -> list[str]:
    place = random.randrange(len(lines))
    new = random.choice((*ODD, "cues", "children", "id", "claims", "evidence", "aliases", "kind"))
    changed = re.sub(r"[\w]+(?=:)", lambda _: new, lines[place], count=1)
    return [*lines[:place], changed, *lines[place + 1 :]]


def _odd_item(lines: list[str], random: Random) -> list[str]:
    """Put an odd text into a flow list, quoted or not."""
    place = random.randrange(len(lines))
    item = random.choice((random.choice(ODD), repr(random.choice(ODD))))
    changed = lines[place].replace("[", f"[{item}, ", 1)
    return [*lines[:place], changed, *lines[place + 1 :]]


_Yaml = Callable[[list[str], Random], list[str]]
_YAML: tuple[_Yaml, ...] = (
    _drop_block, _double_block, _move_block, _swap_lines, _indent_block, _change_value,
    _change_value, _change_value, _change_key, _odd_item, _odd_item,
)  # fmt: skip


# --- tables ---------------------------------------------------------------------------------------

Rows = list[list[str]]


def _change_cell(rows: Rows, random: Random) -> Rows:
    """Change a cell below the header, to something odd or to what another cell says."""
    if len(rows) < 2 or not any(rows[1:]):
        return [*rows, [random.choice(ODD)]]
    row = random.choice([row for row in rows[1:] if row])
    others = [cell for other in rows[1:] for cell in other if cell] or [""]
    row[random.randrange(len(row))] = random.choice((random.choice(ODD), random.choice(others)))
    return rows


def _change_header(rows: Rows, random: Random) -> Rows:
    if rows and rows[0]:
        place = random.randrange(len(rows[0]))
        name = rows[0][place]
        rows[0][place] = random.choice((name.upper(), f" {name} ", *random.sample(ODD, 2)))
    return rows


def _drop_column(rows: Rows, random: Random) -> Rows:
    place = random.randrange(max(1, len(rows[0]) if rows else 1))
    return [row[:place] + row[place + 1 :] for row in rows]


def _double_column(rows: Rows, random: Random) -> Rows:
    place = random.randrange(max(1, len(rows[0]) if rows else 1))
    return [row[: place + 1] + row[place:] for row in rows]


def _reorder_columns(rows: Rows, random: Random) -> Rows:
    order = list(range(max(map(len, rows), default=0)))
    random.shuffle(order)
    return [[row[i] if i < len(row) else "" for i in order] for row in rows]


def _drop_row(rows: Rows, random: Random) -> Rows:
    place = random.randrange(len(rows) or 1)
    return rows[:place] + rows[place + 1 :]


def _double_row(rows: Rows, random: Random) -> Rows:
    place = random.randrange(len(rows) or 1)
    return rows[: place + 1] + [row[:] for row in rows[place : place + 1]] + rows[place + 1 :]


def _shuffle_rows(rows: Rows, random: Random) -> Rows:
    rest = rows[1:]
    random.shuffle(rest)
    return rows[:1] + rest


def _ragged_row(rows: Rows, random: Random) -> Rows:
    row = random.choice(rows) if rows else []
    if random.random() < 0.5:
        row.append(random.choice(ODD))
    elif row:
        row.pop()
    return rows


def _blank_row(rows: Rows, random: Random) -> Rows:
    return [*rows, [], [""] * random.randrange(4), ["  "]]


_Table = Callable[[Rows, Random], Rows]
_TABLE: tuple[_Table, ...] = (
    _change_cell, _change_cell, _change_cell, _change_cell, _change_cell, _change_header,
    _drop_column, _double_column, _reorder_columns, _drop_row, _double_row, _shuffle_rows,
    _ragged_row, _blank_row,
)  # fmt: skip
