"""From papers and labels to the edition: numbering, names, roles, facts, document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from classifier.errors import Fault, InputError
from classifier.evaluation.label_metrics import LabelMetrics
from classifier.labelling.labels import DECIDED, IMPORTED, PaperLabels
from classifier.papers.load import Corpus
from classifier.papers.paper import Paper
from classifier.parallel import parallel_map
from classifier.progress import Progress, report
from classifier.project import Project
from classifier.review.acts import EditorialActs, editorial_acts
from classifier.review.lock import NO_HISTORY, LockedPaper
from classifier.survey.changes.compare import Changes, Move, compare, moves_without_lock
from classifier.survey.changes.published import published_build, published_lock, read_build
from classifier.survey.document import Document, Section, numbered
from classifier.survey.editorial import left_out_sections, screened_reasons
from classifier.survey.entry import LeftOut, SurveyPaper, drop_repeated_contributions
from classifier.survey.facts import STATED, Fact, Facts, ids_in, new_facts
from classifier.survey.inputs import Inputs, labels_without_lock, published_labels
from classifier.survey.paper_names import mark_namesakes
from classifier.survey.quality import quality_sentences
from classifier.survey.references import (
    citation_sections,
    cited_entries,
    reference,
    reference_sections,
)
from classifier.survey.related import papers_mentioning, related_papers
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
from classifier.taxonomy.model import NOT_STATED, Taxonomy
from classifier.text.normalise import title_key


def assemble(
    project: Project,
    inputs: Inputs,
    machine: Sequence[PaperLabels],
    metrics: LabelMetrics,
    texts: Mapping[str, Text],
    baseline: Path | None = None,
    progress: Progress | None = None,
) -> Survey:
    """Return the survey, whole. What the editors left out is only listed, and counted as such.

    machine: the labels of the corpus's papers by the classifier; texts: what their texts say (see
    `reading`); baseline: an earlier out/, from which changes are told. Raises InputError where
    the editors leave no paper.
    """
    taxonomy, corpus = inputs.taxonomy, inputs.corpus
    acts = _acts(project, inputs)
    labels = published_labels(inputs, machine)
    report(progress, "Composing the survey", 0, 1)
    changes, held = _moves(inputs, machine, labels, baseline)
    rows = inputs.lock.rows(corpus.aliases) if inputs.lock else {}
    entries = mark_namesakes(
        drop_repeated_contributions(tuple(_entries(taxonomy, corpus, labels, texts, acts, rows)))
    )
    left_out = tuple(_left_out(taxonomy, corpus, labels, acts))
    facts = compute_facts(taxonomy, corpus, entries, left_out)
    survey = Survey(
        taxonomy=taxonomy.shown,
        whole_taxonomy=taxonomy,
        entries=entries,
        facts=facts,
        left_out=left_out,
        corpus=corpus,
        labels=tuple(labels),
        decisions=inputs.decisions,
        version=inputs.version,
        quality=quality_sentences(metrics, taxonomy.first.id),
        metrics=metrics.only(taxonomy.shown.facets),
        changes=changes,
        held=held,
        claims=inputs.claims,
        mentioned_by=papers_mentioning(entries),
    )
    related, written = _shared(survey)
    document = _document(survey, written)
    for sentence in document.sentences:
        for fact_id in ids_in(sentence.source):
            facts.record(fact_id)
    values = {fact_id: fact.value for fact_id, fact in facts.by_id.items()}
    return replace(survey, document=document, fact_values=values, related=related)


def _acts(project: Project, inputs: Inputs) -> EditorialActs:
    """Return the editorial acts in force; raises InputError where they leave no paper."""
    acts = editorial_acts(inputs.ledger, inputs.corpus.aliases, inputs.taxonomy)
    papers = inputs.corpus.papers
    if all(paper.id in acts.excluded for paper in papers):
        found = f"`exclude` for every paper ({len(papers)} of {len(papers)})"
        hint = (
            "A newer row of the same paper with an empty value withdraws it, as "
            "does `withdraw` in the exclude column of the sheet."
        )
        expected = "at least one paper left for the survey"
        ledger = project.shown(project.ledger_file)
        raise InputError([Fault("error", ledger, None, found, expected, hint)])
    return acts


def _moves(
    inputs: Inputs,
    machine: Sequence[PaperLabels],
    labels: Sequence[PaperLabels],
    baseline: Path | None,
) -> tuple[Changes | None, tuple[Move, ...]]:
    """Return what changed since the baseline, else the lock, and what the lock keeps."""
    lock = published_lock(inputs.lock, inputs.versions) if inputs.lock else None
    before = read_build(baseline) if baseline else lock
    if before is None:
        return None, ()
    hidden = inputs.taxonomy.facets.keys() - inputs.taxonomy.shown.facets.keys()
    now = published_build(inputs, labels)
    changes = compare(before, now)
    moves = tuple(move for move in changes.relabelled if move.facet not in hidden)
    changes = replace(changes, relabelled=moves)
    if lock is None:
        return changes, ()
    free = published_build(inputs, labels_without_lock(inputs, machine))
    held = moves_without_lock(lock, now, free, inputs.corpus.aliases)
    return changes, tuple(move for move in held if move.facet not in hidden)


def _entries(
    taxonomy: Taxonomy,
    corpus: Corpus,
    labels: Sequence[PaperLabels],
    texts: Mapping[str, Text],
    acts: EditorialActs,
    rows: Mapping[str, LockedPaper],
) -> Iterator[SurveyPaper]:
    """Yield the papers, read and numbered in the order in which the survey's tables hold them."""
    order = {category.id: i for i, category in enumerate(ordered_categories(taxonomy))}
    first, aliases = taxonomy.first.id, corpus.other_ids

    def place(item: tuple[Paper, PaperLabels]) -> tuple[int, bool, bool, list[int], str, str]:
        paper, label = item
        newest_first = [-int(part) for part in paper.published.date.split("-") if part]
        return (
            order[label.facets[first].primary],
            paper.id not in acts.keys,
            not paper.published.date,
            newest_first,
            title_key(paper.title),
            paper.id,
        )

    pairs = zip(corpus.papers, labels, strict=True)
    shown = sorted((pair for pair in pairs if pair[0].id not in acts.excluded), key=place)
    for number, (paper, label) in enumerate(shown, 1):
        text, row = texts[paper.id], rows.get(paper.id)
        filed = label.facets[first]
        yield SurveyPaper(
            paper,
            label,
            number,
            filed,
            text.sentences,
            text.names,
            acts.remarks.get(paper.id),
            acts.keys.get(paper.id),
            aliases.get(paper.id, ()),
            () if paper.retracted else text.results,  # Its results do not count.
            {} if paper.retracted else text.unsolved,
            current_values(taxonomy, filed.categories, text.values, acts, paper.id),
            history=row.history_under(taxonomy.first, filed.primary) if row else NO_HISTORY,
        )


