"""What a SKOS file says: its schemes, their concepts, and the labels of one language."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from rdflib import BNode, Graph, Literal, URIRef
from rdflib.namespace import DC, DCTERMS, OWL, RDF, RDFS, SKOS
from rdflib.term import Node

from classifier.extras.skos.labels import OWN, SKOSXL

# Kinds of labels, best first: in the language asked for, in a variety of it, untagged, in another.
_UNTAGGED, _OTHER = 2, 3
_LAST = 10**9


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept or scheme of a thesaurus."""

    uri: str
    label: str
    """Its preferred label; "" where it has none in any language."""
    language: str = ""
    """The language tag of that label."""
    others: tuple[str, ...] = ()
    """Alternative labels, then hidden ones, in the language of the preferred label."""
    definition: str = ""
    notes: tuple[str, ...] = ()
    """Scope notes."""
    examples: tuple[str, ...] = ()
    notation: str = ""
    replaced_by: str = ""
    """The address of the concept that came in its place."""
    deprecated: bool = False
    own: Mapping[str, Any] | None = None
    """What Fieldguide wrote about it in terms of its own; None for any other thesaurus."""

    @property
    def rank(self) -> tuple[int, str, str]:
        """What concepts are sorted by: the written position, then the label."""
        position = self.own.get("position") if self.own else None
        return position if isinstance(position, int) else _LAST, self.label.casefold(), self.uri


@dataclass(frozen=True, slots=True)
class Thesaurus:
    """A whole SKOS file."""

    survey: Concept | None
    """What Fieldguide wrote about the survey; None for any other thesaurus."""
    schemes: dict[str, Concept]
    """Address -> scheme, in order."""
    concepts: dict[str, Concept]
    """Address -> concept, in order."""
    narrower: dict[str, list[str]]
    """Address -> the addresses of the concepts right below, in order."""
    tops: Set[str]
    """The concepts that a scheme names as its tops."""
    members: dict[str, list[str]]
    """Scheme -> its concepts, in order; "" holds those in no scheme."""
    absent: list[str]
    """Addresses that stand in the hierarchy, but of which the file says nothing."""


def read_graph(graph: Graph, language: str) -> Thesaurus:
    """Return what the statements say, with labels in `language` where there are any."""
    reader = _Reader(graph, language)
    surveys = sorted(map(str, graph.subjects(RDF.type, OWN.Survey)))
    is_own = bool(surveys)
    schemes = reader.described(_schemes(graph), is_own=is_own)
    placed = _placed(graph)
    concepts = reader.described(_concepts(graph, placed), is_own=is_own)
    narrower = _narrower(graph, concepts)
    top_links = [*graph.subject_objects(SKOS.topConceptOf)]
    top_links += [(top, scheme) for scheme, top in graph.subject_objects(SKOS.hasTopConcept)]
    membership: dict[str, set[str]] = {}
    for concept, scheme in (*graph.subject_objects(SKOS.inScheme), *top_links):
        if str(concept) in concepts and str(scheme) in schemes:
            membership.setdefault(str(concept), set()).add(str(scheme))
    _inherit(membership, concepts, narrower)
    return Thesaurus(
        reader.concept(URIRef(surveys[0]), is_own=True) if is_own else None,
        schemes,
        concepts,
        narrower,
        {str(top) for top, _ in top_links},
        _members(membership, schemes, concepts),
        sorted({str(node) for node in placed} - {*concepts}),
    )


def _schemes(graph: Graph) -> set[Node]:
    named = {*graph.objects(None, SKOS.inScheme), *graph.objects(None, SKOS.topConceptOf)}
    typed = {*graph.subjects(RDF.type, SKOS.ConceptScheme)}
    return typed | named | {*graph.subjects(SKOS.hasTopConcept)}


def _placed(graph: Graph) -> set[Node]:
    """Return what stands in the hierarchy, described or not."""
    links = [*graph.subject_objects(SKOS.broader), *graph.subject_objects(SKOS.narrower)]
    tops = {*graph.subjects(SKOS.topConceptOf), *graph.objects(None, SKOS.hasTopConcept)}
    return tops | {end for link in links for end in link}


def _concepts(graph: Graph, placed: Set[Node]) -> set[Node]:
    """Return what is a concept by its type, or by its place and a label."""
    labelled = {*graph.subjects(SKOS.prefLabel), *graph.subjects(SKOSXL.prefLabel)}
    return {*graph.subjects(RDF.type, SKOS.Concept)} | (placed & labelled)


def _narrower(graph: Graph, concepts: Mapping[str, Concept]) -> dict[str, list[str]]:
    links = {(str(above), str(below)) for above, below in graph.subject_objects(SKOS.narrower)}
    links |= {(str(above), str(below)) for below, above in graph.subject_objects(SKOS.broader)}
    order = {uri: index for index, uri in enumerate(concepts)}
    narrower: dict[str, list[str]] = {uri: [] for uri in concepts}
    for above, below in links:
        if above in concepts and below in concepts:
            narrower[above].append(below)
    return {uri: sorted(below, key=order.__getitem__) for uri, below in narrower.items()}


