"""The comparison table of a category: its papers beside one another, in columns of its own."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.survey.document import Block, Table
from classifier.survey.draft import Draft, computed, paragraph, shared
from classifier.survey.edition import Entry
from classifier.survey.escape import escape_cell
from classifier.survey.exemplars import most_central
from classifier.survey.paper_names import called, short_name
from classifier.survey.sections.category.subject import CONTRIBUTION, Subject
from classifier.survey.wording import citation, long_date, number
from classifier.taxonomy.model import Facet

NOT_STATED = "–"
MOST_ROWS = 300
"""A table of more papers is a list that nobody reads: then it shows a selection."""
_MOST_CENTRAL = 100
_MOST_NEWEST = 100


def comparison_blocks(subject: Subject) -> list[Block]:
    """Return the table of the papers filed here and, of very many, where the others are."""
    if not subject.number:
        return []
    shown = selected(subject.entries)
    table = comparison_table(subject, shown)
    if len(shown) == subject.number:
        return [table]
    rest = [_selection(subject, len(shown)), _also_filed(subject, shown)]
    return [table, paragraph(subject.category.id, rest[:1]), paragraph(subject.category.id, rest[1:])]
