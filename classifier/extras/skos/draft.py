"""A thesaurus as a taxonomy: schemes become facets, concepts categories, labels cues.

A thesaurus that Fieldguide wrote gives its taxonomy back: terms of our own hold the order and what
SKOS cannot say; what another tool changed in labels, notes and hierarchy is taken over.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from classifier.extras.skos.labels import (
    EXCLUDES,
    INCLUDES,
    as_cue,
    cues_of,
    label_of,
    without_lost,
)
from classifier.extras.skos.thesaurus import Concept, Thesaurus
from classifier.taxonomy.model import (
    CUE_VIEWS,
    EVIDENCE_KEYS,
    FACET_ID,
    RESERVED_FACET_IDS,
    RESERVED_FACET_START,
    Category,
    Taxonomy,
    evidence_term,
    name_from_id,
    spelling_key,
)
from classifier.taxonomy.names import as_file, slug

LEVELS = 2
"""Categories and their children: the levels into which a paper can be put."""

# Of a taxonomy that people wrote, as many levels as its YAML may have.
_OWN_LEVELS = 16


@dataclass(frozen=True, slots=True)
class Branch:
    """A facet to be: a scheme and the trees of its concepts."""

    id: str
    name: str
    scheme: Concept | None
    """None where the thesaurus has no scheme, or for the concepts in none."""
    forest: Forest
    levels: dict[str, int]
    """Concept -> its level, 1 for the tops."""


def plant(thesaurus: Thesaurus) -> list[Branch]:
    """Return the facets to be: in the written order, of other thesauri the largest first."""
    members = {
        uri: [c for c in concepts if thesaurus.survey or not thesaurus.concepts[c].deprecated]
        for uri, concepts in thesaurus.members.items()
    }
    filled = [uri for uri in members if members[uri]]
    if thesaurus.survey is None:
        filled.sort(key=lambda uri: -len(members[uri]))
    branches: list[Branch] = []
    for uri in filled:
        scheme = thesaurus.schemes.get(uri)
        taken = [branch.id for branch in branches]
        facet_id = _facet_id(scheme, taken, is_only=len(filled) == 1)
        name = (scheme and scheme.label) or name_from_id(facet_id)
        forest = _forest(thesaurus, members[uri])
        branches.append(Branch(facet_id, name, scheme, forest, _levels(forest)))
    return branches


def draft_taxonomy(
    thesaurus: Thesaurus, branches: Sequence[Branch], title: str, language: str
) -> Taxonomy:
    """Return the taxonomy of a thesaurus; `title` names the survey where nothing else does.

    Raises pydantic's ValidationError where terms of our own were changed into what cannot be.
    """
    survey = thesaurus.survey
    drafter = _Drafter(thesaurus.concepts, language)
    fields = {**_own(survey), "title": title}
    if survey is not None:
        fields |= {"title": survey.label or title, "scope": survey.definition}
    facets = {branch.id: drafter.facet(branch, len(branches) == 1) for branch in branches}
    return _with_evidence_at_hand(Taxonomy.model_validate({"survey": fields, "facets": facets}))


def _with_evidence_at_hand(taxonomy: Taxonomy) -> Taxonomy:
    """Return the taxonomy without evidence of claims in lexicons and facets that were not read."""

    def category(found: Category) -> Category:
        claims = tuple(
            claim.model_copy(update={"evidence": tuple(filter(is_there, claim.evidence))})
            for claim in found.claims
        )
        children = tuple(map(category, found.children))
        return found.model_copy(update={"claims": claims, "children": children})

    def is_there(evidence: str) -> bool:
        key, value = evidence_term(evidence)
        facet = taxonomy.facets.get(key)
        return key in EVIDENCE_KEYS or (facet is not None and (not value or facet.knows(value)))

    facets = {
        name: facet.model_copy(update={"categories": tuple(map(category, facet.categories))})
        for name, facet in taxonomy.facets.items()
    }
    return taxonomy.model_copy(update={"facets": facets})


def _forest(thesaurus: Thesaurus, members: Sequence[str]) -> Forest:
    inside = set(members)
    narrower = {
        uri: [below for below in thesaurus.narrower[uri] if below in inside] for uri in members
    }
    return grow_forest(members, narrower, thesaurus.tops)


def _levels(forest: Forest) -> dict[str, int]:
    levels = dict.fromkeys(forest.roots, 1)
    for concept in [*forest.roots, *(c for root in forest.roots for c in forest.below(root))]:
        levels |= dict.fromkeys(forest.children[concept], levels[concept] + 1)
    return levels


def _facet_id(scheme: Concept | None, taken: Collection[str], *, is_only: bool) -> str:
    if scheme is not None and scheme.own is not None and re.fullmatch(FACET_ID, scheme.notation):
        return scheme.notation
    wanted = "topic" if is_only or scheme is None else slug(scheme.label).replace("-", "_")
    if not re.fullmatch(FACET_ID, wanted):
        wanted = f"facet_{wanted}".rstrip("_")
    if wanted in RESERVED_FACET_IDS or wanted.startswith(RESERVED_FACET_START):
        wanted = f"facet_{wanted}"
    return _free(wanted, "_", taken)


def _free(wanted: str, joint: str, taken: Collection[str]) -> str:
    """Return an id, with the first number behind it that makes it differ from those taken."""
    numbered = (f"{wanted}{joint}{number}" for number in count(2))
    return wanted if wanted not in taken else next(n for n in numbered if n not in taken)


def _own(concept: Concept | None) -> dict[str, Any]:
    own = concept.own if concept else None
    return {name: value for name, value in (own or {}).items() if name != "position"}


def _texts(value: object) -> list[str]:
    """Return the texts of a list that stands in a file that anybody may have edited."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _merged(listed: object, present: Collection[str]) -> list[str]:
    """Return what is present in the listed order; what was added elsewhere comes last."""
    known = _texts(listed)
    return [text for text in known if text in present] + sorted(set(present) - {*known})


