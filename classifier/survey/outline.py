"""The order of the survey: which sections follow one another."""

from __future__ import annotations

from classifier.survey.document import Document
from classifier.survey.editorial import left_out_sections
from classifier.survey.material import Material
from classifier.survey.references import reference
from classifier.survey.sections.abstract import abstract_sections
from classifier.survey.sections.category import category_sections
from classifier.survey.sections.landscape import landscape_sections
from classifier.survey.sections.method import method_sections
from classifier.survey.sections.scope import scope_sections
from classifier.survey.sections.taxonomy import taxonomy_sections


def compose(material: Material) -> Document:
    """Return the document of an edition."""
    survey = material.taxonomy.survey
    sections = (
        *abstract_sections(material),
        *scope_sections(material),
        *method_sections(material),
        *taxonomy_sections(material),
        *landscape_sections(material),
        *(
            section
            for category in material.categories
            for section in category_sections(material, category)
        ),
        *left_out_sections(material.facts, material.left_out),
    )
    return Document(
        survey.title,
        survey.subtitle,
        survey.editors,
        material.version,
        material.facts.text("papers.newest"),
        sections,
        tuple(reference(entry) for entry in material.entries),
    )
