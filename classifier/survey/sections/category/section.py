"""The section of a category, and the sections of its subcategories.

A section consists, in this order, of the definition, the editors' thesis, their claims with the
evidence, and the table of papers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from classifier.survey.document import (
    Block,
    Draft,
    Run,
    Section,
    computed_sentence,
    make_paragraphs,
    paper_list,
)
from classifier.survey.editorial import key_sentence, remark_paragraphs
from classifier.survey.facts import STATED, query_id
from classifier.survey.keys import FILED
from classifier.survey.paper_names import cited_name
from classifier.survey.sections.category.claims import (
    claim_blocks,
    plain_claims,
    reading_run,
    thesis_runs,
)
from classifier.survey.sections.category.comparison import comparison_blocks
from classifier.survey.sections.category.findings import central_findings, finding_drafts
from classifier.survey.sections.category.subject import Subject, part_subject, top_subject
from classifier.survey.survey import Survey, current_categories
from classifier.survey.wording import (
    capitalise,
    cite_selection,
    count_in_words,
    count_with_noun,
    join_words,
    verb_for_count,
)
from classifier.taxonomy.model import Category
from classifier.text.links import without_dead_links

MIN_PART_PAPERS = 3
"""Minimum number of papers in a part of a category that has a subsection."""
_MAX_NEW = 5
"""Maximum number of new papers that a sentence lists."""
_MAX_NAMED = 12
"""Maximum number of papers in none of the parts that a sentence lists."""


def category_sections(survey: Survey, category: Category) -> list[Section]:
    """Return the section of a top category, and of each subcategory with enough papers."""
    subject = top_subject(survey, category)
    children = (
        part_subject(survey, category, child) for child in current_categories(category.children)
    )
    parts = [part for part in children if part.number >= MIN_PART_PAPERS]
    return [
        Section(category.id, category.name, 1, tuple(category_blocks(subject))),
        *(_part_section(part) for part in parts),
        *_other_work_section(subject, parts),
    ]


def prints_claims(subject: Subject) -> bool:
    """Return whether the section of a category prints the editors' claims.

    It does not if the category has no papers or is out of scope.
    """
    return subject.number > 0 and not subject.category.out_of_scope


def category_blocks(subject: Subject) -> list[Block]:
    """Return the content of the section of a top category."""
    survey, category = subject.survey, subject.category
    if category.out_of_scope:
        return [
            *make_paragraphs(category.id, [_definition_sentence(subject)]),
            *comparison_blocks(subject),
            *remark_paragraphs(list(subject.entries)),
        ]
    if not prints_claims(subject):
        return [
            *make_paragraphs(
                category.id, [_definition_sentence(subject)], [_elsewhere_sentence(subject)]
            )
        ]
    theses, claims = survey.claims.of_topic(category.id)
    # Findings are chosen automatically only if the editors wrote nothing on the category.
    is_edited = bool(theses or claims or category.claims)
    findings: Run = [] if is_edited else finding_drafts(central_findings(subject))
    opening_runs: list[Run] = [
        [_definition_sentence(subject) or _size_sentence(subject)],
        [_new_papers_sentence(subject)],
        *thesis_runs(survey, category.id),
        reading_run(survey, category.id),
    ]
    closing_runs: list[Run] = [
        *plain_claims(category, subject.source),
        [key_sentence(subject.entries)],
        findings,
    ]
    quoted = " ".join(
        draft.text for run in closing_runs for draft in run if draft and draft.kind == "Q"
    )
    return [
        *make_paragraphs(category.id, *opening_runs),
        *claim_blocks(survey, category.id),
        *make_paragraphs(category.id, *closing_runs),
        *comparison_blocks(subject, quoted),
        *remark_paragraphs(list(subject.entries)),
    ]


def _part_section(part: Subject) -> Section:
    """Return the subsection of a part, with its definition and the editors' argument."""
    category = part.category
    runs: list[Run] = [
        [_definition_sentence(part) or _size_sentence(part)],
        *thesis_runs(part.survey, category.id),
        reading_run(part.survey, category.id),
    ]
    return Section(category.id, category.name, 2, tuple(make_paragraphs(category.id, *runs)))


