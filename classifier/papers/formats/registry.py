"""The formats that can be read, in the order in which they are asked."""

from __future__ import annotations

from classifier.files.content import Content
from classifier.papers.formats import Reader
from classifier.papers.formats.arxiv_atom import ARXIV_ATOM
from classifier.papers.formats.arxiv_mail import ARXIV_MAIL
from classifier.papers.formats.arxiv_pages import ARXIV_PAGES
from classifier.papers.formats.arxiv_rss import ARXIV_RSS
from classifier.papers.formats.bibtex import BIBTEX
from classifier.papers.formats.citation_meta import CITATION_META
from classifier.papers.formats.daily_papers import DAILY_PAPERS
from classifier.papers.formats.delimited import DELIMITED
from classifier.papers.formats.endnote_tagged import ENDNOTE_TAGGED
from classifier.papers.formats.endnote_xml import ENDNOTE_XML
from classifier.papers.formats.html_table import HTML_TABLE
from classifier.papers.formats.hugging_face_html import HUGGING_FACE_HTML
from classifier.papers.formats.jabref_html import JABREF_HTML
from classifier.papers.formats.json_file import JSON_FILE
from classifier.papers.formats.jsonl import JSONL
from classifier.papers.formats.labelled_text import LABELLED_TEXT
from classifier.papers.formats.markdown_list import MARKDOWN_LIST
from classifier.papers.formats.nbib import NBIB
from classifier.papers.formats.oai_pmh import OAI_PMH
from classifier.papers.formats.parquet import PARQUET
from classifier.papers.formats.pubmed_xml import PUBMED_XML
from classifier.papers.formats.ris import RIS
from classifier.papers.formats.spreadsheet import SPREADSHEET
from classifier.papers.formats.web_of_science import WEB_OF_SCIENCE

# What has an unmistakable face comes first, what takes almost any text last.
READERS: tuple[Reader, ...] = (
    DAILY_PAPERS,
    ARXIV_ATOM,
    ARXIV_RSS,
    OAI_PMH,
    PUBMED_XML,
    ENDNOTE_XML,
    NBIB,
    RIS,
    WEB_OF_SCIENCE,
    ENDNOTE_TAGGED,
    LABELLED_TEXT,
    ARXIV_MAIL,
    HUGGING_FACE_HTML,
    ARXIV_PAGES,
    JABREF_HTML,
    CITATION_META,
    HTML_TABLE,
    SPREADSHEET,
    PARQUET,
    JSONL,
    JSON_FILE,
    BIBTEX,
    DELIMITED,
    MARKDOWN_LIST,
)


_NAMED = {reader.name: reader for reader in READERS}


def reader_named(name: str) -> Reader:
    """Return the reader of a format by its name; raises KeyError where there is none."""
    return _NAMED[name]


def reader_for(content: Content) -> Reader | None:
    """Return the first reader that knows the file, or None."""
    return next((reader for reader in READERS if not reader.why_not(content)), None)
