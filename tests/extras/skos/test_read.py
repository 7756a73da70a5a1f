"""Any thesaurus starts a taxonomy; what a taxonomy cannot hold is said."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

pytest.importorskip("rdflib", reason="needs rdflib: pip install 'fieldguide[skos]'")

from rdflib import Graph

from classifier.errors import InputError, OutputError, UsageError
from classifier.extras.skos import draft_yaml, read_skos, save_draft
from classifier.taxonomy.load import load_taxonomy

APICULTURE = Path(__file__).with_name("apiculture.ttl")
SKOS = "@prefix s: <http://www.w3.org/2004/02/skos/core#> . @prefix : <https://example.org/> .\n"

FACETS = """\
facets:
  threats_to_colonies:
    name: Threats to colonies
    definition: What colonies die of.
    kind: multi
    categories:
      - id: c-77
        name: C 77
        cues:
          title: [C 77]
          anywhere: [C 77]
      - id: frostschaden
        name: Frostschäden
        cues:
          title: [Frostschäden]
      - id: parasites
        name: Parasites
        definition: |-
          What lives on bees.

          Not what eats them.
        cues:
          title: [Parasite~, pest~]
          anywhere: [bee parasite~]
        children:
          - id: parasites/acaricides
            name: Acaricides
            cues:
              title: [Acaricide~]
          - id: parasites/mites-acari
            name: Mites (Acari)
            cues:
              title: [Mite~, mit~, varroa]
              anywhere: [Varroa destructor, Korean haplotype~]
      - id: poisons
        name: Poisons
        cues:
          title: [Poison~]
      - id: weather
        name: Weather
        cues:
          title: [Weather]
        children:
          - id: weather/winter-losses
            name: Winter losses
            cues:
              title: [Winter loss~]
              anywhere: [Winter loss~]
  facet_2:
    name: Note
    kind: multi
    categories:
      - id: sensors
        name: Sensors
        cues:
          title: [Sensor~]
        children:
          - id: sensors/sensors
            name: sensors (2)
            cues:
              title: [sensor~]
