"""The sources of JSON records, one row per source.

A row has a test for records of the source, and the place of each field: a path (`json_paths`), or a
function of the record (`json_shapes`) if a path is not enough. `:volume` is a CSL variable of the
field `reference`. To add a source, add a row; to add a field, add its path to the rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from classifier.papers.clean import join_wrapped_lines, plain_text
from classifier.papers.fields import FIELDS
from classifier.papers.identifiers import venue_unless_preprint
from classifier.papers.kinds import csl_type
from classifier.papers.readers import json_shapes as shapes
from classifier.papers.readers.json_paths import (
    JsonSource,
    Object,
    all_texts_at,
    object_of,
    objects_at,
    prose_at,
    text_at,
    text_of,
    texts_at,
)


def _type_reader(paths: str, source: str, default: str = "") -> Callable[[Object], str]:
    """Return a function that reads the type of a publication in the vocabulary of `source`."""
    return lambda record: csl_type(text_at(record, paths), source) or default


def _url_id_reader(path: str) -> Callable[[Object], str]:
    """Return a function that reads the id at the end of a PubMed URL: `…/articles/PMC123`."""
    return lambda record: text_at(record, path).rstrip("/").rpartition("/")[2]


# The names of the API, and those of the data sets in lower case.
_S2_SIGNATURE: Final = frozenset(
    "paperId externalIds corpusId externalids corpusid s2FieldsOfStudy s2fieldsofstudy".split()
)

# The heading “Abstract” is not part of the abstract.
_HEADING = re.compile(r"^\s*<jats:title>\s*(?:abstract|summary)\s*</jats:title>", re.IGNORECASE)
# `created` and `deposited` are dates of the DOI, not of the work.
_CROSSREF_DATES: Final = (
    "published", "issued", "published-print", "published-online", "posted", "approved",
)  # fmt: skip
_NOT_PAPERS: Final = ("attachment", "note", "annotation")

# Records with an unmistakable signature come first.
JSON_SOURCES: Final[tuple[JsonSource, ...]] = (
    JsonSource(
        "papers.json",
        lambda record: "title" in record
        and ("text_digest" in record or isinstance(record.get("reference"), dict)),
        {},
        # Our own fields unchanged, so that their faults are reported; labels are not read.
        read_whole=lambda record: {
            name: record[name] for name in FIELDS if record.get(name) not in (None, "")
        },
    ),
    JsonSource(
        "zotero",
        lambda record: "itemType" in record or "itemType" in object_of(record.get("data")),
        {
            "title": "title|caseName|nameOfAct|subject", "abstract": "abstractNote",
            "authors": shapes.zotero_authors,
            "published": "date|dateDecided|dateEnacted|issueDate",
            "venue": "publicationTitle|proceedingsTitle|bookTitle|encyclopediaTitle"
            "|dictionaryTitle|blogTitle|websiteTitle|forumTitle|programTitle",
            "arxiv_places": "DOI|extra doi|url|archived|extra|publicationTitle",
            "doi": "DOI|extra doi", "url": "url", "keywords": "tags.tag|tags",
            # A collection without a name is a key.
            "collections": lambda item: [
                name for name in texts_at(item, "collections")
                if not re.fullmatch(r"[2-9A-NP-Z]{8}", name)
            ],
            "reference": shapes.zotero_people,
            ":type": _type_reader("itemType", "zotero", "document"),
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
        prepared=shapes.zotero_item,
        why_no_paper=lambda record: (
            kind if (kind := text_at(record, "itemType|data.itemType")) in _NOT_PAPERS else ""
        ),
    ),
    JsonSource(
        "crossref",
        lambda record: "DOI" in record
        and (isinstance(record.get("title"), list) or {"prefix", "member"} <= record.keys()),
        {
            "title": shapes.crossref_title,
            "abstract": lambda work: plain_text(_HEADING.sub("", text_at(work, "abstract"))),
            "authors": "author",
            "published": lambda work: next(
                filter(None, (shapes.csl_date(work.get(name)) for name in _CROSSREF_DATES)), ""
            ),
            "venue": "container-title",
            "arxiv_places": lambda work: [
                *all_texts_at(work, "DOI|URL"),
                *(f"{item.get('id-type')}:{item.get('id')}"
                  for item in objects_at(work, "relation.has-preprint")),
            ],
            "doi": "DOI", "url": "URL", "keywords": "subject",
            "retracted": shapes.crossref_retraction,
            ":type": _type_reader("type", "crossref"),
            ":volume": "volume", ":issue": "issue", ":page": "page", ":number": "article-number",
            ":publisher": "publisher", ":publisher-place": "publisher-location", ":ISSN": "ISSN",
            ":ISBN": "ISBN", ":language": "language", ":editor": "editor",
            ":translator": "translator", ":event-title": "event.name",
            ":event-place": "event.location",
        },
    ),
    JsonSource(
        "openalex",
        lambda record: "abstract_inverted_index" in record
        or ("openalex.org/" in text_of(record.get("id")) and "title" in record),
        {
            "title": "title|display_name",
            "abstract": shapes.openalex_abstract,
            "authors": "authorships",
            "published": shapes.openalex_date,
            "venue": lambda work: (
                "" if text_at(work, "journal.type") == "repository"
                else venue_unless_preprint(prose_at(work, "journal.display_name"))
            ),
            "arxiv_places": "doi|ids.doi|place.landing_page_url|locations.landing_page_url",
            "doi": "doi|ids.doi", "url": "place.landing_page_url|doi|ids.doi|id",
            "keywords": "keywords.display_name|keywords",
            "retracted": lambda work: "OpenAlex" if work.get("is_retracted") is True else None,
            ":type": shapes.openalex_type,
            ":volume": "biblio.volume", ":issue": "biblio.issue",
            ":page": lambda work: "-".join(
                dict.fromkeys(texts_at(work, "biblio.first_page")[:1]
                              + texts_at(work, "biblio.last_page")[:1])
            ),
            ":publisher": "journal.host_organization_name|journal.publisher",
            ":ISSN": "journal.issn_l", ":language": "language",
            ":PMID": _url_id_reader("ids.pmid"),
            ":PMCID": _url_id_reader("ids.pmcid"),
        },
        # The first location as `place`, its journal as `journal`.
        prepared=lambda record: {
            **record,
            "place": (place := object_of(record.get("primary_location"))),
            "journal": place.get("source"),
        },
    ),
    JsonSource(
        "semantic-scholar",
        lambda record: "title" in record and not _S2_SIGNATURE.isdisjoint(record),
        {
            "title": "title", "abstract": "abstract", "authors": "authors",
            "published": "publicationDate|publicationdate|year",
            "venue": shapes.s2_venue,
            "arxiv_id": shapes.S2_ARXIV,
            "doi": "externalIds.DOI|externalids.DOI", "url": "url",
            "keywords": "fieldsOfStudy|s2FieldsOfStudy.category|s2fieldsofstudy.category",
            ":type": shapes.s2_type,
            ":volume": "journal.volume", ":page": "journal.pages",
            ":ISSN": "publicationVenue.issn", ":PMID": "externalIds.PubMed|externalids.PubMed",
            ":PMCID": lambda paper: (
                f"PMC{number}" if (number := text_at(paper, "externalIds.PubMedCentral")) else ""
            ),
        },
    ),
    JsonSource(
        "hugging-face",
        shapes.is_hugging_face,
        {
            "title": "title",
            "abstract": lambda record: join_wrapped_lines(text_at(record, "summary")),
            "authors": "authors", "organisation": "organization.fullname|organization.name",
            "published": "publishedAt", "arxiv_id": "id", "code_urls": "githubRepo",
            "comment_count": "numComments", ":type": lambda record: "article",
        },
        prepared=lambda record: {**record, **object_of(record.get("paper"))},
    ),
    JsonSource(
        "csl-json",
        shapes.is_csl,
        {
            "title": "title", "abstract": "abstract", "authors": "author",
            "published": lambda item: shapes.csl_date(item.get("issued")),
            "venue": "container-title",
            "arxiv_places": "arxiv|DOI|extra doi|URL|number|extra archived|note",
            "doi": "DOI|extra doi", "url": "URL",
            "keywords": lambda item: shapes.split_items_at(item, "keyword"),
            "collections": "categories",
            "reference": shapes.csl_reference,
            ":type": "type",
        },
        prepared=shapes.csl_item,
    ),
)  # fmt: skip
"""In the order in which they are tried."""


def source_of(record: Object) -> JsonSource | None:
    """Return the first source that recognises an object as its record, or None."""
    return next((source for source in JSON_SOURCES if source.is_record(record)), None)


def source_by_name(name: str) -> JsonSource:
    """Return the source with this name, or raise KeyError if there is none."""
    return {source.name: source for source in JSON_SOURCES}[name]
