"""Where a reader tells the editors of a mistake or a missing paper: reports that are begun."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import quote

from classifier.review.reader_report import new_paper_text, report_text
from classifier.site.paths import web_address
from classifier.survey.entry import SurveyPaper
from classifier.taxonomy.model import SurveySettings, Taxonomy


def correction(taxonomy: Taxonomy, entry: SurveyPaper) -> str:
    """Return the address of a prefilled report on a paper's label, or ""."""
    paper = entry.paper
    text = report_text(taxonomy, paper, entry.labels)
    known = {"id": paper.id, "paper": paper.title_display}
    return _report(taxonomy.survey, f"Wrong label: {paper.title_display}", text, known)


def new_paper(taxonomy: Taxonomy) -> str:
    """Return where to ask for a paper; "" if nowhere."""
    return _report(taxonomy.survey, "Paper to add", new_paper_text(), {})


def _report(survey: SurveySettings, title: str, text: str, known: Mapping[str, str]) -> str:
    """Return the address of a begun issue or mail.

    known: what an issue form of fields of its own is filled with, by their ids.
    """
    place = survey.feedback
    if not place and (repository := web_address(survey.repository)):
        place = f"{repository.rstrip('/')}/issues/new"
    if "@" in place and not web_address(place):
        return f"mailto:{place}?subject={_quoted(title)}&body={_quoted(text)}"
    if not web_address(place):
        return ""
    fields = {"title": title, **known} if ".yml" in place else {"title": title, "body": text}
    query = "&".join(f"{key}={_quoted(value)}" for key, value in fields.items())
    return f"{place}{'&' if '?' in place else '?'}{query}"


@lru_cache(maxsize=2**12)
def _quoted(text: str) -> str:
    return quote(text, safe="/:,;()")
