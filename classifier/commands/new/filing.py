"""Where people filed papers before, as a tree of two levels."""

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
_WITHIN = 0.85
"""A keyword of which more papers have a commoner one is not told from it."""
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
_LIBRARY_CLASS = re.compile(r"(?i)(?:computer science|physics|mathematics|statistics) - (?=\w)")

_NO_TOPICS = Path(__file__).with_name("no_topics.txt")
_OF_KEYWORDS = "## "

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
    passed_over: tuple[str, ...] = ()
    """Names of several papers that no_topics.txt lists, the commonest first."""


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
        parts = [part for p in papers for text in p.collections for part in text.split(JOINER)]
        return replace(filed, passed_over=_passed_over(parts, no_topics()[0]))
    by_keyword = _by_keyword(papers)
    if sum(map(bool, by_keyword.values())) < _KEYWORD_COVER * len(papers):
        return None
    filed = _filing(by_keyword, papers, "keywords")
    if filed is None:
        return None
    count = Counter(name for names in _keyword_names(papers).values() for name in set(names))
    shared = sorted(_shared_by_some(count, len(papers)), key=lambda name: (-count[name], name))
    unused = tuple(name for name in map(_as_heading, shared) if name not in filed.topics)
    words = [word for paper in papers for word in paper.keywords]
    return replace(filed, unused=unused, passed_over=_passed_over(words, no_topics()[1]))


@cache
def no_topics() -> tuple[frozenset[str], frozenset[str]]:
    """Return the keys of the names in no_topics.txt, which are no subject.

    First those of any source: places, months, years; then those of keywords, kinds of publication
    among them.
    """
    both = _NO_TOPICS.read_text(encoding="utf-8").split(f"\n{_OF_KEYWORDS}", 1)
    everywhere, of_keywords = (
        frozenset(name_key(line) for line in part.splitlines()[1:] if line and line[0] != "#")
        for part in both
    )
    return everywhere, everywhere | of_keywords


def _passed_over(names: Iterable[str], no_topics: Collection[str]) -> tuple[str, ...]:
    count = Counter(
        heading
        for name in names
        if name_key(heading := name.partition("/")[0].strip()) in no_topics
    )
    spellings: dict[str, str] = {}
    for name, number in sorted(count.items(), key=lambda item: (-item[1], item[0])):
        if number >= _FEWEST:
            spellings.setdefault(name_key(name), name)
    return tuple(spellings.values())


def name_key(name: str) -> str:
    """Return what spellings of one name share: letters and digits, case, blanks, hyphens aside.

    >>> name_key("Friction-stir-welding") == name_key("Friction stir welding"), name_key("C++")
    (True, 'c++')
    """
    folded = unicodedata.normalize("NFKD", name).casefold()
    return "".join(sign for sign in folded if sign.isalnum() or sign in "+#") or name


def _filing(
    by_paper: Mapping[str, Sequence[Place]], papers: Sequence[Paper], source: str
) -> Filing | None:
    fewest = _FEWEST if len(papers) >= _FEW_PAPERS else 1
    by_paper = _without_frame(_one_spelling(by_paper))
    sizes = Counter(_distinct(by_paper, 1))
    large = [top for top, size in sizes.items() if size >= fewest and not _is_rest(top[0])]
    kept = set(sorted(large, key=lambda top: (-sizes[top], top))[:MOST_TOPICS])
    if len(kept) < 2:
        return None
    below = Counter(_distinct(by_paper, LEVELS))
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
    """Give names that differ in case, blanks and hyphens only the spelling that comes first."""
    spellings: dict[str, str] = {}
    return {
        paper_id: [
            tuple(spellings.setdefault(name_key(part), part) for part in place) for place in places
        ]
        for paper_id, places in by_paper.items()
    }


def _without_frame(by_paper: dict[str, list[Place]]) -> dict[str, list[Place]]:
    """Take off the headings that are above nearly everything, and part the one above most."""
    filed = sum(1 for places in by_paper.values() if places)
    for _ in range(LEVELS * 4):
        sizes = Counter(_distinct(by_paper, 1))
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


