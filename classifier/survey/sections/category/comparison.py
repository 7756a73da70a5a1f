"""The table of the papers of a category, with its own facets as columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from urllib.parse import quote

from classifier.survey.document import Block, Draft, Table, computed, paragraphs
from classifier.survey.entry import SurveyPaper
from classifier.survey.exemplars import central_papers
from classifier.survey.facts import STATED, Facts
from classifier.survey.keys import UNDATED
from classifier.survey.paper_names import name_of
from classifier.survey.quotation import contains_words, is_clear_with_title, shares_subject
from classifier.survey.sections.category.findings import LONGEST_FINDING, finding_of
from classifier.survey.sections.category.subject import Subject
from classifier.survey.side_by_side import amounts_made
from classifier.survey.wording import citation, escape_cell, markdown_name, number
from classifier.taxonomy.columns import cell_text
from classifier.taxonomy.model import NOT_STATED, Facet, Roles, Taxonomy, TypedColumn
from classifier.text.result import Result, headline
from classifier.text.result_words import says_of_what
from classifier.text.sentences import Span

FOUND = "found"
"""Anchor of the first headline result on a paper's page."""
_BEGIN, _END = "\ue000", "\ue001"
"""Stand around a number while its text is escaped: no text of a paper holds them (`display`)."""
SELECTION = "selection"
"""Name of the sentence on a table that holds a selection."""
MANY_PAPERS = 1_000
"""A survey of more papers has shorter tables, or nobody reads it, or opens it, to the end."""
# A column that fewer of its papers fill is empty to the eye; what it says stands in the prose.
_FILLED_BY = 0.15
_COUNTED_BY = 0.2
"""Of its papers so many say how many tasks or samples they made, where that has a column."""


LONG, SHORT = (300, 100), (100, 40)
"""How many rows a comparison table may have, and how many central and how many newest papers it
shows of more than that."""


def cut_of(facts: Facts) -> tuple[int, int]:
    """Return how the tables of a survey are cut: `LONG` or `SHORT`."""
    return LONG if facts.number("papers.total") <= MANY_PAPERS else SHORT


def comparison_blocks(subject: Subject, quoted: str = "") -> list[Block]:
    """Return the table of the papers filed here and, of very many, by which rule it was cut.

    quoted: the prose of the section that quotes papers; no quote in it is repeated.
    """
    if not subject.number:
        return []
    survey = subject.survey
    shown = selected(subject.entries, cut_of(survey.facts))
    table = comparison_table(subject, shown, quoted)
    if len(shown) == subject.number:
        return [table]
    return [table, *paragraphs(subject.category.id, [_selection(subject, shown)])]


def selected(filed: Sequence[SurveyPaper], cut: tuple[int, int]) -> list[SurveyPaper]:
    """Return the papers that the table holds, by number: all of them, or of many a selection.

    Key papers, the papers closest to the common vocabulary, and the newest ones.
    """
    most_rows, most_of_a_sort = cut
    if len(filed) <= most_rows:
        return list(filed)
    dated = sorted(filed, key=lambda e: (e.paper.published.date, -e.number), reverse=True)
    chosen = [entry for entry in filed if entry.key]
    chosen += central_papers(filed, most_of_a_sort) + dated[:most_of_a_sort]
    return [entry for _, entry in sorted({entry.number: entry for entry in chosen}.items())]


