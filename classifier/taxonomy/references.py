"""Check ids, references, cues, spellings, file names and addresses of a taxonomy.

These checks use the tree of nodes, so they also run if the models reject the shape.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.errors import Fault, Severity
from classifier.papers.fields import clean_url
from classifier.taxonomy.columns import column_faults
from classifier.taxonomy.cue import CueError, parse_cue
from classifier.taxonomy.document import Node
from classifier.taxonomy.model import (
    CUE_VIEWS,
    DEFAULT_ROLES,
    NOT_STATED,
    PICTURE,
    spelling_key,
)
from classifier.taxonomy.names import DEVICE
from classifier.taxonomy.reserved import RESERVED_FACET_IDS, RESERVED_STARTS, SECTION_IDS
from classifier.text.normalise import did_you_mean, tokens


@dataclass(frozen=True, slots=True)
class _Entry:
    """A category as a node of the YAML tree."""

    id: str
    node: Node
    parent: str
    """Id of its parent category, or ""."""


def check_references(document: Node) -> list[Fault]:
    """Return, unsorted, the faults for which several fields must be compared."""
    faults = [*_lexicon_faults(document), *_role_faults(document), *_figure_faults(document)]
    faults += column_faults(document)
    first_ids: list[str] = []
    aliases: set[str] = set()
    for index, (key, facet) in enumerate(document.pairs_of("facets")):
        entries = [*_all_entries(facet.items_of("categories"))]
        if index == 0:
            first_ids = [entry.id for entry in entries]
            aliases = {alias.text for e in entries for alias in e.node.items_of("aliases")}
            faults += _section_faults(entries)
        faults += _facet_faults(key, facet)
        hidden = facet.get("hidden")
        if index == 0 and hidden and hidden.value() is True:
            hint = "Delete the line: the survey is grouped by the first facet."
            faults.append(
                hidden.fault("'hidden: true' in the first facet", "a visible facet", hint)
            )
        faults += _applies_to_faults(facet, first_ids, aliases, is_first=index == 0)
        faults += _id_faults(entries)
        faults += _spelling_faults(entries)
        faults += _replacement_faults(entries)
        faults += _out_of_scope_faults(entries)
        faults += _cue_faults(
            node
            for entry in entries
            if (cues := entry.node.get("cues"))
            for view in CUE_VIEWS
            for node in cues.items_of(view)
            if node.kind == "text" and node.text.strip()
        )
    return faults


def _all_entries(categories: Iterable[Node], parent: str = "") -> Iterator[_Entry]:
    """Yield the categories and all categories below them."""
    for node in categories:
        identifier = node.get("id")
        name = identifier.text if identifier else ""
        yield _Entry(name, node, parent)
        yield from _all_entries(node.items_of("children"), name)


def _facet_faults(key: Node, facet: Node) -> Iterator[Fault]:
    """Yield the faults of a facet."""
    if key.text in RESERVED_FACET_IDS or key.text.startswith(RESERVED_STARTS):
        expected = (
            "an id that is not the name of a sheet column, an editorial action or a browse key"
        )
        yield key.fault(f"the facet id '{key.display_text}'", expected, "Choose another id.")
    if identifier := facet.key("id"):
        expected = "none: the facet's key is its id"
        yield identifier.fault("the key 'id' in a facet", expected, "Delete it.")
    kind, at_most = facet.get("kind"), facet.key("at_most")
    if kind and kind.text == "single" and at_most:
        found, expected = "'at_most' in a facet of kind single", "'at_most' only with 'kind: multi'"
        yield at_most.fault(found, expected, "Delete the line, or change the kind.")


def _applies_to_faults(
    facet: Node, known_ids: Sequence[str], aliases: Collection[str], *, is_first: bool
) -> Iterator[Fault]:
    """Yield the faults of a facet's `applies_to`."""
    key, applies_to = facet.key("applies_to"), facet.get("applies_to")
    if key is None or applies_to is None:
        return
    if is_first:
        found, expected = "'applies_to' in the first facet", "'applies_to' only in further facets"
        yield key.fault(found, expected, "Delete the line.")
        return
    if applies_to.kind == "list" and not applies_to.items:
        hint = "Name categories, or delete the line so that the facet applies to every paper."
        yield key.fault("an empty list for 'applies_to'", "at least one category", hint)
    seen: dict[str, Node] = {}
    for item in applies_to.items:
        if item.text not in known_ids and item.text not in aliases:
            yield _unknown_category_fault(
                item, "applies_to", "category of the first facet", known_ids
            )
        elif first := seen.get(item.text):
            yield _repetition_fault(
                item, f"'{item.display_text}' in 'applies_to'", first, "each category once"
            )
        seen.setdefault(item.text, item)


def _section_faults(entries: Sequence[_Entry]) -> Iterator[Fault]:
    """Yield a fault for each category with the id of one of the survey's own sections."""
    for entry in entries:
        if entry.id in SECTION_IDS and (identifier := entry.node.get("id")):
            expected = f"another id: the survey has a section '{entry.id}' of its own"
            hint = f"Write '{entry.id}-papers', and keep the name of the category."
            yield identifier.fault(f"the id '{entry.id}'", expected, hint)


