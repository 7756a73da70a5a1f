"""PubMed, Web of Science and EndNote: text whose lines begin with a tag (`tagged`), and XML.

An element of XML is read as an entry of the tagged text of the same program, by a table of tags and
the places of their values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from classifier.files.content import Content
from classifier.papers.clean import plain_text
from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.identifiers import doi_in, page_range, pubmed_url, venue_of
from classifier.papers.kinds import ENDNOTE_NUMBERS, csl_kind
from classifier.papers.names import comma_before_initials, sorted_name
from classifier.papers.reader import require_signatures
from classifier.papers.readers.tagged import (
    Entry,
    Read,
    TagForm,
    fields_of,
    tagged_reader,
    without_wraps,
)
from classifier.papers.readers.xml_elements import (
    Element,
    child,
    children,
    line_of,
    text_of,
    xml_reader,
)

# --- PubMed: `.nbib`, or “MEDLINE” and “PubMed” in the menu of its search, and XML --------------
# A tag is padded to four characters: `PMID- `, `TI  - `.
_NBIB_FORM = TagForm(
    re.compile(r"\ufeff?(?=.{4}-)([A-Z][A-Z0-9]{1,3}) *-(?: (.*)|$)", re.DOTALL), "PMID"
)
_NBIB_START = re.compile(r"^\ufeff?PMID-(?: *\d|$)", re.MULTILINE)


def _sorted_people(entry: Entry, full: str, short: str) -> list[str]:
    """Return names as sorted; older records have them with initials only."""
    return entry.all(full) or [comma_before_initials(name) for name in entry.all(short)]


def _nbib_doi(entry: Entry) -> str:
    return next((text[:-6] for text in entry.all("LID AID") if text.endswith(" [doi]")), "")


def _nbib_kind(entry: Entry) -> str:
    """Return the kind: with a book's title it is a part of that book, or the book."""
    if "BTI" in entry.values:
        return "chapter" if entry.first("TI") else "book"
    kinds = [*filter(None, map(csl_kind, entry.all("PT")))] or ["article-journal"]
    return "article-journal" if "article-journal" in kinds else kinds[0]


_PUBMED: Final[Mapping[str, Read]] = {
    "title": "TI BTI TT",
    "abstract": "AB OAB",
    "authors": lambda entry: [*_sorted_people(entry, "FAU", "AU"), *entry.all("CN")],
    "published": "DP DEP",
    "venue": lambda entry: (
        venue_of(entry.first("JT TA")) or (entry.first("BTI") if entry.first("TI") else "")
    ),
    "arxiv_places": lambda entry: [_nbib_doi(entry), *entry.all("AID SI")],
    "doi": _nbib_doi,
    "url": lambda entry: pubmed_url(entry.first("PMID"), _nbib_doi(entry)),
    "keywords": lambda entry: [text.replace("*", "") for text in entry.all("OT MH")],
    ":type": _nbib_kind,
    ":volume": "VI",
    ":issue": "IP",
    ":page": "PG",
    ":publisher": "PB",
    ":publisher-place": "PL",
    ":collection-title": "CTI",
    ":container-title-short": "TA",
    ":original-title": "TT",
    ":language": "LA",
    ":ISSN": "IS",
    ":ISBN": "ISBN",
    ":editor": lambda entry: "; ".join(_sorted_people(entry, "FED", "ED")),
    ":PMID": "PMID",
    ":PMCID": "PMC OID",
}

NBIB: Final = tagged_reader(
    "nbib",
    _NBIB_FORM,
    _PUBMED,
    require_signatures("no line 'PMID- '", _NBIB_START),
    "PubMed's tagged text: records that begin with a line 'PMID- '",
    examples=("PMID- 123\nTI  - Bees @@\nFAU - @@\nAB  - @@\n", "PMID- 123\nTI  - Bees\n@@"),
)

_START = re.compile(r"<Pubmed(?:BookArticleSet|ArticleSet|Article|BookArticle)[\s>]")

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
    authors = (_people(one.iterchildren("Author")) for one in lists if one.get("Type") != "editors")
    tags["FAU"] = next(filter(None, authors), [])
    paths = ("Journal/JournalIssue/PubDate", "ArticleDate", "Book/PubDate")
    tags["DP"] = [_date(found) for path in paths for found in children(article, path)]
    # Authors and institutions have lists of their own; headings with qualifiers, `Bread/history`.
    words = [word for one in children(citation, "KeywordList") for word in _texts(one, "Keyword")]
    headings = children(citation, "MeshHeadingList/MeshHeading")
    names = ((*_texts(h, "DescriptorName"), *_texts(h, "QualifierName")) for h in headings)
    tags["OT"] = [*words, *map("/".join, names)]
    kept = {tag: values for tag, values in tags.items() if any(values)}
    abstract = _abstract(child(article, "Abstract")) or _abstract(child(citation, "OtherAbstract"))
    return {**fields_of(Entry(line_of(element), kept), _PUBMED), "abstract": abstract}


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

