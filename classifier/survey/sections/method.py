"""How the survey came about: what was read, merged and labelled, and how to read its numbers."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict

from classifier.evaluation.label_metrics import FacetMetrics, LabelMetrics
from classifier.papers.load import Corpus
from classifier.survey.document import (
    Block,
    Draft,
    Section,
    Table,
    computed,
    method_text,
    paragraphs,
)
from classifier.survey.editorial import LEFT_OUT, editors_paragraphs
from classifier.survey.entry import SurveyPaper
from classifier.survey.facts import STATED, Facts
from classifier.survey.figures import SAMPLE_FIGURES
from classifier.survey.quality import label_source
from classifier.survey.sections.rules import rule_drafts
from classifier.survey.survey import Survey
from classifier.survey.wording import (
    capitalized,
    category_link,
    counted,
    escape_cell,
    join_words,
    number,
    verb,
)
from classifier.taxonomy.model import Taxonomy

_WORTH_MEASURING = 5
"""Papers of a category that readers decided before its F1 is worth a sentence."""
_UNSOLVED = (
    "A thing is *said to be unsolved* where a cue stands in a sentence that states a problem or a "
    "limit and holds a word of lack; how often such cues, and those of themes, err in Fieldguide's "
    "own survey is printed by `python -m tools.columns` in its repository."
)
_QUOTATIONS = (
    "A quotation is a slice of the abstract in papers.json, character for character. That abstract "
    "differs from the source in typography only: TeX markup is set, ligatures and line breaks are "
    "plain letters and blanks, a heading of a structured abstract ends with a colon, and labels "
    "such as “Abstract” and lines of rights are left out."
)
_COLUMNS = (
    "Typed columns hold what a sentence of the abstract or digest states, or what a person typed "
    "and signed; papers.json gives the source of each value. An empty cell says that no cue found "
    "a value, not that the paper has none."
)
_TITLES = "A label from a title alone is provisional, unless the cues in the title are clear."


def method_sections(survey: Survey) -> list[Section]:
    """Return the method: sources, labels, rules."""
    facts = survey.facts
    read = paragraphs("method", method_drafts(facts))
    figures = [figure for draw in SAMPLE_FIGURES if (figure := draw(survey))]
    tables, words = split_tables(survey.taxonomy.survey.method)
    told = editors_paragraphs(words, "method")
    labelled = [*paragraphs("method-labels", labelling_drafts(survey), *told), *tables]
    rules = paragraphs("method-rules", *rule_drafts(survey))
    typed = column_drafts(survey)
    columns = paragraphs("method-columns", typed) if typed else []
    return [
        Section("method", "Method", 1, (*read, *figures, sources_table(survey.corpus))),
        Section(
            "method-labels",
            "How the papers were labelled",
            2,
            (*labelled, *measured_labels(survey.taxonomy, survey.metrics), *columns),
        ),
        Section("method-rules", "How to read the numbers", 2, tuple(rules)),
    ]


def split_tables(text: str) -> tuple[list[Block], str]:
    """Return the pipe tables in the editors' Markdown, and the text without them."""
    parts = [part.strip() for part in text.split("\n\n")]
    tables: list[Block] = []
    for part in (part for part in parts if part.startswith("|")):
        lines = [line.strip().removeprefix("|").removesuffix("|") for line in part.splitlines()]
        heads, *cells = [tuple(cell.strip() for cell in line.split("|")) for line in lines]
        rows = [(*row, *[""] * len(heads))[: len(heads)] for row in cells[1:]]
        caption = "What was read, by whom, and what was wrong"
        tables.append(Table(f"readings-{len(tables) + 1}", caption, heads, tuple(rows)))
    return tables, "\n\n".join(part for part in parts if not part.startswith("|"))


def method_drafts(facts: Facts) -> list[Draft | None]:
    """Return how the survey came about: sources, merging, texts, dates."""
    full_text = method_text("no-full-text", "No full text was read.")
    has_abstracts = bool(facts.number("papers.with_abstract"))
    quotations = method_text("quotations", _QUOTATIONS) if has_abstracts else None
    return [
        _flow(facts),
        _quarantined(facts),
        _texts(facts),
        full_text,
        quotations,
        _dates(facts),
        _authors(facts),
    ]