def _other_work_section(subject: Subject, parts: Sequence[Subject]) -> Iterator[Section]:
    """Yield the subsection about the papers in none of the `parts`, if there are any."""
    in_parts = {entry.number for part in parts for entry in part.entries}
    others = [entry for entry in subject.entries if entry.number not in in_parts]
    if not parts or not others:
        return
    fact_id = f"{subject.category.id}.other_work"
    meaning = f"papers filed under {subject.category.id}, in none of its parts"
    subject.survey.facts.add(fact_id, len(others), STATED, meaning)
    names, sources = [cited_name(entry) for entry in others[:_MAX_NAMED]], [fact_id]
    if len(others) > _MAX_NAMED:
        unnamed, more_id = len(others) - _MAX_NAMED, f"{fact_id}_unnamed"
        query = f"sum({fact_id}, -{_MAX_NAMED})"
        meaning = "of these, the papers that the sentence does not name"
        subject.survey.facts.add(more_id, unnamed, query, meaning)
        sources.append(more_id)
        names.append(f"{count_in_words(unnamed)} more")
    papers, are = (
        capitalise(count_with_noun(len(others), "paper")),
        verb_for_count(len(others), "is", "are"),
    )
    text = f"{papers} {are} in none of the parts above: {join_words(names)}."
    draft = computed_sentence("papers", text, *sources)
    section_id = other_work_id(subject.category)
    yield Section(section_id, "Other work", 2, tuple(make_paragraphs(section_id, [draft])))


def other_work_id(category: Category) -> str:
    """Return the id of the section with the papers that are in no subcategory."""
    return f"{category.id}-other-work"


def _definition_sentence(subject: Subject) -> Draft | None:
    """Return the definition of the category, or None."""
    text = without_dead_links(subject.category.definition.strip())
    return Draft("definition", text, "D", f"{subject.source}/definition") if text else None


def _size_sentence(subject: Subject) -> Draft:
    """Return the sentence with the number of papers in the section."""
    papers = subject.papers()
    count = capitalise(count_with_noun(papers.number, "paper"))
    return computed_sentence(
        "filed", f"{count} {verb_for_count(papers.number, 'is', 'are')} filed here.", papers.id
    )


def _elsewhere_sentence(subject: Subject) -> Draft:
    """Return a sentence about papers with the category whose primary is another category."""
    papers = subject.all_papers
    if not papers.number:
        return computed_sentence("elsewhere", "No paper belongs here yet.", papers.id)
    text = (
        f"No paper is filed here; filed elsewhere, but also about this: {cite_selection(papers)}."
    )
    return paper_list("elsewhere", text, papers)


def _new_papers_sentence(subject: Subject) -> Draft | None:
    """Return a sentence about the new papers since the last edition or lock, or None."""
    changes = subject.survey.changes
    added = {paper.id for paper in changes.added} if changes else set()
    new = [entry for entry in subject.entries if entry.paper.id in added]
    if changes is None or not new:
        return None
    facts, here = subject.survey.facts, subject.category.id
    query = f"new({query_id([(FILED, here)])})"
    facts.add(f"{here}.new", len(new), query, f"papers filed under {here} since the baseline")
    sources = [f"{here}.new"]
    since = "the labels were last locked" if changes.kind == "lock" else "the last edition"
    names = [cited_name(entry) for entry in new[:_MAX_NEW]]
    more = []
    if len(new) > _MAX_NEW:
        query = f"sum({here}.new, -{_MAX_NEW})"
        meaning = "of these, the papers that the sentence does not name"
        facts.add(f"{here}.new_unnamed", len(new) - _MAX_NEW, query, meaning)
        sources.append(f"{here}.new_unnamed")
        more = [f"{count_in_words(len(new) - _MAX_NEW)} more"]
    are, count = (
        verb_for_count(len(new), "is", "are"),
        capitalise(count_with_noun(len(new), "paper")),
    )
    text = f"{count} {are} new here since {since}: {join_words(names + more)}."
    return computed_sentence("new", text, *sources)
