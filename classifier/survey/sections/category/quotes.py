"""Quotations of papers, followed by the name of the paper."""

from __future__ import annotations

from collections.abc import Iterable

from classifier.survey.document import Draft, quote_paper
from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import cited_name
from classifier.survey.wording import escape_cell, quotation


def quote_papers(
    name: str, found: Iterable[tuple[SurveyPaper, str]], lead: str
) -> list[Draft | None]:
    """Return one sentence per (paper, its words); `lead` is printed before the first.

    name: prefix of the names of the drafts.
    """
    return [
        quote_with_lead(f"{name}-{entry.slug}", entry, text, "" if position else lead)
        for position, (entry, text) in enumerate(found)
    ]


def quote_with_lead(name: str, entry: SurveyPaper, text: str, lead: str = "") -> Draft:
    """Return a sentence with `lead`, the words of a paper, and its name in parentheses."""
    quote = text.removesuffix(".").rstrip()
    words = quotation(entry, escape_cell(quote))
    return quote_paper(name, f"{lead}{words} ({cited_name(entry)}).", entry, quote)