"""

WARNINGS = """\
2 concept(s): C 77, Frostschäden
1 concept(s): Acaricides
2 concept(s): Korean haplotypes, Varroa destructor"""


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_a_thesaurus_as_a_taxonomy() -> None:
    taxonomy, warnings = read_skos(APICULTURE)
    assert draft_yaml(taxonomy).partition("\n\nfacets:")[2] == FACETS.removeprefix("facets:")
    assert "\n".join(warning.actual for warning in warnings) == WARNINGS


def test_the_draft_is_a_taxonomy_without_error(tmp_path: Path) -> None:
    path = tmp_path / "taxonomy.yaml"
    save_draft(path, read_skos(APICULTURE)[0])
    loaded = load_taxonomy(path)
    assert loaded.taxonomy == read_skos(APICULTURE)[0]
    assert loaded.warnings == ()


@pytest.mark.parametrize(("ending", "form"), [(".rdf", "xml"), (".owl", "xml"), (".nt", "nt")])
def test_every_format_says_the_same(tmp_path: Path, ending: str, form: str) -> None:
    path = tmp_path / f"apiculture{ending}"
    path.write_text(Graph().parse(APICULTURE).serialize(format=form), encoding="utf-8")
    assert read_skos(path)[0] == read_skos(APICULTURE)[0]


def test_labels_of_the_language_asked_for(tmp_path: Path) -> None:
    facet = read_skos(APICULTURE, language="de")[0].first
    assert (facet.name, facet.id) == ("Gefahren", "gefahren")
    parasites = facet.categories[2]
    assert (parasites.name, parasites.definition) == ("Parasiten", "Was auf Bienen lebt.")
    assert parasites.cues.title == ("Parasiten", "Bienenparasiten")


def test_a_thesaurus_without_scheme_is_one_facet(tmp_path: Path) -> None:
    text = (
        SKOS
        + ':a a s:Concept ; s:prefLabel "Hives" . :b a s:Concept; s:broader :a ; s:prefLabel "Frames" .'
    )
    taxonomy = read_skos(write(tmp_path, "bee-hives.ttl", text))[0]
    assert (taxonomy.survey.title, [*taxonomy.facets]) == ("Bee hives", ["topic"])
    assert [category.id for category in taxonomy.first.walk()] == ["hives", "hives/frames"]


def test_names_that_reviewers_could_mix_up_differ(tmp_path: Path) -> None:
    links = ":a s:narrower :c, :d . :b s:narrower :e ."
    labels = ["Hives", "Tools", "hives", "hives", "HIVES"]
    concepts = [f':{uri} a s:Concept ; s:prefLabel "{label}" .' for uri, label in
                zip("abcde", labels, strict=True)]  # fmt: skip
    path = write(tmp_path, "x.ttl", "\n".join([SKOS, links, *concepts]))
    assert [(category.id, category.name) for category in read_skos(path)[0].first.walk()] == [
        ("hives", "Hives"),
        ("hives/hives", "hives (2)"),
        ("hives/hives-2", "hives (3)"),
        ("tools", "Tools"),
        ("tools/hives", "HIVES (4)"),
    ]


def test_every_id_may_name_a_file(tmp_path: Path) -> None:
    text = f"{SKOS}:1 a s:Concept; s:prefLabel 'CON'. :2 a s:Concept; s:prefLabel '{'bee ' * 40}'."
    path = tmp_path / "taxonomy.yaml"
    save_draft(path, read_skos(write(tmp_path, "x.ttl", text))[0])
    ids = [category.id for category in load_taxonomy(path).taxonomy.first.categories]
    assert ids == ["bee-bee-bee-bee-bee-bee-bee-bee-bee-bee", "con-papers"]


def test_letters_that_no_id_can_hold(tmp_path: Path) -> None:
    text = (
        SKOS + ':蜂 a s:Concept ; s:prefLabel "蜜蜂"@zh . :b7 a s:Concept ; s:prefLabel "养蜂"@zh .'
    )
    categories = read_skos(write(tmp_path, "x.ttl", text), language="zh")[0].first.categories
    assert {category.id: category.name for category in categories} == {
        "b7": "养蜂", "concept": "蜜蜂",
    }  # fmt: skip


FAULTS = {
    "no.ttl": ("@prefix a: <b> .\n<x> a [ .\n", "no.ttl: error: found no Turtle or RDF/XML (at line 2"),
    "no.rdf": ("<?xml version='1.0'?>\n<a>\n<b></a>", "no.rdf: error: found no Turtle or RDF/XML (<unknown>:3:5"),
    "no.nt": ("<a:a> <b:b> nonsense .", "no.nt: error: found no Turtle or RDF/XML (at line 1"),
    "empty.ttl": (" \n", "empty.ttl: error: found an empty file; expected some content."),
    "other.ttl": ("<a:a> <b:b> 1 .", "other.ttl: error: found no concept in 1 statements; expected"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_broken_file_is_a_message(tmp_path: Path, name: str) -> None:
    text, message = FAULTS[name]
    with pytest.raises(InputError) as caught:
        read_skos(write(tmp_path, name, text), name)
    assert str(caught.value).startswith(message)


def test_an_ending_that_is_no_format(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^x.csv: found ending '.csv'; expected one of .ttl, "):
        read_skos(tmp_path / "x.csv", "x.csv")


def test_a_circle_is_refused(tmp_path: Path) -> None:
    links = ":a s:broader :b . :b s:broader :a ."
    concepts = [f':{uri} a s:Concept ; s:prefLabel "{uri}" .' for uri in "abc"]
    path = write(tmp_path, "x.ttl", "\n".join([SKOS, links, *concepts]))
    with pytest.raises(InputError) as caught:
        read_skos(path, "x.ttl")
    assert str(caught.value) == snapshot(
        "x.ttl: error: found concepts that are broader than themselves: a, b; expected a tree. Remove one skos:broader of each circle."
    )


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path = write(tmp_path, "taxonomy.yaml", "mine")
    with pytest.raises(OutputError, match="exists; nothing was written"):
        save_draft(path, read_skos(APICULTURE)[0])
    assert path.read_text(encoding="utf-8") == "mine"


WORDS = APICULTURE.read_text(encoding="utf-8").split(" ")


@given(st.lists(st.tuples(st.integers(0, len(WORDS) - 1), st.sampled_from(WORDS)), max_size=4))
def test_no_edit_leads_to_a_traceback(edits: list[tuple[int, str]]) -> None:
    words = [*WORDS]
    for place, word in edits:
        words[place] = word
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder), "edited.ttl", " ".join(words))
        try:
            found, _ = read_skos(path)
        except InputError:
            return
        write(Path(folder), "taxonomy.yaml", draft_yaml(found))
        assert load_taxonomy(Path(folder, "taxonomy.yaml")).taxonomy == found
