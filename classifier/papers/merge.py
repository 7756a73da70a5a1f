"""Merge the records of each paper into one, and give each paper an id.

For each field the most complete value wins; conflicts are reported.

Records are joined in the order of the evidence, the strongest first. Records are never joined if a
person called them different, or if they have two arXiv ids or DOIs and different texts, not even
through a third record. The result does not depend on the order of the records.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from operator import eq

from classifier.errors import Fault, sort_faults
from classifier.papers import compare
from classifier.papers.compare import are_similar_titles
from classifier.papers.identifiers import is_archive_doi
from classifier.papers.identity import Identity, known_ids, own_ids
from classifier.papers.match import Evidence, Link, find_links, forbidden_pairs
from classifier.papers.paper import Paper, mint_id
from classifier.papers.reader import display_value
from classifier.text.normalise import title_id, title_key

# Maximum number of disagreements that are reported.
_MAX_DISAGREEMENTS = 100
# Years between a preprint and its publication.
_MAX_YEARS = 4
# Maximum number of compared records of each of two groups.
_MAX_COMPARED = 8


@dataclass(frozen=True, slots=True)
class MergeResult:
    """Distinct papers, and the notices about their merging."""

    papers: tuple[Paper, ...]
    """In the order of their first records, each with its id."""
    aliases: Mapping[str, str]
    """Id of the paper, by alias."""
    faults: tuple[Fault, ...]
    """Notices: disagreements between records of one paper, doubtful identities."""


def merge_records(records: Sequence[Paper], identity: Identity | None = None) -> MergeResult:
    """Merge the records of each paper, and assign ids; `identity` has human verdicts."""
    identity = identity or Identity()
    order = sorted(range(len(records)), key=lambda position: record_order(records[position]))
    ordered = [records[position] for position in order]
    clusters = Clusters(ordered, forbidden_pairs(ordered, identity))
    refused = [link for link in find_links(ordered, identity) if not clusters.join(link)]
    groups = clusters.groups()
    members = [[ordered[position] for position in group] for group in groups]
    pairs = [(combine_records(group), group) for group in members]
    disagreed = [f for paper, group in pairs if len(group) > 1 for f in disagreements(group, paper)]
    papers, renamed = _with_distinct_ids([_with_known_id(*pair, identity) for pair in pairs])
    arrival = [min(order[position] for position in group) for group in groups]
    faults = [
        *_refusal_notices(refused, clusters, ordered),
        *renamed,
        *_first_faults(disagreed),
    ]
    return MergeResult(
        tuple(paper for _, paper in sorted(zip(arrival, papers, strict=True), key=lambda p: p[0])),
        _aliases(papers, members, identity),
        tuple(sort_faults(faults)),
    )


class Clusters:
    """Union-find over record positions that refuses contradictory joins."""

    def __init__(self, records: Sequence[Paper], forbidden: set[tuple[int, int]]) -> None:
        self._records = records
        self._headings = compare.headings_of(records)
        self._forbidden = forbidden
        self._members: dict[int, list[int]] = {i: [i] for i in range(len(records))}
        self.root = list(range(len(records)))
        """The root position of the cluster of each record."""
        self._arxiv_ids = [{record.arxiv_id} - {""} for record in records]
        self._dois = [{record.doi} - {""} for record in records]

    def join(self, link: Link) -> bool:
        """Join the clusters of a link's records; return False if they contradict each other."""
        first, second = sorted((self.root[link.first], self.root[link.second]))
        if first == second:
            return True
        if not self._may_join(link.evidence, first, second):
            return False
        self._arxiv_ids[first] |= self._arxiv_ids[second]
        self._dois[first] |= self._dois[second]
        moved = self._members.pop(second)
        self._members[first] = sorted(self._members[first] + moved)
        for position in moved:
            self.root[position] = first
        return True

    def must_not_merge(self, first_index: int, second_index: int) -> bool:
        """Return whether a human verdict keeps the clusters of two records apart."""
        a, b = self._members[self.root[first_index]], self._members[self.root[second_index]]
        return bool(self._forbidden) and any((x, y) in self._forbidden for x in a for y in b)

    def groups(self) -> list[list[int]]:
        """Return the clusters, each sorted, in the order of their first positions."""
        return [self._members[root] for root in sorted(self._members)]

    def _may_join(self, evidence: Evidence, first_root: int, second_root: int) -> bool:
        """Return whether this evidence suffices to join two clusters (given by their roots)."""
        if self.must_not_merge(first_root, second_root):
            return False
        if evidence == Evidence.VERDICT:
            return True
        pairs = self._record_pairs(first_root, second_root)
        if evidence in (Evidence.ARXIV, Evidence.DOI) and _only_share_an_id(pairs):
            return False
        a, b = self._arxiv_ids[first_root], self._arxiv_ids[second_root]
        # One arXiv id is evidence enough: a preprint and its article have two DOIs.
        if a & b:
            return True
        if evidence == Evidence.TITLE and (
            self.are_different_works(first_root, second_root)
            or (
                _any_pair(compare.have_unrelated_abstracts, pairs)
                and not _any_pair(compare.have_same_abstract, pairs)
            )
        ):
            return False
        ids = ((a, b), (self._dois[first_root], self._dois[second_root]))
        conflict = any(x and y and x.isdisjoint(y) for x, y in ids)
        return not conflict or _any_pair(compare.have_same_text, pairs)

    def are_different_works(self, first_root: int, second_root: int) -> bool:
        """Return whether two clusters (given by roots) of one title are different works."""
        pairs = self._record_pairs(first_root, second_root)
        if not all(compare.are_one_work_with_bare_title(*pair, self._headings) for pair in pairs):
            return True
        if _any_pair(compare.contradict, pairs):
            return not _any_pair(compare.have_same_text, pairs)
        if _any_pair(compare.have_same_abstract, pairs):
            return False
        return _any_pair(compare.differ_in_numbers, pairs)

    def _record_pairs(self, *roots: int) -> list[_Pair]:
        """Return the pairs of records to compare between two clusters."""
        left, right = (
            [self._records[position] for position in self._members[root][:_MAX_COMPARED]]
            for root in roots
        )
        return [(a, b) for a in left for b in right]


