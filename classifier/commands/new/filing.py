"""Read the filing of papers in their source: collections or keywords as a tree of two levels."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from pathlib import Path

from classifier.papers.paper import Paper
from classifier.taxonomy.model import spelling_key
from classifier.text.normalise import tokens

JOINER = " / "
LEVELS = 2
"""Number of levels: topics and their children. Deeper collections belong to the child."""
MAX_TOPICS = 30
_MIN_PAPERS = 3
"""Minimum number of papers of a topic or child; smaller topics are merged into "Other topics"."""
_SMALL_PROJECT = 12
"""Minimum number of papers in total for `_MIN_PAPERS`; below it, a topic may have one paper."""
_ROOT_SHARE = 0.9
"""Share of the papers above which a heading is that of the whole list, not a topic."""
_MAX_TOPIC_SHARE = 0.6
"""Share of the papers above which a topic is replaced by its children."""
_MIN_KEYWORD_SHARE = 0.1
_MAX_KEYWORDS = 12
_MIN_KEYWORD_COVER = 0.4
"""Minimum share of papers with a shared keyword; below it, the categories are drafted."""
_MAX_ACRONYM = 5
_MAX_OVERLAP = 0.85
"""Maximum share of a keyword's papers that have one more frequent keyword, too."""
_PAPERS_PER_KEYWORD = 5

_MONTHS = r"jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*"
# A heading that is a date and not a topic.
_DATES = re.compile(
    rf"(?:[\W\d]|\b(?:{_MONTHS}|q[1-4]|papers?|for|of|the|in|from|to|week|month|year|top|ml|weekly"
    r"|daily|monthly|best|list|before|after|earlier|older|newer|and|v\d+|published|released)\b)*",
    re.IGNORECASE,
)
_REST = re.compile(
    r"(?:and )?(?:others?|other \w+|misc\w*|uncategori[sz]ed|unsorted|unfiled|general|more|various"
    r"|to ?(?:read|do)|inbox|new|rest|my library|further reading|其他|其它"
    # The state of a paper for its reader, such as "unread" or "starred".
    r"|(?:un|not )?(?:read|viewed|reviewed|seen|cited)|reading|skimmed|important|starred"
    r"|favou?rites?|includ\w*|exclud\w*|duplicates?)\W*",
    re.IGNORECASE,
)
# ADS writes the archive before a subject: "Astrophysics - Solar and Stellar Astrophysics".
_ARCHIVE = re.compile(r"[A-Z][a-z]+(?: [A-Za-z]+)* - (?=\w)")
_MESH_QUALIFIER = re.compile(r"(?<=\w)(?:/\*?[a-z][a-z]+(?: (?:& )?[a-z]+)*)+$")
"""Qualifiers of MEDLINE: "Gulls/growth & development"."""
# An industry code or a subject class of ProQuest: "61131:Colleges", "Life And Earth--Bees".
_CODE = re.compile(r"\d{3,}:|[A-Z][\w ]+: [A-Z]|[\w ]+ And [\w ]+--[A-Z]")
_FILLERS = frozenset("and the of sources source resources resource".split())
"""Words that are ignored in names: "renewable energy" equals "renewable energy sources"."""

_NO_TOPICS = Path(__file__).with_name("no_topics.txt")
_KEYWORDS_SECTION = "## "

Place = tuple[str, ...]
"""A topic, or a topic and its child, by name."""


@dataclass(frozen=True, slots=True)
class Filing:
    """A tree of topics and the papers filed there."""

    topics: Mapping[str, tuple[str, ...]]
    """Topic -> its children, in the order of their first use."""
    places: Mapping[str, tuple[Place, ...]]
    """Paper id -> its places in the source's order; () if none of them is a topic."""
    source: str
    """`collections` or `keywords`."""
    merged: tuple[str, ...] = ()
    """Topics that do not become categories: they have too few papers, or are too many."""
    unused: tuple[str, ...] = ()
    """Keywords of several papers that do not become categories, the most frequent first."""


def read_filing(papers: Sequence[Paper]) -> Filing | None:
    """Group `papers` into topics by collections or else keywords; return None without either.

    Collections (`Outer / Inner`) become topics and children. Without collections, a keyword becomes
    a topic if at least three papers and a tenth of all papers have it, provided that such topics
    cover enough of the papers.
    """
    by_collection = {
        paper.id: [part for text in paper.collections if (part := _place(text))] for paper in papers
    }
    if filed := _filing(by_collection, papers, "collections"):
        return filed
    names = _subject_keywords(papers)
    by_keyword = _by_keyword(names, papers)
    if sum(map(bool, by_keyword.values())) < _MIN_KEYWORD_COVER * len(papers):
        return None
    filed = _filing(by_keyword, papers, "keywords")
    if filed is None:
        return None
    counts = Counter(name for each in names.values() for name in set(each))
    shared = sorted(_shared_keywords(counts, len(papers)), key=lambda name: (-counts[name], name))
    unused = tuple(name for name in map(as_heading, shared) if name not in filed.topics)
    return replace(filed, unused=unused)


