"""The end of the survey: all claims, by how they stand with the papers."""

from __future__ import annotations

from collections.abc import Iterator

from classifier.survey.claims import tally
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
    "supported": "Supported",
    "untested": "Untested",
}
"""How a claim stands, and how that is printed."""


def conclusion_sections(material: Survey) -> list[Section]:
    """Return the conclusion; none where the editors claim nothing."""
    runs = [list(_drafts(material, category)) for category in material.categories]
    blocks = paragraphs(ID, *runs)
    title = "Conclusion: what is disputed, what is supported, and what nobody tested"
    return [Section(ID, title, 1, tuple(blocks))] if blocks else []


def _drafts(material: Survey, category: Category) -> Iterator[Draft]:
    """Yield the claims of a category as links, with how many papers stand on each side."""
    _, claims = material.claims.under(category.id)
    lead = f"**{linked(category)}.** "
    for what, printed in _STANDINGS.items():
        found = [claim for claim in claims if _standing(material, claim) == what]
        for number, claim in enumerate(found, 1):
            text = without_dead_links(claim.text).removesuffix(".")
            begin = "" if number > 1 else f"{lead}{printed}: "
            yield Draft(
                f"{category.id}-{what}-{number}",
                f"{begin}[{text}](#{claim.topic}-{claim.name}){_sides(claim)}.",
                "H",
                f"taxonomy: claims/{category.id}",
            )
            lead = ""


def _standing(material: Survey, claim: Claim) -> str:
    """Return how a claim stands with the papers of the survey; "" where none is placed."""
    sides = {each.side for each in claim.placements if material.paper(each.paper_id)}
    if claim.open:
        return "untested"
    if "against" in sides:
        return "disputed" if "for" in sides else "contrary"
    if "depends" in sides:
        return "conditional"
    return "supported" if "for" in sides else ""


def _sides(claim: Claim) -> str:
    told = tally(claim)
    return f" ({told})" if told else ""
