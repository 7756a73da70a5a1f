"""The page of a paper: its data, its labels, and related papers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from urllib.parse import quote

from classifier.labelling.labels import IMPORTED, Decision, FacetLabels, Reason, Status
from classifier.papers.paper import Paper
from classifier.site import issues
from classifier.site.context import RenderContext
from classifier.site.exports.citation import with_limited_authors
from classifier.site.exports.discovery import paper_data
from classifier.site.exports.reference_files import bibtex_entry, category_tags
from classifier.site.listing import Catalogue, category_name, dated_papers
from classifier.site.pages.benchmark import BenchmarkPage
from classifier.site.pages.survey import CitingSection, citing_sections
from classifier.site.paths import category_page_path, host_and_path, web_address
from classifier.site.quotes import quote_place, quote_sentences
from classifier.survey.entry import SurveyPaper, is_code
from classifier.survey.paper_names import short_name
from classifier.survey.related import informative_words, shared_words, word_counts
from classifier.survey.survey import Survey
from classifier.survey.wording import date_in_words, join_words, name_in_prose
from classifier.taxonomy.columns import Value, cell_text
from classifier.taxonomy.model import Facet
from classifier.text.normalise import tokens
from classifier.text.result import headline
from classifier.text.sentences import Span

_MAX_PROBABILITIES = 5
_MAX_REASONS, _MAX_FURTHER_REASONS = 5, 3
"""Maximum number of reasons for the primary category and for each further one."""
# The probability of a category without votes. Only larger ones are printed. They are compared
# rounded, since processors differ in the last digit.
_BASE_PROBABILITY = 0.05
_LIKELY = 0.5
_OTHER_CUES = ("cues of ", "cues against ")
_STATUS_NOTES: Mapping[Status, str] = {
    "reviewed": "A reader decided these labels.",
    "imported": "Taken from the source of the paper, not reviewed here.",
    "confident": "Assigned by the classifier, not reviewed yet.",
    "provisional": "The classifier is not sure: this is its best guess until a review.",
}
_NONE = "none"


Label = tuple[str, str, str, str]
"""Name, path of its category's page or "", style (`primary`, `below` for a child or ""), note."""


@dataclass(frozen=True, slots=True)
class FacetView:
    """The labels of a paper in one facet."""

    name: str
    labels: list[Label]
    is_brief: bool
    """Whether the facet applies to some papers only. The page then prints it on one line."""
    status: Status
    status_note: str
    """Who assigned the labels, and when."""
    confidence: str
    """The confidence as text; "" if a reviewer decided."""
    probabilities: list[tuple[str, float, str]]
    """Category, probability, the same as a percentage."""
    why: list[tuple[str, list[tuple[str, str]]]]
    """Category and its reasons: cue or term, and signed weight ("" for a human decision)."""


def _decision_note(labels: FacetLabels, decision: Decision | None) -> str:
    """Return reviewer, day and note of a decision; "" if there is no decision."""
    if labels.status != "reviewed" or decision is None or decision.drawn_by == IMPORTED:
        return ""
    text = f"Decided by {decision.reviewer or 'a reader'}"
    if on := date_in_words(decision.reviewed_on):
        text += f" on {on}"
    if decision.note:
        text += f": {decision.note.rstrip('.')}"
    return f"{text}."


def facet_view(
    facet: Facet, labels: FacetLabels, decision: Decision | None, catalogue: Catalogue
) -> FacetView:
    """Return the labels of a paper in one facet."""
    return FacetView(
        name=facet.name,
        is_brief=bool(facet.applies_to),
        labels=[
            _label_variables(facet, labels, category, catalogue) for category in labels.categories
        ]
        or [(_NONE, "", "", "")],
        status=labels.status,
        status_note=_decision_note(labels, decision) or _STATUS_NOTES[labels.status],
        confidence=_confidence_text(facet, labels),
        probabilities=_probabilities(facet, labels),
        why=_reasons_by_category(facet, labels),
    )


def _confidence_text(facet: Facet, labels: FacetLabels) -> str:
    """Return the confidence of labels as text."""
    # In a facet with one label per paper, the list of probabilities already has this number.
    if labels.is_decided or facet.may_be_unstated or facet.kind == "single":
        return ""
    return f"{format_percent(labels.confidence)} sure of the filed {name_in_prose(facet.name)}"


