"""Write a taxonomy as SKOS: each facet is a concept scheme, each category a concept."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote

from rdflib import Graph, Literal, URIRef
from rdflib.namespace import DCTERMS, OWL, RDF, SKOS

from classifier.errors import UsageError
from classifier.files.targets import check_ending, check_target
from classifier.files.writing import write_file
from classifier.taxonomy.cue import OPEN_WORD
from classifier.taxonomy.model import Category, Taxonomy

_WITHOUT_ADDRESS: Final = "urn:fieldguide:taxonomy"
_SURVEY: Final = URIRef("urn:fieldguide:terms#Survey")
"""Type of the resource of the survey, by which a file of Fieldguide is recognised."""
_LANGUAGE: Final = re.compile(r"[a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8})*")


def write_skos(taxonomy: Taxonomy, *, facet_ids: Sequence[str] = (), language: str = "en") -> bytes:
    """Return a taxonomy as SKOS in Turtle; the same taxonomy gives the same bytes.

    facet_ids: facets to write; all facets if empty. language: language tag of the texts. Concepts
    have addresses below `survey.base_url`; without it, below `urn:fieldguide:taxonomy`.

    Raises UsageError for an unknown facet or an invalid language tag.
    """
    if not _LANGUAGE.fullmatch(language):
        raise UsageError(f"found the language '{language}'; expected a tag such as en or pt-BR.")
    for unknown in sorted({*facet_ids} - {*taxonomy.facets}):
        known = ", ".join(taxonomy.facets)
        raise UsageError(f"found the facet '{unknown}'; expected one of {known}.")
    graph = Graph(bind_namespaces="none")
    for prefix, namespace in (("rdf", RDF), ("skos", SKOS), ("dcterms", DCTERMS), ("owl", OWL)):
        graph.bind(prefix, namespace)

    def add(subject: URIRef, term: URIRef, *texts: str) -> None:
        """Add statements with these texts."""
        for text in filter(None, texts):
            graph.add((subject, term, Literal(text, language)))

    def add_category(scheme: URIRef, category: Category) -> None:
        """Add a category and its children."""
        concept = scheme + f"/{category.id}"
        alternative, hidden = labels_of(category)
        graph.add((concept, RDF.type, SKOS.Concept))
        graph.add((concept, SKOS.inScheme, scheme))
        graph.add((concept, SKOS.notation, Literal(category.id)))
        add(concept, SKOS.prefLabel, category.name)
        add(concept, SKOS.altLabel, *alternative)
        add(concept, SKOS.hiddenLabel, *hidden)
        add(concept, SKOS.definition, category.definition)
        add(concept, SKOS.scopeNote, *(f"Includes: {text}" for text in category.includes))
        add(concept, SKOS.scopeNote, *(f"Excludes: {text}" for text in category.excludes))
        add(concept, SKOS.example, *category.exemplars)
        if category.replaced_by:
            graph.add((concept, DCTERMS.isReplacedBy, scheme + f"/{category.replaced_by}"))
        for child in category.children:
            graph.add((concept, SKOS.narrower, scheme + f"/{child.id}"))
            graph.add((scheme + f"/{child.id}", SKOS.broader, concept))

    address = quote(taxonomy.survey.base_url.rstrip("/"), safe="/:?#[]@!$&'()*+,;=%~")
    survey = URIRef(f"{address}/taxonomy" if address else _WITHOUT_ADDRESS)
    graph.add((survey, RDF.type, _SURVEY))
    add(survey, DCTERMS.title, taxonomy.survey.title)
    add(survey, DCTERMS.description, taxonomy.survey.scope)
    for facet in taxonomy.facets.values():
        if facet_ids and facet.id not in facet_ids:
            continue
        scheme = survey + f"/{facet.id}"
        graph.add((scheme, RDF.type, SKOS.ConceptScheme))
        graph.add((scheme, SKOS.notation, Literal(facet.id)))
        add(scheme, SKOS.prefLabel, facet.name)
        add(scheme, SKOS.definition, facet.definition)
        in_use = {category.id for category in facet.walk()}
        for category in facet.walk(include_retired=True):
            add_category(scheme, category)
            if category.id not in in_use:
                graph.add((scheme + f"/{category.id}", OWL.deprecated, Literal(True)))
        for top in facet.categories:
            graph.add((scheme + f"/{top.id}", SKOS.topConceptOf, scheme))
            graph.add((scheme, SKOS.hasTopConcept, scheme + f"/{top.id}"))
    return graph.serialize(format="turtle", encoding="utf-8")


def save_skos(
    path: Path, taxonomy: Taxonomy, *, facet_ids: Sequence[str] = (), language: str = "en"
) -> None:
    """Write a taxonomy as SKOS to a .ttl file (see `write_skos`).

    Raises OutputError if the file exists and was not written by Fieldguide.
    """
    check_ending(path, (".ttl",))
    data = write_skos(taxonomy, facet_ids=facet_ids, language=language)
    check_target(path, "-o", is_ours=lambda file: b"urn:fieldguide:terms#" in file.read_bytes())
    write_file(path, data)


def labels_of(category: Category) -> tuple[list[str], list[str]]:
    """Return the alternative and the hidden labels of a category, sorted.

    Aliases, and title cues that are plain phrases, become alternative labels. Other supporting cues
    without an open word become hidden labels. No label occurs twice (SKOS Reference, S13).
    """
    cues = category.cues
    phrases = [cue for cue in cues.title if " " in cue and "~" not in cue]
    alternative = {*category.aliases, *filter(None, map(_label_of, phrases))} - {category.name}
    supporting = map(_label_of, (*cues.title, *cues.contribution, *cues.anywhere))
    hidden = {*filter(None, supporting)} - alternative - {category.name}
    return sorted(alternative), sorted(hidden)


def _label_of(cue: str) -> str:
    """Return a cue without its inflection marks; "" if it has an open word."""
    return "" if OPEN_WORD in cue.split() else cue.replace("~", "")
