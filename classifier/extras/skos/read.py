"""Convert a SKOS thesaurus to a draft of a taxonomy."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

from classifier.errors import Fault, OutputError, listed
from classifier.extras.skos.thesaurus import Concept, all_below, build_trees, read_thesaurus
from classifier.files.writing import write_file
from classifier.taxonomy.cue import CueError, inflections, parse_cue
from classifier.taxonomy.dump import taxonomy_yaml
from classifier.taxonomy.model import FACET_ID, Taxonomy, name_from_id, spelling_key
from classifier.taxonomy.names import file_name_of, slug
from classifier.taxonomy.reserved import RESERVED_FACET_IDS, RESERVED_STARTS

MAX_TOPS: Final = 60
"""Number of top categories above which a warning is given."""
_STEPS: Final = """\
This is a draft. Next steps:

1. Delete categories until a reviewer can distinguish the rest: a few dozen at most, each with ten
   papers or more. Give each one a definition that separates it from its neighbours.
2. survey: write title and scope. The survey is grouped by the first facet.
3. The cues are labels of the thesaurus. Add the phrases that papers use:
     title         in the title; nearly certain
     contribution  in a sentence that states the contribution ("We introduce ...")
     anywhere      in the whole text, title included
     against       evidence for a neighbour
   `_` is one open word, a trailing `~` allows inflections (colony~).
4. exemplars: titles of papers that certainly belong to the category.
5. Add a category with `out_of_scope: true` for papers that do not belong to the survey.
6. Put this file at taxonomy/taxonomy.yaml and papers into papers/, then run
   `fieldguide check` and `fieldguide build`. From then on, keep the ids.
