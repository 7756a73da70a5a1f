"""One paper from all of its records: the richest value of each field, and where they disagree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import eq

from classifier.errors import Fault
from classifier.papers.match import near_titles
from classifier.papers.paper import Paper
from classifier.papers.reader import shown
from classifier.text.normalise import title_key


def combine(records: Sequence[Paper]) -> Paper:
    """Return the paper that `records` (at least one) tell of, without id.

    The records' order does not matter; of equally rich values the first in the order of the
    sources is kept.
    """
    records = sorted(records, key=record_order)
    kinds = ("none", "digest", "abstract")
    richest = max(records, key=lambda r: (kinds.index(r.abstract_kind), len(r.abstract)))
    dois = [record.doi for record in records]
    return Paper(
        title=_title(records),
        abstract=richest.abstract,
        abstract_kind=richest.abstract_kind,
        authors=max((record.authors for record in records), key=len),
        author_count=_author_count(records),
        organisation=_first(record.organisation for record in records),
        # The most precise date, of equally precise ones the earliest.
        published=min((r.published for r in records), key=lambda p: (-len(p.date), p.date)),
        venue=_first(record.venue for record in records),
        arxiv_id=_commonest(record.arxiv_id for record in records),
        # That of an archive only where there is no other.
        doi=_commonest(doi for doi in dois if not is_archive_doi(doi)) or _commonest(dois),
        url=_first(record.url for record in records),
        code_urls=_all(record.code_urls for record in records),
        comment_count=_most(record.comment_count for record in records),
        keywords=_all(record.keywords for record in records),
        collections=_all(record.collections for record in records),
        reference=_reference(records),
        sources=tuple(sorted({source for record in records for source in record.sources})),
    )


# Between a preprint and its publication.
_MOST_YEARS = 4
_CITE_KEY = "citation-key"
# DOIs that archives give to preprints: arXiv, bioRxiv and medRxiv, SSRN, Research Square, Zenodo.
_ARCHIVES = ("10.48550/", "10.1101/", "10.2139/ssrn", "10.21203/rs", "10.5281/zenodo")


def is_archive_doi(doi: str) -> bool:
    """Say whether a DOI is that of a preprint or deposit, beside which a paper may have another."""
    return doi.startswith(_ARCHIVES)


def record_order(record: Paper) -> tuple[object, ...]:
    """Sort key of records that depends on nothing but what they hold."""
    places = tuple([(source.file, source.format, source.line) for source in record.sources])
    return places, repr(record)


def disagreements(records: Sequence[Paper], paper: Paper) -> Iterator[Fault]:
    """Yield a notice for each value that contradicts what the merged `paper` keeps."""
    records = sorted(records, key=record_order)
    asked: tuple[tuple[str, Callable[[Paper], str], Callable[[str, str], bool]], ...] = (
        ("date", lambda p: p.published.date,
         _versions_agree if _are_versions(records) else _is_part),
        ("arXiv id", lambda p: p.arxiv_id, eq),
        ("DOI", lambda p: p.doi, lambda doi, kept: doi == kept or is_archive_doi(doi)),
        ("title", lambda p: p.title, lambda title, kept: (
            near_titles(title, kept) or _is_part(title_key(title), title_key(kept)))),
    )  # fmt: skip
    for word, value_of, agree in asked:
        kept = value_of(paper)
        keeper = next((record for record in records if value_of(record) == kept), records[0])
        where = f" at {keeper.sources[0]}" if keeper.sources else ""
        firsts = {value: record for record in reversed(records) if (value := value_of(record))}
        for value, record in reversed(firsts.items()):
            if not agree(value, kept):
                found = f"{word} {shown(value)} for a paper that has {shown(kept)}{where}"
                cure = f"{shown(kept)} is kept."
                yield Fault("notice", *place(record), found, f"one {word}", cure)


def place(record: Paper) -> tuple[str, int | None]:
    """Return the file and line of a record for a message."""
    return (record.sources[0].file, record.sources[0].line) if record.sources else ("", None)


def _is_part(value: str, kept: str) -> bool:
    """A date agrees with what it is a part of, 2025 with 2025-10, a title with its beginning."""
    return kept.startswith(value) or value.startswith(kept)


def _are_versions(records: Sequence[Paper]) -> bool:
    """Say whether the records tell of a preprint and of its publication."""
    dois = {record.doi for record in records} - {""}
    published = any(not is_archive_doi(doi) for doi in dois) or any(r.venue for r in records)
    return published and any(record.arxiv_id or is_archive_doi(record.doi) for record in records)


def _versions_agree(value: str, kept: str) -> bool:
    """A publication follows its preprint within a few years."""
    return abs(int(value[:4]) - int(kept[:4])) <= _MOST_YEARS


def _title(records: Sequence[Paper]) -> str:
    """Return the fullest title; of equal ones one not all in capitals, then the commonest."""
    titles = [record.title for record in records]
    count = Counter(titles)
    return min(
        count, key=lambda title: (-len(title_key(title)), title.isupper(), -count[title], title)
    )


def _author_count(records: Sequence[Paper]) -> int | None:
    """Return how many authors there are; None where the longest list ends in “and others”."""
    counted = _most(record.author_count for record in records)
    named = max(len(record.authors) for record in records)
    return counted if counted is not None and counted >= named else None


def _most(counts: Iterable[int | None]) -> int | None:
    return max((count for count in counts if count is not None), default=None)


def _first(values: Iterable[str]) -> str:
    return next((value for value in values if value), "")


def _reference(records: Sequence[Paper]) -> tuple[tuple[str, str], ...]:
    """Return the fullest reference, of one record, since volume and pages belong together.

    The cite key is the user's own, whichever record states it.
    """
    fullest = max((record.reference for record in records), key=len)
    keys = [(name, value) for r in records for name, value in r.reference if name == _CITE_KEY]
    return tuple(sorted({**dict(keys[:1]), **dict(fullest)}.items()))


def _all(lists: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for values in lists for value in values))


def _commonest(values: Iterable[str]) -> str:
    """Return the value that most records state, of equally common ones the least; "" for none."""
    count = Counter(value for value in values if value)
    return min(count, key=lambda value: (-count[value], value), default="")