def _left_out(
    taxonomy: Taxonomy, corpus: Corpus, labels: Sequence[PaperLabels], acts: EditorialActs
) -> list[LeftOut]:
    """Return the papers that the editors left out, by title."""
    found = [
        LeftOut(paper, label.facets[taxonomy.first.id].status, acts.excluded[paper.id])
        for paper, label in zip(corpus.papers, labels, strict=True)
        if paper.id in acts.excluded
    ]
    return sorted(found, key=lambda item: (title_key(item.paper.title), item.paper.id))


def compute_facts(
    taxonomy: Taxonomy,
    corpus: Corpus,
    entries: Sequence[SurveyPaper],
    left_out: Sequence[LeftOut] = (),
) -> Facts:
    """Return the facts of one edition; counts over papers join them as they are asked for.

    Papers that the editors left out count as read, distinct and left out, and nowhere else.
    """
    facts = new_facts(taxonomy, entries)
    _reading(facts, corpus, entries, left_out)
    _dating(facts)
    _labelling(facts)
    for lexicon in taxonomy.lexicons:
        distinct = {*facts.values(lexicon)} - {NOT_STATED}
        query = f"distinct({lexicon})"
        facts.add(f"{lexicon}.distinct", len(distinct), query, f"distinct {lexicon} named")
    if (unsolved := taxonomy.roles.unsolved) in taxonomy.lexicons:
        stated = int(facts.table[unsolved].map(bool).sum())
        meaning = "papers whose problems or limits match such a cue"
        facts.add(f"{unsolved}.stated", stated, f"having({unsolved})", meaning)
    return facts


