"""The section of a category, and the sections of its subcategories.

A section consists, in this order, of the definition, the editors' thesis, their claims with the
evidence, and the table of papers.
"""

from __future__ import annotations

from functools import partial

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
from classifier.survey.facts import query_id
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
from classifier.survey.sections.category.subject import Subject, top_subject
from classifier.survey.survey import Survey, current_categories
from classifier.survey.wording import (
    cite_selection,
    count_in_words,
    count_with_noun,
    join_words,
    verb_for_count,
)
from classifier.taxonomy.model import Category
from classifier.text.links import without_dead_links

_MAX_NEW = 5
"""Maximum number of new papers that a sentence lists."""


def category_sections(survey: Survey, category: Category) -> list[Section]:
    """Return the section of a top category, and of each subcategory with an argument."""
    blocks = tuple(category_blocks(top_subject(survey, category)))
    parts = map(partial(_part_section, survey), current_categories(category.children))
    return [Section(category.id, category.name, 1, blocks), *filter(None, parts)]


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
        *plain_claims(survey, category, subject.source),
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


def _part_section(survey: Survey, part: Category) -> Section | None:
    """Return the subsection of a part with the editors' argument; None without an argument.

    The definition of the part is in the table of the taxonomy.
    """
    runs = [*thesis_runs(survey, part.id), reading_run(survey, part.id)]
    blocks = tuple(make_paragraphs(part.id, *runs))
    return Section(part.id, part.name, 2, blocks) if blocks else None


def _definition_sentence(subject: Subject) -> Draft | None:
    """Return the definition of the category, or None."""
    text = without_dead_links(subject.category.definition.strip())
    return Draft("definition", text, "D", f"{subject.source}/definition") if text else None


def _size_sentence(subject: Subject) -> Draft:
    """Return the sentence with the number of papers in the section."""
    papers = subject.papers()
    is_filed = f"There {verb_for_count(papers.number, 'is', 'are')}"
    text = f"{is_filed} {count_with_noun(papers.number, 'paper')} on this category."
    return computed_sentence("filed", text, papers.id)


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
    papers = count_with_noun(len(new), "new paper")
    text = f"This category has {papers} since {since}: {join_words(names + more)}."
    return computed_sentence("new", text, *sources)
