"""What the survey covers and leaves out, in the editors' words."""

from __future__ import annotations

from classifier.survey.document import Section
from classifier.survey.draft import Draft, paragraphs
from classifier.survey.material import Material


def scope_sections(material: Material) -> list[Section]:
    """Return the scope, one sentence a paragraph of the editors; nothing where they wrote none."""
    scope = material.taxonomy.survey.scope.strip()
    if not scope:
        return []
    texts = [block.strip() for block in scope.split("\n\n") if block.strip()]
    runs = [
        [Draft(str(position), text, "H", "taxonomy: survey/scope")]
        for position, text in enumerate(texts, 1)
    ]
    return [Section("scope", "Scope", 1, tuple(paragraphs("scope", *runs)))]
