"""The tree of a YAML document as JSON, so that an unchanged file need not be parsed again."""

from __future__ import annotations

import json
import posixpath
from typing import Any

from classifier.errors import Fault
from classifier.files.json_text import compact_json
from classifier.files.memo import Memos, memo_key
from classifier.taxonomy.document import Node


def remembered_document(text: str, file: str, memos: Memos) -> tuple[Node, list[Fault]]:
    """Return what `parse_document` returns, from the memos where an earlier build parsed it.

    A document with faults is parsed every time. Raises as `parse_document` does.
    """
    name = f"{posixpath.basename(file)}.json"
    key = memo_key([text], "ruamel.yaml")
    kept = memos.recall(name, key)
    if kept is not None:
        return _node(json.loads(kept), file), []
    from classifier.taxonomy.yaml_parser import parse_document  # late: where there is YAML to read

    node, faults = parse_document(text, file)
    if not faults:
        memos.keep(name, key, compact_json(_row(node)))
    return node, faults


def _row(node: Node) -> list[Any]:
    """Return a node as a list: kind, line, text, comment, size, items, then keys and values."""
    pairs = [_row(each) for pair in node.pairs for each in pair]
    items = [_row(item) for item in node.items]
    return [node.kind, node.line, node.text, node.comment, node.size, items, pairs]


def _node(row: list[Any], file: str) -> Node:
    kind, line, text, comment, size, items, pairs = row
    nodes = [_node(each, file) for each in pairs]
    below = tuple(_node(each, file) for each in items)
    both = tuple(zip(nodes[::2], nodes[1::2], strict=True))
    return Node(kind, file, line, text, comment, below, both, size)
