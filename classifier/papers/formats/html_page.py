"""A saved HTML page as a tree of elements whose text reads as the page shows it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from classifier.files.content import Content
from classifier.papers.formats.xml_elements import Element

_FACE = re.compile(r"<(?:!doctype\s+html|html|head|body|meta|div|table|dl|li)\b", re.IGNORECASE)
_BREAKS = ("br", "p", "div", "li", "tr", "td", "th", "dt", "dd", "h1", "h2", "h3", "h4", "ul")
# "n <c$ holds" is text, though a parser would take it for an element and what follows it for names.
_NO_TAG = re.compile(r"<(?!/?[A-Za-z][\w:.-]*[\s/>]|[!?])")
# lxml gives these back, of `&#5;` as well, but does not take them.
_NO_CHARACTERS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_DATA = "application/ld+json"


def is_html(content: Content) -> bool:
    """Say whether a text looks like HTML."""
    return content.start.lstrip()[:1] == "<" and bool(_FACE.search(content.start))


def html_page(content: Content) -> Element | None:
    """Return the root element of a page, or None where there is no element.

    Scripts are gone (but JSON-LD), formulas that MathJax or KaTeX drew are TeX between dollars
    again, and what starts a line on the page starts one in the text.
    """
    from lxml import etree

    data = _NO_TAG.sub("&lt;", content.text()).encode("utf-8", "replace")
    # With `huge_tree` elements may be 2,048 deep; the page of a person easily is beyond 256.
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True
    )
    try:
        page = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:  # nothing but blanks or comments
        return None
    if page is None:
        return None
    _restore_formulas(page)
    for element in list(page.iter("script", "style", "noscript", "template", "svg")):
        if element.get("type") != _DATA:
            _drop(element)
    for element in page.iter(*_BREAKS):
        element.text = _joined("\n", element.text)
        element.tail = _joined("\n", element.tail)
    return page


def line_text(element: Element | None) -> str:
    """Return the text in an element as one line; "" of None."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def of_class(element: Element, name: str, tag: str = "*") -> list[Element]:
    """Return the elements of a class (one word of `class`) in an element, in page order."""
    return list(_find_class(tag)(element, name=f" {name} "))


def first_of_class(element: Element, name: str, tag: str = "*") -> Element | None:
    """Return the first element of a class, or None."""
    return next(iter(of_class(element, name, tag)), None)


@lru_cache(maxsize=64)
def _find_class(tag: str) -> Any:
    from lxml import etree

    words = "concat(' ', normalize-space(@class), ' ')"
    return etree.XPath(f"descendant::{tag}[@class and contains({words}, $name)]")


def _restore_formulas(page: Element) -> None:
    """Put TeX back where a saved page holds what a script drew of it."""
    for element in list(page.iter("script")):
        if element.get("type", "").startswith("math/tex"):
            _replace(element, f"${element.text or ''}$")
    for name in ("MathJax_Preview", "MathJax", "MathJax_Display"):
        for element in of_class(page, name):
            _drop(element)
    for element in of_class(page, "katex"):
        if (tex := next(element.iter("annotation"), None)) is not None:
            _replace(element, f"${tex.text or ''}$")


def _replace(element: Element, text: str) -> None:
    element.tail = _joined(text, element.tail)
    _drop(element)


def _drop(element: Element) -> None:
    """Remove an element with all that is in it, but not the text behind it."""
    parent = element.getparent()
    if parent is None:
        return
    tail, before = element.tail or "", element.getprevious()
    if before is None:
        parent.text = _joined(parent.text, tail)
    else:
        before.tail = _joined(before.tail, tail)
    parent.remove(element)


def _joined(text: str | None, more: str | None) -> str:
    """Return two texts as one that lxml takes."""
    return _NO_CHARACTERS.sub(" ", f"{text or ''}{more or ''}")
