"""Any SKOS thesaurus as the start of a taxonomy: schemes become facets, labels cues.

What a taxonomy cannot hold is said, each kind in one line.
"""

from __future__ import annotations

import logging
import os
import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any

from rdflib import Graph

from classifier.errors import Fault, InputError, OutputError, UsageError, listed
from classifier.extras.skos.thesaurus import Concept, Forest, Thesaurus, read_graph
from classifier.files.reading import read_text
from classifier.files.writing import write_file
from classifier.taxonomy.cue import Cue, CueError, Pattern, inflections, parse_cue
from classifier.taxonomy.dump import taxonomy_yaml
from classifier.taxonomy.model import (
    FACET_ID,
    Taxonomy,
    name_from_id,
    spelling_key,
)
from classifier.taxonomy.names import as_file, slug
from classifier.taxonomy.reserved import RESERVED_FACET_IDS, RESERVED_FACET_START

MOST_TOPS = 60
"""More top categories than that, nobody keeps apart."""
# N-Triples are Turtle, whose parser knows the line.
_FORMATS = {".ttl": "turtle", ".nt": "turtle", ".rdf": "xml", ".xml": "xml", ".owl": "xml"}
_NAMES = {"turtle": "Turtle", "xml": "RDF/XML"}
_BASE = "https://example.org/thesaurus"
"""What relative addresses of a file are relative to: the same on every machine."""

_STEPS = """\
A start, not a taxonomy yet. What to do with it:

1. Delete categories until a reviewer can keep the rest apart: a few dozen at most, each with ten
   papers or more. Give every one a definition that tells it from its neighbours.
2. survey: write title and scope. The survey is grouped by the first facet.
3. Cues are labels of the thesaurus so far. Add the phrases that papers use:
     title         in the title; nearly certain
     contribution  in a sentence that says what the paper does ("We introduce ...")
     anywhere      in the whole text, title included
     against       speaks for a neighbour
   `_` is one open word, a trailing `~` allows inflections (colony~).
4. exemplars: titles of papers that are certainly in.
5. Add a category with `out_of_scope: true` for papers that do not belong.
6. Put this file at taxonomy/taxonomy.yaml and papers into papers/, then run
   `fieldguide check` and `fieldguide build`. From then on ids stay as they are.
"""


@dataclass(frozen=True, slots=True)
class ReadThesaurus:
    """A taxonomy made of a thesaurus."""

    taxonomy: Taxonomy
    warnings: tuple[Fault, ...]
    """What of the thesaurus a taxonomy cannot hold, each kind in one line."""
    source: str
    """The name of the thesaurus's file."""

    def yaml(self) -> str:
        """Return taxonomy.yaml, with a comment that says what to do next."""
        return taxonomy_yaml(self.taxonomy, f"Read from {self.source}. {_STEPS}")


def read_skos(path: Path, shown: str = "", *, language: str = "en") -> ReadThesaurus:
    """Read a SKOS thesaurus (Turtle, RDF/XML or N-Triples, by ending) as a taxonomy.

    A scheme becomes a facet, its tops categories, the concepts right below their children; labels
    become cues. Labels of deeper concepts become cues of the child above them. Labels in `language`
    are preferred, then untagged ones, then any.

    Raises UsageError for an unknown ending, InputError for a file that is no thesaurus.
    """
    shown = shown or str(path)
    graph = _parsed_file(path, shown)
    thesaurus = read_graph(graph, language)
    if not thesaurus.schemes:
        found = f"no concept in {len(graph)} statements"
        hint = "Convert the vocabulary to SKOS first: every concept a skos:Concept with a label."
        raise InputError([Fault("error", shown, None, found, "a SKOS thesaurus", hint)])
    labels = [scheme.label for scheme, _ in thesaurus.schemes if scheme]
    title = labels[0] if len(labels) == 1 and labels[0] else name_from_id(path.stem)
    facets: dict[str, Any] = {}
    for scheme, forest in thesaurus.schemes:
        facet_id = _facet_id(scheme, facets, is_only=len(thesaurus.schemes) == 1)
        facets[facet_id] = {
            "kind": "multi",
            "name": (scheme and scheme.label) or name_from_id(facet_id),
            "definition": scheme.definition if scheme else "",
            "categories": _Drafter(thesaurus.concepts, forest, language).categories(),
        }
    taxonomy = Taxonomy.model_validate({"survey": {"title": title or "Survey"}, "facets": facets})
    doubts = [*_label_warnings(thesaurus, language)]
    for facet, (_, forest) in zip(taxonomy.facets.values(), thesaurus.schemes, strict=True):
        doubts += _tree_warnings(thesaurus, forest, facet.name)
    faults = tuple(Fault("warning", shown, None, *words) for words in doubts)
    return ReadThesaurus(taxonomy, faults, path.name)


def save_draft(path: Path, found: ReadThesaurus) -> None:
    """Write the taxonomy that was read to `path`.

    Raises OutputError where something is there already, or nothing can be written.
    """
    if os.path.lexists(path):
        raise OutputError(f"{path}: exists; nothing was written. Name another file with -o.")
    write_file(path, found.yaml().encode())


