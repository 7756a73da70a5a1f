"""Rename, merge and split categories: `fieldguide rename`, `merge` and `split`.

Only taxonomy.yaml and claims.yaml are edited. The ledger, the lock, the prior and earlier versions
keep former ids, which are resolved by `aliases` and `replaced_by`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import yaml

from classifier.errors import UsageError
from classifier.files.lock import sole_writer
from classifier.files.writing import write_file
from classifier.project import Project
from classifier.review.ledger import Entry
from classifier.site.exports.sheets import refuse_pending_edits
from classifier.survey.inputs import Inputs, read_inputs
from classifier.taxonomy.edit import YamlFile, items_of, pairs_of, value_of, yaml_scalar
from classifier.taxonomy.load import parse_taxonomy
from classifier.taxonomy.model import (
    CATEGORY_ID,
    NOT_STATED,
    Category,
    Facet,
    name_from_id,
    spelling_key,
)
from classifier.taxonomy.versions import versions_bytes
from classifier.text.normalise import did_you_mean

_ListedNode = tuple[yaml.MappingNode, yaml.SequenceNode]
"""The node of a category, and the node of its list."""
_CATEGORY_ROLES = ("benchmark", "study", "survey")


@dataclass(frozen=True, slots=True)
class CategoryChange:
    """The result of `rename`, `merge` or `split`."""

    facet: str
    category: str
    """Id of the category that has the papers of the old categories now."""
    lines: tuple[str, ...]
    """The new and changed lines of the project's files, each with its file and number."""
    decisions: tuple[Entry, ...]
    """The rows of the ledger with an old category."""
    locked: int
    """Number of rows of the lock with an old category."""
    merged: Category | None = None
    """The category that was merged; taxonomy.yaml keeps its texts, which are not printed."""


def rename_category(
    project: Project, old: str, new: str, facet: str = "", *, dry_run: bool = False
) -> CategoryChange:
    """Change the id of a category and of its children; labels stay the same.

    facet: id of the facet, needed if several have `old`. Raises UsageError if `old` is unknown or
    `new` is in use, InputError with all faults of the project, and PendingEditsError.
    """
    with _Editor(project, dry_run) as editor:
        found, [category] = editor.find([old], facet)
        editor.check_new_id(found, new, category)
        editor.change_ids(found, category, new)
        return editor.finish(found, new, [category])


def merge_categories(
    project: Project,
    one: str,
    other: str,
    into: str = "",
    facet: str = "",
    *,
    dry_run: bool = False,
) -> CategoryChange:
    """Merge two categories into `into`, by default into the first one.

    into: one of the two, a third category, or a new id for the first one. A merged category stays
    in the file with `replaced_by`. Raises the errors of `rename_category`.
    """
    into = into or one
    with _Editor(project, dry_run) as editor:
        found, [first, second] = editor.find([one, other], facet)
        if first is second:
            raise UsageError(f"{one}: is the same category as {other}. Choose two categories.")
        target = found.get(into)
        if target is None:
            editor.check_new_id(found, into, first)
            target = first
        merged = [each for each in (first, second) if each is not target]
        for each in merged:
            _check_merge(found, each, target)
        if target.id != into:
            editor.change_ids(found, target, into)
        for each in merged:
            editor.mark_replaced(found, each, into)
        return editor.finish(found, into, [first, second], merged=merged[-1])


def split_category(
    project: Project, old: str, new: Sequence[str], facet: str = "", *, dry_run: bool = False
) -> CategoryChange:
    """Add new categories after an old one. The old one keeps its cues and decisions.

    Raises the errors of `rename_category`.
    """
    with _Editor(project, dry_run) as editor:
        found, [category] = editor.find([old], facet)
        for each in new:
            editor.check_new_id(found, each, category)
        editor.add_after(found, category, list(dict.fromkeys(new)))
        return editor.finish(found, old, [category])


def _check_merge(facet: Facet, merged: Category, target: Category) -> None:
    reason = ""
    if merged.out_of_scope or target.out_of_scope:
        reason = "the category for papers out of scope cannot be merged"
    elif target.id.startswith(f"{merged.id}/"):
        reason = f"{target.id} is a part of {merged.id}; merge the other way"
    elif facet.resolve(target.id) is not target:
        reason = f"{target.id} was merged into another category; use that one"
    if reason:
        raise UsageError(f"{merged.id}, {target.id}: {reason}.")


