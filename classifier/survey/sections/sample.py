"""The sample in one table: how many papers a category holds, and what is known of them."""

from __future__ import annotations

from classifier.survey.document import Table
from classifier.survey.facts.query import Term
from classifier.survey.facts.terms import UNDATED
from classifier.survey.survey import Survey
from classifier.survey.wording import linked


def sample_table(material: Survey) -> Table:
    """Return counts by category; what no paper of the survey has makes no column."""
    facts, topic = material.facts, material.first.id
    asked: list[tuple[str, Term]] = [("Decided by a reader", ("status", "reviewed"))]
    if any(status == "imported" for status in facts.values("status")):
        asked.append(("Imported", ("status", "imported")))
    asked.append(("Provisional", ("status", "provisional")))
    if material.tells_of_results:
        asked.append(("A result recognised", ("result", "stated")))
    if material.tells_of_code:
        asked.append(("Code linked or announced", ("code", "yes")))
    rows = []
    for category in material.categories:
        filed = facts.count(filed=category.id)
        also = facts.count((topic, category.id)) - filed
        counts = [facts.count(term, filed=category.id) for _, term in asked]
        years = sorted(
            entry.paper.published.date[:4]
            for entry in facts.select(filed=category.id).entries
            if entry.paper.published.date
        )
        undated = facts.count(filed=category.id, year=UNDATED)
        span = "" if not years else years[0] if years[0] == years[-1] else f"{years[0]}–{years[-1]}"
        rows.append((linked(category), *map(str, (filed, also, *counts)), span, str(undated or "")))
    columns = ("Category", "Filed", "Also here", *(words for words, _ in asked), "Years", "Undated")
    return Table(
        "sample",
        "How many papers does each category hold, and what is known of them? Filed there; filed "
        "elsewhere but also there; of those filed there.",
        columns,
        tuple(rows),
        numeric=(*range(1, len(asked) + 3), len(asked) + 4),
    )
