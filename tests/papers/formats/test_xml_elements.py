from __future__ import annotations

import time

import pytest

from classifier.errors import Fault
from classifier.files.content import text_content
from classifier.papers.formats.xml_elements import line_of, text_of, xml_elements


def read(text: str) -> list[object]:
    return [
        item.found if isinstance(item, Fault) else (line_of(item), text_of(item))
        for item in xml_elements(text_content("bees.xml", text), "bee")
    ]


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("1 &lt; 2 &amp; 3", "1 < 2 & 3"),
        ("salt & bread, then &lt;", "salt & bread, then <"),
        ("caf&eacute;&nbsp;au lait &lt;", "café\N{NO-BREAK SPACE}au lait <"),
        ("&honey; stays, AT&T; too", "&honey; stays, AT&T; too"),
        ("<b>bold</b> and <!-- no --> plain", "bold and  plain"),
        ("<![CDATA[AT&T <b>]]>", "AT&T <b>"),
        ("form\x0cfeed &#11;&#0;&lt;", "formfeed <"),
        ("n <c holds <b>too</b>", "n <c holds too"),
        ("<![CDATA[n <c]]> <d <i>x</i>", "n <c <d x"),
    ],
)
def test_what_exports_do_wrong_is_mended(inside: str, text: str) -> None:
    assert read(f"<hive><bee>{inside}</bee><bee>&lt;</bee></hive>") == [(1, text), (1, "<")]


def test_names_in_any_namespace_with_their_lines() -> None:
    text = '\n<?xml version="1.0" encoding="utf-16"?>\n<h xmlns="x"><bee>é</bee>\n<bee/></h>'
    assert read(text) == [(3, "é"), (4, "")]


def test_no_entity_of_the_document_is_expanded_and_no_file_read() -> None:
    laughs = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    bomb = f'<!DOCTYPE h [<!ENTITY a "ha">{laughs}]><h><bee>&j;</bee></h>'
    file = '<!DOCTYPE h [<!ENTITY f SYSTEM "file:///etc/passwd">]><h><bee>&f;</bee></h>'
    assert read(bomb)[:1] in ([(1, "&j;")], read(bomb))
    assert "ha" * 10 not in str(read(bomb))
    assert read(file) == [(1, "&f;")]


@pytest.mark.parametrize(
    "text",
    [
        "<" * 10**6,
        "<bee>" * 200_000,
        "&" * 10**6,
        "<![CDATA[" * 100_000,
        "<h><bee>" + "<a " * 300_000 + "</bee></h>",
        "<h>" + "<![CDATA[" * 100_000,
        "<bee " + "a='1' " * 150_000,
        "<h>" + "</bee>" * 150_000,
        "\n" * 10**6,
        '"' * 10**6,
    ],
)
def test_hostile_texts_take_no_time(text: str) -> None:
    start = time.process_time()
    read(text)
    assert time.process_time() - start < 10


def test_long_files_are_cut_into_blocks_anywhere() -> None:
    text = "<h>" + "".join(f"<bee>{n} &lt; <![CDATA[a&b]]>&eacute;</bee>\n" for n in range(60_000))
    found = read(f"{text}</h>")
    assert found == [(n + 1, f"{n} < a&bé") for n in range(60_000)]