class _Editor:
    """Plans the edits of a project's files and writes them together at the end."""

    def __init__(self, project: Project, dry_run: bool) -> None:
        self.project = project
        self.dry_run = dry_run

    def __enter__(self) -> _Editor:
        """Read the project; raises InputError with all of its faults."""
        project = self.project
        self._locks = ExitStack()
        for path in (project.taxonomy_file, project.claims_file, project.versions_file):
            self._locks.enter_context(sole_writer(path))
        try:
            self.inputs: Inputs = read_inputs(project)
            # The answers in a sheet refer to the ids of the old taxonomy.
            refuse_pending_edits(project.out, self.inputs)
            self.file = YamlFile(project.taxonomy_file, project.shown(project.taxonomy_file))
            has_claims = project.claims_file.is_file()
            name = project.shown(project.claims_file)
            self.claims = YamlFile(project.claims_file, name) if has_claims else None
        except BaseException:
            self._locks.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._locks.close()

    def find(self, ids: Sequence[str], facet_id: str) -> tuple[Facet, list[Category]]:
        """Return the categories `ids`, which must be current ones, and their facet.

        facet_id: id of the facet; "" for the only facet with all of them. Raises UsageError if the
        facet or a category is unknown, or if several facets have the categories.
        """
        facets = [
            facet
            for facet in self.inputs.taxonomy.facets.values()
            if facet_id in ("", facet.id)
            and all(facet.get(each) and facet.resolve(each) is facet.get(each) for each in ids)
        ]
        if len(facets) > 1:
            names = " or ".join(f"--facet {facet.id}" for facet in facets)
            raise UsageError(f"{ids[0]}: is a category of several facets. Add {names}.")
        if not facets:
            all_facets = self.inputs.taxonomy.facets.values()
            known = [category.id for facet in all_facets for category in facet.walk()]
            hints = (did_you_mean(each, known) for each in ids if each not in known)
            names = f"{' and '.join(ids)}{f' in {facet_id}' if facet_id else ''}"
            these = "this category" if len(ids) == 1 else "both"
            raise UsageError(f"{names}: no facet has {these}. {next(hints, '')}".rstrip())
        return facets[0], [category for each in ids if (category := facets[0].get(each))]

    def check_new_id(self, facet: Facet, new: str, sibling: Category) -> None:
        """Raise UsageError if the id `new` is taken, or is on another level than `sibling`."""
        owner = facet.get(new) or facet.resolve(new)
        if owner and (owner is not sibling or new == sibling.id):
            raise UsageError(
                f"{new}: is already an id, name or alias of {owner.id}. Choose another id."
            )
        if not re.fullmatch(CATEGORY_ID, new) or new == NOT_STATED:
            raise UsageError(
                f"'{new}' is not a valid id; expected lower-case words joined by hyphens, such as "
                "'gui-agents'."
            )
        if (parent := sibling.id.rpartition("/")[0]) != new.rpartition("/")[0]:
            place = f"below {parent}" if parent else "at the top level"
            raise UsageError(f"{new}: expected an id {place}.")

    def change_ids(self, facet: Facet, category: Category, new: str) -> None:
        """Change the ids of a category and its children, and all references to them."""
        ids = {each.id: new + each.id.removeprefix(category.id) for each in category.walk()}
        for node, _ in self._nodes(facet):
            identifier = value_of(node, "id")
            replaced_by = value_of(node, "replaced_by")
            if replaced_by is not None and replaced_by.value in ids:
                self.file.replace(replaced_by, ids[replaced_by.value])
            if identifier is None or identifier.value not in ids:
                continue
            old = identifier.value
            self.file.replace(identifier, ids[old])
            if value_of(node, "name") is None and name_from_id(old) != name_from_id(ids[old]):
                self.file.add_key(node, "name", yaml_scalar(name_from_id(old)))
            self.file.add_to_list(node, "aliases", old)
        self._rename_references(facet, ids)

    def mark_replaced(self, facet: Facet, category: Category, into: str) -> None:
        """Mark a category as replaced by `into`, and change references to it."""
        node, _ = self._node(facet, category.id)
        self.file.add_key(node, "replaced_by", yaml_scalar(into))
        self._rename_references(facet, {each.id: into for each in category.walk()})

    def add_after(self, facet: Facet, category: Category, new: Sequence[str]) -> None:
        """Add categories, each with a name and the words of its id as a cue."""
        node, parent = self._node(facet, category.id)
        added = []
        for each in new:
            words = each.rpartition("/")[2].replace("-", " ")
            cues = f"{{anywhere: [{yaml_scalar(words)}]}}"
            name = yaml_scalar(name_from_id(each))
            added.append({"id": yaml_scalar(each), "name": name, "definition": "''", "cues": cues})
        self.file.add_items(node, parent, added)

    def finish(
        self,
        facet: Facet,
        category: str,
        old: Sequence[Category],
        merged: Category | None = None,
    ) -> CategoryChange:
        """Check the edited taxonomy, and write the files unless it is a dry run."""
        project, inputs = self.project, self.inputs
        parse_taxonomy(self.file.edited_text(), project.taxonomy_file, self.file.file_name)
        changed = [file for file in (self.file, self.claims) if file and file.is_changed]
        if not self.dry_run:
            if inputs.ledger.entries or inputs.lock:
                write_file(project.versions_file, versions_bytes(inputs.versions))
            # claims.yaml first: it may contain the new id before taxonomy.yaml does.
            for file in reversed(changed):
                write_file(file.path, file.edited_bytes())
        ids = {each.id for top in old for each in top.walk()}
        locked = inputs.lock.papers if inputs.lock else ()
        return CategoryChange(
            facet.id,
            category,
            tuple(line for file in changed for line in file.edited_lines()),
            tuple(
                entry
                for entry in inputs.ledger.entries
                if entry.facet == facet.id and _category_id(facet, entry.value) in ids
            ),
            sum(bool(ids & set(row.facets.get(facet.id, ()))) for row in locked),
            merged,
        )

    def _nodes(self, facet: Facet) -> Iterator[_ListedNode]:
        """Yield the node of each category of a facet, with the node of its list."""

        def descend(listed: yaml.Node | None) -> Iterator[_ListedNode]:
            for item in items_of(listed):
                if isinstance(item, yaml.MappingNode) and isinstance(listed, yaml.SequenceNode):
                    yield item, listed
                    yield from descend(value_of(item, "children"))

        facets = value_of(self.file.root, "facets")
        yield from descend(value_of(value_of(facets, facet.id), "categories"))

    def _node(self, facet: Facet, identifier: str) -> _ListedNode:
        for node, listed in self._nodes(facet):
            found = value_of(node, "id")
            if found is not None and found.value == identifier:
                return node, listed
        raise AssertionError(identifier)

    def _rename_references(self, facet: Facet, ids: dict[str, str]) -> None:
        """Change the ids in `applies_to`, `survey: roles` and the topics of claims.yaml."""
        taxonomy = self.inputs.taxonomy
        if facet is taxonomy.first:
            for _, further in pairs_of(value_of(self.file.root, "facets")):
                self._rename_in_applies_to(further, ids)
            for entry in items_of(self.claims.root) if self.claims else ():
                topic = value_of(entry, "topic")
                key = spelling_key(topic.value) if topic is not None else ""
                if self.claims and topic is not None and key in ids:
                    self.claims.replace(topic, ids[key])
        if facet.id != taxonomy.roles.contribution:
            return
        survey = value_of(self.file.root, "survey")
        roles = value_of(survey, "roles")
        added = {}  # A default role is not in the file, but its category has a new id.
        for role in _CATEGORY_ROLES:
            identifier, node = getattr(taxonomy.roles, role), value_of(roles, role)
            if identifier in ids and node is not None:
                self.file.replace(node, ids[identifier])
            elif identifier in ids:
                added[role] = yaml_scalar(ids[identifier])
        if added and roles is None and isinstance(survey, yaml.MappingNode):
            pairs = ", ".join(f"{role}: {identifier}" for role, identifier in added.items())
            self.file.add_key(survey, "roles", f"{{{pairs}}}")
        elif isinstance(roles, yaml.MappingNode):
            for role, identifier in added.items():
                self.file.add_key(roles, role, identifier)

    def _rename_in_applies_to(self, facet: yaml.Node, ids: dict[str, str]) -> None:
        """Change the ids in `applies_to` of a facet, without adding duplicates."""
        items = items_of(value_of(facet, "applies_to"))
        listed = {item.value for item in items}
        for item in items:
            new = ids.get(item.value)
            if new is not None and new not in listed:
                self.file.replace(item, new)
                listed.add(new)


def _category_id(facet: Facet, text: str) -> str:
    """Return the id of the category with this id, name or alias, even a replaced one, or ""."""
    found = facet.get(text) or facet.resolve(text)
    return found.id if found else ""
