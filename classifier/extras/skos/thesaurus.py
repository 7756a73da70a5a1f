"""What a SKOS file says: its schemes, their concepts, and the labels of one language."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from rdflib import Graph, Literal, Namespace, URIRef
from rdflib.namespace import DC, DCTERMS, OWL, RDF, RDFS, SKOS
from rdflib.term import Node

SKOSXL = Namespace("http://www.w3.org/2008/05/skos-xl#")
"""Labels as resources of their own: https://www.w3.org/TR/skos-reference/skos-xl.html."""
_OTHER = 3
"""How well a text suits that is in another language: behind the one asked for, and untagged."""


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept or scheme of a thesaurus."""

    uri: str
    label: str
    """Its preferred label; "" where it has none in any language."""
    language: str
    """The language tag of that label, in lower case."""
    others: tuple[str, ...]
    """Alternative labels, then hidden ones, in the language of the preferred label."""
    definition: str
    """With the scope notes, a paragraph each."""
    is_deprecated: bool


@dataclass(slots=True)
class Forest:
    """Trees that hold every concept of a scheme once."""

    roots: list[str]
    """The tops, in the order of the concepts."""
    children: dict[str, list[str]]
    """Concept -> the concepts right below it; every concept has an entry."""
    shared: list[str] = field(default_factory=list)
    """Concepts that stand below something else, too, or on a circle; the trees do not say so."""

    def below(self, concept: str) -> list[str]:
        """Return everything below a concept, parents before their children."""
        found = [*self.children[concept]]
        for each in found:  # grows while it is walked
            found += self.children[each]
        return found


@dataclass(frozen=True, slots=True)
class Thesaurus:
    """A whole SKOS file; concepts and schemes are sorted by label."""

    concepts: dict[str, Concept]
    """Address -> concept; deprecated ones, too."""
    schemes: list[tuple[Concept | None, Forest]]
    """Schemes that have concepts in use, the largest first; None for the concepts in none."""


def read_graph(graph: Graph, language: str) -> Thesaurus:
    """Return what the statements say, with labels in `language` where there are any."""
    reader = _Reader(graph, language.lower())
    named = {*graph.objects(None, SKOS.inScheme), *graph.objects(None, SKOS.topConceptOf)}
    named |= {*graph.subjects(RDF.type, SKOS.ConceptScheme), *graph.subjects(SKOS.hasTopConcept)}
    schemes = reader.concepts(named)
    links = [(above, below) for above, below in graph.subject_objects(SKOS.narrower)]
    links += [(above, below) for below, above in graph.subject_objects(SKOS.broader)]
    tops = [*graph.subject_objects(SKOS.topConceptOf)]
    tops += [(top, scheme) for scheme, top in graph.subject_objects(SKOS.hasTopConcept)]
    placed = {node for link in links for node in link} | {top for top, _ in tops}
    labelled = {*graph.subjects(SKOS.prefLabel), *graph.subjects(SKOSXL.prefLabel)}
    concepts = reader.concepts({*graph.subjects(RDF.type, SKOS.Concept)} | (placed & labelled))
    order = {uri: number for number, uri in enumerate(concepts)}
    narrower: dict[str, list[str]] = {uri: [] for uri in concepts}
    for above, below in sorted({(str(above), str(below)) for above, below in links}):
        if above in concepts and below in concepts:
            narrower[above].append(below)
    for children in narrower.values():
        children.sort(key=order.__getitem__)
    membership: dict[str, set[str]] = {}
    for concept, scheme in (*graph.subject_objects(SKOS.inScheme), *tops):
        if str(concept) in concepts:
            membership.setdefault(str(concept), set()).add(str(scheme))
    members = _members(membership, narrower, schemes)
    forests = [
        (schemes.get(uri), grow_forest(used, narrower, {str(top) for top, _ in tops}))
        for uri, found in members.items()
        if (used := [each for each in found if not concepts[each].is_deprecated])
    ]
    forests.sort(key=lambda pair: -len(pair[1].children))
    return Thesaurus(concepts, forests)


def _members(
    membership: dict[str, set[str]], narrower: dict[str, list[str]], schemes: Iterable[str]
) -> dict[str, list[str]]:
    """Return scheme -> its concepts, "" for none.

    A concept that names none is in those of what stands above it, or in the only one there is.
    """
    waiting = deque(membership)
    while waiting:
        concept = waiting.popleft()
        for below in narrower[concept]:
            if below not in membership:
                membership[below] = membership[concept]
                waiting.append(below)
    members: dict[str, list[str]] = {scheme: [] for scheme in schemes}
    rest = next(iter(members)) if len(members) == 1 else ""
    for concept in narrower:
        for scheme in sorted(membership.get(concept, {rest})):
            members.setdefault(scheme, []).append(concept)
    return members


def grow_forest(
    concepts: Sequence[str], narrower: dict[str, list[str]], tops: Collection[str]
) -> Forest:
    """Return the trees of `concepts`, level by level from the tops.

    A concept is a top where `tops` holds it or nothing is broader. One with several parents goes
    below the first that is reached; of those to which only a circle leads, the first becomes a top.
    """
    inside = set(concepts)
    lower = {below for each in concepts for below in narrower[each]}
    forest = Forest([], {concept: [] for concept in concepts})
    reached: set[str] = set()

    def plant(roots: Sequence[str]) -> None:
        forest.roots += roots
        reached.update(roots)
        waiting = deque(roots)
        while waiting:
            concept = waiting.popleft()
            for below in narrower[concept]:
                if below in inside and below not in reached:
                    reached.add(below)
                    forest.children[concept].append(below)
                    waiting.append(below)
                elif below in inside and below not in forest.shared:
                    forest.shared.append(below)

    plant([each for each in concepts if each in tops or each not in lower])
    for each in concepts:
        if each not in reached:
            plant([each])
    forest.roots.sort(key=concepts.index)
    return forest


class _Reader:
    """Reads concepts out of a graph in one language."""

    def __init__(self, graph: Graph, language: str) -> None:
        self._graph = graph
        self._language = language

    def concepts(self, nodes: Iterable[Node]) -> dict[str, Concept]:
        """Return address -> concept, sorted by label and address."""
        found = [self._concept(node) for node in nodes if isinstance(node, URIRef)]
        found.sort(key=lambda concept: (concept.label.casefold(), concept.uri))
        return {concept.uri: concept for concept in found}

    def _concept(self, subject: URIRef) -> Concept:
        """Return one concept; names of schemes are looked for where they are usual, too."""
        names = (SKOS.prefLabel, DCTERMS.title, DC.title, RDFS.label)
        definitions = (SKOS.definition, DCTERMS.description, DC.description)
        preferred, defined = self._first(subject, names), self._first(subject, definitions)
        language = (preferred.language or "").lower() if preferred is not None else ""
        shown, hidden, notes = (
            self._all(subject, term, language)
            for term in (SKOS.altLabel, SKOS.hiddenLabel, SKOS.scopeNote)
        )
        definition = [str(defined).strip()] if defined is not None else []
        return Concept(
            str(subject),
            str(preferred).strip() if preferred is not None else "",
            language,
            tuple(dict.fromkeys([*shown, *hidden])),
            "\n\n".join([*definition, *notes]),
            any(str(flag) == "true" for flag in self._graph.objects(subject, OWL.deprecated)),
        )

    def _first(self, subject: Node, terms: Iterable[URIRef]) -> Literal | None:
        """Return the best text of the first term that has any, by language, then by alphabet."""
        for term in terms:
            if texts := self._texts(subject, term):
                return min(texts, key=lambda text: (self._rank(text), text.language or "", text))
        return None

    def _all(self, subject: Node, term: URIRef, language: str) -> list[str]:
        """Return the texts in the language asked for, untagged, or in that of the main label."""
        base = language.partition("-")[0]
        return sorted({
            str(text).strip()
            for text in self._texts(subject, term)
            if self._rank(text) < _OTHER
            or (text.language or "").lower().partition("-")[0] == base
        })  # fmt: skip

    def _texts(self, subject: Node, term: URIRef) -> list[Literal]:
        """Return the texts under a term; a label may also be a resource of its own (SKOS-XL)."""
        found = [*self._graph.objects(subject, term)]
        for label in self._graph.objects(subject, SKOSXL[term.removeprefix(str(SKOS))]):
            found += self._graph.objects(label, SKOSXL.literalForm)
        return [text for text in found if isinstance(text, Literal) and text.strip()]

    def _rank(self, text: Literal) -> int:
        tag = (text.language or "").lower()
        if tag == self._language:
            return 0
        if tag.startswith(f"{self._language}-"):
            return 1
        return _OTHER if tag else 2
