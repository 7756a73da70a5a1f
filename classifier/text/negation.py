"""Words that a text sets itself apart from: "reasoning without reinforcement learning".

A trigger denies the words behind it up to the end of its clause, and a few at most, after Chapman
et al., "A simple algorithm for identifying negated findings and diseases in discharge summaries",
Journal of Biomedical Informatics 34(5), 2001. Of their triggers only those are taken that put one
thing in place of another. "No", "lack of" and "cannot" are not: an abstract that misses a benchmark
is about to introduce one.
"""

from __future__ import annotations

import re

from classifier.text.normalise import tokens

MOST_WORDS = 6
_NEED = r"(?:require|need|use|rely on|depend on)"
TRIGGERS = (
    r"(?:without|instead of|rather than|as opposed to|in place of|free of|independent(?:ly)? of"
    r"|no (?:need (?:for|of|to)|reliance on)|not (?:requiring|needing|relying on|using)"
    rf"|d(?:o|oes|id) not {_NEED}"
    r"|(?:eliminat|remov|avoid|obviat|bypass)(?:e|es|ed|ing|s) (?:the )?"
    r"(?:need|reliance|dependence|dependency) (?:for|on|of|to))"
)
SHORTENED = "d(?:o|oes|id)n"
_TRIGGER = re.compile(rf"\b(?:{TRIGGERS}|{SHORTENED}['’]t {_NEED})\b(?!['’])")
CLAUSE_SIGNS = ".,;:!?()[]–—"
CLAUSE_WORDS = "(?:but|yet|we|which|that|while|by|through|via|using)"
_CLAUSE_END = re.compile(rf"[{re.escape(CLAUSE_SIGNS)}]|\b{CLAUSE_WORDS}\b")


def negated(text: str) -> frozenset[int]:
    """Return the positions among `tokens(text)` of the words that `text` sets itself apart from.

    >>> text = "Trained without any reward model, by imitation"
    >>> [word for at, word in enumerate(tokens(text)) if at in negated(text)]
    ['any', 'reward', 'model']
    """
    lower = text.lower()  # twice as fast as a pattern that ignores case
    text = lower if len(lower) == len(text) else text
    positions: set[int] = set()
    for trigger in _TRIGGER.finditer(text):
        clause_end = _CLAUSE_END.search(text, trigger.end())
        denied = text[trigger.end() : clause_end.start() if clause_end else len(text)]
        first = len(tokens(text[: trigger.end()]))
        positions.update(range(first, first + min(len(tokens(denied)), MOST_WORDS)))
    return frozenset(positions)
