from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_tags import Tags

from classifier.papers import names
from classifier.site import blocks, colours, context, markup, paths, search_index
from classifier.site.exports import reference_files
from classifier.site.figures import charts, drawing
from classifier.site.markup import (
    escape_markdown_characters,
    inline_to_html,
    markdown_to_html,
    remove_active_content,
    without_raw_html,
)
from classifier.site.pages import paper


@pytest.mark.parametrize(
    "module",
    [
        reference_files,
        charts,
        colours,
        context,
        drawing,
        blocks,
        markup,
        names,
        paper,
        paths,
        search_index,
    ],
)
def test_the_examples_in_the_docstrings_hold(module: object) -> None:
    results = doctest.testmod(module)  # type: ignore[arg-type]
    assert results.attempted
    assert results.failed == 0


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("plain", "plain"),
        ("a < b & c", "a &lt; b &amp; c"),
        ("# no heading", "# no heading"),
        ("- no list", "- no list"),
        ("<b>bold</b>", "&lt;b&gt;bold&lt;/b&gt;"),
        ("[x](javascript:alert(1))", "[x](javascript:alert(1))"),
        ("![x](https://example.org/pixel.gif)", '<a href="https://example.org/pixel.gif">x</a>'),
        ("<https://example.org>", '<a href="https://example.org">https://example.org</a>'),
        ("two\n\nlines", "two lines"),
        (r"p \< 0.05 \| p \> 1 \<b\>", "p &lt; 0.05 | p &gt; 1 &lt;b&gt;"),
        (r"*mites* \| [lice \| ticks](#t)", '<em>mites</em> | <a href="#t">lice | ticks</a>'),
        (r"\[[1](#ref-1)\]", '[<a href="#ref-1">1</a>]'),
    ],
)
def test_one_line_of_markdown(source: str, html: str) -> None:
    assert inline_to_html(source) == html


@given(st.text(alphabet="<>&\"'[]()!`*_#-|:/ \nabjs\\\ue000", max_size=80))
def test_no_text_gets_an_element_or_an_address_past_the_sanitiser(source: str) -> None:
    for html in (markdown_to_html(source), inline_to_html(source)):
        page = Tags(html.encode())
        assert not {"script", "img", "iframe", "style"} & set(page.tags)
        assert {name for name, _ in page.attributes} <= {"href", "title"}


@given(st.text(alphabet="\\`*_[]()a", min_size=1, max_size=30))
def test_escaped_marks_are_shown_as_they_are(source: str) -> None:
    assert inline_to_html(escape_markdown_characters(source)) == source


@given(st.text(alphabet="<>/!? ab", max_size=30))
def test_raw_tags_become_text_in_markdown(source: str) -> None:
    safe = without_raw_html(source)
    assert "<a" not in safe
    assert "</" not in safe
    assert safe.replace("&lt;", "<") == source


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("[x](https://a.org/b:c) <https://a.org>", "[x](https://a.org/b:c) <https://a.org>"),
        ("[12](#ref-12) [p](p/a.html) [m](mailto:a@b.org)",) * 2,
        (r"\<b\> \\<b> \< 3", r"&lt;b\> \\&lt;b> \< 3"),
        ("[x](javascript:alert(1))", r"[x]\(javascript:alert(1))"),
        ("[x](\n <java\tscript:alert(1)>)", "[x]\\(\n &lt;java\tscript:alert(1)>)"),
        ("[x](JavaScript&colon;y)", r"[x]\(JavaScript&colon;y)"),
        (r"[x](javascript\:y)", r"[x]\(javascript\:y)"),
        ("[a](b [x](data:y)", r"[a](b [x]\(data:y)"),
        ("[x][1]\n\n[1]: vbscript:y", "[x][1]\n\n[1]\\: vbscript:y"),
        ("![img](http://e.org/x.png)", "[img](http://e.org/x.png)"),
        ("!![img](http://e.org/x.png)", "[img](http://e.org/x.png)"),
        (r"\![not an image](http://e.org)",) * 2,
    ],
)
def test_markdown_for_other_readers_runs_and_fetches_nothing(markdown: str, expected: str) -> None:
    assert remove_active_content(markdown) == expected


PIECES = (
    "[", "]", "](", ")", "(", "*", "**", "\\[", "\\]", "\\*", "\\_", "\\", "_", "&", " & ", "&amp;",
    " ", "a", "word", "1", "é", ".", ",", ":", "!", "#", "-", "`", "'", '"', "“", "<", "x:", "//",
    "[12](#ref-12)", "[a b](p/a.html)", "[x](browse.html?code=yes&filed=a/b)", "*Bend*", "*a b.*",
    "[y](https://example.org/a?b=c&copy=d)", "[z](javascript:a)", "[q](//evil.org)", "http://a",
    "https://example.org", "[w](a b)", "[v][1]", "![i](a.png)", "*Bend* [1](#ref-1)",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
def test_simple_markdown_is_converted_as_the_whole_of_it(text: str) -> None:
    line = markup._convert(markup._INLINE, " ".join(text.split()))
    if " ".join(text.split()) and markup._MARKED.search(text):
        assert inline_to_html(text) == line.removeprefix("<p>").removesuffix("</p>")
