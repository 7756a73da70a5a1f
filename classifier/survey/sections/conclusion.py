"""The end of the survey: what the editors argue, in a line each, and what no paper here tests."""

from __future__ import annotations

from collections.abc import Iterator

from classifier.survey.document import Draft, Section, paragraphs
from classifier.survey.sections.category.claims import with_citations
from classifier.survey.survey import Survey
from classifier.survey.wording import joined, linked
from classifier.taxonomy.model import Category
from classifier.text.links import without_dead_links
from classifier.text.sentences import split_sentences

ID = "conclusion"


def conclusion_sections(material: Survey) -> list[Section]:
    """Return the conclusion; none where the editors argue nothing."""
    runs = [list(_drafts(material, category)) for category in material.categories]
    blocks = paragraphs(ID, *runs)
    return [Section(ID, "Conclusion: what stays open", 1, tuple(blocks))] if blocks else []


def _drafts(material: Survey, category: Category) -> Iterator[Draft]:
    theses, claims = material.claims.under(category.id)
    source = f"taxonomy: claims/{category.id}"
    for number, thesis in enumerate(theses, 1):
        first = " ".join(split_sentences(thesis.text)[0].text.split())
        text = f"**{linked(category)}.** {with_citations(first, material)}"
        yield Draft(f"{category.id}-thesis-{number}", text, "H", source)
    asked = [
        f"[{without_dead_links(claim.text).removesuffix('.')}](#{claim.topic}-{claim.name})"
        for claim in claims
        if claim.open
    ]
    if asked:
        lead = "Untested here" if theses else f"**{linked(category)}.** Untested here"
        yield Draft(f"{category.id}-open", f"{lead}: {joined(asked)}.", "H", source)
