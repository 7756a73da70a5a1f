"""The page of a paper: what is known of it, from where, and why it has its labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from classifier.corpus.paper import Paper
from classifier.labelling.labels import FacetLabels, Reason, Status
from classifier.site.blocks import Relink, SentenceView
from classifier.site.exports.bibtex import bibtex_entry
from classifier.site.listing import PaperItem, newest_first, paper_item, remark_view
from classifier.site.paths import category_page, title_search, web_address
from classifier.site.wording import all_authors, date_in_words, percent
from classifier.survey.edition import Edition, Entry
from classifier.taxonomy.model import Facet

_SHOWN_PROBABILITIES = 6
_SHOWN_REASONS = 6
# Shown from above it, as it is printed: categories of which no vote speaks have just this one, but
# for the last digit, in which processors differ.
_UNLIKELY = 0.05
_LIKELY = 0.5
_OTHER_CUES = ("cues of ", "cues against ")
# Reference managers need the first; a list of hundreds, which the BibTeX holds, triples the page.
_MOST_META_AUTHORS = 50
_STATUS_IN_WORDS: Mapping[Status, str] = {
    "reviewed": "A person decided these labels.",
    "confident": "The classifier gave these labels; nobody has reviewed them yet.",
    "provisional": "The classifier is not sure: this is its best guess, for want of a review.",
}
_NOT_STATED = "not stated"
_TEXT_HEADINGS = {"abstract": "Abstract", "digest": "Digest", "none": ""}


@dataclass(frozen=True, slots=True)
class LabelView:
    """One label of a paper."""

    name: str
    page: str
    """Path of the category's page, or "" where it has none."""
    is_primary: bool
    is_below: bool
    """Whether it is a child; it stands after its parent."""
    is_doubtful: bool
    """Whether the classifier gave it as a further one and holds it for less likely than not."""


@dataclass(frozen=True, slots=True)
class ProbabilityView:
    """How likely a category applies."""

    name: str
    value: str
    """0 to 1, two decimals."""
    percent: str


@dataclass(frozen=True, slots=True)
class ReasonsView:
    """What spoke for and against one category."""

    category: str
    reasons: tuple[tuple[str, str], ...]
    """(cue or term, signed weight; the weight is "" for a human decision)."""


@dataclass(frozen=True, slots=True)
class FacetView:
    """The labels of a paper in one facet."""

    name: str
    labels: tuple[LabelView, ...]
    status: Status
    status_in_words: str
    confidence: str
    """How sure of what, in words; "" where a person decided."""
    probabilities: tuple[ProbabilityView, ...]
    why: tuple[ReasonsView, ...]