def _inherit(
    membership: dict[str, set[str]],
    concepts: Iterable[str],
    narrower: Mapping[str, Sequence[str]],
) -> None:
    """Put concepts that name no scheme into those of what stands above them."""
    waiting = deque(concept for concept in concepts if concept in membership)
    while waiting:
        concept = waiting.popleft()
        for below in narrower[concept]:
            if below not in membership:
                membership[below] = membership[concept]
                waiting.append(below)


def _members(
    membership: Mapping[str, Set[str]], schemes: Iterable[str], concepts: Iterable[str]
) -> dict[str, list[str]]:
    """Return scheme -> concepts; where there is one scheme only, all concepts are in it."""
    members: dict[str, list[str]] = {scheme: [] for scheme in schemes}
    rest = next(iter(members)) if len(members) == 1 else ""
    for concept in concepts:
        for scheme in sorted(membership.get(concept, {rest})):
            members.setdefault(scheme, []).append(concept)
    return members


def _base(tag: str | None) -> str:
    """Return the language of a tag: en-GB is English."""
    return (tag or "").lower().partition("-")[0]


class _Reader:
    """Reads concepts out of a graph in one language."""

    def __init__(self, graph: Graph, language: str) -> None:
        self._graph = graph
        self._language = language.lower()

    def described(self, nodes: Iterable[Node], *, is_own: bool) -> dict[str, Concept]:
        """Return address -> concept, sorted by written position, label and address."""
        found = [self.concept(n, is_own=is_own) for n in nodes if isinstance(n, URIRef)]
        return {concept.uri: concept for concept in sorted(found, key=lambda each: each.rank)}

    def concept(self, subject: URIRef, *, is_own: bool) -> Concept:
        """Return one concept; names of schemes are looked for where they are usual, too."""
        preferred = self._first(subject, "prefLabel", DCTERMS.title, DC.title, RDFS.label)
        language = (preferred.language or "") if preferred is not None else ""
        definitions = (SKOS.definition, DCTERMS.description, DC.description)
        definition = self._first(subject, *definitions)
        replacements = sorted(map(str, self._graph.objects(subject, DCTERMS.isReplacedBy)))
        notations = sorted(map(str, self._graph.objects(subject, SKOS.notation)))
        shown = self._all(subject, "altLabel", language)
        hidden = self._all(subject, "hiddenLabel", language)
        return Concept(
            uri=str(subject),
            label=str(preferred).strip() if preferred is not None else "",
            language=language,
            others=(*shown, *(label for label in hidden if label not in shown)),
            definition=str(definition).strip() if definition is not None else "",
            notes=tuple(self._all(subject, SKOS.scopeNote, language)),
            examples=tuple(self._all(subject, SKOS.example, language)),
            notation=notations[0] if notations else "",
            replaced_by=replacements[0] if replacements else "",
            deprecated=any(str(o) == "true" for o in self._graph.objects(subject, OWL.deprecated)),
            own=self._own(subject) if is_own else None,
        )

    def _first(self, subject: Node, *terms: str) -> Literal | None:
        """Return the best text of the first term that has any, by language, then by alphabet."""
        for term in terms:
            if texts := self._texts(subject, term):
                return min(texts, key=lambda text: (self._kind(text), text.language or "", text))
        return None

    def _all(self, subject: Node, term: str, language: str) -> list[str]:
        """Return the texts in the language asked for, untagged, or in that of the main label."""
        texts = self._texts(subject, term)
        kept = [t for t in texts if self._kind(t) < _OTHER or _base(t.language) == _base(language)]
        return sorted({str(text).strip() for text in kept})

    def _texts(self, subject: Node, term: str) -> list[Literal]:
        """Return the texts under a term; a label may also be a resource of its own (SKOS-XL)."""
        if isinstance(term, URIRef):
            found = [*self._graph.objects(subject, term)]
        else:
            found = [*self._graph.objects(subject, SKOS[term])]
            for label in self._graph.objects(subject, SKOSXL[term]):
                found += self._graph.objects(label, SKOSXL.literalForm)
        return [text for text in found if isinstance(text, Literal) and text.strip()]

    def _kind(self, text: Literal) -> int:
        tag = (text.language or "").lower()
        if not tag:
            return _UNTAGGED
        if tag == self._language:
            return 0
        return 1 if tag.startswith(f"{self._language}-") else _OTHER

    def _own(self, subject: Node) -> dict[str, Any]:
        """Return name -> value of the terms of our own."""
        return {
            str(term).removeprefix(OWN): self._own_value(value)
            for term, value in sorted(self._graph.predicate_objects(subject))
            if str(term).startswith(OWN)
        }

    def _own_value(self, value: Node) -> Any:
        """Return a literal, a list or a record as Python has it; the opposite of `write_skos`."""
        if isinstance(value, Literal):
            plain = value.toPython()
            return plain if isinstance(plain, bool | int) else str(value)
        if value == RDF.nil or (value, RDF.first, None) in self._graph:
            return [self._own_value(item) for item in self._graph.items(value)]
        return self._own(value) if isinstance(value, BNode) else str(value)
