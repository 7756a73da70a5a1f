"""The table of the papers in a category, with the category's own facets as columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from urllib.parse import quote

from classifier.survey.document import Block, Draft, Table, computed_sentence, make_paragraphs
from classifier.survey.entry import SurveyPaper
from classifier.survey.exemplars import central_papers
from classifier.survey.facts import STATED, Facts
from classifier.survey.keys import UNDATED
from classifier.survey.paper_names import name_of
from classifier.survey.quotation import contains_words, is_clear_with_title, shares_subject
from classifier.survey.sections.category.findings import MAX_FINDING, finding_of
from classifier.survey.sections.category.subject import Subject
from classifier.survey.side_by_side import amounts_made
from classifier.survey.wording import citation_link, count_in_words, escape_cell, markdown_name
from classifier.taxonomy.columns import cell_text
from classifier.taxonomy.model import NOT_STATED, Facet, Roles, Taxonomy, TypedColumn
from classifier.text.result import Result, headline
from classifier.text.result_words import has_measure
from classifier.text.sentences import Span

FOUND = "found"
"""Anchor of the first headline result on a paper's page."""
_BEGIN, _END = "\ue000", "\ue001"
"""Marks around a number while its text is escaped; display texts do not contain them."""
SELECTION = "selection"
"""Name of the sentence on a table that shows a selection of papers."""
MANY_PAPERS = 1_000
"""Number of papers in the survey above which its tables are shorter, so that pages stay usable."""
_MIN_FILLED = 0.15
"""Minimum share of papers with a label in a facet for a column; below, it looks empty."""
_MIN_WITH_AMOUNT = 0.2
"""Minimum share of papers that state an amount for a column of amounts."""
LONG, SHORT = (300, 100), (100, 40)
"""(maximum number of rows, number of central and of newest papers in a selection)."""


def table_limits(facts: Facts) -> tuple[int, int]:
    """Return the limits for the tables of a survey: `LONG` or `SHORT`."""
    return LONG if facts.number("papers.total") <= MANY_PAPERS else SHORT


def comparison_blocks(subject: Subject, quoted_text: str = "") -> list[Block]:
    """Return the table of the section's papers; if it is a selection, also a sentence about it.

    quoted_text: the quotations in the section, which the table does not repeat.
    """
    if not subject.number:
        return []
    survey = subject.survey
    entries = select_papers(subject.entries, table_limits(survey.facts))
    table = comparison_table(subject, entries, quoted_text)
    if len(entries) == subject.number:
        return [table]
    return [table, *make_paragraphs(subject.category.id, [_selection_sentence(subject, entries)])]


def select_papers(papers: Sequence[SurveyPaper], limits: tuple[int, int]) -> list[SurveyPaper]:
    """Return the papers for the table, by number: all, or a selection if there are too many.

    A selection consists of the key papers, the papers closest to the common vocabulary, and the
    newest. limits: as in `LONG`.
    """
    max_rows, n_per_kind = limits
    if len(papers) <= max_rows:
        return list(papers)
    newest = sorted(papers, key=lambda e: (e.paper.published.date, -e.number), reverse=True)
    chosen = [entry for entry in papers if entry.key]
    chosen += central_papers(papers, n_per_kind) + newest[:n_per_kind]
    return [entry for _, entry in sorted({entry.number: entry for entry in chosen}.items())]


def comparison_table(subject: Subject, entries: Sequence[SurveyPaper], quoted_text: str) -> Table:
    """Return the table with one row per paper in `entries`.

    Its columns are the category's own facets that enough papers have; if there are none, the
    contribution of each paper. Results and code have a column if enough papers state them.
    """
    survey = subject.survey
    facets = [facet for facet in subject.own_facets if _has_enough_labels(subject, facet)]
    kinds = [survey.taxonomy.facet(survey.roles.contribution)] if subject.kinds else []
    counts = _amounts_by_paper(subject) if kinds else {}
    columns: list[tuple[str, Callable[[SurveyPaper], str]]] = [
        ("Ref.", citation_link),
        ("Paper", _paper_link),
        ("Date", lambda entry: entry.paper.published.date[:7] or UNDATED),
        *(
            (markdown_name(facet), partial(_category_names, facet, survey.roles))
            for facet in (*kinds, *facets)
        ),
    ]
    if not facets:
        columns.append(("What it does", partial(_contribution_cell, quoted_text)))
    columns += [
        (markdown_name(column), partial(_column_values, column))
        for column in _used_columns(subject)
    ]
    if counts:
        columns.append(("How many", lambda entry: counts.get(entry.number, "")))
    if survey.has_results:
        columns.append(("Headline result", partial(_result_cell, survey.taxonomy, quoted_text)))
    if survey.has_enough_code:
        columns.append(("Code", _code_cell))
    columns.append(("Label", lambda entry: entry.first.status))
    content = "how they compare" if facets else "what each does"
    return Table(
        f"papers-{subject.category.id}",
        f"Papers filed under {markdown_name(subject.category)}, and {content}",
        tuple(heading for heading, _ in columns),
        tuple(tuple(cell(entry) for _, cell in columns) for entry in entries),
    )


