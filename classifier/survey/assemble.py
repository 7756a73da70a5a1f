"""From papers and labels to the edition: numbering, names, roles, facts, document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from classifier.corpus.load import Corpus
from classifier.corpus.paper import Paper
from classifier.labelling.labels import PaperLabels
from classifier.review.editorial import EditorialActs
from classifier.survey.changes.compare import Changes
from classifier.survey.edition import Edition, Entry, LeftOut
from classifier.survey.facts.compute import compute_facts
from classifier.survey.facts.facts import Facts, ids_in
from classifier.survey.material import Material, ordered_categories
from classifier.survey.names import NameFinder
from classifier.survey.outline import compose
from classifier.survey.related import related_papers
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_key
from classifier.text.results import headline_results
from classifier.text.roles import roled_sentences


def assemble(
    taxonomy: Taxonomy,
    corpus: Corpus,
    labels: Sequence[PaperLabels],
    quality: Sequence[tuple[str, str]],
    version: str,
    acts: EditorialActs,
    metrics: Mapping[str, object] | None = None,
    changes: Changes | None = None,
) -> tuple[Edition, Facts]:
    """Return the edition and its facts; `labels` are in the order of the corpus's papers.

    metrics: the content of metrics.json; changes: against what was published before.
    What the editors left out is in the edition only as a paper left out: listed, and counted as
    such.
    """
    entries = _entries(taxonomy, corpus, labels, acts)
    left_out = _left_out(taxonomy, corpus.papers, labels, acts)
    facts = compute_facts(taxonomy, corpus, entries, left_out)
    document = compose(
        Material(
            taxonomy, corpus, facts, entries, left_out, quality, version, metrics or {}, changes
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

    finder = NameFinder(taxonomy.lexicons)
    papers, aliases = corpus.papers, corpus.other_ids
    shown = (pair for pair in zip(papers, labels, strict=True) if pair[0].id not in acts.excluded)
    pairs = sorted(shown, key=place)
    return [
        Entry(
            paper,
            label,
            number,
            label.facets[first],
            (sentences := roled_sentences(paper.abstract_display)),
            finder.find(f"{paper.title} . {paper.abstract}"),
            acts.remarks.get(paper.id),
            acts.keys.get(paper.id),
            aliases.get(paper.id, ()),
            headline_results(sentences, finder.benchmarks),
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
