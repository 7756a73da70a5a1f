"""Find identifiers of publications (DOI, arXiv id, ISSN, PubMed id, URL …) in texts of sources."""

from __future__ import annotations

import re
from collections.abc import Iterable

from classifier.papers.fields import clean_url
from classifier.papers.paper import clean_arxiv_id, clean_doi

_ISSN = re.compile(r"(?<![\d-])(\d{4})-?(\d{3}[\dXx])(?![\d-])", re.ASCII)
_ISBN = re.compile(r"(?<![\d-])(?:97[89][- ]?)?\d(?:[- ]?\d){8}[- ]?[\dXx](?![\d-])", re.ASCII)
_PMID = re.compile(
    r"\b(?:PMID|MEDLINE|PubMed(?: ID)?)\s*[:=]?\s*(\d{1,8})\b|\b(\d{1,8}) ?\[(?:PMID|PubMed)\]",
    re.IGNORECASE,
)
PMCID = re.compile(r"\bPMC\d{3,9}\b", re.ASCII)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)", re.ASCII)
_DOI_PLACE = re.compile(r"doi\.org/|\bdoi\b", re.IGNORECASE)


def find_issns(*texts: str) -> str:
    """Return the distinct ISSNs in texts, with hyphens, separated by commas.

    >>> find_issns("1660-4601 1661-7827", "01678809 (Print)", "978-3-16-148410-0")
    '1660-4601, 1661-7827, 0167-8809'
    """
    found = (f"{match[1]}-{match[2].upper()}" for text in texts for match in _ISSN.finditer(text))
    return ", ".join(dict.fromkeys(found))


def find_isbns(*texts: str) -> str:
    """Return the distinct ISBNs in texts, as printed, separated by commas.

    >>> find_isbns("978-3-16-148410-0; 9783161484117", "1660-4601")
    '978-3-16-148410-0, 9783161484117'
    """
    found = (match[0] for text in texts for match in _ISBN.finditer(text))
    return ", ".join(dict.fromkeys(found))


def find_doi(doi_fields: Iterable[str], other_texts: Iterable[str] = ()) -> str:
    """Return the first DOI in `doi_fields`, else in the `other_texts` that mention a DOI.

    >>> find_doi(["none"], ["https://example.org/10.1000/1", "https://doi.org/10.1000/182"])
    '10.1000/182'
    """
    possible = (text for text in other_texts if _DOI_PLACE.search(text))
    # Some databases print a blank after the slash.
    texts = (text.replace("/ ", "/") for text in (*doi_fields, *possible))
    return next((doi for text in texts if (doi := clean_doi(text))), "")


# Prefixes of DOIs of preprints: arXiv, bioRxiv and medRxiv, SSRN, Research Square, Zenodo.
_ARCHIVES = ("10.48550/", "10.1101/", "10.2139/ssrn", "10.21203/rs", "10.5281/zenodo")


def is_archive_doi(doi: str) -> bool:
    """Return whether a DOI is that of a preprint or deposit; the publication may have another."""
    return doi.startswith(_ARCHIVES)


def doi_from_url(address: str) -> str:
    """Return the DOI in a URL of doi.org, or "".

    >>> doi_from_url("https://doi.org/10.1000/182"), doi_from_url("https://a.org/10.1000/1")
    ('10.1000/182', '')
    """
    return clean_doi(address) if "doi.org/10." in address.lower() else ""


def find_pmid(*texts: str) -> str:
    """Return the PubMed id in texts that mark it as such, or "".

    >>> find_pmid("35957633 [PMID]"), find_pmid("PMID: 123"), find_pmid("123")
    ('35957633', '123', '')
    """
    match = next((match for text in texts if (match := _PMID.search(text))), None)
    return (match[1] or match[2]) if match else ""


def find_cite_key(*texts: str) -> str:
    """Return the first text that looks like a cite key: letters and a year, without blanks.

    In some exports, the same fields contain record numbers of a database.

    >>> find_cite_key("57530", "WOS:A1974S801100007", "Baker2017b")
    'Baker2017b'
    """
    for text in texts:
        if re.fullmatch(r"(?!WOS:|ISI:)[^\W\d_][\w:.+-]{3,59}", text) and _YEAR.search(text):
            return text
    return ""


def page_range(first_page: str, last_page: str = "") -> str:
    """Return the page range from `first_page` to `last_page`; `first_page` may already be a range.

    >>> page_range("10", "20"), page_range("10-20", "20"), page_range("e12", "e12")
    ('10-20', '10-20', 'e12')
    """
    if not first_page.isascii() or "--" in first_page:
        first_page = re.sub(r"\s*(?:[\u2012-\u2015]+|--+)\s*", "-", first_page)
    is_range = "-" in first_page or last_page in ("", "+", first_page)
    return first_page if is_range or not first_page else f"{first_page}-{last_page}"


_PREPRINT_SERVER = re.compile(r"arxiv\b|corr\b|computing research repository", re.IGNORECASE)
# https://shortdoi.org
_SHORT_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10/[a-z0-9]+)", re.IGNORECASE)
_ARXIV_PLACE = re.compile(r"arxiv|alphaxiv|huggingface\.co/papers/", re.IGNORECASE)


def find_arxiv_id(texts: Iterable[str]) -> str:
    """Return the first arXiv id in texts that mention arXiv, or "".

    >>> find_arxiv_id(["10.1000/182", "https://arxiv.org/abs/2401.10230v2"])
    '2401.10230'
    """
    found = (clean_arxiv_id(text) for text in texts if _ARXIV_PLACE.search(text))
    return next((arxiv_id for arxiv_id in found if arxiv_id), "")


def venue_unless_preprint(text: str) -> str:
    """Return `text` if it names a journal or proceedings; "" for a preprint server.

    >>> venue_unless_preprint("Journal of Bread"), venue_unless_preprint("arXiv (Cornell)")
    ('Journal of Bread', '')
    """
    return "" if _PREPRINT_SERVER.match(text) else text


def find_url(*texts: str) -> str:
    """Return the first text that is an http or https URL, or ""."""
    return next((url for text in texts if (url := clean_url(text))), "")


def doi_and_url(doi: str, url: str) -> tuple[str, str]:
    """Return the DOI and the URL of a paper.

    A short DOI is only a link: it becomes the URL if there is no other URL.

    >>> doi_and_url("10/abc12", ""), doi_and_url("", "https://doi.org/10.1000/182")
    (('', 'https://doi.org/10/abc12'), ('10.1000/182', 'https://doi.org/10.1000/182'))
    """
    if short := _SHORT_DOI.fullmatch(doi):
        return doi_from_url(url), find_url(url) or f"https://doi.org/{short[1]}"
    return doi or doi_from_url(url), find_url(url)
