"""What libraries call a kind of publication, in the words of CSL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_JOURNAL, _CONFERENCE, _WEB = "article-journal", "paper-conference", "webpage"

RIS_TYPES: Mapping[str, str] = {
    **dict.fromkeys(("JOUR", "EJOUR", "JFULL", "INPR", "ABST"), _JOURNAL),
    **dict.fromkeys(("CONF", "CPAPER"), _CONFERENCE),
    **dict.fromkeys(("BOOK", "EBOOK", "EDBOOK"), "book"),
    **dict.fromkeys(("CHAP", "ECHAP"), "chapter"),
    **dict.fromkeys(("RPRT", "GOVDOC"), "report"),
    **dict.fromkeys(("UNPB", "MANSCPT"), "manuscript"),
    **dict.fromkeys(("ELEC", "WEB"), _WEB),
    **dict.fromkeys(("DATA", "DBASE", "AGGR"), "dataset"),
    **dict.fromkeys(("ICOMM", "PCOMM"), "personal_communication"),
    **dict.fromkeys(("MPCT", "VIDEO"), "motion_picture"),
    "BLOG": "post-weblog",
    "COMP": "software",
    "DICT": "entry-dictionary",
    "ENCYC": "entry-encyclopedia",
    "MGZN": "article-magazine",
    "NEWS": "article-newspaper",
    "PAMP": "pamphlet",
    "PAT": "patent",
    "SLIDE": "speech",
    "STAND": "standard",
    "THES": "thesis",
}
"""Codes of `TY`; what is missing, `GEN` above all, says nothing."""

ENDNOTE_TYPES: Mapping[str, str] = {
    **dict.fromkeys(("journal article", "electronic article"), _JOURNAL),
    **dict.fromkeys(("conference paper", "conference proceedings"), _CONFERENCE),
    **dict.fromkeys(("book", "edited book", "electronic book"), "book"),
    **dict.fromkeys(("book section", "electronic book section"), "chapter"),
    **dict.fromkeys(("report", "government document"), "report"),
    **dict.fromkeys(("manuscript", "unpublished work"), "manuscript"),
    **dict.fromkeys(("web page", "online multimedia"), _WEB),
    **dict.fromkeys(("dataset", "online database", "aggregated database"), "dataset"),
    "blog": "post-weblog",
    "computer program": "software",
    "dictionary": "entry-dictionary",
    "encyclopedia": "entry-encyclopedia",
    "film or broadcast": "motion_picture",
    "magazine article": "article-magazine",
    "newspaper article": "article-newspaper",
    "pamphlet": "pamphlet",
    "patent": "patent",
    "personal communication": "personal_communication",
    "standard": "standard",
    "thesis": "thesis",
}
"""EndNote's names of reference types, in lower case."""

ENDNOTE_NUMBERS: Mapping[str, str] = {
    "0": _JOURNAL, "3": _CONFERENCE, "5": "book", "6": "book", "7": "chapter", "9": "software",
    "10": _CONFERENCE, "12": _WEB, "17": _JOURNAL, "19": "article-magazine",
    "23": "article-newspaper", "25": "patent", "27": "report", "28": "book", "32": "thesis",
    "34": "manuscript", "36": "manuscript", "43": _JOURNAL, "44": "book", "46": "report",
    "47": _CONFERENCE, "59": "dataset", "60": "chapter",
}  # fmt: skip
"""EndNote's numbers of reference types, for files that leave out their names."""

_PUBMED_TYPES: Mapping[str, str] = {
    "preprint": "article",
    "dataset": "dataset",
    "newspaper article": "article-newspaper",
    "book": "book",
    "book chapter": "chapter",
    "technical report": "report",
    "academic dissertation": "thesis",
}

_SCIENCE_TYPES: Mapping[str, str] = {
    "proceedings paper": _CONFERENCE,
    "book chapter": "chapter",
    "book review": "review-book",
    "book": "book",
    "data paper": _JOURNAL,
    "dissertation/thesis": "thesis",
    "preprint": "article",
    "software review": "review",
    "data set": "dataset",
}


def type_on_arxiv(csl_type: str, venue: str) -> str:
    """Return the type of a work with an arXiv id: in no journal it is a preprint, an `article`.

    >>> type_on_arxiv("article-journal", ""), type_on_arxiv("article-journal", "Bread")
    ('article', 'article-journal')
    """
    is_open = csl_type in ("", "manuscript") or (csl_type == _JOURNAL and not venue)
    return "article" if is_open else csl_type


def pubmed_type(stated: Iterable[str]) -> str:
    """Return the CSL type of what PubMed calls `Journal Article`, `Preprint` and so on."""
    kinds = [text.lower() for text in stated]
    found = (_PUBMED_TYPES[kind] for kind in kinds if kind in _PUBMED_TYPES)
    return _JOURNAL if "journal article" in kinds else next(found, _JOURNAL)


def science_type(carrier: str, document: str, *, is_whole: bool) -> str:
    """Return the CSL type by Web of Science's `PT` (J, C, B, S, P) and `DT`.

    is_whole: whether the publication is named as its source is, so a book and no chapter.
    """
    kinds = [kind.strip().lower() for kind in document.split(";")]
    match carrier[:1]:
        case "P":
            return "patent"
        case "C":
            return _CONFERENCE
        case "B" | "S" if "proceedings paper" not in kinds:
            return "book" if is_whole or "book" in kinds else "chapter"
        case "J" if "article" in kinds:
            return _JOURNAL
    return next((_SCIENCE_TYPES[kind] for kind in kinds if kind in _SCIENCE_TYPES), _JOURNAL)
