"""The formats that Fieldguide reads, one module per format, in the order in which they are tried.

A file is read by the first reader that has no reason to reject it (`reader_for`). Readers of
plug-ins come after the built-in ones.
"""

from __future__ import annotations

from functools import cache

from classifier.files.content import Content
from classifier.papers.paper import Paper
from classifier.papers.reader import Reader, Record, display_value
from classifier.papers.readers.arxiv import ARXIV_ATOM
from classifier.papers.readers.bibtex import BIBTEX
from classifier.papers.readers.daily_papers import DAILY_PAPERS, HUGGING_FACE_HTML
from classifier.papers.readers.delimited import DELIMITED
from classifier.papers.readers.endnote import ENDNOTE_TAGGED, ENDNOTE_XML
from classifier.papers.readers.json_file import JSON_FILE, JSONL
from classifier.papers.readers.markdown_list import MARKDOWN_LIST
from classifier.papers.readers.parquet import PARQUET
from classifier.papers.readers.pubmed import NBIB, PUBMED_XML
from classifier.papers.readers.ris import RIS
from classifier.papers.readers.spreadsheet import SPREADSHEET
from classifier.papers.readers.web_of_science import WEB_OF_SCIENCE
from classifier.plugins import load_plugins

# Formats with an unmistakable signature come first, those that match almost any text last.
READERS: tuple[Reader, ...] = (
    DAILY_PAPERS, ARXIV_ATOM, PUBMED_XML, ENDNOTE_XML, NBIB, RIS, WEB_OF_SCIENCE, ENDNOTE_TAGGED,
    HUGGING_FACE_HTML, SPREADSHEET, PARQUET, JSONL, JSON_FILE, BIBTEX, DELIMITED,
    MARKDOWN_LIST,
)  # fmt: skip


@cache
def all_readers() -> tuple[Reader, ...]:
    """Return the built-in readers, then those of plug-ins."""
    names = {reader.name for reader in READERS}
    return (*READERS, *load_plugins("readers", Reader, names, _paper_fault))


def _paper_fault(record: Record) -> str:
    """Return why a record of a plug-in cannot be used, or ""."""
    if not isinstance(record, Paper) or (record.title.strip() and len(record.sources) == 1):
        return ""
    title = display_value(record.title)
    return f"the paper {title} has {len(record.sources)} sources; expected a title and one Source"


def reader_by_name(name: str) -> Reader:
    """Return the reader with this name, or raise KeyError if there is none."""
    return {reader.name: reader for reader in all_readers()}[name]


def reader_for(content: Content) -> Reader | None:
    """Return the first reader that accepts the file, or None."""
    return next((reader for reader in all_readers() if not reader.reject_reason(content)), None)
