"""The reference list: what the inputs state of each paper, and nothing else."""

from __future__ import annotations

from classifier.survey.document import Reference
from classifier.survey.edition import Entry
from classifier.survey.escape import escape_cell
from classifier.survey.wording import long_date


def reference(entry: Entry) -> Reference:
    """Return the entry of a paper in the reference list."""
    paper = entry.paper
    parts = []
    if paper.authors:
        shown = ", ".join(escape_cell(author) for author in paper.authors[:6])
        parts.append(f"{shown}{' et al' if len(paper.authors) > 6 else ''}.")
    elif paper.organisation:
        parts.append(f"{escape_cell(paper.organisation)}.")
    title = escape_cell(paper.title_display)
    stop = "" if paper.title_display.endswith(("?", "!", ".")) else "."
    parts.append(f"[{title}]({paper.link}){stop}" if paper.link else f"{title}{stop}")
    if paper.venue:
        parts.append(f"{escape_cell(paper.venue)}.")
    if paper.arxiv_id:
        parts.append(f"arXiv:{paper.arxiv_id}.")
    elif paper.doi:
        parts.append(f"doi:{paper.doi}.")
    if paper.published.date:
        parts.append(f"{long_date(paper.published)}.")
    return Reference(entry.number, paper.id, " ".join(parts))
