"""The formats that can be read, in the order in which they are asked."""

from __future__ import annotations

from classifier.corpus.readers import Reader
from classifier.corpus.readers.arxiv_atom import ARXIV_ATOM
from classifier.corpus.readers.arxiv_mail import ARXIV_MAIL
from classifier.corpus.readers.arxiv_pages import ARXIV_PAGES
from classifier.corpus.readers.arxiv_rss import ARXIV_RSS
from classifier.corpus.readers.bibtex import BIBTEX
from classifier.corpus.readers.citation_meta import CITATION_META
from classifier.corpus.readers.csv_table import CSV_TABLE
from classifier.corpus.readers.daily_papers import DAILY_PAPERS
from classifier.corpus.readers.hugging_face_html import HUGGING_FACE_HTML
from classifier.corpus.readers.jabref_html import JABREF_HTML
from classifier.corpus.readers.jsonl import JSONL
from classifier.corpus.readers.oai_pmh import OAI_PMH
from classifier.files.content import Content

# What has an unmistakable face comes first, what takes almost any text last.
READERS: tuple[Reader, ...] = (
    DAILY_PAPERS, ARXIV_ATOM, ARXIV_RSS, OAI_PMH, ARXIV_MAIL,
    HUGGING_FACE_HTML, ARXIV_PAGES, JABREF_HTML, CITATION_META,
    JSONL, BIBTEX, CSV_TABLE,
)  # fmt: skip


def reader_for(content: Content) -> Reader | None:
    """Return the first reader that knows the file, or None."""
    return next((reader for reader in READERS if not reader.why_not(content)), None)
