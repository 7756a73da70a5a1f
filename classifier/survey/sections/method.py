"""The section "Method": sources, labels and their quality, definitions."""

from __future__ import annotations

import re
from collections import Counter

from classifier.papers.load import Corpus
from classifier.survey.document import (
    Block,
    Draft,
    Section,
    Table,
    computed_sentence,
    make_paragraphs,
    method_text,
)
from classifier.survey.editorial import LEFT_OUT, editors_paragraphs
from classifier.survey.entry import SurveyPaper
from classifier.survey.facts import STATED, Facts
from classifier.survey.figures import SAMPLE_FIGURES
from classifier.survey.quality import label_source
from classifier.survey.sections.label_quality import quality_blocks
from classifier.survey.sections.rules import rule_drafts
from classifier.survey.survey import Survey
from classifier.survey.wording import (
    capitalise,
    category_link,
    count_in_words,
    count_with_noun,
    escape_cell,
    join_words,
    verb_for_count,
)

_MIN_SUPPORT = 5
"""Minimum number of measured papers in a category for a sentence on its F1."""
_QUOTATIONS = (
    "A quotation is an exact part of the abstract in papers.json. That abstract differs from the "
    "source in typography only: TeX markup is converted, ligatures and line breaks are plain "
    "letters and blanks, a heading of a structured abstract ends with a colon, and labels such as "
    "“Abstract” and copyright notices are left out."
)
_COLUMNS = (
    "A value in a typed column is stated by a sentence of the abstract or digest, or was typed and "
    "signed by a person. An empty cell means that no value was found, not that the paper has none."
)
_TITLES = "A label from a title alone is provisional, unless the cues in the title are clear."


def method_sections(survey: Survey) -> list[Section]:
    """Return the section about the method, with its subsections about labels and numbers."""
    facts = survey.facts
    read = make_paragraphs("method", method_sentences(facts))
    figures = [figure for make_figure in SAMPLE_FIGURES if (figure := make_figure(survey))]
    tables, text = split_tables(survey.taxonomy.survey.method)
    editors = editors_paragraphs(text, "method")
    labelled = [*make_paragraphs("method-labels", labelling_drafts(survey), *editors), *tables]
    rules = make_paragraphs("method-rules", *rule_drafts(survey))
    typed = column_drafts(survey)
    columns = make_paragraphs("method-columns", typed) if typed else []
    return [
        Section("method", "Method", 1, (*read, *figures, sources_table(survey.corpus))),
        Section(
            "method-labels",
            "How the papers were labelled",
            2,
            (*labelled, *quality_blocks(survey.taxonomy, survey.metrics), *columns),
        ),
        Section("method-rules", "How to read the numbers", 2, tuple(rules)),
    ]


def split_tables(text: str) -> tuple[list[Block], str]:
    """Return the tables in the editors' Markdown, and the text without them."""
    parts = [part.strip() for part in text.split("\n\n")]
    tables: list[Block] = []
    for part in (part for part in parts if part.startswith("|")):
        lines = [line.strip().removeprefix("|").removesuffix("|") for line in part.splitlines()]
        heads, *cells = [tuple(cell.strip() for cell in line.split("|")) for line in lines]
        rows = [(*row, *[""] * len(heads))[: len(heads)] for row in cells[1:]]
        caption = "Texts that were checked: number, reviewers, errors"
        tables.append(Table(f"readings-{len(tables) + 1}", caption, heads, tuple(rows)))
    return tables, "\n\n".join(part for part in parts if not part.startswith("|"))


def method_sentences(facts: Facts) -> list[Draft | None]:
    """Return the sentences about sources, merging, texts, dates and authors."""
    full_text = method_text("no-full-text", "No full text was read.")
    has_abstracts = bool(facts.number("papers.with_abstract"))
    quotations = method_text("quotations", _QUOTATIONS) if has_abstracts else None
    return [
        _records_sentence(facts),
        _unreadable_records_sentence(facts),
        _texts_sentence(facts),
        full_text,
        quotations,
        _dates_sentence(facts),
        _authors_sentence(facts),
        _code_sentence(facts),
    ]