def _by_keyword(papers: Sequence[Paper]) -> dict[str, list[Place]]:
    """Return paper id -> its keywords that many papers share, each as a topic.

    Those that the title names come first: they are what the paper is about.
    """
    own = _keyword_names(papers)
    count = Counter(name for names in own.values() for name in names)
    shared = {
        name: count[name]
        for name in _shared_by_some(count, len(papers))
        if count[name] >= _KEYWORD_SHARE * len(papers) and not is_what_all_are_about(name, papers)
    }
    most = min(_MOST_KEYWORDS, max(_FEWEST, len(papers) // _PAPERS_A_KEYWORD))
    kept = set(sorted(shared, key=lambda name: (-shared[name], name))[:most])
    has = {name: {paper_id for paper_id, names in own.items() if name in names} for name in kept}
    kept -= {
        one
        for one, other in permutations(has, 2)
        if len(has[one]) < len(has[other]) and len(has[one] & has[other]) > _WITHIN * len(has[one])
    }
    titles = {paper.id: spelling_key(paper.title_display) for paper in papers}
    ordered = {
        paper_id: [
            name
            for name in sorted(names, key=lambda name: spelling_key(name) not in titles[paper_id])
            if name in kept
        ]
        for paper_id, names in own.items()
    }
    # A category that is the first of no paper would be a section without any.
    firsts = {names[0] for names in ordered.values() if names}
    return {
        paper_id: [(_as_heading(name),) for name in names if name in firsts]
        for paper_id, names in ordered.items()
    }


def is_what_all_are_about(name: str, papers: Sequence[Paper]) -> bool:
    """Say whether most papers speak of what a name says: then it parts nothing."""
    words = name.casefold().removesuffix("s")
    texts = (f"{each.title_display} {each.abstract_display}".casefold() for each in papers)
    return sum(words in text for text in texts) > _MOST_OF_ALL * len(papers)


def _shared_by_some(count: Mapping[str, int], papers: int) -> list[str]:
    """Return the keywords that some papers share, but those that nearly all have, whole or not."""
    most = _MOST_OF_ALL * papers
    frames = [set(name.lower().split()) for name in count if count[name] > most]
    return [
        name
        for name, number in count.items()
        if _FEWEST <= number <= most
        and not _is_rest(name)
        and not any(set(name.lower().split()) <= frame for frame in frames)
    ]


_TURNED_ROUND = re.compile(
    r"([A-Z][a-z]+(?: [A-Z][a-z]+)?), "
    r"((?:[A-Z][\w-]+ )?[A-Z][a-z]+(?:ive|al|ic|ary|ous|ed|ing|able|ible|ent|ant|ine|ile|iac|ar))"
)
_QUALIFIED = re.compile(
    r"(?<=\w)/(?:\*?(?:administration & dosage|adverse effects|analysis|blood|chemistry"
    r"|complications|diagnos(?:is|tic imaging)|drug therapy|economics|epidemiology"
    r"|etiology|genetics|immunology"
    r"|instrumentation|isolation & purification|metabolism|methods|microbiology|mortality"
    r"|organization & administration|pathology|pharmacology|physiology|physiopathology"
    r"|prevention & control|psychology|radiotherapy|rehabilitation|standards"
    r"|statistics & numerical data|surgery|therap(?:y|eutic use)|transmission|trends|virology)"
    r"(?:/|$))+$"
)
_CODE = re.compile(r"\d{3,}:|[A-Z][\w ]+: [A-Z]|[\w ]+ And [\w ]+--[A-Z]")
"""An industry or a subject class of ProQuest: “61131:Colleges …”, “Life And Earth--Bees”."""


def _as_heading(keyword: str) -> str:
    """Return a keyword with a capital; what is shouted in long words is written small.

    A heading of MEDLINE that was turned round for an index is turned back.

    >>> _as_heading("rye"), _as_heading("ROUGH SETS"), _as_heading("PTSD")
    ('Rye', 'Rough sets', 'PTSD')
    >>> _as_heading("Behavior, Addictive"), _as_heading("Health, Education")
    ('Addictive behavior', 'Health, Education')
    >>> _as_heading("Tomography, X-Ray Computed"), _as_heading("Economics--Management")
    ('X-ray computed tomography', 'Economics: Management')
    >>> _as_heading("Research & development--R&D")
    'Research & development'
    """
    keyword = re.sub(r"--[A-Z&]+$", "", keyword).replace("--", ": ")
    if turned := _TURNED_ROUND.fullmatch(keyword):
        keyword = f"{turned[2].capitalize()} {turned[1].lower()}"
    if keyword.isupper() and len(keyword) > _LONGEST_ACRONYM:
        keyword = keyword.lower()
    return keyword[:1].upper() + keyword[1:]


def _keyword_names(papers: Sequence[Paper]) -> dict[str, list[str]]:
    """Return paper id -> its keywords, in their commonest spelling, without those of any subject.

    A heading of MEDLINE counts without its qualifiers.
    """
    found = {
        paper.id: [_LIBRARY_CLASS.sub("", " ".join(word.split())) for word in paper.keywords]
        for paper in papers
    }
    spelled = Counter(word for words in found.values() for word in words)
    common: dict[str, str] = {}

    def singular(word: str) -> str:
        return name_key(word).removesuffix("s")

    for word in sorted(spelled, key=lambda word: (-spelled[word], word)):
        common.setdefault(singular(word), word)

    passed_over = no_topics()[1]

    def name(word: str) -> str:
        heading = _QUALIFIED.sub("", word)
        return common.get(singular(heading), heading)

    return {
        paper_id: [
            one
            for one in dict.fromkeys(map(name, words))
            if not {name_key(one), name_key(one.partition("/")[0])} & passed_over
            and _place(one)
            and not _CODE.match(one)
        ]
        for paper_id, words in found.items()
    }
