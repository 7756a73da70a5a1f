"""SKOS, the W3C vocabulary for thesauri: convert a thesaurus to a taxonomy, and back.

Source: https://www.w3.org/TR/skos-reference/. Importing this module raises UsageError if rdflib is
not installed.
"""

from __future__ import annotations

import logging
import os
import re
import textwrap
from collections.abc import Iterable, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any
from urllib.parse import quote

from classifier.errors import Fault, OutputError, UsageError, input_error, listed
from classifier.files.reading import read_text
from classifier.files.targets import check_ending, check_target
from classifier.files.writing import write_file
from classifier.taxonomy.cue import OPEN_WORD, CueError, parse_cue
from classifier.taxonomy.dump import taxonomy_yaml
from classifier.taxonomy.model import FACET_ID, Category, Taxonomy, name_from_id, spelling_key
from classifier.taxonomy.names import file_name_of, slug
from classifier.taxonomy.reserved import RESERVED_FACET_IDS, RESERVED_STARTS

try:
    from rdflib import Graph, Literal, URIRef
    from rdflib.namespace import DCTERMS, OWL, RDF, RDFS, SKOS
except ImportError as error:
    raise UsageError("SKOS needs rdflib: pip install 'fieldguide[skos]'.") from error

_FORMATS = {".ttl": "turtle", ".nt": "turtle", ".rdf": "xml", ".xml": "xml", ".owl": "xml"}
_TOPIC = URIRef("https://example.org/topic")
"""The scheme of concepts without one."""
_WITHOUT_ADDRESS = "urn:fieldguide:taxonomy"
_SURVEY = URIRef("urn:fieldguide:terms#Survey")
"""Type of the resource of the survey, by which a file of Fieldguide is recognised."""
_LANGUAGE = re.compile(r"[a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8})*")
_STEPS = """\
This is a draft of a thesaurus. Next steps:

1. Delete categories until a reviewer can distinguish the rest: a few dozen at most, each with ten
   papers or more. Give each one a definition that separates it from its neighbours.
2. survey: write title and scope. The survey is grouped by the first facet.
3. The cues are labels of the thesaurus. Add the phrases that papers use, and exemplars.
4. Add a category with `out_of_scope: true` for papers that do not belong to the survey.
5. Put this file at taxonomy/taxonomy.yaml and papers into papers/, then run
   `fieldguide check` and `fieldguide build`. From then on, keep the ids.
"""
# "Bridges (dentistry)": the qualifier separates homonyms; sentences do not have it.
_QUALIFIER = re.compile(r"(?<=\S)\s*\([^()]*\)\s*$")
_PLURALS = (
    (re.compile(r"(?<=[a-z]{2})(?<!ser)(?<!spec)ies$"), "y~"),
    (re.compile(r"(?<=lys|hes)es$"), "is~"),
    (re.compile(r"(?<=ss|ch|sh|.x)es$"), "~"),
    (re.compile(r"(?<=[a-z]{2}[b-hj-rtv-z])(?<!serie)(?<!specie)s$"), "~"),
)
"""Ending of an English plural, and of its base form as a cue."""


