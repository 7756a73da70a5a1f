"""The end of the survey: what the papers dispute, and what none of them tests."""

from __future__ import annotations

from collections.abc import Iterator

from classifier.survey.document import Draft, Section, paragraphs
from classifier.survey.survey import Survey
from classifier.survey.wording import linked
from classifier.taxonomy.claims import Claim
from classifier.taxonomy.model import Category
from classifier.text.links import without_dead_links

ID = "conclusion"


def conclusion_sections(material: Survey) -> list[Section]:
    """Return the conclusion; none where the editors claim nothing that is disputed or open."""
    runs = [list(_drafts(material, category)) for category in material.categories]
    blocks = paragraphs(ID, *runs)
    title = "Conclusion: what is disputed, and what nobody tested"
    return [Section(ID, title, 1, tuple(blocks))] if blocks else []


def _drafts(material: Survey, category: Category) -> Iterator[Draft]:
    """Yield the claims of a category that have two sides, and the open ones, each as a link."""
    _, claims = material.claims.under(category.id)
    lead = f"**{linked(category)}.** "
    disputed = [claim for claim in claims if {"against", "depends"} & _sides(material, claim)]
    for what, found in (("Disputed", disputed), ("Untested", [c for c in claims if c.open])):
        for number, claim in enumerate(found, 1):
            text = without_dead_links(claim.text).removesuffix(".")
            begin = "" if number > 1 else f"{lead}{what}: "
            yield Draft(
                f"{category.id}-{what.lower()}-{number}",
                f"{begin}[{text}](#{claim.topic}-{claim.name}).",
                "H",
                f"taxonomy: claims/{category.id}",
            )
            lead = ""


def _sides(material: Survey, claim: Claim) -> set[str]:
    """Return the sides on which papers of the survey stand."""
    return {each.side for each in claim.placements if material.paper(each.paper_id)}
