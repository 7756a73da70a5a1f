"""Find questionable parts of a taxonomy that has no errors, and warn about them with their line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from classifier.errors import Fault, listed, sort_faults
from classifier.taxonomy.cue import Pattern, parse_cue
from classifier.taxonomy.document import Node
from classifier.taxonomy.load import LoadedTaxonomy
from classifier.taxonomy.model import Category, Facet
from classifier.text.links import dead_links
from classifier.text.normalise import title_key

CueKey = frozenset[Pattern]
"""The patterns of a cue: two spellings of one cue have the same key."""

# Not all function words: a title with “via” names a method, one with “can” asks a question.
_IN_EVERY_TEXT = frozenset("a an and are for in is of on that the this to we with".split())
# A* and C* are names; a star after a longer word is meant as a wildcard.
_SEARCH_SIGNS = re.compile(r"(?<=\w{3})\*|\.\*|\||\s(?:OR|AND|NOT)\s")


@dataclass(frozen=True, slots=True)
class CategoryEntry:
    """A category in use, with the YAML node from which it was read."""

    category: Category
    node: Node
    """Its first node, with file and line."""

    def cues(self) -> Iterator[tuple[str, str, CueKey, Node]]:
        """Yield the view, text, key and node of each cue."""
        for view, cues in self.category.cues.views():
            listed = self.node.at(("cues", view))
            for index, cue in enumerate(cues):
                yield view, cue, frozenset(parse_cue(cue)), listed.at((index,))

    def notice(self, actual: str, expected: str, hint: str, node: Node | None = None) -> Fault:
        """Return a notice at `node`, which by default is the start of the category."""
        return (node or self.node).fault(actual, expected, hint, "notice")


def lint_taxonomy(loaded: LoadedTaxonomy, titles: Sequence[str]) -> list[Fault]:
    """Return warnings and notices about a taxonomy, in reading order.

    titles: titles of the survey's papers. The warnings in `loaded.warnings` are not included.
    """
    warnings: list[Fault] = [*_dead_links(loaded.document), *_hidden_matrix(loaded)]
    for facet in loaded.taxonomy.facets.values():
        entries = list(category_entries(facet, loaded.document.at(("facets", facet.id))))
        if facet.is_manual:
            expected = "cues, because only cues fill in a facet with applies_to"
            hint = "Without cues, only reviewers can fill in the facet."
            warnings.append(entries[0].notice(f"no cue in facet '{facet.id}'", expected, hint))
        for entry in entries:
            warnings += _empty_category_notices(entry, facet.is_manual)
            warnings += [*_repeated_cues(entry), *_unusual_cues(entry)]
        warnings += _shared_cues(entries)
        warnings += _missing_exemplars(entries, titles)
    return sort_faults(warnings)


def _hidden_matrix(loaded: LoadedTaxonomy) -> Iterator[Fault]:
    """Yield a notice for each hidden facet of the matrix, which is then not drawn."""
    matrix, facets = loaded.taxonomy.figures.matrix, loaded.taxonomy.facets
    for key in ("rows", "columns") if matrix else ():
        node = loaded.document.at(("figures", "matrix", key))
        if facets[node.text].hidden:
            found, expected = f"the hidden facet '{node.text}'", "a facet that the survey shows"
            hint = "The figure is not drawn. Name another facet, or delete `hidden: true`."
            yield node.fault(found, expected, hint, "notice")


def _dead_links(document: Node) -> Iterator[Fault]:
    """Yield warnings about links in the editors' Markdown that are not web addresses."""
    survey = document.at(("survey",))
    printed = [survey.get(key) for key in ("scope", "abstract", "method")]
    for _, facet in document.pairs_of("facets"):
        printed.append(facet.get("definition"))
        printed += chain.from_iterable(map(_printed_texts, facet.items_of("categories")))
    for node in filter(None, printed):
        for address in dict.fromkeys(dead_links(node.text)):
            found = f"a link to '{address}'"
            expected, hint = "an http or https address", "The link is printed as plain text."
            yield node.fault(found, expected, hint, "warning")


def _printed_texts(category: Node) -> Iterator[Node | None]:
    """Yield the texts of a category that are printed as Markdown."""
    yield category.get("definition")
    yield from (*category.items_of("includes"), *category.items_of("excludes"))
    yield from (claim.get("text") for claim in category.items_of("claims"))
    for child in category.items_of("children"):
        yield from _printed_texts(child)


