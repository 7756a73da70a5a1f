"""Which papers of a category are shown as examples: central ones, and not three of a kind."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from operator import mul

from classifier.survey.entry import Entry
from classifier.text.normalise import tokens

_LAMBDA = 0.7
_STATUS_BONUS = {"reviewed": 0.05, "imported": 0.02, "confident": 0.02, "provisional": -0.5}
# More than any cosine and status: what the editors mark comes before what the machine finds.
_KEY_BONUS = 10.0

Vector = Mapping[str, float]
"""Token -> weight, of length 1."""

_LONGEST = 600
"""Signs of a sentence that is one; of more, its full stops were lost."""
# "Analyzes this overthinking …", "It wins …", "Moreover, …": what is meant stands before it.
_POINTS_BACK = re.compile(
    r"^(?:(?:\w+|in \d{4}), )?(?:(?:it|its|in it|he|she|his|her|they|their|this|these|those|such"
    r"|both|here|there|from here|since then|the (?:latter|former)|we (?:have )?previously"
    r"|in (?:our )?previous|\w+ of (?:them|these)|additionally|also|further|furthermore|in addition"
    r"|moreover|similarly|subsequently|we (?:have )?(?:also|further|first explain)"
    r"|we (?:\w+ )?\w+ (?:the|our) (?:findings|observations|results)"
    r"|the (?:\w+ )?(?:chapter|part|section)s?|(?:the|an?) (?:\w+ ){1,2}of (?:their|its)"
    r"|based on (?:\w+ )*(?:findings|results))\b|\.\.\.|…"
    r"|(?!in this )\w+(?: \w+)? (?:this|these|those|such(?! (?:as|that))|it)\b)",
    re.IGNORECASE,
)


# "… handles such preferences": what is meant stands elsewhere, though behind a subject.
_MEANT_ELSEWHERE = re.compile(
    r"\b(?:these|such(?! (?:as|that|an?)\b)|in this way|between the two)\b", re.IGNORECASE
)


# "This study explored those values": within so few words, or in one clause of them, nothing has
# named them but the title.
_MEANT_BEFORE = re.compile(
    r"(?:in (?:this|the present) (?:[^,]{1,99},|(?:\w+ )?\w+) )?+"
    r"(?:(?:\S+ ){1,9}?|(?:(?!(?:how|that|where|whether|which|who)\b)[^\s,;:()]+ ){10,18}?)"
    r"(?:this|these|those|such|the latter) "
    r"(?!(?:an?|as|for|from|of|that|who|with)\b|(?:\w+ )?(?:paper|article|study|work|research"
    r"|review|survey|chapter|book|thesis|essay|volume|report|trial|case|manuscript|note|letter"
    r"|publication|field|area|topic|domain|century|gaps?|challenges?|problems?|issues?|limitations?"
    r"|needs?|questions?|end|reason|respect|regard|sense)\b)"
    r"((?:[\w'’-]+ ?){1,2}+)(?!, we\b|, in this\b)",
    re.IGNORECASE,
)
# "This paper asks …" is understood by itself.
_ITSELF = re.compile(
    r"(?:in )?(?:this|our|the present) (?!previous )(?:\w+ )?(?:paper|article|study|work|research"
    r"|review|survey|chapter|book|thesis|dissertation|essay|volume|report|trial|case|meta-analysis|analysis)\b"
    r"(?! also\b)",
    re.IGNORECASE,
)
# Lost signs, blanks and ends, footnotes, and what publishers add.
_BROKEN = re.compile(
    r"[\ufffd¿•]|\w\?\w|&\w+;|[a-z]&\s|\[Formula\b|\b(?:the|of|in|and)[A-Z][a-z]"
    r"|\w,[a-z]{5,}|[a-z]{7}\. [a-z]"
    r"|\b(?:the|see) (?:Fig\.|Figure\b)|\b(?:described|discussed|mentioned|presented) above\b"
    r"|(?i:\byou\b|provided by publisher|back cover|\bimprint of\b"
    r"|\bhighly accessible|\blandmark volume|\bsignature \w+ style|\bdelightful|\bfascinating"
    r"|\blucidly|\b(?:compelling|provocative|radiant|thought-provoking) (?:book|study|work)\b"
    r"|methodology/approach|(?:this (?:gap|issue)|both fields)(?: in the literature)?\.$)|\w{36}"
    r"|^.{0,80}\b(?:current|earlier|present|previous) (?:findings|observations|results|studies)\.$"
    r"|\bthe \w+ discussed\.$"
    r"|^(?:Aims?|Areas covered|Background|Location|Methods?|Purpose|Results?|Study focus)"
    r"(?::| [-–] | [A-Z])"
    r"|^(?:[a-z]{2,}[\s,]|[,;:)\]]|\[[\d.]|\(.*\)$)|(?:\.\.\.|[^.!\"'”’)\]。！])$"
)
_ENGLISH = re.compile(
    r"\b(?:the|of|and|to|for|with|by|from|that|this|we|is|are|which|who|at)\b", re.IGNORECASE
)
_TELLING = 8
"""Words from which on an English sentence has one of these."""
_NUMBERED = re.compile(r"(?<![\w(])(?:\d{1,2}|[a-z]|[ivx]+)\)")


def is_whole(sentence: str) -> bool:
    """Say whether a sentence can be shown: nothing of it is lost, and it advertises nothing."""
    is_balanced = any(
        text.count("(") == text.count(")") for text in (sentence, _NUMBERED.sub("", sentence))
    )
    return is_balanced and not _BROKEN.search(sentence)


def shown_beside_its_title(sentence: str, title: str) -> bool:
    """Say whether a sentence is understood beside its paper's title, in a table.

    None is that is in another language than an English title.
    """
    if len(sentence) > _LONGEST:
        return False
    if _POINTS_BACK.match(sentence) and not _ITSELF.match(sentence):
        return False
    if (meant := _MEANT_BEFORE.match(sentence)) and not any(
        len(word) > 3 and word in title.lower() for word in tokens(meant[1])
    ):
        return False
    is_foreign = len(sentence.split()) >= _TELLING and not _ENGLISH.search(sentence)
    return is_whole(sentence) and not (is_foreign and _ENGLISH.search(title))


def stands_alone(sentence: str) -> bool:
    """Say whether a sentence is understood without the one before it, and says something."""
    return (
        0 < len(sentence) <= _LONGEST
        and not _POINTS_BACK.match(sentence)
        and not _MEANT_ELSEWHERE.search(sentence)
        and not _MEANT_BEFORE.match(sentence)
        and is_whole(sentence)
    )


def contribution_of(entry: Entry) -> str:
    """Return what the paper does, or "" where no sentence says so by itself."""
    return entry.contribution if stands_alone(entry.contribution) else ""


def choose_exemplars(
    entries: Sequence[Entry],
    most: int = 3,
    stated: Callable[[Entry], str] = contribution_of,
) -> list[Entry]:
    """Return up to `most` papers by maximal marginal relevance over what they state, by number.

    Relevance is the cosine to the centroid, within one role of sentences (`stated`): over all
    sentences the most central ones are background (Carbonell & Goldstein, "The use of MMR", SIGIR
    1998; lambda 0.7). Key papers come first of all; then reviewed labels are preferred. A
    paper that states nothing, or is filed provisionally, is never chosen.
    """
    sure = [e for e in entries if e.first.status != "provisional" or e.key]
    told = [(e, text) for e in sorted(sure, key=lambda e: e.number) if (text := stated(e))]
    able = [entry for entry, _ in told]
    if len(able) <= most or not most:
        return able[:most]
    texts = [f"{entry.paper.title} {text}" for entry, text in told]
    bonuses = list(map(_bonus, able))
    return [able[place] for place in _unlike_each_other(texts, bonuses, most)]


def _unlike_each_other(texts: Sequence[str], bonuses: Sequence[float], most: int) -> list[int]:
    """Return the places of `most` texts by maximal marginal relevance, sorted; there are more."""
    rows = _vectors(texts)
    relevance = _relevance(rows, bonuses)
    closest = [0.0] * len(rows)
    chosen: list[int] = []
    while True:
        worth = [
            round(_LAMBDA * here - (1 - _LAMBDA) * near, 9)
            for here, near in zip(relevance, closest, strict=True)
        ]
        best = max((i for i in range(len(rows)) if i not in chosen), key=lambda i: (worth[i], -i))
        chosen.append(best)
        if len(chosen) == most:
            return sorted(chosen)
        closest = [
            max(near, _cosine(row, rows[best])) for near, row in zip(closest, rows, strict=True)
        ]


def most_central(entries: Sequence[Entry], most: int) -> list[Entry]:
    """Return the `most` papers closest to the common vocabulary, key papers first of all."""
    texts = [f"{entry.paper.title} {entry.contribution}" for entry in entries]
    bonuses = list(map(_bonus, entries))
    relevance = _relevance(_vectors(texts), bonuses)
    order = sorted(range(len(texts)), key=lambda i: (-round(relevance[i], 9), i))
    return [entries[place] for place in order[:most]]


def _relevance(rows: Sequence[Vector], bonuses: Sequence[float]) -> list[float]:
    """Return the cosine of each row to the centroid, and what speaks for the paper besides."""
    total: dict[str, float] = {}
    for row in rows:
        for token, weight in row.items():
            total[token] = total.get(token, 0.0) + weight
    centroid = _of_length_one(total)
    return [_cosine(row, centroid) + more for row, more in zip(rows, bonuses, strict=True)]


def _bonus(entry: Entry) -> float:
    return _STATUS_BONUS[entry.first.status] + (_KEY_BONUS if entry.key else 0.0)


def _vectors(texts: Sequence[str]) -> list[Vector]:
    """Return TF-IDF rows of length 1: sublinear tf, smoothed idf, as scikit-learn weighs them.

    In plain Python, so that a build that learns nothing need not load scikit-learn.
    """
    counts = [Counter(tokens(text)) for text in texts]
    holding = Counter(token for count in counts for token in count)
    idf = {token: math.log((1 + len(texts)) / (1 + df)) + 1 for token, df in holding.items()}
    return [
        _of_length_one({token: (1 + math.log(tf)) * idf[token] for token, tf in count.items()})
        for count in counts
    ]


def _of_length_one(weights: Mapping[str, float]) -> Vector:
    length = math.sqrt(math.fsum(map(mul, weights.values(), weights.values()))) or 1.0
    return {token: weight / length for token, weight in weights.items()}


def _cosine(one: Vector, other: Vector) -> float:
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    return math.fsum(map(mul, small.values(), map(large.get, small, repeat(0.0))))
