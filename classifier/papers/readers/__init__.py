"""The formats that are read, one module each, in the order in which they are asked.

The first reader that has no reason against a file reads it (`reader_for`).
"""

from __future__ import annotations

import re

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.files.reading import binary_kind
from classifier.papers.reader import Reader, shown
from classifier.papers.readers.arxiv import ARXIV_ATOM, ARXIV_MAIL, OAI_PMH
from classifier.papers.readers.bibtex import BIBTEX
from classifier.papers.readers.column_names import meant
from classifier.papers.readers.daily_papers import DAILY_PAPERS, HUGGING_FACE_HTML
from classifier.papers.readers.json_file import JSON_FILE, JSONL
from classifier.papers.readers.markdown_list import MARKDOWN_LIST
from classifier.papers.readers.ris import RIS
from classifier.papers.readers.table_files import (
    DELIMITED,
    PARQUET,
    SPREADSHEET,
    is_table_without_titles,
)
from classifier.papers.readers.tagged_sources import (
    ENDNOTE_TAGGED,
    ENDNOTE_XML,
    NBIB,
    PUBMED_XML,
    WEB_OF_SCIENCE,
)

# What has an unmistakable face comes first, what takes almost any text last.
READERS: tuple[Reader, ...] = (
    DAILY_PAPERS,
    ARXIV_ATOM,
    OAI_PMH,
    PUBMED_XML,
    ENDNOTE_XML,
    NBIB,
    RIS,
    WEB_OF_SCIENCE,
    ENDNOTE_TAGGED,
    ARXIV_MAIL,
    HUGGING_FACE_HTML,
    SPREADSHEET,
    PARQUET,
    JSONL,
    JSON_FILE,
    BIBTEX,
    DELIMITED,
    MARKDOWN_LIST,
)


# Forms that are refused with their own hint: how such a file begins, found, expected, hint.
_BLANK = r"(?:\\[nrt]|\s)*"
REFUSED = (
    (
        re.compile(r"\s*(?:\[\s*)?\{\s*'[^'\n]{1,100}'\s*:"),
        "dicts as Python prints them", "JSON",
        "Write them in Python with json.dump(records, file).",
    ),
    (
        re.compile(rf'\s*(?:\[\s*)?(?:"{_BLANK}[\[{{]{_BLANK}(?:[\[{{]|\\")|\{{{_BLANK}\\")'),
        "JSON inside a string of JSON", "the JSON itself",
        "Write in its place what json.loads gives for the string.",
    ),
    (
        re.compile(r"(?i)\s*<(?s:.){0,20000}?<tr\s[^<>]{0,300}\bclass\s{0,9}=\s{0,9}[\"']entry\b"),
        "a table that JabRef exported as HTML", "the library itself",
        "Save the library in JabRef as BibTeX (.bib).",
    ),
)  # fmt: skip

_PAGE = "an HTML page"
_FACES = (
    (r"(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body)\b", _PAGE),
    (r"<(?:\?xml|!doctype|[a-z][\w:.-]*[\s/>])", "XML"),
    (r"[\[{]", "JSON"),
)
_UNKNOWN = " that no reader knows"
_NO_TITLES = "Name the columns in the first row: title, authors, abstract, year, doi …"
_EXPORT = "Export its papers as BibTeX, RIS or CSV."


_TABLE = "a table whose first row names no column of titles"


def unknown(content: Content) -> Fault:
    """Return what a file looks like that no reader knows, and what was tried."""
    found, expected, hint = describe_unknown(content), "a format that Fieldguide reads", _EXPORT
    if found == _TABLE:
        first = content.start.lstrip().partition("\n")[0][:2000]
        names = [name.strip(' "\r') for name in re.split(r"[,;\t|]", first)]
        asked = (f"{shown(n)}: did you mean {near}? " for n in names if (near := meant(n)))
        expected, hint = "a column 'title'", "".join([*asked, _NO_TITLES])
    elif content.is_text and not found.startswith(_PAGE):
        hint = "Tried:" + "".join(f"\n  {one.name}: {one.why_not(content)}" for one in READERS)
    return Fault("error", content.name, None, found, expected, hint)


def looks_like_input(content: Content) -> bool:
    """Whether a file that no reader knows was meant to be read: it has the form of an input."""
    if not content.is_text:
        return False
    found = describe_unknown(content)
    return found == _TABLE or found.endswith(_UNKNOWN)


def describe_unknown(content: Content) -> str:
    """Return what a file looks like, for "found …"."""
    if not content.is_text:
        return binary_kind(content.start_bytes)
    start = content.start.lstrip()
    for face, found in _FACES:
        if re.match(face, start[:20_000], re.IGNORECASE):
            return f"{found}{_UNKNOWN}"
    if is_table_without_titles(content.start):
        return _TABLE
    return f"a text that no reader knows, which begins {shown(start[:200])}"


def refusal(content: Content) -> Fault | None:
    """Return why a file is refused whose form is known but not read, or None."""
    for face, *told in REFUSED:
        if face.match(content.start):
            return Fault("error", content.name, 1, *told)
    return None


def reader_named(name: str) -> Reader:
    """Return the reader of a format by its name; raises KeyError where there is none."""
    return {reader.name: reader for reader in READERS}[name]


def reader_for(content: Content) -> Reader | None:
    """Return the first reader that knows the file, or None."""
    return next((reader for reader in READERS if not reader.why_not(content)), None)
