"""Where people filed papers before, as a tree of two levels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from classifier.papers.paper import Paper
from classifier.taxonomy.model import spelling_key

JOINER = " / "
LEVELS = 2
"""Topics and their children; what was filed deeper is filed under the child."""
MOST_TOPICS = 30
_FEWEST = 3
"""Papers of a topic, or child, of its own; smaller ones are folded."""
_FEW_PAPERS = 12
"""Of fewer papers in all a topic may have one."""
_ALL = 0.9
"""A heading above more of the papers than this tells nothing: it is the list itself."""
_MOST_OF_ALL = 0.6
"""A topic above more than this, with parts, is taken as its parts."""
_KEYWORD_SHARE = 0.1
_MOST_KEYWORDS = 12
_KEYWORD_COVER = 0.4
"""Papers that must have one of the keywords; else groups by shared words tell more."""
_LONGEST_ACRONYM = 5
_PAPERS_A_KEYWORD = 5
"""Of few papers as many keywords are topics; more would file nearly each by itself."""

_MONTHS = r"jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*"
# A heading that says when, not what.
_DATES = re.compile(
    rf"(?:[\W\d]|\b(?:{_MONTHS}|q[1-4]|papers?|for|of|the|in|from|to|week|month|year|top|ml|weekly"
    r"|daily|monthly|best|list|before|after|earlier|older|newer|and|v\d+|published|released)\b)*",
    re.IGNORECASE,
)
_REST = re.compile(
    r"(?:and )?(?:others?|other \w+|misc\w*|uncategori[sz]ed|unsorted|unfiled|general|more|various"
    r"|to ?(?:read|do)|inbox|new|rest|my library|further reading|其他|其它"
    # What a reader did, or means to do, with a paper.
    r"|(?:un|not )?(?:read|viewed|reviewed|seen|cited)|reading|skimmed|important|starred"
    r"|favou?rites?|includ\w*|exclud\w*|duplicates?)\W*",
    re.IGNORECASE,
)
# What indexers give to papers of any subject: MEDLINE's check tags, IEEE's index terms.
_ANY_SUBJECT = frozenset(
    word.strip()
    for word in """
    accuracy | adaptation models | adolescent | adult | aged | aged, 80 and over | analytical
    models | animals | article | benchmark testing | case report | case reports | child | child,
    preschool | complexity theory | computational modeling | current | data mining | data models
    | feature extraction | female | follow-up studies | human | humans | infant | infant,
    newborn | internet | male | mice | middle aged | optimization | predictive models |
    pregnancy | prospective studies | rats | real-time systems | reliability | research |
    research laboratories | retrospective studies | review | reviews | risk factors | robustness
    | state of the art | studies | surveys | surveys and questionnaires | systematic review |
    task analysis | time factors | training | training data | treatment outcome | visualization
    | young adult
    """.split("|")
)
_LIBRARY_CLASS = re.compile(
    r"(?:computer science|physics|mathematics|statistics) - (?=\w)", re.IGNORECASE
)

Place = tuple[str, ...]
"""A topic, or a topic and its child, as people named them."""


@dataclass(frozen=True, slots=True)
class Filing:
    """A tree of topics, and who was filed where."""

    topics: Mapping[str, tuple[str, ...]]
    """Topic -> its children, in the order in which they first occur."""
    places: Mapping[str, tuple[Place, ...]]
    """Paper id -> where it was filed, the first place first; () under what is no topic."""
    source: str
    """What it was read from: `collections` or `keywords`."""
    folded: tuple[str, ...] = ()
    """Topics too small, or too many, to be categories of their own."""
    unused: tuple[str, ...] = ()
    """Keywords of which no category was made though several papers share them, the commonest
    first."""


def read_filing(papers: Sequence[Paper]) -> Filing | None:
    """Return how `papers` were filed; None where neither collections nor keywords tell it.

    Collections (`Outer / Inner`) are topics and children. Without them a keyword is a topic that
    at least three papers and a tenth of all share, where such topics cover enough of the papers.
    """
    by_collection = {
        paper.id: [part for text in paper.collections if (part := _place(text))] for paper in papers
    }
    filed = _filing(by_collection, papers, "collections")
    if filed:
        return filed
    by_keyword = _by_keyword(papers)
    if sum(map(bool, by_keyword.values())) < _KEYWORD_COVER * len(papers):
        return None
    filed = _filing(by_keyword, papers, "keywords")
    return filed and replace(filed, unused=_unused_keywords(papers, filed))


def _filing(
    by_paper: Mapping[str, Sequence[Place]], papers: Sequence[Paper], source: str
) -> Filing | None:
    fewest = _FEWEST if len(papers) >= _FEW_PAPERS else 1
    by_paper = _without_frame(_one_spelling(by_paper))
    sizes = _sizes(place[:1] for place in _distinct(by_paper, 1))
    large = [top for top, size in sizes.items() if size >= fewest and not _is_rest(top[0])]
    kept = set(sorted(large, key=lambda top: (-sizes[top], top))[:MOST_TOPICS])
    if len(kept) < 2:
        return None
    below = _sizes(_distinct(by_paper, LEVELS))
    children = {place for place, size in below.items() if len(place) == LEVELS and size >= fewest}
    places = {
        paper_id: tuple(
            dict.fromkeys(
                place[:LEVELS] if place[:LEVELS] in children else place[:1]
                for place in filed
                if place[:1] in kept
            )
        )
        for paper_id, filed in by_paper.items()
        if filed
    }
    topics = {
        top[0]: tuple(place[1] for place in below if place in children and place[:1] == top)
        for top in sizes
        if top in kept
    }
    folded = tuple(top[0] for top in sizes if top not in kept and not _is_rest(top[0]))
    return Filing(topics, places, source, folded)


def _place(text: str) -> Place:
    """Return a collection as a place, without the parts that name no topic."""
    parts = (" ".join(part.split()) for part in text.split(JOINER))
    return tuple(part for part in parts if re.search(r"[^\W\d_]", part) and not _is_date(part))


def _is_date(part: str) -> bool:
    return bool(_DATES.fullmatch(part[:200]))


def _is_rest(part: str) -> bool:
    return bool(_REST.fullmatch(part))


def _one_spelling(by_paper: Mapping[str, Sequence[Place]]) -> dict[str, list[Place]]:
    """Give names that differ in case only the spelling that comes first."""
    spellings: dict[str, str] = {}
    return {
        paper_id: [
            tuple(spellings.setdefault(spelling_key(part), part) for part in place)
            for place in places
        ]
        for paper_id, places in by_paper.items()
    }


def _without_frame(by_paper: dict[str, list[Place]]) -> dict[str, list[Place]]:
    """Take off the headings that are above nearly everything, and part the one above most."""
    filed = sum(1 for places in by_paper.values() if places)
    for _ in range(LEVELS * 4):
        sizes = _sizes(_distinct(by_paper, 1))
        if not sizes:
            break
        top = max(sizes, key=lambda place: sizes[place])
        parts = {
            p[1] for places in by_paper.values() for p in places if p[:1] == top and len(p) > 1
        }
        frames = sizes[top] > _ALL * filed or (sizes[top] > _MOST_OF_ALL * filed and len(parts) > 1)
        if not frames:
            break
        by_paper = {
            paper_id: [rest for p in places if (rest := p[1:] if p[:1] == top else p)]
            for paper_id, places in by_paper.items()
        }
    return by_paper


def _distinct(by_paper: Mapping[str, Sequence[Place]], levels: int) -> Iterable[Place]:
    """Yield each place, cut to `levels`, once a paper."""
    for places in by_paper.values():
        yield from dict.fromkeys(place[:levels] for place in places if place)


def _sizes(places: Iterable[Place]) -> dict[Place, int]:
    return dict(Counter(places))


def _by_keyword(papers: Sequence[Paper]) -> dict[str, list[Place]]:
    """Return paper id -> its keywords that many papers share, each as a topic.

    Those that the title names come first: they are what the paper is about.
    """
    own = _keyword_names(papers)
    count = Counter(name for names in own.values() for name in names)
    shared = {
        name: number
        for name, number in count.items()
        if _FEWEST <= number <= _MOST_OF_ALL * len(papers)
        and number >= _KEYWORD_SHARE * len(papers)
        and not _is_rest(name)
    }
    most = min(_MOST_KEYWORDS, max(_FEWEST, len(papers) // _PAPERS_A_KEYWORD))
    kept = set(sorted(shared, key=lambda name: (-shared[name], name))[:most])
    titles = {paper.id: spelling_key(paper.title_display) for paper in papers}
    return {
        paper_id: [
            (_as_heading(name),)
            for name in sorted(names, key=lambda name: spelling_key(name) not in titles[paper_id])
            if name in kept
        ]
        for paper_id, names in own.items()
    }


def _unused_keywords(papers: Sequence[Paper], filing: Filing) -> tuple[str, ...]:
    count = Counter(name for names in _keyword_names(papers).values() for name in set(names))
    most = _MOST_OF_ALL * len(papers)
    shared = [name for name in count if _FEWEST <= count[name] <= most and not _is_rest(name)]
    shared.sort(key=lambda name: (-count[name], name))
    return tuple(name for name in map(_as_heading, shared) if name not in filing.topics)


def _as_heading(keyword: str) -> str:
    """Return a keyword with a capital; what is shouted in long words is written small.

    >>> _as_heading("rye"), _as_heading("ROUGH SETS"), _as_heading("PTSD")
    ('Rye', 'Rough sets', 'PTSD')
    """
    if keyword.isupper() and len(keyword) > _LONGEST_ACRONYM:
        keyword = keyword.lower()
    return keyword[:1].upper() + keyword[1:]


def _keyword_names(papers: Sequence[Paper]) -> dict[str, list[str]]:
    """Return paper id -> its keywords, in their commonest spelling, without those of any subject.

    A heading of MEDLINE counts without its qualifiers where it also stands alone.
    """
    found = {
        paper.id: [_LIBRARY_CLASS.sub("", " ".join(word.split())) for word in paper.keywords]
        for paper in papers
    }
    spelled = Counter(word for words in found.values() for word in words)
    common: dict[str, str] = {}
    for word in sorted(spelled, key=lambda word: (-spelled[word], word)):
        common.setdefault(spelling_key(word), word)

    def name(word: str) -> str:
        heading = spelling_key(word.partition("/")[0])
        return common[heading if heading in common else spelling_key(word)]

    return {
        paper_id: [
            one
            for one in dict.fromkeys(map(name, words))
            if spelling_key(one) not in _ANY_SUBJECT and _place(one)
        ]
        for paper_id, words in found.items()
    }
