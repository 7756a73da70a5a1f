"""The page of a paper: what is known of it, from where, and what lies around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from classifier.papers.paper import Paper
from classifier.site import issues
from classifier.site.blocks import Relink, SentenceView
from classifier.site.exports.bibtex import bibtex_entry
from classifier.site.exports.citation import with_few_authors
from classifier.site.exports.reference_files import category_tags
from classifier.site.listing import Catalogue, PaperItem, paper_downloads, remark_view
from classifier.site.pages.paper_labels import FacetView, LabelView, facet_view, label_view
from classifier.site.pages.references import CitedIn
from classifier.site.paths import host_and_path, title_search, web_address
from classifier.site.wording import all_authors
from classifier.survey.entry import Entry
from classifier.survey.names import UNSOLVED
from classifier.survey.related import shared_words, word_counts
from classifier.survey.wording import date_in_words, joined
from classifier.text.results import headline
from classifier.text.sentences import Span

_MAX_SECTIONS = 6
# A list of hundreds, which the BibTeX holds, triples the page.
_ROLES = {
    "problem": "why",
    "contribution": "what it does",
    "method": "how",
    "result": "found",
    "limit": "left open",
    "release": "released",
}
_MOST_SHARED = 3
_TEXT_HEADINGS = {"abstract": "Abstract", "digest": "Digest", "none": ""}


@dataclass(frozen=True, slots=True)
class RoleView:
    """Sentences that follow one another in a text and do the same in it."""

    role: str
    parts: tuple[tuple[str, bool], ...]
    """The text in pieces, and whether each is the number of a headline result."""


@dataclass(frozen=True, slots=True)
class PaperPage:
    """What the page of a paper shows."""

    paper: Paper
    number: int
    is_listed: bool
    """Whether the reference list holds it."""
    authors: str
    date: str
    links: tuple[tuple[str, str], ...]
    """(what it is, address)."""
    announces: bool
    """Whether the text announces code that nothing links."""
    search: str
    """A search for the title, where no address is known; else ""."""
    text_heading: str
    text: str
    roles: tuple[RoleView, ...]
    """The text as read, in order, by what its sentences do."""
    is_key: bool
    """Whether the editors mark it as a key paper."""
    remark: SentenceView | None
    """What the editors say of it, signed."""
    facets: tuple[FacetView, ...]
    sources: tuple[str, ...]
    bibtex: str
    cite_key: str
    downloads: tuple[tuple[str, str], ...]
    """(format, path) of its reference as a file."""
    correction: str
    """Where to tell the editors of a mistake, or ""."""
    cited_in: tuple[CitedIn, ...]
    related: tuple[tuple[PaperItem, str], ...]
    """Papers that speak of the same things, each with what they share."""
    topic: LabelView
    previous: PaperItem | None
    next: PaperItem | None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the pages of all papers are made with: what lies around each paper."""

    catalogue: Catalogue
    keys: Mapping[str, str]
    """Paper id -> cite key."""
    cited: Mapping[int, tuple[CitedIn, ...]]
    """Reference number -> sections that cite the paper."""
    listed: Collection[int]
    """The numbers that the reference list holds."""
    beside: Mapping[str, tuple[PaperItem | None, PaperItem | None]]
    """Id of a dated paper -> the newer and the older one filed under the same category."""
    written: Collection[str]
    """Files that lie beside the pages."""
    words: Mapping[int, Mapping[str, int]]
    """Number of a paper -> how often it holds each word."""
    holding: Mapping[str, int]
    """Word -> the papers that hold it."""


def surroundings(
    catalogue: Catalogue,
    keys: Mapping[str, str],
    cited: Mapping[int, tuple[CitedIn, ...]],
    listed: Collection[int],
    written: Collection[str],
) -> Surroundings:
    """Look around every paper once."""
    beside: dict[str, tuple[PaperItem | None, PaperItem | None]] = {}
    for entries in catalogue.filed.values():
        dated = [entry for entry in entries if entry.paper.published.date]
        items = [None, *(catalogue.papers[entry.paper.id] for entry in dated), None]
        for index, entry in enumerate(dated):
            beside[entry.paper.id] = items[index], items[index + 2]
    words = {entry.number: word_counts(entry) for entry in catalogue.edition.entries}
    holding = Counter(word for counts in words.values() for word in counts)
    return Surroundings(catalogue, keys, cited, listed, beside, written, words, holding)