def category_entries(facet: Facet, node: Node) -> Iterator[CategoryEntry]:
    """Yield the categories in use of a facet, depth first.

    node: the facet's node.
    """
    yield from _categories_below(facet.categories, node.at(("categories",)))


def _categories_below(
    categories: Sequence[Category], category_nodes: Node
) -> Iterator[CategoryEntry]:
    """Yield the categories in use among `categories` and their children."""
    for index, category in enumerate(categories):
        if not category.replaced_by:
            node = category_nodes.at((index,))
            yield CategoryEntry(category, node)
            yield from _categories_below(category.children, node.at(("children",)))


def _empty_category_notices(entry: CategoryEntry, is_manual: bool) -> Iterator[Fault]:
    """Yield notices about a category without definition, or without cues and exemplars."""
    category = entry.category
    if not category.definition:
        expected = "a sentence or two, which the survey prints"
        yield entry.notice(f"no definition of '{category.id}'", expected, "")
    if not (is_manual or category.cues or category.exemplars or category.out_of_scope):
        found = f"neither cues nor exemplars of '{category.id}'"
        expected = "cues or exemplars from which the classifier can learn"
        yield entry.node.fault(found, expected, severity="warning")


def _repeated_cues(entry: CategoryEntry) -> Iterator[Fault]:
    """Yield a notice for each cue that a category has twice."""
    seen: dict[tuple[str, CueKey], Node] = {}
    for view, cue, key, node in entry.cues():
        first = seen.setdefault((view, key), node)
        if first is not node:
            found = f"the {view} cue '{cue}' of '{entry.category.id}' a second time "
            found += f"(first on line {first.line})"
            yield entry.notice(found, "each cue once", "Delete one of the two.", node)


def _unusual_cues(entry: CategoryEntry) -> Iterator[Fault]:
    """Yield notices about cues in another search syntax, and about words that are in every text."""
    for view, cue, key, node in entry.cues():
        found = f"the {view} cue '{cue}' of '{entry.category.id}'"
        if match := _SEARCH_SIGNS.search(cue):
            hint = "Use 'word~' for inflections; list alternatives as separate cues."
            found += f", in which '{match[0].strip()}' has no meaning"
            yield entry.notice(found, "a phrase", hint, node)
        elif all(len(places) == 1 and (places[0] or set()) <= _IN_EVERY_TEXT for places in key):
            hint = "Make it longer, or delete it."
            yield entry.notice(
                f"{found}, which occurs in nearly every text", "a phrase", hint, node
            )


def _shared_cues(entries: Sequence[CategoryEntry]) -> Iterator[Fault]:
    """Yield notices about cues that two top categories, or two children of one category, share.

    Children of different categories may share a cue.
    """
    owners: dict[tuple[str, CueKey], dict[str, Node]] = {}
    for entry in entries:
        for view, cue, key, node in entry.cues():
            if view == "against":
                continue
            identifier = entry.category.id
            earlier = owners.setdefault((view, key), {})
            siblings = [owner for owner in earlier if _are_siblings(owner, identifier)]
            if siblings:
                found = f"the {view} cue '{cue}' of '{identifier}', which '{siblings[0]}' also has "
                found += f"(line {earlier[siblings[0]].line})"
                expected = "cues that distinguish the categories"
                yield entry.notice(
                    found,
                    expected,
                    "Delete the cue from one of the categories, or make it longer.",
                    node,
                )
            earlier.setdefault(identifier, node)


def _are_siblings(first_id: str, second_id: str) -> bool:
    """Return whether two categories have the same parent."""
    return first_id != second_id and first_id.rpartition("/")[0] == second_id.rpartition("/")[0]


def _missing_exemplars(entries: Sequence[CategoryEntry], titles: Sequence[str]) -> Iterator[Fault]:
    """Yield a notice about exemplars that are not among the titles."""
    known = {title_key(title) for title in titles}
    for entry in entries:
        exemplars = entry.category.exemplars
        absent = [f"'{title}'" for title in exemplars if title_key(title) not in known]
        if absent:
            found = f"{len(absent)} exemplar(s) of '{entry.category.id}' that are not in the "
            found += f"corpus: {listed(absent)}"
            hint = "Check the spelling. The classifier also learns from a title without a paper."
            node = entry.node.key("exemplars")
            yield entry.notice(found, "titles of papers in the survey", hint, node)
