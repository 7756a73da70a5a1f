"""Names made of the words that papers share, as people write them: “Chain of thought”, “RL”."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from classifier.text.normalise import cased_tokens

GENERIC_WORDS = frozenset(
    """
    able abstract academic achieve achieved achieves additional address addressed aim aims al allow
    allows analyses analysis analyze analyzed applied apply approach approaches art article articles
    aspects author authors available background based benefits better case challenge challenges com
    common compared comparison comprehensive conclusion conclusions conference consider considered
    context copyright current currently data days defined demonstrate demonstrated demonstrates
    describe described despite develop developed development different discuss discussed doi driven
    early effect effective effects efficient elsevier enable enables enhance et evaluate evaluated
    evidence examine existing experiment experimental experiments explore extensive factor factors
    field findings focus following framework frameworks future general github given global goal good
    group groups growing help high higher highlight highly however http https ieee ii iii impact
    impacts important improve improved improvement improves including increase increased increasing
    indicate international introduce introduced introduction investigate investigated io issue
    issues items journal key known lack large larger lead leading level levels limited literature
    long low lower made main major make makes making method methodology methods model models
    multiple need needs new novel number objective objectives obtained offers open org overall
    overview paper papers particular perform performance performed performs personal possible
    potential practical pre present presented presents press previous problem problems proceedings
    process processes propose proposed proposes provide provided provides providing purpose question
    questions range real recent recently reduce reduced related relevant report reported require
    requires research researchers reserved result results review reviews revised rights role scale
    scenarios second series set setting settings shared short show showed shown shows significant
    significantly similar simple single size small solution solutions source specific springer
    standard state strategies strategy strong studied studies study substantial suggest support
    survey system systems task tasks technique techniques term terms test tested time tool tools
    total towards type types understanding unique unit use used user uses using utilize utilizes
    utilizing valid value values various ways well wide widely wiley work works workshop world www
    year years
    """.split()
)
"""Words of any abstract in any field: alone they name no subject."""

_SHARE = 0.4
"""A word is told with its neighbour from this share of its papers on: “thought” is “chain of …”."""
_LONGEST = 4
_PROSE = 400
"""Signs a paper, from which on most of the text is abstracts."""
_NAME = 0.9
"""A word that has a capital more often than this is a name: English, Markov."""
_FEWEST = 2


class Texts:
    """The words of some texts, to find out how people write a term."""

    def __init__(self, texts: Iterable[str]) -> None:
        """texts: titles and abstracts as read, one a paper."""
        texts = list(texts)
        self._whole = "\n".join(texts)
        self._is_prose = len(self._whole) > _PROSE * len(texts)
        self._cased = [cased_tokens(text) for text in texts]
        self._lower = [[word.lower() for word in words] for words in self._cased]

    def phrase(self, term: str) -> str:
        """Return `term` with the words that mostly stand beside it: at most four words.

        >>> Texts(["A chain of thought", "On chain of thought again"]).phrase("thought")
        'chain of thought'
        """
        words = tuple(term.split())
        while len(words) < _LONGEST:
            longer = self._longer(words)
            if not longer:
                break
            words = longer
        return " ".join(words)

    def spelled(self, phrase: str) -> str:
        """Return a phrase with its hyphens, and the capitals of its acronyms and names.

        >>> Texts(["RL pre-training", "What RL does"]).spelled("rl pre training")
        'RL pre-training'
        """
        words = phrase.split()
        told = self._spelling(words[0])
        for one, next_one in pairwise(words):
            told += self._between(one, next_one) + self._spelling(next_one)
        return told

    def _between(self, one: str, other: str) -> str:
        """Return the sign that mostly stands between two words: a hyphen or a blank."""
        beside = rf"\b{re.escape(one)}([-\u2010\u2011 ]){re.escape(other)}\b"
        signs = re.findall(beside, self._whole, re.IGNORECASE)
        return " " if 2 * signs.count(" ") >= len(signs) else "-"

    def _longer(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return the phrase that most papers with `words` write, one content word longer; or ()."""
        papers: Counter[tuple[str, ...]] = Counter()
        using = 0
        for text in self._lower:
            found = {
                phrase for at in _positions(text, words) for phrase in _around(text, at, words)
            }
            using += bool(_positions(text, words))
            papers.update(found)
        if not papers:
            return ()
        best = min(papers, key=lambda phrase: (-papers[phrase], len(phrase), phrase))
        return best if papers[best] >= max(_FEWEST, _SHARE * using) else ()

    def _spelling(self, word: str) -> str:
        """Return the commonest spelling; a capital at the beginning counts where it is the rule.

        In titles it is the rule for any word.
        """
        cased = Counter(
            cased
            for lower, as_written in zip(self._lower, self._cased, strict=True)
            for one, cased in zip(lower, as_written, strict=True)
            if one == word
        )
        if not cased or len(word) < 2:
            return word
        most = min(cased, key=lambda spelling: (-cased[spelling], spelling))
        if not most[1:].islower():  # an acronym, a figure
            return most if 2 * cased[most] > cased.total() else word
        is_name = self._is_prose and cased[most] > _NAME * cased.total()
        return most if is_name else word


def content_words(terms: Sequence[str]) -> list[str]:
    """Return the terms that hold a word beyond GENERIC_WORDS."""
    return [term for term in terms if any(word not in GENERIC_WORDS for word in term.split())]


def _positions(text: Sequence[str], words: tuple[str, ...]) -> list[int]:
    first, size = words[0], len(words)
    return [
        at for at, word in enumerate(text) if word == first and tuple(text[at : at + size]) == words
    ]


def _around(text: Sequence[str], at: int, words: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    """Yield the words at a place with one content word more, before or behind."""
    end = at + len(words)
    for start, stop in ((at - 1, end), (at, end + 1), (at - 2, end), (at, end + 2)):
        if start < 0 or stop > len(text) or stop - start > _LONGEST:
            continue
        phrase = tuple(text[start:stop])
        outer, inner = (phrase[0], phrase[1]) if start < at else (phrase[-1], phrase[-2])
        is_joined = stop - start == len(words) + 1 or inner in ("of", "in")
        if is_joined and _is_subject(outer) and not _is_acronym(outer, words):
            yield phrase


def _is_acronym(word: str, words: Sequence[str]) -> bool:
    """Say whether a word only shortens the others, as in “chain of thought (CoT)”."""
    initials = "".join(one[0] for one in words)
    return word.removesuffix("s") in (initials, initials + words[-1][1:2])


def _is_subject(word: str) -> bool:
    return bool(re.fullmatch(r"[^\W\d_]{2,}", word)) and word not in ENGLISH_STOP_WORDS
