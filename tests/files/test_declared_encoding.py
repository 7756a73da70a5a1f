from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from classifier.files.reading import find_encoding

XML = '<?xml version="1.0" encoding="{}"?><title>{}</title>'
HTML = '<html><head><meta charset="{}"><title>{}</title>'
OLD_HTML = '<meta http-equiv="Content-Type" content="text/html; charset={}"><title>{}</title>'


@pytest.mark.parametrize("page", [XML, HTML, OLD_HTML, "% Encoding: {}\n@book{{a, title={{{}}}}}"])
@pytest.mark.parametrize(
    ("declared", "read_as"),
    [
        ("iso-8859-1", "cp1252"),
        ("windows-1252", "cp1252"),
        ("ISO-8859-2", "iso8859-2"),
        ("iso-8859-15", "iso8859-15"),
        ("GB2312", "gb18030"),
        ("Shift_JIS", "cp932"),
        ("koi8-r", "koi8-r"),
    ],
)
def test_a_page_is_in_the_encoding_that_it_declares(page: str, declared: str, read_as: str) -> None:
    word = {"gb18030": "面包", "cp932": "パン", "koi8-r": "хлеб"}.get(read_as, "Käse")
    data = page.format(declared, word).encode(declared)
    encoding = find_encoding([data], "page.html")
    assert (encoding.name, encoding.faults) == (read_as, ())
    assert word in data.decode(encoding.name, encoding.errors)


def test_utf_8_is_believed_against_what_a_page_declares() -> None:
    data = XML.format("iso-8859-1", "Käse").encode()
    assert find_encoding([data], "page.xml").name == "utf-8"


@pytest.mark.parametrize(
    "declared", ["utf-8", "utf-16", "rot13", "unicode_escape", "idna", "bread"]
)
def test_what_no_page_is_in_is_not_believed(declared: str) -> None:
    data = XML.format(declared, "Käse").encode("cp1252")
    encoding = find_encoding([data], "page.xml")
    assert encoding.name == "utf-8"
    assert [str(fault) for fault in encoding.faults] == snapshot(
        [
            "page.xml:1: notice: found byte 0xe4; expected UTF-8 text. It is read as Windows-1252; "
            "save the file as UTF-8 if letters look wrong."
        ]
    )


@given(st.binary(), st.text(max_size=40))
def test_any_bytes_are_read(data: bytes, declared: str) -> None:
    whole = XML.format(declared, "").encode("utf-8", "replace") + data
    encoding = find_encoding([whole], "page.xml")
    assert isinstance(whole.decode(encoding.name, encoding.errors), str)
