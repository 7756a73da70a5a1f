"""Assemble the survey from papers, labels and texts: entries, facts, sections, document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from classifier.errors import Fault, InputError
from classifier.evaluation.label_metrics import LabelMetrics
from classifier.labelling.labels import PaperLabels
from classifier.papers.load import Corpus
from classifier.papers.paper import Paper
from classifier.parallel import parallel_map
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.review.acts import EditorialActs, editorial_acts
from classifier.review.lock import NO_HISTORY, LockedPaper
from classifier.survey.changes.compare import Changes, Move, compare, moves_without_lock
from classifier.survey.changes.published import published_build, published_lock, read_build
from classifier.survey.document import Document, Section, number_blocks
from classifier.survey.editorial import left_out_sections
from classifier.survey.entry import LeftOutPaper, SurveyPaper, drop_repeated_contributions
from classifier.survey.facts import Fact, Facts, fact_ids_in
from classifier.survey.inputs import Inputs, labels_to_publish, labels_without_lock
from classifier.survey.paper_names import mark_namesakes
from classifier.survey.quality import quality_sentences
from classifier.survey.references import (
    citation_sections,
    cited_entries,
    reference_entry,
    reference_sections,
)
from classifier.survey.related import papers_mentioning, related_papers
from classifier.survey.sample_facts import compute_facts
from classifier.survey.sections.category.section import category_sections
from classifier.survey.sections.frame import (
    abstract_sections,
    conclusion_sections,
    introduction_sections,
    taxonomy_sections,
)
from classifier.survey.sections.landscape import landscape_sections
from classifier.survey.sections.method import method_sections
from classifier.survey.sections.numbers import ID as NUMBERS
from classifier.survey.sections.numbers import numbers_sections
from classifier.survey.sections.unsolved import unsolved_sections
from classifier.survey.survey import Survey, ordered_categories
from classifier.survey.texts import Text
from classifier.survey.typed_columns import current_values
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_key


def assemble(
    project: Project,
    inputs: Inputs,
    predicted_labels: Sequence[PaperLabels],
    metrics: LabelMetrics,
    texts: Mapping[str, Text],
    baseline: Path | None = None,
    progress: Progress | None = None,
) -> Survey:
    """Build the complete survey.

    predicted_labels: labels of the classifier, in the order of the corpus. texts: texts by paper id
    (see `read_texts`). baseline: an earlier out/ folder to compare with. Raises InputError if the
    editors left out all papers.
    """
    taxonomy, corpus = inputs.taxonomy, inputs.corpus
    acts = _editorial_actions(project, inputs)
    labels = labels_to_publish(inputs, predicted_labels)
    report(progress, "Composing the survey", 0, 1)
    changes, moves = _find_changes(inputs, predicted_labels, labels, baseline)
    rows = inputs.lock.rows(corpus.aliases) if inputs.lock else {}
    entries = mark_namesakes(
        drop_repeated_contributions(
            tuple(_make_entries(taxonomy, corpus, labels, texts, acts, rows))
        )
    )
    left_out = tuple(_left_out_papers(taxonomy, corpus, labels, acts))
    facts = compute_facts(taxonomy, corpus, entries, left_out)
    survey = Survey(
        taxonomy=taxonomy.visible,
        whole_taxonomy=taxonomy,
        entries=entries,
        facts=facts,
        left_out=left_out,
        corpus=corpus,
        labels=tuple(labels),
        decisions=inputs.decisions,
        version=inputs.version,
        quality=quality_sentences(metrics, taxonomy.first.id),
        metrics=metrics.restrict_to(taxonomy.visible.facets),
        changes=changes,
        moves_without_lock=moves,
        claims=inputs.claims,
        mentioned_by=papers_mentioning(entries),
    )
    related, long_sections = _compute_in_parallel(survey)
    document = _build_document(survey, long_sections)
    for sentence in document.sentences:
        for fact_id in fact_ids_in(sentence.source):
            facts.record(fact_id)
    values = {fact_id: fact.value for fact_id, fact in facts.by_id.items()}
    return replace(survey, document=document, fact_values=values, related=related)


def _editorial_actions(project: Project, inputs: Inputs) -> EditorialActs:
    """Return the current editorial decisions; raise InputError if they leave out all papers."""
    acts = editorial_acts(inputs.ledger, inputs.corpus.aliases, inputs.taxonomy)
    papers = inputs.corpus.papers
    if all(paper.id in acts.excluded for paper in papers):
        actual = f"`exclude` for every paper ({len(papers)} of {len(papers)})"
        hint = (
            "A newer row of the same paper with an empty value withdraws it, as "
            "does `withdraw` in the exclude column of the sheet."
        )
        expected = "at least one paper left for the survey"
        ledger = project.shown(project.ledger_file)
        raise InputError([Fault("error", ledger, None, actual, expected, hint)])
    return acts


def _find_changes(
    inputs: Inputs,
    predicted_labels: Sequence[PaperLabels],
    labels: Sequence[PaperLabels],
    baseline: Path | None,
) -> tuple[Changes | None, tuple[Move, ...]]:
    """Return the changes since the baseline or the lock, and the labels that the lock keeps.

    The changes are None if there is neither a baseline nor a lock. Hidden facets are omitted.
    """
    lock = published_lock(inputs.lock, inputs.versions) if inputs.lock else None
    before = read_build(baseline) if baseline else lock
    if before is None:
        return None, ()
    hidden = inputs.taxonomy.facets.keys() - inputs.taxonomy.visible.facets.keys()
    now = published_build(inputs, labels)
    changes = compare(before, now)
    relabelled = tuple(move for move in changes.relabelled if move.facet not in hidden)
    changes = replace(changes, relabelled=relabelled)
    if lock is None:
        return changes, ()
    unlocked = published_build(inputs, labels_without_lock(inputs, predicted_labels))
    moves = moves_without_lock(lock, now, unlocked, inputs.corpus.aliases)
    return changes, tuple(move for move in moves if move.facet not in hidden)


def _make_entries(
    taxonomy: Taxonomy,
    corpus: Corpus,
    labels: Sequence[PaperLabels],
    texts: Mapping[str, Text],
    actions: EditorialActs,
    rows: Mapping[str, LockedPaper],
) -> Iterator[SurveyPaper]:
    """Yield the papers that are not left out, numbered from 1 in the order of the survey.

    The order is: category, key papers first, date (newest first), title.
    """
    order = {category.id: i for i, category in enumerate(ordered_categories(taxonomy))}
    first, aliases = taxonomy.first.id, corpus.other_ids

    def sort_key(item: tuple[Paper, PaperLabels]) -> tuple[int, bool, bool, list[int], str, str]:
        """Return the sort key of a paper."""
        paper, label = item
        newest_first = [-int(part) for part in paper.published.date.split("-") if part]
        return (
            order[label.facets[first].primary],
            paper.id not in actions.keys,
            not paper.published.date,
            newest_first,
            title_key(paper.title),
            paper.id,
        )

    pairs = zip(corpus.papers, labels, strict=True)
    included = (pair for pair in pairs if pair[0].id not in actions.excluded)
    for number, (paper, label) in enumerate(sorted(included, key=sort_key), 1):
        text, row = texts[paper.id], rows.get(paper.id)
        filed = label.facets[first]
        yield SurveyPaper(
            paper,
            label,
            number,
            filed,
            text.sentences,
            text.names,
            actions.remarks.get(paper.id),
            actions.keys.get(paper.id),
            aliases.get(paper.id, ()),
            () if paper.retracted else text.results,  # results of retracted papers do not count
            {} if paper.retracted else text.unsolved,
            current_values(taxonomy, filed.categories, text.values, actions, paper.id),
            history=row.history_under(taxonomy.first, filed.primary) if row else NO_HISTORY,
        )


def _left_out_papers(
    taxonomy: Taxonomy, corpus: Corpus, labels: Sequence[PaperLabels], actions: EditorialActs
) -> list[LeftOutPaper]:
    """Return the papers that the editors left out, by title."""
    found = [
        LeftOutPaper(paper, label.facets[taxonomy.first.id].status, actions.excluded[paper.id])
        for paper, label in zip(corpus.papers, labels, strict=True)
        if paper.id in actions.excluded
    ]
    return sorted(found, key=lambda item: (title_key(item.paper.title), item.paper.id))


def _build_document(survey: Survey, long_sections: Sequence[SectionsWithFacts]) -> Document:
    """Build the document.

    long_sections: the sections of categories and of numbers.
    """
    settings = survey.taxonomy.survey
    sections: tuple[Section, ...] = (
        *abstract_sections(survey),
        *introduction_sections(survey),
        *method_sections(survey),
        *taxonomy_sections(survey),
        *landscape_sections(survey),
        *_add_facts(survey.facts, long_sections),
        *unsolved_sections(survey),
        *conclusion_sections(survey),
        *left_out_sections(survey.facts, survey.left_out),
        *citation_sections(survey),
    )
    cited = cited_entries(survey.entries, sections)
    sections += tuple(reference_sections(survey.facts, len(cited)))
    return Document(
        settings.title,
        settings.subtitle,
        settings.editors,
        survey.version,
        survey.facts.text("papers.newest"),
        number_blocks(sections),
        tuple(map(reference_entry, cited)),
    )


SectionsWithFacts = tuple[list[Section], dict[str, Fact]]
"""Sections, and the facts after they were written."""


def _add_facts(facts: Facts, written_sections: Sequence[SectionsWithFacts]) -> Iterator[Section]:
    """Yield the sections, and add their facts to `facts` in the same order."""
    for sections, by_id in written_sections:
        facts.by_id |= by_id
        yield from sections


def _compute_in_parallel(
    survey: Survey,
) -> tuple[Mapping[str, tuple[str, ...]], list[SectionsWithFacts]]:
    """Return the related papers, and the sections of categories and of numbers.

    They take most of the time and are computed in parallel. Each job has its own copy of the facts.
    """

    def with_facts(write: Callable[[Survey], list[Section]]) -> SectionsWithFacts:
        """Write sections with a copy of the facts; return the sections and the added facts."""
        facts = replace(survey.facts, by_id=dict(survey.facts.by_id))
        return write(replace(survey, facts=facts)), facts.by_id

    writers: dict[str, Callable[[Survey], list[Section]]] = {
        category.id: partial(category_sections, category=category) for category in survey.categories
    }
    n_papers = {name: survey.facts.select(filed=name).number for name in writers}
    longest_first = [NUMBERS, *sorted(writers, key=lambda name: -n_papers[name])]
    writers[NUMBERS] = numbers_sections
    jobs: list[Callable[[], Any]] = [
        lambda: related_papers(survey.entries),
        *(partial(with_facts, writers[name]) for name in longest_first),
    ]
    related, *results = parallel_map(lambda job: job(), jobs, len(survey.entries))
    sections = dict(zip(longest_first, results, strict=True))
    return related, [sections[name] for name in writers]
