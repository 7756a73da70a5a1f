"""Make the categories of a new taxonomy, from the filing of papers or from their texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import count

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from classifier.commands.new.draft import find_subjects
from classifier.commands.new.filing import Filing, Place, as_heading
from classifier.commands.new.phrases import Phrases
from classifier.papers.paper import Paper
from classifier.taxonomy.cue import CueError, parse_cue
from classifier.taxonomy.model import NOT_STATED, Category, Cues, spelling_key
from classifier.taxonomy.names import file_name_of, slug
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


def categories_of(
    filing: Filing, papers: Sequence[Paper]
) -> tuple[tuple[Category, ...], dict[Place, str]]:
    """Return the categories of a filing, and the category id of each place.

    The place () has the papers without a topic.
    """
    ids, used = _ids(filing), set[str]()
    phrases = Phrases(papers)
    cues = {place: _cues(place, filing, papers, phrases, used) for place in sorted(ids, key=len)}
    names = _names(ids)

    def category(place: Place) -> Category:
        inner = filing.topics.get(place[0], ()) if len(place) == 1 else ()
        inside = (paper for paper in papers if _is_inside(paper, place, filing))
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
    """Return the titles of the first papers, as exemplars."""
    return tuple(dict.fromkeys(paper.title_display for paper in papers))[:_N_EXEMPLARS]


def _ids(filing: Filing) -> dict[Place, str]:
    """Return place -> category id."""
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
    """Return `base`, with a number appended if the id is used."""
    used = {*used_ids, NOT_STATED}
    names = (base if number == 1 else f"{base}-{number}" for number in count(1))
    return next(name for name in names if name not in used)


def _cues(
    place: Place, filing: Filing, papers: Sequence[Paper], phrases: Phrases, used: set[str]
) -> Cues:
    """Return the phrases of a heading, and phrases that separate its papers from the others.

    used: keys of phrases that are cues of other categories, to which the new ones are added. A cue
    of two categories would not separate them.
    """
    members = np.array([_is_inside(paper, place, filing) for paper in papers])
    keys = phrases.cues(phrases.score(members), used, _MAX_CUES)
    used |= {*keys}
    titles = [f" {' '.join(tokens(paper.title_display))} " for paper in papers]
    from_heading = [
        words
        for words in _heading_words(place[-1])
        if any(f" {words} " in title for title in titles) and _is_cue(words)
    ]
    found = dict.fromkeys(cue for cue in map(phrases.cue, keys) if _is_cue(cue))
    anywhere = tuple(cue for cue in found if cue.removesuffix("~") not in from_heading)
    return Cues(title=tuple(from_heading), anywhere=anywhere)


def _is_inside(paper: Paper, place: Place, filing: Filing) -> bool:
    """Return whether a paper is filed at a place or below it."""
    return any(each[: len(place)] == place for each in filing.places.get(paper.id, ()))


def _heading_words(name: str) -> list[str]:
    """Return the phrases of a heading: "Jailbreak & prompt injection" has two."""
    parts = (tokens(part) for part in _SEPARATORS.split(name))
    phrases = [words for words in parts if 0 < len(words) <= _MAX_HEADING_WORDS]
    return list(
        dict.fromkeys(" ".join(words) for words in phrases if all(map(_has_content, words)))
    )


def _has_content(word: str) -> bool:
    return word not in ENGLISH_STOP_WORDS and len(word) > 1 and not word.isdigit()


def _is_cue(text: str) -> bool:
    try:
        parse_cue(text)
    except CueError:
        return False
    return True
