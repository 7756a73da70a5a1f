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
from classifier.site.listing import Catalogue, category_name, dated
from classifier.site.pages.benchmark import BenchmarkPage
from classifier.site.pages.survey import CitedIn, sections_citing
from classifier.site.paths import category_page, host_and_path, web_address
from classifier.site.quotes import quote_place, quoted
from classifier.survey.entry import SurveyPaper, is_code
from classifier.survey.paper_names import short_name
from classifier.survey.related import informative_words, shared_words, word_counts
from classifier.survey.survey import Survey
from classifier.survey.wording import date_in_words, in_prose, join_words
from classifier.taxonomy.columns import Value, cell_text
from classifier.taxonomy.model import Facet
from classifier.text.normalise import tokens
from classifier.text.result import headline
from classifier.text.sentences import Span

_SHOWN_PROBABILITIES = 5
_SHOWN_REASONS, _FURTHER_REASONS = 5, 3
# Shown from above it, as it is printed: categories of which no vote speaks have just this one, but
# for the last digit, in which processors differ.
_UNLIKELY = 0.05
_LIKELY = 0.5
_OTHER_CUES = ("cues of ", "cues against ")
_STATUS_IN_WORDS: Mapping[Status, str] = {
    "reviewed": "Readers decided these labels.",
    "imported": "Taken over from where the paper was filed before; nobody decided it here.",
    "confident": "The classifier gave these labels; nobody has reviewed them yet.",
    "provisional": "The classifier is not sure: this is its best guess, for want of a review.",
}
_NONE = "none"


Label = tuple[str, str, str, str]
"""Name, path of its category's page or "", `primary` or `below` (a child), a note."""


@dataclass(frozen=True, slots=True)
class FacetView:
    """The labels of a paper in one facet."""

    name: str
    labels: list[Label]
    is_brief: bool
    """Whether the facet applies to some papers only; it is then shown on one line."""
    status: Status
    status_in_words: str
    """Who or what gave the labels, when, and how many agreed."""
    confidence: str
    """The confidence in words; "" if a reviewer decided."""
    probabilities: list[tuple[str, float, str]]
    """Category, how likely it applies, the same in per cent."""
    why: list[tuple[str, list[tuple[str, str]]]]
    """Category with what spoke for and against it: cue or term, signed weight, which is "" for a
    human decision."""


def _decided(labels: FacetLabels, decision: Decision | None) -> str:
    """Return reviewer, day and note of a decision; "" without a decision."""
    if labels.status != "reviewed" or decision is None or decision.drawn_by == IMPORTED:
        return ""
    on = date_in_words(decision.reviewed_on)
    text = f"Decided by {decision.reviewer or 'a reader'}{f' on {on}' if on else ''}"
    return f"{text}: {decision.note.rstrip('.')}." if decision.note else f"{text}."


def facet_view(
    facet: Facet, labels: FacetLabels, decision: Decision | None, catalogue: Catalogue
) -> FacetView:
    """Return the labels of a paper in one facet."""
    return FacetView(
        name=facet.name,
        is_brief=bool(facet.applies_to),
        labels=[_label(facet, labels, category, catalogue) for category in labels.categories]
        or [(_NONE, "", "", "")],
        status=labels.status,
        status_in_words=_decided(labels, decision) or _STATUS_IN_WORDS[labels.status],
        confidence=_confidence(facet, labels),
        probabilities=_probabilities(facet, labels),
        why=_why(facet, labels),
    )


def _confidence(facet: Facet, labels: FacetLabels) -> str:
    # Of a facet with one answer, how likely each applies says the same.
    if labels.is_decided or facet.may_be_unstated or facet.kind == "single":
        return ""
    return f"{percent(labels.confidence)} sure of the filed {in_prose(facet.name)}"


