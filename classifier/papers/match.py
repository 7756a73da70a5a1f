"""Which records may be one paper, and on what evidence.

A link is found cheaply (same id, same title, titles that share rare words) and then confirmed:
what only looks alike must also read alike. Links never depend on the order of the records.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import combinations, pairwise

from rapidfuzz import fuzz

from classifier.papers.identity import Identity, known_ids, own_ids
from classifier.papers.names import People, latin, same_authors
from classifier.papers.paper import Paper
from classifier.text.normalise import title_key, tokens

# Similarity of two title keys (0 to 100, normalised indel distance) from which they are near.
NEAR_TITLE = 92.0
# Shorter keys differ in a letter and mean another thing (GPT-4, GPT-5).
SHORTEST_NEAR_KEY = 20
# Share of the shorter abstract's words that the longer one has too: one text, perhaps revised or
# cut off, keeps nearly all; two abstracts of one field share about a third.
SAME_ABSTRACT = 0.75
_MIN_WORDS = 20
_GREEK = {
    letter: unicodedata.name(letter).rpartition(" ")[2].lower()
    for letter in "αβγδεζηθικλμνξοπρστυφχψω"
}
# A DOI that more titles have is that of the whole volume, given to each of its parts.
_MOST_TITLES = 3
# A title feature that more titles have tells nothing; a title is looked up by its rarest ones.
_MOST_COMMON = 40
_FEATURES = 6
_ORDINALS = {
    word: str(number)
    for number, words in enumerate(
        "one first|two second|three third|four fourth|five fifth|six sixth|seven seventh"
        "|eight eighth|nine ninth|ten tenth|eleven eleventh|twelve twelfth".split("|"),
        start=1,
    )
    for word in words.split()
}
_NUMBER = re.compile(rf"\d+|\b(?:part\s+([a-z]+)|[ivx]+|{'|'.join(_ORDINALS)})\b")
# What is said of a paper under its own title is another one.
_NOTICE = re.compile(
    r"^(?:(?:publisher'?s?|author'?s?)\s)?(?:correction|corrigend|errat|addend|retraction|reply"
    r"|response|rejoinder|comments?|commentary)\w*(?:\s(?:to|on|of|for)\b|\s*:)"
    r"|[:.–—-]\s*(?:a\s)?(?:correction|corrigend|errat|addend|reply|response|rejoinder|comments?)"
    r"(?:um|a)?\W*$",
    re.IGNORECASE,
)
# Of a group of up to this size every pair is linked.
_SMALL = 30


_EVIDENCE = (
    "taxonomy/identity.csv", "id", "arXiv id", "DOI", "title", "nearly the same title and text",
)  # fmt: skip


class Evidence(IntEnum):
    """Why two records may be one paper, strongest first."""

    VERDICT = 0
    OWN_ID = 1
    ARXIV = 2
    DOI = 3
    TITLE = 4
    NEAR_TITLE = 5

    @property
    def words(self) -> str:
        """The evidence in words, for a sentence that ends in “joined by”."""
        return _EVIDENCE[self]


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """Two records (positions, the smaller first) that may be one paper."""

    evidence: Evidence
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Texts:
    """What records are compared by, computed once."""

    records: Sequence[Paper]
    keys: Sequence[str]
    """Key of the title by position, as `match_key` gives it."""
    _words: dict[int, frozenset[str]] = field(default_factory=dict)
    _people: dict[int, People] = field(default_factory=dict)

    @classmethod
    def of(cls, records: Sequence[Paper]) -> Texts:
        """Prepare `records` for comparison."""
        return cls(records, [match_key(record.title) for record in records])

    def same_abstract(self, first: int, second: int) -> bool:
        """Say whether both records have an abstract and it is one text, perhaps revised."""
        if not self._have_abstracts(first, second):
            return False
        for position in {first, second} - self._words.keys():
            self._words[position] = frozenset(tokens(self.records[position].abstract))
        a, b = self._words[first], self._words[second]
        shorter = min(len(a), len(b))
        return a == b if shorter < _MIN_WORDS else len(a & b) >= SAME_ABSTRACT * shorter

    def _have_abstracts(self, first: int, second: int) -> bool:
        return self.records[first].abstract_kind == self.records[second].abstract_kind != "none"

    def same_text(self, first: int, second: int) -> bool:
        """Say whether the abstracts, or in want of one the authors, are those of one paper."""
        if self._have_abstracts(first, second):
            return self.same_abstract(first, second)
        a, b = self.records[first], self.records[second]
        return same_authors(a.authors, b.authors) and not self.other_volume(first, second)

    def other_volume(self, first: int, second: int) -> bool:
        """Say whether two records state other volumes or issues of one journal, or of one work.

        So the editorials of an editor are not one paper.
        """
        a, b = self.records[first], self.records[second]
        other = any(
            _are_other_numbers(a.detail(name), b.detail(name)) for name in ("volume", "issue")
        )
        return other and match_key(a.venue) == match_key(b.venue)

    def contradict(self, first: int, second: int) -> bool:
        """Say whether two records of one title are two papers: no author in common, other texts.

        So "Editorial" is not one paper.
        """
        return self.strangers(first, second) and not self.same_abstract(first, second)

    def strangers(self, first: int, second: int) -> bool:
        """Say whether both records name authors, and none in common."""
        if self.records[first].authors == self.records[second].authors:
            return False
        for position in {first, second} - self._people.keys():
            self._people[position] = People.of(self.records[position].authors)
        return self._people[first].are_others_than(self._people[second])

    def alike_titles(self, first: int, second: int) -> bool:
        """Say whether two titles are the same, nearly the same, or one begins with the other."""
        a, b = self.keys[first], self.keys[second]
        if a.startswith(b) or b.startswith(a):
            return True
        return _is_near({a: self.records[first].title, b: self.records[second].title}, a, b)

    def stands_in(self, first: int, second: int) -> bool:
        """Say whether the first of two records of other titles is a chapter of the second."""
        a, b = self.records[first], self.records[second]
        is_chapter = a.detail("type") == "chapter" and b.detail("type") == "book"
        return is_chapter or (bool(a.venue) and match_key(a.venue) == self.keys[second])


def _are_other_numbers(first: str, second: str) -> bool:
    a, b = re.search(r"\d+", first), re.search(r"\d+", second)
    return a is not None and b is not None and a[0].lstrip("0") != b[0].lstrip("0")


def match_key(title: str) -> str:
    """Return the key by which titles are compared: `title_key` without accents, Greek spelled out.

    >>> match_key("Poincaré and α-sorting") == match_key(r"Poincare and $\\alpha$-Sorting")
    True
    """
    key = title_key(title)
    if key.isascii():
        return key
    spelled = "".join(_GREEK.get(letter, letter) for letter in key)
    return latin(spelled) or key


def find_links(texts: Texts, identity: Identity) -> list[Link]:
    """Return every link between the records, strongest first."""
    records = texts.records
    links: set[Link] = set()
    links |= _equal(Evidence.OWN_ID, (record.id for record in records))
    links |= _equal(Evidence.ARXIV, (record.arxiv_id for record in records))
    links |= _equal(Evidence.DOI, _dois_of_papers(texts))
    links |= _equal(Evidence.TITLE, texts.keys)
    for group in _owners(records, identity).values():
        links |= {*_chain(Evidence.VERDICT, sorted(group))}
    links |= set(_near(texts))
    return sorted(links)


def forbidden_pairs(records: Sequence[Paper], identity: Identity) -> set[tuple[int, int]]:
    """Return the pairs of positions (both ways round) that a person calls different.

    Where all records that one id names are among those of the other, they are told from the rest.
    """
    verdicts = [tuple(map(identity.resolve, pair)) for pair in identity.different]
    names = {name for pair in verdicts for name in pair}
    owners, titled = _owners(records, identity, names), _by_name(records, names)
    pairs: set[tuple[int, int]] = set()
    for pair in verdicts:
        first, second = (owners.get(name, titled.get(name, set())) for name in pair)
        if first != second:
            for a in first - second or first:
                pairs |= {order for b in second - first or second for order in ((a, b), (b, a))}
    return pairs


def _owners(
    records: Sequence[Paper], identity: Identity, names: Iterable[str] = ()
) -> dict[str, set[int]]:
    """Return which records bear an id of `names` or of a verdict, by the id that it stands for."""
    found: dict[str, set[int]] = defaultdict(set)
    expected = {*names, *identity.same, *identity.same.values()}
    for name, positions in _by_name(records, expected, own_ids).items():
        found[identity.resolve(name)] |= positions
    return found


def _by_name(
    records: Sequence[Paper], names: set[str], ids: Callable[[Paper], tuple[str, ...]] = known_ids
) -> dict[str, set[int]]:
    """Return which of `names` are among the ids of which records."""
    found: dict[str, set[int]] = defaultdict(set)
    if names:
        for position, record in enumerate(records):
            for known in names.intersection(ids(record)):
                found[known].add(position)
    return found


def _equal(evidence: Evidence, values: Iterable[str]) -> set[Link]:
    """Link each record to all earlier ones of the same value; "" is no value."""
    groups: dict[str, list[int]] = defaultdict(list)
    for position, value in enumerate(values):
        if value:
            groups[value].append(position)
    return {link for group in groups.values() if len(group) > 1 for link in _chain(evidence, group)}


def _chain(evidence: Evidence, group: Sequence[int]) -> Iterator[Link]:
    """Link all pairs of a small group, the neighbours and the first of a large one."""
    pairs: Iterable[tuple[int, int]] = combinations(group, 2)
    if len(group) > _SMALL:
        pairs = [*pairwise(group), *((group[0], other) for other in group[2:])]
    return (Link(evidence, a, b) for a, b in pairs)


def _dois_of_papers(texts: Texts) -> list[str]:
    """Return the DOI of each record, "" where it is that of a whole volume."""
    titles: dict[str, set[str]] = defaultdict(set)
    for record, key in zip(texts.records, texts.keys, strict=True):
        titles[record.doi].add(key)
    return [r.doi if len(titles[r.doi]) <= _MOST_TITLES else "" for r in texts.records]


def _near(texts: Texts) -> Iterator[Link]:
    """Link records whose titles are near and whose texts are the same."""
    positions: dict[str, list[int]] = defaultdict(list)
    for position, key in enumerate(texts.keys):
        positions[key].append(position)
    titles = {key: texts.records[group[0]].title for key, group in positions.items() if key}
    for left, right in sorted(_candidates(titles)):
        for a in positions[left][:8]:
            for b in positions[right][:8]:
                # Authors in common are no evidence: a team's series has near titles too. None in
                # common is: trials of one design are told in the same words by other people.
                if texts.same_abstract(a, b) and not texts.strangers(a, b):
                    yield Link(Evidence.NEAR_TITLE, min(a, b), max(a, b))


def _candidates(titles: Mapping[str, str]) -> set[tuple[str, str]]:
    """Return pairs of title keys that are near, or of which one is the other's head."""
    pairs = {pair for pair in _blocked(titles) if _is_near(titles, *pair)}
    for key, title in titles.items():
        head = title_key(re.split(r":\s|\s[-–—]+\s", title, maxsplit=1)[0])
        if head != key and head in titles and not _NOTICE.search(title):
            pairs.add((min(head, key), max(head, key)))
    return pairs