@cache
def no_topics() -> tuple[frozenset[str], frozenset[str]]:
    """Return the keys of names that are never topics: those in any source, and those in keywords.

    The first set has places, months and languages. The second also has check tags, methods and
    kinds of publication.
    """
    both = _NO_TOPICS.read_text(encoding="utf-8").split(f"\n{_KEYWORDS_SECTION}", 1)
    everywhere, in_keywords = (
        frozenset(name_key(line) for line in part.splitlines()[1:] if line and line[0] != "#")
        for part in both
    )
    return everywhere, everywhere | in_keywords


def name_key(name: str) -> str:
    """Return a key that is equal for spellings of a name: without case, blanks and hyphens.

    >>> name_key("Friction-stir-welding") == name_key("Friction stir welding"), name_key("C++")
    (True, 'c++')
    """
    folded = unicodedata.normalize("NFKD", name).casefold()
    return "".join(char for char in folded if char.isalnum() or char in "+#") or name


def near_key(name: str) -> str:
    """Return a key that is equal for similar names: plurals, "&" and "and", "energy sources".

    >>> near_key("Renewable energies") == near_key("Renewable energy resources")
    True
    >>> near_key("Mood & anxiety") == near_key("Mood and anxiety"), near_key("C++") == near_key("C")
    (True, False)
    """
    words = tokens(name)
    if "+" in name or "#" in name or not words:
        return name_key(name)
    kept = [word for word in words if word not in _FILLERS]
    return name_key("".join(map(_singular, kept if len(kept) > 1 else words)))


def as_heading(keyword: str) -> str:
    """Return a keyword as the name of a category: only the first letter is a capital.

    >>> as_heading("rye"), as_heading("ROUGH SETS"), as_heading("PTSD")
    ('Rye', 'Rough sets', 'PTSD')
    >>> as_heading("Economics--Management"), as_heading("Moral-philosophy -")
    ('Economics: Management', 'Moral-philosophy')
    """
    keyword = re.sub(r"--[A-Z&]+$", "", keyword).replace("--", ": ").strip(" -–—:;,.*/")
    if keyword.isupper() and len(keyword) > _MAX_ACRONYM:
        keyword = keyword.lower()
    return keyword[:1].upper() + keyword[1:]


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if re.search(r"[^sui]s$", word) and len(word) > 3 else word


def _filing(
    by_paper: Mapping[str, Sequence[Place]], papers: Sequence[Paper], source: str
) -> Filing | None:
    """Return the filing by the places of each paper; None without two topics of enough papers."""
    min_papers = _MIN_PAPERS if len(papers) >= _SMALL_PROJECT else 1
    by_paper = _without_root(_unify_spelling(by_paper))
    sizes = Counter(_distinct(by_paper, 1))
    large = [top for top, size in sizes.items() if size >= min_papers and not _is_rest(top[0])]
    kept = set(sorted(large, key=lambda top: (-sizes[top], top))[:MAX_TOPICS])
    if len(kept) < 2:
        return None
    below = Counter(_distinct(by_paper, LEVELS))
    children = {
        place for place, size in below.items() if len(place) == LEVELS and size >= min_papers
    }
    places: dict[str, tuple[Place, ...]] = {}
    for paper_id, filed in by_paper.items():
        if filed:
            cut = [p[:LEVELS] if p[:LEVELS] in children else p[:1] for p in filed if p[:1] in kept]
            places[paper_id] = tuple(dict.fromkeys(cut))
    topics = {
        top[0]: tuple(place[1] for place in below if place in children and place[:1] == top)
        for top in sizes
        if top in kept
    }
    merged = tuple(top[0] for top in sizes if top not in kept and not _is_rest(top[0]))
    return Filing(topics, places, source, merged)


def _place(text: str) -> Place:
    """Return a collection as a place, without the parts that are not topics."""
    parts = (" ".join(part.replace("_", " ").split()) for part in text.split(JOINER))
    return tuple(
        part
        for part in parts
        if re.search(r"[^\W\d_]", part)
        and not _DATES.fullmatch(part[:200])
        and name_key(part) not in no_topics()[0]
    )


def _is_rest(part: str) -> bool:
    """Return whether a heading is for papers without a topic, such as "Other" or "To read"."""
    return bool(_REST.fullmatch(part))


def _unify_spelling(by_paper: Mapping[str, Sequence[Place]]) -> dict[str, list[Place]]:
    spellings: dict[str, str] = {}
    return {
        paper_id: [
            tuple(spellings.setdefault(near_key(part), part) for part in place) for place in places
        ]
        for paper_id, places in by_paper.items()
    }