def column_drafts(survey: Survey) -> list[Draft | None]:
    """Return the sentences on typed columns: how many papers have a value, and who typed it."""
    facts, parts, sources = survey.facts, [], list[str]()
    for column in survey.taxonomy.columns.values():
        applicable = [e for e in survey.entries if column.applies_to_topics(e.first.categories)]
        filled = [e for e in survey.entries if column.id in e.values]
        by_hand = sum(e.values[column.id][0].source == "by hand" for e in filled)
        ids = [f"columns.{column.id}.{part}" for part in ("asked", "filled", "by_hand")]
        facts.add(ids[0], len(applicable), STATED, f"papers that have the column {column.id}")
        query = f"having({column.id})"
        facts.add(ids[1], len(filled), query, f"papers with a value of {column.id}")
        facts.add(ids[2], by_hand, STATED, f"papers whose value of {column.id} a person typed")
        text = f"*{escape_cell(column.name)}* for {count_in_words(len(filled))} of "
        text += count_with_noun(len(applicable), "paper")
        text += f" ({count_in_words(by_hand)} by hand)" if by_hand else ""
        parts.append(text)
        sources += ids[: 3 if by_hand else 2]
    if not parts:
        return []
    text = f"These columns are filled in: {join_words(parts)}."
    filled_in = computed_sentence("filled", text, *sources)
    return [method_text("columns", _COLUMNS), filled_in]


def labelling_drafts(survey: Survey) -> list[Draft | None]:
    """Return the sentences about the origin of labels, the decisions, and their quality."""
    measured = [
        Draft(f"quality-{position}", text, "C", f"metrics: {metric}")
        for position, (text, metric) in enumerate(survey.quality, 1)
    ]
    labels = method_text("labels", labelling_sentence(survey.facts))
    titles = method_text("titles", _TITLES) if survey.facts.number("papers.title_only") else None
    imported, agreed = _imported_labels_sentence(survey.facts), _agreement_sentence(survey)
    return [labels, imported, agreed, *measured, _category_with_lowest_f1(survey), titles]


_VOTES = re.compile(r"(\d+)/(\d+) readers\b")
"""Start of a note in the ledger: how many of several readers chose the primary."""


def agreement(survey: Survey, entry: SurveyPaper) -> str:
    """Return how many of a paper's readers chose its primary, as `2-of-3`; "" if unknown."""
    decision = survey.decisions.get(entry.paper.id, {}).get(survey.first.id)
    votes = _VOTES.match(decision.note) if decision else None
    return "-of-".join(votes.groups()) if votes else ""


def _agreement_sentence(survey: Survey) -> Draft | None:
    """Return the number of papers by number of agreeing readers, if the ledger has this data."""
    votes = Counter(found for entry in survey.entries if (found := agreement(survey, entry)))
    facts, ids, parts = survey.facts, [], []
    for vote, papers in sorted(votes.items(), key=lambda item: (-item[1], item[0])):
        agreeing, _, readers = vote.partition("-of-")
        ids.append(f"papers.agreed.{vote}")
        meaning = f"papers whose primary {agreeing} of {readers} readers gave"
        facts.add(ids[-1], papers, f"agreed={vote}", meaning)
        who = f"{count_in_words(int(agreeing))} of {count_in_words(int(readers))} readers agreed"
        parts.append(f"{who} on {count_with_noun(papers, 'paper')}")
    return computed_sentence("agreed", f"{capitalise(join_words(parts))}.", *ids) if parts else None


def _imported_labels_sentence(facts: Facts) -> Draft | None:
    """Return the number of labels that were imported from a list or a library."""
    if "papers.imported" not in facts.by_id:
        return None
    imported = facts.number("papers.imported")
    text = (
        f"The labels of {count_with_noun(imported, 'paper')} are imported from the headings, "
        "collections or keywords of the sources."
    )
    return computed_sentence("taken-over", text, "papers.imported")


def _category_with_lowest_f1(survey: Survey) -> Draft | None:
    """Return the category in scope with the lowest F1; None if fewer than three are measured."""
    measured = survey.metrics.facet(survey.first.id)
    known = []
    for category in survey.in_scope:
        metrics = measured.categories.get(category.id)
        if metrics and metrics.f1 is not None and metrics.support >= _MIN_SUPPORT:
            known.append((metrics.f1, metrics.support, category))
    if len(known) < 3:
        return None
    f1, support, category = min(known, key=lambda item: (item[0], item[2].id))
    if f1 == 1:
        return None
    path, who = f"{survey.first.id}.categories.{category.id}", label_source(measured).people
    text = (
        f"Of the categories in scope, classifier and {who} agree least on "
        f"{category_link(category)}: an F1 of {f1:.2f}; "
        f"{who} assigned {count_with_noun(support, 'paper')} to it."
    )
    return Draft("weakest", text, "C", f"metrics: {path}.f1, {path}.support")