def _blocked(titles: Mapping[str, str]) -> set[tuple[str, str]]:
    """Return the pairs of titles that share one of their rarest words or word pairs."""
    words = {key: tokens(title) for key, title in titles.items()}
    pairs = {key: [f"{a} {b}" for a, b in pairwise(found)] for key, found in words.items()}
    features = {key: {*found, *pairs[key]} for key, found in words.items()}
    frequency = Counter(feature for found in features.values() for feature in found)
    blocks: dict[str, list[str]] = defaultdict(list)
    for key in sorted(features):
        shared = [(count, f) for f in features[key] if 2 <= (count := frequency[f]) <= _MOST_COMMON]
        for _, feature in sorted(shared)[:_FEATURES]:
            blocks[feature].append(key)
    return {pair for block in blocks.values() for pair in combinations(block, 2)}


def _is_near(titles: Mapping[str, str], left: str, right: str) -> bool:
    if min(len(left), len(right)) < SHORTEST_NEAR_KEY:
        return False
    return (
        fuzz.ratio(left, right, score_cutoff=NEAR_TITLE) > 0
        and _numbers(titles[left]) == _numbers(titles[right])
        and bool(_NOTICE.search(titles[left])) == bool(_NOTICE.search(titles[right]))
    )


def _numbers(title: str) -> Counter[str]:
    """Numbers and parts in a title: "Part I" and "Part II" are near and not the same."""
    found = (match[1] or match[0] for match in _NUMBER.finditer(title.lower()))
    return Counter(_ORDINALS.get(word, word) for word in found)


def near_titles(left: str, right: str) -> bool:
    """Say whether two titles are the same or near enough for one paper."""
    a, b = title_key(left), title_key(right)
    return a == b or _is_near({a: left, b: right}, a, b)