def read_skos(
    path: Path, label: str = "", *, language: str = "en"
) -> tuple[Taxonomy, tuple[Fault, ...]]:
    """Read a SKOS thesaurus (Turtle, RDF/XML or N-Triples, by file ending) as a taxonomy.

    Each scheme becomes a facet, its top concepts become categories, and the concepts directly below
    become their children. Labels become cues; labels of deeper concepts become cues of the child
    above. Also returns warnings about the parts that a taxonomy cannot express.

    Raises UsageError for an unknown ending, and InputError for a file that is not a thesaurus.
    """
    label = label or str(path)
    thesaurus = _Thesaurus(_parse(path, label), language)
    tops = thesaurus.tops()
    if not tops:
        found = f"no concept in {len(thesaurus.graph)} statements"
        hint = "Convert the vocabulary to SKOS first: every concept a skos:Concept with a label."
        raise input_error(label, found, "a SKOS thesaurus", hint)
    facets: dict[str, Any] = {}
    for scheme in sorted(tops, key=lambda each: (-len(tops[each]), each)):
        name = thesaurus.label(scheme)
        facet_id = "topic" if len(tops) == 1 else slug(name).replace("-", "_")
        is_reserved = facet_id in RESERVED_FACET_IDS or facet_id.startswith(RESERVED_STARTS)
        if is_reserved or facet_id in facets or not re.fullmatch(FACET_ID, facet_id):
            facet_id = f"facet_{len(facets) + 1}"
        facets[facet_id] = {
            "kind": "multi",
            "name": name,
            "definition": thesaurus.definition(scheme),
            "categories": thesaurus.categories(tops[scheme]),
        }
    if circular := [
        name for node, name in thesaurus.labels.items() if node not in thesaurus.placed
    ]:
        found = f"concepts that are broader than themselves: {listed(circular)}"
        raise input_error(label, found, "a tree", "Remove one skos:broader of each circle.")
    title = name if len(tops) == 1 and scheme != _TOPIC else name_from_id(path.stem)
    taxonomy = Taxonomy.model_validate({"survey": {"title": title or "Survey"}, "facets": facets})
    warnings = (
        (thesaurus.foreign, f"a label in '{language}'", "Choose a language with --language."),
        (thesaurus.ambiguous, "one broader concept",
         "Each one was placed as near to the top as possible. Move it if that is wrong."),
        (thesaurus.deep, "two levels", "Their labels became cues of the child above them."),
    )  # fmt: skip
    return taxonomy, tuple(
        Fault("warning", label, None, f"{len(names)} concept(s): {listed(sorted(names))}", *words)
        for names, *words in warnings
        if names
    )


def save_draft(path: Path, taxonomy: Taxonomy) -> None:
    """Write taxonomy.yaml to `path`; raise OutputError if the path already exists."""
    if os.path.lexists(path):
        raise OutputError(f"{path} exists; nothing was written. Choose another file with -o.")
    write_file(path, draft_yaml(taxonomy).encode())


def draft_yaml(taxonomy: Taxonomy) -> str:
    """Return taxonomy.yaml, with a comment on the next steps."""
    return taxonomy_yaml(taxonomy, _STEPS)


def _parse(path: Path, label: str) -> Graph:
    form = _FORMATS.get(path.suffix.lower())
    if form is None:
        endings = ", ".join(_FORMATS)
        raise UsageError(f"{label}: found ending '{path.suffix}'; expected one of {endings}.")
    text = read_text(path, label)
    # rdflib logs doubtful literals with tracebacks.
    logging.getLogger("rdflib").setLevel(logging.CRITICAL + 1)
    try:
        return Graph().parse(data=text, format=form, publicID=_TOPIC)
    except Exception as error:  # the parsers of rdflib raise errors of many kinds
        reason = textwrap.shorten(str(error), 200, placeholder="…") or type(error).__name__
        found = f"no Turtle or RDF/XML ({reason})"
        hint = "Correct the file, or export it again."
        raise input_error(label, found, "a thesaurus in the format of its ending", hint) from error


