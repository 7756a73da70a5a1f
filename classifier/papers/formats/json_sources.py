"""The sources of JSON records that are known: a row a source.

A row says how a record of the source is told from others, and where its fields stand: as paths
(`json_paths`) that are read as the field needs it, or as a function of the record (`json_shapes`)
where a path does not do. `:volume` is a variable of CSL, a part of the field `reference`. A new
source is a row; a new field is a path in the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from classifier.papers.clean import find_code_urls, unwrapped
from classifier.papers.fields import FIELDS
from classifier.papers.formats import json_libraries as libraries
from classifier.papers.formats import json_shapes as shapes
from classifier.papers.formats.json_paths import (
    JsonSource,
    Object,
    line_at,
    names_at,
    object_of,
    objects_at,
    text_at,
    texts_at,
)
from classifier.papers.identifiers import url_of, venue_of
from classifier.papers.kinds import csl_kind
from classifier.papers.paper import clean_arxiv_id


def _kind(paths: str, source: str, default: str = "") -> Callable[[Object], str]:
    """Return what reads a kind of publication in the words of a source."""
    return lambda record: csl_kind(text_at(record, paths), source) or default


def _pages(first: str, last: str) -> Callable[[Object], str]:
    """Return what joins the first and the last page."""
    return lambda record: "-".join(
        dict.fromkeys(filter(None, (text_at(record, first), text_at(record, last))))
    )


def _last_part(path: str) -> Callable[[Object], str]:
    """Return what reads the number at the end of an URL of PubMed: `…/articles/PMC123`."""
    return lambda record: text_at(record, path).rstrip("/").rpartition("/")[2]


def _with_code(comments: str, abstract: str) -> Callable[[Object], list[str]]:
    """Return what finds links to code in a comment and an abstract."""
    return lambda record: list(
        find_code_urls(f"{text_at(record, comments)}\n{unwrapped(text_at(record, abstract))}")
    )


# What has an unmistakable face comes first.
JSON_SOURCES: Final[tuple[JsonSource, ...]] = (
    JsonSource(
        "papers.json",
        lambda record: "title" in record and "text_digest" in record,
        {},
        # Our own fields as they are, so that what is wrong with them is told; labels are not read.
        read_whole=lambda record: {
            name: record[name] for name in FIELDS if record.get(name) not in (None, "")
        },
    ),
    JsonSource(
        "zotero",
        lambda record: "itemType" in record or "itemType" in object_of(record.get("data")),
        {
            "title": "title|caseName|nameOfAct|subject",
            "abstract": "abstractNote",
            "authors": libraries.zotero_authors,
            "published": "date|dateDecided|dateEnacted|issueDate",
            "venue": "publicationTitle|proceedingsTitle|bookTitle|encyclopediaTitle"
            "|dictionaryTitle|blogTitle|websiteTitle|forumTitle|programTitle",
            "arxiv_places": "DOI|extra doi|url|archived|extra|publicationTitle",
            "doi": "DOI|extra doi",
            "url": lambda item: text_at(item, "url"),
            "keywords": "tags.tag|tags",
            "collections": libraries.zotero_collections,
            "reference": libraries.zotero_people,
            ":type": _kind("itemType", "zotero", "document"),
            ":volume": "volume", ":issue": "issue", ":page": "pages", ":edition": "edition",
            ":publisher": "publisher|university|institution|repository|label|studio|distributor"
            "|company|network|extra publisher",
            ":publisher-place": "place|extra place", ":event-place": "eventPlace",
            ":event-title": "conferenceName|meetingName",
            ":collection-title": "series|seriesTitle", ":collection-number": "seriesNumber",
            ":number": "number|reportNumber|archiveID|patentNumber|billNumber",
            ":number-of-pages": "numPages", ":number-of-volumes": "numberOfVolumes",
            ":genre": "thesisType|reportType|websiteType|manuscriptType|genre|type",
            ":container-title-short": "journalAbbreviation", ":title-short": "shortTitle",
            ":archive": "archive", ":archive_location": "archiveLocation",
            ":call-number": "callNumber", ":source": "libraryCatalog", ":section": "section",
            ":version": "versionNumber", ":license": "rights", ":language": "language",
            ":ISBN": "ISBN", ":ISSN": "ISSN", ":PMID": "PMID|extra pmid",
            ":PMCID": "PMCID|extra pmcid", ":accessed": "accessDate",
            ":citation-key": "citationKey|citekey|extra citation key", ":note": "extra",
        },
        prepared=libraries.zotero_item,
        why_no_paper=libraries.why_no_item,
    ),
    JsonSource(
        "openreview",
        lambda record: "forum" in record and any(name in record for name in shapes.ONLY_NOTES),
        {
            "title": lambda note: line_at(note, "title"),
            "abstract": lambda note: text_at(note, "abstract"),
            "authors": "authors",
            "published": "date",
            "venue": lambda note: venue_of(line_at(note, "venue")),
            "arxiv_places": "url|html|ee|pdf",
            "doi": "doi",
            "url": "page|url|html|ee|pdf",
            "code_urls": "code|github",
            "keywords": lambda note: shapes.words_at(note, "keywords"),
            "collections": lambda note: (
                shapes.words_at(note, "subject_areas") + texts_at(note, "primary_area")
            ),
            ":citation-key": "cite key",
        },
        prepared=shapes.open_note,
        why_no_paper=lambda record: "reply" if text_at(record, "replyto") else "",
    ),
    JsonSource(
        "crossref",
        shapes.is_crossref,
        {
            "title": shapes.crossref_title,
            "abstract": shapes.crossref_abstract,
            "authors": "author",
            "published": shapes.crossref_date,
            "venue": "container-title",
            "arxiv_places": shapes.crossref_places,
            "doi": "DOI",
            "url": "URL",
            "keywords": "subject",
            ":type": lambda record: (
                csl_kind(kind := text_at(record, "type"), "crossref") or kind
            ),
            ":volume": "volume", ":issue": "issue", ":page": "page", ":number": "article-number",
            ":publisher": "publisher", ":publisher-place": "publisher-location", ":ISSN": "ISSN",
            ":ISBN": "ISBN", ":language": "language", ":editor": "editor",
            ":translator": "translator", ":event-title": "event.name",
            ":event-place": "event.location",
        },
    ),
    JsonSource(
        "openalex",
        shapes.is_openalex,
        {
            "title": "title|display_name",
            "abstract": shapes.openalex_abstract,
            "authors": "authorships",
            "published": shapes.openalex_date,
            "venue": lambda work: (
                "" if text_at(work, "journal.type") == "repository"
                else venue_of(line_at(work, "journal.display_name"))
            ),
            "arxiv_places": "doi|ids.doi|place.landing_page_url|locations.landing_page_url",
            "doi": "doi|ids.doi",
            "url": "place.landing_page_url|place.url|doi|ids.doi|id",
            "keywords": "keywords.display_name|keywords",
            ":type": shapes.openalex_kind,
            ":volume": "biblio.volume", ":issue": "biblio.issue",
            ":page": _pages("biblio.first_page", "biblio.last_page"),
            ":publisher": "journal.host_organization_name|journal.publisher",
            ":ISSN": lambda work: text_at(work, "journal.issn_l|journal.issn"),
            ":language": "language",
            ":PMID": _last_part("ids.pmid"),
            ":PMCID": _last_part("ids.pmcid"),
        },
        # The first location as `place`, that one's journal as `journal`.
        prepared=lambda record: {
            **record,
            "place": (place := next(iter(objects_at(record, "primary_location|host_venue")), {})),
            "journal": object_of(place.get("source")) or place,
        },
    ),
    JsonSource(
        "semantic-scholar",
        lambda record: "title" in record and not shapes.S2_FACES.isdisjoint(record),
        {
            "title": "title",
            "abstract": "abstract|paperabstract",
            "authors": "authors",
            "published": lambda paper: text_at(paper, "publicationdate|year"),
            "venue": shapes.s2_venue,
            "arxiv_id": shapes.S2_ARXIV,
            "doi": "externalids.doi|doi",
            "url": "url|s2url|s2pdfurl",
            "keywords": "fieldsofstudy|magfieldofstudy|s2fieldsofstudy.category",
            ":type": shapes.s2_kind,
            ":volume": "journal.volume|journalvolume", ":page": "journal.pages|journalpages",
            ":ISSN": lambda paper: text_at(paper, "publicationvenue.issn"),
            ":PMID": "externalids.pubmed|pmid|pubmedid",
            ":PMCID": lambda paper: (
                f"PMC{number}"
                if (number := text_at(paper, "externalids.pubmedcentral|pmcid")).isdecimal()
                else number
            ),
        },
        prepared=shapes.folded,
    ),
    JsonSource(
        "hugging-face",
        shapes.is_hugging_face,
        {
            "title": lambda record: line_at(record, "paper.title|title"),
            "abstract": lambda record: unwrapped(text_at(record, "paper.summary|summary")),
            "authors": lambda record: names_at(
                record, "paper.authors" if record.get("paper") else "authors"
            ),
            "organisation": "paper.organization.fullname|paper.organization.name"
            "|organization.fullname|organization.name",
            "published": "paper.publishedAt|publishedAt",
            "arxiv_id": lambda record: clean_arxiv_id(
                text_at(record, "paper.id" if record.get("paper") else "id")
            ),
            "code_urls": "paper.githubRepo|githubRepo",
            "comment_count": "numComments",
            ":type": lambda record: "article",
        },
    ),
    JsonSource(
        "arxiv-snapshot",
        shapes.is_snapshot,
        {
            "title": lambda record: line_at(record, "title"),
            "abstract": lambda record: unwrapped(text_at(record, "abstract")),
            "authors": shapes.snapshot_authors,
            "published": "versions.created|published|published_date"
            "|submitted_date_all|submitted_date|date",
            "venue": lambda record: line_at(record, "journal-ref|journal_ref"),
            "arxiv_id": "arxiv_id|paper_id|id",
            "arxiv_places": "url|link|abs_url|pdf_url",
            "doi": "doi",
            "url": lambda record: url_of(text_at(record, "url|link|abs_url|pdf_url")),
            "code_urls": _with_code("comments", "abstract"),
            "keywords": shapes.categories,
            ":type": lambda record: "article",
            ":number": "report-no",
        },
    ),
    JsonSource(
        "papers-with-code",
        shapes.is_papers_with_code,
        {
            "title": lambda record: line_at(record, "title|paper_title"),
            "abstract": lambda record: text_at(record, "abstract"),
            "authors": "authors",
            "published": "date|paper_date",
            "venue": lambda record: venue_of(line_at(record, "proceeding|conference")),
            "arxiv_id": "arxiv_id|paper_arxiv_id",
            "arxiv_places": "url_abs|paper_url_abs|paper_url|url_pdf",
            "url": "url_abs|paper_url_abs|paper_url|url_pdf",
            "code_urls": "code_links.url|repo_url",
            "keywords": "methods.name",
            "collections": "collections|tasks",
        },
    ),
    JsonSource(
        "csl-json",
        libraries.is_csl,
        {
            "title": "title",
            "abstract": "abstract",
            "authors": "author",
            "published": lambda item: libraries.csl_date(item.get("issued")),
            "venue": "container-title",
            "arxiv_places": "arxiv|DOI|extra doi|URL|number|extra archived|note",
            "doi": "DOI|extra doi",
            "url": lambda item: text_at(item, "URL"),
            "keywords": lambda item: shapes.words_at(item, "keyword"),
            "collections": "categories",
            "reference": libraries.csl_reference,
            ":type": "type",
        },
        prepared=libraries.csl_item,
    ),
)  # fmt: skip
"""In the order in which they are asked."""


def source_of(record: Object) -> JsonSource | None:
    """Return the first source that knows an object as its record, or None."""
    return next((source for source in JSON_SOURCES if source.is_record(record)), None)


def source_named(name: str) -> JsonSource:
    """Return the source of a name; raises KeyError where there is none."""
    return {source.name: source for source in JSON_SOURCES}[name]
