"""The reference list: what the inputs state of each paper that is cited, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from classifier.papers.names import plain_name
from classifier.survey.document import (
    Reference,
    Section,
    cited_in,
    computed,
    paragraphs,
    texts_of,
)
from classifier.survey.entry import Entry
from classifier.survey.facts import Facts
from classifier.survey.wording import date_in_words, escape_cell, number


def cited_entries(entries: Sequence[Entry], sections: Iterable[Section]) -> list[Entry]:
    """Return the papers that a sentence or a table of the sections cites, by number.

    Of a survey whose tables hold every paper, all of them.
    """
    cited = {number for _, _, text in texts_of(sections) for number in cited_in(text)}
    return [entry for entry in entries if entry.number in cited]


def reference_sections(facts: Facts, listed: int) -> list[Section]:
    """Return the section that says how many papers the references hold; none where they are all."""
    total = facts.number("papers.total")
    if listed == total:
        return []
    facts.add("references.listed", listed, "papers that the survey cites")
    text = (
        f"The references hold {number(listed)} of {number(total)} papers, those that the survey "
        "cites; all of them stand on the [browse page](browse.html), in papers.json and in "
        "references.bib."
    )
    said = computed("listed", text, "references.listed", "papers.total")
    blocks = paragraphs("references-listed", [said])
    return [Section("references-listed", "Which papers the references hold", 1, tuple(blocks))]


def reference(entry: Entry) -> Reference:
    """Return the entry of a paper in the reference list."""
    paper = entry.paper
    parts = []
    if paper.authors:
        shown = ", ".join(escape_cell(plain_name(author)) for author in paper.authors[:6])
        more = " et al" if paper.has_more_authors or len(paper.authors) > 6 else ""
        parts.append(f"{shown}{more}".removesuffix(".") + ".")
    elif paper.organisation:
        parts.append(f"{escape_cell(paper.organisation).removesuffix('.')}.")
    title = escape_cell(paper.title_display)
    stop = "" if paper.title_display.endswith(("?", "!", ".")) else "."
    parts.append(f"[{title}]({paper.link}){stop}" if paper.link else f"{title}{stop}")
    if paper.venue:
        parts.append(f"{escape_cell(paper.venue).removesuffix('.')}.")
    if paper.arxiv_id:
        parts.append(f"arXiv:{paper.arxiv_id}.")
    elif paper.doi:
        parts.append(f"doi:{paper.doi}.")
    if paper.published.date:
        parts.append(f"{date_in_words(paper.published.date)}.")
    return Reference(entry.number, paper.id, " ".join(parts))
