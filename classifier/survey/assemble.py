"""From papers and labels to the edition: numbering, names, roles, facts, document."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.corpus.load import Corpus
from classifier.corpus.paper import Paper
from classifier.labelling.labels import PaperLabels
from classifier.survey.edition import Edition, Entry
from classifier.survey.facts import Facts, compute_facts
from classifier.survey.names import NameFinder
from classifier.survey.outline import compose, ordered_categories
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_key
from classifier.text.roles import roled_sentences


def assemble(
    taxonomy: Taxonomy,
    corpus: Corpus,
    labels: Sequence[PaperLabels],
    quality: Sequence[tuple[str, str]],
    version: str,
) -> tuple[Edition, Facts]:
    """Return the edition and its facts; `labels` are in the order of the corpus's papers."""
    entries = _entries(taxonomy, corpus, labels)
    facts = compute_facts(taxonomy, corpus, entries)
    document = compose(taxonomy, corpus, facts, entries, quality, version)
    values = {fact_id: fact.value for fact_id, fact in facts.by_id.items()}
    return Edition(taxonomy, tuple(entries), document, values), facts


def _entries(taxonomy: Taxonomy, corpus: Corpus, labels: Sequence[PaperLabels]) -> list[Entry]:
    """Number the papers in the order in which the survey's tables hold them."""
    order = {category.id: i for i, category in enumerate(ordered_categories(taxonomy))}
    first = taxonomy.first.id

    def place(item: tuple[Paper, PaperLabels]) -> tuple[int, bool, list[int], str, str]:
        paper, label = item
        newest_first = [-int(part) for part in paper.published.date.split("-") if part]
        return (
            order[label.facets[first].primary],
            not paper.published.date,
            newest_first,
            title_key(paper.title),
            paper.id,
        )

    finder = NameFinder(taxonomy.lexicons)
    pairs = sorted(zip(corpus.papers, labels, strict=True), key=place)
    aliases = corpus.other_ids
    return [
        Entry(
            paper,
            label,
            number,
            label.facets[first],
            roled_sentences(paper.abstract_display),
            finder.find(f"{paper.title} . {paper.abstract}"),
            aliases.get(paper.id, ()),
        )
        for number, (paper, label) in enumerate(pairs, 1)
    ]
