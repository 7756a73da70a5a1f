"""Make the categories of a new taxonomy, from the filing of papers or from their texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import count

from classifier.commands.new.distinctive import distinctive_terms, is_content_term
from classifier.commands.new.draft import find_subjects
from classifier.commands.new.filing import Filing, Place, as_heading
from classifier.papers.paper import Paper
from classifier.taxonomy.cue import CueError, parse_cue
from classifier.taxonomy.model import NOT_STATED, Category, Cues, spelling_key
from classifier.taxonomy.names import file_name_of, slug
from classifier.text.clean import clean_title
from classifier.text.empty_words import has_little_meaning
from classifier.text.normalise import tokens

OTHER = "other"
"""Id of the category for papers under headings with too few papers."""

_MAX_CUES = 8
_MAX_HEADING_WORDS = 4
_N_TITLE_CUES = 2
"""Number of cues of a draft that count only in titles: its name and the next best phrase."""
_MIN_OTHER = 3
_N_EXEMPLARS = 3
_MAX_NAME = 120
# Characters and words that separate the phrases of a heading.
_SEPARATORS = re.compile(
    r"[,;:/&|()\[\]“”\"–—]|\b(?:and|or|for|of|in|with|against|on|to)\b", re.IGNORECASE
)
_ADDRESS_WORDS = frozenset("com github http https io org www".split())
"""Words of web addresses in abstracts ("code at https://…"), which do not describe a subject."""


def categories_of(
    filing: Filing, papers: Sequence[Paper]
) -> tuple[tuple[Category, ...], dict[Place, str]]:
    """Return the categories of a filing, and the category id of each place.

    The place () has the papers without a topic.
    """
    ids, used = _ids(filing), set[str]()
    cues = {place: _cues(place, filing, papers, used) for place in sorted(ids, key=len)}
    names = _names(ids)

    def category(place: Place) -> Category:
        inner = filing.topics.get(place[0], ()) if len(place) == 1 else ()
        inside = (paper for paper in papers if _is_below(place, paper, filing))
        return Category(
            id=ids[place],
            name=names[place][:_MAX_NAME],
            cues=cues[place],
            exemplars=() if cues[place] else _titles(inside),
            children=tuple(category((*place, name)) for name in inner),
        )

    categories = [category((topic,)) for topic in filing.topics]
    rest = [paper for paper in papers if filing.places.get(paper.id) == ()]
    if rest:
        ids[()] = _free_id(OTHER, ids.values())
        definition = "Papers under headings with too few papers for a category."
        titles = _titles(rest)
        categories.append(
            Category(id=ids[()], name="Other topics", definition=definition, exemplars=titles)
        )
    return tuple(categories), ids


def draft_categories(papers: Sequence[Paper]) -> tuple[tuple[Category, ...], dict[str, str]]:
    """Return categories drafted from the texts of papers, and category id -> comment.

    If the papers are too few or too different, one category has all of them.
    """
    subjects, rest = find_subjects(papers)
    if len(subjects) < 2:
        definition = "All papers, until you write categories."
        return (Category(id="papers", definition=definition, exemplars=_titles(papers)),), {}
    categories: list[Category] = []
    comments: dict[str, str] = {}
    for subject in subjects:
        name = as_heading(subject.name)[:_MAX_NAME]
        cues = [cue for cue in subject.cues if _is_cue(cue)]
        category = Category(
            id=_free_id(file_name_of(slug(name)) or "topic", comments),
            name=name,
            cues=Cues(title=tuple(cues[:_N_TITLE_CUES]), anywhere=tuple(cues[_N_TITLE_CUES:])),
            exemplars=_titles(subject.exemplars),
        )
        categories.append(category)
        comments[category.id] = (
            f"Draft from {subject.n_papers} papers. The exemplars are the most typical of them."
        )
    if len(rest) >= _MIN_OTHER:
        other = _free_id(OTHER, comments)
        categories.append(Category(id=other, name="Other topics", exemplars=_titles(rest)))
        comments[other] = f"{len(rest)} papers that fit none of the drafts above."
    return tuple(categories), comments


def _titles(papers: Iterable[Paper]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(paper.title_display for paper in papers))[:_N_EXEMPLARS]


def _ids(filing: Filing) -> dict[Place, str]:
    ids: dict[Place, str] = {}
    for topic, children in filing.topics.items():
        ids[topic,] = _free_id(file_name_of(slug(topic)) or "topic", ids.values())
        for name in children:
            base = f"{ids[topic,]}/{file_name_of(slug(name)) or 'part'}"
            ids[topic, name] = _free_id(base, ids.values())
    return ids


def _names(places: Collection[Place]) -> dict[Place, str]:
    """Return a unique name per place: the name of the parent precedes an ambiguous name."""
    counts = Counter(spelling_key(place[-1]) for place in places)
    return {
        place: ": ".join(place) if counts[spelling_key(place[-1])] > 1 else place[-1]
        for place in places
    }


def _free_id(base: str, used_ids: Iterable[str]) -> str:
    used = {*used_ids, NOT_STATED}
    names = (base if number == 1 else f"{base}-{number}" for number in count(1))
    return next(name for name in names if name not in used)


def _is_below(place: Place, paper: Paper, filing: Filing) -> bool:
    """Return whether a paper is filed at a place or below it."""
    return any(each[: len(place)] == place for each in filing.places.get(paper.id, ()))


def _cues(place: Place, filing: Filing, papers: Sequence[Paper], used: set[str]) -> Cues:
    """Return the phrases of a heading, and terms that separate its papers from its siblings'.

    used: cues of other categories, to which the new ones are added. A cue of two categories would
    not separate them.
    """
    filed = [paper for paper in papers if paper.id in filing.places]
    siblings = [each for each in filed if len(place) == 1 or _is_below(place[:-1], each, filing)]
    inside = [paper for paper in siblings if _is_below(place, paper, filing)]
    outside = [paper for paper in siblings if not _is_below(place, paper, filing)]
    distinctive = [
        term
        for term in distinctive_terms(inside, outside, _MAX_CUES)
        if _ADDRESS_WORDS.isdisjoint(term.split()) and not has_little_meaning(term)
    ]
    titles = [f" {' '.join(tokens(clean_title(paper.title)))} " for paper in papers]
    from_heading = [
        words
        for words in _heading_words(place[-1])
        if any(f" {words} " in title for title in titles)
    ]
    candidates = dict.fromkeys([*from_heading, *distinctive])
    cues = [cue for cue in candidates if cue not in used and _is_cue(cue)]
    used |= set(cues)
    return Cues(
        title=tuple(cue for cue in cues if cue in from_heading),
        anywhere=tuple(cue for cue in cues if cue not in from_heading),
    )


def _heading_words(name: str) -> list[str]:
    """Return the phrases of a heading: "Jailbreak & prompt injection" has two."""
    parts = _SEPARATORS.split(name)
    phrases = dict.fromkeys(" ".join(tokens(part)) for part in parts)
    return [
        words
        for words in phrases
        if words and len(words.split()) <= _MAX_HEADING_WORDS and is_content_term(words)
    ]


def _is_cue(text: str) -> bool:
    try:
        parse_cue(text)
    except CueError:
        return False
    return True
