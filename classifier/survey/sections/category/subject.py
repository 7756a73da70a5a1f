"""The subject of a section: a category or subcategory, with its papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from classifier.survey.entry import SurveyPaper
from classifier.survey.facts import Selection
from classifier.survey.quotation import mentions_any
from classifier.survey.survey import Survey, current_categories
from classifier.survey.table import Term
from classifier.taxonomy.model import Category, Facet, Taxonomy


@dataclass(frozen=True, slots=True)
class Subject:
    """A category or subcategory, and the papers in its section."""

    survey: Survey
    category: Category
    terms: tuple[Term, ...]
    """The query that selects the papers of the section."""

    def papers(self, *terms: Term) -> Selection:
        """Return the papers in the section that also match all `terms`."""
        return self.survey.facts.select(*self.terms, *terms)

    @property
    def entries(self) -> Sequence[SurveyPaper]:
        """The papers in the section, by reference number."""
        return self.papers().entries

    def is_obvious_for(self, entry: SurveyPaper, sentence: str) -> bool:
        """Return whether a reader can see why a paper is quoted in this section.

        This is so if a person chose its category, or if its title or the quotation contains the
        name of the category or one of its cues.
        """
        if entry.paper.abstract_kind == "digest" or entry.first.status == "reviewed":
            return True
        cues = self.category.cues
        is_written = bool(self.category.definition)  # drafted cues are not meaningful to readers
        phrases = (*cues.title, *cues.contribution) if is_written else ()
        return mentions_any((self.category.name, *phrases), f"{entry.paper.title} {sentence}")

    @property
    def number(self) -> int:
        """Number of papers in the section."""
        return self.papers().number

    @property
    def all_papers(self) -> Selection:
        """All papers with the category, as primary or as further category."""
        return self.survey.facts.select((self.survey.first.id, self.category.id))

    @property
    def source(self) -> str:
        """The source of sentences about the category."""
        return f"taxonomy: {self.survey.first.id}/{self.category.id}"

    @property
    def own_facets(self) -> list[Facet]:
        """The facets that apply to this category but not to all categories."""
        taxonomy = self.survey.taxonomy
        path = (self.survey.first.top_id_of(self.category.id), self.category.id)
        of_all = themes(taxonomy)
        return [
            facet
            for facet in taxonomy.facets.values()
            if facet.applies_to and facet.applies_to_topics(path) and facet not in of_all
        ]

    def categories_of(self, facet: Facet) -> list[tuple[Selection, Category]]:
        """Return the categories of a facet with their papers in the section, the largest first."""
        selected = [
            (self.papers((facet.id, c.id)), c) for c in current_categories(facet.categories)
        ]
        present = [(selection, category) for selection, category in selected if selection.number]
        return sorted(present, key=lambda item: -item[0].number)

    @property
    def kinds(self) -> list[tuple[Selection, Category]]:
        """The kinds of contribution with their papers in the section, the largest first."""
        facet = self.survey.taxonomy.facets.get(self.survey.roles.contribution)
        return self.categories_of(facet) if facet else []


def top_subject(survey: Survey, category: Category) -> Subject:
    """Return a top category with the papers whose primary it is."""
    return Subject(survey, category, (("filed", category.id),))


def themes(taxonomy: Taxonomy) -> list[Facet]:
    """Return the facets that state in `applies_to` every top category of the first facet."""
    tops = [category.id for category in taxonomy.first.categories]
    return [
        facet
        for facet in taxonomy.facets.values()
        if facet.applies_to and all(facet.applies_to_topics((top,)) for top in tops)
    ]