def _records_sentence(facts: Facts) -> Draft:
    """Return the numbers of files, records, distinct papers, and papers left out."""
    read, distinct = facts.number("records.read"), facts.number("papers.distinct")
    files = count_with_noun(facts.number("files.read"), "file")
    text = f"The survey reads {count_with_noun(read, 'record')} from {files}"
    if read == distinct > 1:
        text += ", each of a different paper"
    else:
        text += f"; merging leaves {count_with_noun(distinct, 'distinct paper')}"
    sources = ["files.read", "records.read", "papers.distinct"]
    if left_out := facts.number("papers.left_out"):
        text += f"; the editors [left out](#{LEFT_OUT}) {count_in_words(left_out)} of them"
        sources.append("papers.left_out")
    return computed_sentence("flow", f"{text}.", *sources)


def _unreadable_records_sentence(facts: Facts) -> Draft | None:
    """Return the number of records that could not be read."""
    quarantined = facts.number("records.quarantined")
    if not quarantined:
        return None
    text = f"quarantine.csv lists {count_with_noun(quarantined, 'record')} that could not be read."
    return computed_sentence("quarantined", text, "records.quarantined")


def _texts_sentence(facts: Facts) -> Draft:
    """Return the number of papers by kind of text: abstract, digest or title alone."""
    kinds = {
        "papers.with_abstract": "the abstract",
        "papers.with_digest": "a digest that rewords the abstract",
        "papers.title_only": "the title alone",
    }
    parts = []
    for fact_id, kind in kinds.items():
        if n_papers := facts.number(fact_id):
            parts.append(f"on {kind} ({count_with_noun(n_papers, 'paper')})")
    text = f"The classifier's labels are based {join_words(parts)}."
    return computed_sentence("texts", text, *kinds)


def _dates_sentence(facts: Facts) -> Draft | None:
    """Return the number of dated papers, and their years."""
    total, dated = facts.number("papers.total"), facts.number("papers.dated")
    if not dated:
        return None
    oldest, newest = facts.text("papers.oldest")[:4], facts.text("papers.newest")[:4]
    span = f"in {newest}" if oldest == newest else f"from {oldest} to {newest}"
    are = verb_for_count(dated, "is", "are")
    text = (
        f"Of the {count_with_noun(total, 'paper')}, {count_in_words(dated)} {are} dated, {span}. "
        "Undated papers "
        "are left out of all counts over time."
    )
    if dated == total:
        text = f"All papers are dated, {span}." if total > 1 else f"It is dated, {span}."
    sources = ("papers.dated", "papers.total", "papers.oldest", "papers.newest")
    return computed_sentence("dates", text, *sources)


def _authors_sentence(facts: Facts) -> Draft | None:
    """Return the number of references without authors; None if there are none."""
    missing = facts.number("papers.without_authors")
    if not missing:
        return None
    of_papers = (
        f"{count_in_words(missing)} of {count_with_noun(facts.number('papers.total'), 'reference')}"
    )
    text = f"No source states the authors of {of_papers}, which are marked [Authors unknown]."
    return computed_sentence("authors", text, "papers.without_authors", "papers.total")


def _code_sentence(facts: Facts) -> Draft | None:
    """Return the number of papers with code; None if there are none."""
    with_code = facts.number("papers.with_code")
    if not with_code:
        return None
    papers = count_with_noun(facts.number("papers.total"), "paper")
    text = f"Of {papers}, {count_in_words(with_code)} link code or say that it is released."
    return computed_sentence("code", text, "papers.with_code", "papers.total")


def labelling_sentence(facts: Facts) -> str:
    """Return the sentence about the origin of labels."""
    how = (
        "Labels come from the cues of the taxonomy and, if there are enough papers to learn from, "
        "from logistic regressions on those cues and on TF-IDF features"
    )
    if facts.number("papers.reviewed"):
        return f"{how}, trained on the readers' decisions. A reader's decision overrides them."
    if "papers.imported" in facts.by_id:
        return f"{how}, trained on the imported labels. Readers have not decided any."
    return f"{how}. Readers have not decided any of them yet."


def sources_table(corpus: Corpus) -> Table:
    """Return the table of the input files, with format, records and hash."""
    rows = tuple(
        (f"`{file.name}`", file.format, f"{file.records:,}", f"`{file.digest[:12]}`")
        for file in corpus.files
    )
    return Table(
        "sources",
        "Files that were read",
        ("File", "Format", "Records", "Content hash"),
        rows,
        numeric=(2,),
    )