_Pair = tuple[Paper, Paper]


def _any_pair(are_related: Callable[[Paper, Paper], bool], pairs: Sequence[_Pair]) -> bool:
    return any(are_related(*pair) for pair in pairs)


def _only_share_an_id(pairs: Sequence[_Pair]) -> bool:
    """Return whether two clusters have one id by mistake, such as a chapter that of its book."""
    if _any_pair(compare.have_similar_titles, pairs):
        return False
    if _any_pair(compare.is_chapter_of, [*pairs, *((b, a) for a, b in pairs)]):
        return True
    is_contradicted = _any_pair(compare.contradict, pairs)
    return is_contradicted and not _any_pair(compare.have_same_text, pairs)


def _refusal_notices(
    links: Sequence[Link], clusters: Clusters, records: Sequence[Paper]
) -> Iterator[Fault]:
    """Yield one notice per paper that resembles others but was kept apart, unless that is clear."""
    reported: set[int] = set()
    alike: dict[tuple[int, Evidence], list[Link]] = defaultdict(list)
    for link in links:
        first, second = sorted((clusters.root[link.first], clusters.root[link.second]))
        if first == second or second in reported or clusters.must_not_merge(first, second):
            continue
        if link.evidence != Evidence.TITLE or not clusters.are_different_works(first, second):
            reported.add(second)
            alike[first, link.evidence].append(link)
    for (_, evidence), found in alike.items():
        here, there = records[found[0].second], records[found[0].first]
        word = "near title" if evidence == Evidence.NEAR_TITLE else evidence.description
        by_title = evidence in (Evidence.TITLE, Evidence.NEAR_TITLE)
        doubt = "with different ids and text" if by_title else "in a paper that seems different"
        other = f"{display_value(there.title)}{_place_phrase(there)}"
        what = f"the {word} of {other} {doubt}{_count_of_others(found)}"
        hint = (
            "They were not merged. Add a row with 'same' or 'different' to taxonomy/identity.csv."
        )
        yield Fault(
            "notice", *_file_and_line(here), what, "the same ids in all records of a paper", hint
        )


def _first_faults(faults: Sequence[Fault]) -> list[Fault]:
    """Return the first faults; the last of them says how many more there are."""
    ordered = sort_faults(faults)
    first = ordered[:_MAX_DISAGREEMENTS]
    if len(first) < len(ordered):
        more = _count_of_others(ordered[len(first) - 1 :])
        first[-1] = replace(first[-1], actual=first[-1].actual + more)
    return first


def _count_of_others(items: Sequence[object]) -> str:
    """Return the end of a message that counts all but the first item; "" for one item."""
    return f", and {len(items) - 1:,} more like it" if len(items) > 1 else ""


