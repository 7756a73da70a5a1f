"""What the survey covers and leaves out, in the editors' words."""

from __future__ import annotations

from classifier.survey.document import Section
from classifier.survey.draft import Draft, paragraphs
from classifier.survey.survey import Survey
from classifier.text.links import without_dead_links


def introduction_sections(material: Survey) -> list[Section]:
    """Return introduction and scope as the editors wrote it; none where they wrote none."""
    scope = without_dead_links(material.taxonomy.survey.scope.strip())
    texts = [block.strip() for block in scope.split("\n\n") if block.strip()]
    runs = [
        [Draft(str(position), text, "H", "taxonomy: survey/scope")]
        for position, text in enumerate(texts, 1)
    ]
    blocks = tuple(paragraphs("introduction", *runs))
    return [Section("introduction", "Introduction and scope", 1, blocks)] if blocks else []
