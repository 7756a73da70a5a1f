"""The formats that can be read, in the order in which they are asked."""

from __future__ import annotations

from classifier.corpus.readers import Reader
from classifier.corpus.readers.daily_papers import DAILY_PAPERS
from classifier.corpus.readers.delimited import DELIMITED
from classifier.corpus.readers.jsonl import JSONL
from classifier.corpus.readers.parquet import PARQUET
from classifier.corpus.readers.spreadsheet import SPREADSHEET
from classifier.files.content import Content

# What has an unmistakable face comes first, what takes almost any text last.
READERS: tuple[Reader, ...] = (DAILY_PAPERS, JSONL, SPREADSHEET, PARQUET, DELIMITED)


def reader_for(content: Content) -> Reader | None:
    """Return the first reader that knows the file, or None."""
    return next((reader for reader in READERS if not reader.why_not(content)), None)
