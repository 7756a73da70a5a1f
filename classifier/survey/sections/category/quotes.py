"""Quotations of papers, each followed by the name of its paper."""

from __future__ import annotations

from collections.abc import Iterable

from classifier.survey.document import Draft, quote_paper
from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import cited_name
from classifier.survey.wording import escape_cell, quotation


def quote_papers(
    name: str, quotes: Iterable[tuple[SurveyPaper, str]], lead: str
) -> list[Draft | None]:
    """Return one sentence per quotation; `lead` is printed before the first sentence.

    name: prefix of the names of the drafts. quotes: (paper, its words) pairs.
    """
    return [
        quote_with_lead(f"{name}-{entry.slug}", entry, text, "" if position else lead)
        for position, (entry, text) in enumerate(quotes)
    ]


def quote_with_lead(name: str, entry: SurveyPaper, text: str, lead: str = "") -> Draft:
    """Return a sentence with `lead`, the words of a paper, and the paper's name in parentheses."""
    quote = text.removesuffix(".").rstrip()
    words = quotation(entry, escape_cell(quote))
    return quote_paper(name, f"{lead}{words} ({cited_name(entry)}).", entry, quote)