def comparison_table(subject: Subject, shown: Sequence[SurveyPaper], quoted: str) -> Table:
    """Return papers of a category as rows; its own facets are columns where papers enough answer.

    Where a category has no facet of its own, a column says what each paper does. Where no paper of
    the survey has code, or states a result, there is no column for it.
    """
    survey = subject.survey
    facets = [facet for facet in subject.own_facets if _is_filled(subject, facet)]
    kinds = [survey.taxonomy.facet(survey.roles.contribution)] if subject.kinds else []
    counts = _amounts(subject) if kinds else {}
    columns: list[tuple[str, Callable[[SurveyPaper], str]]] = [
        ("Ref.", citation),
        ("Paper", _linked),
        ("Date", lambda entry: entry.paper.published.date[:7] or UNDATED),
        *(
            (markdown_name(facet), partial(_answers, facet, survey.roles))
            for facet in (*kinds, *facets)
        ),
    ]
    if not facets:
        columns.append(("What it does", partial(_does, quoted)))
    columns += [(markdown_name(column), partial(_values, column)) for column in _typed(subject)]
    if counts:
        columns.append(("How many", lambda entry: counts.get(entry.number, "")))
    if survey.has_results:
        columns.append(("Headline result", partial(_result, survey.taxonomy, quoted)))
    if survey.has_enough_code:
        columns.append(("Code", _code))
    columns.append(("Label", lambda entry: entry.first.status))
    does = "how they compare" if facets else "what each does"
    return Table(
        f"papers-{subject.category.id}",
        f"Papers filed under {markdown_name(subject.category)}, and {does}",
        tuple(heading for heading, _ in columns),
        tuple(tuple(cell(entry) for _, cell in columns) for entry in shown),
    )


def _typed(subject: Subject) -> list[TypedColumn]:
    """Return the typed columns that a paper of the section has a value for."""
    columns = subject.survey.taxonomy.columns.values()
    return [
        column for column in columns if any(column.id in entry.values for entry in subject.entries)
    ]


def _values(column: TypedColumn, entry: SurveyPaper) -> str:
    """Return the values of a typed column; those by hand are signed."""
    values = entry.values.get(column.id, ())
    signed = f" (by {values[0].by})" if values and values[0].by else ""
    return escape_cell(f"{cell_text(values)}{signed}")


def _is_filled(subject: Subject, facet: Facet) -> bool:
    answering = subject.number - subject.papers((facet.id, NOT_STATED)).number
    return bool(subject.answers(facet)) and answering >= _FILLED_BY * subject.number


def _amounts(subject: Subject) -> dict[int, str]:
    """Return what papers made how many of, by their numbers; none where few papers say so."""
    found: dict[int, dict[str, None]] = {}
    for entry, _, amounts in amounts_made(subject.entries):
        found.setdefault(entry.number, {}).update(dict.fromkeys(amounts))
    said = {number: escape_cell("; ".join(amounts)) for number, amounts in found.items()}
    return said if len(said) >= _COUNTED_BY * subject.number else {}


def _linked(entry: SurveyPaper) -> str:
    name = escape_cell(name_of(entry))
    return f"[{name}](p/{entry.slug}.html){' (key paper)' if entry.key else ''}"


def _answers(facet: Facet, roles: Roles, entry: SurveyPaper) -> str:
    """Return the names of a paper's categories of a facet; a survey makes no choice itself."""
    if facet.applies_to and _is_survey(entry, roles):
        return ""
    labels = entry.labels.facets.get(facet.id)
    found = [facet.get(category) for category in (labels.top_categories if labels else ())]
    return ", ".join(escape_cell(category.name) for category in found if category)


def _does(quoted: str, entry: SurveyPaper) -> str:
    """Return what a paper says that it does; an abstract is quoted, if it is not already."""
    words = entry.contribution
    if words and entry.paper.abstract_kind != "digest":
        is_told = contains_words(quoted, words) or any(
            words in said.text for said in _stating(entry)
        )
        stands = is_clear_with_title(name_of(entry), words)
        is_empty = is_told or not stands or not shares_subject(entry.paper.title_display, words)
        words = "" if is_empty else f"“{words}”"
    return escape_cell(words)


def _result(taxonomy: Taxonomy, quoted: str, entry: SurveyPaper) -> str:
    """Return what a paper found: its headline results within the sentences that state them.

    Of a digest the numbers stand before the sentence, of an abstract in a quote; where no number
    can, a sentence that stands alone. Of a retracted paper none counts.
    """
    if entry.paper.retracted:
        return ""
    if entry.paper.abstract_kind == "digest":
        figures = _headline(taxonomy, entry)
        told = [each.sentence for each in headline(entry.results)] if figures else []
        said = [
            each.words
            for each in entry.sentences
            if (each.span in told if told else each.role == "result")
        ]
        return ": ".join(filter(None, [figures, escape_cell(" ".join(said[: len(told) or 1]))]))
    if stating := _stating(entry):
        return _linked_numbers(entry, stating)
    words = finding_of(entry)
    return escape_cell(f"“{words}”") if words and not contains_words(quoted, words) else ""


