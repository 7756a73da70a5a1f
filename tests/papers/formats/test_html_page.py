from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.files.content import text_content
from classifier.papers.formats.arxiv_pages import ARXIV_PAGES
from classifier.papers.formats.citation_meta import CITATION_META
from classifier.papers.formats.html_page import html_page, line_text, of_class
from classifier.papers.formats.hugging_face_html import HUGGING_FACE_HTML
from classifier.papers.reader import Reader

READERS = (ARXIV_PAGES, CITATION_META, HUGGING_FACE_HTML)
TAGS = (
    "<tr class='entry'>", "<td>", "<article>", "<h3>", "<dd>", "<dt>", "<li class=arxiv-result>",
    "<a href='/abs/2401.00001'>", "<a href='/papers/2401.00001'>", "<p class=mathjax>", "</p>",
    "<div class=list-title>", "<meta name=citation_title content='Bread'>", "<h1>", "</td>",
    "<div data-props='{\"title\": 1}'>", "<span class=katex>", "<script type='math/tex'>", "x",
)  # fmt: skip


def shown(text: str) -> str:
    return line_text(html_page(text_content("page.html", text)))


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>one<br>two</p>three", "one two three"),
        ("<p>1 < 2 and n <c$ too</p>", "1 < 2 and n <c$ too"),
        ("<p>caf&eacute;<script>no()</script> au lait<!-- no --></p>", "café au lait"),
        ('<?xml version="1.0" encoding="utf-16"?><p>é</p>', "é"),
        ("<p>a <span class='MathJax'>x</span><script type='math/tex'>x^2</script> b", "a $x^2$ b"),
        ("<p>a\x1cb</p>", "a b"),
        ("<p>a &#5;b<script>no()</script>&#5honey</p>", "a b honey"),
        ("", ""),
        ("<!-- only -->", ""),
    ],
)
def test_text_reads_as_the_page_shows_it(page: str, text: str) -> None:
    assert shown(page) == text


def test_a_class_is_one_word_of_several() -> None:
    page = html_page(text_content("f", "<p class='a entry\n b'>1</p><p class='entryway'>2</p>"))
    assert [line_text(element) for element in of_class(page, "entry")] == ["1"]


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
@given(text=st.text() | st.lists(st.sampled_from(TAGS)).map("".join))
def test_any_text_is_read_without_a_crash(reader: Reader, text: str) -> None:
    content = text_content("page.html", text)
    assert isinstance(reader.why_not(content), str)
    list(reader.read(content))


@pytest.mark.parametrize("sign", ["<", "<div>", "&", '"', "\n", "<a ", "<!--", *TAGS])
def test_hostile_texts_take_no_time(sign: str) -> None:
    content = text_content("page.html", f"<html>arxiv hugging{sign * (500_000 // len(sign))}")
    for reader in READERS:
        start = time.process_time()
        reader.why_not(content)
        list(reader.read(content))
        assert time.process_time() - start < 20, reader.name
