"""PubMed's XML, of articles and of books, as its search, E-utilities and yearly files give it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.csl_types import pubmed_type
from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.fields import read_fields
from classifier.papers.formats.nbib import pubmed_url
from classifier.papers.formats.values import arxiv_id_in
from classifier.papers.formats.xml_elements import (
    Element,
    child,
    children,
    line_of,
    text_of,
    xml_elements,
)
from classifier.papers.identifiers import page_range, pmcid_in
from classifier.papers.paper import Source
from classifier.papers.reader import Reader, Record

_START = re.compile(r"<Pubmed(?:BookArticleSet|ArticleSet|Article|BookArticle)[\s>]")
_ANNOTATIONS = ("{*}annotation", "{*}annotation-xml")


def why_not(content: Content) -> str:
    """Say why a file is no XML of PubMed: none of its elements stands at the start."""
    return "" if _START.search(content.start) else "no element <PubmedArticle>"


def read(content: Content) -> Iterator[Record]:
    """Yield the articles and books of a PubMed file in order."""
    for element in xml_elements(content, "PubmedArticle", "PubmedBookArticle"):
        if isinstance(element, Fault):
            yield element
            continue
        is_article = element.tag == "PubmedArticle"
        fields = _article_fields(element) if is_article else _book_fields(element)
        yield from read_fields(fields, Source(content.name, PUBMED_XML.name, line_of(element)))


def _article_fields(element: Element) -> dict[str, object]:
    citation = child(element, "MedlineCitation")
    article = child(citation, "Article")
    journal = child(article, "Journal")
    issue = child(journal, "JournalIssue")
    ids = _ids(children(element, "PubmedData/ArticleIdList/ArticleId"), article)
    pmid = _text(citation, "PMID")
    dates = (
        _date(date) for date in (*children(issue, "PubDate"), *children(article, "ArticleDate"))
    )
    vernacular = _text(article, "VernacularTitle")
    title = _text(article, "ArticleTitle")
    return {
        "title": vernacular if vernacular and title in ("", "[Not Available].") else title,
        "abstract": _abstract(article) or _abstract(citation, "OtherAbstract"),
        "authors": _people(children(article, "AuthorList/Author")),
        "published": next((date for date in dates if date), ""),
        "venue": _text(journal, "Title") or _text(journal, "ISOAbbreviation"),
        **_identity(ids, pmid),
        "keywords": [*_keywords(citation), *_headings(citation)],
        "reference": {
            "type": pubmed_type(_texts(article, "PublicationTypeList/PublicationType")),
            "volume": _text(issue, "Volume"),
            "issue": _text(issue, "Issue"),
            "page": _pages(article),
            "ISSN": ", ".join(_texts(journal, "ISSN")),
            "container-title-short": _text(journal, "ISOAbbreviation"),
            "publisher-place": _text(citation, "MedlineJournalInfo/Country"),
            "language": _text(article, "Language"),
            "original-title": vernacular,
            "PMID": pmid,
            "PMCID": ids["pmc"] or pmcid_in(*_texts(citation, "OtherID")),
        },
    }


def _book_fields(element: Element) -> dict[str, object]:
    """Return the fields of a book, or of a chapter where the document has a title of its own."""
    document = child(element, "BookDocument")
    book = child(document, "Book")
    numbers = children(document, "ArticleIdList/ArticleId")
    numbers += children(element, "PubmedBookData/ArticleIdList/ArticleId")
    ids = _ids(numbers, document)
    pmid = _text(document, "PMID")
    chapter, title = _text(document, "ArticleTitle"), _text(book, "BookTitle")
    lists = (*children(document, "AuthorList"), *children(book, "AuthorList"))
    authors = [found for found in lists if found.get("Type", "authors") != "editors"]
    editors = [found for found in lists if found.get("Type") == "editors"]
    return {
        "title": chapter or title,
        "abstract": _abstract(document),
        "authors": next((names for found in authors if (names := _people(found))), []),
        "published": next((_date(date) for date in children(book, "PubDate")), ""),
        "venue": title if chapter else "",
        **_identity(ids, pmid),
        "keywords": _keywords(document),
        "reference": {
            "type": "chapter" if chapter else "book",
            "volume": _text(book, "Volume"),
            "page": _pages(document),
            "edition": _text(book, "Edition"),
            "ISBN": ", ".join(_texts(book, "Isbn")),
            "publisher": _text(book, "Publisher/PublisherName"),
            "publisher-place": _text(book, "Publisher/PublisherLocation"),
            "collection-title": _text(book, "CollectionTitle"),
            "language": _text(document, "Language"),
            "editor": "; ".join(next((_people(found) for found in editors), [])),
            "PMID": pmid,
            "PMCID": ids["pmc"],
        },
    }


def _identity(ids: dict[str, str], pmid: str) -> dict[str, str]:
    doi = ids["doi"]
    return {"doi": doi, "arxiv_id": arxiv_id_in([doi]), "url": pubmed_url(pmid, doi)}


def _ids(numbers: Iterable[Element], article: Element | None) -> dict[str, str]:
    """Return an article's ids by type; those of the works that it cites lie elsewhere."""
    found = [(number.get("IdType", ""), number) for number in numbers]
    places = (place for place in children(article, "ELocationID") if place.get("ValidYN") != "N")
    found += [(place.get("EIdType", ""), place) for place in places]
    ids = {"doi": "", "pmc": ""}
    for kind, holder in found:
        ids[kind] = ids.get(kind) or _line(holder)
    return ids