def _reading(
    facts: Facts, corpus: Corpus, entries: Sequence[SurveyPaper], left_out: Sequence[LeftOut]
) -> None:
    reviewed = sum(item.status in DECIDED for item in left_out)
    add = facts.add
    add("files.read", len(corpus.files), STATED, "files read")
    add("records.read", corpus.records, STATED, "records read from all files")
    unread = len(corpus.quarantined)
    add("records.quarantined", unread, "rows(quarantine.csv)", "records that could not be read")
    distinct = len(entries) + len(left_out)
    both = "sum(papers.total, papers.left_out)"
    add("papers.distinct", distinct, both, "distinct papers after merging")
    excluded = "rows(excluded.csv)"
    add("papers.left_out", len(left_out), excluded, "distinct papers that the editors left out")
    screened = sum(item.act.by == IMPORTED for item in left_out)
    if screened:
        add("papers.screened_out", screened, STATED, "papers left out by an earlier screening")
    for rank, (reason, count) in enumerate(screened_reasons(left_out), 1):
        meaning = f"papers that a screening excluded: {reason}"
        add(f"papers.screened_out.{rank}", count, STATED, meaning)
    meaning = "papers left out whose first facet is reviewed"
    add("papers.left_out_reviewed", reviewed, STATED, meaning)
    add("papers.total", len(entries), "all", "distinct papers in the survey")


def _dating(facts: Facts) -> None:
    dates = facts.table["published"].loc[lambda date: date != ""]
    lengths = dates.map(len)
    add = facts.add
    add("papers.dated", len(dates), "having(dated)", "papers with a date of any precision")
    to_day, to_month = int((lengths == 10).sum()), int((lengths == 7).sum())
    add("papers.dated_to_day", to_day, "dated=day", "papers dated to the day")
    add("papers.dated_to_month", to_month, "dated=month", "papers dated to the month")
    unsigned = sum(not entry.paper.authors for entry in facts.entries)
    add("papers.without_authors", unsigned, "authors=no", "papers whose authors no source states")
    add("papers.newest", max(dates, default=""), "latest(all)", "latest date of any paper")
    add("papers.oldest", min(dates, default=""), "earliest(all)", "earliest date of any paper")


def _labelling(facts: Facts) -> None:
    """Add counts of queries under names of their own, which other people's scripts read."""
    for status in ("reviewed", "confident", "provisional"):
        found = facts.select(status=status)
        meaning = f"papers whose first facet is {status}"
        facts.add(f"papers.{status}", found.number, found.id, meaning)
    if (imported := facts.select(status="imported")).number:
        meaning = "papers whose first facet is imported"
        facts.add("papers.imported", imported.number, imported.id, meaning)
    for name, key, value, meaning in _COUNTED:
        found = facts.select((key, value))
        facts.add(f"papers.{name}", found.number, found.id, meaning)


_COUNTED = (
    ("with_abstract", "text", "abstract", "papers labelled from their abstract"),
    ("with_digest", "text", "digest", "papers labelled from a digest"),
    ("title_only", "text", "none", "papers labelled from the title alone"),
    ("with_code", "code", "yes", "papers that link code or say that it is released"),
    ("with_figure", "result", "stated", "papers whose text states a result with a figure"),
    ("several_topics", "several", "yes", "papers with two or more categories of the first facet"),
    ("key", "key", "yes", "papers that the editors marked as key papers"),
)
"""Facts with a name: (name, key, value, description)."""


def _document(survey: Survey, written: Sequence[Written]) -> Document:
    settings = survey.taxonomy.survey
    sections: tuple[Section, ...] = (
        *abstract_sections(survey),
        *introduction_sections(survey),
        *method_sections(survey),
        *taxonomy_sections(survey),
        *landscape_sections(survey),
        *_noted(survey.facts, written),
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
        numbered(sections),
        tuple(map(reference, cited)),
    )


def _noted(facts: Facts, written: Sequence[Written]) -> Iterator[Section]:
    """Yield sections; what they tell is noted among the facts, in their order."""
    for sections, noted in written:
        facts.by_id |= noted
        yield from sections


Written = tuple[list[Section], dict[str, Fact]]
"""Sections, and the facts that they tell."""


def _shared(survey: Survey) -> tuple[Mapping[str, tuple[str, ...]], list[Written]]:
    """Return which papers are related, and the sections of the categories and of numbers.

    Every core helps: this takes longest.
    """

    def written(write: Callable[[Survey], list[Section]]) -> Written:
        facts = replace(survey.facts, by_id=dict(survey.facts.by_id))
        return write(replace(survey, facts=facts)), facts.by_id

    writers: dict[str, Callable[[Survey], list[Section]]] = {
        category.id: partial(category_sections, category=category) for category in survey.categories
    }
    filed = {name: survey.facts.select(filed=name).number for name in writers}
    names = [NUMBERS, *sorted(writers, key=lambda name: -filed[name])]  # the longest first
    writers[NUMBERS] = numbers_sections
    jobs: list[Callable[[], Any]] = [
        lambda: related_papers(survey.entries),
        *(partial(written, writers[name]) for name in names),
    ]
    related, *found = parallel_map(lambda job: job(), jobs, len(survey.entries))
    return related, [found[names.index(name)] for name in writers]
