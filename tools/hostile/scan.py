"""What in a published site would run, fetch or break out, told by other parsers than ours."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from urllib.parse import urlsplit
from xml.etree import ElementTree

from page_tags import Tags

_RUNS = {
    "iframe",
    "object",
    "embed",
    "applet",
    "frame",
    "frameset",
    "portal",
    "math",
    "foreignobject",
}
_ADDRESSES = {
    "href", "src", "srcset", "action", "formaction", "data", "poster", "background", "cite",
    "xlink:href", "ping", "manifest", "longdesc", "srcdoc",
}  # fmt: skip
_SCHEMES = {"", "http", "https", "mailto"}
_LOADED = {"src", "srcset", "action", "data", "poster", "background"}
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_FORMULA = re.compile(r"[=+@\t\r]|-(?![\d.])")
_BLANKS = re.compile(r"[\x00-\x20]+")


def site_dangers(files: Mapping[str, bytes]) -> list[str]:
    """Return `path: danger` for everything in a site that could do harm."""
    found = []
    for path, content in files.items():
        scan = _SCANS.get(PurePosixPath(path).suffix)
        if scan is not None:
            try:
                found += [f"{path}: {danger}" for danger in scan(path, content)]
            except (ValueError, SyntaxError, csv.Error) as error:  # no JSON, XML, UTF-8 or CSV
                found.append(f"{path}: cannot be read ({error})")
    return found


def page_dangers(path: str, content: bytes) -> Iterator[str]:
    """Yield what a browser would run or fetch in a page."""
    page = Tags(content)
    yield from (f"<{tag}>" for tag in page.tags if tag in _RUNS)
    yield from _attribute_dangers(page.attributes)
    if _CONTROLS.search(content.decode("utf-8")):
        yield "a control character"
    scripts = re.findall(rb"<script\b([^>]*)>", content)
    ours = re.compile(
        rb'\s+(?:src="(?:\.\./)*[\w./-]+\.js"(?: defer)?|type="application/ld\+json")'
    )
    yield from (f"script{each.decode()}" for each in scripts if not ours.fullmatch(each))
    if (
        b'http-equiv="Content-Security-Policy"' not in content
        and b'http-equiv="refresh"' not in content
    ):
        yield "no policy"


def _attribute_dangers(attributes: list[tuple[str, str]]) -> Iterator[str]:
    for name, value in attributes:
        name = name.lower()
        if name.startswith("on") or name in {"style", "srcdoc", "formaction", "background"}:
            yield f"{name}={value[:60]!r}"
        elif name in _ADDRESSES:
            address = _BLANKS.sub("", value)
            try:
                parts = urlsplit(address)
            except ValueError:
                yield f"{name}={value[:60]!r}"
                continue
            is_elsewhere = bool(parts.scheme or parts.netloc)
            if parts.scheme.lower() not in _SCHEMES or (parts.netloc and not parts.scheme):
                yield f"{name}={value[:60]!r}"
            elif name in _LOADED and is_elsewhere:
                yield f"fetched {name}={value[:60]!r}"


def _xml_dangers(path: str, content: bytes) -> Iterator[str]:
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        yield "a document type"
    root = ElementTree.fromstring(content)
    for element in root.iter():
        tag = str(element.tag).rpartition("}")[2].lower()
        if tag in _RUNS or tag == "script":
            yield f"<{tag}>"
        named = [(name.rpartition("}")[2], value) for name, value in element.attrib.items()]
        drawn = [(name, value) for name, value in named if name != "style"]
        yield from _attribute_dangers(drawn)


def _csv_dangers(path: str, content: bytes) -> Iterator[str]:
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    for row in rows:
        yield from (f"a formula {cell[:60]!r}" for cell in row if _FORMULA.match(cell))
        if row and len(row) != len(rows[0]):
            yield f"a row of {len(row)} cells, not {len(rows[0])}"


def _json_dangers(path: str, content: bytes) -> Iterator[str]:
    def refuse(word: str) -> None:
        raise ValueError(f"{path}: {word} is no JSON")

    for text in content.decode("utf-8").split("\n") if path.endswith("l") else [content.decode()]:
        if text:
            json.loads(text, parse_constant=refuse)
    yield from ()


def _script_dangers(path: str, content: bytes) -> Iterator[str]:
    """Yield what the data in a script would do: it must be one assignment of JSON."""
    text = content.decode("utf-8")
    if path.startswith(("search-index", "search/")):
        head, _, data = text.partition("=")
        json.loads(data.strip().removesuffix(";"))
        if not re.fullmatch(r"[\w.\[\]\"' ]+", head.strip()):
            yield f"an assignment to {head[:60]!r}"


def _markdown_dangers(path: str, content: bytes) -> Iterator[str]:
    text = content.decode("utf-8")
    ours = r"<(?!a id=\"[^\"<>]*\"></a>|/a>|https?://)[a-zA-Z/!?]"
    yield from (
        f"a tag {text[m.start() : m.start() + 40]!r}" for m in re.finditer(rf"(?<!\\){ours}", text)
    )
    for scheme in re.findall(r"(?<!\\)\]\(\s*<?([a-zA-Z][\w+.-]*):", text):
        if scheme.lower() not in _SCHEMES:
            yield f"a link of {scheme}:"


_SCANS = {
    ".html": page_dangers,
    ".svg": _xml_dangers,
    ".xml": _xml_dangers,
    ".atom": _xml_dangers,
    ".rss": _xml_dangers,
    ".csv": _csv_dangers,
    ".json": _json_dangers,
    ".jsonl": _json_dangers,
    ".js": _script_dangers,
    ".md": _markdown_dangers,
}
