"""The order of the survey: which sections follow one another."""

from __future__ import annotations

from classifier.survey.document import Document, Section, numbered
from classifier.survey.editorial import left_out_sections
from classifier.survey.references import cited_entries, reference, reference_sections
from classifier.survey.sections.abstract import abstract_sections
from classifier.survey.sections.appendix import taxonomy_appendix
from classifier.survey.sections.category import category_sections
from classifier.survey.sections.changes import change_sections
from classifier.survey.sections.citation import citation_sections
from classifier.survey.sections.introduction import introduction_sections
from classifier.survey.sections.landscape import landscape_sections
from classifier.survey.sections.method import method_sections
from classifier.survey.sections.numbers import numbers_sections
from classifier.survey.sections.taxonomy import taxonomy_sections
from classifier.survey.sections.themes import themes_sections
from classifier.survey.sections.threats import threats_sections
from classifier.survey.sections.unsolved import unsolved_sections
from classifier.survey.survey import Survey


def compose(material: Survey) -> Document:
    """Return the document of an edition."""
    survey = material.taxonomy.survey
    sections: tuple[Section, ...] = (
        *abstract_sections(material),
        *introduction_sections(material),
        *method_sections(material),
        *taxonomy_sections(material),
        *landscape_sections(material),
        *(
            section
            for category in material.categories
            for section in category_sections(material, category)
        ),
        *numbers_sections(material),
        *unsolved_sections(material),
        *themes_sections(material),
        *threats_sections(material),
        *taxonomy_appendix(material),
        *change_sections(material),
        *left_out_sections(material.facts, material.left_out),
        *citation_sections(material),
    )
    cited = cited_entries(material.entries, sections)
    sections += tuple(reference_sections(material.facts, len(cited)))
    return Document(
        survey.title,
        survey.subtitle,
        survey.editors,
        material.version,
        material.facts.text("papers.newest"),
        numbered(sections),
        tuple(map(reference, cited)),
    )