def _headline(taxonomy: Taxonomy, entry: SurveyPaper) -> str:
    """Return the headline results of a digest, linked to the clauses that state them on its page.

    A p-value, a number without a unit, and a share of something else where a field has benchmarks
    stand on the page alone.
    """
    found = [each for each in headline(entry.results) if each.unit != "p"]
    is_scored = bool(taxonomy.lexicons.get(taxonomy.roles.benchmarks))
    if not found or not all(each.unit or each.benchmark for each in found):
        return ""
    if is_scored and not all(map(says_of_what, found)):
        return ""
    return f"[{escape_cell(entry.headline)}](p/{entry.slug}.html#{FOUND})"


Stating = Mapping[Span, Sequence[Span]]
"""Quotes of an abstract that state its headline results -> the numbers in them."""


def _stating(entry: SurveyPaper) -> Stating:
    found: dict[Span, list[Span]] = {}
    if entry.paper.abstract_kind != "digest":
        for each in headline(entry.results):
            words = _words_of(entry, each)
            if words and each.unit != "p":
                found.setdefault(words, []).append(each.span)
    return found


def _words_of(entry: SurveyPaper, result: Result) -> Span | None:
    """Return the sentence that states a result or, where that hangs on others, the clause."""
    heading = next((s.heading for s in entry.sentences if s.span == result.sentence), 0)
    for span in (result.sentence, result.clause):
        begin = max(0, result.sentence.start + heading - span.start)
        text = span.text[begin:]
        whole = f"{text.removesuffix('.')}."
        if len(text) <= LONGEST_FINDING and is_clear_with_title(name_of(entry), whole):
            return Span(span.start + begin, span.end, text)
    return None


def _linked_numbers(entry: SurveyPaper, stating: Stating) -> str:
    """Return quotes, each number in them linked to where it stands on its paper's page."""
    quotes = []
    for words, numbers in stating.items():
        text = words.text
        for span in reversed(numbers):
            start, end = span.start - words.start, span.end - words.start
            text = f"{text[:start]}{_BEGIN}{text[start:end]}{_END}{text[end:]}"
        quotes.append(f"“{text}”")
    link = f"](p/{entry.slug}.html#{FOUND})"
    return escape_cell(" ".join(quotes)).replace(_BEGIN, "[").replace(_END, link)


def _code(entry: SurveyPaper) -> str:
    """Return a link to the code, or what the text says of it."""
    if entry.code_url.startswith("http"):
        return f"[code]({quote(entry.code_url, safe=':/?#&=%@+,;~!-._')})"
    return entry.code


def _selection(subject: Subject, shown: Sequence[SurveyPaper]) -> Draft:
    """Return by which rule the table was cut, and where the whole stands."""
    filed, fact_id = subject.papers(), f"{subject.category.id}.in_table"
    meaning = f"rows in the table of {filed.id}"
    subject.survey.facts.add(fact_id, len(shown), STATED, meaning)
    text = (
        f"The table shows {number(len(shown))} of {number(filed.number)} papers: key papers, those "
        "closest to the common vocabulary of the section, and the newest; all of them stand on "
        f"the [browse page](browse.html?{filed.id}) and in papers.json."
    )
    return computed(SELECTION, text, filed, fact_id)


def _is_survey(entry: SurveyPaper, roles: Roles) -> bool:
    return roles.survey in _chosen(entry, roles.contribution)


def _chosen(entry: SurveyPaper, facet_id: str) -> tuple[str, ...]:
    """Return the categories of a facet that a paper has; none where it was not asked."""
    labels = entry.labels.facets.get(facet_id)
    return labels.categories if labels else ()