"""


@dataclass(frozen=True, slots=True)
class ReadThesaurus:
    """A taxonomy made from a thesaurus."""

    taxonomy: Taxonomy
    warnings: tuple[Fault, ...]
    """The parts of the thesaurus that a taxonomy cannot express, one warning per kind."""
    source: str
    """Name of the thesaurus file."""

    def yaml(self) -> str:
        """Return taxonomy.yaml, with a comment on the next steps."""
        return taxonomy_yaml(self.taxonomy, f"Read from {self.source}. {_STEPS}")


def read_skos(path: Path, label: str = "", *, language: str = "en") -> ReadThesaurus:
    """Read a SKOS thesaurus (Turtle, RDF/XML or N-Triples, by file ending) as a taxonomy.

    Each scheme becomes a facet, its top concepts become categories, and the concepts directly below
    become their children. Labels become cues; labels of deeper concepts become cues of the child
    above. Labels in `language` are preferred, then labels without a language, then any label.

    Raises UsageError for an unknown ending, and InputError for a file that is not a thesaurus.
    """
    label = label or str(path)
    thesaurus = read_thesaurus(path, label, language)
    concepts, members = thesaurus.concepts, thesaurus.members
    labels = [thesaurus.schemes[uri].label for uri in members if uri]
    title = labels[0] if len(labels) == 1 and labels[0] else name_from_id(path.stem)
    warnings = [*_label_warnings(concepts, thesaurus.deprecated, language)]
    facets: dict[str, Any] = {}
    for uri, used in members.items():
        scheme = thesaurus.schemes.get(uri)
        facet_id = _facet_id(scheme, facets, is_only=len(members) == 1)
        name = (scheme and scheme.label) or name_from_id(facet_id)
        children, ambiguous = build_trees(used, thesaurus.narrower, thesaurus.tops)
        facets[facet_id] = {
            "kind": "multi",
            "name": name,
            "definition": scheme.definition if scheme else "",
            "categories": _Drafter(concepts, children, language).categories(),
        }
        warnings += _tree_warnings(concepts, children, ambiguous, name)
    taxonomy = Taxonomy.model_validate({"survey": {"title": title or "Survey"}, "facets": facets})
    faults = tuple(Fault("warning", label, None, *words) for words in warnings)
    return ReadThesaurus(taxonomy, faults, path.name)


def save_draft(path: Path, thesaurus: ReadThesaurus) -> None:
    """Write taxonomy.yaml to `path`; raise OutputError if the path already exists."""
    if os.path.lexists(path):
        raise OutputError(f"{path} exists; nothing was written. Choose another file with -o.")
    write_file(path, thesaurus.yaml().encode())


def _facet_id(scheme: Concept | None, used_ids: Collection[str], *, is_only: bool) -> str:
    """Return a free id for the facet of a scheme."""
    facet_id = "topic" if is_only or scheme is None else slug(scheme.label).replace("-", "_")
    if not re.fullmatch(FACET_ID, facet_id):
        facet_id = f"facet_{facet_id}".rstrip("_")
    if facet_id in RESERVED_FACET_IDS or facet_id.startswith(RESERVED_STARTS):
        facet_id = f"facet_{facet_id}"
    return _free_id(facet_id, "_", used_ids)


def _free_id(proposed_id: str, separator: str, used_ids: Collection[str]) -> str:
    """Return an id, with a number appended if the id is already used."""
    numbered = (f"{proposed_id}{separator}{number}" for number in count(2))
    return next(each for each in chain([proposed_id], numbered) if each not in used_ids)


class _Drafter:
    """Creates the categories of a facet from the trees of a scheme."""

    def __init__(
        self, concepts: dict[str, Concept], children: dict[str, list[str]], language: str
    ) -> None:
        self._concepts, self._children, self._language = concepts, children, language
        self._names: set[str] = set()
        self._tops = {file_name_of(slug(concepts[uri].label)) for uri in children[""]}

    def categories(self) -> list[dict[str, Any]]:
        """Return the fields of the top categories, with their children."""
        tops = self._level(self._children[""], "", "")
        for top, uri in zip(tops, self._children[""], strict=True):
            children = self._children[uri]
            top["children"] = self._level(children, f"{top['id']}/", top["name"])
            for child, below in zip(top["children"], children, strict=True):
                child["cues"] = self._cues(below, all_below(below, self._children))
        return tops

    def _level(self, uris: Sequence[str], prefix: str, parent: str) -> list[dict[str, Any]]:
        """Return the fields of the categories on one level; their ids begin with `prefix`."""
        found: list[dict[str, Any]] = []
        used: set[str] = set()
        for uri in uris:
            concept = self._concepts[uri]
            name = slug(concept.label) or slug(re.split("[/#:]", uri.rstrip("/#:"))[-1])
            part = _free_id(file_name_of(name or "concept"), "-", used)
            used.add(part)
            found.append({
                "id": prefix + part,
                "name": self._name(concept.label or name_from_id(part), prefix + part, parent),
                "definition": concept.definition,
                "cues": self._cues(uri, []),
            })  # fmt: skip
        return found

    def _name(self, label: str, identifier: str, parent: str) -> str:
        """Return a unique name: the label; if it is used, with its parent or a number."""
        numbered = (f"{label} ({number})" for number in count(2))
        for name in chain([label], [f"{label} ({parent})"] if parent else [], numbered):
            key = spelling_key(name)
            if key not in self._names and (key not in self._tops or key == identifier):
                break
        self._names.add(key)
        return name

    def _cues(self, uri: str, below: Sequence[str]) -> dict[str, list[str]]:
        """Return the cues of a concept and of the concepts in `below`, which are not categories."""
        concept = self._concepts[uri]
        others = [*concept.others]
        for each in below:
            others += [self._concepts[each].label, *self._concepts[each].others]
        language = concept.language or self._language.lower()
        return cues_of(concept.label, others, is_english=language.partition("-")[0] == "en")


# "Bridges (dentistry)": the qualifier separates homonyms; sentences do not have it.
_QUALIFIER: Final = re.compile(r"(?<=\S)\s*\([^()]*\)\s*$")
# Ending of a plural -> ending of its base form; the first that fits decides.
_PLURALS: Final = (
    ("series", "series"), ("species", "species"), ("ss", "ss"), ("us", "us"), ("is", "is"),
    ("as", "as"), ("ies", "y"), ("yses", "ysis"), ("theses", "thesis"), ("sses", "ss"),
    ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("s", ""),
)  # fmt: skip


def cues_of(
    preferred_label: str, other_labels: Iterable[str], *, is_english: bool
) -> dict[str, list[str]]:
    """Return cues by list, from the labels of a concept.

    The preferred label and labels of one word are cues for titles; labels of several words are cues
    for any part. An English plural becomes its base form with `~`.

    >>> cues_of("Neural networks", ["ANN", "connectionist model"], is_english=True)
    {'title': ['Neural network~', 'ANN'], 'anywhere': ['Neural network~', 'connectionist model']}
    """
    first = cue_of_label(preferred_label, is_english=is_english)
    distinct: dict[object, str] = {}  # cues that match the same are one
    for cue in (first, *(cue_of_label(label, is_english=is_english) for label in other_labels)):
        if cue:
            distinct.setdefault(frozenset(parse_cue(cue)), cue)
    title = [cue for cue in distinct.values() if cue == first or " " not in cue]
    anywhere = [cue for cue in distinct.values() if " " in cue]
    return {view: cues for view, cues in (("title", title), ("anywhere", anywhere)) if cues}


def cue_of_label(label: str, *, is_english: bool) -> str:
    """Return a label without its qualifier as a cue; "" if it cannot be a cue."""
    words = re.sub("[~_]", " ", _QUALIFIER.sub("", label)).split()
    if is_english and words:
        words[-1] = _singular(words[-1])
    cue = " ".join(words)
    try:
        return cue if parse_cue(cue) else ""
    except CueError:
        return ""


def _singular(word: str) -> str:
    """Return the base form of a plural with `~`; any other word is unchanged.

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


