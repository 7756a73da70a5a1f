"""A taxonomy as SKOS: a concept scheme a facet, a concept a category."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rdflib import BNode, Graph, Literal, URIRef
from rdflib.namespace import DCTERMS, OWL, RDF, SKOS

from classifier.errors import OutputError, UsageError
from classifier.extras.skos.labels import EXCLUDES, FORMATS, INCLUDES, OWN, labels_of
from classifier.files.atomic import write_file
from classifier.taxonomy.model import Category, Facet, Survey, Taxonomy

_WITHOUT_ADDRESS = "urn:fieldguide:taxonomy"
_PREFIXES = {"rdf": RDF, "skos": SKOS, "dcterms": DCTERMS, "owl": OWL, "fieldguide": OWN}
_LANGUAGE = re.compile(r"[a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8})*")

# Text between resources is never taken for this: inside of a resource a `<` is escaped.
_XML_BEGIN, _XML_END = b"  <rdf:Description", b"</rdf:RDF>\n"

# What SKOS or Dublin Core says already.
_SAID = {"id", "name", "title", "definition", "scope", "categories", "children", "replaced_by"}


def write_skos(
    taxonomy: Taxonomy, ending: str = ".ttl", *, facet_ids: Sequence[str] = (), language: str = "en"
) -> bytes:
    """Return a taxonomy as SKOS in the format of a file ending, the same bytes every time.

    `facet_ids` chooses facets, by default all; `language` tags the texts. Concepts are addressed
    below `survey.base_url`, without it below `urn:fieldguide:taxonomy`. What SKOS cannot say
    stands in terms of our own, so that `read_skos` gives the taxonomy back; only the lexicons are
    left out.

    Raises UsageError for an unknown ending, facet or language tag.
    """
    if ending not in FORMATS:
        raise UsageError(f"found ending '{ending}'; wanted one of {', '.join(FORMATS)}.")
    if not _LANGUAGE.fullmatch(language):
        raise UsageError(f"found the language '{language}'; wanted a tag such as en or pt-BR.")
    for unknown in sorted({*facet_ids} - {*taxonomy.facets}):
        raise UsageError(
            f"found the facet '{unknown}'; wanted one of {', '.join(taxonomy.facets)}."
        )
    writer = _Writer(taxonomy.survey, language)
    for position, (facet_id, facet) in enumerate(taxonomy.facets.items(), start=1):
        if not facet_ids or facet_id in facet_ids:
            writer.add_facet(facet, position)
    return _serialized(writer.graph, ending)


def save_skos(
    path: Path, taxonomy: Taxonomy, *, facet_ids: Sequence[str] = (), language: str = "en"
) -> None:
    """Write a taxonomy as SKOS to `path`, in the format of its ending; see `write_skos`.

    Raises OutputError where a file is there that this did not write, or none can be.
    """
    data = write_skos(taxonomy, path.suffix, facet_ids=facet_ids, language=language)
    if os.path.lexists(path) and not _is_ours(path):
        raise OutputError(
            f"{path}: exists and was not written by Fieldguide; name another with -o."
        )
    write_file(path, data)


def _is_ours(path: Path) -> bool:
    try:
        return OWN.encode() in path.read_bytes()
    except OSError:
        return False


def _serialized(graph: Graph, ending: str) -> bytes:
    data = graph.serialize(format=FORMATS[ending], encoding="utf-8")
    match ending:
        case ".nt":
            return b"".join(sorted(data.splitlines(keepends=True)))
        case ".rdf":
            head, *resources = data.removesuffix(_XML_END).split(_XML_BEGIN)
            return head + b"".join(_XML_BEGIN + each for each in sorted(resources)) + _XML_END
        case ".jsonld":
            return (json.dumps(_in_order(json.loads(data)), indent=2) + "\n").encode()
    return data


def _in_order(value: Any) -> Any:
    """Return JSON-LD with keys and values sorted, but for the items of lists."""
    if isinstance(value, dict):
        return {
            key: [*map(_in_order, below)] if key == "@list" else _in_order(below)
            for key, below in sorted(value.items())
        }
    if isinstance(value, list):
        return sorted(map(_in_order, value), key=lambda item: json.dumps(item, sort_keys=True))
    return value


class _Writer:
    """Fills a graph; blank nodes are numbered, since rdflib's own names are drawn by chance."""

    def __init__(self, survey: Survey, language: str) -> None:
        self.graph = Graph(bind_namespaces="none")
        for prefix, namespace in _PREFIXES.items():
            self.graph.bind(prefix, namespace)
        self._language = language
        self._blank_nodes = 0
        address = quote(survey.base_url.rstrip("/"), safe="/:?#[]@!$&'()*+,;=%~")
        self._survey = URIRef(f"{address}/taxonomy" if address else _WITHOUT_ADDRESS)
        self._add(self._survey, RDF.type, OWN.Survey)
        self._add_texts(self._survey, DCTERMS.title, [survey.title])
        self._add_texts(self._survey, DCTERMS.description, [survey.scope])
        self._add_own(self._survey, survey.model_dump(exclude_defaults=True))

    def add_facet(self, facet: Facet, position: int) -> None:
        """Add a facet as a concept scheme, with everything below it."""
        scheme = self._scheme(facet)
        self._add(scheme, RDF.type, SKOS.ConceptScheme)
        self._add(scheme, SKOS.notation, Literal(facet.id))
        self._add_texts(scheme, SKOS.prefLabel, [facet.name])
        self._add_texts(scheme, SKOS.definition, [facet.definition])
        self._add_own(scheme, {"position": position, **facet.model_dump(exclude_defaults=True)})
        in_use = {category.id for category in facet.walk()}
        for rank, category in enumerate(facet.walk(retired=True), start=1):
            self._add_category(facet, category, rank)
            if category.id not in in_use:
                self._add(self._concept(facet, category.id), OWL.deprecated, Literal(True))
        for top in facet.categories:
            concept = self._concept(facet, top.id)
            self._add(concept, SKOS.topConceptOf, scheme)
            self._add(scheme, SKOS.hasTopConcept, concept)

    def _add_category(self, facet: Facet, category: Category, position: int) -> None:
        concept = self._concept(facet, category.id)
        shown, hidden = labels_of(category)
        self._add(concept, RDF.type, SKOS.Concept)
        self._add(concept, SKOS.inScheme, self._scheme(facet))
        self._add(concept, SKOS.notation, Literal(category.id))
        self._add_texts(concept, SKOS.prefLabel, [category.name])
        self._add_texts(concept, SKOS.altLabel, shown)
        self._add_texts(concept, SKOS.hiddenLabel, hidden)
        self._add_texts(concept, SKOS.definition, [category.definition])
        self._add_texts(concept, SKOS.scopeNote, [INCLUDES + text for text in category.includes])
        self._add_texts(concept, SKOS.scopeNote, [EXCLUDES + text for text in category.excludes])
        self._add_texts(concept, SKOS.example, category.exemplars)
        self._add_own(concept, {"position": position, **category.model_dump(exclude_defaults=True)})
        if category.replaced_by:
            replacement = self._concept(facet, category.replaced_by)
            self._add(concept, DCTERMS.isReplacedBy, replacement)
        for child in category.children:
            below = self._concept(facet, child.id)
            self._add(concept, SKOS.narrower, below)
            self._add(below, SKOS.broader, concept)

    def _scheme(self, facet: Facet) -> URIRef:
        return self._survey + f"/{facet.id}"

    def _concept(self, facet: Facet, category_id: str) -> URIRef:
        return self._scheme(facet) + f"/{category_id}"

    def _add(self, subject: URIRef | BNode, term: URIRef, value: URIRef | BNode | Literal) -> None:
        self.graph.add((subject, term, value))

    def _add_texts(self, subject: URIRef, term: URIRef, texts: Iterable[str]) -> None:
        for text in filter(None, texts):
            self._add(subject, term, Literal(text, self._language))

    def _add_own(self, subject: URIRef | BNode, fields: Mapping[str, Any]) -> None:
        for name, value in fields.items():
            if name not in _SAID or isinstance(subject, BNode):
                self._add(subject, OWN[name], self._own_value(value))

    def _own_value(self, value: Any) -> URIRef | BNode | Literal:
        """Return a text, number or flag as a literal, a list as an RDF list, a record as a node."""
        if isinstance(value, str | int):
            return Literal(value)
        if not value:
            return RDF.nil
        self._blank_nodes += 1
        node = BNode(f"n{self._blank_nodes}")
        if isinstance(value, Mapping):
            self._add_own(node, value)
            return node
        rest: BNode | URIRef = node
        for index, item in enumerate(value, start=1):
            self._add(rest, RDF.first, self._own_value(item))
            self._blank_nodes += 1
            after = RDF.nil if index == len(value) else BNode(f"n{self._blank_nodes}")
            self._add(rest, RDF.rest, after)
            rest = after
        return node
