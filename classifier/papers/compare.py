"""Comparison of two records: do their titles, texts, authors and numbers belong to one paper?"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rapidfuzz import fuzz

from classifier.papers.bare_titles import is_bare_title
from classifier.papers.identifiers import is_archive_doi
from classifier.papers.names import People, have_same_authors, to_latin
from classifier.papers.paper import Paper
from classifier.text.normalise import title_key, tokens

# Similarity of two title keys from which they are near: normalised indel distance, 0 to 100.
NEAR_TITLE = 92.0
# Shorter keys that differ in one letter often name different things, such as GPT-4 and GPT-5.
SHORTEST_NEAR_KEY = 20
# Share of the shorter abstract's words that the longer one contains too. A revised or truncated
# abstract keeps nearly all words; two abstracts of one field share about a third.
SAME_ABSTRACT = 0.75
# The same share over words of at least four letters, below which two abstracts are unrelated: of
# pairs of different papers of one field three in four are below, of the same paper one in 500.
UNRELATED_ABSTRACTS = 0.2
_MIN_WORDS = 20
_MIN_LETTERS = 4
_MIN_CONTENT_WORDS = 10
# A title of works with more DOIs than this is a heading of a journal, whatever its words.
_MAX_DOIS = 3
_GREEK = {
    letter: unicodedata.name(letter).rpartition(" ")[2].lower()
    for letter in "αβγδεζηθικλμνξοπρστυφχψω"
}
_NUMBER = re.compile(
    r"\d+|\b(?:part\s+([a-z]+)|[ivx]+|one|two|three|four|first|second|third|fourth)\b"
)
# A reply to a paper, or a correction of it, is a work of its own.
NOTICE = re.compile(
    r"^(?:(?:publisher'?s?|author'?s?)\s)?(?:correction|corrigend|errat|addend|retraction|reply"
    r"|response|rejoinder|comments?|commentary)\w*(?:\s(?:to|on|of|for)\b|\s*:)"
    r"|[:.–—-]\s*(?:a\s)?(?:correction|corrigend|errat|addend|reply|response|rejoinder|comments?)"
    r"(?:um|a)?\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The records to compare, by position, with intermediate results that several checks use."""

    records: Sequence[Paper]
    keys: Sequence[str]
    """`match_key` of each title."""
    headings: frozenset[str]
    """Keys of titles that more than `_MAX_DOIS` works share."""
    _words: dict[int, frozenset[str]] = field(default_factory=dict)
    _people: dict[int, People] = field(default_factory=dict)

    @classmethod
    def from_records(cls, records: Sequence[Paper]) -> Comparison:
        """Prepare the comparison of `records`."""
        keys = [match_key(record.title) for record in records]
        dois = {(key, r.doi) for key, r in zip(keys, records, strict=True) if _publication_doi(r)}
        counts = Counter(key for key, _ in dois)
        headings = frozenset(key for key, count in counts.items() if count > _MAX_DOIS)
        return cls(records, keys, headings)

    def have_same_text(self, first_index: int, second_index: int) -> bool:
        """Return whether the abstracts (or, without abstracts, the authors) are the same."""
        if self._have_abstracts(first_index, second_index):
            return self.have_same_abstract(first_index, second_index)
        a, b = self.records[first_index], self.records[second_index]
        return have_same_authors(a.authors, b.authors) and not self.differ_in_numbers(
            first_index, second_index
        )

    def have_same_abstract(self, first_index: int, second_index: int) -> bool:
        """Return whether both records have abstracts that are versions of one text."""
        if not self._have_abstracts(first_index, second_index):
            return False
        a, b = self._abstract_words(first_index), self._abstract_words(second_index)
        shorter = min(len(a), len(b))
        return a == b if shorter < _MIN_WORDS else len(a & b) >= SAME_ABSTRACT * shorter

    def contradict(self, first_index: int, second_index: int) -> bool:
        """Return whether two records have different texts and no author in common."""
        same = self.have_same_abstract(first_index, second_index)
        return not same and self.share_no_author(first_index, second_index)

    def are_one_work_with_bare_title(self, first_index: int, second_index: int) -> bool:
        """Return whether two records with the same bare title agree well enough to be one work.

        Records with other titles need no further agreement.
        """
        a, b, key = self.records[first_index], self.records[second_index], self.keys[first_index]
        is_bare = is_bare_title(a.title) or key in self.headings
        if not is_bare or key != self.keys[second_index]:
            return True
        if _publication_doi(a) and _publication_doi(b) and a.doi != b.doi:
            return False
        if self._have_abstracts(first_index, second_index):
            return self.have_same_abstract(first_index, second_index)
        if self.share_no_author(first_index, second_index) or self.differ_in_numbers(
            first_index, second_index
        ):
            return False
        if _differ_in_year(a, b):
            return False
        same_venue = match_key(a.venue) == match_key(b.venue)
        if a.authors and b.authors:
            return same_venue or not (a.venue and b.venue)
        pages = {record.detail("page") for record in (a, b)}
        issues = {(record.detail("volume"), record.detail("issue")) for record in (a, b)}
        is_placed = "" not in pages or all(map(all, issues))
        if a.venue and same_venue and is_placed and len(pages) == len(issues) == 1:
            return True
        has_one_url = bool(a.url) and a.url == b.url
        return has_one_url or replace(a, sources=()) == replace(b, sources=())

    def share_no_author(self, first_index: int, second_index: int) -> bool:
        """Return whether both records have authors, but none in common."""
        if self.records[first_index].authors == self.records[second_index].authors:
            return False
        for position in {first_index, second_index} - self._people.keys():
            self._people[position] = People.from_authors(self.records[position].authors)
        return self._people[first_index].have_no_common_person(self._people[second_index])

    def have_similar_titles(self, first_index: int, second_index: int) -> bool:
        """Return whether two titles are the same or similar, or one begins with the other."""
        a, b = self.keys[first_index], self.keys[second_index]
        if a.startswith(b) or b.startswith(a):
            return True
        return are_similar(
            {a: self.records[first_index].title, b: self.records[second_index].title}, a, b
        )

    def is_chapter_of(self, first_index: int, second_index: int) -> bool:
        """Return whether the first record is a chapter, and the second record its book."""
        a, b = self.records[first_index], self.records[second_index]
        is_chapter = a.detail("type") == "chapter" and b.detail("type") == "book"
        return is_chapter or (bool(a.venue) and match_key(a.venue) == self.keys[second_index])

    def differ_in_numbers(self, first_index: int, second_index: int) -> bool:
        """Return whether the bibliographic data of two records identify different publications.

        They do if the records are in two volumes or issues of one journal, or if both their DOIs
        and their years differ. For example, an editor writes an editorial per issue.
        """
        a, b = self.records[first_index], self.records[second_index]
        if _publication_doi(a) and _publication_doi(b) and a.doi != b.doi and _differ_in_year(a, b):
            return True
        differ = any(
            _are_different_numbers(a.detail(name), b.detail(name)) for name in ("volume", "issue")
        )
        return differ and match_key(a.venue) == match_key(b.venue)

    def have_unrelated_abstracts(self, first_index: int, second_index: int) -> bool:
        """Return whether the abstracts have no words in common, and the authors differ.

        With the same authors, they may be one abstract in two languages.
        """
        if not self._have_abstracts(first_index, second_index):
            return False
        a, b = (
            {word for word in self._abstract_words(position) if len(word) >= _MIN_LETTERS}
            for position in (first_index, second_index)
        )
        shorter = min(len(a), len(b))
        is_unrelated = shorter >= _MIN_CONTENT_WORDS and len(a & b) < UNRELATED_ABSTRACTS * shorter
        authors = self.records[first_index].authors, self.records[second_index].authors
        return is_unrelated and not have_same_authors(*authors)

    def _have_abstracts(self, first_index: int, second_index: int) -> bool:
        return (
            self.records[first_index].abstract_kind
            == self.records[second_index].abstract_kind
            != "none"
        )

    def _abstract_words(self, position: int) -> frozenset[str]:
        if position not in self._words:
            self._words[position] = frozenset(tokens(self.records[position].abstract))
        return self._words[position]