def _label_variables(
    facet: Facet, labels: FacetLabels, category_id: str, catalogue: Catalogue
) -> Label:
    """Return a label for the template."""
    is_first = category_id == labels.primary
    is_primary = is_first and facet.kind == "multi" and not facet.may_be_unstated
    is_paged = facet is catalogue.survey.taxonomy.first and category_id in catalogue.paged_ids
    is_by_classifier = not is_first and not labels.is_decided
    is_doubtful = is_by_classifier and labels.probabilities.get(category_id, 1) < _LIKELY
    style = "below" if "/" in category_id else ""
    note = "perhaps" if is_doubtful else ""
    if is_primary:
        style, note = "primary", "filed here"
    page = category_page_path(category_id) if is_paged else ""
    return _category_name(facet, category_id), page, style, note


def _source_text(value: Value) -> str:
    """Return the source of a value: the text, or the person who typed it and the day."""
    if value.source == "text":
        return "from the text"
    on = date_in_words(value.on)
    return f"by hand, {value.by or 'a reader'}{f', {on}' if on else ''}"


def _probabilities(facet: Facet, labels: FacetLabels) -> list[tuple[str, float, str]]:
    """Return the most likely categories with their probabilities."""
    if facet.may_be_unstated:
        return []  # The calibration of these probabilities was never checked.
    likely = [
        item for item in labels.probabilities.items() if round(item[1], 2) > _BASE_PROBABILITY
    ]
    likely.sort(key=lambda item: (-item[1], item[0]))
    return [
        (_category_name(facet, category), probability, format_percent(probability))
        for category, probability in likely[:_MAX_PROBABILITIES]
    ]


