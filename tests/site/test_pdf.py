"""survey.pdf: no link that leads nowhere, and a cure. Its bytes: .ci/same-bytes."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.errors import UsageError
from classifier.site.pdf import pdf_html, require_pdf, survey_pdf
from classifier.survey.survey import Survey

ROOT = Path(__file__).resolve().parents[2]
BREAD = ROOT / "tests" / "golden" / "project"
needs_weasyprint = pytest.mark.skipif(
    importlib.util.find_spec("weasyprint") is None,
    reason="needs weasyprint (pip install -e '.[pdf]')",
)


@needs_weasyprint
def test_it_is_tagged_and_asks_nothing_of_the_network(
    survey: Survey, site: dict[str, bytes]
) -> None:
    pdf = survey_pdf(survey, [], site)
    assert b"/StructTreeRoot" in pdf or b"/MarkInfo" in pdf or b"/ObjStm" in pdf
    assert b"site.invalid" not in pdf


def test_links_to_pages_of_the_site_are_text_or_absolute(survey: Survey) -> None:
    addresses = re.findall(r'href="([^"]*)"', pdf_html(survey, []))
    assert addresses
    assert all(address.startswith("#") for address in addresses)
    settings = survey.taxonomy.survey.model_copy(update={"base_url": "https://birds.example/a"})
    taxonomy = survey.taxonomy.model_copy(update={"survey": settings})
    published = pdf_html(replace(survey, taxonomy=taxonomy), [])
    assert 'href="https://birds.example/a/p/arxiv-2401.10230.html"' in published


def test_without_weasyprint_the_cure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UsageError) as error:
        require_pdf()
    assert str(error.value) == snapshot("--pdf needs weasyprint: pip install 'fieldguide[pdf]'.")