def column_drafts(survey: Survey) -> list[Draft | None]:
    """Return how many papers have a value in each typed column, and how it got there."""
    facts, drafts = survey.facts, []
    for column in survey.taxonomy.columns.values():
        asked = [e for e in survey.entries if column.is_asked_of(e.first.categories)]
        filled = [e for e in survey.entries if column.id in e.values]
        by_hand = sum(e.values[column.id][0].source == "by hand" for e in filled)
        ids = [f"columns.{column.id}.{part}" for part in ("asked", "filled", "by_hand")]
        facts.add(ids[0], len(asked), STATED, f"papers that have the column {column.id}")
        query = f"having({column.id})"
        facts.add(ids[1], len(filled), query, f"papers with a value of {column.id}")
        facts.add(ids[2], by_hand, STATED, f"papers whose value of {column.id} a person typed")
        text = f"*{escape_cell(column.name)}* is filled for {number(len(filled))} of "
        text += f"{counted(len(asked), 'paper')}"
        text += f", {number(by_hand)} of them by hand." if by_hand else "."
        drafts.append(computed(f"column-{column.id}", text, *ids[: 3 if by_hand else 2]))
    return [method_text("columns", _COLUMNS), *drafts] if drafts else []


def labelling_drafts(survey: Survey) -> list[Draft | None]:
    """Return where labels come from, who decided them and how good they are."""
    measured = [
        Draft(f"quality-{position}", text, "C", f"metrics: {metric}")
        for position, (text, metric) in enumerate(survey.quality, 1)
    ]
    labels = method_text("labels", labelling_sentence(survey.facts))
    told = [labels, _taken_over(survey.facts), _agreed(survey)]
    titles = method_text("titles", _TITLES) if survey.facts.number("papers.title_only") else None
    return [*told, *measured, _weakest(survey), titles]


_AGREED = re.compile(r"(\d+)/(\d+) readers\b")
"""Start of a note of the ledger with the number of readers who gave the primary."""


def agreement(survey: Survey, entry: SurveyPaper) -> str:
    """Return how many of several readers gave the primary, as `2-of-3`; "" if no note says so."""
    decision = survey.decisions.get(entry.paper.id, {}).get(survey.first.id)
    votes = _AGREED.match(decision.note) if decision else None
    return "-of-".join(votes.groups()) if votes else ""


def _agreed(survey: Survey) -> Draft | None:
    """Return the number of papers per agreement of readers, if the ledger's notes state it."""
    votes = Counter(found for entry in survey.entries if (found := agreement(survey, entry)))
    facts, ids, parts = survey.facts, [], []
    for vote, papers in sorted(votes.items(), key=lambda item: (-item[1], item[0])):
        gave, _, asked = vote.partition("-of-")
        ids.append(f"papers.agreed.{vote}")
        meaning = f"papers whose primary {gave} of {asked} readers gave"
        facts.add(ids[-1], papers, f"agreed={vote}", meaning)
        readers = f"of {number(int(gave))} of {number(int(asked))} readers"
        parts.append(f"{readers} on {counted(papers, 'paper')}")
    return (
        computed("agreed", f"The decisions are those {join_words(parts)}.", *ids) if parts else None
    )


def _taken_over(facts: Facts) -> Draft | None:
    """Whose labels these are, where they were read off a list or a library."""
    if "papers.imported" not in facts.by_id:
        return None
    imported = facts.number("papers.imported")
    text = (
        f"The labels of {counted(imported, 'paper')} are imported: taken over from the headings, "
        "collections or keywords under which the sources had filed them."
    )
    return computed("taken-over", text, "papers.imported")


