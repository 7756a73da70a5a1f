"""The page of a paper: what is known of it, from where, and what lies around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from classifier.papers.paper import Paper
from classifier.site import issues
from classifier.site.exports.bibtex import bibtex_entry
from classifier.site.exports.citation import with_few_authors
from classifier.site.exports.reference_files import category_tags
from classifier.site.listing import Catalogue, dated, paper_downloads
from classifier.site.pages.paper_labels import facet_view
from classifier.site.pages.references import CitedIn
from classifier.site.paths import host_and_path, title_search, web_address
from classifier.survey.entry import Entry
from classifier.survey.names import UNSOLVED
from classifier.survey.related import shared_words, word_counts
from classifier.survey.wording import joined
from classifier.text.results import headline
from classifier.text.sentences import Span

_MAX_SECTIONS = 6
_ROLES = {
    "problem": "why",
    "contribution": "what it does",
    "method": "how",
    "result": "found",
    "limit": "left open",
    "release": "released",
}
_MOST_SHARED = 3


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
    beside: Mapping[str, tuple[Entry | None, Entry | None]]
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
    beside: dict[str, tuple[Entry | None, Entry | None]] = {}
    for entries in catalogue.filed.values():
        stated = dated(entries)
        around = [None, *stated, None]
        for index, entry in enumerate(stated):
            beside[entry.paper.id] = around[index], around[index + 2]
    words = {entry.number: word_counts(entry) for entry in catalogue.edition.entries}
    holding = Counter(word for counts in words.values() for word in counts)
    return Surroundings(catalogue, keys, cited, listed, beside, written, words, holding)


def paper_page(around: Surroundings, entry: Entry) -> dict[str, object]:
    """Return what the page of a paper shows."""
    paper, catalogue = entry.paper, around.catalogue
    edition, links = catalogue.edition, _links(entry.paper)
    decided = edition.decisions.get(paper.id, {})
    newer, older = around.beside.get(paper.id, (None, None))
    return {
        "entry": entry,
        "is_listed": entry.number in around.listed,
        "links": links,
        "search": "" if links else title_search(paper.title_display),
        "roles": list(_roles(entry)),
        "facets": [
            facet_view(facet, labels, decided.get(facet.id), catalogue)
            for facet in edition.taxonomy.facets.values()
            if (labels := entry.labels.facets.get(facet.id))
        ],
        "bibtex": bibtex_entry(
            with_few_authors(paper), around.keys[paper.id], tags=category_tags(entry)
        ),
        "downloads": paper_downloads(entry.slug, around.written),
        "correction": issues.correction(edition.taxonomy, entry),
        "cited_in": around.cited.get(entry.number, ())[:_MAX_SECTIONS],
        "related": list(_related(around, entry)),
        "newer": newer,
        "older": older,
    }


def _related(around: Surroundings, entry: Entry) -> Iterator[tuple[Entry, str]]:
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
        if both:
            yield other, f"both name {joined(both[:_MOST_SHARED])}"
            continue
        theirs = around.words[other.number]
        shared = shared_words(own, theirs, around.holding, len(edition.entries))
        words = ", ".join(shared[:_MOST_SHARED])
        yield other, f"shared words: {words}" if words else ""


def _roles(entry: Entry) -> Iterator[tuple[str, list[tuple[str, bool]]]]:
    """Yield the text in order, by what its sentences do: a role, and the text in pieces, with
    whether each is the number of a headline result."""
    text = entry.paper.abstract_display
    marks = sorted({item.span for item in headline(entry.results)}, key=lambda span: span.start)
    for role, run in groupby(entry.sentences, key=lambda sentence: sentence.role):
        spans = [sentence.span for sentence in run]
        yield _ROLES[role], list(_pieces(text, spans[0].start, spans[-1].end, marks))


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