class _Thesaurus:
    """The concepts in use of a SKOS file, with labels in a preferred language."""

    def __init__(self, graph: Graph, language: str) -> None:
        self.graph, self.language = graph, language.lower().partition("-")[0]
        for below, above in [*graph.subject_objects(SKOS.broader)]:
            graph.add((above, SKOS.narrower, below))
        for scheme, top in [*graph.subject_objects(SKOS.hasTopConcept)]:
            graph.add((top, SKOS.topConceptOf, scheme))
        for top, scheme in [*graph.subject_objects(SKOS.topConceptOf)]:
            graph.add((top, SKOS.inScheme, scheme))
        found = {*graph.subjects(RDF.type, SKOS.Concept)}
        found -= {*graph.subjects(OWL.deprecated, Literal(True))}
        labels = {node: self.label(node) for node in found if isinstance(node, URIRef)}
        order = sorted(labels, key=lambda node: (labels[node].casefold(), node))
        self.labels = {node: labels[node] for node in order}
        """Concept -> its label, in the order of the labels."""
        self.foreign = {
            label for node, label in self.labels.items() if not self._texts(node, SKOS.prefLabel)
        }
        self.placed: set[URIRef] = set()
        """Concepts with a place in a facet."""
        self.ambiguous: set[str] = set()
        self.deep: set[str] = set()
        """Labels of concepts that a taxonomy cannot express."""

    def tops(self) -> dict[URIRef, list[URIRef]]:
        """Return the top concepts of each scheme: declared ones, and those with nothing broader."""
        lower = {below for node in self.labels for below in self._narrower(node)}
        declared = {*self.graph.subjects(SKOS.topConceptOf)}
        schemes = [*self.graph.subjects(RDF.type, SKOS.ConceptScheme)]
        default = {str(schemes[0]) if len(schemes) == 1 else _TOPIC}
        tops: dict[URIRef, list[URIRef]] = {}
        for node in self.labels:
            if node in declared or node not in lower:
                found = {str(scheme) for scheme in self.graph.objects(node, SKOS.inScheme)}
                for scheme in found or default:
                    tops.setdefault(URIRef(scheme), []).append(node)
        return tops

    def label(self, node: URIRef) -> str:
        """Return the label: in the preferred language, in none, in any, or from the address."""
        for term in (SKOS.prefLabel, DCTERMS.title, RDFS.label):
            if found := self._texts(node, term) or self._texts(node, term, any_language=True):
                return found[0]
        return name_from_id(_end_of(node))

    def definition(self, node: URIRef) -> str:
        """Return definition and scope notes, one paragraph each."""
        return "\n\n".join(
            [*self._texts(node, SKOS.definition), *self._texts(node, SKOS.scopeNote)]
        )

    def categories(self, tops: Sequence[URIRef]) -> list[dict[str, Any]]:
        """Return the fields of the categories of a facet, with their children."""
        names: set[str] = set()
        placed = {*tops}
        fields = [self._fields(top, "", names) for top in tops]
        below = [self._place_below(top, placed) for top in tops]
        for category, nodes in zip(fields, below, strict=True):
            prefix = f"{category['id']}/"
            category["children"] = [self._fields(node, prefix, names) for node in nodes]
        for category, nodes in zip(fields, below, strict=True):
            for child, node in zip(category["children"], nodes, strict=True):
                branch = [node]
                for each in branch:  # the list grows while it is walked
                    branch += self._place_below(each, placed)
                self.deep |= {self.labels[each] for each in branch[1:]}
                child["cues"] = self._cues(branch)
        self.placed |= placed
        return fields

    def _fields(self, node: URIRef, prefix: str, names: set[str]) -> dict[str, Any]:
        """Return the fields of a category; its id and name are added to `names`."""

        def unused(text: str, pattern: str) -> str:
            numbered = (pattern.format(text, number) for number in count(2))
            free = (each for each in chain([text], numbered) if spelling_key(each) not in names)
            return next(free)

        label = self.labels[node]
        category_id = unused(
            prefix + file_name_of(slug(label) or slug(_end_of(node)) or "concept"), "{}-{}"
        )
        name = unused(label, "{} ({})")
        names |= {spelling_key(category_id), spelling_key(name)}
        definition, cues = self.definition(node), self._cues([node])
        return {"id": category_id, "name": name, "definition": definition, "cues": cues}

    def _place_below(self, node: URIRef, placed: set[URIRef]) -> list[URIRef]:
        """Return the concepts directly below `node` that have no place yet, now with one."""
        found = self._narrower(node)
        self.ambiguous |= {self.labels[each] for each in found if each in placed}
        new = [each for each in found if each not in placed]
        placed |= {*new}
        return new

    def _narrower(self, node: URIRef) -> list[URIRef]:
        found = self.labels.keys() & {*self.graph.objects(node, SKOS.narrower)}
        return sorted(found, key=lambda each: (self.labels[each].casefold(), each))

    def _cues(self, nodes: Iterable[URIRef]) -> dict[str, list[str]]:
        labels: list[str] = []
        for node in nodes:
            others = (self._texts(node, term) for term in (SKOS.altLabel, SKOS.hiddenLabel))
            labels += self.labels[node], *chain.from_iterable(others)
        return cues_of(labels, is_english=self.language == "en")

    def _texts(self, node: URIRef, term: URIRef, *, any_language: bool = False) -> list[str]:
        """Return the texts in the preferred language, else those without a language, sorted."""
        found: dict[str, set[str]] = {}
        for text in self.graph.objects(node, term):
            if isinstance(text, Literal) and text.strip():
                tag = (text.language or "").lower().partition("-")[0]
                found.setdefault(tag, set()).add(str(text).strip())
        default = found[min(found)] if found and any_language else set()
        return sorted(found.get(self.language) or found.get("") or default)