def _weakest(survey: Survey) -> Draft | None:
    """The category on which labels and readers agree least, among those with cases enough."""
    measured = survey.metrics.facet(survey.first.id)
    known = []
    for category in survey.in_scope:
        metrics = measured.categories.get(category.id)
        if metrics and metrics.f1 is not None and metrics.support >= _WORTH_MEASURING:
            known.append((metrics.f1, metrics.support, category))
    if len(known) < 3:
        return None
    f1, support, category = min(known, key=lambda item: (item[0], item[2].id))
    if f1 == 1:
        return None
    path, who = f"{survey.first.id}.categories.{category.id}", label_source(measured).who
    text = (
        f"Of the categories in scope, classifier and {who} agree least on "
        f"{category_link(category)}: an F1 of {f1:.2f}; "
        f"{who} found {counted(support, 'paper')} to belong there."
    )
    return Draft("weakest", text, "C", f"metrics: {path}.f1, {path}.support")


def _flow(facts: Facts) -> Draft:
    """How many records became how many papers, and how many of those the editors left out."""
    read, distinct = facts.number("records.read"), facts.number("papers.distinct")
    text = (
        f"{capitalized(counted(facts.number('files.read'), 'file'))} gave {counted(read, 'record')}"
    )
    if read == distinct > 1:
        text += ", each a different paper"
    else:
        text += (
            f", which {verb(read, 'is', 'are')} {counted(distinct, 'distinct paper')} after merging"
        )
    sources = ["files.read", "records.read", "papers.distinct"]
    if left_out := facts.number("papers.left_out"):
        text += f"; the editors [left out](#{LEFT_OUT}) {number(left_out)} of them"
        sources.append("papers.left_out")
    return computed("flow", f"{text}.", *sources)


def _quarantined(facts: Facts) -> Draft | None:
    quarantined = facts.number("records.quarantined")
    if not quarantined:
        return None
    are = verb(quarantined, "is", "are")
    text = f"{capitalized(counted(quarantined, 'record'))} could not be read and {are} listed in"
    return computed("quarantined", f"{text} quarantine.csv.", "records.quarantined")


def _texts(facts: Facts) -> Draft:
    """What the labels and statements were drawn from; one sort of text is not counted again."""
    sources = ("papers.with_abstract", "papers.with_digest", "papers.title_only")
    sorts = (
        ("its abstract", "their abstracts"),
        ("a digest that rewords its abstract", "digests that reword their abstracts"),
        ("its title alone", "their titles alone"),
    )
    found = [(n, *sort) for name, sort in zip(sources, sorts, strict=True)
             if (n := facts.number(name))]  # fmt: skip
    parts = [f"for {counted(n, 'paper')} from {verb(n, one, many)}" for n, one, many in found]
    if len(found) == 1:
        ((n, one, many),) = found
        every = "both papers" if n == 2 else f"all {number(n)} papers"
        parts = [f"for {verb(n, 'the one paper', every)} from {verb(n, one, many)}"]
    return computed(
        "texts", f"Statements and the classifier's labels were drawn {join_words(parts)}.", *sources
    )


def _dates(facts: Facts) -> Draft | None:
    total, dated = facts.number("papers.total"), facts.number("papers.dated")
    if not dated:
        return None
    oldest, newest = facts.text("papers.oldest")[:4], facts.text("papers.newest")[:4]
    span = f"in {newest}" if oldest == newest else f"from {oldest} to {newest}"
    are = verb(dated, "is", "are")
    text = (
        f"Of the {counted(total, 'paper')}, {number(dated)} {are} dated, {span}. Undated papers "
        "are left out of all counts over time."
    )
    if dated == total:
        text = f"All papers are dated, {span}." if total > 1 else f"It is dated, {span}."
    sources = ("papers.dated", "papers.total", "papers.oldest", "papers.newest")
    return computed("dates", text, *sources)


def _authors(facts: Facts) -> Draft | None:
    """Return how many references state no authors; None where each states some."""
    missing = facts.number("papers.without_authors")
    if not missing:
        return None
    of_papers = f"{number(missing)} of {counted(facts.number('papers.total'), 'reference')}"
    text = f"No source states the authors of {of_papers}, which say so: [Authors unknown]."
    return computed("authors", text, "papers.without_authors", "papers.total")