def paper_page(around: Surroundings, entry: Entry, relink: Relink = str) -> PaperPage:
    """Return what the page of a paper shows."""
    paper, catalogue = entry.paper, around.catalogue
    edition, key = catalogue.edition, around.keys[entry.paper.id]
    links = _links(paper)
    facets = tuple(
        facet_view(
            edition.taxonomy.facets[facet_id],
            labels,
            edition.decisions.get(paper.id, {}).get(facet_id)
            if labels.status == "reviewed"
            else None,
            catalogue,
        )
        for facet_id in edition.taxonomy.facets
        if (labels := entry.labels.facets.get(facet_id))
    )
    newer, older = around.beside.get(paper.id, (None, None))
    return PaperPage(
        paper=paper,
        number=entry.number,
        is_listed=entry.number in around.listed,
        authors=all_authors(paper),
        date=date_in_words(paper.published.date),
        links=links,
        announces=entry.releases_something and not paper.code_urls,
        search="" if links else title_search(paper.title_display),
        text_heading=_TEXT_HEADINGS[paper.abstract_kind] if paper.abstract else "",
        text=paper.abstract_display,
        roles=tuple(_roles(entry)),
        is_key=entry.key is not None,
        remark=remark_view(entry, relink),
        facets=facets,
        sources=tuple(str(source) for source in paper.sources),
        bibtex=bibtex_entry(with_few_authors(paper), key, tags=category_tags(entry)),
        cite_key=key,
        downloads=paper_downloads(entry.slug, around.written),
        correction=issues.correction(edition.taxonomy, entry),
        cited_in=around.cited.get(entry.number, ())[:_MAX_SECTIONS],
        related=tuple(_related(around, entry)),
        topic=label_view(edition.taxonomy.first, entry.first, entry.first.primary, catalogue),
        previous=newer,
        next=older,
    )


def _related(around: Surroundings, entry: Entry) -> Iterator[tuple[PaperItem, str]]:
    """Yield related papers with what they share: a topic or a name, and words that few texts hold.

    Of two papers that share neither topic nor name the words alone say too little.
    """
    edition, own = around.catalogue.edition, around.words[entry.number]
    for paper_id in edition.related.get(entry.paper.id, ()):
        other = edition.paper(paper_id)
        if other is None:
            continue
        named = {name for names in other.names.values() for name in names}
        lexicons = (names for key, names in entry.names.items() if key != UNSOLVED)
        both = [name for names in lexicons for name in names if name in named]
        if not both and not set(entry.first.top_categories) & set(other.first.top_categories):
            continue
        theirs = around.words[other.number]
        shared = shared_words(own, theirs, around.holding, len(edition.entries))
        words = ", ".join(shared[:_MOST_SHARED])
        names = f"both name {joined(both[:_MOST_SHARED])}" if both else ""
        yield (
            around.catalogue.papers[paper_id],
            names or (f"shared words: {words}" if words else ""),
        )


def _roles(entry: Entry) -> Iterator[RoleView]:
    text = entry.paper.abstract_display
    marks = sorted({item.span for item in headline(entry.results)}, key=lambda span: span.start)
    for role, run in groupby(entry.sentences, key=lambda sentence: sentence.role):
        spans = [sentence.span for sentence in run]
        yield RoleView(_ROLES[role], tuple(_pieces(text, spans[0].start, spans[-1].end, marks)))


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
        *(("Code", url) for url in paper.code_urls),
    ]
    kinds: dict[str, str] = {}
    for kind, address in stated:
        if safe := web_address(address):
            kinds.setdefault(safe, kind)
    return tuple((_link_name(kind, address), address) for address, kind in kinds.items())


def _link_name(kind: str, address: str) -> str:
    """Return what a link is called: an unnamed one by its host, code by where it lies there."""
    if kind in ("arXiv", "DOI"):
        return kind
    host, path = host_and_path(address)
    if kind == "Code":
        return f"Code: {path.strip('/')}"
    host = host.removeprefix("www.")
    return {"arxiv.org": "arXiv", "doi.org": "DOI"}.get(host, host)
