from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.taxonomy.dump import taxonomy_yaml
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import Taxonomy

SHIPPED = Path(__file__).parents[2] / "taxonomy" / "taxonomy.yaml"

LAID_OUT = """\
# yaml-language-server: $schema=taxonomy.schema.json
#
# Two lines,
# one of them short.

survey:
  title: "Bees: a survey"
  scope: |-
    First.

    Second.

facets:
  topic:
    name: Topic
    kind: multi
    at_most: 3
    categories:
      - id: mites
        core: true
        name: Mites & co.
        definition: >-
          A text that is too long to stand behind its key is folded, which puts it on
          lines that a reader need not scroll.
        cues:
          title: [mite~, a _ mite, "yes, no", "null", "2048"]
        exemplars:
          - "Oxalic acid against mites: a trial in forty colonies"
        claims:
          - text: Winter is best.
            by: Ada
            on: "2025"
        children:
          - id: mites/acids
            name: Acids
"""


def survey(**fields: Any) -> Taxonomy:
    facets = {"topic": {"kind": "single", "categories": [{"id": "mites"}]}}
    return Taxonomy.model_validate({"survey": {"title": "One"}, "facets": facets, **fields})


def read_again(text: str) -> Taxonomy:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "taxonomy.yaml")
        path.write_text(text, encoding="utf-8")
        loaded = load_taxonomy(path)
    assert loaded.warnings == ()
    return loaded.taxonomy


def test_the_layout() -> None:
    taxonomy = read_again(LAID_OUT)
    assert taxonomy_yaml(taxonomy, "Two lines,\none of them short.\n") == LAID_OUT


def test_the_shipped_taxonomy_comes_back() -> None:
    taxonomy = load_taxonomy(SHIPPED).taxonomy
    assert read_again(taxonomy_yaml(taxonomy)) == taxonomy


@pytest.mark.parametrize(
    "text",
    ["#1", "a: b", "a #b", "- a", "*", "&a", "!", "'a'", '"', "\\", "~", "No", "1.10", "a,b"],
)
def test_texts_that_yaml_would_read_otherwise_are_quoted(text: str) -> None:
    taxonomy = survey(survey={"title": text, "editors": [text]})
    assert read_again(taxonomy_yaml(taxonomy)) == taxonomy


# Everything that a taxonomy may hold, escaped or not.
_SIGNS = st.characters(
    exclude_categories=["Cs", "Cc"],
    exclude_characters="\u202d\u202e\ufffe\uffff",
    include_characters="\n\t",
)
TEXTS = st.text(_SIGNS, max_size=70).filter(str.strip)


def test_signs_that_no_taxonomy_may_hold_are_left_out() -> None:
    taxonomy = survey(survey={"title": "bell\x07 \u202ename", "editors": ["\x1b[31mAda"]})
    again = read_again(taxonomy_yaml(taxonomy))
    assert (again.survey.title, again.survey.editors) == ("bell name", ("[31mAda",))


@given(TEXTS, st.lists(TEXTS, max_size=5), TEXTS)
def test_any_text_comes_back(title: str, editors: list[str], scope: str) -> None:
    taxonomy = survey(survey={"title": title, "editors": editors, "scope": scope})
    assert read_again(taxonomy_yaml(taxonomy)) == taxonomy
