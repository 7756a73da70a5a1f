"""Whether the prose of survey.md is wholly made of known sentences, in their order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from classifier.errors import Fault
from classifier.site.markdown import byline, title_text
from classifier.site.markup import without_foreign_parts
from classifier.survey.document import Document

_ANCHOR = r'<a id="[^"]+"></a>'
_STRUCTURE = re.compile(
    rf"#{{1,6}} [^\n]+|(?:\|[^\n]*\n?)+|{_ANCHOR}"
    rf"|(?:{_ANCHOR})?(?:!\[|\*\*(?:Table|Figure)\b[^*\n]*\*\* |\*\*\d+\.\*\* )[^\n]*"
)
"""Headings, tables, anchors, pictures, captions and references: a line each, but for tables."""
_LINKED = re.compile(r"!?\[(?:\\.|\[[^\]]*\]|[^\[\]\\])*\]\([^()\s]*\)")
_CURE = (
    "Templates print only what has a source: say it in taxonomy.yaml, as `scope` or as a claim, "
    "where it is signed."
)
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class _Expected:
    """All sentences as one text, as it should be met in the survey."""

    text: str
    ids: tuple[str, ...]
    starts: tuple[int, ...]

    def next_from(self, position: int) -> str:
        """Return the text of the sentence that starts at `position`, or ""."""
        at = bisect_right(self.starts, position) - 1
        if at < 0 or self.starts[at] != position:
            return ""
        ends = (*self.starts[1:], len(self.text))
        return self.text[position : ends[at] - 1]

    def id_at(self, position: int) -> str:
        return self.ids[max(bisect_right(self.starts, position) - 1, 0)]

    def ids_between(self, start: int, end: int) -> list[str]:
        inside = (name for name, at in zip(self.ids, self.starts, strict=True) if start <= at < end)
        return list(inside) or [self.id_at(start)]


def prose_faults(
    survey: str, sentences: Sequence[Mapping[str, Any]], document: Document
) -> Iterator[Fault]:
    """Yield prose of the survey that no sentence stands behind, and sentences that are not met."""
    expected = _expected(sentences)
    subtitle = f"*{title_text(document.subtitle)}*"
    title = {_folded(subtitle), _folded(without_foreign_parts(byline(document)))}
    position = 0
    for line, block in _blocks(survey):
        text = _folded(block)
        if expected.text.startswith(f"{text} ", position):
            position += len(text) + 1
        elif (
            _STRUCTURE.fullmatch(block)
            or not re.search(r"\w", _LINKED.sub("", block))
            or text in title
        ):
            continue
        elif (found := expected.text.find(f"{text} ", position)) >= 0:
            yield from _missing(expected.ids_between(position, found))
            position = found + len(text) + 1
        else:
            rest, met = _without_known(text, expected, position)
            yield _unknown(line, rest, expected, met)
            position = met
    if position < len(expected.text):
        yield from _missing(expected.ids_between(position, len(expected.text)))


def _expected(sentences: Sequence[Mapping[str, Any]]) -> _Expected:
    parts, ids, starts, length = [], [], [], 0
    for sentence in sentences:
        text = _folded(without_foreign_parts(sentence["text"]))
        if text:
            parts.append(f"{text} ")
            ids.append(sentence["id"])
            starts.append(length)
            length += len(text) + 1
    return _Expected("".join(parts), tuple(ids), tuple(starts))


def _blocks(survey: str) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of every block between blank lines."""
    line = 1
    for block in survey.split("\n\n"):
        stripped = block.strip()
        if stripped:
            yield line + len(block) - len(block.lstrip("\n")), stripped
        line += block.count("\n") + 2


def _without_known(text: str, expected: _Expected, position: int) -> tuple[str, int]:
    """Return what of a paragraph is no sentence that should stand here, and where to go on."""
    while (sentence := expected.next_from(position)) and sentence in text:
        text = _folded(text.replace(sentence, " ", 1))
        position += len(sentence) + 1
    return text, position


def _unknown(line: int, text: str, expected: _Expected, position: int) -> Fault:
    found = f"prose that no sentence stands behind, “{_shortened(text)}”"
    wanted = "nothing more"
    if position < len(expected.text):
        rest = _shortened(expected.text[position : position + 2 * _SHOWN])
        wanted = f"sentence '{expected.id_at(position)}', “{rest}”"
    return Fault("error", "survey.md", line, found, wanted, _CURE)


def _missing(ids: Sequence[str]) -> Iterator[Fault]:
    for name in ids:
        found = f"no trace of sentence '{name}'"
        yield Fault(
            "error", "survey.md", None, found, "every sentence of sentences.jsonl, in order"
        )


def _folded(text: str) -> str:
    return " ".join(text.split())


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN].rstrip()}…"
