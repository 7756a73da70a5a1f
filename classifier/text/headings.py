"""Find the headings of structured abstracts, such as "METHODS: …".

The headings are those of medical and social journals (Nakayama et al., "Adoption of structured
abstracts by general medical journals", Journal of the Medical Library Association 93(2), 2005;
Ripple et al., "A retrospective cohort study of structured abstracts in MEDLINE", JMLA 99(2), 2011).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

Part = Literal[
    "background", "aim", "method", "result", "conclusion", "limit", "case", "text", "other"
]
"""A part of an abstract: `case` describes patients, `text` may be anything ("UNLABELLED:"), `other`
is not part of the argument, such as a trial number."""

_PHRASES: dict[str, Part] = {
    "summary of background data": "background", "issue addressed": "background",
    "issues addressed": "background", "what is known": "background", "purpose of review": "aim",
    "outcome measures": "method", "patient concerns": "case", "clinical features": "case",
    "so what": "conclusion", "level of evidence": "other",
}  # fmt: skip
"""Headings whose meaning differs from that of their words; also as part of a longer heading."""
_WORDS: dict[Part, str] = {
    "background": "background context introduction rationale importance motivation",
    "aim": "aim aims objective objectives object purpose purposes goal goals question questions"
    " hypothesis hypotheses",
    "method": "method methods methodology design setting settings participants patients subjects"
    " materials material measures measurements intervention interventions procedure procedures"
    " data sample population approach exposure analysis protocol",
    "result": "result results findings outcome outcomes",
    "conclusion": "conclusion conclusions discussion implications interpretation significance"
    " relevance lesson lessons comment comments summary recommendations",
    "limit": "limitation limitations",
    "case": "case cases observation observations",
    "text": "abstract unlabelled unlabeled",
    "other": "registration funding keywords copyright",
}
_PART_OF = {word: part for part, words in _WORDS.items() for word in words.split()}
_NEUTRAL = frozenset(
    "and of or the for to in main primary secondary clinical recent study studies"
    " review article paper research report reports presentation presentations description"
    " diagnosis key public health practice policy trial sources source selection future"
    " evidence".split()
)
_MAX_LETTERS = 60
_MARKED = re.compile(
    rf"(?:\(\d\)\s)?(?=[A-Z])(?!(?:The|To|In|For|Of)\b)(?:[^\W\d_]|[&/, ]){{3,{_MAX_LETTERS}}}?"
    r"\s?(?::|\.$|\.?\s?[–—-]\s)\s*"
)
_BARE = re.compile(r"(?:[A-Z][a-z]+(?: [a-z]+){0,4}|[A-Z]{3,}(?: [A-Z]{3,}){0,4}) (?=[A-Z0-9])")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, with the parts of an abstract that it introduces."""

    parts: frozenset[Part]
    """Several for a joint heading: "BACKGROUND AND AIMS", "METHODS/RESULTS"."""
    length: int
    """Number of characters up to the sentence after it."""


def headings_of(sentences: Sequence[str]) -> list[Heading | None]:
    """Return the heading at the start of each sentence in a text, or None.

    A heading without a colon ("Methods Data were …") counts only if the text has another such
    heading.

    >>> [found and sorted(found.parts) for found in headings_of(["AIMS: To ask.", "We ask."])]
    [['aim'], None]
    """
    marked = [_heading_of_match(_MARKED.match(sentence)) for sentence in sentences]
    bare = [_heading_of_match(_BARE.match(sentence)) for sentence in sentences]
    if len({found.parts for found in bare if found}) < 2:
        return marked
    return [one or other for one, other in zip(marked, bare, strict=True)]


def parts_of(headings: Sequence[Heading | None]) -> Iterator[frozenset[Part]]:
    """Yield the parts to which each sentence belongs; none before the first heading."""
    parts: frozenset[Part] = frozenset()
    for heading in headings:
        parts = heading.parts if heading else parts
        yield parts


def _heading_of_match(match: re.Match[str] | None) -> Heading | None:
    words = match.group().lower().strip("()0123456789 :.–—-") if match else ""
    parts = _parts_named_by(words)
    return Heading(parts, match.end()) if match and parts else None


def _parts_named_by(heading: str) -> frozenset[Part]:
    """Return the parts that a lower-case heading names; none if it contains any other word."""
    found: set[Part] = set()
    for phrase, part in _PHRASES.items():
        if phrase in heading:
            heading = heading.replace(phrase, " ")
            found.add(part)
    words = re.findall(r"[^\W\d_]+", heading)
    if not all(word in _PART_OF or word in _NEUTRAL for word in words):
        return frozenset()
    found |= {_PART_OF[word] for word in words if word in _PART_OF}
    return frozenset({"other"} if "other" in found else found)
