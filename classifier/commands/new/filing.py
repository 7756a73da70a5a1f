"""How papers were filed before: collections or keywords as a tree of two levels."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from pathlib import Path

from classifier.papers.paper import Paper
from classifier.taxonomy.model import spelling_key
from classifier.text.normalise import tokens

JOINER = " / "
LEVELS = 2
"""Topics and their children; deeper collections are filed under the child."""
MAX_TOPICS = 30
_MIN_PAPERS = 3
"""Papers of a topic or child; smaller ones are folded into "Other topics"."""
_SMALL_PROJECT = 12
"""With fewer papers in total a topic may have one paper."""
_FRAME_SHARE = 0.9
"""A heading above more of the papers than this is the list itself, not a topic."""
_MAX_TOPIC_SHARE = 0.6
"""A topic with more of the papers than this is replaced by its children."""
_MIN_KEYWORD_SHARE = 0.1
_MAX_KEYWORDS = 12
_MIN_KEYWORD_COVER = 0.4
"""Share of the papers that need a common keyword; with fewer the categories are drafted."""
_MAX_ACRONYM = 5
_MAX_OVERLAP = 0.85
"""A keyword is dropped if more of its papers than this also have one commoner keyword."""
_PAPERS_PER_KEYWORD = 5

_MONTHS = r"jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*"
# A heading that gives a date, not a topic.
_DATES = re.compile(
    rf"(?:[\W\d]|\b(?:{_MONTHS}|q[1-4]|papers?|for|of|the|in|from|to|week|month|year|top|ml|weekly"
    r"|daily|monthly|best|list|before|after|earlier|older|newer|and|v\d+|published|released)\b)*",
    re.IGNORECASE,
)
_REST = re.compile(
    r"(?:and )?(?:others?|other \w+|misc\w*|uncategori[sz]ed|unsorted|unfiled|general|more|various"
    r"|to ?(?:read|do)|inbox|new|rest|my library|further reading|其他|其它"
    # A reader's own state, such as "unread" or "starred".
    r"|(?:un|not )?(?:read|viewed|reviewed|seen|cited)|reading|skimmed|important|starred"
    r"|favou?rites?|includ\w*|exclud\w*|duplicates?)\W*",
    re.IGNORECASE,
)
# ADS puts the archive before a subject: "Astrophysics - Solar and Stellar Astrophysics".
_ARCHIVE = re.compile(r"[A-Z][a-z]+(?: [A-Za-z]+)* - (?=\w)")
_MESH_QUALIFIER = re.compile(r"(?<=\w)(?:/\*?[a-z][a-z]+(?: (?:& )?[a-z]+)*)+$")
"""Of MEDLINE: "Gulls/growth & development"."""
# An industry code or a subject class of ProQuest: "61131:Colleges", "Life And Earth--Bees".
_CODE = re.compile(r"\d{3,}:|[A-Z][\w ]+: [A-Z]|[\w ]+ And [\w ]+--[A-Z]")
_FILLERS = frozenset("and the of sources source resources resource".split())
"""Words that do not distinguish two names: "renewable energy" and "renewable energy sources"."""

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
    """Paper id -> its places in the source's order; () for a place that is no topic."""
    source: str
    """`collections` or `keywords`."""
    folded: tuple[str, ...] = ()
    """Topics that are too small, or too many, to become categories."""
    unused: tuple[str, ...] = ()
    """Keywords that several papers share and no category uses, the commonest first."""
    passed_over: tuple[str, ...] = ()
    """Names of several papers that no_topics.txt lists, the commonest first."""


def read_filing(papers: Sequence[Paper]) -> Filing | None:
    """Return how `papers` were filed, or None if neither collections nor keywords say.

    Collections (`Outer / Inner`) become topics and children. Without collections, a keyword becomes
    a topic if at least three papers and a tenth of all papers share it, provided that such topics
    cover enough of the papers.
    """
    by_collection = {
        paper.id: [part for text in paper.collections if (part := _place(text))] for paper in papers
    }
    filed = _filing(by_collection, papers, "collections")
    if filed:
        parts = [part for p in papers for text in p.collections for part in text.split(JOINER)]
        return replace(filed, passed_over=_passed_over(parts, no_topics()[0]))
    names = _keyword_names(papers)
    by_keyword = _by_keyword(names, papers)
    if sum(map(bool, by_keyword.values())) < _MIN_KEYWORD_COVER * len(papers):
        return None
    filed = _filing(by_keyword, papers, "keywords")
    if filed is None:
        return None
    count = Counter(name for each in names.values() for name in set(each))
    shared = sorted(_shared_by_some(count, len(papers)), key=lambda name: (-count[name], name))
    unused = tuple(name for name in map(as_heading, shared) if name not in filed.topics)
    words = [word for paper in papers for word in paper.keywords]
    return replace(filed, unused=unused, passed_over=_passed_over(words, no_topics()[1]))