class _Drafter:
    """Turns concepts into the fields of categories."""

    def __init__(self, concepts: Mapping[str, Concept], language: str) -> None:
        self._concepts = concepts
        self._language = language

    def facet(self, branch: Branch, is_only: bool) -> dict[str, Any]:
        """Return the fields of a facet."""
        scheme = branch.scheme
        ids = dict(self._ids(branch, branch.forest.roots, ""))
        names = self._names(branch, ids)
        fields = {
            "kind": "multi",
            **_own(scheme),
            "name": branch.name,
            "definition": scheme.definition if scheme else "",
        }
        tops = [self._category(branch, uri, ids, names) for uri in branch.forest.roots]
        return {**fields, "categories": tops}

    def _ids(
        self, branch: Branch, concepts: Iterable[str], above: str
    ) -> Iterator[tuple[str, str]]:
        """Yield (concept, id), a parent before its children."""
        taken: set[str] = set()
        for uri in concepts:
            concept = self._concepts[uri]
            notation = concept.notation.rpartition("/")[2] if concept.own else ""
            named = slug(concept.label) or slug(_last_part(uri)) or "concept"
            part = _free(slug(notation) or as_file(named), "-", taken)
            taken.add(part)
            identifier = f"{above}/{part}" if above else part
            yield uri, identifier
            if branch.levels[uri] < self._deepest(uri):
                yield from self._ids(branch, branch.forest.children[uri], identifier)

    def _deepest(self, uri: str) -> int:
        return LEVELS if self._concepts[uri].own is None else _OWN_LEVELS

    def _names(self, branch: Branch, ids: Mapping[str, str]) -> dict[str, str]:
        """Return concept -> name; where two would mean the same to a reviewer, the second differs.

        A name that stands a second time, or is the id of another category, gets its parent's name
        behind it, else a number.
        """
        owners = {identifier: uri for uri, identifier in ids.items()}
        parents = {c: uri for uri in ids for c in branch.forest.children[uri]}
        names: dict[str, str] = {}
        taken: set[str] = set()
        for uri, identifier in ids.items():
            name = self._concepts[uri].label or name_from_id(identifier)
            if self._concepts[uri].own is None:
                above = [f"{name} ({names[parents[uri]]})"] if uri in parents else []
                numbered = (f"{name} ({number})" for number in count(2))
                name = next(
                    candidate
                    for choices in ([name, *above], numbered)
                    for candidate in choices
                    if (key := spelling_key(candidate)) not in taken and owners.get(key, uri) == uri
                )
            names[uri] = name
            taken.add(spelling_key(name))
        return names

    def _category(
        self, branch: Branch, uri: str, ids: Mapping[str, str], names: Mapping[str, str]
    ) -> dict[str, Any]:
        concept, children = self._concepts[uri], branch.forest.children[uri]
        own = concept.own is not None
        fields = self._written(concept, ids) if own else self._drafted(concept)
        if branch.levels[uri] < self._deepest(uri):
            fields["children"] = [self._category(branch, c, ids, names) for c in children]
        elif children:
            below = [self._concepts[c] for c in branch.forest.below(uri)]
            fields["cues"] = self._cues(concept, below)
        return {**fields, "id": ids[uri], "name": names[uri]}

    def _drafted(self, concept: Concept) -> dict[str, Any]:
        definition = "\n\n".join(filter(None, [concept.definition, *concept.notes]))
        return {"definition": definition, "cues": self._cues(concept, [])}

    def _cues(self, concept: Concept, below: Sequence[Concept]) -> dict[str, list[str]]:
        """Return the cues of a concept and of those below it that are no categories."""
        english = (concept.language or self._language).lower().partition("-")[0] == "en"
        deeper = [label for each in below for label in (each.label, *each.others)]
        return cues_of(concept.label, [*concept.others, *deeper], english=english)

    def _written(self, concept: Concept, ids: Mapping[str, str]) -> dict[str, Any]:
        """Return what we wrote of a category, with what another tool changed since."""
        fields = _own(concept)
        if not fields and not concept.notation:  # added by another tool
            return self._drafted(concept)
        excludes = [note for note in concept.notes if note.startswith(EXCLUDES)]
        includes = [note for note in concept.notes if note not in excludes]
        labels = {spelling_key(label) for label in (concept.label, *concept.others)}
        aliases = [a for a in _texts(fields.get("aliases")) if spelling_key(a) in labels]
        if concept.notation and concept.notation != ids[concept.uri]:
            aliases.append(concept.notation)
        return {
            **fields,
            "definition": concept.definition,
            "includes": _merged(
                fields.get("includes"), [note.removeprefix(INCLUDES) for note in includes]
            ),
            "excludes": _merged(
                fields.get("excludes"), [note.removeprefix(EXCLUDES) for note in excludes]
            ),
            "exemplars": _merged(fields.get("exemplars"), concept.examples),
            "aliases": aliases,
            "cues": self._kept_cues(concept, fields),
            "replaced_by": ids.get(concept.replaced_by),
        }

    def _kept_cues(self, concept: Concept, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the written cues without those whose label is gone; new labels count anywhere."""
        written = fields.get("cues")
        cues = dict(written) if isinstance(written, Mapping) else {}
        labels = (concept.label, *concept.others)
        for view in CUE_VIEWS:
            if view in cues and view != "against":
                cues[view] = list(without_lost(_texts(cues[view]), labels))
        phrases = [label_of(cue) for view in cues for cue in _texts(cues[view])]
        known = {*map(spelling_key, [concept.label, *_texts(fields.get("aliases")), *phrases])}
        added = [label for label in concept.others if spelling_key(label) not in known]
        if added:
            new = filter(None, (as_cue(label, english=False) for label in added))
            cues["anywhere"] = [*_texts(cues.get("anywhere")), *new]
        return cues


def _last_part(uri: str) -> str:
    return re.split("[/#:]", uri.rstrip("/#:"))[-1]


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees that hold every concept once."""

    roots: list[str]
    """The tops, in the order of the concepts."""
    children: dict[str, list[str]]
    """Concept -> the concepts right below it, in their order; every concept has an entry."""
    shared: list[str] = field(default_factory=list)
    """Concepts that have a further parent, which they do not stand below."""
    circles: list[str] = field(default_factory=list)
    """Concepts at which a circle of broader concepts was cut."""

    def below(self, concept: str) -> list[str]:
        """Return everything below a concept, parents before their children."""
        found = [*self.children[concept]]
        for each in found:  # grows while it is walked
            found += self.children[each]
        return found


def grow_forest(
    concepts: Sequence[str], narrower: Mapping[str, Sequence[str]], tops: Set[str]
) -> Forest:
    """Return the trees of `concepts`, level by level from the tops.

    A concept is a top where `tops` holds it or nothing is broader. One with several parents goes
    below the first that is reached; one that only a circle leads to becomes a top.
    """
    broader: dict[str, list[str]] = {concept: [] for concept in concepts}
    for concept in concepts:
        for below in narrower.get(concept, ()):
            broader[below].append(concept)
    roots = [concept for concept in concepts if concept in tops or not broader[concept]]
    parents: dict[str, str | None] = dict.fromkeys(roots)
    forest = Forest(roots, {concept: [] for concept in concepts})
    _grow(forest, parents, roots, narrower)
    for concept in concepts:
        if concept not in parents:
            root = _on_circle(concept, broader)
            roots.append(root)
            parents[root] = None
            _grow(forest, parents, [root], narrower)
    order = {concept: index for index, concept in enumerate(concepts)}
    roots.sort(key=order.__getitem__)
    return forest


def _grow(
    forest: Forest,
    parents: dict[str, str | None],
    roots: Sequence[str],
    narrower: Mapping[str, Sequence[str]],
) -> None:
    waiting = deque(roots)
    while waiting:
        concept = waiting.popleft()
        for below in narrower.get(concept, ()):
            if below not in parents:
                parents[below] = concept
                forest.children[concept].append(below)
                waiting.append(below)
            else:
                closes = below in _line(concept, parents)
                found = forest.circles if closes else forest.shared
                if below not in found:
                    found.append(below)


def _line(concept: str, parents: Mapping[str, str | None]) -> list[str]:
    """Return a concept and everything above it."""
    line = [concept]
    while (above := parents[line[-1]]) is not None:
        line.append(above)
    return line


def _on_circle(concept: str, broader: Mapping[str, Sequence[str]]) -> str:
    """Return the first concept met twice on the way up, which has no end."""
    seen: set[str] = set()
    while concept not in seen:
        seen.add(concept)
        concept = broader[concept][0]
    return concept
