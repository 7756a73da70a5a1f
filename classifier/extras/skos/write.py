"""A taxonomy as SKOS: a concept scheme a facet, a concept a category."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote

from rdflib import Graph, Literal, URIRef
from rdflib.namespace import DCTERMS, OWL, RDF, SKOS
from rdflib.term import Node

from classifier.errors import UsageError
from classifier.files.targets import check_ending, check_target
from classifier.files.writing import write_file
from classifier.taxonomy.cue import OPEN_WORD
from classifier.taxonomy.model import Category, Facet, Taxonomy

_WITHOUT_ADDRESS = "urn:fieldguide:taxonomy"
_SURVEY = URIRef("urn:fieldguide:terms#Survey")
"""The type of the one resource that is no SKOS: by it a file of ours is known."""
_PREFIXES = {"rdf": RDF, "skos": SKOS, "dcterms": DCTERMS, "owl": OWL}
_LANGUAGE = re.compile(r"[a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8})*")


def write_skos(taxonomy: Taxonomy, *, facet_ids: Sequence[str] = (), language: str = "en") -> bytes:
    """Return a taxonomy as SKOS in Turtle, the same bytes every time.

    `facet_ids` chooses facets, by default all; `language` tags the texts. Concepts are addressed
    below `survey.base_url`, without it below `urn:fieldguide:taxonomy`.

    Raises UsageError for an unknown facet or language tag.
    """
    if not _LANGUAGE.fullmatch(language):
        raise UsageError(f"found the language '{language}'; expected a tag such as en or pt-BR.")
    for unknown in sorted({*facet_ids} - {*taxonomy.facets}):
        raise UsageError(
            f"found the facet '{unknown}'; expected one of {', '.join(taxonomy.facets)}."
        )
    writer = _Writer(taxonomy, language)
    for facet_id, facet in taxonomy.facets.items():
        if not facet_ids or facet_id in facet_ids:
            writer.add_facet(facet)
    return writer.graph.serialize(format="turtle", encoding="utf-8")


def save_skos(
    path: Path, taxonomy: Taxonomy, *, facet_ids: Sequence[str] = (), language: str = "en"
) -> None:
    """Write a taxonomy as SKOS to `path`, a .ttl; see `write_skos`.

    Raises OutputError where a file is there that this did not write, or none can be.
    """
    check_ending(path, (".ttl",))
    data = write_skos(taxonomy, facet_ids=facet_ids, language=language)
    check_target(path, "-o", is_ours=lambda file: b"urn:fieldguide:terms#" in file.read_bytes())
    write_file(path, data)


class _Writer:
    """Fills a graph with the statements of facets."""

    def __init__(self, taxonomy: Taxonomy, language: str) -> None:
        self.graph = Graph(bind_namespaces="none")
        for prefix, namespace in _PREFIXES.items():
            self.graph.bind(prefix, namespace)
        self._language = language
        survey = taxonomy.survey
        address = quote(survey.base_url.rstrip("/"), safe="/:?#[]@!$&'()*+,;=%~")
        self._survey = URIRef(f"{address}/taxonomy" if address else _WITHOUT_ADDRESS)
        self._add(self._survey, RDF.type, _SURVEY)
        self._add_texts(self._survey, DCTERMS.title, [survey.title])
        self._add_texts(self._survey, DCTERMS.description, [survey.scope])

    def add_facet(self, facet: Facet) -> None:
        """Add a facet as a concept scheme, with everything below it."""
        scheme = self._survey + f"/{facet.id}"
        self._add(scheme, RDF.type, SKOS.ConceptScheme)
        self._add(scheme, SKOS.notation, Literal(facet.id))
        self._add_texts(scheme, SKOS.prefLabel, [facet.name])
        self._add_texts(scheme, SKOS.definition, [facet.definition])
        in_use = {category.id for category in facet.walk()}
        for category in facet.walk(retired=True):
            self._add_category(scheme, category)
            if category.id not in in_use:
                self._add(scheme + f"/{category.id}", OWL.deprecated, Literal(True))
        for top in facet.categories:
            self._add(scheme + f"/{top.id}", SKOS.topConceptOf, scheme)
            self._add(scheme, SKOS.hasTopConcept, scheme + f"/{top.id}")

    def _add_category(self, scheme: URIRef, category: Category) -> None:
        concept = scheme + f"/{category.id}"
        shown, hidden = labels_of(category)
        notes = [f"Includes: {text}" for text in category.includes]
        notes += [f"Excludes: {text}" for text in category.excludes]
        self._add(concept, RDF.type, SKOS.Concept)
        self._add(concept, SKOS.inScheme, scheme)
        self._add(concept, SKOS.notation, Literal(category.id))
        self._add_texts(concept, SKOS.prefLabel, [category.name])
        self._add_texts(concept, SKOS.altLabel, shown)
        self._add_texts(concept, SKOS.hiddenLabel, hidden)
        self._add_texts(concept, SKOS.definition, [category.definition])
        self._add_texts(concept, SKOS.scopeNote, notes)
        self._add_texts(concept, SKOS.example, category.exemplars)
        if category.replaced_by:
            self._add(concept, DCTERMS.isReplacedBy, scheme + f"/{category.replaced_by}")
        for child in category.children:
            self._add(concept, SKOS.narrower, scheme + f"/{child.id}")
            self._add(scheme + f"/{child.id}", SKOS.broader, concept)

    def _add(self, subject: URIRef, term: URIRef, value: Node) -> None:
        self.graph.add((subject, term, value))

    def _add_texts(self, subject: URIRef, term: URIRef, texts: Iterable[str]) -> None:
        for text in filter(None, texts):
            self._add(subject, term, Literal(text, self._language))


def labels_of(category: Category) -> tuple[list[str], list[str]]:
    """Return the alternative and the hidden labels of a category, sorted.

    Aliases and title cues that are plain phrases are fit to be shown; every other supporting cue
    without an open word is hidden: it finds the concept, but does not name it. No label stands
    twice (SKOS Reference, S13).
    """
    phrases = [cue for cue in category.cues.title if " " in cue and "~" not in cue]
    shown = {*category.aliases, *filter(None, map(label_of, phrases))} - {category.name}
    supporting = (*category.cues.title, *category.cues.contribution, *category.cues.anywhere)
    hidden = {*filter(None, map(label_of, supporting))} - shown - {category.name}
    return sorted(shown), sorted(hidden)


def label_of(cue: str) -> str:
    """Return the phrase of a cue without its inflection marks; "" where it has an open word."""
    return "" if OPEN_WORD in cue.split() else cue.replace("~", "")
