"""What sources state of a publication: its numbers and keys, found in texts, and its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from classifier.papers.fields import clean_url
from classifier.papers.paper import clean_arxiv_id, clean_doi

_ISSN = re.compile(r"(?<![\d-])(\d{4})-?(\d{3}[\dXx])(?![\d-])", re.ASCII)
_ISBN = re.compile(r"(?<![\d-])(?:97[89][- ]?)?\d(?:[- ]?\d){8}[- ]?[\dXx](?![\d-])", re.ASCII)
_PMID = re.compile(
    r"\b(?:PMID|MEDLINE|PubMed(?: ID)?)\s*[:=]?\s*(\d{1,8})\b|\b(\d{1,8}) ?\[(?:PMID|PubMed)\]",
    re.IGNORECASE,
)
_PMCID = re.compile(r"\bPMC\d{3,9}\b", re.ASCII)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)", re.ASCII)
_DOI_PLACE = re.compile(r"doi\.org/|\bdoi\b", re.IGNORECASE)


def issns(*texts: str) -> str:
    """Return the ISSNs in texts, with hyphens, distinct, joined as CSL does.

    >>> issns("1660-4601 1661-7827", "01678809 (Print)", "978-3-16-148410-0")
    '1660-4601, 1661-7827, 0167-8809'
    """
    found = (f"{match[1]}-{match[2].upper()}" for text in texts for match in _ISSN.finditer(text))
    return ", ".join(dict.fromkeys(found))


def isbns(*texts: str) -> str:
    """Return the ISBNs in texts as printed, distinct, joined as CSL does.

    >>> isbns("978-3-16-148410-0; 9783161484117", "1660-4601")
    '978-3-16-148410-0, 9783161484117'
    """
    found = (match[0] for text in texts for match in _ISBN.finditer(text))
    return ", ".join(dict.fromkeys(found))


def doi_in(stated: Iterable[str], elsewhere: Iterable[str] = ()) -> str:
    """Return the first DOI of texts that state one, else of texts that call something a DOI.

    >>> doi_in(["none"], ["https://example.org/10.1000/1", "https://doi.org/10.1000/182"])
    '10.1000/182'
    """
    named = (text for text in elsewhere if _DOI_PLACE.search(text))
    # Some databases print a blank behind the slash.
    texts = (text.replace("/ ", "/") for text in (*stated, *named))
    return next((doi for text in texts if (doi := clean_doi(text))), "")


def doi_of_resolver(address: str) -> str:
    """Return the DOI of an address that resolves it, or "".

    >>> doi_of_resolver("https://doi.org/10.1000/182"), doi_of_resolver("https://a.org/10.1000/1")
    ('10.1000/182', '')
    """
    return clean_doi(address) if "doi.org/10." in address.lower() else ""


def pmid_in(*texts: str) -> str:
    """Return the PubMed id that texts name as one, or "".

    >>> pmid_in("35957633 [PMID]"), pmid_in("PMID: 123"), pmid_in("123")
    ('35957633', '123', '')
    """
    match = next((match for text in texts if (match := _PMID.search(text))), None)
    return (match[1] or match[2]) if match else ""


def pmcid_in(*texts: str) -> str:
    """Return the PubMed Central id in texts, or ""."""
    return next((match[0] for text in texts if (match := _PMCID.search(text))), "")


def cite_key_in(*texts: str) -> str:
    """Return the first text that looks like a key people cite by: letters and a year, no blanks.

    Numbers that databases count their records with stand in the same fields.

    >>> cite_key_in("57530", "WOS:A1974S801100007", "Baker2017b")
    'Baker2017b'
    """
    for text in texts:
        if re.fullmatch(r"(?!WOS:|ISI:)[^\W\d_][\w:.+-]{3,59}", text) and _YEAR.search(text):
            return text
    return ""


def page_range(first: str, last: str = "") -> str:
    """Return the pages between two numbers, or those that `first` states already.

    >>> page_range("10", "20"), page_range("10-20", "20"), page_range("e12", "e12")
    ('10-20', '10-20', 'e12')
    """
    if not first.isascii() or "--" in first:
        first = re.sub(r"\s*(?:[\u2012-\u2015]+|--+)\s*", "-", first)
    is_range = "-" in first or last in ("", "+", first)
    return first if is_range or not first else f"{first}-{last}"


_PREPRINT_SERVER = re.compile(r"arxiv\b|corr\b|computing research repository", re.IGNORECASE)
# https://shortdoi.org
_SHORT_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10/[a-z0-9]+)", re.IGNORECASE)
_ARXIV_PLACE = re.compile(r"arxiv|alphaxiv|huggingface\.co/papers/", re.IGNORECASE)


def arxiv_id_in(texts: Iterable[str]) -> str:
    """Return the first arXiv id in texts that name arXiv beside it, or "".

    >>> arxiv_id_in(["10.1000/182", "https://arxiv.org/abs/2401.10230v2"])
    '2401.10230'
    """
    found = (clean_arxiv_id(text) for text in texts if _ARXIV_PLACE.search(text))
    return next((arxiv_id for arxiv_id in found if arxiv_id), "")


def venue_of(text: str) -> str:
    """Return the name of a journal or of proceedings; "" for arXiv, which is neither.

    >>> venue_of("arXiv (Cornell University)"), venue_of("Journal of Bread")
    ('', 'Journal of Bread')
    """
    return "" if _PREPRINT_SERVER.match(text) else text


def url_of(*texts: str) -> str:
    """Return the first text that is an http or https URL, or ""."""
    return next((url for text in texts if (url := clean_url(text))), "")


def doi_and_url(doi: str, url: str) -> tuple[str, str]:
    """Return DOI and URL; a short DOI, which is a mere link, becomes the URL where there is none.

    >>> doi_and_url("10/abc12", ""), doi_and_url("", "https://doi.org/10.1000/182")
    (('', 'https://doi.org/10/abc12'), ('10.1000/182', 'https://doi.org/10.1000/182'))
    """
    if short := _SHORT_DOI.fullmatch(doi):
        return doi_of_resolver(url), url_of(url) or f"https://doi.org/{short[1]}"
    return doi or doi_of_resolver(url), url_of(url)


def pubmed_url(pmid: str, doi: str) -> str:
    """Return PubMed's page of a paper where it has no DOI that leads to it, else ""."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if pmid.isdecimal() and not doi else ""