def _abstract(holder: Element | None, name: str = "Abstract") -> str:
    """Return the first abstract, its parts on lines of their own, headed as there."""
    parts: list[str] = []
    for part in children(child(holder, name), "AbstractText"):
        text, label = _line(part), " ".join(part.get("Label", "").split()).rstrip(":")
        is_headed = label and label.upper() not in ("UNLABELLED", "UNASSIGNED")
        parts.append(f"{label}: {text}" if is_headed and text else text)
    return "\n".join(part for part in parts if part)


def _people(people: Iterable[Element]) -> list[str]:
    """Return persons as `Family, Given Rank`, groups by their names."""
    names: list[str] = []
    for person in people:
        if person.get("ValidYN") == "N":
            continue
        given = _text(person, "ForeName") or _text(person, "Initials")
        given = f"{given} {_text(person, 'Suffix')}".strip()
        family = _text(person, "LastName") or _text(person, "CollectiveName")
        names.append(f"{family}, {given}" if family and given else family or given)
    return names


def _date(date: Element) -> str:
    year, *rest = (_text(date, name) for name in ("Year", "Month", "Day"))
    return date_of_parts(year, *rest) if year else read_date(_text(date, "MedlineDate"))


def _pages(article: Element | None) -> str:
    start, end = _text(article, "Pagination/StartPage"), _text(article, "Pagination/EndPage")
    return _text(article, "Pagination/MedlinePgn") or page_range(start, end)


def _keywords(holder: Element | None) -> list[str]:
    """Return the keywords of all lists: authors and institutions have their own."""
    lists = children(holder, "KeywordList")
    return [text.replace("*", "") for found in lists for text in _texts(found, "Keyword")]


def _headings(citation: Element | None) -> list[str]:
    """Return the subject headings with their qualifiers, `Bread/history`, as `.nbib` has them."""
    return [
        "/".join((*_texts(heading, "DescriptorName"), *_texts(heading, "QualifierName")))
        for heading in children(citation, "MeshHeadingList/MeshHeading")
    ]


def _text(element: Element | None, path: str) -> str:
    return _line(child(element, path))


def _texts(element: Element | None, path: str) -> list[str]:
    return [text for found in children(element, path) if (text := _line(found))]


def _line(element: Element | None) -> str:
    """Return the text of an element on one line; formulas without their source as TeX."""
    if element is None:
        return ""
    if len(element):
        from lxml import etree

        etree.strip_elements(element, *_ANNOTATIONS, with_tail=False)
    return " ".join(text_of(element).split())


PUBMED_XML = Reader(
    name="pubmed-xml",
    why_not=why_not,
    read=read,
    wants="PubMed's XML, with elements <PubmedArticle>",
    streams=True,
)
