"""Papers as columns of a table, one row per paper; pandas is imported only when it is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from classifier.papers.fields import DETAILS
from classifier.papers.paper import Paper

if TYPE_CHECKING:
    from pandas import DataFrame

Columns = Mapping[str, Sequence[object]]
"""Name of a column -> its values, one per paper."""
TEXTS = ("organisation", "venue", "arxiv_id", "doi", "abstract", "abstract_kind", "retracted")
LISTS = ("authors", "code_urls", "keywords", "collections")


def paper_columns(papers: Sequence[Paper]) -> dict[str, Sequence[object]]:
    """Return the fields of papers as columns: texts ("" if unknown), tuples, and `author_count`."""
    details = [dict(paper.reference) for paper in papers]
    return {
        "id": [paper.id for paper in papers],
        "title": [paper.title for paper in papers],
        "published": [paper.published.date for paper in papers],
        "year": [paper.published.year for paper in papers],
        "month": [paper.published.month for paper in papers],
        "url": [paper.link for paper in papers],
        "author_count": [paper.author_count for paper in papers],
        **{name: [getattr(paper, name) for paper in papers] for name in (*LISTS, *TEXTS)},
        **{name: [stated.get(name, "") for stated in details] for name in DETAILS},
    }


def make_frame(columns: Columns) -> DataFrame:
    """Return a pandas table of Python objects, in which only `confidence` has a numeric type."""
    from pandas import DataFrame  # late: slow to import

    frame = DataFrame(dict(columns), dtype=object)
    return frame.astype({"confidence": float}) if "confidence" in columns else frame
