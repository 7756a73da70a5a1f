from __future__ import annotations

import pytest

from classifier.site.search_index import abbreviated_cues
from classifier.taxonomy.model import Taxonomy
from classifier.text.mentions import abbreviations


@pytest.mark.parametrize(
    ("text", "long"),
    [
        ("The rye starter (RS) is fed.", "rye starter"),
        ("We feed rye-based starters (RSs).", "rye based starters"),
        ("Ropy sourdough of the mill (RSM) rises.", None),  # used once below: RS is not RSM
        ("Bread (RS) rises.", None),
        ("Rye, wheat starter (RS).", None),  # not across a comma
        ("A rye starter (see RS) is fed.", None),
    ],
)
def test_letters_are_found_in_the_words_before(text: str, long: str | None) -> None:
    assert abbreviations([text, "RS again."]).get("RS") == long


def test_of_several_long_forms_it_is_that_of_most_texts() -> None:
    texts = ["rye starter (RS)", "raw sugar (RS)", "rye starter (RS)"]
    assert abbreviations(texts) == {"RS": "rye starter"}


def test_what_one_text_uses_alone_is_left_out() -> None:
    assert abbreviations(["rye starter (RS)", "a rye starter"]) == {}


def test_two_cues_of_a_category_introduce_an_abbreviation() -> None:
    cues = {"title": ["rye-starter~", "rs", "raw sugar"], "anywhere": ["mill", "m"]}
    breads = {"kind": "multi", "categories": [{"id": "rye", "cues": cues}, {"id": "wheat"}]}
    taxonomy = Taxonomy.model_validate({"survey": {"title": "Bread"}, "facets": {"topic": breads}})
    known = sorted(abbreviated_cues(taxonomy))
    assert known == [("RS", "raw sugar"), ("RS", "rye starter")]
    assert abbreviations(["RS", "an RS"], known) == {"RS": "raw sugar"}
    assert abbreviations(["RS", "a rye starter (RS)"], known) == {"RS": "rye starter"}
    assert abbreviations(["RS"], known) == {}
