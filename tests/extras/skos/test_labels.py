from __future__ import annotations

import pytest

pytest.importorskip("rdflib", reason="needs rdflib: pip install 'fieldguide[skos]'")

from classifier.extras.skos import cue_of_label, cues_of, labels_of
from classifier.taxonomy.model import Category


@pytest.mark.parametrize(
    ("label", "cue"),
    [
        ("bee health", "bee health"),
        ("Winter losses", "Winter loss~"),
        ("colonies", "colony~"),
        ("boxes", "box~"),
        ("hypotheses", "hypothesis~"),
        ("species", "species"),
        ("Virus", "Virus"),
        ("GPS", "GPS"),
        ("Mites (Acari)", "Mite~"),
        ("(untitled)", "(untitled)"),
        ("a_b ~ c", "a b c"),
        ("C++", "C++"),
        ("???", ""),
        ("a-b-c-d e-f g-h i-j k-l m-n", ""),
    ],
)
def test_a_label_as_a_cue(label: str, cue: str) -> None:
    assert cue_of_label(label, is_english=True) == cue


def test_plurals_of_other_languages_stay() -> None:
    assert cue_of_label("abejas", is_english=False) == "abejas"


def test_labels_of_several_words_count_anywhere() -> None:
    labels = ["Winter losses", "overwintering", "colony collapse", "winter losses"]
    cues = cues_of(labels, is_english=True)
    assert cues == {
        "title": ["Winter loss~", "overwintering"],
        "anywhere": ["Winter loss~", "colony collapse", "winter loss~"],
    }


def test_a_concept_without_label_has_no_cues() -> None:
    assert cues_of([""], is_english=True) == {}


def test_labels_of_a_category() -> None:
    category = Category.model_validate({
        "id": "mites",
        "name": "Mites",
        "aliases": ["acari"],
        "cues": {
            "title": ["mite~", "varroa mite", "a _ mite", "Mites"],
            "anywhere": ["varroa mite", "acari", "treat~ against"],
            "against": ["spider mite"],
        },
    })  # fmt: skip
    assert labels_of(category) == (["acari", "varroa mite"], ["mite", "treat against"])