def _reasons_by_category(
    facet: Facet, labels: FacetLabels
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the reasons for the labels, by category."""
    by_category: dict[str, list[Reason]] = {category: [] for category in labels.categories}
    for reason in labels.why:
        by_category.setdefault(reason.category, []).append(reason)
    rows: list[tuple[str, list[tuple[str, str]]]] = []
    for category, reasons in by_category.items():
        maximum = _MAX_REASONS if category == labels.primary else _MAX_FURTHER_REASONS
        if reasons:
            printed = [_reason_text(facet, reason) for reason in reasons[:maximum]]
            rows.append((_category_name(facet, category), printed))
    return rows


def _reason_text(facet: Facet, reason: Reason) -> tuple[str, str]:
    """Return a reason and its weight as text, with names instead of category ids."""
    weight = "" if reason.is_ruling else f"{reason.weight:+.1f}".replace("-", "−")
    if reason.kind == "vote":
        weight += " votes"
    for prefix in _OTHER_CUES:
        if reason.text.startswith(prefix) and (other := facet.get(reason.text[len(prefix) :])):
            return f"{prefix}‘{other.name}’", weight
    return reason.text, weight


def _category_name(facet: Facet, category_id: str) -> str:
    """Return the name of a category."""
    category = facet.get(category_id)
    if category is None and facet.is_not_stated(category_id):
        return _NONE
    return category.name if category else category_id


_SCHOLAR = "https://scholar.google.com/scholar?q="
"""Address for searching a paper that has no link."""
_MAX_SECTIONS = 6
_ROLES = {
    "problem": "why",
    "contribution": "what it does",
    "method": "how",
    "result": "found",
    "limit": "left open",
    "release": "released",
}
_MIN_SHARED_WORDS, _MAX_SHARED_WORDS = 2, 3
_RARE_COUNT, _RARE_SHARE = 10, 0.1
"""A shared word explains a similarity if at most this number or share of papers contains it."""
_MAX_NAMING = 12


@dataclass(frozen=True, slots=True)
class PaperLinks:
    """Links between papers, sections and benchmarks, computed once for all paper pages."""

    context: RenderContext
    citing: Mapping[int, Sequence[CitingSection]]
    """Sections that cite a paper, by reference number."""
    references: Collection[int]
    """The numbers in the reference list."""
    neighbours: Mapping[str, tuple[SurveyPaper | None, SurveyPaper | None]]
    """Next newer and older paper under the same category, by the id of a dated paper."""
    benchmarks: Mapping[str, BenchmarkPage]
    """Page of each benchmark, by name."""
    words: Mapping[int, Mapping[str, int]]
    """Word counts of a paper, by reference number."""
    rare_words: Mapping[str, int]
    """Number of papers that contain a word which can explain a similarity, by word."""


def link_papers(context: RenderContext, benchmarks: Mapping[str, BenchmarkPage]) -> PaperLinks:
    """Compute the links that the paper pages print."""
    survey = context.survey
    neighbours: dict[str, tuple[SurveyPaper | None, SurveyPaper | None]] = {}
    for entries in context.catalogue.filed.values():
        papers = dated_papers(entries)
        padded = [None, *papers, None]
        for index, entry in enumerate(papers):
            neighbours[entry.paper.id] = padded[index], padded[index + 2]
    words = {entry.number: word_counts(entry) for entry in survey.entries}
    explaining = informative_words(survey.entries, words.values())
    maximum = max(_RARE_COUNT, len(words) * _RARE_SHARE)
    return PaperLinks(
        context,
        citing_sections(survey, context.pages_by_anchor),
        {reference.number for reference in survey.document.references},
        neighbours,
        benchmarks,
        words,
        {word: number for word, number in explaining.items() if number <= maximum},
    )


def paper_page(links: PaperLinks, entry: SurveyPaper) -> dict[str, object]:
    """Return the variables of a paper's template."""
    paper, context, addresses = entry.paper, links.context, _named_links(entry.paper)
    survey = context.survey
    topics = (entry.first.primary, *entry.first.categories)
    decisions = survey.decisions.get(paper.id, {})
    newer, older = links.neighbours.get(paper.id, (None, None))
    roles = list(_parts_by_role(entry))
    return {
        "entry": entry,
        "linked_data": paper_data(
            entry, dict.fromkeys(map(partial(category_name, survey), topics))
        ),
        "is_listed": entry.number in links.references,
        "links": addresses,
        "search": "" if addresses else _SCHOLAR + quote(paper.title_display, safe=""),
        "roles": roles,
        "quotes": _quote_places(entry, roles),
        "benchmarks": _named_benchmarks(links, entry),
        "typed": [
            (column.name, cell_text(values), _source_text(values[0]))
            for column in survey.taxonomy.columns.values()
            if (values := entry.values.get(column.id))
        ],
        "facets": [
            facet_view(facet, labels, decisions.get(facet.id), context.catalogue)
            for facet in survey.taxonomy.facets.values()
            if (labels := entry.labels.facets.get(facet.id))
            and (labels.categories or labels.is_decided)
        ],
        "bibtex": bibtex_entry(
            with_limited_authors(paper), context.keys[paper.id], tags=category_tags(entry)
        ),
        "correction": issues.label_report(survey.taxonomy, entry),
        "ledger_line": issues.ledger_line(survey.whole_taxonomy, entry),
        "categories": [category.id for category in survey.first.tops],
        "cited_in": links.citing.get(entry.number, ())[:_MAX_SECTIONS],
        "naming": list(islice(_papers_naming(survey, entry), _MAX_NAMING)),
        "related": list(_related_papers(links, entry)),
        "newer": newer,
        "older": older,
    }


def _related_papers(links: PaperLinks, entry: SurveyPaper) -> Iterator[tuple[SurveyPaper, str]]:
    """Yield each related paper with the reason: a name in both texts, or rare words in both.

    Words count only for papers with a common topic, and only if they are in one of the titles.
    """
    survey = links.context.survey
    for paper_id in survey.related.get(entry.paper.id, ()):
        other = survey.paper(paper_id)
        if other is None:
            continue
        names_of_other = {name for names in other.names.values() for name in names}
        lexicons = (names for key, names in entry.names.items() if key != survey.roles.unsolved)
        in_both = [name for names in lexicons for name in names if name in names_of_other]
        if in_both:
            yield other, f"both name {join_words(in_both[:_MAX_SHARED_WORDS])}"
        elif set(entry.first.top_categories) & set(other.first.top_categories):
            counts, other_counts = links.words[entry.number], links.words[other.number]
            shared = shared_words(counts, other_counts, links.rare_words, len(survey.entries))
            titles = {*tokens(entry.paper.title_display), *tokens(other.paper.title_display)}
            shared = [word for word in shared if word in titles]
            if len(shared) >= _MIN_SHARED_WORDS:
                yield other, f"shared words: {', '.join(shared[:_MAX_SHARED_WORDS])}"


def _papers_naming(survey: Survey, entry: SurveyPaper) -> Iterator[tuple[SurveyPaper, str]]:
    """Yield the papers that name this paper, each with a quotation, preferably about results."""
    name = short_name(entry.paper.title_display)
    for other in survey.mentioned_by.get(entry.paper.id, ()):
        sentences = [each for each in other.sentences if name in each.span.text]
        sentences.sort(key=lambda each: each.role != "result")
        yield other, quote_sentences(other, *(each.span.text for each in sentences[:1]))


def _named_benchmarks(links: PaperLinks, entry: SurveyPaper) -> list[tuple[str, str, str]]:
    """Return the benchmarks that the paper names and that have a page.

    Each has its name, the path of its page, and its role in the paper.
    """
    reported = [result.benchmark for result in entry.results]
    own_name = short_name(entry.paper.title_display).casefold()
    names = [name for names in entry.names.values() for name in names]
    rows: list[tuple[str, str, str]] = []
    for name in dict.fromkeys((*names, *reported)):
        if name in links.benchmarks:
            part = "figures" if name in reported else "named"
            if name.casefold() == own_name:
                part = "introduced"
            rows.append((name, links.benchmarks[name].path, part))
    return rows


RoleText = tuple[str, list[tuple[str, bool]]]
"""A role, and its text in pieces: text, whether it is the number of a headline result."""


def _parts_by_role(entry: SurveyPaper) -> Iterator[RoleText]:
    """Yield the abstract in order, divided by the roles of its sentences.

    Only one problem is printed, before the contribution. A later problem gets the role of the
    sentence before it.
    """
    text = entry.paper.abstract_display
    roles: list[str] = []
    for sentence in entry.sentences:
        is_repeated = sentence.role == "problem" and {"problem", "contribution"} <= set(roles)
        roles.append(roles[-1] if is_repeated else sentence.role)
    numbers = sorted({item.span for item in headline(entry.results)}, key=lambda span: span.start)
    pairs = zip(roles, entry.sentences, strict=True)
    for role, run in groupby(pairs, key=lambda pair: pair[0]):
        spans = [sentence.span for _, sentence in run]
        yield _ROLES[role], list(_split_at_marks(text, spans[0].start, spans[-1].end, numbers))


def _quote_places(entry: SurveyPaper, roles: Sequence[RoleText]) -> list[str]:
    """Return the position of each role's text in the abstract, as `data-quote`."""
    places: list[str] = []
    start = 0
    for _, pieces in roles:
        words = "".join(words for words, _ in pieces)
        start = entry.paper.abstract_display.index(words, start)
        places.append(quote_place(entry, start, start + len(words)))
        start += len(words)
    return places


def _split_at_marks(
    text: str, start: int, end: int, marks: Sequence[Span]
) -> Iterator[tuple[str, bool]]:
    """Split part of a text at the marks in it; yield each piece and whether it is a mark."""
    for mark in marks:
        if start <= mark.start and mark.end <= end:
            yield text[start : mark.start], False
            yield text[mark.start : mark.end], True
            start = mark.end
    yield text[start:end], False


def _named_links(paper: Paper) -> tuple[tuple[str, str], ...]:
    """Return name and address of each distinct link of a paper."""
    candidates = [
        ("", paper.link),
        ("arXiv", f"https://arxiv.org/abs/{paper.arxiv_id}" if paper.arxiv_id else ""),
        ("DOI", f"https://doi.org/{paper.doi}" if paper.doi else ""),
        *(("Code" if is_code(url) else "", url) for url in paper.code_urls),
    ]
    kinds: dict[str, str] = {}
    for kind, address in candidates:
        if safe := web_address(address):
            kinds.setdefault(safe, kind)
    return tuple((_link_name(kind, address), address) for address, kind in kinds.items())


def _link_name(kind: str, address: str) -> str:
    """Return the name of a link: arXiv, DOI, the path of code, else the host."""
    if kind in ("arXiv", "DOI"):
        return kind
    host, path = host_and_path(address)
    if kind == "Code":
        return f"Code: {path.strip('/')}"
    host = host.removeprefix("www.")
    return {"arxiv.org": "arXiv", "doi.org": "DOI"}.get(host, host)


def format_percent(probability: float) -> str:
    """Format a probability as a whole percentage; 0 % and 100 % only if exact.

    >>> format_percent(0.834), format_percent(0.998), format_percent(0.002), format_percent(1.0)
    ('83 %', '> 99 %', '< 1 %', '100 %')
    """
    if 0.995 <= probability < 1:
        return "> 99 %"
    if 0 < probability < 0.005:
        return "< 1 %"
    return f"{probability:.0%}".replace("%", " %")
