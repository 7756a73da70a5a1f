"""Cues whose stem is not a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from classifier import TaxonomyClassifier
from classifier.labelling.dead_stems import dead_stem_faults
from classifier.papers.paper import Paper
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import Taxonomy

TAXONOMY = """\
survey: {title: Sky}
facets:
  topic:
    kind: single
    categories:
      - id: galaxies
        cues:
          title: [galax~, star~, quasar~]
          anywhere: [dwarf galaxy~]
"""


def test_a_stem_that_matches_no_word_is_reported_with_the_words_that_begin_with_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "taxonomy.yaml"
    path.write_text(TAXONOMY, encoding="utf-8")
    loaded = load_taxonomy(path)
    papers = [Paper(title="Dwarf galaxies and their stars"), Paper(title="A galaxy of old stars")]
    (fault,) = dead_stem_faults(loaded.taxonomy, loaded.document, papers)
    assert (fault.line, fault.severity) == (8, "warning")
    assert (
        fault.actual == "the title cue 'galax~' of 'galaxies': no form of 'galax' is in any paper"
    )
    assert fault.hint == "It matches 'galaxies', 'galaxy' for now: write those as cues."


@pytest.mark.parametrize(
    ("title", "stem", "matches"),
    [
        ("Dwarf galaxies", "galax~", True),
        ("A galactic bar, and galaxies", "gala~", False),  # the words have no common form
        ("Old stars", "sta~", False),  # too short
        ("The galax and its galaxies", "galax~", False),  # it is a word
    ],
)
def test_a_stem_matches_the_forms_of_one_word(title: str, stem: str, matches: bool) -> None:
    categories = [{"id": "sky", "cues": {"anywhere": [stem]}}, {"id": "sea"}]
    facets = {"topic": {"kind": "single", "categories": categories}}
    taxonomy = Taxonomy.model_validate({"survey": {"title": "Sky"}, "facets": facets})
    classifier = TaxonomyClassifier(taxonomy).fit([Paper(title, "p-1")])
    (hits,) = classifier.evidence([Paper("Dwarf galaxies of stars", "p-2")])["topic"].hits
    assert bool(hits) == matches