def _facet_id(scheme: Concept | None, taken: Collection[str], *, is_only: bool) -> str:
    expected = "topic" if is_only or scheme is None else slug(scheme.label).replace("-", "_")
    if not re.fullmatch(FACET_ID, expected):
        expected = f"facet_{expected}".rstrip("_")
    if expected in RESERVED_FACET_IDS or expected.startswith(RESERVED_FACET_START):
        expected = f"facet_{expected}"
    return _free(expected, "_", taken)


def _free(expected: str, joint: str, taken: Collection[str]) -> str:
    """Return an id, with the first number behind it that makes it differ from those taken."""
    numbered = (f"{expected}{joint}{number}" for number in count(2))
    return next(each for each in chain([expected], numbered) if each not in taken)


class _Drafter:
    """Turns the concepts of a scheme into the fields of categories."""

    def __init__(self, concepts: dict[str, Concept], forest: Forest, language: str) -> None:
        self._concepts, self._forest, self._language = concepts, forest, language
        self._names: set[str] = set()
        self._tops = {as_file(slug(concepts[uri].label)) for uri in forest.roots}

    def categories(self) -> list[dict[str, Any]]:
        """Return the fields of the top categories, with their children."""
        tops = self._level(self._forest.roots, "", "")
        for top, uri in zip(tops, self._forest.roots, strict=True):
            children = self._forest.children[uri]
            top["children"] = self._level(children, f"{top['id']}/", top["name"])
            for child, below in zip(top["children"], children, strict=True):
                child["cues"] = self._cues(below, self._forest.below(below))
        return tops

    def _level(self, uris: Sequence[str], start: str, parent: str) -> list[dict[str, Any]]:
        """Return the fields of categories of one level; their ids begin with `start`."""
        found: list[dict[str, Any]] = []
        taken: set[str] = set()
        for uri in uris:
            concept = self._concepts[uri]
            named = slug(concept.label) or slug(re.split("[/#:]", uri.rstrip("/#:"))[-1])
            part = _free(as_file(named or "concept"), "-", taken)
            taken.add(part)
            found.append({
                "id": start + part,
                "name": self._name(concept.label or name_from_id(part), start + part, parent),
                "definition": concept.definition,
                "cues": self._cues(uri, []),
            })  # fmt: skip
        return found

    def _name(self, label: str, identifier: str, parent: str) -> str:
        """Return a name that no reviewer takes for another: its parent or a number behind it."""
        choices = [label, *([f"{label} ({parent})"] if parent else [])]
        numbered = (f"{label} ({number})" for number in count(2))
        name = next(
            each
            for each in chain(choices, numbered)
            if (key := spelling_key(each)) not in self._names
            and (key not in self._tops or key == identifier)
        )
        self._names.add(spelling_key(name))
        return name

    def _cues(self, uri: str, below: Sequence[str]) -> dict[str, list[str]]:
        """Return the cues of a concept and of those below it that are no categories."""
        concept = self._concepts[uri]
        deeper = [
            label
            for each in map(self._concepts.__getitem__, below)
            for label in (each.label, *each.others)
        ]
        is_english = (concept.language or self._language.lower()).partition("-")[0] == "en"
        return cues_of(concept.label, [*concept.others, *deeper], english=is_english)


# "Bridges (dentistry)": the qualifier tells homonyms apart, but nobody writes it in a sentence.
_QUALIFIER = re.compile(r"(?<=\S)\s*\([^()]*\)\s*$")


def cues_of(preferred: str, others: Iterable[str], *, english: bool) -> dict[str, list[str]]:
    """Return view -> cues made of the labels of a concept.

    The preferred label and labels of one word count in the title only, where they are nearly
    certain; labels of several words count anywhere. In English a plural stands for its inflections.

    >>> cues_of("Neural networks", ["ANN", "connectionist model"], english=True)
    {'title': ['Neural network~', 'ANN'], 'anywhere': ['Neural network~', 'connectionist model']}
    """
    first = as_cue(preferred, english=english)
    cues = _distinct([first, *(as_cue(label, english=english) for label in others)])
    title = [cue for cue in cues if cue == first or " " not in cue]
    anywhere = [cue for cue in cues if " " in cue]
    return {view: found for view, found in (("title", title), ("anywhere", anywhere)) if found}


def as_cue(label: str, *, english: bool) -> str:
    """Return the cue that looks for a label, without its qualifier; "" where none can."""
    words = re.sub("[~_]", " ", _QUALIFIER.sub("", label)).split()
    if english and words:
        words[-1] = _singular(words[-1])
    cue = " ".join(words)
    return cue if _parsed(cue) else ""


def _singular(word: str) -> str:
    """Return a plural as its base form with `~`; any other word as it is.

    >>> [_singular(word) for word in ("agents", "studies", "boxes", "analyses", "bias", "Memory")]
    ['agent~', 'study~', 'box~', 'analysis~', 'bias', 'Memory']
    """
    if len(word) < 4 or not word.isascii() or not word.isalpha() or not word[-2:].islower():
        return word
    for ending, base_ending in _PLURALS:
        if word.endswith(ending):
            base = word.removesuffix(ending) + base_ending
            is_plural = base != word and word.lower() in inflections(base.lower())
            return f"{base}~" if is_plural else word
    return word


