"""The section of a category and those of its parts: what a reader gets, in this order.

What is at stake (definition, thesis, claims), where to begin, what papers do and found, what they
leave open, how their designs differ, and the table.
"""

from __future__ import annotations

from itertools import chain

from classifier.survey.document import Block, Draft, Section, computed, paragraphs, shared
from classifier.survey.editorial import key_sentence, remark_paragraphs
from classifier.survey.paper_names import called
from classifier.survey.sections.category.claims import claim_runs, plain_claims, thesis_runs
from classifier.survey.sections.category.comparison import comparison_blocks, designs_table
from classifier.survey.sections.category.examples import (
    example_drafts,
    finding_drafts,
    found_by,
    part_examples,
)
from classifier.survey.sections.category.path import path_drafts
from classifier.survey.sections.category.subject import Subject, part_subject, top_subject
from classifier.survey.sections.unsolved import open_problem_drafts, unsolved_draft
from classifier.survey.survey import Survey, current
from classifier.survey.wording import cited, counted, joined, number, opening
from classifier.taxonomy.model import Category
from classifier.text.links import without_dead_links

# A part with fewer papers is named in the section of the whole.
PART_AT_LEAST = 3
_MOST_NEW = 5

Run = list[Draft | None]


def category_sections(material: Survey, category: Category) -> list[Section]:
    """Return the section of a top category, and one of each part with papers enough."""
    subject = top_subject(material, category)
    children = (part_subject(material, category, child) for child in current(category.children))
    parts = [part for part in children if part.number >= PART_AT_LEAST]
    told = {entry.number for entry, _ in found_by(subject)}
    shown: dict[str, dict[int, Draft | None]] = {}
    for part in parts:
        shown[part.category.id] = part_examples(part, told)
        told |= shown[part.category.id].keys()
    told_below = {number for examples in shown.values() for number in examples}
    runs = category_runs(subject, told_below)
    below = {
        part.category.id: part_runs(part, [*shown[part.category.id].values()]) for part in parts
    }
    every = [draft for run in chain(runs, *below.values()) for draft in run if draft]
    quoted = " ".join(draft.text for draft in every if draft.kind == "Q")
    blocks: list[Block] = [
        *paragraphs(category.id, *runs),
        *designs_table(subject),
        *comparison_blocks(subject, quoted),
        *remark_paragraphs(list(subject.entries)),
    ]
    return [
        Section(category.id, category.name, 1, tuple(blocks)),
        *(
            Section(
                part.category.id,
                part.category.name,
                2,
                tuple(paragraphs(part.category.id, *below[part.category.id])),
            )
            for part in parts
        ),
    ]


def category_runs(subject: Subject, told_below: set[int] | None = None) -> list[Run]:
    """Return what is said of a category, a list a paragraph."""
    if subject.category.out_of_scope:
        return [[_definition(subject)]]
    if not subject.number:
        return [[_definition(subject)], [_elsewhere(subject)]]
    material, category = subject.material, subject.category
    found = found_by(subject)
    elsewhere = (told_below or set()) | {entry.number for entry, _ in found}
    argues = len(found) > 1 and not subject.kinds  # what each does stands in the table
    return [
        [_definition(subject) or _filed(subject)],
        [_new(subject)],
        *thesis_runs(material, category.id),
        *claim_runs(material, category.id),
        *plain_claims(category, subject.source),
        [key_sentence(subject.entries)],
        path_drafts(subject),
        [] if argues else [*example_drafts(subject, elsewhere)],
        finding_drafts(found),
        [*open_problem_drafts(subject), unsolved_draft(subject)],
    ]


def part_runs(part: Subject, examples: Run) -> list[Run]:
    """Return what is said of a part, a list a paragraph."""
    papers = part.papers()
    belonging = shared("papers", f"In this part: {cited(papers)}.", papers)
    return [
        [_definition(part)],
        *thesis_runs(part.material, part.category.id),
        path_drafts(part),
        examples,
        [unsolved_draft(part)],
        [belonging],
    ]


def _definition(subject: Subject) -> Draft | None:
    text = without_dead_links(subject.category.definition.strip())
    return Draft("definition", text, "D", f"{subject.source}/definition") if text else None


def _filed(subject: Subject) -> Draft:
    """Return how many papers are filed under a category."""
    papers = subject.papers()
    verb = "is" if papers.number == 1 else "are"
    many = opening(counted(papers.number, "paper"))
    return computed("filed", f"{many} {verb} filed here.", papers.id)


def _elsewhere(subject: Subject) -> Draft:
    """Return which papers belong to a category under which none is filed."""
    belongs = subject.material.facts.select((subject.material.first.id, subject.category.id))
    if not belongs.number:
        return computed("elsewhere", "No paper belongs here yet.", belongs.id)
    text = f"No paper is filed here; filed elsewhere, but also about this: {cited(belongs)}."
    return shared("elsewhere", text, belongs)


def _new(subject: Subject) -> Draft | None:
    """Return which papers came into the category since what it is compared with."""
    changes = subject.material.changes
    added = {paper.id for paper in changes.added} if changes else set()
    new = [entry for entry in subject.entries if entry.paper.id in added]
    if changes is None or not new:
        return None
    facts, here = subject.material.facts, subject.category.id
    facts.add(f"{here}.new", len(new), f"papers filed under {here} since")
    sources = [f"{here}.new"]
    since = "the labels were last locked" if changes.kind == "lock" else "the last edition"
    named = [called(entry) for entry in new[:_MOST_NEW]]
    more = []
    if len(new) > _MOST_NEW:
        facts.add(f"{here}.new_unnamed", len(new) - _MOST_NEW, "of these not named in the sentence")
        sources.append(f"{here}.new_unnamed")
        more = [f"{number(len(new) - _MOST_NEW)} more"]
    verb = "is" if len(new) == 1 else "are"
    many = opening(counted(len(new), "paper"))
    text = f"{many} {verb} new here since {since}: {joined(named + more)}."
    return computed("new", text, *sources)
