"""Addresses of prefilled forms with which readers report mistakes and missing papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from urllib.parse import quote

from classifier.files.table import csv_bytes
from classifier.review.ledger import COLUMNS
from classifier.review.reader_report import new_paper_text, report_text
from classifier.site.paths import web_address
from classifier.survey.entry import SurveyPaper
from classifier.taxonomy.claims import Claim
from classifier.taxonomy.model import SurveySettings, Taxonomy

_EVIDENCE = ("paper", "side (for, mixed or against)", "words of its abstract")
"""Fields of a report of missing evidence, after the claim."""


def label_report(taxonomy: Taxonomy, entry: SurveyPaper) -> str:
    """Return the address of a prefilled report about a paper's label, or ""."""
    paper = entry.paper
    text = report_text(taxonomy, paper, entry.labels)
    known = {"id": paper.id, "paper": paper.title_display}
    return _report_address(taxonomy.survey, f"Wrong label: {paper.title_display}", text, known)


def evidence_report(taxonomy: Taxonomy, claim: Claim) -> str:
    """Return the address of a prefilled report of evidence on a claim, or ""."""
    text = "\n".join((f"claim: {claim.text}", *(f"{name}: " for name in _EVIDENCE)))
    return _report_address(taxonomy.survey, f"Evidence missing: {claim.text}", text, {})


def ledger_line(taxonomy: Taxonomy, entry: SurveyPaper) -> str:
    """Return a line for reviews.csv that corrects the category of a paper in the first facet.

    The reader replaces the words in capitals.
    """
    cells = {
        "id": entry.paper.id,
        "title": entry.paper.title,
        "facet": taxonomy.first.id,
        "value": taxonomy.first.id.upper(),
        "primary": "yes",
        "reviewer": "YOUR NAME",
        "reviewed_on": "YYYY-MM-DD",
        "drawn_by": "volunteer",
        "taxonomy_digest": taxonomy.digest,
    }
    return _csv_line([cells.get(column, "") for column in COLUMNS])


def evidence_line(claim: Claim) -> str:
    """Return a line for claims.csv that adds a paper.

    The reader replaces the words in capitals.
    """
    return _csv_line([claim.text, "PAPER ID", "FOR, MIXED OR AGAINST", "WORDS OF ITS SENTENCE"])


def _csv_line(cells: Sequence[str]) -> str:
    """Return cells as a line of CSV."""
    return csv_bytes(cells, ()).decode("utf-8").strip()


def paper_request(taxonomy: Taxonomy) -> str:
    """Return the address of a prefilled request to add a paper, or ""."""
    return _report_address(taxonomy.survey, "Paper to add", new_paper_text(), {})


def _report_address(survey: SurveySettings, title: str, text: str, known: Mapping[str, str]) -> str:
    """Return the address of a prefilled issue or mail; "" if the survey accepts no reports.

    fields: values of the fields of an issue form, by id.
    """
    place = survey.feedback
    if not place and (repository := web_address(survey.repository)):
        place = f"{repository.rstrip('/')}/issues/new"
    if "@" in place and not web_address(place):
        return f"mailto:{place}?subject={_encode(title)}&body={_encode(text)}"
    if not web_address(place):
        return ""
    fields = {"title": title, **known} if ".yml" in place else {"title": title, "body": text}
    query = "&".join(f"{key}={_encode(value)}" for key, value in fields.items())
    return f"{place}{'&' if '?' in place else '?'}{query}"


@lru_cache(maxsize=2**12)
def _encode(text: str) -> str:
    """Encode a text for a URL."""
    return quote(text, safe="/:,;()")
