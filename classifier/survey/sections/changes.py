"""What changed since the labels were last published, where there is something to compare."""

from __future__ import annotations

from classifier.survey.changes.compare import Changes
from classifier.survey.changes.in_sections import label_change
from classifier.survey.document import Block, Draft, Section, Table, computed, paragraphs
from classifier.survey.escape import escape_cell
from classifier.survey.survey import Survey
from classifier.survey.wording import counted, how_many, joined, number, opening, verb

_MOST_MOVES = 40


def change_sections(material: Survey) -> list[Section]:
    """Return what changed since the labels were last published, where there is something."""
    changes = material.changes
    if changes is None:
        return []
    _add_facts(material, changes)
    blocks: list[Block] = list(paragraphs("changes", change_drafts(changes)))
    if changes.relabelled:
        blocks.append(_moves_table(changes))
    return [Section("changes", "Appendix: what changed", 1, tuple(blocks))]


def _add_facts(material: Survey, changes: Changes) -> None:
    before, now = changes.papers
    add = material.facts.add
    add("changes.papers_before", before, "papers in what was published before")
    add("changes.papers_now", now, "papers now")
    add("changes.added", len(changes.added), "papers added since")
    add("changes.dropped", len(changes.dropped), "papers dropped since")
    add("changes.merged", len(changes.merged), "papers merged into another since")
    add("changes.labels_moved", len(changes.relabelled), "labels moved since")


def change_drafts(changes: Changes) -> list[Draft | None]:
    """Return what came, went and moved against what was published before."""
    against = "the labels were last locked" if changes.kind == "lock" else "the earlier build"
    before, now = changes.papers
    if not changes:
        text = f"Since {against} nothing changed: {counted(now, 'paper')}."
        return [computed("none", text, "changes.papers_now")]
    moves = [
        f"{how_many(len(found))} {verb(len(found), 'was', 'were')} {word}"
        for found, word in (
            (changes.added, "added"),
            (changes.dropped, "dropped"),
            (changes.merged, "merged into another"),
        )
    ]
    papers = f"{counted(before, 'paper')} became {number(now)}" if before != now else (
        f"the number of papers stayed at {number(now)}"
    )  # fmt: skip
    text = f"Since {against} {papers}: {joined(moves)}."
    names = ["papers_before", "papers_now", "added", "dropped", "merged"]
    labels = len(changes.relabelled)
    moved = f"{opening(counted(labels, 'label'))} moved."
    return [
        computed("papers", text, *(f"changes.{name}" for name in names)),
        computed("labels", moved, "changes.labels_moved") if labels else None,
    ]


def _moves_table(changes: Changes) -> Table:
    shown = changes.relabelled[:_MOST_MOVES]
    cut = f" (the first {_MOST_MOVES} by id)" if len(changes.relabelled) > _MOST_MOVES else ""
    return Table(
        "moves",
        f"Which labels moved, and why?{cut}",
        ("Paper", "Facet", "Change", "Reason"),
        tuple(
            (
                escape_cell(move.title),
                escape_cell(move.facet),
                escape_cell(label_change(move.before, move.now)),
                move.reason,
            )
            for move in shown
        ),
    )
