"""Any SKOS thesaurus as the start of a taxonomy, and what of it was lost on the way."""

from __future__ import annotations

import json
import logging
import os
import textwrap
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from rdflib import Graph

from classifier.errors import Fault, InputError, OutputError, UsageError
from classifier.extras.skos.draft import LEVELS, Branch, draft_taxonomy, plant
from classifier.extras.skos.labels import READ_FORMATS
from classifier.extras.skos.thesaurus import Concept, Thesaurus, read_graph
from classifier.files.atomic import write_file
from classifier.files.reading import read_text
from classifier.taxonomy.dump import taxonomy_yaml
from classifier.taxonomy.model import Taxonomy, name_from_id

MOST_TOPS = 60
"""More top categories than that, nobody keeps apart."""

_SHOWN = 5

_WRITTEN_STEPS = """\
Fieldguide wrote that file: this is the taxonomy again,
without its lexicons (put `lexicons:` back in) and without the comments of its authors.
"""

_DRAFT_STEPS = """\
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
    is_own: bool
    """Whether Fieldguide wrote the file: then the taxonomy is as it was, without its lexicons."""
    source: str
    """The name of the thesaurus's file."""

    def yaml(self) -> str:
        """Return taxonomy.yaml, with a comment that says what to do next."""
        steps = _WRITTEN_STEPS if self.is_own else _DRAFT_STEPS
        return taxonomy_yaml(self.taxonomy, f"Read from {self.source}. {steps}")


def read_skos(path: Path, shown: str = "", *, language: str = "en") -> ReadThesaurus:
    """Read a SKOS thesaurus (Turtle, RDF/XML, N-Triples or JSON-LD, by ending) as a taxonomy.

    A scheme becomes a facet, its tops categories, the concepts right below their children; labels
    become cues. Labels of deeper concepts become cues of the child above them. Labels in `language`
    are preferred, then untagged ones, then any.

    Raises UsageError for an unknown ending, InputError for a file that is no thesaurus.
    """
    shown = shown or str(path)
    graph = parse_rdf(path, shown)
    try:
        thesaurus = read_graph(graph, language)
    except (ValueError, RecursionError) as error:  # how rdflib and Python meet a circle
        found = "a list or record, in terms of our own, that leads back to itself"
        raise InputError([_own_fault(shown, found, "one that ends")]) from error
    branches = plant(thesaurus)
    if not branches:
        found = f"no concept in {len(graph)} statements"
        cure = "Convert the vocabulary to SKOS first: every concept a skos:Concept with a label."
        raise InputError([Fault("error", shown, None, found, "a SKOS thesaurus", cure)])
    labels = [branch.scheme.label for branch in branches if branch.scheme]
    title = labels[0] if len(labels) == 1 and labels[0] else name_from_id(path.stem)
    try:
        taxonomy = draft_taxonomy(thesaurus, branches, title or "Survey", language)
    except ValidationError as error:
        raise InputError([*_shape_faults(error, shown)]) from error
    warnings = [
        *_label_faults(thesaurus, language, shown),
        *_tree_faults(thesaurus, branches, shown),
    ]
    return ReadThesaurus(taxonomy, tuple(warnings), thesaurus.survey is not None, path.name)


def save_draft(path: Path, found: ReadThesaurus) -> None:
    """Write the taxonomy that was read to `path`.

    Raises OutputError where something is there already, or nothing can be written.
    """
    if os.path.lexists(path):
        raise OutputError(f"{path}: exists; nothing was written. Name another file with -o.")
    write_file(path, found.yaml().encode())


def _label_faults(thesaurus: Thesaurus, language: str, shown: str) -> Iterator[Fault]:
    concepts = thesaurus.concepts.values()
    if nameless := [concept.uri for concept in concepts if not concept.label]:
        yield _warning(
            shown,
            f"{len(nameless)} concept(s) without a label: {_list(nameless)}",
            "a skos:prefLabel",
            "They are named after their address and have no cues: rename or delete them.",
        )
    foreign = [concept for concept in concepts if not _is_in(concept, language)]
    if foreign:
        yield _warning(
            shown,
            f"{len(foreign)} concept(s) without a label in '{language}': {_names(foreign)}",
            "labels in one language",
            "Their labels in another one were taken; --language chooses which.",
        )
    if thesaurus.survey is None and (gone := [each for each in concepts if each.deprecated]):
        yield _warning(
            shown,
            f"{len(gone)} deprecated concept(s): {_names(gone)}",
            "concepts in use",
            "They were left out.",
        )
    if absent := thesaurus.absent:
        yield _warning(
            shown,
            f"{len(absent)} concept(s) of which the file says nothing: {_list(absent)}",
            "a whole thesaurus",
            "Links to them were left out.",
        )
    empty = [each for uri, each in thesaurus.schemes.items() if not thesaurus.members[uri]]
    if empty:
        yield _warning(
            shown, f"{len(empty)} scheme(s) without concepts: {_names(empty)}", "concepts"
        )


