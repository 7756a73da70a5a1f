"""Kinds of publication: map the type names that sources use to CSL types, with `kinds.yaml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from classifier.papers.words import load_words


def _fold_type_name(word: str) -> str:
    """Return a word for comparison, so that `journal-article` and `Journal Article` are equal."""
    return re.sub(r"[\s_-]+", "", word.casefold())


_LISTS: Final = load_words(Path(__file__).with_name("kinds.yaml"))
CSL_KINDS: Final = frozenset(_LISTS["csl"])
"""The vocabulary of CSL."""
_KINDS: Final[Mapping[str, str]] = {
    _fold_type_name(word): kind for kind, words in _LISTS["words"].items() for word in words
}
_OTHER_MEANINGS: Final[Mapping[str, Mapping[str, str]]] = {
    source: {_fold_type_name(word): kind for word, kind in words.items()}
    for source, words in _LISTS["other_meanings"].items()
}
ENDNOTE_NUMBERS: Final[Mapping[str, str]] = {
    number: kind for kind, numbers in _LISTS["endnote_numbers"].items() for number in numbers
}
"""Number of a reference type of EndNote -> kind, for files without the names of types."""


def csl_type(type_name: str, source: str = "") -> str:
    """Return the CSL type for a source's word; "" if the word is unknown.

    source: name of the source, if it uses some words with other meanings.

    >>> csl_type("Journal Article"), csl_type("proceedings", "crossref"), csl_type("GEN")
    ('article-journal', 'book', '')
    """
    folded = _fold_type_name(type_name)
    own = _OTHER_MEANINGS.get(source, {})
    known = _KINDS.get(folded) or (type_name if type_name in CSL_KINDS else "")
    return own.get(folded, known)


def csl_type_on_arxiv(kind: str, venue: str) -> str:
    """Return the type of a work with an arXiv id; without a journal it is a preprint (`article`).

    >>> csl_type_on_arxiv("article-journal", ""), csl_type_on_arxiv("article-journal", "Bread")
    ('article', 'article-journal')
    """
    is_open = kind in ("", "manuscript") or (kind == "article-journal" and not venue)
    return "article" if is_open else kind
