"""What the editors claim of a category, each time with what the data says to it."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.survey.draft import Draft
from classifier.survey.sections.category.borders import topics_draft
from classifier.survey.sections.category.groups import answers_draft, group_draft, unanswered_draft
from classifier.survey.sections.category.names import named_draft, names_draft
from classifier.survey.sections.category.scale import kind_draft, kinds_draft
from classifier.survey.sections.category.stated import code_draft, result_draft
from classifier.survey.sections.category.subject import CONTRIBUTION, Subject
from classifier.taxonomy.model import Claim, Facet

Evidence = tuple[str, str]
"""Key and value of a piece of evidence; the value is "" where all of a key's are meant."""


def claim_runs(subject: Subject) -> list[list[Draft | None]]:
    """Return the claims, each signed in a paragraph of its own and its evidence in the next.

    What two claims point to stands under the first of them, and what a question as a whole
    answers is not told again answer by answer, unless a claim would stand without evidence.
    """
    runs: list[list[Draft | None]] = []
    told: set[Evidence] = set()
    for position, claim in enumerate(subject.category.claims, 1):
        name = f"claim-{position}"
        whole = told | {term for term in claim.terms if not term[1]}
        new = [t for t in claim.terms if t not in told and (not t[1] or (t[0], "") not in whole)]
        asked = _by_key(new or claim.terms)
        told.update(new)
        evidence = [
            _evidence(subject, key, values, f"{name}-evidence-{index}")
            for index, (key, values) in enumerate(asked.items(), 1)
        ]
        runs += [[_claim(subject, claim, name)], evidence]
    return runs


def _by_key(terms: Sequence[Evidence]) -> dict[str, list[str]]:
    """Return key -> its values, so that one sentence tells of all; [] where a key stands alone."""
    asked: dict[str, list[str]] = {}
    for key, value in terms:
        asked.setdefault(key, []).extend([value] if value else [])
    return asked


def claimed(subject: Subject) -> set[str]:
    """Return the facets, lexicons and facts that stand in full under a claim."""
    return {key for claim in subject.category.claims for key, value in claim.terms if not value}


def claimed_answers(subject: Subject, facet: Facet) -> set[str]:
    """Return the categories of a facet that claims point to one by one."""
    named = (
        value for claim in subject.category.claims for k, value in claim.terms if k == facet.id
    )
    return {category.id for value in named if value and (category := facet.resolve(value))}


def _claim(subject: Subject, claim: Claim, name: str) -> Draft:
    signature = f"{claim.by}{', ' + claim.on if claim.on else ''}"
    return Draft(name, f"{claim.text.strip()} — {signature}", "H", f"{subject.source}/claims")


def _evidence(subject: Subject, key: str, values: Sequence[str], name: str) -> Draft | None:
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
    categories = [category for value in values if (category := facet.resolve(value))]
    if facet.id == CONTRIBUTION:
        return kind_draft(subject, categories, name) if categories else kinds_draft(subject, name)
    if facet.id == subject.material.first.id:
        return topics_draft(subject, categories, name) if categories else None
    if not categories:
        return group_draft(subject, facet, name) or unanswered_draft(subject, [facet], name)
    return answers_draft(subject, facet, categories, name)
