"""The section of a category and those of its parts: what a reader gets, in this order.

What is at stake (definition, thesis, claims), where to begin, what papers do and found, what they
leave open, how their designs differ, and the table.
"""

from __future__ import annotations

from itertools import chain

from classifier.survey.document import Block, Draft, Run, Section, computed, paragraphs, shared
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
from classifier.survey.wording import cited, counted, joined, number, opening, verb
from classifier.taxonomy.model import Category
from classifier.text.links import without_dead_links

# A part with fewer papers is named in the section of the whole.
PART_AT_LEAST = 3
_MOST_NEW = 5


def category_sections(survey: Survey, category: Category) -> list[Section]:
    """Return the section of a top category, and one of each part with papers enough."""
    subject = top_subject(survey, category)
    children = (part_subject(survey, category, child) for child in current(category.children))
    parts = [part for part in children if part.number >= PART_AT_LEAST]
    told = {entry.number for entry, _ in found_by(subject)}
    told_below: set[int] = set()
    shown: list[tuple[Subject, Run]] = []
    for part in parts:
        examples = part_examples(part, told | told_below)
        told_below |= examples.keys()
        shown.append((part, [*examples.values()]))
    runs = category_runs(subject, told_below)
    below = [(part.category, part_runs(part, examples)) for part, examples in shown]
    every = [draft for run in chain(runs, *(run for _, run in below)) for draft in run if draft]
    quoted = " ".join(draft.text for draft in every if draft.kind == "Q")
    blocks: list[Block] = [
        *paragraphs(category.id, *runs),
        *designs_table(subject),
        *comparison_blocks(subject, quoted),
        *remark_paragraphs(list(subject.entries)),
    ]
    return [
        Section(category.id, category.name, 1, tuple(blocks)),
        *(Section(c.id, c.name, 2, tuple(paragraphs(c.id, *of_part))) for c, of_part in below),
    ]


def prints_claims(subject: Subject) -> bool:
    """Return whether the section of a category prints the editors' claims.

    It does so only if a paper is filed there, since it prints nothing else of an empty category.
    """
    return subject.number > 0 and not subject.category.out_of_scope


def category_runs(subject: Subject, told_below: set[int]) -> list[Run]:
    """Return what is said of a category, a list a paragraph."""
    if subject.category.out_of_scope:
        return [[_definition(subject)]]
    if not prints_claims(subject):
        return [[_definition(subject)], [_elsewhere(subject)]]
    survey, category = subject.survey, subject.category
    found = found_by(subject)
    elsewhere = told_below | {entry.number for entry, _ in found}
    argues = len(found) > 1 and not subject.kinds  # what each does stands in the table
    return [
        [_definition(subject) or _filed(subject)],
        [_new(subject)],
        *thesis_runs(survey, category.id),
        *claim_runs(survey, category.id),
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
        *thesis_runs(part.survey, part.category.id),
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
    many = opening(counted(papers.number, "paper"))
    return computed("filed", f"{many} {verb(papers.number, 'is', 'are')} filed here.", papers.id)


def _elsewhere(subject: Subject) -> Draft:
    """Return which papers belong to a category under which none is filed."""
    belongs = subject.belonging
    if not belongs.number:
        return computed("elsewhere", "No paper belongs here yet.", belongs.id)
    text = f"No paper is filed here; filed elsewhere, but also about this: {cited(belongs)}."
    return shared("elsewhere", text, belongs)


def _new(subject: Subject) -> Draft | None:
    """Return which papers came into the category since what it is compared with."""
    changes = subject.survey.changes
    added = {paper.id for paper in changes.added} if changes else set()
    new = [entry for entry in subject.entries if entry.paper.id in added]
    if changes is None or not new:
        return None
    facts, here = subject.survey.facts, subject.category.id
    facts.add(f"{here}.new", len(new), f"papers filed under {here} since")
    sources = [f"{here}.new"]
    since = "the labels were last locked" if changes.kind == "lock" else "the last edition"
    named = [called(entry) for entry in new[:_MOST_NEW]]
    more = []
    if len(new) > _MOST_NEW:
        facts.add(f"{here}.new_unnamed", len(new) - _MOST_NEW, "of these not named in the sentence")
        sources.append(f"{here}.new_unnamed")
        more = [f"{number(len(new) - _MOST_NEW)} more"]
    are, many = verb(len(new), "is", "are"), opening(counted(len(new), "paper"))
    text = f"{many} {are} new here since {since}: {joined(named + more)}."
    return computed("new", text, *sources)
