"""Words that do not describe a subject: words common in abstracts, function words, adverbs."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

EMPTY, NOUNS, LITTLE, METHODS, BREAKS = (
    frozenset(part.partition("\n")[2].split())
    for part in Path(__file__).with_name("empty_words.txt").read_text("utf-8").split("\n## ")[1:]
)
# An own list, so that an unchanged build does not import scikit-learn for its list.
FUNCTION_WORDS = frozenset(
    "about above across after against all along also among an and any are around as at be "
    "because been before being below beside between both but by can could do down due during "
    "each either few for from further had has have he her here his how if in into is it its "
    "less many may more most no nor not of off on once one only or other our out over own per "
    "she should since so some such than that the their them then there these they this those "
    "three through thus to together toward towards two under until up upon us using via was "
    "we were what when where whether which while who whose why will with within without would "
    "you your".split()
)
_PARTICIPLE = re.compile(r"\w{3}[^e]ed$")
_ADVERB = re.compile(
    r"(?!(?:family|assembly|anomaly|monopoly|supply|elderly|early|italy|july|fly|poly|reply|butterfly"
    r"|homily)$)\w{3,}ly"
)


def has_little_meaning(term: str) -> bool:
    """Return whether a term consists of common words and participles: “successfully treated”.

    >>> has_little_meaning("confirmed new"), has_little_meaning("bone graft")
    (True, False)
    """
    empty = EMPTY | LITTLE | stop_words()
    return all(word in empty or is_participle(word) or is_adverb(word) for word in term.split())


@cache
def stop_words() -> frozenset[str]:
    """Return scikit-learn's English stop words, except nouns that may name a subject."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS  # late: slow to import

    return frozenset(ENGLISH_STOP_WORDS) - frozenset(
        "amount bill bottom cry fire front interest mill side system thick thin top".split()
    )


def is_adverb(word: str) -> bool:
    """Return whether a word has the ending of an adverb: “slowly”, not “assembly”."""
    return bool(_ADVERB.fullmatch(word))


def is_participle(word: str) -> bool:
    """Return whether a word has the ending of a participle: “treated”, not “speed”."""
    return bool(_PARTICIPLE.search(word))
