"""The concepts of a SKOS file: their labels in one language, their schemes and trees."""

from __future__ import annotations

import logging
import textwrap
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rdflib import Graph, Literal, Namespace, URIRef
from rdflib.namespace import DC, DCTERMS, OWL, RDF, RDFS, SKOS

from classifier.errors import UsageError, input_error
from classifier.files.reading import read_text

_SKOSXL: Final = Namespace("http://www.w3.org/2008/05/skos-xl#")
# N-Triples are a subset of Turtle, and the Turtle parser reports lines.
_FORMATS: Final = {
    ".ttl": "turtle", ".nt": "turtle", ".rdf": "xml", ".xml": "xml", ".owl": "xml",
}  # fmt: skip
_NAMES: Final = {"turtle": "Turtle", "xml": "RDF/XML"}
_BASE: Final = "https://example.org/thesaurus"
"""Base of relative addresses, the same on every machine."""


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept or a scheme."""

    uri: str
    label: str
    """Its preferred label; "" if it has none."""
    language: str
    """Language tag of that label, in lower case."""
    others: tuple[str, ...]
    """Alternative labels, then hidden ones, in the language of the preferred label."""
    definition: str
    """Definition and scope notes, one paragraph each."""


@dataclass(frozen=True, slots=True)
class Thesaurus:
    """The content of a SKOS file. Concepts and schemes are sorted by label."""

    concepts: dict[str, Concept]
    """Address -> concept, deprecated ones too."""
    schemes: dict[str, Concept]
    """Address -> scheme."""
    members: dict[str, list[str]]
    """Scheme -> its concepts in use, the largest scheme first; "" for those in no scheme."""
    narrower: dict[str, list[str]]
    """Concept -> the concepts directly below it."""
    tops: set[str]
    """Concepts that are declared as tops of a scheme."""
    deprecated: list[str]


def read_thesaurus(path: Path, label: str, language: str) -> Thesaurus:
    """Read a SKOS file (Turtle, RDF/XML or N-Triples, by file ending).

    label: name of the file for messages. Raises UsageError for an unknown ending, and InputError
    for a file that is not a thesaurus.
    """
    graph = _parse(path, label)
    n_statements = len(graph)
    _add_implied(graph)
    reader = _Reader(graph, language.lower())
    schemes = reader.concepts(graph.subjects(RDF.type, SKOS.ConceptScheme))
    concepts = reader.concepts(graph.subjects(RDF.type, SKOS.Concept))
    deprecated = [uri for uri in concepts if (URIRef(uri), OWL.deprecated, Literal(True)) in graph]
    narrower = _narrower(graph, concepts)
    members = _members(graph, narrower, [*schemes], deprecated)
    if not members:
        found = f"no concept in {n_statements} statements"
        hint = "Convert the vocabulary to SKOS first: every concept a skos:Concept with a label."
        raise input_error(label, found, "a SKOS thesaurus", hint)
    tops = {str(top) for top in graph.subjects(SKOS.topConceptOf)}
    return Thesaurus(concepts, schemes, members, narrower, tops, deprecated)


def _parse(path: Path, label: str) -> Graph:
    """Parse an RDF file in the format of its ending.

    label: name of the file for messages.
    """
    form = _FORMATS.get(path.suffix.lower())
    if form is None:
        endings = ", ".join(_FORMATS)
        raise UsageError(f"{label}: found ending '{path.suffix}'; expected one of {endings}.")
    text = read_text(path, label)
    # rdflib logs doubtful literals with tracebacks.
    logging.getLogger("rdflib").setLevel(logging.CRITICAL + 1)
    graph = Graph()
    try:
        graph.parse(data=text, format=form, publicID=_BASE)
    except Exception as error:  # the parsers of rdflib raise errors of many kinds
        line, reason = None, str(error)
        if isinstance(error, SyntaxError):  # of the Turtle parser, which counts lines from 0
            line, reason = getattr(error, "lines", -1) + 1 or None, getattr(error, "_why", reason)
        elif hasattr(error, "getLineNumber"):  # of expat
            line, reason = error.getLineNumber(), getattr(error, "getMessage", lambda: reason)()
        reason = textwrap.shorten(str(reason), 120, placeholder="…") or type(error).__name__
        found, expected = f"no {_NAMES[form]} ({reason})", f"a thesaurus in {_NAMES[form]}"
        hint = "Correct that place, or export the file again."
        raise input_error(label, found, expected, hint, line=line) from error
    return graph


def _add_implied(graph: Graph) -> None:
    """Add the statements that others imply, so that each relation has one form."""
    for name in ("prefLabel", "altLabel", "hiddenLabel"):
        for subject, label in [*graph.subject_objects(_SKOSXL[name])]:
            for text in graph.objects(label, _SKOSXL.literalForm):
                graph.add((subject, SKOS[name], text))
    for below, above in [*graph.subject_objects(SKOS.broader)]:
        graph.add((above, SKOS.narrower, below))
    for scheme, top in [*graph.subject_objects(SKOS.hasTopConcept)]:
        graph.add((top, SKOS.topConceptOf, scheme))
    for top, scheme in [*graph.subject_objects(SKOS.topConceptOf)]:
        graph.add((top, SKOS.inScheme, scheme))
    for scheme in {*graph.objects(None, SKOS.inScheme)}:
        graph.add((scheme, RDF.type, SKOS.ConceptScheme))
    related = {node for pair in graph.subject_objects(SKOS.narrower) for node in pair}
    related |= {*graph.subjects(SKOS.topConceptOf)}
    for concept in related & {*graph.subjects(SKOS.prefLabel)}:
        graph.add((concept, RDF.type, SKOS.Concept))


def _narrower(graph: Graph, concepts: Collection[str]) -> dict[str, list[str]]:
    """Return the concepts directly below each concept, in the order of `concepts`."""
    order = {uri: number for number, uri in enumerate(concepts)}
    narrower: dict[str, list[str]] = {}
    for uri in concepts:
        below = {str(node) for node in graph.objects(URIRef(uri), SKOS.narrower)}
        narrower[uri] = sorted(below & order.keys(), key=order.__getitem__)
    return narrower


def _members(
    graph: Graph, narrower: dict[str, list[str]], schemes: Sequence[str], deprecated: Sequence[str]
) -> dict[str, list[str]]:
    """Return the concepts in use of each scheme, the largest scheme first; "" means no scheme.

    A concept without a scheme belongs to the schemes of its broader concept, or to the only scheme.
    """
    schemes_of = {
        uri: {str(node) for node in graph.objects(URIRef(uri), SKOS.inScheme)} for uri in narrower
    }
    waiting = deque(uri for uri in narrower if schemes_of[uri])
    while waiting:
        concept = waiting.popleft()
        for below in narrower[concept]:
            if not schemes_of[below]:
                schemes_of[below] = schemes_of[concept]
                waiting.append(below)
    default = {schemes[0] if len(schemes) == 1 else ""}
    members: dict[str, list[str]] = {uri: [] for uri in (*schemes, "")}
    for concept in narrower:
        for uri in sorted(schemes_of[concept] or default):
            if uri in members and concept not in deprecated:
                members[uri].append(concept)
    filled = [uri for uri in members if members[uri]]
    return {uri: members[uri] for uri in sorted(filled, key=lambda uri: -len(members[uri]))}


def build_trees(
    concepts: Sequence[str], narrower: dict[str, list[str]], tops: Collection[str]
) -> tuple[dict[str, list[str]], list[str]]:
    """Return the children of each concept (top concepts under ""), and the ambiguous concepts.

    Trees are built level by level from the tops: the concepts in `tops`, those without a broader
    concept, and the first concept of each circle. A concept with several broader concepts, or in a
    circle, is ambiguous: it becomes a child of the first one that is reached.
    """
    lower = {below for uri in concepts for below in narrower[uri]}
    children: dict[str, list[str]] = {"": [], **{uri: [] for uri in concepts}}
    ambiguous: list[str] = []
    reached: set[str] = set()
    first = [uri for uri in concepts if uri in tops or uri not in lower]
    for roots in (first, *([uri] for uri in concepts)):
        waiting = deque(uri for uri in roots if uri not in reached)
        children[""] += waiting
        reached |= {*waiting}
        while waiting:
            concept = waiting.popleft()
            for below in narrower[concept]:
                if below in children and below not in reached:
                    reached.add(below)
                    children[concept].append(below)
                    waiting.append(below)
                elif below in children and below not in ambiguous:
                    ambiguous.append(below)
    children[""].sort(key=concepts.index)
    return children, ambiguous


def all_below(concept: str, children: dict[str, list[str]]) -> list[str]:
    """Return all concepts below a concept, parents before their children."""
    found = [*children[concept]]
    for each in found:  # the list grows while it is walked
        found += children[each]
    return found


class _Reader:
    """Reads concepts from a graph, with labels in one language."""

    def __init__(self, graph: Graph, language: str) -> None:
        self._graph, self._language = graph, language

    def concepts(self, nodes: Iterable[object]) -> dict[str, Concept]:
        """Return the concepts by address, sorted by label and address."""
        found = [self._concept(node) for node in {*nodes} if isinstance(node, URIRef)]
        found.sort(key=lambda concept: (concept.label.casefold(), concept.uri))
        return {concept.uri: concept for concept in found}

    def _concept(self, subject: URIRef) -> Concept:
        """Return one concept."""
        label = self._best_text(subject, SKOS.prefLabel, DCTERMS.title, DC.title, RDFS.label)
        definition = self._best_text(subject, SKOS.definition, DCTERMS.description, DC.description)
        language = (label.language or "").lower()
        others = [
            *self._all_texts(subject, SKOS.altLabel, language),
            *self._all_texts(subject, SKOS.hiddenLabel, language),
        ]
        notes = self._all_texts(subject, SKOS.scopeNote, language)
        paragraphs = filter(None, [definition.strip(), *notes])
        return Concept(
            str(subject), str(label.strip()), language, tuple(dict.fromkeys(others)),
            "\n\n".join(paragraphs),
        )  # fmt: skip

    def _best_text(self, subject: URIRef, *terms: URIRef) -> Literal:
        """Return the best text of the first term that has any, by language, then alphabetically."""
        for term in terms:
            if texts := self._texts(subject, term):
                return min(texts, key=lambda text: (self._rank(text), text.language or "", text))
        return Literal("")

    def _all_texts(self, subject: URIRef, term: URIRef, language: str) -> list[str]:
        """Return the texts in the project's language: in `language`, or without a language."""
        base = language.partition("-")[0]
        found = set()
        for text in self._texts(subject, term):
            if self._rank(text) < 3 or (text.language or "").lower().partition("-")[0] == base:
                found.add(str(text).strip())
        return sorted(found)

    def _texts(self, subject: URIRef, term: URIRef) -> list[Literal]:
        """Return the texts of a term."""
        found = self._graph.objects(subject, term)
        return [text for text in found if isinstance(text, Literal) and text.strip()]

    def _rank(self, text: Literal) -> int:
        """Return 0 for the preferred language, 1 for a variant, 2 for no language, 3 for others."""
        tag = (text.language or "").lower()
        if tag == self._language:
            return 0
        if tag.startswith(f"{self._language}-"):
            return 1
        return 3 if tag else 2
