"""XML of PubMed (articles and books) and of EndNote, as they and screening tools export it.

An element is read as an entry of the tagged text of the same program (`tagged_sources`), by a table
of tags and the places of their values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.formats.tagged import Entry, fields_of
from classifier.papers.formats.tagged_sources import ENDNOTE_FIELDS, PUBMED_FIELDS
from classifier.papers.formats.xml_elements import (
    Element,
    child,
    children,
    line_of,
    text_of,
    xml_reader,
)
from classifier.papers.identifiers import page_range
from classifier.papers.kinds import ENDNOTE_NUMBERS
from classifier.papers.names import sorted_name

_START = re.compile(r"<Pubmed(?:BookArticleSet|ArticleSet|Article|BookArticle)[\s>]")
_ANNOTATIONS = ("{*}annotation", "{*}annotation-xml")
_NO_TITLE = ("", "[Not Available].")

# Tag of `.nbib` -> where its values stand, below the element that holds title and authors.
_ARTICLE: Final = {
    "JT": "Journal/Title", "TA": "Journal/ISOAbbreviation", "VI": "Journal/JournalIssue/Volume",
    "IP": "Journal/JournalIssue/Issue", "PG": "Pagination/MedlinePgn", "IS": "Journal/ISSN",
    "PT": "PublicationTypeList/PublicationType", "LA": "Language", "TI": "ArticleTitle",
    "TT": "VernacularTitle", "BTI": "Book/BookTitle", "ISBN": "Book/Isbn",
    "PB": "Book/Publisher/PublisherName",
}  # fmt: skip
# … and below the citation around it, which of a book is the same element.
_CITATION: Final = {"PMID": "PMID", "OID": "OtherID", "PL": "MedlineJournalInfo/Country"}


def _pubmed_fields(element: Element) -> dict[str, object]:
    citation = child(element, "MedlineCitation")
    citation = child(element, "BookDocument") if citation is None else citation
    article = child(citation, "Article")
    article = citation if article is None else article
    tags = {tag: _texts(article, path) for tag, path in _ARTICLE.items()}
    tags |= {tag: _texts(citation, path) for tag, path in _CITATION.items()}
    if tags["TT"] and "".join(tags["TI"][:1]) in _NO_TITLE:
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
    authors = (_people(one.iterchildren("Author")) for one in lists if one.get("Type") != "editors")
    tags["FAU"] = next(filter(None, authors), [])
    dates = [
        *children(article, "Journal/JournalIssue/PubDate"),
        *children(article, "ArticleDate"),
        *children(article, "Book/PubDate"),
    ]
    tags["DP"] = list(filter(None, map(_date, dates)))
    # Authors and institutions have lists of their own; headings with qualifiers, `Bread/history`.
    words = [word for one in children(citation, "KeywordList") for word in _texts(one, "Keyword")]
    headings = children(citation, "MeshHeadingList/MeshHeading")
    names = ((*_texts(h, "DescriptorName"), *_texts(h, "QualifierName")) for h in headings)
    tags["OT"] = [*words, *map("/".join, names)]
    kept = {tag: values for tag, values in tags.items() if any(values)}
    abstract = _abstract(child(article, "Abstract")) or _abstract(child(citation, "OtherAbstract"))
    return {**fields_of(Entry(line_of(element), kept), PUBMED_FIELDS), "abstract": abstract}


def _abstract(holder: Element | None) -> str:
    """Return an abstract, its parts on lines of their own, headed as there."""
    parts: list[str] = []
    for part in children(holder, "AbstractText"):
        text, label = _line(part), " ".join(part.get("Label", "").split()).rstrip(":")
        is_headed = label and label.upper() not in ("UNLABELLED", "UNASSIGNED")
        parts.append(f"{label}: {text}" if is_headed and text else text)
    return "\n".join(filter(None, parts))


def _people(people: Iterable[Element]) -> list[str]:
    """Return persons as `Family, Given Rank`, groups by their names."""
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
    """Return the text of an element on one line; formulas without their source as TeX."""
    if element is not None and len(element):
        from lxml import etree

        etree.strip_elements(element, *_ANNOTATIONS, with_tail=False)
    return " ".join(text_of(element).split())


PUBMED_XML: Final = xml_reader(
    "pubmed-xml",
    ("PubmedArticle", "PubmedBookArticle"),
    _pubmed_fields,
    lambda content: "" if _START.search(content.start) else "no element <PubmedArticle>",
    "PubMed's XML, with elements <PubmedArticle>",
    examples=(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>123</PMID><Article>"
        "<ArticleTitle>Bees @@</ArticleTitle><Abstract><AbstractText>@@</AbstractText></Abstract>"
        "</Article></MedlineCitation></PubmedArticle>@@",
    ),
)

# --- EndNote ------------------------------------------------------------------------------------

_RECORDS = re.compile(r"<records>\s*<record>")
_PARTS = re.compile(r"<(?:ref-type|contributors|titles|source-app|rec-number)\b")
# Tag of `.enw` -> where its values stand.
_ENDNOTE: Final = {
    "T": "titles/title", "X": "abstract", "A": "contributors/authors/author", "D": "dates/year",
    "8": "dates/pub-dates/date", "B": "titles/secondary-title", "S": "titles/tertiary-title",
    "J": "periodical/full-title alt-periodical/full-title", "R": "electronic-resource-num",
    "U": "urls/related-urls/url urls/web-urls/url urls/pdf-urls/url", "M": "accession-num",
    "K": "keywords/keyword", "V": "volume", "N": "number issue", "P": "pages", "7": "edition",
    "I": "publisher", "C": "pub-location", "G": "language", "@": "isbn", "F": "label",
    "E": "contributors/secondary-authors/author", "Y": "contributors/tertiary-authors/author",
    "J9": "periodical/abbr-1", "TT": "titles/translated-title", "PMC": "custom2",
    "provider": "remote-database-provider remote-database-name",
}  # fmt: skip


def _endnote_fields(record: Element) -> dict[str, object]:
    tags: dict[str, list[str]] = {}
    for tag, paths in _ENDNOTE.items():
        held = (text_of(found) for path in paths.split() for found in children(record, path))
        # Lists may stand in one element, an item a line.
        tags[tag] = ["\n".join(line.strip() for line in re.split(r"[\r\n]+", t)) for t in held]
    kind = child(record, "ref-type")
    if kind is not None:
        number = ENDNOTE_NUMBERS.get(text_of(kind).strip(), "")
        tags["0"] = [kind.get("name") or number]
    if re.search(r"nlm|medline|pubmed", " ".join(tags["provider"]), re.IGNORECASE):
        tags["PMID"] = [n for n in tags["M"] if re.fullmatch(r"\d{4,8}", n, re.ASCII)]
    return fields_of(Entry(line_of(record), tags), ENDNOTE_FIELDS)


ENDNOTE_XML: Final = xml_reader(
    "endnote-xml",
    ("record",),
    _endnote_fields,
    lambda content: (
        ""
        if _RECORDS.search(content.start) and _PARTS.search(content.start)
        else "no elements <records><record> of EndNote"
    ),
    "EndNote's XML, with elements <records><record>",
    examples=(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<xml><records><record><titles><title><style>Bees @@</style></title></titles>"
        "<abstract>@@</abstract></record>@@",
    ),
)
