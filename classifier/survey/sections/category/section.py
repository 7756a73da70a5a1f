"""The section of a category and those of its parts: which statements follow one another."""

from __future__ import annotations

from dataclasses import replace

from classifier.survey.document import Block, Section
from classifier.survey.draft import Draft, paragraphs
from classifier.survey.edition import Entry
from classifier.survey.editorial import key_sentence, remark_paragraphs
from classifier.survey.material import Material, current
from classifier.survey.sections.category.borders import border_drafts, provisional_draft
from classifier.survey.sections.category.claims import claim_runs, plain_claims, thesis_runs
from classifier.survey.sections.category.comparison import comparison_blocks
from classifier.survey.sections.category.dates import dates_draft
from classifier.survey.sections.category.examples import (
    example_drafts,
    part_example_drafts,
    part_examples,
)
from classifier.survey.sections.category.findings import finding_drafts, found_by
from classifier.survey.sections.category.groups import (
    answers_otherwise,
    group_draft,
    unanswered_draft,
)
from classifier.survey.sections.category.names import names_draft, often_named
from classifier.survey.sections.category.open_problems import open_problem_drafts
from classifier.survey.sections.category.scale import (
    decided_draft,
    kinds_draft,
    part_scale_draft,
    parts_draft,
    scale_draft,
)
from classifier.survey.sections.category.stated import stated_draft
from classifier.survey.sections.category.subject import (
    Subject,
    part_subject,
    top_subject,
)
from classifier.survey.wording import number, opening
from classifier.taxonomy.model import Category
from classifier.text.links import without_dead_links

# A part with fewer papers is named in the section of the whole.
PART_AT_LEAST = 3

Run = list[Draft | None]


def category_sections(material: Material, category: Category) -> list[Section]:
    """Return the section of a top category, and one of each part with papers enough."""
    subject = top_subject(material, category)
    parts = _parts(material, category)
    found = {entry.number for entry in found_by(subject)}
    shown = {part.category.id: part_examples(part, found) for part in parts}
    told_below = {entry.number for entries in shown.values() for entry in entries}
    blocks: list[Block] = [
        *paragraphs(category.id, *category_runs(subject, parts, told_below)),
        *comparison_blocks(subject),
        *remark_paragraphs(list(subject.entries)),
    ]
    return [
        Section(category.id, category.name, 1, tuple(blocks)),
        *(_part_section(part, subject, shown[part.category.id]) for part in parts),
    ]


def category_runs(
    subject: Subject, parts: list[Subject], told_below: set[int] | None = None
) -> list[Run]:
    """Return what is said of a category, a list a paragraph; most general first."""
    if subject.category.out_of_scope:
        return [[_definition(subject)], [scale_draft(subject), provisional_draft(subject)]]
    sections = [part.category for part in parts]
    found = found_by(subject)
    elsewhere = (told_below or set()) | {entry.number for entry in found}
    runs: list[Run] = [
        [_definition(subject)],
        *thesis_runs(subject.material, subject.category.id),
        *claim_runs(subject.material, subject.category.id),
        *plain_claims(subject.category, subject.source),
        [
            scale_draft(subject),
            decided_draft(subject),
            kinds_draft(subject),
            parts_draft(subject, sections),
            key_sentence(subject.entries),
        ],
        _groups(subject),
        [*example_drafts(subject, elsewhere)],
        finding_drafts(subject, found),
        [stated_draft(subject), dates_draft(subject)],
        border_drafts(subject),
        open_problem_drafts(subject),
    ]
    return [without_repeats(run, subject.number) for run in runs]


def without_repeats(run: Run, whole: int) -> Run:
    """Return a paragraph in which only the first of its sentences begins with "Of the 19"."""
    lead, led, drafts = f"Of the {number(whole)}, ", False, run[:0]
    for draft in run:
        if draft is None:
            continue
        again = led and draft.text.startswith(lead)
        led = led or draft.text.startswith(lead)
        drafts.append(_led_anew(draft, draft.text.removeprefix(lead)) if again else draft)
    return drafts


def _led_anew(draft: Draft, text: str) -> Draft:
    """Return a sentence with a capital; one that would begin with a digit gets a word before it."""
    start = next(i for i, letter in enumerate(text) if letter.isalnum())
    if text[start].isdigit():
        return replace(draft, text=f"Of them, {text}")
    return replace(draft, text=f"{text[:start]}{opening(text[start:])}")


def part_runs(part: Subject, whole: Subject, examples: list[Entry]) -> list[Run]:
    """Return what is said of a part, a list a paragraph; what the whole says is not repeated.

    A question is answered for the part where most of its papers answer it, and otherwise than the
    whole does.
    """
    lexicons = part.material.taxonomy.lexicons
    names = [names_draft(part, name, told=often_named(whole, name)) for name in lexicons]
    otherwise = [facet for facet in part.own_facets if answers_otherwise(part, whole, facet)]
    groups = [group_draft(part, facet) for facet in otherwise]
    return [
        [_definition(part)],
        [part_scale_draft(part, whole), *groups, *names],
        [*part_example_drafts(examples)],
    ]


def _parts(material: Material, category: Category) -> list[Subject]:
    parts = [part_subject(material, category, child) for child in current(category.children)]
    return [part for part in parts if part.number >= PART_AT_LEAST]


def _part_section(part: Subject, whole: Subject, examples: list[Entry]) -> Section:
    blocks = paragraphs(part.category.id, *part_runs(part, whole, examples))
    return Section(part.category.id, part.category.name, 2, tuple(blocks))


def _definition(subject: Subject) -> Draft | None:
    text = without_dead_links(subject.category.definition.strip())
    return Draft("definition", text, "D", f"{subject.source}/definition") if text else None


def _groups(subject: Subject) -> Run:
    """Return the groups that answer alike or share a name."""
    groups = [group_draft(subject, facet) for facet in subject.own_facets]
    names = [names_draft(subject, lexicon) for lexicon in subject.material.taxonomy.lexicons]
    return [*groups, unanswered_draft(subject, subject.own_facets), *names]