def _label(facet: Facet, labels: FacetLabels, category_id: str, catalogue: Catalogue) -> Label:
    is_first = category_id == labels.primary
    is_primary = is_first and facet.kind == "multi" and not facet.may_be_unstated
    is_paged = facet is catalogue.survey.taxonomy.first and category_id in catalogue.paged_ids
    # The classifier gave it as a further one, and holds it for less likely than not.
    is_doubtful = labels.probabilities.get(category_id, 1) < _LIKELY and not (
        is_first or labels.is_decided
    )
    return (
        _name(facet, category_id),
        category_page(category_id) if is_paged else "",
        "primary" if is_primary else "below" if "/" in category_id else "",
        "filed here" if is_primary else "perhaps" if is_doubtful else "",
    )


def _source(value: Value) -> str:
    """Return who typed a value, and when; "from the text" of one that a sentence states."""
    if value.source == "text":
        return "from the text"
    on = date_in_words(value.on)
    return f"by hand, {value.by or 'a reader'}{f', {on}' if on else ''}"


def _probabilities(facet: Facet, labels: FacetLabels) -> list[tuple[str, float, str]]:
    if facet.may_be_unstated:
        return []  # nobody checked them
    likely = [item for item in labels.probabilities.items() if round(item[1], 2) > _UNLIKELY]
    likely.sort(key=lambda item: (-item[1], item[0]))
    return [
        (_name(facet, category), probability, percent(probability))
        for category, probability in likely[:_SHOWN_PROBABILITIES]
    ]


def _why(facet: Facet, labels: FacetLabels) -> list[tuple[str, list[tuple[str, str]]]]:
    by_category: dict[str, list[Reason]] = {category: [] for category in labels.categories}
    for reason in labels.why:
        by_category.setdefault(reason.category, []).append(reason)
    return [
        (_name(facet, category), [_reason(facet, reason) for reason in reasons[:most]])
        for category, reasons in by_category.items()
        for most in (_SHOWN_REASONS if category == labels.primary else _FURTHER_REASONS,)
        if reasons
    ]


def _reason(facet: Facet, reason: Reason) -> tuple[str, str]:
    weight = "" if reason.is_ruling else f"{reason.weight:+.1f}".replace("-", "−")
    weight += " votes" if reason.kind == "vote" else ""
    start = next((start for start in _OTHER_CUES if reason.text.startswith(start)), "")
    other = facet.get(reason.text.removeprefix(start)) if start else None
    return f"{start}‘{other.name}’" if other else reason.text, weight


def _name(facet: Facet, category_id: str) -> str:
    category = facet.get(category_id)
    if category is None and facet.says_unstated(category_id):
        return _NONE
    return category.name if category else category_id


