"""Sentences with a paper's own words, followed by its name."""

from __future__ import annotations

from collections.abc import Iterable

from classifier.survey.document import Draft, quote_paper
from classifier.survey.entry import SurveyPaper
from classifier.survey.paper_names import cited_name
from classifier.survey.wording import escape_cell


def told_in_turn(
    name: str, found: Iterable[tuple[SurveyPaper, str]], lead: str
) -> list[Draft | None]:
    """Return one sentence per paper, followed by its name; `lead` is before the first."""
    return [
        quote_with_lead(f"{name}-{entry.slug}", entry, stated, "" if place else lead)
        for place, (entry, stated) in enumerate(found)
    ]


def quote_with_lead(name: str, entry: SurveyPaper, stated: str, lead: str = "") -> Draft:
    """Return a sentence with a paper's words and its name in parentheses, after `lead`."""
    quote = stated.removesuffix(".")
    words = escape_cell(quote)
    if entry.paper.abstract_kind != "digest":
        words = f"“{escape_cell(quote)}”"
    return quote_paper(name, f"{lead}{words} ({cited_name(entry)}).", entry, quote)
