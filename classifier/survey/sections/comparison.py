"""The comparison table of a category: its papers beside one another."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.survey.document import Table
from classifier.survey.edition import Entry
from classifier.survey.escape import escape_cell
from classifier.survey.wording import citation, long_date
from classifier.taxonomy.model import Category, Taxonomy


def comparison_table(taxonomy: Taxonomy, category: Category, filed: Sequence[Entry]) -> Table:
    """Return the papers filed under a category: key papers, then newest first, undated last."""
    rows = tuple(_paper_row(taxonomy, entry) for entry in filed)
    return Table(
        f"papers-{category.id}",
        f"Which papers are filed under {category.name}, and what does each do?",
        ("Ref.", "Paper", "Date", "Contribution", "What it does", "Topic label"),
        rows,
    )


def _paper_row(taxonomy: Taxonomy, entry: Entry) -> tuple[str, ...]:
    labels = entry.labels.facets.get("contribution")
    kind = taxonomy.facet("contribution").get(labels.primary) if labels else None
    return (
        citation(entry),
        f"[{escape_cell(entry.paper.title_display)}](p/{entry.slug}.html)"
        f"{' (key paper)' if entry.key else ''}",
        long_date(entry.paper.published),
        kind.name if kind else "",
        escape_cell(entry.contribution) or "not stated",
        entry.first.status,
    )
