"""How sure it is that a found paper is the one that was meant.

The score is the similarity of the titles' letters and digits (0 to 1, normalised indel distance),
times 0.7 for each thing that both state and that disagrees: authors, year, abstract, numbers in the
title. Safe is a match of almost equal titles that nothing contradicts, unless the title is so short
that others have it too and nothing else agrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from classifier.papers.match import SAME_ABSTRACT, near_titles
from classifier.papers.names import split_name
from classifier.papers.paper import Paper
from classifier.text.normalise import title_key, tokens

SAFE = 0.97
"""Similarity of titles from which nothing else need agree."""
SAFE_AGREED = 0.9
"""Similarity of titles from which a match is safe where authors or abstract agree."""
WORTH_SHOWING = 0.6
FEWEST_LETTERS = 20
"""Of a title that is safe alone."""
DISAGREEMENT = 0.7
YEARS_APART = 2
"""A preprint and its article may be so far apart."""
_FEWEST_WORDS = 20


@dataclass(frozen=True, slots=True)
class Match:
    """A found paper, judged."""

    found: Paper
    source: str
    """The name of the service."""
    score: float
    """0 to 1."""
    is_safe: bool
    why: str
    """What agrees and what does not, for a person."""


def judge(meant: Paper, found: Paper, source: str, *, by_id: bool = False) -> Match:
    """Judge whether `found` is the paper `meant`; by_id: it was asked for by its id or DOI."""
    similarity = fuzz.ratio(title_key(meant.title), title_key(found.title)) / 100
    agreeing, disagreeing = _compared(meant, found)
    same = title_key(meant.title) == title_key(found.title)
    if similarity >= SAFE_AGREED and not same and not near_titles(meant.title, found.title):
        disagreeing.append("numbers or a short title differ")
    score = similarity * DISAGREEMENT ** len(disagreeing)
    long_enough = len(title_key(meant.title)) >= FEWEST_LETTERS
    alone = similarity >= SAFE and long_enough
    agreed = similarity >= SAFE_AGREED and (bool(agreeing) or by_id)
    parts = ["same title" if same else f"titles {similarity:.0%} alike"]
    parts += ["asked for by its id"] if by_id else []
    parts += [f"{word} agree" for word in agreeing] + disagreeing
    if same and not long_enough and not agreeing and not by_id:
        parts.append("others may have so short a title")
    is_safe = (alone or agreed) and not disagreeing
    return Match(found, source, round(score, 2), is_safe, "; ".join(parts))


def best_match(meant: Paper, found: Sequence[Paper], source: str) -> Match | None:
    """Return the best of some found papers, or None where none is worth showing.

    Where another is as good and has other authors, the best is not safe.
    """
    judged = [judge(meant, paper, source) for paper in found]
    judged.sort(key=lambda match: (-match.score, match.found.arxiv_id, match.found.doi))
    if not judged or judged[0].score < WORTH_SHOWING:
        return None
    best = judged[0]
    for other in judged[1:]:
        if other.is_safe and _authors_disagree(best.found, other.found):
            why = f"{best.why}; another paper has this title too"
            return Match(best.found, source, best.score, False, why)
    return best


def _compared(meant: Paper, found: Paper) -> tuple[list[str], list[str]]:
    """Return what agrees and what disagrees of that which both state."""
    agreeing: list[str] = []
    disagreeing: list[str] = []
    if meant.authors and found.authors:
        differ = _authors_disagree(meant, found)
        (disagreeing if differ else agreeing).append("other authors" if differ else "authors")
    if meant.published.year and found.published.year:
        apart = abs(int(meant.published.year) - int(found.published.year))
        if apart > YEARS_APART:
            disagreeing.append(f"{meant.published.year} and {found.published.year}")
    if meant.abstract_kind == found.abstract_kind == "abstract":
        overlap = _overlap(meant.abstract, found.abstract)
        if overlap is not None:
            differ = overlap < SAME_ABSTRACT
            word = "another abstract" if differ else "abstracts"
            (disagreeing if differ else agreeing).append(word)
    return agreeing, disagreeing


def _authors_disagree(first: Paper, second: Paper) -> bool:
    """Return whether not even half of the shorter list of family names is in the longer one."""
    a, b = _family_names(first), _family_names(second)
    return bool(a and b) and len(a & b) * 2 < min(len(a), len(b))


def _family_names(paper: Paper) -> set[str]:
    return {title_key(split_name(name).family) for name in paper.authors} - {""}


def _overlap(first: str, second: str) -> float | None:
    """Return the share of the shorter text's words in the longer one; None of too short ones."""
    a, b = set(tokens(first)), set(tokens(second))
    fewest = min(len(a), len(b))
    return len(a & b) / fewest if fewest >= _FEWEST_WORDS else None