_SCHOLAR = "https://scholar.google.com/scholar?q="
"""Where to search for a paper of which no address is known."""
_MAX_SECTIONS = 6
_ROLES = {
    "problem": "why",
    "contribution": "what it does",
    "method": "how",
    "result": "found",
    "limit": "left open",
    "release": "released",
}
_MIN_SHARED, _MAX_SHARED = 2, 3
_FEW, _RARE = 10, 10
"""A word that is a reason stands in so many papers at most, or in a paper of so many."""
_MAX_NAMING = 12


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the pages of all papers are made with: what lies around each paper."""

    context: RenderContext
    cited: Mapping[int, tuple[CitedIn, ...]]
    """Reference number -> sections that cite the paper."""
    listed: Collection[int]
    """The numbers in the reference list."""
    beside: Mapping[str, tuple[SurveyPaper | None, SurveyPaper | None]]
    """Id of a dated paper -> the newer and the older one filed under the same category."""
    benchmarks: Mapping[str, BenchmarkPage]
    """Benchmark -> its page."""
    words: Mapping[int, Mapping[str, int]]
    """Number of a paper -> its word counts."""
    telling: Mapping[str, int]
    """Word that explains a similarity -> the number of papers that contain it."""


def surroundings(context: RenderContext, benchmarks: Mapping[str, BenchmarkPage]) -> Surroundings:
    """Look around every paper once."""
    survey = context.survey
    beside: dict[str, tuple[SurveyPaper | None, SurveyPaper | None]] = {}
    for entries in context.catalogue.filed.values():
        stated = dated(entries)
        around = [None, *stated, None]
        for index, entry in enumerate(stated):
            beside[entry.paper.id] = around[index], around[index + 2]
    words = {entry.number: word_counts(entry) for entry in survey.entries}
    telling = informative_words(survey.entries, words.values())
    most = max(_FEW, len(words) / _RARE)
    return Surroundings(
        context,
        sections_citing(survey, context.pages_by_anchor),
        {reference.number for reference in survey.document.references},
        beside,
        benchmarks,
        words,
        {word: number for word, number in telling.items() if number <= most},
    )


def paper_page(around: Surroundings, entry: SurveyPaper) -> dict[str, object]:
    """Return the content of a paper's page."""
    paper, context, links = entry.paper, around.context, _links(entry.paper)
    survey = context.survey
    topics = (entry.first.primary, *entry.first.categories)
    decided = survey.decisions.get(paper.id, {})
    newer, older = around.beside.get(paper.id, (None, None))
    return {
        "entry": entry,
        "linked_data": paper_data(
            entry, dict.fromkeys(map(partial(category_name, survey), topics))
        ),
        "is_listed": entry.number in around.listed,
        "links": links,
        "search": "" if links else _SCHOLAR + quote(paper.title_display, safe=""),
        "roles": list(_roles(entry)),
        "quotes": list(_role_quotes(entry)),
        "benchmarks": _benchmarks(around, entry),
        "typed": [
            (column.name, cell_text(values), _source(values[0]))
            for column in survey.taxonomy.columns.values()
            if (values := entry.values.get(column.id))
        ],
        "facets": [
            facet_view(facet, labels, decided.get(facet.id), context.catalogue)
            for facet in survey.taxonomy.facets.values()
            if (labels := entry.labels.facets.get(facet.id))
            and (labels.categories or labels.is_decided)
        ],
        "bibtex": bibtex_entry(
            with_limited_authors(paper), context.keys[paper.id], tags=category_tags(entry)
        ),
        "correction": issues.correction(survey.taxonomy, entry),
        "ledger_line": issues.ledger_line(survey.whole_taxonomy, entry),
        "categories": [category.id for category in survey.first.tops],
        "cited_in": around.cited.get(entry.number, ())[:_MAX_SECTIONS],
        "naming": list(islice(_naming(survey, entry), _MAX_NAMING)),
        "related": list(_related(around, entry)),
        "newer": newer,
        "older": older,
    }


def _related(around: Surroundings, entry: SurveyPaper) -> Iterator[tuple[SurveyPaper, str]]:
    """Yield related papers with what they share: a topic or a name, and words that few texts hold,
    each of them in the title of one of the two.

    Of two papers that share neither topic nor name the words alone say too little.
    """
    survey, own = around.context.survey, around.words[entry.number]
    for paper_id in survey.related.get(entry.paper.id, ()):
        other = survey.paper(paper_id)
        if other is None:
            continue
        named = {name for names in other.names.values() for name in names}
        lexicons = (names for key, names in entry.names.items() if key != survey.roles.unsolved)
        both = [name for names in lexicons for name in names if name in named]
        if not both and not set(entry.first.top_categories) & set(other.first.top_categories):
            continue
        if both:
            yield other, f"both name {join_words(both[:_MAX_SHARED])}"
            continue
        theirs = around.words[other.number]
        shared = shared_words(own, theirs, around.telling, len(survey.entries))
        titles = {*tokens(entry.paper.title_display), *tokens(other.paper.title_display)}
        shared = [word for word in shared if word in titles]
        if len(shared) >= _MIN_SHARED:
            yield other, f"shared words: {', '.join(shared[:_MAX_SHARED])}"


def _naming(survey: Survey, entry: SurveyPaper) -> Iterator[tuple[SurveyPaper, str]]:
    """Yield the other papers that name this one, with a sentence, preferably on results."""
    name = short_name(entry.paper.title_display)
    for other in survey.mentioned_by.get(entry.paper.id, ()):
        said = [each for each in other.sentences if name in each.span.text]
        text = min(said, key=lambda each: each.role != "result").span.text if said else ""
        yield other, quoted(other, text)


