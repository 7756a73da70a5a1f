"""XML of PubMed (articles and books) and of EndNote, and the answers of OAI-PMH repositories.

An element of PubMed or EndNote is read as an entry of the tagged text of the same program
(`tagged_sources`), by a table of tags and the places of their values; a record of OAI-PMH in
arXiv's own formats, or in Dublin Core.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.clean import plain_text, unwrapped
from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.fields import clean_url, read_fields
from classifier.papers.formats.arxiv import arxiv_fields
from classifier.papers.formats.tagged import Entry, fields_of
from classifier.papers.formats.tagged_sources import ENDNOTE_FIELDS, PUBMED_FIELDS
from classifier.papers.formats.xml_elements import (
    Element,
    child,
    children,
    line_of,
    parts_of,
    text_in,
    text_of,
    xml_elements,
    xml_reader,
)
from classifier.papers.identifiers import arxiv_id_in, page_range
from classifier.papers.kinds import ENDNOTE_NUMBERS, csl_kind
from classifier.papers.names import arxiv_authors, sorted_name
from classifier.papers.paper import Source, clean_doi
from classifier.papers.reader import CountedFaults, Reader, Record, quarantined

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


# --- OAI-PMH: https://www.openarchives.org/OAI/openarchivesprotocol.html
# ListRecords and GetRecord; the metadata formats `arXiv`, `arXivRaw` and `oai_dc`

_FACE = re.compile(r"<(?:\w+:)?(?:OAI-PMH|ListRecords|GetRecord|record)\b")
_NAMESPACE = "openarchives.org/OAI/"
_DOI = re.compile(r"doi:\s*|https?://(?:dx\.)?doi|10\.\d{4}")
_JOURNAL = re.compile(r"[^\W\d_]{2}.*[ ,].*\d")
"""A reference to a journal among identifiers has words and numbers."""
_ELEMENTS = (
    "title", "creator", "description", "identifier", "date", "source", "subject", "type",
    "publisher", "language",
)  # fmt: skip
_COMMENT = re.compile(r"comments?:\s*", re.IGNORECASE)


def _why_no_oai_pmh(content: Content) -> str:
    """Say why a file is no answer of OAI-PMH."""
    start = content.start
    if not start.lstrip().startswith("<") or _NAMESPACE not in start:
        return "no namespace http://www.openarchives.org/OAI/2.0/"
    return "" if _FACE.search(start) else "no element <OAI-PMH>"


def _read_oai_pmh(content: Content) -> Iterator[Record]:
    """Yield the papers of an answer in its order; deleted records are counted in one warning."""
    counted = CountedFaults()
    for element in xml_elements(content, "record"):
        if isinstance(element, Fault):
            yield element
            continue
        line = line_of(element)
        source = Source(content.name, OAI_PMH.name, line)
        header = element.find("{*}header")
        if header is not None and header.get("status") == "deleted":
            found, wanted = "a deleted record", "a record with metadata"
            counted.add(Fault("notice", content.name, line, found, wanted, "It is left out."))
        elif fields := _oai_pmh_fields(element):
            yield from read_fields(fields, source)
        else:
            name = text_of(element.find("{*}header/{*}identifier")).strip() or "a record"
            wanted = "arXiv, arXivRaw or oai_dc"
            yield quarantined(source, name, f"metadata: found no known format; wanted {wanted}")
    yield from counted.faults()


def _oai_pmh_fields(element: Element) -> dict[str, object]:
    """Return what a `record` element states, as fields of `read_fields`; {} where it is unknown."""
    for form in element.iterfind("{*}metadata/*"):
        name = form.tag.rpartition("}")[2] if isinstance(form.tag, str) else ""
        if read_form := {"arXiv": _arxiv, "arXivRaw": _arxiv, "dc": _dublin_core}.get(name):
            return read_form(form)
    return {}


def _arxiv(form: Element) -> dict[str, object]:
    """Return the fields of arXiv's forms; the raw one has one text of authors, and versions."""
    parts = parts_of(form)
    stated = {name: text_in(parts, name) for name in parts}
    subjects = stated.get("categories", "").split()
    if versions := parts.get("version"):
        stated["created"] = text_in(parts_of(versions[0]), "date")
        return arxiv_fields(stated, *arxiv_authors(stated.get("authors", "")), subjects)
    authors = [parts_of(author) for listed in parts.get("authors", ()) for author in listed]
    names = (
        sorted_name(*(text_in(author, name) for name in ("keyname", "forenames", "suffix")))
        for author in authors
    )
    institutes = (text_in(author, "affiliation") for author in authors)
    return arxiv_fields(stated, filter(None, names), None, subjects, institutes)


def _dublin_core(form: Element) -> dict[str, object]:
    """Return the fields of Dublin Core, whose elements repeat and mean several things."""
    texts = {name: _texts_named(form, name) for name in _ELEMENTS}
    comments = [text for text in texts["description"] if _COMMENT.match(text)]
    abstracts = [text for text in texts["description"] if text not in comments]
    identifiers = [" ".join(text.split()) for text in texts["identifier"]]
    links = [text for text in identifiers if clean_url(text)]
    dois = [text for text in identifiers if _DOI.match(text)]
    journals = [t for t in identifiers if t not in (*links, *dois) and _JOURNAL.search(t)]
    stated = {
        "id": arxiv_id_in(identifiers),
        "title": "".join(texts["title"][:1]),
        "abstract": max((unwrapped(plain_text(text)) for text in abstracts), key=len, default=""),
        "created": min(filter(None, map(read_date, texts["date"])), default=""),
        "comments": _COMMENT.sub("", comments[0]) if comments else "",
        "journal-ref": next(iter([*journals, *texts["source"]]), ""),
        "doi": next(filter(None, map(clean_doi, dois)), ""),
        "url": next((text for text in links if text not in dois), ""),
    }
    subjects = [" ".join(text.split()) for text in texts["subject"]]
    fields = arxiv_fields(stated, texts["creator"], None, subjects)
    if not fields.get("arxiv_id"):  # of another repository
        # https://guidelines.openaire.eu: `info:eu-repo/semantics/article` and so on.
        kinds = (csl_kind(text.rpartition("/")[2]) for text in texts["type"])
        fields["reference"] = {
            **{name: " ".join(texts[name][:1]) for name in ("publisher", "language")},
            "type": next(filter(None, kinds), ""),
        }
    return fields


def _texts_named(form: Element, name: str) -> list[str]:
    found = (text_of(part).strip() for part in form.iterfind(f"{{*}}{name}"))
    return [text for text in found if text]


OAI_PMH = Reader(
    name="oai-pmh",
    why_not=_why_no_oai_pmh,
    read=_read_oai_pmh,
    wants="an OAI-PMH answer (<OAI-PMH>) in the format arXiv, arXivRaw or oai_dc",
    examples=(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords><record>'
        "<metadata><arXiv xmlns='http://arxiv.org/OAI/arXiv/'><id>2403.00001</id>"
        "<title>Bees @@</title><abstract>@@</abstract></arXiv></metadata></record>@@",
    ),
)
