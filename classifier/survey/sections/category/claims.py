"""What the editors claim of a category, each time with what the data says to it."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.survey.draft import Draft
from classifier.survey.sections.category.borders import topics_draft
from classifier.survey.sections.category.groups import group_draft, unanswered_draft
from classifier.survey.sections.category.names import named_draft, names_draft
from classifier.survey.sections.category.scale import kinds_draft, parts_draft
from classifier.survey.sections.category.stated import code_draft, result_draft
from classifier.survey.sections.category.subject import CONTRIBUTION, Subject
from classifier.taxonomy.model import Category, Claim, Facet
from classifier.text.links import without_dead_links

Evidence = tuple[str, str]
"""Key and value of a piece of evidence; the value is "" where all of a key's are meant."""


def claim_runs(subject: Subject, sections: Sequence[Category] = ()) -> list[list[Draft | None]]:
    """Return the claims, each signed in a paragraph of its own, and their evidence in the next.

    What two claims point to is told once, under both. `sections` are the parts with a section.
    """
    runs: list[list[Draft | None]] = []
    for claims, terms in _grouped(subject):
        name = f"claim-{claims[0][0]}"
        evidence = [
            _evidence(subject, sections, key, values, f"{name}-evidence-{index}")
            for index, (key, values) in enumerate(_by_key(terms), 1)
        ]
        runs += [[_claim(subject, claim, f"claim-{position}")] for position, claim in claims]
        runs.append(evidence)
    return runs


def claimed(subject: Subject) -> set[str]:
    """Return the facets, lexicons and facts that stand in full under a claim."""
    terms = (term for claim in subject.category.claims for term in _asked(subject, claim))
    return {key for key, value in terms if not value}


def claimed_names(subject: Subject, lexicon: str) -> set[str]:
    """Return the names of a lexicon that claims point to one by one."""
    return {value for claim in subject.category.claims for k, value in claim.terms if k == lexicon}


def _grouped(subject: Subject) -> list[tuple[list[tuple[int, Claim]], list[Evidence]]]:
    """Return the claims, numbered, with what no earlier one points to.

    A claim that points to nothing new stands beside the first that points to the same.
    """
    groups: list[tuple[list[tuple[int, Claim]], list[Evidence]]] = []
    for numbered in enumerate(subject.category.claims, 1):
        asked = _asked(subject, numbered[1])
        told = {term for _, terms in groups for term in terms}
        new = [term for term in asked if term not in told]
        home = [group for group in groups if set(group[1]) & set(asked)]
        if new or not home:
            groups.append(([numbered], new))
        else:
            home[0][0].append(numbered)
    return groups


def _asked(subject: Subject, claim: Claim) -> list[Evidence]:
    """Return the evidence of a claim; an answer is told with the other answers of its question."""
    return list(dict.fromkeys(_in_full(subject, *term) for term in claim.terms))


def _in_full(subject: Subject, key: str, value: str) -> Evidence:
    facets = subject.material.taxonomy.facets
    if key == subject.material.first.id:
        return (key, "" if value.startswith(f"{subject.category.id}/") else value)
    return (key, "" if key in facets else value)


def _by_key(terms: Sequence[Evidence]) -> list[tuple[str, list[str]]]:
    """Return keys with their values, so that one sentence tells of all; [] where a key is whole."""
    asked: dict[tuple[str, bool], list[str]] = {}
    for key, value in terms:
        asked.setdefault((key, bool(value)), []).extend([value] if value else [])
    return [(key, values) for (key, _), values in asked.items()]


def _claim(subject: Subject, claim: Claim, name: str) -> Draft:
    signature = f"{claim.by}{', ' + claim.on if claim.on else ''}"
    return Draft(
        name,
        f"{without_dead_links(claim.text.strip())} — {signature}",
        "H",
        f"{subject.source}/claims",
    )


def _evidence(
    subject: Subject, sections: Sequence[Category], key: str, values: Sequence[str], name: str
) -> Draft | None:
    """Return what the data says to one piece of evidence; no values: to all of a key's."""
    if not subject.number:
        return None
    if key == "code":
        return code_draft(subject, name)
    if key == "result":
        return result_draft(subject, name)
    facet = subject.material.taxonomy.facets.get(key)
    if facet is None:
        found = named_draft(subject, key, values, name) if values else None
        return found or names_draft(subject, key, name)
    also = _pointed_to(subject, facet)
    if facet.id == CONTRIBUTION:
        return kinds_draft(subject, name, also)
    if facet.id == subject.material.first.id:
        others = [category for value in values if (category := facet.resolve(value))]
        parts = parts_draft(subject, sections, name, also)
        return topics_draft(subject, others, name) if others else parts
    return group_draft(subject, facet, name, also) or unanswered_draft(subject, [facet], name)


def _pointed_to(subject: Subject, facet: Facet) -> set[str]:
    """Return the ids of the answers that claims name: told of even where no paper gives them."""
    terms = (term for claim in subject.category.claims for term in claim.terms)
    named = (facet.resolve(value) for key, value in terms if key == facet.id and value)
    return {category.id for category in named if category}
