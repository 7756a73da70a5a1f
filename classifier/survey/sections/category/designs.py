"""How the papers of a category differ: a matrix of papers and design choices."""

from __future__ import annotations

from classifier.survey.document import Table
from classifier.survey.escape import escape_cell
from classifier.survey.paper_names import short_name
from classifier.survey.sections.category.subject import Subject
from classifier.survey.survey import current
from classifier.survey.wording import citation, named
from classifier.taxonomy.model import Category, Facet

DOT = "●"
_MIN_PAPERS = 3
"""A choice that fewer papers of the section make contrasts nothing; the table shows it."""
_MAX_ROWS = 60


def designs_table(subject: Subject) -> list[Table]:
    """Return the matrix: a row a paper in which a cue was found, a column a choice.

    A choice is a category of a facet that is asked of this category's papers. None where fewer
    than two choices are made by papers enough.
    """
    choices = [
        (facet, choice)
        for facet in subject.own_facets
        for choice in current(facet.categories)
        if subject.papers((facet.id, choice.id)).number >= _MIN_PAPERS
    ]
    if len(choices) < 2:
        return []
    rows = [
        (
            citation(entry),
            f"[{escape_cell(short_name(entry.paper.title_display))}](p/{entry.slug}.html)",
            *(_cell(entry.slug, facet, choice, entry.labels.facets) for facet, choice in choices),
        )
        for entry in sorted(
            subject.entries, key=lambda e: (e.paper.published.date or "9", e.number)
        )
        if any(choice.id in _chosen(facet, entry.labels.facets) for facet, choice in choices)
    ]
    return [
        Table(
            f"designs-{subject.category.id}",
            f"{named(subject.category)}: which paper makes which choice, from the oldest to the "
            f"newest? (choices of {_MIN_PAPERS} papers or more; blank where no cue was found)",
            ("Ref.", "Paper", *(f"{named(facet)}: {named(choice)}" for facet, choice in choices)),
            tuple(rows[-_MAX_ROWS:]),
        )
    ]


def _cell(slug: str, facet: Facet, choice: Category, labels: object) -> str:
    return f"[{DOT}](p/{slug}.html)" if choice.id in _chosen(facet, labels) else ""


def _chosen(facet: Facet, labels: object) -> tuple[str, ...]:
    """Return the categories of a facet that a paper has; none where it was not asked."""
    found = labels.get(facet.id) if isinstance(labels, dict) else None
    return tuple(found.categories) if found else ()
