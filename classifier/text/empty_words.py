"""Words that tell nothing of a subject: those of any abstract, function words, adverbs."""

from __future__ import annotations

import re
from pathlib import Path

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

EMPTY, NOUNS, LITTLE, METHODS, BREAKS = (
    frozenset(part.partition("\n")[2].split())
    for part in Path(__file__).with_name("empty_words.txt").read_text("utf-8").split("\n## ")[1:]
)
STOPS = ENGLISH_STOP_WORDS - frozenset(
    "amount bill bottom cry fire front interest mill side system thick thin top".split()
)
_OF_ANY = EMPTY | LITTLE | STOPS
_ADVERB = re.compile(
    r"(?!(?:family|assembly|anomaly|monopoly|supply|elderly|early|italy|july|fly|poly|reply|butterfly"
    r"|homily)$)\w{3,}ly"
)


def says_little(term: str) -> bool:
    """Say whether a term is made of words of any abstract and participles: “successfully treated”.

    >>> says_little("confirmed new"), says_little("bone graft")
    (True, False)
    """
    return all(word in _OF_ANY or is_participle(word) or is_adverb(word) for word in term.split())


def is_adverb(word: str) -> bool:
    """Say whether a word ends as adverbs do: “slowly”, no “assembly”."""
    return bool(_ADVERB.fullmatch(word))


def is_participle(word: str) -> bool:
    """Say whether a word ends as participles do: “treated”, no “speed”."""
    return bool(re.search(r"\w{3,}[^e]ed$", word))
