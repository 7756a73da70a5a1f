"""Categories for a new taxonomy: of how papers were filed, else of the terms that part them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count

from classifier.commands.new.filing import Filing, Place
from classifier.commands.new.phrases import Texts, content_words
from classifier.evaluation.distinctive import distinctive_terms, is_content, paper_counts
from classifier.evaluation.suggestions import propose_categories
from classifier.labelling.labels import FacetLabels, PaperLabels
from classifier.labelling.views import TextViews, text_views
from classifier.papers.paper import Paper
from classifier.taxonomy.cue import CueError, parse_cue
from classifier.taxonomy.model import (
    NOT_STATED,
    Category,
    Cues,
    Facet,
    Survey,
    Taxonomy,
    spelling_key,
)
from classifier.taxonomy.names import as_file
from classifier.text.normalise import tokens
from classifier.text.stem import stem

_Group = tuple[Sequence[str], Sequence[Paper]]
"""The terms of some papers, strongest first, and the papers."""

OTHER = "other"
"""The category of papers that were filed under nothing large enough."""

_LEAST_SCORE = 1.0
"""Standard errors by which a term must tell a category's papers from the rest."""
_MOST_CUES = 8
_MOST_WORDS = 4
_MOST_FOUND = 4
"""Categories that are made of shared words where there are too few papers for groups."""
_EXEMPLARS = 3
# What stands between the phrases of a heading.
_PARTS = re.compile(
    r"[,;:/&|()\[\]“”\"–—]|\b(?:and|or|for|of|in|with|against|on|to)\b", re.IGNORECASE
)
_OF_ADDRESSES = frozenset("com github http https io org www".split())
"""Words of addresses in abstracts (“code at https://…”), which say nothing of a subject."""
_STEM = 7
"""Letters by which words of one family are known: evaluation, evaluating."""
_LONGEST_NAME = 120


def categories_of(
    filing: Filing, papers: Sequence[Paper], shown: str
) -> tuple[tuple[Category, ...], dict[Place, str]]:
    """Return the categories of a filing, and place -> category id; () is the place of the rest.

    shown: where the papers were filed, for the definitions, as `README.md`.
    """
    views = {paper.id: text_views(paper) for paper in papers}
    ids = _ids(filing)
    taken: set[str] = set()
    cues = {
        place: _cues(place, filing, views, taken)
        for place in sorted(ids, key=lambda place: (len(place), list(ids).index(place)))
    }

    names = _names(ids)

    def category(place: Place) -> Category:
        inner = filing.topics.get(place[0], ()) if len(place) == 1 else ()
        return Category(
            id=ids[place],
            name=names[place][:_LONGEST_NAME],
            definition=_definition(place, filing.source, shown),
            cues=cues[place],
            exemplars=() if cues[place] else _exemplars(place, filing, papers),
            children=tuple(category((*place, name)) for name in inner),
        )

    found = [category((topic,)) for topic in filing.topics]
    rest = [paper for paper in papers if filing.places.get(paper.id) == ()]
    if rest:
        ids[()] = _free(OTHER, ids.values())
        titles = tuple(dict.fromkeys(paper.title_display for paper in rest))[:_EXEMPLARS]
        definition = f"Papers of {shown} under headings too small for a category of their own."
        found.append(
            Category(id=ids[()], name="Other topics", definition=definition, exemplars=titles)
        )
    return tuple(found), ids