def _tree_faults(thesaurus: Thesaurus, branches: Sequence[Branch], shown: str) -> Iterator[Fault]:
    for branch in branches:
        forest = branch.forest

        def named(uris: Iterable[str]) -> str:
            return _names([thesaurus.concepts[uri] for uri in uris])

        if forest.circles:
            yield _warning(
                shown,
                f"a circle of broader concepts in '{branch.name}': {named(forest.circles)}",
                "a hierarchy that ends at the top",
                "It was cut there; look whether they stand where they belong.",
            )
        if forest.shared:
            yield _warning(
                shown,
                f"{len(forest.shared)} concept(s) with several broader ones in '{branch.name}': "
                f"{named(forest.shared)}",
                "one parent a category",
                "Each stands at the first place that is reached from the top; move it by hand.",
            )
        deep = [uri for uri, level in branch.levels.items() if level > LEVELS]
        if deep and thesaurus.survey is None:
            yield _warning(
                shown,
                f"{len(deep)} concept(s) below the second level of '{branch.name}': {named(deep)}",
                "categories and one level of children",
                "Their labels became cues of the child above them.",
            )
        if len(forest.roots) > MOST_TOPS:
            yield _warning(
                shown,
                f"{len(forest.roots)} top concepts in '{branch.name}'",
                f"at most {MOST_TOPS} categories, which reviewers can keep apart",
                "Delete those that the survey does not need.",
            )


def _shape_faults(error: ValidationError, shown: str) -> Iterator[Fault]:
    for problem in error.errors():
        place = ".".join(str(step) for step in problem["loc"])
        found = f"'{place}' in terms of our own that cannot be read"
        yield _own_fault(shown, found, problem["msg"][:1].lower() + problem["msg"][1:])


def _own_fault(shown: str, found: str, wanted: str) -> Fault:
    cure = "Write the file anew with `fieldguide skos write`."
    return Fault("error", shown, None, found, wanted, cure)


def _is_in(concept: Concept, language: str) -> bool:
    tag = concept.language.lower()
    return not tag or tag == language.lower() or tag.startswith(f"{language.lower()}-")


def _warning(shown: str, found: str, wanted: str, cure: str = "") -> Fault:
    return Fault("warning", shown, None, found, wanted, cure)


def _names(concepts: Sequence[Concept]) -> str:
    return _list([f"'{concept.label or concept.uri}'" for concept in concepts])


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


# What relative addresses of a file are relative to: the same on every machine.
_BASE = "https://example.org/thesaurus"
_NAMES = {"turtle": "Turtle", "xml": "RDF/XML", "json-ld": "JSON-LD"}


def parse_rdf(path: Path, shown: str = "") -> Graph:
    """Read an RDF file in the format of its ending; `shown` is its name for messages.

    Raises UsageError for an unknown ending; InputError where the file cannot be read, is not in
    the format of its ending, or is JSON-LD whose context lies at an address.
    """
    shown = shown or str(path)
    form = READ_FORMATS.get(path.suffix.lower())
    if form is None:
        endings = ", ".join(READ_FORMATS)
        raise UsageError(f"{shown}: found ending '{path.suffix}'; wanted one of {endings}.")
    text = read_text(path, shown)
    graph = Graph()
    try:
        if form == "json-ld":
            _refuse_addresses(json.loads(text), shown)
        with _silenced():
            graph.parse(data=text, format=form, publicID=_BASE)
    except InputError:
        raise
    except Exception as error:  # rdflib's parsers raise whatever comes to hand
        raise InputError([_syntax_fault(error, form, shown)]) from error
    return graph


@contextmanager
def _silenced() -> Iterator[None]:
    """Keep rdflib from logging, with tracebacks, what it takes for doubtful in a literal.

    Its JSON-LD parser also warns of its own use of what it deprecates.
    """
    logger = logging.getLogger("rdflib")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def _refuse_addresses(document: Any, shown: str) -> None:
    """Raise where a JSON-LD context is an address: rdflib would fetch it."""
    waiting = [document]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += value.values()
            contexts = value.get("@context", [])
            contexts = contexts if isinstance(contexts, list) else [contexts]
            named = [each for each in (*contexts, value.get("@import")) if isinstance(each, str)]
            if named:
                found = f"a JSON-LD context at an address, '{named[0]}'"
                cure = "Nothing is fetched: put the context into the file, or convert it to Turtle."
                raise InputError([Fault("error", shown, None, found, "a context inside", cure)])
        elif isinstance(value, list):
            waiting += value


def _syntax_fault(error: Exception, form: str, shown: str) -> Fault:
    line = None
    match error:
        case json.JSONDecodeError():
            line, reason = error.lineno, error.msg
        case SyntaxError():  # of rdflib's Turtle parser, which counts lines from 0
            line = getattr(error, "lines", -1) + 1 or None
            reason = str(getattr(error, "_why", error))
        case _:
            line = error.getLineNumber() if hasattr(error, "getLineNumber") else None
            reason = str(getattr(error, "getMessage", lambda: error)())
    reason = textwrap.shorten(reason, 120, placeholder="…") or type(error).__name__
    name = _NAMES[form]
    cure = "Correct that place, or let the tool that wrote the file write it anew."
    return Fault("error", shown, line, f"no {name} ({reason})", f"a thesaurus in {name}", cure)