@dataclass(frozen=True, slots=True)
class PaperPage:
    """What the page of a paper shows."""

    paper: Paper
    number: int
    authors: str
    date: str
    links: tuple[tuple[str, str], ...]
    """(what it is, address)."""
    search: str
    """A search for the title, where no address is known; else ""."""
    text_heading: str
    text: str
    is_key: bool
    """Whether the editors mark it as a key paper."""
    remark: SentenceView | None
    """What the editors say of it, signed."""
    facets: tuple[FacetView, ...]
    sources: tuple[str, ...]
    bibtex: str
    cite_key: str
    metadata: tuple[tuple[str, str], ...]
    """(name, content) of the meta elements that reference managers read."""
    correction: str
    """Where to tell the editors of a mistake, or ""."""
    topic: LabelView
    previous: PaperItem | None
    next: PaperItem | None


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The papers before and behind one in the list of its category."""

    previous: PaperItem | None
    next: PaperItem | None


def neighbours(edition: Edition) -> dict[str, Neighbours]:
    """Return paper id -> its neighbours among the papers filed under the same category."""
    by_primary: dict[str, list[Entry]] = {}
    for entry in newest_first(edition.entries):
        by_primary.setdefault(entry.first.primary, []).append(entry)
    found: dict[str, Neighbours] = {}
    for entries in by_primary.values():
        items = [None, *(paper_item(edition, entry) for entry in entries), None]
        for index, entry in enumerate(entries):
            found[entry.paper.id] = Neighbours(items[index], items[index + 2])
    return found


def paper_page(
    edition: Edition,
    entry: Entry,
    key: str,
    paged: frozenset[str],
    beside: Neighbours,
    relink: Relink = str,
) -> PaperPage:
    """Return what the page of a paper shows; `paged` are the categories that have a page."""
    paper = entry.paper
    links = _links(paper)
    facets = tuple(
        _facet(edition.taxonomy.facets[facet_id], labels, paged)
        for facet_id, labels in _in_order(edition, entry)
    )
    return PaperPage(
        paper=paper,
        number=entry.number,
        authors=all_authors(paper),
        date=date_in_words(paper.published.date),
        links=links,
        search="" if links else title_search(paper.title_display),
        text_heading=_TEXT_HEADINGS[paper.abstract_kind] if paper.abstract else "",
        text=paper.abstract_display,
        is_key=entry.key is not None,
        remark=remark_view(entry, relink),
        facets=facets,
        sources=tuple(str(source) for source in paper.sources),
        bibtex=bibtex_entry(paper, key),
        cite_key=key,
        metadata=_metadata(paper),
        correction=_correction(edition, paper),
        topic=_label(edition.taxonomy.first, entry.first, entry.first.primary, paged),
        previous=beside.previous,
        next=beside.next,
    )


def _in_order(edition: Edition, entry: Entry) -> list[tuple[str, FacetLabels]]:
    """Return the facets that apply to the paper, in the order of the taxonomy."""
    facets = entry.labels.facets
    return [(facet, facets[facet]) for facet in edition.taxonomy.facets if facet in facets]


def _links(paper: Paper) -> tuple[tuple[str, str], ...]:
    named = [
        (_host_name(paper.link), paper.link),
        ("arXiv", f"https://arxiv.org/abs/{paper.arxiv_id}" if paper.arxiv_id else ""),
        ("DOI", f"https://doi.org/{paper.doi}" if paper.doi else ""),
        *((f"Code: {urlsplit(url).path.strip('/')}", url) for url in paper.code_urls),
    ]
    by_address: dict[str, str] = {}
    for name, address in named:
        if safe := web_address(address):
            by_address.setdefault(safe, name)
    return tuple((name, address) for address, name in by_address.items())


def _host_name(address: str) -> str:
    safe = web_address(address)
    host = urlsplit(safe).netloc.removeprefix("www.") if safe else ""
    return {"arxiv.org": "arXiv", "doi.org": "DOI"}.get(host, host)


def _facet(facet: Facet, labels: FacetLabels, paged: frozenset[str]) -> FacetView:
    return FacetView(
        name=facet.name,
        labels=tuple(_label(facet, labels, category, paged) for category in labels.categories)
        or (LabelView(_NOT_STATED, "", is_primary=False, is_below=False, is_doubtful=False),),
        status=labels.status,
        status_in_words=_STATUS_IN_WORDS[labels.status],
        confidence=_confidence(facet, labels),
        probabilities=_probabilities(facet, labels),
        why=_why(facet, labels),
    )


def _confidence(facet: Facet, labels: FacetLabels) -> str:
    if labels.status == "reviewed" or facet.may_be_unstated:
        return ""
    sure = f"{percent(labels.confidence)} sure"
    return f"{sure} of the filed {facet.name.lower()}" if facet.kind == "multi" else sure


def _label(facet: Facet, labels: FacetLabels, category_id: str, paged: frozenset[str]) -> LabelView:
    is_primary = category_id == labels.primary
    return LabelView(
        name=_name(facet, category_id),
        page=category_page(category_id) if f"{facet.id}:{category_id}" in paged else "",
        is_primary=is_primary and facet.kind == "multi" and not facet.may_be_unstated,
        is_below="/" in category_id,
        is_doubtful=not is_primary
        and labels.status != "reviewed"
        and labels.probabilities.get(category_id, 1) < _LIKELY,
    )


def _probabilities(facet: Facet, labels: FacetLabels) -> tuple[ProbabilityView, ...]:
    if facet.may_be_unstated:
        return ()  # nobody checked them
    ranked = sorted(labels.probabilities.items(), key=lambda item: (-item[1], item[0]))
    return tuple(
        ProbabilityView(_name(facet, category), f"{probability:.2f}", percent(probability))
        for category, probability in ranked[:_SHOWN_PROBABILITIES]
        if round(probability, 2) > _UNLIKELY
    )


def _why(facet: Facet, labels: FacetLabels) -> tuple[ReasonsView, ...]:
    by_category: dict[str, list[Reason]] = {category: [] for category in labels.categories}
    for reason in labels.why:
        by_category.setdefault(reason.category, []).append(reason)
    return tuple(
        ReasonsView(
            _name(facet, category),
            tuple(_reason(facet, reason) for reason in reasons[:_SHOWN_REASONS]),
        )
        for category, reasons in by_category.items()
        if reasons
    )


def _reason(facet: Facet, reason: Reason) -> tuple[str, str]:
    weight = "" if reason.is_ruling else f"{reason.weight:+.1f}".replace("-", "−")
    weight += " votes" if reason.kind == "vote" else ""
    start = next((start for start in _OTHER_CUES if reason.text.startswith(start)), "")
    other = facet.get(reason.text.removeprefix(start)) if start else None
    return f"{start}‘{other.name}’" if other else reason.text, weight


def _name(facet: Facet, category_id: str) -> str:
    category = facet.get(category_id)
    if category is None and facet.says_unstated(category_id):
        return _NOT_STATED
    return category.name if category else category_id


def _metadata(paper: Paper) -> tuple[tuple[str, str], ...]:
    """Return the Highwire tags, which scholarly search engines and reference managers read."""
    fields = [
        ("citation_title", paper.title_display),
        *(("citation_author", author) for author in paper.authors[:_MOST_META_AUTHORS]),
        ("citation_publication_date", paper.published.date.replace("-", "/")),
        ("citation_arxiv_id", paper.arxiv_id),
        ("citation_doi", paper.doi),
        ("citation_abstract_html_url", web_address(paper.link)),
    ]
    return tuple((name, content) for name, content in fields if content)


def _correction(edition: Edition, paper: Paper) -> str:
    repository = web_address(edition.taxonomy.survey.repository)
    if not repository:
        return ""
    subject = quote(f"Correction: {paper.id} {paper.title_display}", safe="")
    return f"{repository.rstrip('/')}/issues/new?title={subject}"
