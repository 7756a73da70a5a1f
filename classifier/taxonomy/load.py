"""Read taxonomy.yaml and report all of its faults at once, each with line and hint.

Three passes use the same tree of nodes (`classifier.taxonomy.document`): the models of
`classifier.taxonomy.model` check the shape, `classifier.taxonomy.references` checks ids and
references, and this module adds file and line to the errors of pydantic.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from classifier.errors import Fault, InputError, sort_faults
from classifier.files.reading import read_text
from classifier.taxonomy.document import Node, parse_document
from classifier.taxonomy.model import (
    CATEGORY_ID,
    COLOUR,
    CONTACT,
    FACET_ID,
    PARTIAL_DATE,
    PICTURE,
    WEB_ADDRESS,
    Category,
    Claim,
    Cues,
    Facet,
    Roles,
    SurveySettings,
    Taxonomy,
    TypedColumn,
)
from classifier.taxonomy.names import slug
from classifier.taxonomy.references import check_places, check_references
from classifier.text.normalise import did_you_mean

# Keys whose values are not free text, so that a comment after them cuts nothing off.
_WORD_KEYS = frozenset(
    ["id", "kind", "replaced_by", "applies_to", "on", "lexicons", "rows", "columns"]
)


@dataclass(frozen=True, slots=True)
class LoadedTaxonomy:
    """A taxonomy without errors, with the YAML tree of its file."""

    taxonomy: Taxonomy
    warnings: tuple[Fault, ...]
    """Warnings, in reading order."""
    document: Node
    """The tree that was read: `document.at(("facets", "topic", "categories", 0)).line`."""


def load_taxonomy(path: str | Path, file_name: str = "") -> LoadedTaxonomy:
    """Read the taxonomy at `path`, and the lexicon file if the taxonomy names one.

    file_name: name of the file for messages. Raises InputError with all errors and warnings of both
    files, in reading order. If the YAML syntax of a file is broken, its other faults are not
    reported.
    """
    path, file_name = Path(path), file_name or str(path)
    return parse_taxonomy(read_text(path, file_name), path, file_name)


def parse_taxonomy(text: str, path: Path, file_name: str) -> LoadedTaxonomy:
    """Parse the text of the taxonomy file at `path`; see `load_taxonomy`."""
    document, syntax_faults = _parse(text, file_name)
    faults = list(syntax_faults)
    if document.kind != "mapping":
        expected = "the keys 'survey', 'facets' and 'lexicons' at the top level"
        raise InputError([document.fault(_describe_node(document), expected)])
    document, lexicon_faults = _with_lexicons(document, path)
    taxonomy, shape_faults = _validate(document)
    faults += lexicon_faults + shape_faults + check_references(document)
    faults += check_places(document, path.parent) + _warn_of_cut_texts(document)
    faults = sort_faults(list(dict.fromkeys(faults)))
    if taxonomy is None or any(fault.severity == "error" for fault in faults):
        raise InputError(faults)
    return LoadedTaxonomy(taxonomy, tuple(faults), document)


def source_patterns(path: Path, file_name: str) -> tuple[str, ...]:
    """Return the patterns of survey.sources without checking the rest of the file.

    Raises OSError or FieldguideError if the file cannot be read.
    """
    document, _ = _parse(read_text(path, file_name), file_name)
    patterns = tuple(item.text for item in document.at(("survey", "sources")).items)
    return patterns or SurveySettings.model_fields["sources"].default


@lru_cache(maxsize=1)  # a build reads the sources before the rest
def _parse(text: str, file_name: str) -> tuple[Node, tuple[Fault, ...]]:
    """Parse YAML; raise InputError if the top level is not a mapping."""
    document, faults = parse_document(text, file_name)
    return document, tuple(faults)


def _with_lexicons(document: Node, path: Path) -> tuple[Node, list[Fault]]:
    """Replace the name of the lexicon file by the content of that file."""
    node = document.get("lexicons")
    if node is None or node.kind != "text":
        return document, []
    without = document.with_lexicons(Node("mapping", node.file, node.line))
    if Path(node.text).name != node.text or "\\" in node.text:
        found = f"the lexicon file '{node.display_text}'"
        return without, [node.fault(found, f"the plain name of a file next to {path.name}")]
    file = path.with_name(node.text)
    if not os.path.isfile(file):
        found = f"no such file next to {path.name}: '{node.display_text}'"
        return without, [node.fault(found, "the file that 'lexicons' names")]
    file_name = node.file.removesuffix(path.name) + node.text
    try:
        lexicons, faults = parse_document(read_text(file, file_name), file_name)
    except InputError as error:
        return without, list(error.faults)
    return document.with_lexicons(lexicons), faults


def _validate(document: Node) -> tuple[Taxonomy | None, list[Fault]]:
    """Validate the tree with the pydantic models; return the taxonomy, or None, and the faults."""
    try:
        return Taxonomy.model_validate(document.value()), []
    except ValidationError as error:
        return None, [
            _shape_fault(document, details["type"], details["loc"], details.get("ctx", {}))
            for details in error.errors(include_url=False, include_input=False)
            if not _is_echo(document, details["type"], details["loc"])
        ]


def _is_echo(document: Node, problem: str, path: Sequence[str | int]) -> bool:
    """Return whether a pydantic error only repeats the fault of an inner value."""
    if problem in ("default_factory_not_called", "string_unicode"):  # half of a surrogate pair
        return True
    node = document.at(path)
    return problem == "too_short" and bool(node.items or node.pairs)


def _shape_fault(
    document: Node, problem: str, path: Sequence[str | int], context: dict[str, Any]
) -> Fault:
    """Convert the pydantic error at `path` to a Fault."""
    if path[-1:] == ("[key]",):
        return _key_fault(document, path[:-1])
    if problem == "extra_forbidden":
        return _unknown_key_fault(document, path)
    node = document.at(path)
    if problem == "missing":
        key = path[-1]
        value = "multi' or 'kind: single" if key == "kind" else "…"
        return node.fault(f"no '{key}' in {_mapping_name(path[:-1])}", f"'{key}: {value}'")
    found = _describe_node(node)
    if isinstance(path[-1], str):
        found += f" for '{path[-1]}'"
    expected, hint = _expected_value(node, problem, path, context)
    return node.fault(found, expected, hint)


def _key_fault(document: Node, path: Sequence[str | int]) -> Fault:
    """Return the fault of an invalid key."""
    parent = document.at(path[:-1])
    node = parent.key(str(path[-1])) or parent
    if len(path) == 2 and path[0] in ("facets", "columns"):
        expected, hint = PATTERN_MESSAGES[FACET_ID]
        hint = _id_hint(FACET_ID, node.text) or hint
        what = str(path[0]).removesuffix("s")
        return node.fault(f"the {what} id '{node.display_text}'", expected, hint)
    return node.fault("an empty key", "a name")


def _unknown_key_fault(document: Node, path: Sequence[str | int]) -> Fault:
    """Return the fault of an unknown key."""
    parent, key = document.at(path[:-1]), str(path[-1])
    known = [name for name in _schema_at(path[:-1]).model_fields if (len(path), name) != (3, "id")]
    hint = did_you_mean(key, known)
    node = parent.key(key) or parent
    found = f"the unknown key '{node.display_text}' in {_mapping_name(path[:-1])}"
    return node.fault(found, f"one of {', '.join(known)}", hint)


def _schema_at(path: Sequence[str | int]) -> type[BaseModel]:
    """Return the schema class that validates the mapping at `path`."""
    if not path:
        return Taxonomy
    if len(path) == 1 or (len(path) == 2 and path[0] == "facets"):
        return SurveySettings if path[0] == "survey" else Facet
    if tuple(path[:2]) == ("survey", "roles"):
        return Roles
    if path[0] == "columns":
        return Taxonomy if len(path) == 1 else TypedColumn
    if path[-1] == "cues":
        return Cues
    return Claim if path[-2] == "claims" else Category


def _mapping_name(path: Sequence[str | int]) -> str:
    """Name the kind of mapping at `path`, such as 'a category'."""
    model = _schema_at(path)
    return {
        Taxonomy: "the taxonomy",
        SurveySettings: "the survey",
        Roles: "the roles",
        Cues: "the cues",
        TypedColumn: "a column",
    }.get(model, f"a {model.__name__.lower()}")


PATTERN_MESSAGES = {
    CATEGORY_ID: (
        "lower-case words joined by hyphens, a slash before a child's part",
        "Write 'gui-agents' or 'benchmarks/judges'.",
    ),
    FACET_ID: ("lower-case words joined by underscores", "Write 'training_material'."),
    WEB_ADDRESS: ("a web address", "Start it with https://"),
    CONTACT: ("a web address or a mail address", "Write https://… or name@host.org"),
    COLOUR: ("a colour of six digits", "Write it with quotes: '#7a2048'."),
    PICTURE: ("the name of a picture in taxonomy/ (svg, png, jpg, webp)", "Write 'logo.svg'."),
    PARTIAL_DATE: ("a date", "Write 2025-10-15, or quote the year."),
}


def _expected_value(
    node: Node, problem: str, path: Sequence[str | int], context: dict[str, Any]
) -> tuple[str, str]:
    """Return the expected value and the hint for a type of pydantic error."""
    match problem:
        case "string_type" | "string_too_short":
            return "text", _text_hint(node, path)
        case "string_pattern_mismatch":
            expected, hint = PATTERN_MESSAGES[context["pattern"]]
            return expected, _id_hint(context["pattern"], node.text) or hint
        case "tuple_type":
            return "a list", _list_hint(node, path)
        case "dict_type" | "model_type":
            return "a mapping ('key: value')", _mapping_hint(node, path)
        case "literal_error":
            return str(context["expected"]), ""
        case "bool_type" | "bool_parsing":
            return "true or false", ""
        case "int_type" | "int_parsing" | "int_from_float" | "finite_number":
            return "a whole number", ""
        case "greater_than_equal":
            return f"at least {context['ge']}", ""
        case "too_short":
            return "at least one entry", ""
    return problem.replace("_", " "), ""


def _id_hint(pattern: str, text: str) -> str:
    """Suggest an id made from `text`; "" if no letter of the text can be part of an id."""
    parts = [slug(part) for part in text.split("/")]
    suggested = "/".join(parts) if pattern == CATEGORY_ID else "_".join(parts).replace("-", "_")
    return f"Write '{suggested}'." if re.fullmatch(pattern, suggested) else ""


def _text_hint(node: Node, path: Sequence[str | int]) -> str:
    """Return a hint about a value that should be a text."""
    match node.kind:
        case "number" | "flag":
            return f"Quote it: '{node.text}'"
        case "mapping":
            words = [key.text + ": " + value.text for key, value in node.pairs if value.text]
            is_one = len(words) == len(node.pairs) == 1
            return (
                f'Quote it: "{words[0]}"'
                if is_one
                else "Put the text in quotes if ': ' is part of it."
            )
        case "list":
            return "Write one text, without a dash or brackets."
    if isinstance(path[-1], int):
        return "Write it after the dash, or delete the dash."
    return f"Write it after '{path[-1]}:', or delete the line."


def _list_hint(node: Node, path: Sequence[str | int]) -> str:
    """Return a hint about a value that should be a list."""
    if node.kind == "nothing" and path[-1] == "categories":
        return "List them on the next lines: '- id: …', and below it 'definition: …'."
    if node.kind in ("text", "number"):
        return f"Put it in brackets: [{node.display_text}]"
    if node.kind == "nothing":
        return "Write [] after it, or delete the line."
    return "Start each entry with a dash."


def _mapping_hint(node: Node, path: Sequence[str | int]) -> str:
    """Return a hint about a value that should be a mapping."""
    if path[-1] == "cues" and node.kind in ("text", "list"):
        cues = ", ".join(item.display_text for item in node.items) or node.display_text
        return f"State on the next line where each cue is searched for: 'anywhere: [{cues}]'."
    if path[-1] == "facets" and node.kind == "list":
        return "Remove the dashes: write each facet as its id with a colon, and its keys below it."
    if node.kind == "text" and isinstance(path[-1], int) and node.display_text:
        fields = _schema_at(path).model_fields.items()
        first, *more = (key for key, field in fields if field.is_required())
        below = "".join(f", and below it '{key}: …'" for key in more)
        return f"Write '{first}: {node.display_text}'{below}."
    if node.kind == "nothing":
        return "Write its keys on the next lines, indented, or delete the line."
    return ""


def _warn_of_cut_texts(node: Node, key: str = "") -> list[Fault]:
    """Warn of unquoted texts that a comment follows, because the `#` may belong to the text."""
    faults = []
    if node.kind == "text" and node.comment and key not in _WORD_KEYS:
        found = f"a comment after the unquoted text '{node.display_text}'"
        expected = "a comment on a line of its own, or quoted text"
        faults.append(
            node.fault(found, expected, "Put the text in quotes if '#' is part of it.", "warning")
        )
    for item in node.items:
        faults += _warn_of_cut_texts(item, key)
    for name, value in node.pairs:
        faults += _warn_of_cut_texts(value, name.text)
    return faults


def _describe_node(node: Node) -> str:
    """Describe a value for a message."""
    match node.kind:
        case "text":
            return f"'{node.display_text}'" if node.display_text else "an empty text"
        case "number":
            return f"the number {node.display_text}"
        case "flag":
            return node.text
        case "list":
            return "a list" if node.items else "an empty list"
        case "mapping":
            return "a mapping" if node.pairs else "an empty mapping"
    return "nothing"
