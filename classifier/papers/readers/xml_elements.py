"""Read the elements of an XML file one after another, up to the first fault of the XML.

No entity is expanded, no DTD is loaded, and there is no network access. Two common faults of
exports are repaired before parsing: control characters, and a `&` that begins no entity of XML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.fields import read_fields
from classifier.papers.paper import Source
from classifier.papers.reader import Reader, Record, display_value, record_name

Element = Any
"""An lxml element; lxml has no types."""

_CONTROLS = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"
    r"|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|[xX]0*(?:[0-8bcefBCEF]|1[0-9a-fA-F]));"
)
_BARE_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)")
# The parser gets the text in UTF-8, whatever encoding the declaration names.
_DECLARATION = re.compile(r"\A(\s*)<\?xml\s[^<>]{0,1000}\?>")


def xml_elements(content: Content, *names: str) -> Iterator[Element | Fault]:
    """Yield the elements with these local names, then a warning if the file is broken."""
    from lxml import etree

    text = _CONTROLS.sub("", _DECLARATION.sub(r"\1", content.text(), count=1))
    parser = etree.iterparse(
        BytesIO(_BARE_AMPERSAND.sub("&amp;", text).encode()),
        tag=[f"{{*}}{name}" for name in names],
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
    )
    try:
        for _, element in parser:
            yield element
            element.clear()
            parent = element.getparent()
            while parent is not None and element.getprevious() is not None:
                del parent[0]  # a slice would count all parsed elements
    except etree.XMLSyntaxError as error:
        found = f"broken XML ({error.msg.partition(', line')[0][:120]})"
        hint = "Papers after this line were not read. Save or export the file again."
        yield Fault("warning", content.name, error.lineno or None, found, "well-formed XML", hint)


def xml_reader(
    name: str,
    elements: Sequence[str],
    fields: Callable[[Element], Mapping[str, object]],
    reject_reason: Callable[[Content], str],
    description: str,
    examples: tuple[str, ...],
) -> Reader:
    """Return the reader of a format whose records are elements with these local names.

    fields: returns the fields of an element for `read_fields`; {} if the element is not a record.
    """

    def read(content: Content) -> Iterator[Record]:
        for element in xml_elements(content, *elements):
            if isinstance(element, Fault):
                yield element
            elif found := fields(element):
                title = display_value(record_name(found))
                for record in read_fields(found, Source(content.name, name, end_line_of(element))):
                    if isinstance(record, Fault) and not record.record:  # a line may be long
                        record = replace(record, actual=f"{record.actual} in {title}")
                    yield record

    return Reader(name, reject_reason, read, description, examples)


def text_of(element: Element | None) -> str:
    """Return all text in an element without comments; "" for None."""
    if element is None:
        return ""
    if not len(element):
        return element.text or ""
    return "".join(element.itertext("*"))


def child(element: Element | None, path: str) -> Element | None:
    """Return the first element at `outer/inner`, or None, in a quarter of the time of `find`."""
    for name in path.split("/"):
        if element is None:
            return None
        element = next(element.iterchildren(name), None)
    return element


def children(element: Element | None, path: str) -> list[Element]:
    """Return all elements at a path; before the last name, only first children are followed."""
    outer, _, name = path.rpartition("/")
    holder = child(element, outer) if outer else element
    return [] if holder is None else list(holder.iterchildren(name))


def end_line_of(element: Element) -> int:
    """Return the 1-based line on which the element's tag ends."""
    return element.sourceline or 1