def found_categories(papers: Sequence[Paper]) -> tuple[Category, ...]:
    """Return categories made of the terms that groups of papers share: at least one.

    They are a first guess, and no paper is filed by them but through their cues.
    """
    groups = _groups(papers) or _shared_words(papers)
    found: list[Category] = []
    taken: set[str] = set()
    for terms, group in groups:
        texts = Texts(f"{paper.title_display}. {paper.abstract_display}" for paper in group)
        free = _phrases([term for term in terms if term not in taken], texts)
        phrases = [phrase for phrase in free if phrase not in taken]
        own = [cue for cue in (*phrases, *content_words(terms)) if cue not in taken]
        cues = [cue for cue in dict.fromkeys(own) if _is_cue(cue)][:_MOST_CUES]
        # One word that says little, and nothing beside it, is no subject.
        if phrases and cues and (len(cues) > 1 or len(group) == len(papers)):
            taken |= set(cues)
            found.append(_found_category(phrases, cues, texts, found))
    titles = tuple(paper.title_display for paper in papers)[:_EXEMPLARS]
    if len(found) < 2:  # one subject among papers of no other is no division
        definition = "All papers, until you write categories of your own."
        return (Category(id="papers", definition=definition, exemplars=titles),)
    return tuple(found)


def slug(name: str) -> str:
    """Return a name as a category id, or "" where it has no Latin letter or digit.

    >>> slug("Bread & “Ovens”: Größe"), slug("面包")
    ('bread-ovens-grosse', '')
    """
    plain = (
        unicodedata.normalize("NFKD", re.sub(r"[^\w]", " ", name.replace("ß", "ss")))
        .encode("ascii", "ignore")
        .decode()
    )
    joined = "-".join(re.findall(r"[a-z0-9]+", plain.lower()))
    return as_file(joined)


def _ids(filing: Filing) -> dict[Place, str]:
    ids: dict[Place, str] = {}
    for topic, children in filing.topics.items():
        ids[topic,] = _free(slug(topic) or "topic", ids.values())
        for name in children:
            base = f"{ids[topic,]}/{slug(name) or 'part'}"
            ids[topic, name] = _free(base, ids.values())
    return ids


def _names(places: Collection[Place]) -> dict[Place, str]:
    """Return names that differ: a child whose name another has too is told with its parent's."""
    count = Counter(spelling_key(place[-1]) for place in places)
    return {
        place: ": ".join(place) if count[spelling_key(place[-1])] > 1 else place[-1]
        for place in places
    }


def _free(base: str, taken: Iterable[str]) -> str:
    """Return `base`, or with a number behind it where it is taken."""
    known = {*taken, NOT_STATED}
    names = (base if number == 1 else f"{base}-{number}" for number in count(1))
    return next(name for name in names if name not in known)


def _definition(place: Place, source: str, shown: str) -> str:
    name = place[-1].replace("*", "").replace("`", "")
    if source == "collections":
        return f"Papers listed under “{name}” in {shown}."
    return f"Papers with the keyword “{name}”."


def _cues(place: Place, filing: Filing, views: Mapping[str, TextViews], taken: set[str]) -> Cues:
    """Return the words of a heading and the terms that tell its papers from those beside them.

    A cue is given once: two categories that share one are not told apart by it.
    """
    depth = len(place)
    beside = [
        paper_id
        for paper_id, places in filing.places.items()
        if depth == 1 or any(other[:1] == place[:1] for other in places)
    ]
    inside = {
        paper_id
        for paper_id in beside
        if any(other[:depth] == place for other in filing.places[paper_id])
    }
    own = [views[paper_id] for paper_id in beside if paper_id in inside]
    rest = [views[paper_id] for paper_id in beside if paper_id not in inside]
    found = [
        term.term
        for term in distinctive_terms(own, rest, _MOST_CUES)
        if term.score >= _LEAST_SCORE and term.inside > term.outside and not _is_address(term.term)
    ]
    named = [words for words in _heading_words(place[-1]) if _fires(words, views.values())]
    cues = [cue for cue in dict.fromkeys([*named, *found]) if cue not in taken and _is_cue(cue)]
    taken |= set(cues)
    titled = tuple(cue for cue in cues if cue in named)
    return Cues(title=titled, anywhere=tuple(cue for cue in cues if cue not in named))


