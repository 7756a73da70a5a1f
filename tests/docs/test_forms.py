"""CITATION.cff, the changelog and the forms for issues agree with the package and one another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import classifier
from tests.docs.page import ROOT

FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml"))


def test_the_citation_is_of_the_version_that_the_changelog_names_first() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    newest = re.search(r"^## (\S+) \((.+)\)$", changelog, re.MULTILINE)
    assert newest
    assert (citation["version"], citation["date-released"]) == newest.groups()
    assert citation["version"] == classifier.__version__
    assert {"cff-version", "message", "title", "authors"} <= set(citation)


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_asks_for_something_and_says_what_for(path: Path) -> None:
    form = yaml.safe_load(path.read_text("utf-8"))
    assert form["name"]
    assert form["description"]
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    ids = [field["id"] for field in fields]
    assert len(set(ids)) == len(ids)
    assert all(field["attributes"]["label"] for field in fields)
    assert any(field.get("validations", {}).get("required") for field in fields)
