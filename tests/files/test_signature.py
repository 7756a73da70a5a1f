from __future__ import annotations

import pytest

from classifier.files.reading import binary_kind, utf_16_order


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n", "a PDF file"),
        (b"\x1f\x8b\x08", "a gzip archive"),
        (b"\0" * 9, "a binary file"),
        (b"one \0 two", ""),
        (b"title\n", ""),
    ],
)
def test_what_a_binary_file_is(data: bytes, kind: str) -> None:
    assert binary_kind(data) == kind


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_text_of_two_bytes_a_letter_is_known_without_its_mark(encoding: str) -> None:
    assert utf_16_order("title,year\nCafé,2024\n".encode(encoding))
    assert not utf_16_order(b"title,year\nA\0b,2024\n")