# --- Kinds: what sources call them, in the words of CSL ------------------------------------------
# One table for all sources. A word is looked up in lower case without blanks, hyphens or
# underscores, so that `journal-article`, `Journal Article` and `journalArticle` are one.
# https://docs.citationstyles.org/en/stable/specification.html#appendix-iii-types

CSL_KINDS: Final = frozenset(
    "article article-journal article-magazine article-newspaper bill book broadcast chapter"
    " classic collection dataset document entry entry-dictionary entry-encyclopedia event figure"
    " graphic hearing interview legal_case legislation manuscript map motion_picture"
    " musical_score pamphlet paper-conference patent performance periodical"
    " personal_communication post post-weblog regulation report review review-book software song"
    " speech standard thesis treaty webpage".split()
)
"""The vocabulary of CSL."""

# CSL kind -> what sources call it.
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

# Where a source means something else by a word than the others do.
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
    """Return the CSL kind of what a source calls a kind of publication, "" where it is unknown.

    source: whose words they are, where its own meanings are in the table.

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
"""EndNote's numbers of reference types, for files that leave out their names."""


def kind_on_arxiv(kind: str, venue: str) -> str:
    """Return the kind of a work with an arXiv id: in no journal it is a preprint, an `article`.

    >>> kind_on_arxiv("article-journal", ""), kind_on_arxiv("article-journal", "Bread")
    ('article', 'article-journal')
    """
    is_open = kind in ("", "manuscript") or (kind == "article-journal" and not venue)
    return "article" if is_open else kind