def _used_columns(subject: Subject) -> list[TypedColumn]:
    """Return the typed columns for which at least one paper in the section has a value."""
    columns = subject.survey.taxonomy.columns.values()
    return [
        column for column in columns if any(column.id in entry.values for entry in subject.entries)
    ]


def _column_values(column: TypedColumn, entry: SurveyPaper) -> str:
    """Return the values of a paper in a typed column; values typed by people are signed."""
    values = entry.values.get(column.id, ())
    signed = f" (by {values[0].by})" if values and values[0].by else ""
    return escape_cell(f"{cell_text(values)}{signed}")


def _has_enough_labels(subject: Subject, facet: Facet) -> bool:
    """Return whether enough papers in the section have a label in a facet."""
    n_labelled = subject.number - subject.papers((facet.id, NOT_STATED)).number
    return bool(subject.categories_of(facet)) and n_labelled >= _MIN_FILLED * subject.number


def _amounts_by_paper(subject: Subject) -> dict[int, str]:
    """Return how much data each paper made, by reference number; {} if few papers state this."""
    found: dict[int, dict[str, None]] = {}
    for entry, _, amounts in amounts_made(subject.entries):
        found.setdefault(entry.number, {}).update(dict.fromkeys(amounts))
    if len(found) < _MIN_WITH_AMOUNT * subject.number:
        return {}
    return {number: escape_cell("; ".join(amounts)) for number, amounts in found.items()}


def _paper_link(entry: SurveyPaper) -> str:
    """Return the name of a paper as a link to its page."""
    name = escape_cell(name_of(entry))
    return f"[{name}](p/{entry.slug}.html){' (key paper)' if entry.key else ''}"


def _category_names(facet: Facet, roles: Roles, entry: SurveyPaper) -> str:
    """Return the names of a paper's categories in a facet; "" for surveys.

    A survey paper describes the choices of other papers and makes no choice itself.
    """
    if facet.applies_to and _is_survey(entry, roles):
        return ""
    labels = entry.labels.facets.get(facet.id)
    found = [facet.get(category) for category in (labels.top_categories if labels else ())]
    return ", ".join(escape_cell(category.name) for category in found if category)


def _contribution_cell(quoted_text: str, entry: SurveyPaper) -> str:
    """Return the sentence about a paper's contribution, quoted if it is from an abstract.

    The result is "" if the sentence is already quoted in the section or in the column of results,
    or if it is not clear next to the title.
    """
    text = entry.contribution
    if not text or entry.paper.abstract_kind == "digest":
        return escape_cell(text)
    in_results = any(text in quotation.text for quotation in _quoted_results(entry))
    if in_results or contains_words(quoted_text, text):
        return ""
    if not is_clear_with_title(name_of(entry), text):
        return ""
    if not shares_subject(entry.paper.title_display, text):
        return ""
    return escape_cell(f"“{text}”")


def _result_cell(taxonomy: Taxonomy, quoted_text: str, entry: SurveyPaper) -> str:
    """Return the headline results of a paper and the sentences that state them.

    For a digest, the numbers come before the sentence; for an abstract, they are links in a
    quotation. Without such numbers, the result is a sentence with a finding. Results of retracted
    papers are omitted.
    """
    if entry.paper.retracted:
        return ""
    if entry.paper.abstract_kind == "digest":
        return _digest_result(taxonomy, entry)
    if quotations := _quoted_results(entry):
        return _linked_numbers(entry, quotations)
    finding = finding_of(entry)
    if not finding or contains_words(quoted_text, finding):
        return ""
    return escape_cell(f"“{finding}”")


