"""From papers and labels to the edition: numbering, names, roles, facts, document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from classifier.labelling.labels import PaperLabels
from classifier.papers.load import Corpus
from classifier.papers.paper import Paper
from classifier.review.acts import EditorialActs
from classifier.survey.changes.compare import Changes
from classifier.survey.changes.move import Move
from classifier.survey.entry import Entry, LeftOut
from classifier.survey.facts.compute import compute_facts
from classifier.survey.facts.facts import ids_in
from classifier.survey.inputs import Inputs
from classifier.survey.outline import compose
from classifier.survey.paper_reading import PaperReading, read_papers
from classifier.survey.quality import quality_sentences
from classifier.survey.related import related_papers
from classifier.survey.survey import Survey, ordered_categories
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_key


def assemble(
    inputs: Inputs,
    labels: Sequence[PaperLabels],
    acts: EditorialActs,
    metrics: Mapping[str, object] = MappingProxyType({}),
    changes: Changes | None = None,
    held: Sequence[Move] = (),
) -> Survey:
    """Return the survey, whole; its fields say what the arguments are.

    What the editors left out is in it only as a paper left out: listed, and counted as such.
    """
    taxonomy, corpus = inputs.taxonomy, inputs.corpus
    readings = read_papers(corpus.papers, taxonomy.lexicons)
    entries = tuple(_entries(taxonomy, corpus, labels, acts, readings))
    left_out = tuple(_left_out(taxonomy, corpus.papers, labels, acts))
    facts = compute_facts(taxonomy, corpus, entries, left_out)
    survey = Survey(
        taxonomy=taxonomy,
        entries=entries,
        facts=facts,
        left_out=left_out,
        related=related_papers(entries),
        corpus=corpus,
        labels=tuple(labels),
        decisions=inputs.decisions,
        version=inputs.version,
        quality=quality_sentences(metrics, taxonomy.first.id),
        metrics=metrics,
        changes=changes,
        held=tuple(held),
        claims=inputs.claims,
    )
    document = compose(survey)
    for sentence in document.sentences:
        for fact_id in ids_in(sentence.source):
            facts.note(fact_id)
    values = {fact_id: fact.value for fact_id, fact in facts.by_id.items()}
    return replace(survey, document=document, fact_values=values)


def _entries(
    taxonomy: Taxonomy,
    corpus: Corpus,
    labels: Sequence[PaperLabels],
    acts: EditorialActs,
    readings: Mapping[str, PaperReading],
) -> list[Entry]:
    """Number the papers in the order in which the survey's tables hold them."""
    order = {category.id: i for i, category in enumerate(ordered_categories(taxonomy))}
    first = taxonomy.first.id

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

    papers, aliases = corpus.papers, corpus.other_ids
    shown = (pair for pair in zip(papers, labels, strict=True) if pair[0].id not in acts.excluded)
    pairs = sorted(shown, key=place)
    return [
        Entry(
            paper,
            label,
            number,
            label.facets[first],
            readings[paper.id].sentences,
            readings[paper.id].names,
            acts.remarks.get(paper.id),
            acts.keys.get(paper.id),
            aliases.get(paper.id, ()),
            readings[paper.id].results,
            readings[paper.id].unsolved,
        )
        for number, (paper, label) in enumerate(pairs, 1)
    ]


def _left_out(
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    labels: Sequence[PaperLabels],
    acts: EditorialActs,
) -> list[LeftOut]:
    """Return the papers that the editors left out, by title."""
    found = [
        LeftOut(paper, label.facets[taxonomy.first.id].status, acts.excluded[paper.id])
        for paper, label in zip(papers, labels, strict=True)
        if paper.id in acts.excluded
    ]
    return sorted(found, key=lambda item: (title_key(item.paper.title), item.paper.id))