def _heading_words(name: str) -> list[str]:
    """Return the phrases of a heading: “Jailbreak & prompt injection” has two."""
    parts = _PARTS.split(name)
    phrases = [" ".join(tokens(part)) for part in parts]
    return [
        words
        for words in dict.fromkeys(phrases)
        if words and len(words.split()) <= _MOST_WORDS and is_content(words)
    ]


def _fires(words: str, views: Iterable[TextViews]) -> bool:
    return any(f" {words} " in f" {' '.join(view.title)} " for view in views)


def _is_address(term: str) -> bool:
    return not _OF_ADDRESSES.isdisjoint(term.split())


def _is_cue(text: str) -> bool:
    try:
        parse_cue(text)
    except CueError:
        return False
    return True


def _exemplars(place: Place, filing: Filing, papers: Sequence[Paper]) -> tuple[str, ...]:
    titles = (
        paper.title_display
        for paper in papers
        if any(other[: len(place)] == place for other in filing.places.get(paper.id, ()))
    )
    return tuple(dict.fromkeys(titles))[:_EXEMPLARS]


def _groups(papers: Sequence[Paper]) -> list[_Group]:
    """Return groups of papers that share terms, the largest first; nothing of too few papers."""
    unknown = Category(id="unknown")
    facet = Facet(id="topic", kind="multi", categories=(unknown,))
    nothing = FacetLabels((), unknown.id, 0.0, "provisional", {})
    proposals = propose_categories(
        Taxonomy(survey=Survey(title="Unknown"), facets={"topic": facet}),
        papers,
        [PaperLabels(paper.id, {facet.id: nothing}) for paper in papers],
    )
    by_id = {paper.id: paper for paper in papers}
    found: list[_Group] = [
        ([term.term for term in proposal.terms], [by_id[one] for one in proposal.papers])
        for proposal in proposals
    ]
    return found if len(found) > 1 else []


def _shared_words(papers: Sequence[Paper]) -> list[_Group]:
    """Return the terms that several papers, but not most of them, use; each is a group."""
    counts = paper_counts([text_views(paper) for paper in papers])
    fit = [term for term, papers_with in counts.items() if 1 < papers_with <= 0.7 * len(papers)]
    fit = content_words(sorted(fit, key=lambda term: (-counts[term] * len(term.split()), term)))
    kept: list[str] = []
    for term in fit:
        if not any(_stems(term) & _stems(other) for other in kept):
            kept.append(term)
    return [([term], papers) for term in kept[:_MOST_FOUND]]


def _stems(phrase: str) -> frozenset[str]:
    return frozenset(stem(word)[:_STEM] for word in phrase.split())


def _phrases(terms: Sequence[str], texts: Texts) -> list[str]:
    """Return terms as people write them, without those that share their words with one before."""
    kept: list[str] = []
    for phrase in content_words([texts.phrase(term) for term in terms]):
        if not any(_stems(phrase) & _stems(other) for other in kept):
            kept.append(phrase)
    return kept


def _found_category(
    phrases: Sequence[str], cues: Sequence[str], texts: Texts, before: Sequence[Category]
) -> Category:
    """Return a category named by a phrase, or by two words where a word is all there is."""
    names = {category.name for category in before}
    name = _raised(texts.spelled(phrases[0]))
    if " " not in phrases[0] or name in names:
        name = " & ".join([name, *map(texts.spelled, phrases[1:2])])
    quoted = ", ".join(f"“{phrase}”" for phrase in phrases[:4])
    return Category(
        id=_free(slug(name) or "topic", [category.id for category in before]),
        name=name,
        definition=f"Papers that speak of {quoted}: a first draft, made of words that they share.",
        cues=Cues(
            title=tuple(cue for cue in cues if cue in phrases[:2]),
            anywhere=tuple(cue for cue in cues if cue not in phrases[:2]),
        ),
    )


def _raised(name: str) -> str:
    return name[:1].upper() + name[1:]
