"""Which tokens of many passages these set themselves apart from, equal to `negation.negated`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from classifier.text.bulk.characters import (
    APOSTROPHE,
    CURLY_APOSTROPHE,
    EM_DASH,
    EN_DASH,
    Characters,
    Places,
)
from classifier.text.bulk.cue_finder import Meaning
from classifier.text.bulk.passages import Spans
from classifier.text.bulk.phrases import Found
from classifier.text.bulk.runs import Runs
from classifier.text.bulk.tokens import Tokens
from classifier.text.negation import CLAUSE_SIGNS, MOST_WORDS, negated

_SIGNS = (*(ord(sign) for sign in CLAUSE_SIGNS if sign.isascii()), EN_DASH, EM_DASH)


def negated_tokens(
    characters: Characters, spans: Spans, runs: Runs, found: Found, tokens: Tokens
) -> NDArray[np.bool_]:
    """Return (t,) whether the passage sets itself apart from each token.

    found: phrases, those of negation among them.
    """
    codes = characters.codes
    _, last = found.of(Meaning.TRIGGER)
    behind = codes[runs.ends[last]]
    last = last[(behind != APOSTROPHE) & (behind != CURLY_APOSTROPHE)]
    ends, within = runs.ends[last], runs.spans[last]
    stops = np.minimum(
        _next(characters.places_of(_SIGNS), ends, spans.ends[within]),
        _next(np.sort(runs.starts[found.of(Meaning.CLAUSE)[0]]), ends, spans.ends[within]),
    )
    denied = np.zeros(len(tokens.places), dtype=bool)
    one_by_one = _read_one_by_one(codes, runs, found, tokens)
    plain = ~np.isin(within, one_by_one)
    first = np.searchsorted(tokens.places, ends[plain])
    final = np.minimum(np.searchsorted(tokens.places, stops[plain]), first + MOST_WORDS)
    for more in range(MOST_WORDS):
        denied[first[first + more < final] + more] = True
    for passage in one_by_one.tolist():
        text = characters.text[spans.starts[passage] : spans.ends[passage]]
        denied[tokens.starts[passage] + np.array(sorted(negated(text)), dtype=np.int64)] = True
    return denied


def _next(places: Places, after: Places, otherwise: Places) -> Places:
    """Return the first of ascending places at or behind each of some; at most `otherwise`."""
    index = np.searchsorted(places, after)
    known = np.append(places, np.iinfo(np.int64).max)
    return np.asarray(np.minimum(known[index], otherwise))


def _read_one_by_one(codes: NDArray[np.uint8], runs: Runs, found: Found, tokens: Tokens) -> Places:
    """Return the passages, ascending, in which the pattern is asked itself."""
    shortened, _ = found.of(Meaning.SHORTENED)
    behind = codes[runs.ends[shortened]]
    shortened = shortened[(behind == APOSTROPHE) | (behind == CURLY_APOSTROPHE)]
    return np.unique(np.concatenate([tokens.normalised, runs.spans[shortened], runs.odd]))
