from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import yaml
from inline_snapshot import snapshot

from classifier.site.exports.citation import citation_cff, how_to_cite
from classifier.survey.references import survey_bibtex
from classifier.survey.survey import Survey
from classifier.taxonomy.claims import Claim, Claims


def with_addresses(survey: Survey) -> Survey:
    addresses = {"base_url": "https://example.org/b", "repository": "https://example.org/git"}
    addresses["licence"] = "CC-BY-4.0"
    settings = survey.taxonomy.survey.model_copy(update=addresses)
    document = replace(
        survey.document, title='Birds: "50%" #1', editors=("Ada de la Cruz", "Crow Team")
    )
    taxonomy = survey.taxonomy.model_copy(update={"survey": settings})
    return replace(survey, taxonomy=taxonomy, document=document)


def test_the_citation_file_is_yaml_that_names_the_editors(survey: Survey) -> None:
    assert yaml.safe_load(citation_cff(with_addresses(survey))) == snapshot(
        {
            "cff-version": "1.2.0",
            "message": "If you use this survey or its labels, please cite it as below.",
            "type": "dataset",
            "title": 'Birds: "50%" #1',
            "authors": [
                {"family-names": "de la Cruz", "given-names": "Ada"},
                {"name": "Crow Team"},
            ],
            "version": "0123456789ab",
            "license": "CC-BY-4.0",
            "url": "https://example.org/b",
            "repository-code": "https://example.org/git",
        }
    )


def test_the_citation_file_keeps_the_schema_of_its_format(survey: Survey) -> None:
    """The schema is that of https://github.com/citation-file-format (CC-BY-4.0)."""
    schema = json.loads(Path(__file__).with_name("cff-1.2.0.schema.json").read_text("utf-8"))
    for each in (survey, with_addresses(survey)):
        jsonschema.validate(yaml.safe_load(citation_cff(each)), schema)


def test_the_year_is_that_of_the_newest_decision_or_claim(survey: Survey) -> None:
    """Nothing says when a survey is published."""
    claim = Claim("Crows count.", "birds", "A. Keeper, 2025-11", open=True, placements=(), line=1)
    signed = replace(survey, decisions={}, claims=Claims(claims=(claim,)))
    assert "  year = {2025},\n" in survey_bibtex(signed)
    assert "# Its newest decision or claim is of 2025-11.\n" in citation_cff(signed)
    unsigned = survey_bibtex(replace(signed, claims=Claims()))
    assert "year =" not in unsigned


def test_without_editors_there_is_no_citation_file(survey: Survey) -> None:
    nobody = replace(survey, document=replace(survey.document, editors=()))
    assert [path for path, _ in how_to_cite(survey)] == ["cite.bib", "CITATION.cff"]
    assert [path for path, _ in how_to_cite(nobody)] == ["cite.bib"]