def _without_root(by_paper: dict[str, list[Place]]) -> dict[str, list[Place]]:
    """Return the places without the headings that nearly all papers share.

    The children of such a heading take its place.
    """
    n_filed = sum(1 for places in by_paper.values() if places)
    for _ in range(LEVELS * 4):
        sizes = Counter(_distinct(by_paper, 1))
        if not sizes:
            break
        top = max(sizes, key=lambda place: sizes[place])
        children = {
            p[1] for places in by_paper.values() for p in places if p[:1] == top and len(p) > 1
        }
        is_split = sizes[top] > _MAX_TOPIC_SHARE * n_filed and len(children) > 1
        if not (sizes[top] > _ROOT_SHARE * n_filed or is_split):
            break
        by_paper = {
            paper_id: [rest for p in places if (rest := p[1:] if p[:1] == top else p)]
            for paper_id, places in by_paper.items()
        }
    return by_paper


def _distinct(by_paper: Mapping[str, Sequence[Place]], levels: int) -> Iterable[Place]:
    """Yield the places of each paper, cut to `levels`, without duplicates."""
    for places in by_paper.values():
        yield from dict.fromkeys(place[:levels] for place in places if place)


def _by_keyword(
    names: Mapping[str, Sequence[str]], papers: Sequence[Paper]
) -> dict[str, list[Place]]:
    """Return paper id -> its most frequent keywords as topics, those in its title first."""
    counts = Counter(name for each in names.values() for name in each)
    shared = {
        name: counts[name]
        for name in _shared_keywords(counts, len(papers))
        if counts[name] >= _MIN_KEYWORD_SHARE * len(papers) and not _is_ubiquitous(name, papers)
    }
    n_topics = min(_MAX_KEYWORDS, max(_MIN_PAPERS, len(papers) // _PAPERS_PER_KEYWORD))
    kept = set(sorted(shared, key=lambda name: (-shared[name], name))[:n_topics])
    has = {name: {paper_id for paper_id, each in names.items() if name in each} for name in kept}
    kept -= {
        one
        for one, other in permutations(has, 2)
        if len(has[one]) < len(has[other])
        and len(has[one] & has[other]) > _MAX_OVERLAP * len(has[one])
    }
    titles = {paper.id: spelling_key(paper.title_display) for paper in papers}
    ordered: dict[str, list[str]] = {}
    for paper_id, each in names.items():
        own = [name for name in each if name in kept]
        title = titles[paper_id]
        ordered[paper_id] = sorted(own, key=lambda name: spelling_key(name) not in title)
    # A category that is not the primary of any paper would be an empty section.
    primaries = {own[0] for own in ordered.values() if own}
    return {
        paper_id: [(as_heading(name),) for name in own if name in primaries]
        for paper_id, own in ordered.items()
    }


def _is_ubiquitous(name: str, papers: Sequence[Paper]) -> bool:
    """Return whether most papers contain a name, so that it does not separate them."""
    words = name.casefold().removesuffix("s")
    texts = (f"{each.title_display} {each.abstract_display}".casefold() for each in papers)
    return sum(words in text for text in texts) > _MAX_TOPIC_SHARE * len(papers)


def _shared_keywords(counts: Mapping[str, int], n_papers: int) -> list[str]:
    """Return the keywords of several papers, without keywords of most papers and parts of these."""
    limit = _MAX_TOPIC_SHARE * n_papers
    ubiquitous = [set(name.lower().split()) for name in counts if counts[name] > limit]
    return [
        name
        for name, number in counts.items()
        if _MIN_PAPERS <= number <= limit
        and not _is_rest(name)
        and not any(set(name.lower().split()) <= words for words in ubiquitous)
    ]


def _subject_keywords(papers: Sequence[Paper]) -> dict[str, list[str]]:
    """Return paper id -> the keywords that are subjects, each in its most frequent spelling."""
    keywords = {paper.id: [_subject(word) for word in paper.keywords] for paper in papers}
    counts = Counter(word for words in keywords.values() for word in words)
    spellings: dict[str, str] = {}
    for word in sorted(counts, key=lambda word: (-counts[word], word)):
        spellings.setdefault(near_key(word), word)
    non_topics = no_topics()[1]
    return {
        paper_id: [
            name
            for name in dict.fromkeys(spellings[near_key(word)] for word in words)
            if not {name_key(name), name_key(name.partition("/")[0])} & non_topics
            and _place(name)
            and not _CODE.match(name)
        ]
        for paper_id, words in keywords.items()
    }


def _subject(keyword: str) -> str:
    """Return a keyword without archive, star and qualifiers of MEDLINE.

    >>> _subject("Astrophysics - Astrophysics of Galaxies"), _subject("*Gulls/growth & development")
    ('Astrophysics of Galaxies', 'Gulls')
    """
    keyword = " ".join(keyword.split()).lstrip("*")
    archive = _ARCHIVE.match(keyword)
    return _MESH_QUALIFIER.sub("", keyword[archive.end() :] if archive else keyword)