# --- Warnings: actual, expected and hint ---------------------------------------------------------


def _label_warnings(
    concepts: dict[str, Concept], deprecated: Sequence[str], language: str
) -> Iterator[tuple[str, str, str]]:
    """Yield warnings about labels."""
    expected = language.lower().partition("-")[0]
    nameless = [uri for uri, concept in concepts.items() if not concept.label]
    foreign = [
        uri for uri, concept in concepts.items()
        if concept.language and concept.language.partition("-")[0] != expected
    ]  # fmt: skip
    if nameless:
        found = f"{len(nameless)} concept(s) without a label: {_list(nameless, concepts)}"
        hint = "They are named after their address and have no cues. Rename or delete them."
        yield found, "a skos:prefLabel", hint
    if foreign:
        found = f"{len(foreign)} concept(s) without a label in '{language}': "
        hint = "Labels in another language were used; choose it with --language."
        yield found + _list(foreign, concepts), "labels in one language", hint
    if deprecated:
        found = f"{len(deprecated)} deprecated concept(s): {_list(deprecated, concepts)}"
        yield found, "concepts in use", "They were left out."


def _tree_warnings(
    concepts: dict[str, Concept],
    children: dict[str, list[str]],
    ambiguous: Sequence[str],
    name: str,
) -> Iterator[tuple[str, str, str]]:
    """Yield warnings about the trees."""
    second = [child for top in children[""] for child in children[top]]
    deep = [below for child in second for below in all_below(child, children)]
    if ambiguous:
        found = f"{len(ambiguous)} concept(s) with several broader concepts, or in a circle, in "
        hint = "Each concept was placed as near to the top as possible. Move it if that is wrong."
        yield f"{found}'{name}': {_list(ambiguous, concepts)}", "one parent per category", hint
    if deep:
        found = f"{len(deep)} concept(s) below the second level of '{name}': "
        hint = "Their labels became cues of the child above them."
        yield found + _list(deep, concepts), "categories and one level of children", hint
    if len(children[""]) > MAX_TOPS:
        expected = f"at most {MAX_TOPS} categories, which reviewers can distinguish"
        hint = "Delete those that the survey does not need."
        yield f"{len(children[''])} top concepts in '{name}'", expected, hint


def _list(uris: Iterable[str], concepts: dict[str, Concept]) -> str:
    """Return concepts as a list of labels."""
    return listed([f"'{concepts[uri].label}'" if concepts[uri].label else uri for uri in uris])