@cache
def no_topics() -> tuple[frozenset[str], frozenset[str]]:
    """Return the keys of names that are never topics: in any source, and in keywords.

    The first has places, months and languages; the second also check tags, methods and kinds of
    publication.
    """
    both = _NO_TOPICS.read_text(encoding="utf-8").split(f"\n{_KEYWORDS_SECTION}", 1)
    everywhere, in_keywords = (
        frozenset(name_key(line) for line in part.splitlines()[1:] if line and line[0] != "#")
        for part in both
    )
    return everywhere, everywhere | in_keywords


def name_key(name: str) -> str:
    """Return a name without case, blanks and hyphens, to compare spellings.

    >>> name_key("Friction-stir-welding") == name_key("Friction stir welding"), name_key("C++")
    (True, 'c++')
    """
    folded = unicodedata.normalize("NFKD", name).casefold()
    return "".join(sign for sign in folded if sign.isalnum() or sign in "+#") or name


def near_key(name: str) -> str:
    """Return a key that near-equal names share: plurals, "&" and "and", "energy sources".

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
    """Return a keyword as the name of a category: with a capital, not in capitals.

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


def _passed_over(names: Iterable[str], no_topics: Collection[str]) -> tuple[str, ...]:
    headings = (name.partition("/")[0].strip() for name in names)
    count = Counter(heading for heading in headings if name_key(heading) in no_topics)
    spellings: dict[str, str] = {}
    for name, number in sorted(count.items(), key=lambda item: (-item[1], item[0])):
        if number >= _MIN_PAPERS:
            spellings.setdefault(name_key(name), name)
    return tuple(spellings.values())


def _filing(
    by_paper: Mapping[str, Sequence[Place]], papers: Sequence[Paper], source: str
) -> Filing | None:
    min_papers = _MIN_PAPERS if len(papers) >= _SMALL_PROJECT else 1
    by_paper = _without_frame(_one_spelling(by_paper))
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
    folded = tuple(top[0] for top in sizes if top not in kept and not _is_rest(top[0]))
    return Filing(topics, places, source, folded)


def _place(text: str) -> Place:
    """Return a collection as a place, without the parts that name no topic."""
    parts = (" ".join(part.replace("_", " ").split()) for part in text.split(JOINER))
    return tuple(
        part
        for part in parts
        if re.search(r"[^\W\d_]", part)
        and not _DATES.fullmatch(part[:200])
        and name_key(part) not in no_topics()[0]
    )


def _is_rest(part: str) -> bool:
    return bool(_REST.fullmatch(part))


def _one_spelling(by_paper: Mapping[str, Sequence[Place]]) -> dict[str, list[Place]]:
    """Give near-equal names the spelling that occurs first."""
    spellings: dict[str, str] = {}
    return {
        paper_id: [
            tuple(spellings.setdefault(near_key(part), part) for part in place) for place in places
        ]
        for paper_id, places in by_paper.items()
    }


def _without_frame(by_paper: dict[str, list[Place]]) -> dict[str, list[Place]]:
    """Remove headings above nearly all papers, and replace one above most by its children."""
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
        if not (sizes[top] > _FRAME_SHARE * n_filed or is_split):
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
    """Return paper id -> its commonest keywords as topics, those in its title first."""
    count = Counter(name for each in names.values() for name in each)
    shared = {
        name: count[name]
        for name in _shared_by_some(count, len(papers))
        if count[name] >= _MIN_KEYWORD_SHARE * len(papers) and not _is_in_most(name, papers)
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
    # A category that is the primary of no paper would be a section without papers.
    primaries = {own[0] for own in ordered.values() if own}
    return {
        paper_id: [(as_heading(name),) for name in own if name in primaries]
        for paper_id, own in ordered.items()
    }


def _is_in_most(name: str, papers: Sequence[Paper]) -> bool:
    """Return whether most papers contain a name, so that it separates nothing."""
    words = name.casefold().removesuffix("s")
    texts = (f"{each.title_display} {each.abstract_display}".casefold() for each in papers)
    return sum(words in text for text in texts) > _MAX_TOPIC_SHARE * len(papers)


def _shared_by_some(count: Mapping[str, int], n_papers: int) -> list[str]:
    """Return the keywords of several papers that are not, even in part, those of nearly all."""
    limit = _MAX_TOPIC_SHARE * n_papers
    frames = [set(name.lower().split()) for name in count if count[name] > limit]
    return [
        name
        for name, number in count.items()
        if _MIN_PAPERS <= number <= limit
        and not _is_rest(name)
        and not any(set(name.lower().split()) <= frame for frame in frames)
    ]


def _keyword_names(papers: Sequence[Paper]) -> dict[str, list[str]]:
    """Return paper id -> the keywords that name a subject, each in its commonest spelling."""
    keywords = {paper.id: [_subject(word) for word in paper.keywords] for paper in papers}
    count = Counter(word for words in keywords.values() for word in words)
    spellings: dict[str, str] = {}
    for word in sorted(count, key=lambda word: (-count[word], word)):
        spellings.setdefault(near_key(word), word)
    never = no_topics()[1]
    return {
        paper_id: [
            name
            for name in dict.fromkeys(spellings[near_key(word)] for word in words)
            if not {name_key(name), name_key(name.partition("/")[0])} & never
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
