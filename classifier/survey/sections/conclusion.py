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
_STANDINGS = {
    "disputed": "Disputed",
    "contrary": "Spoken against",
    "conditional": "Depends on conditions",
    "untested": "Untested",
}
"""How a claim stands, and how that is printed."""


def conclusion_sections(material: Survey) -> list[Section]:
    """Return the conclusion; none where the editors claim nothing that is disputed or open."""
    runs = [list(_drafts(material, category)) for category in material.categories]
    blocks = paragraphs(ID, *runs)
    title = "Conclusion: what is disputed, and what nobody tested"
    return [Section(ID, title, 1, tuple(blocks))] if blocks else []


def _drafts(material: Survey, category: Category) -> Iterator[Draft]:
    """Yield the claims of a category that not all papers bear, and the open ones, as links."""
    _, claims = material.claims.under(category.id)
    lead = f"**{linked(category)}.** "
    for what, printed in _STANDINGS.items():
        found = [claim for claim in claims if _standing(material, claim) == what]
        for number, claim in enumerate(found, 1):
            text = without_dead_links(claim.text).removesuffix(".")
            begin = "" if number > 1 else f"{lead}{printed}: "
            yield Draft(
                f"{category.id}-{what}-{number}",
                f"{begin}[{text}](#{claim.topic}-{claim.name}).",
                "H",
                f"taxonomy: claims/{category.id}",
            )
            lead = ""


def _standing(material: Survey, claim: Claim) -> str:
    """Return how a claim stands with the papers of the survey; "" where they all speak for it."""
    sides = {each.side for each in claim.placements if material.paper(each.paper_id)}
    if claim.open:
        return "untested"
    if "against" in sides:
        return "disputed" if "for" in sides else "contrary"
    return "conditional" if "depends" in sides else ""
