"""Kinds of publication: from the words of sources to the terms of CSL.

One table serves all sources. A word is looked up in lower case without blanks, hyphens or
underscores, so that `journal-article`, `Journal Article` and `journalArticle` are equal.
https://docs.citationstyles.org/en/stable/specification.html#appendix-iii-types
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

CSL_KINDS: Final = frozenset(
    "article article-journal article-magazine article-newspaper bill book broadcast chapter"
    " classic collection dataset document entry entry-dictionary entry-encyclopedia event figure"
    " graphic hearing interview legal_case legislation manuscript map motion_picture"
    " musical_score pamphlet paper-conference patent performance periodical"
    " personal_communication post post-weblog regulation report review review-book software song"
    " speech standard thesis treaty webpage".split()
)
"""The vocabulary of CSL."""

# CSL kind -> words of sources.
_WORDS: Final[Mapping[str, str]] = {
    "article": "preprint|preprints|posted content|eprint|informal publications"
    "|informal and other publications",
    "article-journal": "article|journal article|journal articles|journal|journals"
    "|electronic article|ejour|jour|jfull|inpr|abst|j|letter|editorial|erratum|retraction"
    "|review article|short survey|research article|journal paper"
    "|article; early access|early access articles"
    "|ieee journals|revista|期刊|suppperiodical|clinical trial|case report|meta analysis|study"
    "|letters and comments",
    "article-magazine": "magazine article|mgzn",
    "article-newspaper": "newspaper article|news",
    "bill": "bill",
    "book": "book|books|b|monograph|edited book|electronic book|reference book|ebook|edbook|mvbook"
    "|collection|mvcollection|booklet|mvproceedings|reference|mvreference|book series|book set"
    "|books and theses|editorship",
    "broadcast": "podcast|radio broadcast|tv broadcast",
    "chapter": "chapter|book section|book chapter|book part|book track|incollection|inbook"
    "|bookinbook|suppbook|suppcollection|electronic book section|article; book chapter|chap|echap"
    "|parts in books or collections",
    "dataset": "dataset|data paper|database|online database|aggregated database|data"
    "|dbase|aggr|data and artifacts",
    "document": "document|component",
    "entry": "reference entry|reference works",
    "entry-dictionary": "dictionary|dictionary entry|dict",
    "entry-encyclopedia": "encyclopedia|encyclopedia article|encyc|inreference",
    "graphic": "artwork|image",
    "hearing": "hearing",
    "interview": "interview",
    "legal_case": "case|jurisdiction",
    "legislation": "statute|legislation|legal|constitution",
    "manuscript": "manuscript|unpublished work|unpb|manscpt|unpublished",
    "map": "map",
    "motion_picture": "film|film or broadcast|video recording|video|movie|mpct",
    "pamphlet": "pamphlet|pamp",
    "paper-conference": "conference paper|conference papers|conference|conferences"
    "|proceedings paper|conference proceedings|inproceedings|proceedings article|cpaper|conf|c"
    "|proceeding|ieee conferences|article; proceedings paper|conference and workshop papers"
    "|conference object",
    "patent": "patent|pat",
    "performance": "performance",
    "periodical": "periodical|journal issue|journal volume",
    "personal_communication": "personal communication|email|instant message|icomm|pcomm",
    "post": "forum post",
    "post-weblog": "blog|blog post",
    "report": "report|technical report|techreport|manual|working paper|government document|rprt"
    "|govdoc|report component|report series",
    "review": "peer review|software review",
    "review-book": "book review",
    "software": "software|computer program|comp",
    "song": "audio recording|audio|music",
    "speech": "presentation|slide",
    "standard": "standard|stand",
    "thesis": "thesis|theses|dissertation|dissertation/thesis|phd thesis|masters thesis|thes"
    "|dissertations & theses|academic dissertation|doctoral thesis|master thesis"
    "|bachelor thesis",
    "webpage": "webpage|online multimedia|online|electronic|www|web|elec",
}

# Source -> words with another meaning than in other sources.
_OWN_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "bibtex": {
        "proceedings": "book", "conference": "paper-conference", "review": "review",
        "letter": "personal_communication", "webpage": "webpage", "data": "", "news": "",
        "misc": "",
    },
    "crossref": {"journal": "periodical", "proceedings": "book", "review": "review"},
    "endnote": {"conference proceedings": "paper-conference", "dictionary": "entry-dictionary"},
    "openalex": {"review": "article-journal"},
    "semantic scholar": {"review": "article-journal"},
    "table": {
        "proceedings": "paper-conference", "review": "article-journal",
        "blog post": "webpage", "note": "article-journal", "unpublished": "article",
    },
    "web of science": {"data paper": "article-journal"},
    "zotero": {"letter": "personal_communication", "presentation": "speech"},
}  # fmt: skip


def _fold(word: str) -> str:
    return re.sub(r"[\s_-]+", "", word.casefold())


_KINDS: Final = {_fold(word): kind for kind, words in _WORDS.items() for word in words.split("|")}
_OWN: Final = {
    source: {_fold(word): kind for word, kind in words.items()}
    for source, words in _OWN_WORDS.items()
}


def csl_kind(words: str, source: str = "") -> str:
    """Return the CSL kind for the word of a source, "" if it is unknown.

    source: its name in the table of words with other meanings.

    >>> csl_kind("Journal Article"), csl_kind("proceedings", "crossref"), csl_kind("GEN")
    ('article-journal', 'book', '')
    """
    folded = _fold(words)
    own = _OWN.get(source, {})
    known = _KINDS.get(folded) or (words if words in CSL_KINDS else "")
    return own.get(folded, known)


ENDNOTE_NUMBERS: Final[Mapping[str, str]] = {
    "0": "article-journal", "3": "paper-conference", "5": "book", "6": "book", "7": "chapter",
    "9": "software", "10": "paper-conference", "12": "webpage", "17": "article-journal",
    "19": "article-magazine", "23": "article-newspaper", "25": "patent", "27": "report",
    "28": "book", "32": "thesis", "34": "manuscript", "36": "manuscript", "43": "article-journal",
    "44": "book", "46": "report", "47": "paper-conference", "59": "dataset", "60": "chapter",
}  # fmt: skip
"""Numbers of reference types of EndNote, for files without their names."""


def kind_on_arxiv(kind: str, venue: str) -> str:
    """Return the kind of a work with an arXiv id; without a journal it is a preprint, `article`.

    >>> kind_on_arxiv("article-journal", ""), kind_on_arxiv("article-journal", "Bread")
    ('article', 'article-journal')
    """
    is_open = kind in ("", "manuscript") or (kind == "article-journal" and not venue)
    return "article" if is_open else kind