def _end_of(address: str) -> str:
    return re.split("[/#:]", address.rstrip("/#:"))[-1]


def cues_of(labels: Sequence[str], *, is_english: bool) -> dict[str, list[str]]:
    """Return cues by list, from the labels of a concept, the preferred one first.

    The preferred label and labels of one word are cues for titles; labels of several words are cues
    for any part. An English plural becomes its base form with `~`.

    >>> cues_of(["Neural networks", "ANN", "connectionist model"], is_english=True)
    {'title': ['Neural network~', 'ANN'], 'anywhere': ['Neural network~', 'connectionist model']}
    """
    cues = dict.fromkeys(cue_of_label(label, is_english=is_english) for label in labels)
    first = next(iter(cues), "")
    title = [cue for cue in cues if cue and (cue == first or " " not in cue)]
    anywhere = [cue for cue in cues if " " in cue]
    return {view: found for view, found in (("title", title), ("anywhere", anywhere)) if found}


def cue_of_label(label: str, *, is_english: bool) -> str:
    """Return a label without its qualifier as a cue; "" if it cannot be a cue."""
    cue = " ".join(re.sub("[~_]", " ", _QUALIFIER.sub("", label)).split())
    plurals = _PLURALS if is_english else ()
    found = (pattern.sub(ending, cue) for pattern, ending in plurals if pattern.search(cue))
    cue = next(found, cue)
    try:
        return cue if parse_cue(cue) else ""
    except CueError:
        return ""


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
        for text in filter(None, texts):
            graph.add((subject, term, Literal(text, language)))

    def add_category(scheme: URIRef, category: Category) -> None:
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
            graph.add((concept, OWL.deprecated, Literal(True)))
            graph.add((concept, DCTERMS.isReplacedBy, scheme + f"/{category.replaced_by}"))
        for child in category.children:
            graph.add((concept, SKOS.narrower, scheme + f"/{child.id}"))
            graph.add((scheme + f"/{child.id}", SKOS.broader, concept))

    address = quote(taxonomy.survey.base_url.rstrip("/"), safe="/:?#[]@!$&'()*+,;=%~")
    survey = URIRef(f"{address}/taxonomy" if address else _WITHOUT_ADDRESS)
    graph.add((survey, RDF.type, _SURVEY))
    add(survey, DCTERMS.title, taxonomy.survey.title)
    add(survey, DCTERMS.description, taxonomy.survey.scope)
    for facet_id in facet_ids or taxonomy.facets:
        facet = taxonomy.facet(facet_id)
        scheme = survey + f"/{facet.id}"
        graph.add((scheme, RDF.type, SKOS.ConceptScheme))
        graph.add((scheme, SKOS.notation, Literal(facet.id)))
        add(scheme, SKOS.prefLabel, facet.name)
        add(scheme, SKOS.definition, facet.definition)
        for category in facet.walk(include_retired=True):
            add_category(scheme, category)
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
    phrases = {cue for cue in cues.title if " " in cue and "~" not in cue}
    alternative = {*category.aliases, *phrases} - {category.name}
    hidden = {cue.replace("~", "") for cue in (*cues.title, *cues.contribution, *cues.anywhere)}
    hidden -= {category.name, *alternative}
    return _plain(alternative), _plain(hidden)


def _plain(labels: Iterable[str]) -> list[str]:
    """Return the labels without an open word, sorted."""
    return sorted(label for label in labels if OPEN_WORD not in label.split())
