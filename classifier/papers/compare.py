"""Comparison of two records: do their titles, texts, authors and numbers belong to one paper?"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Final

from rapidfuzz import fuzz

from classifier.papers.identifiers import is_archive_doi
from classifier.papers.names import People, have_same_authors, to_latin
from classifier.papers.paper import Paper
from classifier.papers.words import load_words
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
_BARE_TITLES: Final = load_words(Path(__file__).with_name("bare_titles.yaml"))
_HEADINGS: Final = frozenset(chain(*_BARE_TITLES["headings"]))
_JOINTS: Final = frozenset(chain(*_BARE_TITLES["joints"]))
_WHOLE: Final = frozenset(chain(*_BARE_TITLES["whole"]))
# Thai and Lao, Japanese and Chinese, Korean.
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u3040-\u9fff\uac00-\ud7a3]")
_MAX_HEADING_WORDS: Final = 6
# A reply to a paper, or a correction of it, is a work of its own.
NOTICE = re.compile(
    r"^(?:(?:publisher'?s?|author'?s?)\s)?(?:correction|corrigend|errat|addend|retraction|reply"
    r"|response|rejoinder|comments?|commentary)\w*(?:\s(?:to|on|of|for)\b|\s*:)"
    r"|[:.–—-]\s*(?:a\s)?(?:correction|corrigend|errat|addend|reply|response|rejoinder|comments?)"
    r"(?:um|a)?\W*$",
    re.IGNORECASE,
)


def headings_of(records: Sequence[Paper]) -> frozenset[str]:
    """Return the `match_key` of each title that more than `_MAX_DOIS` publications share."""
    dois = {(match_key(r.title), r.doi) for r in records if _publication_doi(r)}
    counts = Counter(key for key, _ in dois)
    return frozenset(key for key, count in counts.items() if count > _MAX_DOIS)


def have_same_text(first: Paper, second: Paper) -> bool:
    """Return whether the abstracts (or, without abstracts, the authors) are the same."""
    if _have_abstracts(first, second):
        return have_same_abstract(first, second)
    same = have_same_authors(first.authors, second.authors)
    return same and not differ_in_numbers(first, second)


def have_same_abstract(first: Paper, second: Paper) -> bool:
    """Return whether both records have abstracts that are versions of one text."""
    if not _have_abstracts(first, second):
        return False
    a, b = _words_of(first.abstract), _words_of(second.abstract)
    shorter = min(len(a), len(b))
    return a == b if shorter < _MIN_WORDS else len(a & b) >= SAME_ABSTRACT * shorter


def contradict(first: Paper, second: Paper) -> bool:
    """Return whether two records have different texts and no author in common."""
    return not have_same_abstract(first, second) and share_no_author(first, second)


def are_one_work_with_bare_title(
    first: Paper, second: Paper, headings: Collection[str] = ()
) -> bool:
    """Return whether records agree well enough for one work, if they share a bare title."""
    key = match_key(first.title)
    is_bare = is_bare_title(first.title) or key in headings
    if not is_bare or key != match_key(second.title):
        return True
    if _publication_doi(first) and _publication_doi(second) and first.doi != second.doi:
        return False
    if _have_abstracts(first, second):
        return have_same_abstract(first, second)
    if share_no_author(first, second) or differ_in_numbers(first, second):
        return False
    if _differ_in_year(first, second):
        return False
    same_venue = match_key(first.venue) == match_key(second.venue)
    if first.authors and second.authors:
        return same_venue or not (first.venue and second.venue)
    pages = {record.detail("page") for record in (first, second)}
    issues = {(record.detail("volume"), record.detail("issue")) for record in (first, second)}
    is_placed = "" not in pages or all(map(all, issues))
    if first.venue and same_venue and is_placed and len(pages) == len(issues) == 1:
        return True
    has_one_url = bool(first.url) and first.url == second.url
    return has_one_url or replace(first, sources=()) == replace(second, sources=())


def is_bare_title(title: str) -> bool:
    """Return whether a title is one word, or a heading that many works have.

    >>> is_bare_title("Editorial"), is_bare_title("Letter to the Editor"), is_bare_title("Vorwort")
    (True, True, True)
    >>> is_bare_title("Editorial bias in letters"), is_bare_title("前言")
    (False, True)
    """
    plain = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", title.casefold())
        if not unicodedata.combining(letter)
    )
    words = re.findall(r"[^\W\d_]+", plain)
    if len(title.split()) <= 1:
        return (
            not _UNSPACED.search(title)
            or unicodedata.normalize("NFKC", title.strip(" 。:：")) in _WHOLE
        )
    if not words or len(words) > _MAX_HEADING_WORDS:
        return not words
    return (_HEADINGS | _JOINTS).issuperset(words) and not _HEADINGS.isdisjoint(words)


def share_no_author(first: Paper, second: Paper) -> bool:
    """Return whether both records have authors, but none in common."""
    if first.authors == second.authors:
        return False
    return _people_of(first.authors).have_no_common_person(_people_of(second.authors))


def have_similar_titles(first: Paper, second: Paper) -> bool:
    """Return whether two titles are the same or similar, or one begins with the other."""
    a, b = match_key(first.title), match_key(second.title)
    is_start = a.startswith(b) or b.startswith(a)
    return is_start or are_similar({a: first.title, b: second.title}, a, b)


def is_chapter_of(first: Paper, second: Paper) -> bool:
    """Return whether the first record is a chapter, and the second record its book."""
    is_chapter = first.detail("type") == "chapter" and second.detail("type") == "book"
    return is_chapter or (bool(first.venue) and match_key(first.venue) == match_key(second.title))


def differ_in_numbers(first: Paper, second: Paper) -> bool:
    """Return whether the bibliographic data of two records identify different publications.

    They do if the records are in two volumes or issues of one journal, or if both their DOIs and
    their years differ. For example, an editor writes an editorial per issue.
    """
    are_published = _publication_doi(first) and _publication_doi(second)
    if are_published and first.doi != second.doi and _differ_in_year(first, second):
        return True
    for name in ("volume", "issue"):
        a, b = (re.search(r"\d+", record.detail(name)) for record in (first, second))
        if a and b and a[0].lstrip("0") != b[0].lstrip("0"):
            return match_key(first.venue) == match_key(second.venue)
    return False


def have_unrelated_abstracts(first: Paper, second: Paper) -> bool:
    """Return whether abstracts share no words, and are not one abstract in two languages."""
    if not _have_abstracts(first, second):
        return False
    a, b = (
        {word for word in _words_of(record.abstract) if len(word) >= _MIN_LETTERS}
        for record in (first, second)
    )
    shorter = min(len(a), len(b))
    is_unrelated = shorter >= _MIN_CONTENT_WORDS and len(a & b) < UNRELATED_ABSTRACTS * shorter
    return is_unrelated and not have_same_authors(first.authors, second.authors)


def _have_abstracts(first: Paper, second: Paper) -> bool:
    return first.abstract_kind == second.abstract_kind != "none"


@lru_cache(2**12)
def _words_of(abstract: str) -> frozenset[str]:
    return frozenset(tokens(abstract))


_people_of = lru_cache(2**12)(People.from_authors)


def _publication_doi(record: Paper) -> str:
    """Return the DOI of a publication; "" if the DOI belongs to a preprint or deposit."""
    return "" if is_archive_doi(record.doi) else record.doi


def _differ_in_year(first_record: Paper, second_record: Paper) -> bool:
    """Return whether two records have different years; a preprint may be older than its paper."""
    is_preprint = any(r.arxiv_id or is_archive_doi(r.doi) for r in (first_record, second_record))
    years = {first_record.published.year, second_record.published.year}
    return not is_preprint and len(years - {None}) == 2


@lru_cache(2**16)
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
