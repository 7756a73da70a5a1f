"""The formats that can be read, in the order in which they are asked."""

from __future__ import annotations

from classifier.corpus.readers import Reader
from classifier.corpus.readers.bibtex.bibtex import BIBTEX
from classifier.corpus.readers.daily_papers import DAILY_PAPERS
from classifier.corpus.readers.html.arxiv_pages import ARXIV_PAGES
from classifier.corpus.readers.html.citation_meta import CITATION_META
from classifier.corpus.readers.html.html_table import HTML_TABLE
from classifier.corpus.readers.html.hugging_face_html import HUGGING_FACE_HTML
from classifier.corpus.readers.html.jabref_html import JABREF_HTML
from classifier.corpus.readers.json_records.json_file import JSON_FILE
from classifier.corpus.readers.jsonl import JSONL
from classifier.corpus.readers.markdown.markdown_list import MARKDOWN_LIST
from classifier.corpus.readers.tables.delimited import DELIMITED
from classifier.corpus.readers.tables.parquet import PARQUET
from classifier.corpus.readers.tables.spreadsheet import SPREADSHEET
from classifier.corpus.readers.tagged.arxiv_mail import ARXIV_MAIL
from classifier.corpus.readers.tagged.endnote_tagged import ENDNOTE_TAGGED
from classifier.corpus.readers.tagged.labelled_text import LABELLED_TEXT
from classifier.corpus.readers.tagged.nbib import NBIB
from classifier.corpus.readers.tagged.ris import RIS
from classifier.corpus.readers.tagged.web_of_science import WEB_OF_SCIENCE
from classifier.corpus.readers.xml.arxiv_atom import ARXIV_ATOM
from classifier.corpus.readers.xml.arxiv_rss import ARXIV_RSS
from classifier.corpus.readers.xml.endnote_xml import ENDNOTE_XML
from classifier.corpus.readers.xml.oai_pmh import OAI_PMH
from classifier.corpus.readers.xml.pubmed_xml import PUBMED_XML
from classifier.files.content import Content

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
