"""Read the elements of an XML file one after another, even if the XML is broken.

No entity is expanded, no DTD is loaded, and there is no network access. In its recovery mode,
libxml2 drops every `&lt;` after the first fault of a file. Therefore common faults of exports (a
bare `&`, `&nbsp;`, control characters) are repaired before parsing.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from html.entities import html5
from io import BytesIO
from typing import Any

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.fields import read_fields
from classifier.papers.paper import Source
from classifier.papers.reader import Reader, Record, display_value, record_name

Element = Any
"""An lxml element; lxml has no types."""

_REFERENCES = (
    r"&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|[xX]0*(?:[0-8bcefBCEF]|1[0-9a-fA-F]));"
    r"|&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});)(?:[A-Za-z][A-Za-z0-9]{1,31};)?"
)
# A `<` before another `<` is not a tag. The parser would look for the end of each, which takes
# quadratic time.
_NO_TAG = r"<(?=[\w:/][^<>]*<)"
_MENDED = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"
    rf"|{_REFERENCES}|{_NO_TAG}",
    re.DOTALL,
)
# The parser gets the text in UTF-8, whatever encoding the declaration names.
_DECLARATION = re.compile(r"\A(\s*)<\?xml\s[^<>]{0,1000}\?>")


def xml_elements(content: Content, *names: str) -> Iterator[Element | Fault]:
    """Yield the elements with these local names in order, then a warning if the file is broken.

    Each element is emptied before the next one is yielded. The last element of a truncated file may
    be incomplete.
    """
    from lxml import etree

    text = _DECLARATION.sub(r"\1", content.text(), count=1)
    parser = etree.iterparse(
        BytesIO(_MENDED.sub(_repair_xml, text).encode("utf-8", "ignore")),
        tag=[f"{{*}}{name}" for name in names],
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        recover=True,
    )
    try:
        for _, element in parser:
            yield element
            _free_memory(element)
    except etree.XMLSyntaxError as error:
        yield _broken_xml_fault(content, error.lineno or None, error.msg)
        return
    # Less severe errors (an invalid URI of a namespace) lose nothing.
    for entry in [entry for entry in parser.error_log if entry.level_name == "FATAL"][:1]:
        yield _broken_xml_fault(content, entry.line, entry.message)


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
        text = content.text()
        n_records = sum(len(re.findall(rf"<{element}[ >]", text)) for element in elements)
        is_line_vague = n_records > text.count("\n") + 1
        for element in xml_elements(content, *elements):
            if isinstance(element, Fault):
                yield element
            elif found := fields(element):
                title = record_name(found)
                for record in read_fields(found, Source(content.name, name, end_line_of(element))):
                    if is_line_vague and isinstance(record, Fault) and not record.record:
                        record = replace(
                            record, line=None, actual=f"{record.actual} in {display_value(title)}"
                        )
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
    """Return the first element at a path such as `outer/inner`, or None.

    Names are compared literally, which takes a quarter of the time of `find`.
    """
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


def children_by_name(element: Element) -> dict[str, list[Element]]:
    """Return the children of an element by local name, which is faster than a search per name."""
    parts: dict[str, list[Element]] = {}
    for part in element.iterchildren("*"):
        parts.setdefault(part.tag.rpartition("}")[2], []).append(part)
    return parts


def child_text(children: dict[str, list[Element]], name: str) -> str:
    """Return the stripped text of the first child with this name, or ""."""
    return text_of(children[name][0]).strip() if name in children else ""


def end_line_of(element: Element) -> int:
    """Return the 1-based line on which the element's tag ends."""
    return element.sourceline or 1


def _repair_xml(match: re.Match[str]) -> str:
    """Return a matched fault of the XML, repaired."""
    found = match[0]
    if found == "<":
        return "&lt;"
    if found.startswith("<"):
        return found if found.isprintable() else re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "", found)
    if not found.startswith("&") or found.startswith("&#"):
        return ""
    return html.escape(html5.get(found[1:], found), quote=False)


def _free_memory(element: Element) -> None:
    """Empty an element and delete the elements before it, to save memory."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]  # a slice would count all parsed elements


def _broken_xml_fault(content: Content, line: int | None, message: str) -> Fault:
    """Return the warning about broken XML."""
    found = f"broken XML ({message.partition(chr(10))[0].strip()[:120]})"
    hint = "Papers after this line may be missing or incomplete. Save or export the file again."
    return Fault("warning", content.name, line, found, "well-formed XML", hint)
