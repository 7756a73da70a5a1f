"""Edit a YAML file that a person wrote: change a few characters, and leave all others unchanged.

A YAML writer would also fold lines, quote texts and move comments elsewhere in the file.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path

import yaml

from classifier.errors import Fault, InputError
from classifier.files.reading import read_bytes

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PLAIN = re.compile(r"[A-Za-z][\w/-]*~?(?: [\w/-]*\w~?)*", re.ASCII)
_NOT_TEXT = frozenset("null true false yes no on off y n".split())


def yaml_scalar(text: str) -> str:
    """Return a text as a YAML scalar on one line, with quotes if they are necessary.

    >>> yaml_scalar("gui-agents"), yaml_scalar("2024"), yaml_scalar("Agents' tools: all")
    ('gui-agents', "'2024'", "'Agents'' tools: all'")
    """
    if _PLAIN.fullmatch(text) and text.lower() not in _NOT_TEXT:
        return text
    return "'" + text.replace("'", "''") + "'"


class YamlFile:
    """The text of a YAML file, its tree, and the planned edits."""

    def __init__(self, path: Path, file_name: str) -> None:
        """Parse a file that `load_taxonomy` or `read_claims` has already read without an error."""
        data = read_bytes(path, file_name)
        is_utf_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        text = data.decode("utf-16" if is_utf_16 else "utf-8")
        self.path = path
        self.file_name = file_name
        self.text = text.lstrip("\ufeff")
        self._byte_order_mark = text[: len(text) - len(self.text)]
        self._newline = "\r\n" if "\r\n" in self.text else "\n"
        self.root: yaml.Node | None = yaml.compose(self.text, Loader=_LOADER)
        self._edits: dict[tuple[int, int], str] = {}

    @property
    def is_changed(self) -> bool:
        """Whether any edit is planned."""
        return bool(self._edits)

    def edited_text(self) -> str:
        """Return the text of the file with all edits."""
        text = self.text
        for (start, end), new in sorted(self._edits.items(), reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def edited_bytes(self) -> bytes:
        """Return the content of the file with all edits, in UTF-8."""
        return (self._byte_order_mark + self.edited_text()).encode()

    def edited_lines(self) -> Iterator[str]:
        """Yield each new or changed line, with the file name and the line number."""
        before, after = self.text.split("\n"), self.edited_text().split("\n")
        for tag, _, _, start, end in SequenceMatcher(None, before, after, False).get_opcodes():
            for number in range(start, end) if tag != "equal" else ():
                if after[number].strip():
                    yield f"{self.file_name}:{number + 1}: {after[number].strip()}"

    def replace(self, node: yaml.Node, text: str) -> None:
        """Schedule an edit that replaces a scalar by `text`."""
        self._edits[node.start_mark.index, node.end_mark.index] = yaml_scalar(text)

    def add_to_list(self, mapping: yaml.MappingNode, key: str, *texts: str) -> None:
        """Plan to add texts to the list at `key`; a new list is inserted after the first line."""
        items = value_of(mapping, key)
        scalars = [yaml_scalar(text) for text in texts]
        if not isinstance(items, yaml.SequenceNode):
            self.add_key(mapping, key, f"[{', '.join(scalars)}]")
        elif items.flow_style:
            start = items.start_mark.index + 1
            self._insert(start, ", ".join(scalars) + (", " if items.value else ""))
        else:
            start, indent = items.start_mark.index, " " * items.start_mark.column
            self._insert(start, "".join(f"- {each}{self._newline}{indent}" for each in scalars))

    def add_key(self, mapping: yaml.MappingNode, key: str, value: str) -> None:
        """Plan to add `key: value` after the first key whose value is on the same line.

        value: as YAML. Raises InputError if no key has such a value.
        """
        place = self._end_of_first_line(mapping)
        added = f"{key}: {value}"
        if mapping.flow_style:
            added = f", {added}"
        else:
            added = self._newline + " " * mapping.start_mark.column + added
        self._insert(place, added)

    def add_first_pairs(self, mapping: yaml.MappingNode, pairs: Sequence[str]) -> None:
        """Plan to add `key: value` pairs (as YAML) before the first key of a mapping."""
        if mapping.flow_style:
            self._insert(mapping.start_mark.index + 1, "".join(f"{pair}, " for pair in pairs))
            return
        line_end = self._newline + " " * mapping.start_mark.column
        self._insert(mapping.start_mark.index, "".join(pair + line_end for pair in pairs))

    def add_items(
        self, item: yaml.Node, parent: yaml.SequenceNode, mappings: Sequence[Mapping[str, str]]
    ) -> None:
        """Plan to add mappings after an item of a list of mappings.

        parent: the list. mappings: values as YAML, by key.
        """
        if parent.flow_style:
            place = item.end_mark.index
            pairs = (", ".join(f"{key}: {value}" for key, value in each.items())
                     for each in mappings)  # fmt: skip
            self._insert(place, "".join(f", {{{each}}}" for each in pairs))
            return
        place = self._end_of_line(self._content_end(item))
        dash = " " * parent.start_mark.column
        before = self.text[: self.text.rfind("\n", 0, item.start_mark.index) + 1]
        is_spaced = before.endswith(self._newline * 2)
        added = ""
        for each in mappings:
            lines = [f"{key}: {value}" for key, value in each.items()]
            added += self._newline * (2 if is_spaced else 1)
            added += f"{dash}- " + f"{self._newline}{dash}  ".join(lines)
        self._insert(place, added)

    def _insert(self, place: int, text: str) -> None:
        """Plan to insert a text at an offset, after earlier insertions at the same offset."""
        self._edits[place, place] = self._edits.get((place, place), "") + text

    def _end_of_first_line(self, mapping: yaml.MappingNode) -> int:
        """Return the offset of the end of a mapping's first line."""
        for _, value in mapping.value:
            is_line = value.start_mark.line == value.end_mark.line
            if is_line and isinstance(value, yaml.ScalarNode) and value.style not in ("|", ">"):
                end = int(value.end_mark.index)
                return end if mapping.flow_style else self._end_of_line(end)
        found, expected = "no key with a value on its line", "such as 'title: …'"
        raise InputError(
            [Fault("error", self.file_name, mapping.start_mark.line + 1, found, expected)]
        )

    def _end_of_line(self, place: int) -> int:
        """Return the offset of the end of the line at `place`."""
        end = self.text.find(self._newline, place)
        return len(self.text) if end < 0 else end

    def _content_end(self, node: yaml.Node) -> int:
        """Return the offset after a node's last character, without the comments below it."""
        if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
            last = node.value[-1]
            return self._content_end(last[1] if isinstance(last, tuple) else last)
        return len(self.text[: node.end_mark.index].rstrip())


def value_of(mapping: yaml.Node | None, key: str) -> yaml.Node | None:
    """Return the value at `key` in a mapping, or None."""
    if not isinstance(mapping, yaml.MappingNode):
        return None
    return next((value for name, value in mapping.value if name.value == key), None)


def items_of(node: yaml.Node | None) -> list[yaml.Node]:
    """Return the items of a list; [] for any other value."""
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def pairs_of(node: yaml.Node | None) -> list[tuple[yaml.Node, yaml.Node]]:
    """Return the (key, value) pairs of a mapping; [] for any other value."""
    return list(node.value) if isinstance(node, yaml.MappingNode) else []