# --- Web of Science: plain text, full or short records, whole or damaged ------------------------

_SCIENCE_TAGS = (
    "FN VR PT AU AF BA BF CA GP BE TI SO SE BS LA DT CT CY CL SP HO DE ID AB C1 C3 RP EM RI OI FU"
    " FX FP CR NR TC Z9 Z1 Z2 Z3 Z4 Z8 ZA ZB ZR ZS U1 U2 PU PI PA SN EI BN J9 JI PD PY VL IS SI PN"
    " SU MA BP EP AR DI DL D2 EA EY PG P2 WC WE SC GA PM UT OA HP HC DA ER EF"
).replace(" ", "|")
# A blank behind the tag may be missing: `AUBaker, A`. Lines that continue a value are indented.
_SCIENCE_FORM = TagForm(
    re.compile(rf"\ufeff?({_SCIENCE_TAGS})(?:[ \t]|(?=[A-Z][a-z])|$)(.*)", re.DOTALL),
    start="PT",
    end="ER",
    passed_over=frozenset(("FN", "VR", "EF")),
)
_SIGNATURES = {
    "PT J": re.compile(r"^\ufeff?PT (?:[JCBSP]|Journal|Book|Patent|Series)\b", re.MULTILINE),
    "TI ": re.compile(r"^TI \S", re.MULTILINE),
    "SO ": re.compile(r"^(?:SO|UT|AU|PY) ?\S", re.MULTILINE),
}


def _science_authors(entry: Entry) -> list[str]:
    """Return full names where they are, groups behind the persons; one stands on each line."""
    tag = next((tag for tag in ("AF", "AU", "BF", "BA") if tag in entry.values), "AU")
    return [name for name in entry.lines(f"{tag} CA") if name.lower() != "[anonymous]"]


def _science_kind(entry: Entry) -> str:
    """Return the kind by what carries a work (`PT`: J, C, B, S, P) and what it is (`DT`)."""
    words = [words.strip() for words in entry.first("DT").split(";")]
    kinds = [csl_kind(each, "web of science") for each in words]
    is_whole = entry.first("TI").casefold() == entry.first("SO").casefold()
    match entry.first("PT")[:1]:
        case "P":
            return "patent"
        case "C":
            return "paper-conference"
        case "B" | "S" if "paper-conference" not in kinds:
            return "book" if is_whole or "book" in kinds else "chapter"
        case "J" if "Article" in words:
            return "article-journal"
    return next(filter(None, kinds), "article-journal")


def _science_reject_reason(content: Content) -> str:
    for tag, signature in _SIGNATURES.items():
        if not signature.search(content.start):
            return f"no line '{tag}'"
    return ""


_SCIENCE: Final[Mapping[str, Read]] = {
    "title": "TI SO",
    "abstract": "AB",
    "authors": _science_authors,
    # Of the issue (`PD` is day, month or season), else of early access.
    "published": lambda entry: read_date(
        f"{year} {entry.first('PD')}" if (year := entry.first("PY EY")) else entry.first("EA")
    ),
    "venue": lambda entry: venue_of(entry.first("SO")) if entry.first("TI") else "",
    "arxiv_places": "DI AR UT",
    "doi": "DI",
    # Both lists are wrapped: the authors', then those of Web of Science.
    "keywords": lambda entry: [
        word.strip() for tag in ("DE", "ID") for word in entry.first(tag).split(";")
    ],
    ":type": _science_kind,
    ":volume": "VL",
    ":issue": "IS",
    ":page": lambda entry: page_range(entry.first("BP"), entry.first("EP")) or entry.first("AR"),
    ":publisher": "PU",
    ":publisher-place": "PI",
    ":collection-title": "SE",
    ":container-title-short": "JI",
    ":event-title": "CT",
    ":event-place": "CL",
    ":language": "LA",
    ":ISSN": "SN EI",
    ":ISBN": "BN",
    ":editor": lambda entry: "; ".join(entry.lines("BE")),
    ":PMID": "PM",
}

WEB_OF_SCIENCE: Final = tagged_reader(
    "web-of-science",
    _SCIENCE_FORM,
    _SCIENCE,
    _science_reject_reason,
    "Web of Science's plain text: records from a line 'PT J' to a line 'ER'",
    examples=(
        "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nSO Bread\nTI Bees @@\nAU @@\nAB @@\n",
        "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nSO Bread\nTI Bees\n@@",
    ),
)