def _id_faults(entries: Sequence[_Entry]) -> Iterator[Fault]:
    """Yield the faults of category ids."""
    seen: dict[str, Node] = {}
    for entry in entries:
        identifier = entry.node.get("id")
        if identifier is None or not entry.id:
            continue
        if entry.id == NOT_STATED:
            expected = f"another id: '{NOT_STATED}' means that no category applies"
            yield identifier.fault(f"the id '{entry.id}'", expected, "Choose another id.")
        if first := seen.get(entry.id):
            yield _repetition_fault(
                identifier, f"the id '{entry.id}'", first, "each id once in a facet"
            )
        seen.setdefault(entry.id, identifier)
        above, _, part = entry.id.rpartition("/")
        if above == entry.parent:
            continue
        if entry.parent:
            found = f"the id '{entry.id}' below '{entry.parent}'"
            expected = "the id of its parent, a slash and its own part"
            yield identifier.fault(found, expected, f"Write '{entry.parent}/{part}'.")
        else:
            found, expected = f"the id '{entry.id}' at the top level", "an id without a slash"
            hint = f"Move it to the children of '{above}', or write '{part}'."
            yield identifier.fault(found, expected, hint)


def _spelling_faults(entries: Sequence[_Entry]) -> Iterator[Fault]:
    """Yield the names and aliases of two categories; default names are not checked."""
    owners = {spelling_key(entry.id): entry.id for entry in entries if entry.id}
    seen: dict[str, tuple[str, Node]] = {}
    for entry in entries:
        for node in (entry.node.get("name"), *entry.node.items_of("aliases")):
            if node is None or not node.text:
                continue
            key = spelling_key(node.text)
            owner = owners.get(key, entry.id)
            other, first = seen.setdefault(key, (entry.id, node))
            if owner != entry.id:
                found = f"'{node.display_text}' as a name or alias of '{entry.id}'"
                expected = f"another name; it is the id of '{owner}'"
                yield node.fault(found, expected, "Choose another, or delete it.")
            elif other != entry.id:
                expected = "a name that no other category has; it is used for the first category"
                what = f"the name or alias '{node.display_text}'"
                yield _repetition_fault(node, what, first, expected, "warning")


def _replacement_faults(entries: Sequence[_Entry]) -> Iterator[Fault]:
    """Yield the faults of `replaced_by`."""
    known = [entry.id for entry in entries]
    nodes = {entry.id: entry.node.get("replaced_by") for entry in entries}
    replaced = {old: node.text for old, node in nodes.items() if node and node.kind == "text"}
    for identifier, new in replaced.items():
        node = nodes[identifier]
        assert node is not None
        passed: set[str] = set()
        current: str | None = new
        while current is not None and current != identifier and current not in passed:
            passed.add(current)
            current = replaced.get(current)
        if new not in known:
            yield _unknown_category_fault(node, "replaced_by", "category of this facet", known)
        elif current == identifier:
            found = (
                f"'replaced_by: {node.display_text}' of '{identifier}', which leads back to itself"
            )
            expected = "a chain that ends in a category that is in use"
            yield node.fault(found, expected, "Delete one of these 'replaced_by' lines.")


def _out_of_scope_faults(entries: Sequence[_Entry]) -> Iterator[Fault]:
    """Yield a fault for each out-of-scope category after the first."""
    marked = [
        key
        for entry in entries
        if (flag := entry.node.get("out_of_scope"))
        and flag.text.lower() == "true"
        and (key := entry.node.key("out_of_scope"))
    ]
    for key in marked[1:]:
        yield _repetition_fault(
            key, "'out_of_scope: true'", marked[0], "one out-of-scope category per facet"
        )


def _cue_faults(cues: Iterable[Node]) -> Iterator[Fault]:
    """Yield a fault for each invalid cue."""
    for node in cues:
        try:
            parse_cue(node.text)
        except CueError as error:
            yield node.fault(error.found, "a phrase to search for", error.hint)


def _role_id(document: Node, name: str) -> str:
    """Return the id that has this role in the survey."""
    settings = document.get("survey")
    roles = settings.get("roles") if settings else None
    stated = roles.get(name) if roles else None
    return stated.text if stated else str(getattr(DEFAULT_ROLES, name))


def _role_faults(document: Node) -> Iterator[Fault]:
    """Yield a fault for each role whose facet, category or lexicon does not exist."""
    settings = document.get("survey")
    facets = {key.text: facet for key, facet in document.pairs_of("facets")}
    kinds = facets.get(_role_id(document, "contribution"))
    categories = [entry.id for entry in _all_entries(kinds.items_of("categories") if kinds else ())]
    lexicons = [key.text for key, _ in document.pairs_of("lexicons")]
    for role, node in settings.pairs_of("roles") if settings else ():
        if role.text == "contribution":
            what, known = "facet", [*facets]
        elif role.text in ("benchmark", "study", "survey"):
            what, known = "category of the facet with the role contribution", categories
        else:
            what, known = "lexicon", lexicons
        if node.text not in known and role.text in type(DEFAULT_ROLES).model_fields:
            hint = did_you_mean(node.text, known)
            yield node.fault(
                f"'{node.display_text}' as the role {role.text}", f"the id of a {what}", hint
            )


