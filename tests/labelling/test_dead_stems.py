"""Cues whose stem is not a word."""

from __future__ import annotations

from pathlib import Path

from classifier.labelling.dead_stems import dead_stems
from classifier.papers.paper import Paper
from classifier.taxonomy.load import load_taxonomy

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
    (fault,) = dead_stems(loaded.taxonomy, loaded.document, papers)
    assert (fault.line, fault.severity) == (8, "warning")
    assert (
        fault.actual == "the title cue 'galax~' of 'galaxies': no form of 'galax' is in any paper"
    )
    assert fault.hint == "Papers have 'galaxies', 'galaxy': write those as cues."