def labelling_sentence(facts: Facts) -> str:
    """Return, in Fieldguide's own words, where labels come from."""
    how = (
        "Labels come from the cues of the taxonomy and, if there are enough papers to learn from, "
        "from logistic regressions on those cues and on TF-IDF features"
    )
    if facts.number("papers.reviewed"):
        return f"{how}, which learn from the decisions of readers; a decision always wins."
    if "papers.imported" in facts.by_id:
        return f"{how}, which learn from where papers were filed before; no reader decided any."
    return f"{how}; no reader has decided any of them yet."


def sources_table(corpus: Corpus) -> Table:
    """Return which files were read and what each gave."""
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


_NOT_MEASURED = "–"

# What is asked, its key in metrics.json, and whether it is a share.
_QUESTIONS = (
    ("Papers that {had_filed}", "decided", "count"),
    ("Of them measured on", "measured", "count"),
    ("Filed {as_they_did}", "primary_accuracy", "share"),
    ("F1, mean over the categories", "mean_f1", "figure"),
    ("F1, mean over the core categories", "core_f1", "figure"),
    ("Mean distance of a probability from what came true (ECE)", "ece", "figure"),
    ("Labels that are confident", "confident_share", "share"),
    ("Confident ones filed {as_they_did}", "confident_accuracy", "share"),
    ("Confidence from which a label is confident", "confidence_cut", "share"),
)


def card_table(taxonomy: Taxonomy, metrics: LabelMetrics) -> list[Table]:
    """Return the figures of every facet that readers decided, with 95 % intervals; none if none."""
    measured = {
        facet_id: figures for facet_id, figures in metrics.facets.items() if figures.decided
    }
    if not measured:
        return []
    by = asdict(label_source(next(iter(measured.values()))))
    rows = [
        (asked.format_map(by), *(_cell(figures, key, form) for figures in measured.values()))
        for asked, key, form in _QUESTIONS
        if any(_has_news(figures, key) for figures in measured.values())
    ]
    names = (escape_cell(taxonomy.facet(facet_id).name) for facet_id in measured)
    return [
        Table(
            "card",
            "Quality of the labels that no reader decided. Each decision was predicted by a model "
            "that had not seen it. Brackets: 95% intervals by bootstrap.",
            ("Measure", *names),
            tuple(rows),
            numeric=tuple(range(1, len(measured) + 1)),
        )
    ]


def measured_labels(taxonomy: Taxonomy, metrics: LabelMetrics) -> list[Block]:
    """Return the table of figures, and what it says nothing of."""
    if not (tables := card_table(taxonomy, metrics)):
        return []
    unmeasured = [
        *(["parts of topics"] if any(each.children for each in taxonomy.first.categories) else []),
        *(
            ["facets such as design choices or themes"]
            if any(facet.may_be_unstated for facet in taxonomy.facets.values())
            else []
        ),
        *(["what is said to be unsolved"] if taxonomy.roles.unsolved in taxonomy.lexicons else []),
    ]
    text = f"{capitalized(join_words(unmeasured))} rest on cues; the table does not measure them."
    told = [method_text("unmeasured", text)] if unmeasured else []
    if taxonomy.roles.unsolved in taxonomy.lexicons:
        told.append(method_text("said-unsolved", _UNSOLVED))
    return [*tables, *paragraphs("method-labels", told)]


def _has_news(figures: FacetMetrics, key: str) -> bool:
    """Return whether the card prints a field; `measured` only if it differs from `decided`."""
    if key == "measured":
        return figures.measured != figures.decided
    return getattr(figures, key) is not None


def _cell(figures: FacetMetrics, key: str, form: str) -> str:
    value = getattr(figures, key)
    if value is None:
        return _NOT_MEASURED
    low, high = figures.intervals.get(key, (None, None))
    # Where no paper differs, resamples cannot show what the sample does not hold.
    if low is None or high is None or low == high:
        return _shown(value, form)
    return f"{_shown(value, form)} ({_shown(low, form)} to {_shown(high, form)})"


def _shown(value: float, form: str) -> str:
    if form == "share":
        return f"{100 * value:.0f}%"
    return f"{value:,}" if form == "count" else f"{value:.2f}"
