"""A row of a sheet after what it said was taken up."""

from __future__ import annotations

from collections.abc import Collection

from classifier.files.table import Row
from classifier.review.answer import Answer
from classifier.review.ledger_faults import ADJUDICATED
from classifier.review.seal import label_columns, seal, with_seal, without_seal
from classifier.review.sheet import JOINER, human_columns
from classifier.review.statement import Statement
from classifier.taxonomy.model import NOT_STATED, Taxonomy


def rewritten(statement: Statement, taxonomy: Taxonomy) -> Row:
    """Return the row with what was decided in its label columns, its human cells empty.

    Only columns that the sheet has are written. Other cells stay as they are, and so does
    `adjudicated`: what else is settled in the row of a dispute is adjudicated, too.
    """
    cells = dict(statement.row.cells)
    cells |= {column: "" for column in human_columns(taxonomy) if column in cells}
    if statement.reviewer == ADJUDICATED and "reviewer" in cells:
        cells["reviewer"] = ADJUDICATED
    decided = {answer.facet: answer for answer in statement.answers}
    labels = {
        "topics" if answer.facet == taxonomy.first.id else answer.facet: _cell(answer)
        for answer in decided.values()
        if answer.facet in taxonomy.facets
    }
    if taxonomy.first.id in decided:
        labels |= {"primary": decided[taxonomy.first.id].primary}
        labels |= {"status": "reviewed", "confidence": "1.00"}
    cells |= {column: cell for column, cell in labels.items() if column in cells}
    if labels and "why" in cells:
        cells["why"] = _why(statement, taxonomy, cells, labels)
    return Row(statement.row.line, cells, statement.row.extra, statement.row.row)


def _cell(answer: Answer) -> str:
    """Return labels as a build shows them: an empty cell where nothing is stated."""
    return JOINER.join(value for value in answer.values if value != NOT_STATED)


def _why(
    statement: Statement, taxonomy: Taxonomy, cells: dict[str, str], decided: Collection[str]
) -> str:
    """Return who decided; with a seal where every label in the row is Fieldguide's or decided."""
    why = without_seal(cells["why"])
    if "primary" in decided:
        why = f"decided by {statement.reviewer}"
    shown = statement.shown
    if shown.trusted:
        digest = shown.digest or taxonomy.digest
        return with_seal(why, seal(cells, shown.columns, digest))
    columns = label_columns(taxonomy)
    if all(column in cells and (column in decided or not cells[column]) for column in columns):
        return with_seal(why, seal(cells, columns, taxonomy.digest))
    return why
