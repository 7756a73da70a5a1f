"""The reserved ids are the names of columns and query keys."""

import re
from pathlib import Path

from classifier.review import columns
from classifier.survey import keys
from classifier.taxonomy import reserved
from classifier.taxonomy.load import load_taxonomy


def test_every_column_is_reserved() -> None:
    assert columns.NAMES == reserved.COLUMNS


def test_every_key_is_reserved() -> None:
    assert keys.NAMES == reserved.QUERY_KEYS
    assert keys.PAGE_PARAMETERS == reserved.PAGE_KEYS


def test_every_section_of_a_survey_is_reserved(root: Path) -> None:
    golden = root / "tests" / "golden"
    survey = (golden / "expected" / "survey.md").read_text("utf-8")
    sections = set(re.findall(r'<a id="([^"]+)"></a>\s*## ', survey))
    categories = load_taxonomy(golden / "project/taxonomy/taxonomy.yaml").taxonomy.first.ids
    assert {"abstract", "landscape", "method"} <= sections
    assert sections - {*categories} <= reserved.SECTION_IDS
