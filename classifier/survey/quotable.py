"""Which sentence of an abstract can be quoted: it is whole, and hangs on nothing before it."""

from __future__ import annotations

import re

from classifier.text.normalise import tokens

_LONGEST = 600
"""Signs of a sentence that is one; of more, its full stops were lost."""
# "It wins …", "Moreover, …", "We also …": what is meant stands before it.
_LEANS_BACK = re.compile(
    r"(?:(?:\w+|in \d{4}), )?(?:it|its|in it|he|she|his|her|they|their|both|here(?!,? we\b)|there"
    r"|from here|since then|(?:in )?(?:our )?previous|\w+ of them|(?:\w+ ){3}s?he|also"
    r"|\w+ \w+ also|between the two|(?:the|an?) \w+ of (?:its|their)|to \w+ (?:it|them)"
    r"|additionally|as a result|conversely|finally|further|furthermore|hence|however|in addition"
    r"|instead|lastly|meanwhile|moreover|nevertheless|nonetheless|similarly|subsequently|then"
    r"|therefore|(?:this|the) \w+ (?:is )?therefore|thus|together"
    r"|we (?:have )?(?:also|further|previously|first|then)|the (?:\w+ )?(?:chapter|part|section)s?"
    r"|we (?:\w+ )?\w+ the (?:findings|observations|results)"
    r"|based on (?:\w+ )*(?:findings|results))\b|\.\.\.|…",
    re.IGNORECASE,
)
# "… explores these values": whether what is meant has a name before it is seen by its two words.
_POINTS = re.compile(
    r"\b(?:this|these|those|such|the (?:latter|former))\b"
    r"(?! (?:an?|as|by|for|from|in|of|that|to|who|whose|with)\b)((?: [\w'’-]+){0,2})",
    re.IGNORECASE,
)
_ITSELF = frozenset(
    "article book case chapter dissertation essay letter manuscript note paper report"
    " research review study survey thesis trial volume work".split()
)
"""What a paper calls itself: "this paper" needs no name before it."""
# Lost signs, blanks and ends, footnotes, and what publishers add.
_BROKEN = re.compile(
    r"\"\"|\([^()]*\d{4};[^()]*\d{4};|^[A-Z][A-Z /&]{3,}:"
    r"|[\ufffd¿•]|\w\?\w|&\w+;|[a-z]&\s|\[Formula\b|\b(?:the|of|in|and)[A-Z][a-z]"
    r"|\w,[a-z]{5,}|[a-z]{7}\. [a-z]"
    r"|\b(?:the|see) (?:Fig\.|Figure\b)|\b(?:described|discussed|mentioned|presented) above\b"
    r"|(?i:\byou\b|provided by publisher|back cover|\bimprint of\b"
    r"|\bhighly accessible|\blandmark volume|\bsignature \w+ style|\bdelightful|\bfascinating"
    r"|\blucidly|\b(?:compelling|provocative|radiant|thought-provoking) (?:book|study|work)\b"
    r"|methodology/approach)|\w{36}"
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


def stands_alone(sentence: str) -> bool:
    """Say whether a sentence is understood without the one before it, and says something."""
    return _is_whole(sentence) and not _hangs(sentence)


def stands_beside(title: str, sentence: str) -> bool:
    """Say whether a sentence is understood beside its paper's title, in a table.

    None is that is in another language than an English title.
    """
    is_foreign = len(sentence.split()) >= _TELLING and not _ENGLISH.search(sentence)
    return (
        _is_whole(sentence)
        and not (is_foreign and _ENGLISH.search(title))
        and not _hangs(sentence, title)
    )


def _hangs(sentence: str, title: str = "") -> bool:
    """Say whether a sentence points at what neither it nor the title beside it names before."""
    if _LEANS_BACK.match(sentence):
        return True
    for found in _POINTS.finditer(sentence):
        before = {word.removesuffix("s") for word in tokens(f"{title} {sentence[: found.start()]}")}
        meant = [word for word in tokens(found[1]) if len(word) > 3]
        if _ITSELF.isdisjoint(meant) and before.isdisjoint(w.removesuffix("s") for w in meant):
            return True
    return False


def _is_whole(sentence: str) -> bool:
    """Say whether nothing of a sentence is lost, and it advertises nothing."""
    is_one = 0 < len(sentence) <= _LONGEST and not _BROKEN.search(sentence)
    return is_one and (_is_balanced(sentence) or _is_balanced(_NUMBERED.sub("", sentence)))


def _is_balanced(text: str) -> bool:
    return text.count("(") == text.count(")")