def _benchmarks(around: Surroundings, entry: SurveyPaper) -> list[tuple[str, str, str]]:
    """Return the benchmarks with a page that a paper names: name, page, and what it does."""
    reported = [result.benchmark for result in entry.results]
    own = short_name(entry.paper.title_display).casefold()
    named = [name for names in entry.names.values() for name in names]
    return [
        (
            name,
            around.benchmarks[name].path,
            "introduced" if name.casefold() == own else "figures" if name in reported else "named",
        )
        for name in dict.fromkeys((*named, *reported))
        if name in around.benchmarks
    ]


def _roles(entry: SurveyPaper) -> Iterator[tuple[str, list[tuple[str, bool]]]]:
    """Yield the text in order, by what its sentences do: a role, and the text in pieces, with
    whether each is the number of a headline result.

    Why it was done is told once, in front: a problem behind that goes on with what stands before.
    """
    text = entry.paper.abstract_display
    roles: list[str] = []
    for sentence in entry.sentences:
        is_printed = sentence.role == "problem" and {"problem", "contribution"} <= set(roles)
        roles.append(roles[-1] if is_printed else sentence.role)
    told = zip(roles, entry.sentences, strict=True)
    marks = sorted({item.span for item in headline(entry.results)}, key=lambda span: span.start)
    for role, run in groupby(told, key=lambda item: item[0]):
        spans = [sentence.span for _, sentence in run]
        yield _ROLES[role], list(_pieces(text, spans[0].start, spans[-1].end, marks))


def _role_quotes(entry: SurveyPaper) -> Iterator[str]:
    """Yield the place in the abstract of the text of each role, as `data-quote` states it."""
    start = 0
    for _, pieces in _roles(entry):
        words = "".join(words for words, _ in pieces)
        start = entry.paper.abstract_display.index(words, start)
        yield quote_place(entry, start, start + len(words))
        start += len(words)


def _pieces(text: str, start: int, end: int, marks: Sequence[Span]) -> Iterator[tuple[str, bool]]:
    """Yield a part of a text in pieces; those of `marks` that lie in it are marked."""
    for mark in marks:
        if start <= mark.start and mark.end <= end:
            yield text[start : mark.start], False
            yield text[mark.start : mark.end], True
            start = mark.end
    yield text[start:end], False


def _links(paper: Paper) -> tuple[tuple[str, str], ...]:
    stated = [
        ("", paper.link),
        ("arXiv", f"https://arxiv.org/abs/{paper.arxiv_id}" if paper.arxiv_id else ""),
        ("DOI", f"https://doi.org/{paper.doi}" if paper.doi else ""),
        *(("Code" if is_code(url) else "", url) for url in paper.code_urls),
    ]
    kinds: dict[str, str] = {}
    for kind, address in stated:
        if safe := web_address(address):
            kinds.setdefault(safe, kind)
    return tuple((_link_name(kind, address), address) for address, kind in kinds.items())


def _link_name(kind: str, address: str) -> str:
    """Return the name of a link: its host, or for code its path on the host."""
    if kind in ("arXiv", "DOI"):
        return kind
    host, path = host_and_path(address)
    if kind == "Code":
        return f"Code: {path.strip('/')}"
    host = host.removeprefix("www.")
    return {"arxiv.org": "arXiv", "doi.org": "DOI"}.get(host, host)


def percent(probability: float) -> str:
    """Return a probability as a whole percentage that never claims certainty it does not have.

    >>> percent(0.834), percent(0.998), percent(0.002), percent(1.0)
    ('83 %', '> 99 %', '< 1 %', '100 %')
    """
    if 0.995 <= probability < 1:
        return "> 99 %"
    if 0 < probability < 0.005:
        return "< 1 %"
    return f"{probability:.0%}".replace("%", " %")