def _figure_faults(document: Node) -> Iterator[Fault]:
    """Yield a fault if a facet of the matrix does not exist, or is both rows and columns."""
    figures = document.get("figures")
    matrix = figures.get("matrix") if figures else None
    facets = [key.text for key, _ in document.pairs_of("facets")]
    stated = [node for key in ("rows", "columns") if matrix and (node := matrix.get(key))]
    for node in stated:
        if node.text not in facets:
            hint = did_you_mean(node.text, facets)
            yield node.fault(f"the unknown facet '{node.display_text}'", "the id of a facet", hint)
    if len({node.text for node in stated}) < len(stated):
        found = f"the facet '{stated[0].display_text}' as rows and columns"
        yield stated[1].fault(found, "two facets", "Name another facet.")


def _lexicon_faults(document: Node) -> Iterator[Fault]:
    """Yield lexicon names that are already in use, and spellings that belong to two names."""
    taken = {*RESERVED_FACET_IDS, *(key.text for key, _ in document.pairs_of("facets"))}
    unsolved = _role_id(document, "unsolved")
    for lexicon, names in document.pairs_of("lexicons"):
        if lexicon.text in taken:
            expected = "a name that is not the name of a facet, a sheet column or a browse key"
            yield lexicon.fault(
                f"the lexicon '{lexicon.display_text}'", expected, "Choose another name."
            )
        if lexicon.text == unsolved:
            yield from _cue_faults(cue for _, cues in names.pairs for cue in cues.items)
            continue
        seen: dict[str, tuple[str, Node]] = {}
        for name, node in ((n, node) for n, more in names.pairs for node in (n, *more.items)):
            key = " ".join(tokens(node.text))
            if node.text and not key:
                yield node.fault(f"the spelling '{node.display_text}'", "at least one word")
                continue
            owner, first = seen.setdefault(key, (name.text, node))
            if owner != name.text:
                what = f"the spelling '{node.display_text}' of '{name.text}'"
                expected = f"one name per spelling; '{owner}' already has it"
                yield _repetition_fault(node, what, first, expected, "warning")


def _repetition_fault(
    node: Node, description: str, first_node: Node, expected: str, severity: Severity = "error"
) -> Fault:
    """Return the fault of a value that is already used at `first_node`."""
    found = f"{description} a second time (first on line {first_node.line})"
    return node.fault(found, expected, "Change or delete one of the two.", severity)


def _unknown_category_fault(node: Node, key: str, expected: str, known_ids: Sequence[str]) -> Fault:
    """Return the fault of an unknown category."""
    found = f"the unknown category '{node.display_text}' in '{key}'"
    return node.fault(found, f"a {expected}", did_you_mean(node.text, known_ids))


MAX_ID = 100
"""Maximum length of a category id: file names are limited to 255 bytes, some paths to 260."""
_WEB = re.compile(r"https?://\S+")


def check_places(document: Node, folder: Path) -> list[Fault]:
    """Return the faults of file names, addresses and the logo.

    These are ids that cannot be file names, invalid addresses, and a logo that is not in `folder`.
    """
    faults: list[Fault] = []
    for _, facet in document.pairs_of("facets"):
        for entry in _all_entries(facet.items_of("categories")):
            if node := entry.node.get("id"):
                faults += _file_name_faults(node)
    survey = document.at(("survey",))
    for key in ("base_url", "repository", "feedback"):
        node = survey.get(key)
        if node and _WEB.fullmatch(node.text) and not clean_url(node.text):
            found, expected = (
                f"'{node.display_text}' for '{key}'",
                "a web address with a host and without a user name",
            )
            faults.append(node.fault(found, expected))
    logo = survey.get("logo")
    if logo and re.fullmatch(PICTURE, logo.text) and not (folder / logo.text).is_file():
        found, expected = f"'{logo.display_text}' for 'logo'", f"a picture in {folder.name}/"
        hint = "Put it there, or correct the name."
        faults.append(logo.fault(found, expected, hint))
    return faults


def _file_name_faults(node: Node) -> Iterator[Fault]:
    """Yield a fault if an id cannot be a file name."""
    if len(node.text) > MAX_ID:
        found = f"an id of {len(node.text)} letters"
        hint = "The id names files; the name that readers see may be longer."
        yield node.fault(found, f"at most {MAX_ID}", hint)
    if any(map(DEVICE.fullmatch, node.text.split("/"))):
        found, expected = (
            f"the id '{node.display_text}'",
            "an id that is not the name of a Windows device",
        )
        hint = "The id names a file: add a word, as in 'con-games'."
        yield node.fault(found, expected, hint)
