"""Messages about files that cannot be read: their format, and how to get a format that can."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.files.reading import binary_kind
from classifier.papers.reader import Reader, display_value
from classifier.papers.readers.column_names import closest_name
from classifier.papers.readers.delimited import is_table_without_titles

REFUSED_FORMS: Final = (
    (
        re.compile(r"\s*(?:\[\s*)?\{\s*'[^'\n]{1,100}'\s*:"),
        "dicts as Python prints them", "JSON",
        "Write them in Python with json.dump(records, file).",
    ),
    (
        re.compile(r"(?i)\s*<(?s:.){0,20000}?<tr\s[^<>]{0,300}\bclass\s{0,9}=\s{0,9}[\"']entry\b"),
        "a table that JabRef exported as HTML", "a library file",
        "Save the library in JabRef as BibTeX (.bib).",
    ),
    (
        re.compile(r"\s*<(?s:.){0,2000}?<(?:\w{1,20}:)?OAI-PMH[\s>]"),
        "a response of OAI-PMH", "BibTeX, RIS, CSV or JSON Lines",
        "Convert each record to a line such as {\"title\": …, \"abstract\": …} (JSON Lines); papers"
        " of arXiv: fieldguide fetch arxiv.",
    ),
    (
        re.compile(r"(?s:.){0,20000}?^\\\\\s*\n(?:arXiv:\d|Paper(?:\s\(\*cross-listing\*\))?: )",
                   re.MULTILINE),
        "an e-mail list of arXiv", "BibTeX, RIS, CSV or JSON Lines",
        "Fetch the papers instead: fieldguide fetch arxiv.",
    ),
    (
        re.compile(r"\s*(?:<\?xml[^>]{0,200}\?>\s*)?<rdf:RDF\b[^>]{0,2000}zotero\.org/namespaces"),
        "Zotero RDF", "BibTeX, CSL JSON or CSV",
        "Export the collection from Zotero again, as BibTeX, CSL JSON or CSV.",
    ),
    (
        re.compile(r"\s*RT [A-Z][\w ]{2,40}\r?\n(?:[A-Z][A-Z0-9] [^\n]*\n){1,40}"),
        "RefWorks' tagged text", "EndNote's tagged text, RIS or BibTeX",
        "Export the papers again; on CNKI choose EndNote.",
    ),
)  # fmt: skip
"""Formats that are recognised but not read: signature of the start, actual, expected, hint."""

# A note of Obsidian or Hugo; refused only if no reader recognises the text below its front matter.
_FRONT_MATTER = re.compile(r"(?:---|\+\+\+)[ \t]*\r?\n[\w-]{1,40}[ \t]*[:=]")

_PAGE = "an HTML page"
_SIGNATURES: Final = (
    (r"(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body)\b", _PAGE),
    (r"<(?:\?xml|!doctype|[a-z][\w:.-]*[\s/>])", "XML"),
    (r"\[\[?[\w.-]+\]\]?\s*\n\s*[\w-]+\s*=", "TOML"),
    (r"[\[{]", "JSON"),
)
_UNKNOWN = " in an unknown format"
_TABLE = "a table whose first row has no title column"
_NO_TITLES = "Name the columns in the first row: title, authors, abstract, year, doi …"
_EXPORT = "Export its papers as BibTeX, RIS or CSV."
# Ending of a file's name -> its format; other endings are names of formats, such as of plug-ins.
_PROMISED: Final = {
    ".bib": "bibtex", ".ris": "ris", ".nbib": "nbib", ".enw": "endnote-tagged", ".csv": "csv",
    ".tsv": "csv", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".md": "markdown",
}  # fmt: skip


def refusal_error(content: Content) -> Fault | None:
    """Return the error about a file in a recognised format that cannot be read, or None."""
    for signature, actual, expected, hint in REFUSED_FORMS:
        if signature.match(content.start):
            return Fault("error", content.name, 1, actual, expected, hint)
    return None


def unknown_format_fault(content: Content, readers: Sequence[Reader]) -> Fault:
    """Return the error about a file that no reader accepts."""
    actual, expected, hint = describe_file(content), "a format that Fieldguide reads", _EXPORT
    ending = PurePath(content.name).suffix.lower()
    promised = _PROMISED.get(ending, ending[1:])
    if actual == _TABLE:
        first = content.start.lstrip().partition("\n")[0][:2000]
        names = [name.strip(' "\r') for name in re.split(r"[,;\t|]", first)]
        questions = (
            f"{display_value(n)}: did you mean {near}? " for n in names if (near := closest_name(n))
        )
        expected, hint = "a column 'title'", "".join([*questions, _NO_TITLES])
    elif content.is_text and _FRONT_MATTER.match(content.start):
        actual, expected = "a note with front matter", "a list of papers"
        hint = "Export the references of your notes as BibTeX or CSL JSON, or list them in a CSV."
    elif content.is_text and promised:
        reader = next((reader for reader in readers if reader.name == promised), None)
        if reader is not None:
            actual, expected = f"{actual} ({reader.reject_reason(content)})", reader.description
    return Fault("error", content.name, None, actual, expected, hint)


def looks_like_input(content: Content) -> bool:
    """Return whether a file that no reader accepts looks like an input."""
    if not content.is_text:
        return False
    actual = describe_file(content)
    return actual == _TABLE or actual.endswith(_UNKNOWN)


def describe_file(content: Content) -> str:
    """Describe a file for a message that begins with "found"."""
    if not content.is_text:
        return binary_kind(content.start_bytes)
    start = content.start.lstrip()
    for signature, actual in _SIGNATURES:
        if re.match(signature, start[:20_000], re.IGNORECASE):
            return f"{actual}{_UNKNOWN}"
    if is_table_without_titles(content.start):
        return _TABLE
    return f"a text in an unknown format, which begins with {display_value(start[:200])}"
