"""From papers and labels to the edition: numbering, names, roles, facts, document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from classifier.labelling.labels import PaperLabels
from classifier.papers.load import Corpus
from classifier.papers.paper import Paper
from classifier.review.editorial import EditorialActs
from classifier.survey.changes.compare import Changes
from classifier.survey.edition import Edition, Entry, LeftOut
from classifier.survey.facts.compute import compute_facts
from classifier.survey.facts.facts import Facts, ids_in
from classifier.survey.material import Material, ordered_categories
from classifier.survey.outline import compose
from classifier.survey.paper_reading import PaperReading, read_papers
from classifier.survey.related import related_papers
from classifier.taxonomy.claims import Claims
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_key


@dataclass(frozen=True, slots=True)
class Ingredients:
    """What an edition is made of."""

    taxonomy: Taxonomy
    corpus: Corpus
    labels: Sequence[PaperLabels]
    """In force, in the order of the corpus's papers."""
    acts: EditorialActs
    version: str = ""
    """Hash of the data."""
    quality: Sequence[tuple[str, str]] = ()
    """(sentence, source) on the quality of the labels."""
    metrics: Mapping[str, object] = field(default_factory=dict)
    """The content of metrics.json."""
    changes: Changes | None = None
    """Against what was published before."""
    claims: Claims = field(default_factory=Claims)
    """What the editors argue."""


def assemble(made_of: Ingredients) -> tuple[Edition, Facts]:
    """Return the edition and its facts.

    What the editors left out is in the edition only as a paper left out: listed, and counted as
    such.
    """
    taxonomy, corpus = made_of.taxonomy, made_of.corpus
    readings = read_papers(corpus.papers, taxonomy.lexicons)
    entries = _entries(taxonomy, corpus, made_of.labels, made_of.acts, readings)
    left_out = _left_out(taxonomy, corpus.papers, made_of.labels, made_of.acts)
    facts = compute_facts(taxonomy, corpus, entries, left_out)
    document = compose(
        Material(
            taxonomy,
            corpus,
            facts,
            entries,
            left_out,
            made_of.quality,
            made_of.version,
            made_of.metrics,
            made_of.changes,
            made_of.claims,
        )
    )
    for sentence in document.sentences:
        for fact_id in ids_in(sentence.source):
            facts.note(fact_id)
    values = {fact_id: fact.value for fact_id, fact in facts.by_id.items()}
    related = related_papers(entries)
    return Edition(taxonomy, tuple(entries), document, values, tuple(left_out), related), facts


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
