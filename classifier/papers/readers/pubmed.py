"""Read PubMed: its tagged text (`.nbib`) and its XML, with one table of tags for both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.identifiers import page_range, venue_unless_preprint
from classifier.papers.kinds import csl_type
from classifier.papers.names import comma_before_initials, sorted_name
from classifier.papers.reader import require_signatures
from classifier.papers.readers.tagged import Entry, Read, TagForm, fields_of, tagged_reader
from classifier.papers.readers.xml_elements import (
    Element,
    child,
    children,
    end_line_of,
    text_of,
    xml_reader,
)

# A tag is padded to four characters: `PMID- `, `TI  - `.
_NBIB_FORM = TagForm(
    re.compile(r"\ufeff?(?=.{4}-)([A-Z][A-Z0-9]{1,3}) *-(?: (.*)|$)", re.DOTALL), "PMID"
)
_NBIB_START = re.compile(r"^\ufeff?PMID-(?: *\d|$)", re.MULTILINE)


def _sorted_people(entry: Entry, full_tags: str, short_tags: str) -> list[str]:
    """Return names as `Family, Given`; older records have only initials."""
    return entry.all_values(full_tags) or [
        comma_before_initials(name) for name in entry.all_values(short_tags)
    ]


def _nbib_doi(entry: Entry) -> str:
    return next((text[:-6] for text in entry.all_values("LID AID") if text.endswith(" [doi]")), "")


def _nbib_type(entry: Entry) -> str:
    """Return the type; a book title makes a chapter, or a book if there is no other title."""
    if "BTI" in entry.values:
        return "chapter" if entry.first_value("TI") else "book"
    kinds = [*filter(None, map(csl_type, entry.all_values("PT")))] or ["article-journal"]
    return "article-journal" if "article-journal" in kinds else kinds[0]


_PUBMED: Final[Mapping[str, Read]] = {
    "title": "TI BTI TT", "abstract": "AB OAB",
    "authors": lambda entry: [*_sorted_people(entry, "FAU", "AU"), *entry.all_values("CN")],
    "published": "DP DEP",
    "venue": lambda entry: (
        venue_unless_preprint(entry.first_value("JT TA"))
        or (entry.first_value("BTI") if entry.first_value("TI") else "")
    ),
    "arxiv_places": lambda entry: [_nbib_doi(entry), *entry.all_values("AID SI")],
    "doi": _nbib_doi,
    "url": lambda entry: (
        "" if _nbib_doi(entry) or not (pmid := entry.first_value("PMID")).isdecimal()
        else f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"
    ),
    "keywords": lambda entry: [text.replace("*", "") for text in entry.all_values("OT MH")],
    ":type": _nbib_type,
    ":volume": "VI", ":issue": "IP", ":page": "PG", ":publisher": "PB", ":publisher-place": "PL",
    ":collection-title": "CTI", ":container-title-short": "TA", ":original-title": "TT",
    ":language": "LA", ":ISSN": "IS", ":ISBN": "ISBN",
    ":editor": lambda entry: "; ".join(_sorted_people(entry, "FED", "ED")),
    ":PMID": "PMID", ":PMCID": "PMC OID",
}  # fmt: skip

NBIB: Final = tagged_reader(
    "nbib",
    _NBIB_FORM,
    _PUBMED,
    require_signatures("no line 'PMID- '", _NBIB_START),
    "PubMed's tagged text: records that begin with a line 'PMID- '",
    examples=("PMID- 123\nTI  - Bees @@\nFAU - @@\nAB  - @@\n", "PMID- 123\nTI  - Bees\n@@"),
)

_START = re.compile(r"<Pubmed(?:BookArticleSet|ArticleSet|Article|BookArticle)[\s>]")

# Tag of `.nbib` -> path of its values, below the element with title and authors.
_ARTICLE: Final = {
    "JT": "Journal/Title", "TA": "Journal/ISOAbbreviation", "VI": "Journal/JournalIssue/Volume",
    "IP": "Journal/JournalIssue/Issue", "PG": "Pagination/MedlinePgn", "IS": "Journal/ISSN",
    "PT": "PublicationTypeList/PublicationType", "LA": "Language", "TI": "ArticleTitle",
    "TT": "VernacularTitle", "BTI": "Book/BookTitle", "ISBN": "Book/Isbn",
    "PB": "Book/Publisher/PublisherName",
}  # fmt: skip
# Tag of `.nbib` -> path of its values, below the citation, which is the same element in a book.
_CITATION: Final = {"PMID": "PMID", "OID": "OtherID", "PL": "MedlineJournalInfo/Country"}


def _pubmed_fields(element: Element) -> dict[str, object]:
    citation = child(element, "MedlineCitation")
    citation = child(element, "BookDocument") if citation is None else citation
    article = child(citation, "Article")
    article = citation if article is None else article
    tags = {tag: _texts(article, path) for tag, path in _ARTICLE.items()}
    tags |= {tag: _texts(citation, path) for tag, path in _CITATION.items()}
    if tags["TT"] and "".join(tags["TI"][:1]) in ("", "[Not Available]."):
        tags["TI"] = tags["TT"]
    ids = [*children(element, "PubmedData/ArticleIdList/ArticleId"),
           *children(citation, "ArticleIdList/ArticleId")]  # fmt: skip
    places = [e for e in children(article, "ELocationID") if e.get("ValidYN") != "N"]
    found = [(e.get("IdType") or e.get("EIdType"), _line(e)) for e in (*ids, *places)]
    tags["LID"] = [f"{value} [{kind}]" for kind, value in found]
    tags["PMC"] = [value for kind, value in found if kind == "pmc"]
    start, end = (_texts(article, f"Pagination/{name}Page") for name in ("Start", "End"))
    tags["PG"] = tags["PG"] or [page_range("".join(start), "".join(end))]
    lists = [*children(article, "AuthorList"), *children(child(article, "Book"), "AuthorList")]
    authors = (
        _format_people(one.iterchildren("Author")) for one in lists if one.get("Type") != "editors"
    )
    tags["FAU"] = next(filter(None, authors), [])
    paths = ("Journal/JournalIssue/PubDate", "ArticleDate", "Book/PubDate")
    tags["DP"] = [_date(found) for path in paths for found in children(article, path)]
    # Authors and institutions have separate lists; headings have qualifiers, `Bread/history`.
    words = [word for one in children(citation, "KeywordList") for word in _texts(one, "Keyword")]
    headings = children(citation, "MeshHeadingList/MeshHeading")
    names = ((*_texts(h, "DescriptorName"), *_texts(h, "QualifierName")) for h in headings)
    tags["OT"] = [*words, *map("/".join, names)]
    kept = {tag: values for tag, values in tags.items() if any(values)}
    abstract = _abstract(child(article, "Abstract")) or _abstract(child(citation, "OtherAbstract"))
    return {**fields_of(Entry(end_line_of(element), kept), _PUBMED), "abstract": abstract}


def _abstract(holder: Element | None) -> str:
    """Return an abstract, with each section on its own line after its label."""
    parts: list[str] = []
    for part in children(holder, "AbstractText"):
        text, label = _line(part), " ".join(part.get("Label", "").split()).rstrip(":")
        is_headed = label and label.upper() not in ("UNLABELLED", "UNASSIGNED")
        parts.append(f"{label}: {text}" if is_headed and text else text)
    return "\n".join(filter(None, parts))


def _format_people(people: Iterable[Element]) -> list[str]:
    names: list[str] = []
    for person in people:
        family, group, given, initials, rank = (
            _line(child(person, name))
            for name in ("LastName", "CollectiveName", "ForeName", "Initials", "Suffix")
        )
        if person.get("ValidYN") != "N":
            names.append(sorted_name(family or group, f"{given or initials} {rank}".strip()))
    return names


def _date(date: Element) -> str:
    year, month, day = (_line(child(date, name)) for name in ("Year", "Month", "Day"))
    return date_of_parts(year, month, day) or read_date(_line(child(date, "MedlineDate")))


def _texts(element: Element | None, path: str) -> list[str]:
    return [text for found in children(element, path) if (text := _line(found))]


def _line(element: Element | None) -> str:
    """Return an element's text on one line, without the TeX source of formulas."""
    if element is not None and len(element):
        from lxml import etree

        etree.strip_elements(element, "{*}annotation", "{*}annotation-xml", with_tail=False)
    return " ".join(text_of(element).split())


PUBMED_XML: Final = xml_reader(
    "pubmed-xml",
    ("PubmedArticle", "PubmedBookArticle"),
    _pubmed_fields,
    require_signatures("no element <PubmedArticle>", _START),
    "PubMed's XML, with elements <PubmedArticle>",
    examples=(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>123</PMID><Article>"
        "<ArticleTitle>Bees @@</ArticleTitle><Abstract><AbstractText>@@</AbstractText></Abstract>"
        "</Article></MedlineCitation></PubmedArticle>@@",
    ),
)