def _publication_doi(record: Paper) -> str:
    """Return the DOI of a publication; "" if the DOI belongs to a preprint or deposit."""
    return "" if is_archive_doi(record.doi) else record.doi


def _differ_in_year(first_record: Paper, second_record: Paper) -> bool:
    """Return whether two records have different years; a preprint may be older than its paper."""
    is_preprint = any(r.arxiv_id or is_archive_doi(r.doi) for r in (first_record, second_record))
    years = {first_record.published.year, second_record.published.year}
    return not is_preprint and len(years - {None}) == 2


def _are_different_numbers(first_number: str, second_number: str) -> bool:
    a, b = re.search(r"\d+", first_number), re.search(r"\d+", second_number)
    return a is not None and b is not None and a[0].lstrip("0") != b[0].lstrip("0")


def match_key(title: str) -> str:
    r"""Return the key for comparing titles: `title_key` without accents, with Greek spelled out.

    >>> match_key("Poincaré and α-sorting") == match_key(r"Poincare and $\alpha$-Sorting")
    True
    """
    key = title_key(title)
    if key.isascii():
        return key
    spelled = "".join(_GREEK.get(letter, letter) for letter in key)
    return to_latin(spelled) or key


def are_similar_titles(first_title: str, second_title: str) -> bool:
    """Return whether two titles are the same, or so similar that they may be one paper."""
    a, b = title_key(first_title), title_key(second_title)
    return a == b or are_similar({a: first_title, b: second_title}, a, b)


def are_similar(titles: Mapping[str, str], first_key: str, second_key: str) -> bool:
    """Return whether two titles (given as keys) differ in a few letters, but in no number."""
    if min(len(first_key), len(second_key)) < SHORTEST_NEAR_KEY:
        return False
    return (
        fuzz.ratio(first_key, second_key, score_cutoff=NEAR_TITLE) > 0
        and _count_numbers(titles[first_key]) == _count_numbers(titles[second_key])
        and bool(NOTICE.search(titles[first_key])) == bool(NOTICE.search(titles[second_key]))
    )


def _count_numbers(title: str) -> Counter[str]:
    """Count the numbers in a title, so that "Part I" and "Part II" are not the same."""
    return Counter(match[1] or match[0] for match in _NUMBER.finditer(title.lower()))
