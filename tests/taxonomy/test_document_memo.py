"""A document that is remembered is the document that was parsed."""

from __future__ import annotations

from pathlib import Path

import pytest

from classifier.errors import InputError
from classifier.files.memo import Memos
from classifier.taxonomy.document_memo import remembered_document
from classifier.taxonomy.yaml_parser import parse_document

DOCUMENT = """\
survey: {title: 'Bread', pages: 1.10}  # a comment
flours: &flours [rye, ~, true, spelt]  # another
again: *flours
nothing:
"""


def kept(memos: Memos, folder: Path) -> Memos:
    """Return the memos as the next build finds them."""
    for name, content in memos.made.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    return Memos(folder)


def test_every_part_of_a_node_is_remembered(tmp_path: Path) -> None:
    memos = Memos(tmp_path)
    parsed = remembered_document(DOCUMENT, "taxonomy/x.yaml", memos)
    later = kept(memos, tmp_path)
    assert remembered_document(DOCUMENT, "taxonomy/x.yaml", later) == parsed
    assert parsed == parse_document(DOCUMENT, "taxonomy/x.yaml")
    assert later.made == {}


def test_another_text_is_parsed(tmp_path: Path) -> None:
    memos = Memos(tmp_path)
    remembered_document(DOCUMENT, "x.yaml", memos)
    node, _ = remembered_document("a: b", "x.yaml", kept(memos, tmp_path))
    assert node.value() == {"a": "b"}


def test_faults_are_told_each_time(tmp_path: Path) -> None:
    memos = Memos(tmp_path)
    _, faults = remembered_document("a: 1\na: 2\n", "x.yaml", memos)
    assert len(faults) == 1
    assert memos.made == {}
    with pytest.raises(InputError):
        remembered_document("a: [", "x.yaml", memos)
