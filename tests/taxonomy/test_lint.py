from __future__ import annotations

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from classifier.taxonomy.lint import lint_taxonomy
from classifier.taxonomy.load import LoadedTaxonomy, load_taxonomy

YAML = """\
survey: {title: One}
facets:
  topic:
    kind: multi
    categories:
      - id: memory
        definition: What an agent keeps.
        cues:
          title: [agent memory, forget~]
          anywhere: [long-term store, recall]
          against: [survey]
        exemplars: [A Store for Agents, Never Written]
        children:
          - id: memory/long
            definition: What is kept for long.
            cues: {anywhere: [recall]}
      - id: planning
        cues:
          title: [plan~, Plan~]
          anywhere: [long-term  store]
          against: [survey]
      - id: tools
        definition: What an agent calls.
      - {id: gone, replaced_by: memory}
      - {id: other, definition: The rest., out_of_scope: true}
"""

DOUBTFUL = """\
taxonomy.yaml:12: notice: found 1 exemplar(s) of 'memory' that are not in the corpus: 'Never Written'; expected titles of papers in the survey. Check the spelling. The classifier also learns from a title without a paper.
taxonomy.yaml:17: notice: found no definition of 'planning'; expected a sentence or two, which the survey prints.
taxonomy.yaml:19: notice: found the title cue 'Plan~' of 'planning' a second time (first on line 19); expected each cue once. Delete one of the two.
taxonomy.yaml:20: notice: found the anywhere cue 'long-term  store' of 'planning', which 'memory' also has (line 10); expected cues that distinguish the categories. Delete the cue from one of the categories, or make it longer.
taxonomy.yaml:22: warning: found neither cues nor exemplars of 'tools'; expected cues or exemplars from which the classifier can learn."""

TITLES = ["A Store, for Agents", "Forgetting to Plan"]


BY_HAND = """\
survey: {title: One}
facets:
  topic:
    kind: single
    categories:
      - {id: bread, definition: Loaves., cues: {title: [bread]}}
  eligible:
    kind: single
    applies_to: [bread]
    categories:
      - {id: included, definition: In.}
      - {id: left-out, definition: Out.}
"""


@pytest.fixture
def loaded(tmp_path: Path) -> LoadedTaxonomy:
    path = tmp_path / "taxonomy.yaml"
    path.write_text(YAML, encoding="utf-8")
    return load_taxonomy(path, path.name)


def test_each_doubt_has_its_line(loaded: LoadedTaxonomy) -> None:
    assert "\n".join(map(str, lint_taxonomy(loaded, TITLES))) == DOUBTFUL


def test_cues_in_another_search_language_and_words_of_every_text_are_named(tmp_path: Path) -> None:
    yaml = """\
survey: {title: One}
facets:
  topic:
    kind: multi
    categories:
      - id: climate
        definition: Warming.
        cues:
          title: [climat*, warming OR heat, A* search, a, the]
          contribution: [we use, via]
"""
    path = tmp_path / "taxonomy.yaml"
    path.write_text(yaml, encoding="utf-8")
    assert [str(fault) for fault in lint_taxonomy(load_taxonomy(path, path.name), [])] == snapshot(
        [
            "taxonomy.yaml:9: notice: found the title cue 'a' of 'climate', which occurs in nearly every text; expected a phrase. Make it longer, or delete it.",
            "taxonomy.yaml:9: notice: found the title cue 'climat*' of 'climate', in which '*' has no meaning; expected a phrase. Use 'word~' for inflections; list alternatives as separate cues.",
            "taxonomy.yaml:9: notice: found the title cue 'the' of 'climate', which occurs in nearly every text; expected a phrase. Make it longer, or delete it.",
            "taxonomy.yaml:9: notice: found the title cue 'warming OR heat' of 'climate', in which 'OR' has no meaning; expected a phrase. Use 'word~' for inflections; list alternatives as separate cues.",
        ]
    )


def test_the_shipped_taxonomy_is_without_a_notice(root: Path) -> None:
    path = root / "taxonomy" / "taxonomy.yaml"
    found = lint_taxonomy(load_taxonomy(path, path.name), [])
    assert all("not in the corpus" in fault.actual for fault in found)


def test_a_matrix_of_a_hidden_facet_is_reported(tmp_path: Path) -> None:
    yaml = """\
survey: {title: One}
figures:
  matrix: {rows: topic, columns: tools}
facets:
  topic:
    kind: multi
    categories: [{id: climate, definition: Warming., cues: {title: [climate]}}]
  tools:
    kind: multi
    hidden: true
    categories: [{id: radar, definition: Rain., cues: {title: [radar]}}]
"""
    path = tmp_path / "taxonomy.yaml"
    path.write_text(yaml, encoding="utf-8")
    found = lint_taxonomy(load_taxonomy(path, path.name), [])
    assert "\n".join(map(str, found)) == snapshot(
        "taxonomy.yaml:3: notice: found the hidden facet 'tools'; expected a facet that the survey shows. The figure is not drawn. Name another facet, or delete `hidden: true`."
    )
    path.write_text(yaml.replace("hidden: true", "hidden: false"), encoding="utf-8")
    assert lint_taxonomy(load_taxonomy(path, path.name), []) == []


def test_a_column_without_a_cue_is_one_that_people_answer(tmp_path: Path) -> None:
    path = tmp_path / "taxonomy.yaml"
    path.write_text(BY_HAND, encoding="utf-8")
    assert "\n".join(map(str, lint_taxonomy(load_taxonomy(path, path.name), []))) == (
        snapshot(
            "taxonomy.yaml:11: notice: found no cue in facet 'eligible'; expected cues, because only cues fill in a "
            "facet with applies_to. Without cues, only reviewers can fill in the facet."
        )
    )