# The first that fits decides; an ending of the singular stands for itself.
_PLURALS = (
    ("series", "series"), ("species", "species"),
    ("ss", "ss"), ("us", "us"), ("is", "is"), ("as", "as"),
    ("ies", "y"), ("yses", "ysis"), ("theses", "thesis"),
    ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"),
    ("s", ""),
)  # fmt: skip


def _distinct(cues: Iterable[str]) -> list[str]:
    """Return the cues without empty ones and without those that match the same as an earlier."""
    distinct: dict[frozenset[Pattern], str] = {}
    for cue in cues:
        if parsed := _parsed(cue):
            distinct.setdefault(frozenset(parsed), cue)
    return [*distinct.values()]


def _parsed(cue: str) -> Cue | None:
    try:
        return parse_cue(cue)
    except CueError:
        return None


def _label_warnings(thesaurus: Thesaurus, language: str) -> Iterator[tuple[str, str, str]]:
    """Yield found, expected and hint."""
    concepts = thesaurus.concepts.values()
    if nameless := [concept for concept in concepts if not concept.label]:
        yield (
            f"{len(nameless)} concept(s) without a label: {_list(nameless)}",
            "a skos:prefLabel",
            "They are named after their address and have no cues: rename or delete them.",
        )
    expected = language.lower().partition("-")[0]
    tagged = [concept for concept in concepts if concept.language]
    if foreign := [each for each in tagged if each.language.partition("-")[0] != expected]:
        yield (
            f"{len(foreign)} concept(s) without a label in '{language}': {_list(foreign)}",
            "labels in one language",
            "Their labels in another one were taken; --language chooses which.",
        )
    if gone := [concept for concept in concepts if concept.is_deprecated]:
        yield (
            f"{len(gone)} deprecated concept(s): {_list(gone)}",
            "concepts in use",
            "They were left out.",
        )


def _tree_warnings(
    thesaurus: Thesaurus, forest: Forest, name: str
) -> Iterator[tuple[str, str, str]]:
    """Yield found, expected and hint of a facet."""

    def named(uris: Sequence[str]) -> str:
        return _list([thesaurus.concepts[uri] for uri in uris])

    if shared := forest.shared:
        yield (
            f"{len(shared)} concept(s) with several broader ones, or in a circle, in '{name}': "
            f"{named(shared)}",
            "one parent a category",
            "Each stands at the first place that is reached from the top; move it by hand.",
        )
    children = [child for root in forest.roots for child in forest.children[root]]
    if deep := [below for child in children for below in forest.below(child)]:
        yield (
            f"{len(deep)} concept(s) below the second level of '{name}': {named(deep)}",
            "categories and one level of children",
            "Their labels became cues of the child above them.",
        )
    if len(forest.roots) > MOST_TOPS:
        yield (
            f"{len(forest.roots)} top concepts in '{name}'",
            f"at most {MOST_TOPS} categories, which reviewers can keep apart",
            "Delete those that the survey does not need.",
        )


def _list(concepts: Sequence[Concept]) -> str:
    names = [f"'{concept.label}'" if concept.label else concept.uri for concept in concepts]
    return listed(names)


def _parsed_file(path: Path, shown: str) -> Graph:
    """Read an RDF file in the format of its ending; `shown` is its name for messages.

    Raises UsageError for an unknown ending, InputError where the file cannot be read or is not in
    the format of its ending.
    """
    form = _FORMATS.get(path.suffix.lower())
    if form is None:
        endings = ", ".join(_FORMATS)
        raise UsageError(f"{shown}: found ending '{path.suffix}'; expected one of {endings}.")
    text = read_text(path, shown)
    # It logs, with tracebacks, what it takes for doubtful in a literal.
    logging.getLogger("rdflib").setLevel(logging.CRITICAL + 1)
    graph = Graph()
    try:
        graph.parse(data=text, format=form, publicID=_BASE)
    except Exception as error:  # rdflib's parsers raise whatever comes to hand
        raise InputError([_syntax_fault(error, _NAMES[form], shown)]) from error
    return graph


def _syntax_fault(error: Exception, name: str, shown: str) -> Fault:
    line, reason = None, str(error)
    if isinstance(error, SyntaxError):  # of rdflib's Turtle parser, which counts lines from 0
        line, reason = getattr(error, "lines", -1) + 1 or None, str(getattr(error, "_why", error))
    elif hasattr(error, "getLineNumber"):  # of expat
        line, reason = error.getLineNumber(), str(getattr(error, "getMessage", lambda: error)())
    reason = textwrap.shorten(reason, 120, placeholder="…") or type(error).__name__
    hint = "Correct that place, or let the tool that wrote the file write it anew."
    return Fault("error", shown, line, f"no {name} ({reason})", f"a thesaurus in {name}", hint)
