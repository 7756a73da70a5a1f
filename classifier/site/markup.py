"""Convert Markdown to safe HTML: raw HTML becomes text; links are http(s), mailto or relative."""

from __future__ import annotations

import html
import re
from functools import lru_cache

import nh3
from markdown import Markdown
from markupsafe import Markup, escape

_TAGS = {
    "a", "blockquote", "br", "code", "del", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p",
    "pre", "strong", "sub", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_ATTRIBUTES = {"a": {"href", "title"}}
_URL_SCHEMES = {"http", "https", "mailto"}
_BLOCK_SYNTAX = (
    "indent", "code", "hashheader", "setextheader", "hr", "olist", "ulist", "quote", "reference",
)  # fmt: skip
_MARKED = re.compile(r"[\\`*_\[\]<>&!]|https?:")
# Most lines of the survey are plain text with links, names in italics and escaped characters. They
# are converted here in a tenth of the time; other lines go through Markdown and the sanitiser. A
# test compares the two ways.
_LETTER = r"[^\\`*_\[\]<>&!:\x00-\x1f\x7f-\xa0]++|:(?!//)|!(?!\[)|&(?=\ )"
_ESCAPED = r"\\[\\`*_\[\]|]"
_ADDRESS = (
    r"(?:https?://(?!xn--)(?:[A-Za-z0-9]+\.)+[A-Za-z]{2,}(?:/[\w./?=&%,+~-]*)?"
    r"|[A-Za-z0-9.#][A-Za-z0-9./#?=&%,+~-]*)"
)
_STARRED = r"(?<![\w*\\])\*(?=[\w])[^\\`*_\[\]<>&!:\x00-\x1f\x7f-\xa0]*(?<=\w)\*(?![\w*])"
_SIMPLE = re.compile(
    rf"(?:{_LETTER}|{_ESCAPED}|\[(?:{_LETTER}|{_ESCAPED})+\]\({_ADDRESS}\)|{_STARRED})*"
)
_SIMPLE_MARK = re.compile(rf"\[((?:{_LETTER}|{_ESCAPED})+)\]\(({_ADDRESS})\)|\*([^*]+)\*|\\(.)|&")
_MARK = re.compile(r"[\\`*_\[\]]")
_BLANKS = re.compile(r"[ \t\n\r\f\v]+")
"""Blanks that may become one; a no-break space stays."""
_RAW_TAG = re.compile(r"(?<!\\)((?:\\\\)*)\\?<(?=[A-Za-z/!?])(?!https?://[^\s<>]+>)")
_LINK = re.compile(r"\](?=([(:])([^)]*))")
"""The end of a link's text, followed by its address or by the definition of a reference."""
_FOREIGN = re.compile(r"[<\]]")
_MAX_MARKS = 2_000
"""A text with more characters of Markdown is printed unchanged, since the time to convert it grows
with the square of their number."""
_IMAGE = re.compile(r"(?<!\\)((?:\\\\)*)!+(?=\[)")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_UNSEEN = re.compile(r"[\x00-\x20\\<>]")
"""Characters that browsers ignore before the scheme of an address."""


def _converter(*, blocks: bool) -> Markdown:
    """Create a converter for blocks or for single lines."""
    converter = Markdown(extensions=["tables"] if blocks else [])
    # Editors do not need raw HTML, and abstracts may contain hostile HTML.
    converter.preprocessors.deregister("html_block")
    converter.inlinePatterns.deregister("html")
    converter.ESCAPED_CHARS = [*converter.ESCAPED_CHARS, "<", "|"]  # as CommonMark has it
    if not blocks:
        for name in _BLOCK_SYNTAX:
            converter.parser.blockprocessors.deregister(name)
    return converter


_BLOCKS = _converter(blocks=True)
_INLINE = _converter(blocks=False)


@lru_cache(maxsize=1024)  # A text of the editors is printed on several pages.
def markdown_to_html(text: str) -> Markup:
    """Convert Markdown of any length to HTML blocks."""
    return _convert(_BLOCKS, text)


@lru_cache(maxsize=4096)
def inline_to_html(text: str) -> Markup:
    """Convert one line of Markdown to HTML without an enclosing block.

    >>> inline_to_html("**Recall** wins <b>3%</b> [12](#ref-12)")
    Markup('<strong>Recall</strong> wins &lt;b&gt;3%&lt;/b&gt; <a href="#ref-12">12</a>')
    """
    text = _BLANKS.sub(" ", text).strip(" ")
    if not _MARKED.search(text):
        return escape(text)
    if _SIMPLE.fullmatch(text):
        return Markup(_SIMPLE_MARK.sub(_simple_html, text))
    line = _convert(_INLINE, text)
    return Markup(line.removeprefix("<p>").removesuffix("</p>"))


def _simple_html(mark: re.Match[str]) -> str:
    """Convert a matched link, a name in italics or an escape to HTML."""
    label, address, starred, escaped = mark.groups()
    if label is not None:
        inside = _SIMPLE_MARK.sub(_simple_html, label)
        return f'<a href="{html.escape(address)}">{inside}</a>'
    if starred is not None:
        return f"<em>{starred}</em>"
    return escaped or "&amp;"


def plain_text(text: str) -> str:
    """Convert one line of Markdown to plain text, for attributes and descriptions.

    >>> plain_text("**Recall** & [friends](#a)")
    'Recall & friends'
    """
    line = " ".join(text.split())
    return str(inline_to_html(line).striptags()) if _MARKED.search(line) else line


def escape_markdown_characters(text: str) -> str:
    r"""Escape the Markdown characters in a text.

    >>> escape_markdown_characters("snake_case [draft]")
    'snake\\_case \\[draft\\]'
    """
    return _MARK.sub(r"\\\g<0>", text)


def without_raw_html(markdown: str) -> str:
    """Escape the raw HTML in Markdown.

    >>> without_raw_html("a <script> and <https://example.org>")
    'a &lt;script> and <https://example.org>'
    """
    return _RAW_TAG.sub(r"\1&lt;", markdown)


def remove_active_content(markdown: str) -> str:
    r"""Remove from Markdown everything that a reader's program could run or load from another site.

    Raw HTML and links with schemes other than http, https and mailto become text; images become
    links.

    >>> remove_active_content("[x](javascript:y) ![z](https://example.org/z.png)")
    '[x]\\(javascript:y) [z](https://example.org/z.png)'
    """
    if not _FOREIGN.search(markdown):
        return markdown
    return _LINK.sub(_check_link, _IMAGE.sub(r"\1", without_raw_html(markdown)))


def _check_link(link: re.Match[str]) -> str:
    """Return `]`, followed by a backslash if the scheme of the address is not allowed."""
    scheme = _SCHEME.match(_UNSEEN.sub("", html.unescape(link[2])))
    return "]" if scheme is None or scheme[1].lower() in _URL_SCHEMES else "]\\"


def _convert(converter: Markdown, text: str) -> Markup:
    """Convert a text."""
    converter.reset()
    if sum(1 for _ in _MARKED.finditer(text)) > _MAX_MARKS:
        return Markup("<p>{}</p>").format(text)
    converted = converter.convert(remove_active_content(text))
    # Safe: nh3 leaves only the tags, attributes and schemes listed above.
    clean = nh3.clean(
        converted,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes=_URL_SCHEMES,
        link_rel=None,
    )
    # Wide blocks scroll, so the keyboard must be able to focus them.
    return Markup(clean.replace("<pre>", '<pre tabindex="0">'))
