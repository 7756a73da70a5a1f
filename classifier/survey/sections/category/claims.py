"""What the editors claim of a category, each time with what the data says to it."""

from __future__ import annotations

from collections.abc import Iterator

from classifier.survey.draft import Draft
from classifier.survey.sections.category.groups import answer_draft, group_draft
from classifier.survey.sections.category.names import name_draft, names_draft
from classifier.survey.sections.category.stated import code_draft, result_draft
from classifier.survey.sections.category.subject import Subject
from classifier.taxonomy.model import Claim

Evidence = tuple[str, str]
"""Key and value of a piece of evidence; the value is "" where all of a key's are meant."""


def claim_runs(subject: Subject) -> list[list[Draft | None]]:
    """Return the claims, each signed in a paragraph of its own and its evidence in the next.

    What two claims point to stands under the first of them, and what a question as a whole
    answers is not told again answer by answer.
    """
    runs: list[list[Draft | None]] = []
    told: set[Evidence] = set()
    for position, claim in enumerate(subject.category.claims, 1):
        name = f"claim-{position}"
        new = [term for term in claim.terms if term not in told and (term[0], "") not in told]
        whole = {key for key, value in new if not value}
        new = [(key, value) for key, value in new if not value or key not in whole]
        told.update(new)
        evidence = [
            _evidence(subject, term, f"{name}-evidence-{index}")
            for index, term in enumerate(new, 1)
        ]
        runs += [[_claim(subject, claim, name)], evidence]
    return runs


def claimed(subject: Subject) -> set[str]:
    """Return the facets, lexicons and facts that stand in full under a claim."""
    return set(_keys(subject)) if subject.number else set()


def _keys(subject: Subject) -> Iterator[str]:
    for claim in subject.category.claims:
        yield from (key for key, value in claim.terms if not value)


def _claim(subject: Subject, claim: Claim, name: str) -> Draft:
    signature = f"{claim.by}{', ' + claim.on if claim.on else ''}"
    return Draft(name, f"{claim.text.strip()} — {signature}", "H", f"{subject.source}/claims")


def _evidence(subject: Subject, term: Evidence, name: str) -> Draft | None:
    """Return what the data says to one piece of evidence."""
    key, value = term
    if not subject.number:
        return None
    if key == "code":
        return code_draft(subject, name)
    if key == "result":
        return result_draft(subject, name)
    facet = subject.material.taxonomy.facets.get(key)
    if facet is None:
        return name_draft(subject, key, value, name) if value else names_draft(subject, key, name)
    category = facet.resolve(value) if value else None
    if category is None:
        return group_draft(subject, facet, name)
    return answer_draft(subject, facet, category, name)
