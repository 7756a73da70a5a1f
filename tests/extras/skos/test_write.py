from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rdflib", reason="needs rdflib: pip install 'fieldguide[skos]'")

from rdflib import Graph, URIRef
from rdflib.namespace import RDF, SKOS

from classifier.errors import OutputError, UsageError
from classifier.extras.skos import save_skos, write_skos
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import Taxonomy

BREAD = Path(__file__).resolve().parents[2] / "golden" / "project" / "taxonomy" / "taxonomy.yaml"

TURTLE = """\
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .

<https://example.org/bees/taxonomy> a <urn:fieldguide:terms#Survey> ;
    dcterms:title "Bees"@en .

<https://example.org/bees/taxonomy/topic/lice> a skos:Concept ;
    dcterms:isReplacedBy <https://example.org/bees/taxonomy/topic/mites> ;
    owl:deprecated true ;
    skos:inScheme <https://example.org/bees/taxonomy/topic> ;
    skos:notation "lice" ;
    skos:prefLabel "Lice"@en ;
    skos:topConceptOf <https://example.org/bees/taxonomy/topic> .

<https://example.org/bees/taxonomy/topic/mites/acids> a skos:Concept ;
    skos:broader <https://example.org/bees/taxonomy/topic/mites> ;
    skos:inScheme <https://example.org/bees/taxonomy/topic> ;
    skos:notation "mites/acids" ;
    skos:prefLabel "Acids"@en .

<https://example.org/bees/taxonomy/topic/mites> a skos:Concept ;
    skos:altLabel "acari"@en,
        "varroa mite"@en ;
    skos:definition "What lives on bees."@en ;
    skos:example "Mites in winter"@en ;
    skos:hiddenLabel "mite"@en ;
    skos:inScheme <https://example.org/bees/taxonomy/topic> ;
    skos:narrower <https://example.org/bees/taxonomy/topic/mites/acids> ;
    skos:notation "mites" ;
    skos:prefLabel "Mites"@en ;
    skos:scopeNote "Excludes: beetles"@en,
        "Includes: ticks"@en ;
    skos:topConceptOf <https://example.org/bees/taxonomy/topic> .

<https://example.org/bees/taxonomy/topic> a skos:ConceptScheme ;
    skos:definition "What is asked."@en ;
    skos:hasTopConcept <https://example.org/bees/taxonomy/topic/lice>,
        <https://example.org/bees/taxonomy/topic/mites> ;
    skos:notation "topic" ;
    skos:prefLabel "Topic"@en .

"""


@pytest.fixture
def bees() -> Taxonomy:
    mites: dict[str, Any] = {
        "id": "mites",
        "core": True,
        "definition": "What lives on bees.",
        "includes": ["ticks"],
        "excludes": ["beetles"],
        "aliases": ["acari"],
        "exemplars": ["Mites in winter"],
        "cues": {"title": ["mite~", "varroa mite", "a _ mite"], "against": ["spider mite"]},
        "children": [{"id": "mites/acids"}],
    }
    tops = [mites, {"id": "lice", "replaced_by": "mites"}]
    topic = {"kind": "single", "definition": "What is asked.", "categories": tops}
    survey = {"title": "Bees", "base_url": "https://example.org/bees/"}
    return Taxonomy.model_validate({"survey": survey, "facets": {"topic": topic}})


def test_a_taxonomy_as_turtle(bees: Taxonomy) -> None:
    assert write_skos(bees).decode() == TURTLE


def test_annif_finds_what_it_reads(bees: Taxonomy) -> None:
    """Its loader takes each skos:Concept with a prefLabel in a language, and its notation."""
    graph = Graph().parse(data=write_skos(bees, language="de"), format="turtle")
    concepts = sorted(graph.subjects(RDF.type, SKOS.Concept))
    labels = [graph.value(concept, SKOS.prefLabel) for concept in concepts]
    assert [(str(label), label.language) for label in labels] == [
        ("Lice", "de"), ("Mites", "de"), ("Acids", "de"),
    ]  # fmt: skip
    assert all(isinstance(concept, URIRef) for concept in concepts)
    notations = [str(graph.value(concept, SKOS.notation)) for concept in concepts]
    assert notations == ["lice", "mites", "mites/acids"]


def test_the_same_bytes_under_another_hash_seed() -> None:
    code = (
        "import sys, pathlib; from classifier.taxonomy.load import load_taxonomy;"
        "from classifier.extras.skos import write_skos;"
        f"t = load_taxonomy(pathlib.Path({str(BREAD)!r})).taxonomy;"
        "sys.stdout.buffer.write(write_skos(t))"
    )
    other = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "2", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=True,
    )
    assert other.stdout == write_skos(load_taxonomy(BREAD).taxonomy)


def test_without_an_address_concepts_have_a_name(bees: Taxonomy) -> None:
    survey = bees.survey.model_copy(update={"base_url": ""})
    text = write_skos(bees.model_copy(update={"survey": survey})).decode()
    assert "<urn:fieldguide:taxonomy/topic/mites/acids> a skos:Concept" in text


def test_one_facet_of_several(bees: Taxonomy) -> None:
    facet = bees.first.model_copy(update={"id": "second"})
    both = bees.model_copy(update={"facets": {**bees.facets, "second": facet}})
    assert write_skos(both, facet_ids=["topic"]) == write_skos(bees)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"facet_ids": ["mood"]}, "found the facet 'mood'; expected one of topic."),
        ({"language": "e n"}, "found the language 'e n'; expected a tag such as en or pt-BR."),
    ],
)
def test_wrong_use(bees: Taxonomy, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        write_skos(bees, **options)
    assert str(caught.value) == message


def test_only_a_file_of_ours_is_overwritten(bees: Taxonomy, tmp_path: Path) -> None:
    path = tmp_path / "taxonomy.ttl"
    save_skos(path, bees)
    save_skos(path, bees)
    assert path.read_text(encoding="utf-8") == TURTLE
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError, match="exists and was not written by Fieldguide"):
        save_skos(path, bees)
    assert path.read_text(encoding="utf-8") == "mine"