def _with_known_id(paper: Paper, group: Sequence[Paper], identity: Identity) -> Paper:
    """Return `paper` with its id: from identity.csv, else from an earlier record, else a new id."""
    chosen = set(identity.same.values())
    names = {identity.resolve(known) for record in group for known in own_ids(record)}
    human = sorted(names & chosen)
    # Sorted, an arXiv id comes before a DOI, and the hash of a title is last.
    kept = sorted({record.id for record in group if record.id})
    return paper.with_id((human or kept or [mint_id(paper)])[0])


def _with_distinct_ids(papers: Sequence[Paper]) -> tuple[list[Paper], list[Fault]]:
    """Give each paper a distinct id: the first paper keeps a shared id, the others get new ids."""
    by_id: dict[str, Paper] = {}
    renamed: dict[str, list[Paper]] = defaultdict(list)
    for paper in papers:
        if paper.id in by_id:
            shared = paper.id
            paper = paper.with_id(next(new for new in _new_ids(paper) if new not in by_id))
            renamed[shared].append(paper)
        by_id[paper.id] = paper
    faults: list[Fault] = []
    for identity, others in renamed.items():
        holder = by_id[identity]
        holder_text = f"{display_value(holder.title)}{_place_phrase(holder)}"
        found = f"id {identity} of another paper, {holder_text}{_count_of_others(others)}"
        hint = f"This paper gets the id {others[0].id}."
        faults.append(Fault("notice", *_file_and_line(others[0]), found, "an id of its own", hint))
    return list(by_id.values()), faults


def _new_ids(paper: Paper) -> Iterator[str]:
    yield from (mint_id(paper), title_id(paper.title), *_distinguishing_ids(paper))
    text = f"{paper.title} {' '.join(paper.authors[:3])} {paper.published.year}"
    yield from (title_id(f"{text} {number}") for number in count(2))


def _distinguishing_ids(paper: Paper) -> tuple[str, str]:
    """Return ids that distinguish papers with the same title, and do not depend on other inputs."""
    text = f"{paper.title} {' '.join(paper.authors[:3])} {paper.published.year}"
    volume = f"{paper.detail('volume')} {paper.detail('issue')}"
    return title_id(text), title_id(f"{text} {volume}")


def _all_ids(records: Sequence[Paper], ids_of: Callable[[Paper], Iterable[str]]) -> set[str]:
    return {name for record in records for name in ids_of(record)}


def _aliases(
    papers: Sequence[Paper], members: Sequence[Sequence[Paper]], identity: Identity
) -> dict[str, str]:
    """Return the id of the paper for each alias, sorted by alias.

    An id that two papers share is not an alias. The id made from a title is an alias if one of the
    paper's records has no other id, because the paper had that id before.
    """
    ids = {paper.id for paper in papers}
    records = [(paper, *group) for paper, group in zip(papers, members, strict=True)]
    known = [_all_ids(group, known_ids) for group in records]
    own = [_all_ids(group, own_ids) for group in records]
    n_papers = Counter(name for names in known for name in names)
    apart: list[set[str]] = []
    for group, names in zip(records, known, strict=True):
        is_shared = any(n_papers[name] > 1 for name in names)
        apart.append(_all_ids(group, _distinguishing_ids) if is_shared else set())
    aliases: dict[str, str] = {}
    for of_papers in (apart, known, own):  # the strongest claim last
        n_papers = Counter(name for names in of_papers for name in names)
        for paper, names in zip(papers, of_papers, strict=True):
            for name in names:
                if n_papers[name] == 1 and name not in ids:
                    aliases[name] = paper.id
    for alias, target in identity.same.items():
        target = aliases.get(target, target)
        if target in ids and alias not in ids:
            aliases[alias] = target
    return dict(sorted(aliases.items()))


def combine_records(records: Sequence[Paper]) -> Paper:
    """Merge records of one paper (at least one) into a paper without an id.

    The order of the records does not matter. If values are equally complete, the first one in the
    order of the sources is kept.
    """
    records = sorted(records, key=record_order)
    kinds = ("none", "digest", "abstract")
    richest = max(records, key=lambda r: (kinds.index(r.abstract_kind), len(r.abstract)))
    dois = [record.doi for record in records]
    return Paper(
        title=_longest_title(records),
        abstract=richest.abstract,
        abstract_kind=richest.abstract_kind,
        authors=max((record.authors for record in records), key=len),
        author_count=_author_count(records),
        organisation=_first_value(record.organisation for record in records),
        # The most precise date, of equally precise ones the earliest.
        published=min((r.published for r in records), key=lambda p: (-len(p.date), p.date)),
        venue=_first_value(record.venue for record in records),
        arxiv_id=_most_common(record.arxiv_id for record in records),
        # The DOI of an archive counts only if there is no other.
        doi=_most_common(doi for doi in dois if not is_archive_doi(doi)) or _most_common(dois),
        url=_first_value(record.url for record in records),
        code_urls=_all_values(record.code_urls for record in records),
        comment_count=_largest_count(record.comment_count for record in records),
        keywords=_all_values(record.keywords for record in records),
        collections=_all_values(record.collections for record in records),
        reference=_most_complete_reference(records),
        retracted=_first_value(sorted(record.retracted for record in records if record.retracted)),
        sources=tuple(sorted({source for record in records for source in record.sources})),
    )


