"""How to cite the survey itself: CITATION.cff and BibTeX."""

from __future__ import annotations

import json
from collections.abc import Iterator

from classifier.papers.names import Name, split_name
from classifier.site.exports.citation import one_line
from classifier.survey.sections.appendix import survey_bibtex
from classifier.survey.survey import Survey

File = tuple[str, str]
"""Path from the top of the site, text."""


def how_to_cite(edition: Survey) -> Iterator[File]:
    """Yield cite.bib, and CITATION.cff where the survey names its editors, whom that format wants.

    Neither states a date: no input says when the survey was published.
    """
    yield "cite.bib", f"{survey_bibtex(edition)}\n"
    if edition.document.editors:
        yield "CITATION.cff", citation_cff(edition)


def citation_cff(edition: Survey) -> str:
    """Return the survey as a Citation File (1.2.0, YAML)."""
    document, survey = edition.document, edition.taxonomy.survey
    lines = [
        "cff-version: 1.2.0",
        "message: If you use this survey or its labels, please cite it as below.",
        "type: dataset",
        f"title: {_quoted(one_line(document.title))}",
        "authors:",
        *(line for name in document.editors for line in _cff_author(_editor(name))),
        f"version: {_quoted(document.version)}",
        *([f"url: {_quoted(survey.base_url)}"] if survey.base_url else []),
        *([f"repository-code: {_quoted(survey.repository)}"] if survey.repository else []),
    ]
    return "\n".join(lines) + "\n"


def _editor(text: str) -> Name:
    return split_name(one_line(text))


def _cff_author(name: Name) -> list[str]:
    if not name.given:
        return [f"  - name: {_quoted(name.family)}"]
    return [
        f"  - family-names: {_quoted(name.family)}",
        f"    given-names: {_quoted(name.given)}",
    ]


def _quoted(text: str) -> str:
    """Return text as a YAML scalar in double quotes, of which JSON's are a part."""
    return json.dumps(text, ensure_ascii=False)