def _digest_result(taxonomy: Taxonomy, entry: SurveyPaper) -> str:
    """Return the numbers of a digest and their sentences; without numbers its first result."""
    numbers = _headline_link(taxonomy, entry)
    if numbers:
        spans = [result.sentence for result in headline(entry.results)]
        sentences = [each.words for each in entry.sentences if each.span in spans]
        sentences = sentences[: len(spans)]
    else:
        sentences = [each.words for each in entry.sentences if each.role == "result"][:1]
    return ": ".join(filter(None, [numbers, escape_cell(" ".join(sentences))]))


def _headline_link(taxonomy: Taxonomy, entry: SurveyPaper) -> str:
    """Return the headline results of a digest as a link to its page; "" if one is not clear.

    A number is not clear if it has no unit or, in a field with benchmarks, if it is a share of an
    unknown whole. P-values are omitted. Such results are printed only on the page.
    """
    found = [each for each in headline(entry.results) if each.unit != "p"]
    is_scored = bool(taxonomy.lexicons.get(taxonomy.roles.benchmarks))
    if not found or not all(each.unit or each.benchmark for each in found):
        return ""
    if is_scored and not all(map(has_measure, found)):
        return ""
    return f"[{escape_cell(entry.headline)}](p/{entry.slug}.html#{FOUND})"


Quotations = Mapping[Span, Sequence[Span]]
"""Quotation of an abstract -> the headline numbers in it."""


def _quoted_results(entry: SurveyPaper) -> Quotations:
    """Return the quotations with the headline results of an abstract; {} for a digest."""
    found: dict[Span, list[Span]] = {}
    if entry.paper.abstract_kind != "digest":
        for each in headline(entry.results):
            quotation = _quotation_of(entry, each)
            if quotation and each.unit != "p":
                found.setdefault(quotation, []).append(each.span)
    return found


def _quotation_of(entry: SurveyPaper, result: Result) -> Span | None:
    """Return the sentence of a result, else its clause, else None; it must be short and clear."""
    heading = next((s.heading for s in entry.sentences if s.span == result.sentence), 0)
    for span in (result.sentence, result.clause):
        begin = max(0, result.sentence.start + heading - span.start)
        text = span.text[begin:]
        whole = f"{text.removesuffix('.')}."
        if len(text) <= MAX_FINDING and is_clear_with_title(name_of(entry), whole):
            return Span(span.start + begin, span.end, text)
    return None


def _linked_numbers(entry: SurveyPaper, quotations: Quotations) -> str:
    """Return quotations in which the numbers are links to the results on the paper's page."""
    quotes = []
    for quotation, numbers in quotations.items():
        text = quotation.text
        for span in reversed(numbers):
            start, end = span.start - quotation.start, span.end - quotation.start
            text = f"{text[:start]}{_BEGIN}{text[start:end]}{_END}{text[end:]}"
        quotes.append(f"“{text}”")
    link = f"](p/{entry.slug}.html#{FOUND})"
    return escape_cell(" ".join(quotes)).replace(_BEGIN, "[").replace(_END, link)


def _code_cell(entry: SurveyPaper) -> str:
    """Return a link to the code, or the statement of the text about it."""
    if entry.code_url.startswith("http"):
        return f"[code]({quote(entry.code_url, safe=':/?#&=%@+,;~!-._')})"
    return entry.code


def _selection_sentence(subject: Subject, entries: Sequence[SurveyPaper]) -> Draft:
    """Return the sentence about the selection of papers, with a link to the complete list."""
    filed, fact_id = subject.papers(), f"{subject.category.id}.in_table"
    meaning = f"rows in the table of {filed.id}"
    subject.survey.facts.add(fact_id, len(entries), STATED, meaning)
    text = (
        f"The table shows {count_in_words(len(entries))} of {count_in_words(filed.number)} papers: "
        "key papers, those closest to the common vocabulary of the section, and the newest; the "
        f"[browse page](browse.html?{filed.id}) and papers.json list all papers."
    )
    return computed_sentence(SELECTION, text, filed, fact_id)


def _is_survey(entry: SurveyPaper, roles: Roles) -> bool:
    """Return whether the contribution of a paper is a survey."""
    labels = entry.labels.facets.get(roles.contribution)
    return labels is not None and roles.survey in labels.categories
