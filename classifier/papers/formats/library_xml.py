"""XML of PubMed (articles and books) and of EndNote, as they and screening tools export it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from classifier.papers.clean import plain_text
from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.formats.tagged_sources import dated
from classifier.papers.formats.xml_elements import (
    Element,
    child,
    children,
    text_of,
    xml_reader,
)
from classifier.papers.identifiers import (
    arxiv_id_in,
    cite_key_in,
    doi_in,
    isbns,
    issns,
    page_range,
    pmcid_in,
    pubmed_url,
    url_of,
    venue_of,
)
from classifier.papers.kinds import ENDNOTE_NUMBERS, csl_kind, kind_on_arxiv, pubmed_kind
from classifier.papers.names import comma_before_initials, people_in

_START = re.compile(r"<Pubmed(?:BookArticleSet|ArticleSet|Article|BookArticle)[\s>]")
_ANNOTATIONS = ("{*}annotation", "{*}annotation-xml")


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
        "doi": ids["doi"],
        "arxiv_id": arxiv_id_in([ids["doi"]]),
        "url": pubmed_url(pmid, ids["doi"]),
        # Subject headings with their qualifiers, `Bread/history`, as `.nbib` has them.
        "keywords": [
            *_keywords(citation),
            *(
                "/".join((*_texts(heading, "DescriptorName"), *_texts(heading, "QualifierName")))
                for heading in children(citation, "MeshHeadingList/MeshHeading")
            ),
        ],
        "reference": {
            "type": pubmed_kind(_texts(article, "PublicationTypeList/PublicationType")),
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
    ids = _ids(children(document, "ArticleIdList/ArticleId"), document)
    pmid = _text(document, "PMID")
    chapter, title = _text(document, "ArticleTitle"), _text(book, "BookTitle")
    lists = [*children(document, "AuthorList"), *children(book, "AuthorList")]
    authors = (_people(found) for found in lists if found.get("Type") != "editors")
    return {
        "title": chapter or title,
        "abstract": _abstract(document),
        "authors": next(filter(None, authors), []),
        "published": next((_date(date) for date in children(book, "PubDate")), ""),
        "venue": title if chapter else "",
        "doi": ids["doi"],
        "url": pubmed_url(pmid, ids["doi"]),
        "keywords": _keywords(document),
        "reference": {
            "type": "chapter" if chapter else "book",
            "ISBN": ", ".join(_texts(book, "Isbn")),
            "publisher": _text(book, "Publisher/PublisherName"),
            "PMID": pmid,
        },
    }


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


PUBMED_XML: Final = xml_reader(
    "pubmed-xml",
    ("PubmedArticle", "PubmedBookArticle"),
    lambda element: (_article_fields if element.tag == "PubmedArticle" else _book_fields)(element),
    lambda content: "" if _START.search(content.start) else "no element <PubmedArticle>",
    "PubMed's XML, with elements <PubmedArticle>",
)

# --- EndNote ------------------------------------------------------------------------------------

_RECORDS = re.compile(r"<records>\s*<record>")
_PARTS = re.compile(r"<(?:ref-type|contributors|titles|source-app|rec-number)\b")


def _endnote_fields(record: Element) -> dict[str, object]:
    urls = [
        url
        for path in ("related-urls", "web-urls", "pdf-urls")
        for url in _items(record, f"urls/{path}/url")
    ]
    doi = doi_in([_endnote_text(record, "electronic-resource-num")], urls)
    places = (
        *urls,
        doi,
        _endnote_text(record, "accession-num"),
        _endnote_text(record, "titles/secondary-title"),
    )
    arxiv_id = arxiv_id_in(places)
    csl_type = _endnote_kind(record)
    names = ("periodical/full-title", "titles/secondary-title", "alt-periodical/full-title")
    venues = (_endnote_text(record, name) for name in names)
    venue = venue_of(next(filter(None, venues), ""))
    abstract = _lines(record, "abstract")
    return {
        "title": plain_text(_endnote_text(record, "titles/title")),
        "abstract": plain_text("\n".join(abstract)),
        "authors": _contributors(record, "authors"),
        "published": dated(
            *(_endnote_text(record, f"dates/{p}") for p in ("year", "pub-dates/date"))
        ),
        "venue": venue,
        "arxiv_id": arxiv_id,
        "doi": doi,
        "url": url_of(*urls),
        "keywords": [word.replace("*", "") for word in _items(record, "keywords/keyword")],
        "reference": {
            **_endnote_reference(record, csl_type),
            "type": kind_on_arxiv(csl_type, venue) if arxiv_id else csl_type,
        },
    }


def _endnote_kind(record: Element) -> str:
    kind = child(record, "ref-type")
    if kind is None:
        return ""
    name = csl_kind(kind.get("name", ""), "endnote")
    return name or ENDNOTE_NUMBERS.get(text_of(kind).strip(), "")


def _endnote_reference(record: Element, csl_type: str) -> dict[str, str]:
    numbers = _lines(record, "isbn")
    first, _, last = _endnote_text(record, "pages").partition("-")
    edition = _endnote_text(record, "edition")
    roles = () if csl_type == "thesis" else ("secondary-authors", "tertiary-authors")
    editors = (_contributors(record, role) for role in roles)
    return {
        "volume": _endnote_text(record, "volume"),
        "issue": _endnote_text(record, "number") or _endnote_text(record, "issue"),
        "page": page_range(first.strip(), last.strip()),
        "edition": "" if re.search(r"\d{4}|/", edition) else edition,
        "publisher": _endnote_text(record, "publisher"),
        "publisher-place": _endnote_text(record, "pub-location"),
        "ISSN": issns(*numbers),
        "ISBN": isbns(*numbers),
        "language": _endnote_text(record, "language"),
        "collection-title": _endnote_text(record, "titles/tertiary-title"),
        "container-title-short": _endnote_text(record, "periodical/abbr-1"),
        "original-title": _endnote_text(record, "titles/translated-title"),
        "editor": "; ".join(next((found for found in editors if found), [])),
        "citation-key": cite_key_in(_endnote_text(record, "label")),
        "PMID": _endnote_pmid(record),
        "PMCID": pmcid_in(_endnote_text(record, "custom2")),
    }


def _endnote_pmid(record: Element) -> str:
    """Return the accession number where the record came from PubMed."""
    number = _endnote_text(record, "accession-num")
    origin = _endnote_text(record, "remote-database-provider") + _endnote_text(
        record, "remote-database-name"
    )
    is_pubmed = re.search(r"nlm|medline|pubmed", origin, re.IGNORECASE)
    return number if is_pubmed and re.fullmatch(r"\d{4,8}", number, re.ASCII) else ""


def _contributors(record: Element, role: str) -> list[str]:
    names = _items(record, f"contributors/{role}/author")
    return [comma_before_initials(name) for name in people_in(names)]


def _items(record: Element, path: str) -> list[str]:
    """Return the lines of each element: EndNote puts lists into one, a line each, too."""
    return [line for found in children(record, path) for line in _stripped(text_of(found))]


def _lines(record: Element, path: str) -> list[str]:
    return _stripped(text_of(child(record, path)))


def _endnote_text(record: Element, path: str) -> str:
    return " ".join(text_of(child(record, path)).split())


def _stripped(text: str) -> list[str]:
    return [line.strip() for line in re.split(r"[\r\n]+", text) if line.strip()]


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
)
