"""Links between records that may be the same paper, each with its evidence.

Links are found cheaply: by the same id, the same title, or titles that share rare words. Records
with similar titles must also have the same abstract. Links do not depend on the order of the
records.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations, pairwise

from classifier.papers.compare import (
    NOTICE,
    are_similar,
    have_same_abstract,
    match_key,
    share_no_author,
)
from classifier.papers.identity import Identity, known_ids, own_ids
from classifier.papers.paper import Paper
from classifier.text.normalise import title_key, tokens

# A DOI that more titles have belongs to the whole volume and was given to each of its parts.
_MAX_TITLES = 3
# A word or word pair of more titles than this is too common; a title is looked up by its rarest.
_MAX_FREQUENCY = 40
_MAX_FEATURES = 6
# Of a group of up to this size every pair is linked.
_MAX_PAIRED = 30
# Records of one title that are compared with those of a near title.
_MAX_COMPARED = 8


_EVIDENCE = (
    "taxonomy/identity.csv", "id", "arXiv id", "DOI", "title", "nearly the same title and text",
)  # fmt: skip


class Evidence(IntEnum):
    """The evidence that two records are the same paper, strongest first."""

    VERDICT = 0
    OWN_ID = 1
    ARXIV = 2
    DOI = 3
    TITLE = 4
    NEAR_TITLE = 5

    @property
    def description(self) -> str:
        """The evidence in words, for a sentence that ends with “joined by”."""
        return _EVIDENCE[self]


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """Two records that may be the same paper, as positions, the smaller first."""

    evidence: Evidence
    first: int
    second: int


def find_links(records: Sequence[Paper], identity: Identity) -> list[Link]:
    """Return all links between the records, strongest first."""
    keys = [match_key(record.title) for record in records]
    links: set[Link] = set()
    links |= _links_of_equal_values(Evidence.OWN_ID, (record.id for record in records))
    links |= _links_of_equal_values(Evidence.ARXIV, (record.arxiv_id for record in records))
    links |= _links_of_equal_values(Evidence.DOI, _dois_of_papers(records, keys))
    links |= _links_of_equal_values(Evidence.TITLE, keys)
    for group in _records_by_resolved_id(records, identity).values():
        links |= {*_links_in_group(Evidence.VERDICT, sorted(group))}
    links |= set(_links_of_similar_records(records, keys))
    return sorted(links)


def forbidden_pairs(records: Sequence[Paper], identity: Identity) -> set[tuple[int, int]]:
    """Return the pairs of positions, in both orders, that a human verdict keeps apart."""
    verdicts = [tuple(map(identity.resolve, pair)) for pair in identity.different]
    names = {name for pair in verdicts for name in pair}
    owners, titled = (
        _records_by_resolved_id(records, identity, names),
        _records_by_id(records, names),
    )
    pairs: set[tuple[int, int]] = set()
    for pair in verdicts:
        first, second = (owners.get(name, titled.get(name, set())) for name in pair)
        if first != second:
            for a in first - second or first:
                pairs |= {order for b in second - first or second for order in ((a, b), (b, a))}
    return pairs


def _records_by_resolved_id(
    records: Sequence[Paper], identity: Identity, ids: Iterable[str] = ()
) -> dict[str, set[int]]:
    """Return the records with an id in `ids` or in a verdict, grouped by resolved id."""
    found: dict[str, set[int]] = defaultdict(set)
    expected = {*ids, *identity.same, *identity.same.values()}
    for name, positions in _records_by_id(records, expected, own_ids).items():
        found[identity.resolve(name)] |= positions
    return found


def _records_by_id(
    records: Sequence[Paper], ids: set[str], ids_of: Callable[[Paper], tuple[str, ...]] = known_ids
) -> dict[str, set[int]]:
    """Return the positions of the records that have each of these ids."""
    found: dict[str, set[int]] = defaultdict(set)
    if ids:
        for position, record in enumerate(records):
            for known in ids.intersection(ids_of(record)):
                found[known].add(position)
    return found


def _links_of_equal_values(evidence: Evidence, values: Iterable[str]) -> set[Link]:
    """Return links between records with equal values; "" is not a value."""
    groups: dict[str, list[int]] = defaultdict(list)
    for position, value in enumerate(values):
        if value:
            groups[value].append(position)
    return {
        link
        for group in groups.values()
        if len(group) > 1
        for link in _links_in_group(evidence, group)
    }


def _links_in_group(evidence: Evidence, group: Sequence[int]) -> Iterator[Link]:
    """Yield links between all pairs; in a large group, between neighbours and with the first."""
    pairs: Iterable[tuple[int, int]] = combinations(group, 2)
    if len(group) > _MAX_PAIRED:
        pairs = [*pairwise(group), *((group[0], other) for other in group[2:])]
    return (Link(evidence, a, b) for a, b in pairs)


def _dois_of_papers(records: Sequence[Paper], keys: Sequence[str]) -> list[str]:
    """Return the DOI of each record; "" if the DOI identifies a whole volume."""
    titles: dict[str, set[str]] = defaultdict(set)
    for record, key in zip(records, keys, strict=True):
        titles[record.doi].add(key)
    return [r.doi if len(titles[r.doi]) <= _MAX_TITLES else "" for r in records]


def _links_of_similar_records(records: Sequence[Paper], keys: Sequence[str]) -> Iterator[Link]:
    """Yield links between records with similar titles and the same abstract."""
    positions: dict[str, list[int]] = defaultdict(list)
    for position, key in enumerate(keys):
        positions[key].append(position)
    titles = {key: records[group[0]].title for key, group in positions.items() if key}
    for left, right in sorted(_pairs_of_similar_titles(titles)):
        for a in positions[left][:_MAX_COMPARED]:
            for b in positions[right][:_MAX_COMPARED]:
                # Shared authors are not evidence: a team's series has near titles too. No shared
                # author is evidence against: other teams describe similar trials in similar words.
                pair = records[a], records[b]
                if have_same_abstract(*pair) and not share_no_author(*pair):
                    yield Link(Evidence.NEAR_TITLE, min(a, b), max(a, b))


def _pairs_of_similar_titles(titles: Mapping[str, str]) -> set[tuple[str, str]]:
    """Return pairs of title keys that are similar, or of which one is the other up to a colon."""
    pairs = {pair for pair in _pairs_with_rare_words(titles) if are_similar(titles, *pair)}
    for key, title in titles.items():
        head = title_key(re.split(r":\s|\s[-–—]+\s", title, maxsplit=1)[0])
        if head != key and head in titles and not NOTICE.search(title):
            pairs.add((min(head, key), max(head, key)))
    return pairs


def _pairs_with_rare_words(titles: Mapping[str, str]) -> set[tuple[str, str]]:
    """Return pairs of titles that share one of their rarest words or word pairs."""
    words = {key: tokens(title) for key, title in titles.items()}
    pairs = {key: [f"{a} {b}" for a, b in pairwise(found)] for key, found in words.items()}
    features = {key: {*found, *pairs[key]} for key, found in words.items()}
    frequency = Counter(feature for found in features.values() for feature in found)
    blocks: dict[str, list[str]] = defaultdict(list)
    for key in sorted(features):
        shared = [f for f in features[key] if 2 <= frequency[f] <= _MAX_FREQUENCY]
        shared.sort(key=lambda feature: (frequency[feature], feature))
        for feature in shared[:_MAX_FEATURES]:
            blocks[feature].append(key)
    return {pair for block in blocks.values() for pair in combinations(block, 2)}