# --- EndNote: tagged text (`.enw`, “EndNote Import”), of publishers and Google Scholar, and XML ---

_ENW_FORM = TagForm(re.compile(r"\ufeff?%(\S)(?:[ \t](.*)|$)", re.DOTALL), "0")
_ENW_TYPE = re.compile(r"^\ufeff?%0[ \t]\S", re.MULTILINE)
_ENW_TITLE = re.compile(r"^\ufeff?%T[ \t]\S", re.MULTILINE)
_ENW_OTHER = re.compile(r"^\ufeff?%[0AD][ \t]\S", re.MULTILINE)


def _endnote_form(content: Content) -> TagForm:
    """Return how entries are parted: without `%0` by a blank line."""
    return replace(_ENW_FORM, blank_ends=not _ENW_TYPE.search(content.start))


def _endnote_venue(entry: Entry) -> str:
    is_paper = csl_kind(entry.first("0"), "endnote") == "paper-conference"
    return entry.first("J B S" if is_paper else "J B")


def _dated(year: str, date: str) -> str:
    """Return a date where it agrees with the year, which it may leave out: `Mar 16`."""
    whole = read_date(date)
    return whole if whole[:4] == year[:4] or not year else read_date(f"{year} {date}")


_ENDNOTE: Final[Mapping[str, Read]] = {
    "title": "T",
    "abstract": lambda entry: without_wraps(plain_text("\n".join(entry.values.get("X", ())))),
    "authors": "A",
    "published": lambda entry: _dated(entry.first("D"), entry.first("8")),
    "venue": lambda entry: venue_of(plain_text(_endnote_venue(entry))),
    "arxiv_places": lambda entry: [*entry.all("U R M"), _endnote_venue(entry)],
    "doi": lambda entry: doi_in(entry.all("R"), entry.all("U")),
    "url": "U",
    "keywords": lambda entry: [word.replace("*", "") for word in entry.items("K")],
    ":type": lambda entry: csl_kind(entry.first("0"), "endnote"),
    ":volume": "V",
    ":issue": "N",
    ":page": lambda entry: page_range(entry.first("P")),
    ":edition": "7",
    ":publisher": "I",
    ":publisher-place": "C",
    ":collection-title": "S",
    ":language": "G",
    ":ISSN": "@",
    ":ISBN": "@",
    ":editor": "E Y",  # of proceedings the ACL Anthology has them in `%Y`
    ":citation-key": "F",
    ":container-title-short": "J9",  # as the next three of XML alone
    ":original-title": "TT",
    ":PMID": "PMID",
    ":PMCID": "PMC",
}

ENDNOTE_TAGGED: Final = tagged_reader(
    "endnote-tagged",
    _endnote_form,
    _ENDNOTE,
    require_signatures("no lines '%0 ' and '%T '", _ENW_TITLE, _ENW_OTHER),
    "EndNote's tagged text, with lines '%0 Journal Article' and '%T TITLE'",
    examples=("%0 Journal Article\n%T Bees @@\n%A @@\n%X @@\n", "%0 Book\n%T Bees\n@@"),
)

_RECORDS = re.compile(r"<records>\s*<record>")
_PARTS = re.compile(r"<(?:ref-type|contributors|titles|source-app|rec-number)\b")
# Tag of `.enw` -> where its values stand.
_ENDNOTE_PLACES: Final = {
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
    for tag, paths in _ENDNOTE_PLACES.items():
        held = (text_of(found) for path in paths.split() for found in children(record, path))
        # Lists may stand in one element, an item a line.
        tags[tag] = ["\n".join(line.strip() for line in re.split(r"[\r\n]+", t)) for t in held]
    if (kind := child(record, "ref-type")) is not None:
        tags["0"] = [kind.get("name") or ENDNOTE_NUMBERS.get(text_of(kind).strip(), "")]
    if re.search(r"nlm|medline|pubmed", " ".join(tags["provider"]), re.IGNORECASE):
        tags["PMID"] = [n for n in tags["M"] if re.fullmatch(r"\d{4,8}", n, re.ASCII)]
    return fields_of(Entry(line_of(record), tags), _ENDNOTE)


ENDNOTE_XML: Final = xml_reader(
    "endnote-xml",
    ("record",),
    _endnote_fields,
    require_signatures("no elements <records><record> of EndNote", _RECORDS, _PARTS),
    "EndNote's XML, with elements <records><record>",
    examples=(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<xml><records><record><titles><title><style>Bees @@</style></title></titles>"
        "<abstract>@@</abstract></record>@@",
    ),
)
