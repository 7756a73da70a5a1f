"""The order of the survey: which sections, paragraphs, tables and figures, one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.corpus.load import Corpus
from classifier.survey.document import (
    Block,
    Document,
    Figure,
    Paragraph,
    Reference,
    Section,
    Sentence,
)
from classifier.survey.edition import Entry, LeftOut
from classifier.survey.editorial import left_out_sections, remark_paragraphs
from classifier.survey.facts import Facts
from classifier.survey.prose import (
    abstract_sentences,
    category_sentences,
    examples_sentence,
    exemplar_sentences,
    labelling_sentence,
    method_sentences,
    paragraph,
)
from classifier.survey.tables import (
    category_table,
    contribution_table,
    escape_cell,
    names_table,
    sources_table,
    taxonomy_table,
)
from classifier.survey.wording import long_date
from classifier.taxonomy.model import Category, Taxonomy


def compose(
    taxonomy: Taxonomy,
    corpus: Corpus,
    facts: Facts,
    entries: Sequence[Entry],
    left_out: Sequence[LeftOut],
    quality: Sequence[tuple[str, str]],
    version: str,
) -> Document:
    """Return the document of an edition; `quality` are (text, metric) sentences on the labels."""
    survey = taxonomy.survey
    sections = [
        _abstract(taxonomy, facts, entries),
        *_scope(taxonomy),
        _method(corpus, facts, quality),
        _taxonomy(taxonomy, facts),
        _landscape(taxonomy, facts),
        *(
            _category(taxonomy, facts, category, entries)
            for category in ordered_categories(taxonomy)
        ),
        *left_out_sections(facts, left_out),
    ]
    return Document(
        survey.title,
        survey.subtitle,
        survey.editors,
        version,
        facts.text("papers.newest"),
        tuple(sections),
        tuple(_reference(entry) for entry in entries),
    )


def ordered_categories(taxonomy: Taxonomy) -> list[Category]:
    """Return the top categories in the order of the survey: core, the others, out of scope."""
    used = [category for category in taxonomy.first.categories if not category.replaced_by]
    return sorted(used, key=lambda category: (category.out_of_scope, not category.core))


def _abstract(taxonomy: Taxonomy, facts: Facts, entries: Sequence[Entry]) -> Section:
    drafts = abstract_sentences(taxonomy, facts, entries)
    return Section("abstract", "Abstract", 1, (paragraph("abstract", 1, drafts),))


def _scope(taxonomy: Taxonomy) -> list[Section]:
    scope = taxonomy.survey.scope.strip()
    if not scope:
        return []
    blocks = [block.strip() for block in scope.split("\n\n") if block.strip()]
    paragraphs = tuple(
        Paragraph((Sentence(f"scope-{i}", block, "H", "taxonomy: survey/scope"),))
        for i, block in enumerate(blocks, 1)
    )
    return [Section("scope", "Scope", 1, paragraphs)]


def _method(corpus: Corpus, facts: Facts, quality: Sequence[tuple[str, str]]) -> Section:
    sources = paragraph("method", 1, method_sentences(facts))
    how = Sentence(
        f"method-{len(sources.sentences) + 1}",
        f"{labelling_sentence(facts)} {examples_sentence(facts)}",
        "H",
        "fieldguide: method",
    )
    start = len(sources.sentences) + 2
    measured = paragraph("method", start, [(text, "C", f"metrics: {key}") for text, key in quality])
    return Section(
        "method",
        "Method",
        1,
        (sources, Paragraph((how, *measured.sentences)), sources_table(corpus)),
    )


def _taxonomy(taxonomy: Taxonomy, facts: Facts) -> Section:
    return Section("taxonomy", "Taxonomy", 1, (taxonomy_table(taxonomy, facts),))


def _landscape(taxonomy: Taxonomy, facts: Facts) -> Section:
    blocks: list[Block] = [
        Figure(
            "topics",
            "How many papers does each category hold? Filed there, and filed elsewhere but also "
            "there.",
            "Bar chart of the number of papers in each category; the same numbers stand in the "
            "table of the taxonomy.",
        ),
        Figure(
            "matrix",
            "Which categories meet in one paper? Rows: where papers are filed; columns: what else "
            "they belong to.",
            "Matrix of the number of papers by the category they are filed under and the others "
            "they belong to.",
        ),
        *contribution_table(taxonomy, facts),
        *names_table(facts, "benchmarks"),
    ]
    return Section("landscape", "Landscape", 1, tuple(blocks))


def _category(
    taxonomy: Taxonomy, facts: Facts, category: Category, entries: Sequence[Entry]
) -> Section:
    blocks: list[Paragraph] = []
    if category.definition.strip():
        source = f"taxonomy: {taxonomy.first.id}/{category.id}/definition"
        definition = Sentence(f"{category.id}-1", category.definition.strip(), "D", source)
        blocks.append(Paragraph((definition,)))
    for claim in category.claims:
        signed = f"{claim.text.strip()} — {claim.by}{', ' + claim.on if claim.on else ''}"
        source = f"taxonomy: {taxonomy.first.id}/{category.id}/claims"
        number = sum(len(block.sentences) for block in blocks) + 1
        blocks.append(Paragraph((Sentence(f"{category.id}-{number}", signed, "H", source),)))
    start = sum(len(block.sentences) for block in blocks) + 1
    computed = paragraph(category.id, start, category_sentences(taxonomy, facts, category, entries))
    start += len(computed.sentences)
    examples = paragraph(category.id, start, exemplar_sentences(category, entries))
    blocks += [block for block in (computed, examples) if block.sentences]
    filed = [entry for entry in entries if entry.first.primary == category.id]
    table = [category_table(taxonomy, category, filed)] if filed else []
    remarks = remark_paragraphs(filed)
    return Section(category.id, category.name, 1, (*blocks, *table, *remarks))


def _reference(entry: Entry) -> Reference:
    """A reference states only what an input states."""
    paper = entry.paper
    parts = []
    if paper.authors:
        shown = ", ".join(escape_cell(author) for author in paper.authors[:6])
        parts.append(f"{shown}{' et al' if len(paper.authors) > 6 else ''}.")
    elif paper.organisation:
        parts.append(f"{escape_cell(paper.organisation)}.")
    title = escape_cell(paper.title_display)
    stop = "" if paper.title_display.endswith(("?", "!", ".")) else "."
    parts.append(f"[{title}]({paper.link}){stop}" if paper.link else f"{title}{stop}")
    if paper.venue:
        parts.append(f"{escape_cell(paper.venue)}.")
    if paper.arxiv_id:
        parts.append(f"arXiv:{paper.arxiv_id}.")
    elif paper.doi:
        parts.append(f"doi:{paper.doi}.")
    if paper.published.date:
        parts.append(f"{long_date(paper.published)}.")
    return Reference(entry.number, paper.id, " ".join(parts))