def record_order(record: Paper) -> tuple[object, ...]:
    """Return a sort key that depends only on the content of a record."""
    return tuple([(each.file, each.format, each.line) for each in record.sources]), repr(record)


def disagreements(records: Sequence[Paper], paper: Paper) -> Iterator[Fault]:
    """Yield a notice for each value that contradicts the value of the merged `paper`."""
    records = sorted(records, key=record_order)

    def are_near(date: str, kept_date: str) -> bool:
        return abs(int(date[:4]) - int(kept_date[:4])) <= _MAX_YEARS

    checks: tuple[tuple[str, Callable[[Paper], str], Callable[[str, str], bool]], ...] = (
        ("date", lambda p: p.published.date,
         are_near if _are_versions(records) else _is_prefix),
        ("arXiv id", lambda p: p.arxiv_id, eq),
        ("DOI", lambda p: p.doi, lambda doi, kept: doi == kept or is_archive_doi(doi)),
        ("title", lambda p: p.title, lambda title, kept: (
            are_similar_titles(title, kept) or _is_prefix(title_key(title), title_key(kept)))),
    )  # fmt: skip
    for word, value_of, agree in checks:
        kept = value_of(paper)
        keeper = next((record for record in records if value_of(record) == kept), records[0])
        firsts = {value: record for record in reversed(records) if (value := value_of(record))}
        for value, record in reversed(firsts.items()):
            if not agree(value, kept):
                kept_text = display_value(kept)
                found = f"{word} {display_value(value)} for a paper that has {kept_text}"
                found, hint = found + _place_phrase(keeper), f"{kept_text} was kept."
                yield Fault("notice", *_file_and_line(record), found, f"one {word}", hint)


def _file_and_line(record: Paper) -> tuple[str, int | None]:
    return (record.sources[0].file, record.sources[0].line) if record.sources else ("", None)


def _place_phrase(record: Paper) -> str:
    """Return the place of a record as the end of a phrase: ` at FILE:LINE`."""
    return f" at {record.sources[0]}" if record.sources else ""


def _is_prefix(value: str, kept_value: str) -> bool:
    """Return whether one value is the start of the other, such as 2025 and 2025-10."""
    return kept_value.startswith(value) or value.startswith(kept_value)


def _are_versions(records: Sequence[Paper]) -> bool:
    """Return whether the records are a preprint and its publication."""
    dois = {record.doi for record in records} - {""}
    published = any(not is_archive_doi(doi) for doi in dois) or any(r.venue for r in records)
    return published and any(record.arxiv_id or is_archive_doi(record.doi) for record in records)


def _longest_title(records: Sequence[Paper]) -> str:
    """Return the longest title; of equally long ones, not one in capitals, then the commonest."""
    times = Counter(record.title for record in records)
    return min(times, key=lambda text: (-len(title_key(text)), text.isupper(), -times[text], text))


def _author_count(records: Sequence[Paper]) -> int | None:
    """Return the number of authors; None if the longest list ends with “and others”."""
    counted = _largest_count(record.author_count for record in records)
    n_listed = max(len(record.authors) for record in records)
    return counted if counted is not None and counted >= n_listed else None


def _largest_count(counts: Iterable[int | None]) -> int | None:
    return max((count for count in counts if count is not None), default=None)


def _first_value(values: Iterable[str]) -> str:
    return next((value for value in values if value), "")


def _most_complete_reference(records: Sequence[Paper]) -> tuple[tuple[str, str], ...]:
    """Return the fullest reference of one record, with the cite key of any record."""
    fullest = max((record.reference for record in records), key=len)
    keys = [pair for record in records for pair in record.reference if pair[0] == "citation-key"]
    return tuple(sorted({**dict(keys[:1]), **dict(fullest)}.items()))


def _all_values(lists: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for values in lists for value in values))


def _most_common(values: Iterable[str]) -> str:
    """Return the most common value; of equally common values the smallest; "" if there is none."""
    times = Counter(value for value in values if value)
    return min(times, key=lambda value: (-times[value], value), default="")
