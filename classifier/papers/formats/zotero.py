"""Items of Zotero: its API, and the export “BetterBibTeX JSON” of a whole library.

https://www.zotero.org/support/dev/web_api/v3/types_and_fields; types and fields as CSL:
https://aurimasv.github.io/z2csl/typeMap.xml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from classifier.papers.dates import read_date
from classifier.papers.formats.values import (
    Object,
    arxiv_id_in,
    doi_and_url,
    extra_of,
    first_of,
    line_of,
    object_of,
    objects_of,
    sorted_name,
    text_of,
    texts_of,
    venue_of,
)
from classifier.papers.plain import plain_text

_TYPES: Final = {
    "artwork": "graphic", "audioRecording": "song", "bill": "bill", "blogPost": "post-weblog",
    "book": "book", "bookSection": "chapter", "case": "legal_case",
    "computerProgram": "software", "conferencePaper": "paper-conference", "dataset": "dataset",
    "dictionaryEntry": "entry-dictionary", "document": "document",
    "email": "personal_communication", "encyclopediaArticle": "entry-encyclopedia",
    "film": "motion_picture", "forumPost": "post", "hearing": "hearing",
    "instantMessage": "personal_communication", "interview": "interview",
    "journalArticle": "article-journal", "letter": "personal_communication",
    "magazineArticle": "article-magazine", "manuscript": "manuscript", "map": "map",
    "newspaperArticle": "article-newspaper", "patent": "patent", "podcast": "broadcast",
    "preprint": "article", "presentation": "speech", "radioBroadcast": "broadcast",
    "report": "report", "standard": "standard", "statute": "legislation", "thesis": "thesis",
    "tvBroadcast": "broadcast", "videoRecording": "motion_picture", "webpage": "webpage",
}  # fmt: skip
_NOT_PAPERS: Final = {"attachment": "attachment", "note": "note", "annotation": "annotation"}
_REFERENCE: Final = {
    "volume": ("volume",), "issue": ("issue",), "page": ("pages",), "edition": ("edition",),
    "publisher": ("publisher", "university", "institution", "repository", "label", "studio",
                  "distributor", "company", "network"),
    "publisher-place": ("place",), "event-place": ("eventPlace",),
    "event-title": ("conferenceName", "meetingName"),
    "collection-title": ("series", "seriesTitle"), "collection-number": ("seriesNumber",),
    "number": ("number", "reportNumber", "archiveID", "patentNumber", "billNumber"),
    "number-of-pages": ("numPages",), "number-of-volumes": ("numberOfVolumes",),
    "genre": ("thesisType", "reportType", "websiteType", "manuscriptType", "genre", "type"),
    "container-title-short": ("journalAbbreviation",), "title-short": ("shortTitle",),
    "archive": ("archive",), "archive_location": ("archiveLocation",),
    "call-number": ("callNumber",), "source": ("libraryCatalog",), "section": ("section",),
    "version": ("versionNumber",), "license": ("rights",), "language": ("language",),
    "ISBN": ("ISBN",), "ISSN": ("ISSN",), "PMID": ("PMID",), "PMCID": ("PMCID",),
}  # fmt: skip
_NAMES: Final = {
    "editor": "editor", "seriesEditor": "collection-editor", "translator": "translator",
    "bookAuthor": "container-author", "contributor": "contributor",
    "reviewedAuthor": "reviewed-author", "recipient": "recipient",
}  # fmt: skip
_VENUES = (
    "publicationTitle", "proceedingsTitle", "bookTitle", "encyclopediaTitle", "dictionaryTitle",
    "blogTitle", "websiteTitle", "forumTitle", "programTitle",
)  # fmt: skip
_TITLES = ("title", "caseName", "nameOfAct", "subject")
_MOST_DEPTH = 20
_KEY = re.compile(r"[2-9A-NP-Z]{8}")


def is_record(record: Object) -> bool:
    """Say whether an object is an item, or one wrapped by the API."""
    return "itemType" in record or "itemType" in object_of(record.get("data"))


def why_no_paper(record: Object) -> str:
    """Return what an item is that is no paper: an attachment, a note; "" where it is one."""
    return _NOT_PAPERS.get(text_of(_item(record).get("itemType")), "")


def fields(record: Object) -> dict[str, object]:
    """Return the fields of an item."""
    item = _item(record)
    extra = extra_of(text_of(item.get("extra")))
    doi, url = doi_and_url(first_of(item, "DOI") or extra.get("doi", ""), text_of(item.get("url")))
    archive_id = first_of(item, "archiveID", "archiveLocation", "reportNumber")
    archive = f"{first_of(item, 'archive', 'repository')}:{archive_id}"
    named = (doi, url, archive, *texts_of(item.get("extra")), text_of(item.get("publicationTitle")))
    return {
        "title": line_of(plain_text(first_of(item, *_TITLES))),
        "abstract": plain_text(text_of(item.get("abstractNote"))),
        "authors": _authors(item),
        "published": read_date(first_of(item, "date", "dateDecided", "dateEnacted", "issueDate")),
        "venue": venue_of(line_of(plain_text(first_of(item, *_VENUES)))),
        "arxiv_id": arxiv_id_in(named),
        "doi": doi,
        "url": url,
        "keywords": _tags(item.get("tags")),
        "collections": [c for c in texts_of(item.get("collections")) if not _KEY.fullmatch(c)],
        "reference": _reference(item, extra),
    }


def library_items(library: Object) -> Iterator[Object] | None:
    """Return the items of a library, each with the paths of its collections; None for others."""
    items, collections = library.get("items"), library.get("collections")
    if not isinstance(items, list) or not isinstance(collections, Mapping):
        return None
    return _filed(items, _collections_of_items(collections))


def _filed(items: list[object], paths: Mapping[str, list[str]]) -> Iterator[Object]:
    for item in items:
        if isinstance(item, Mapping):
            yield {**item, "collections": paths.get(text_of(item.get("itemID")), [])}


def _collections_of_items(collections: Object) -> dict[str, list[str]]:
    """Return the id of an item -> its collections, each as `Outer / Inner`, sorted."""
    found: dict[str, list[str]] = {}
    for key, value in collections.items():
        path = _path(key, collections)
        for item in texts_of(object_of(value).get("items")):
            found.setdefault(item, []).append(path)
    return {item: sorted(paths) for item, paths in found.items()}


def _path(key: str, collections: Object) -> str:
    names: list[str] = []
    while key and len(names) < _MOST_DEPTH:  # a collection may be its own parent in a broken file
        collection = object_of(collections.get(key))
        name = line_of(collection.get("name"))
        names.append(re.sub(r"\s*/\s*", "/", name))  # a blank on both sides parts the levels
        key = text_of(collection.get("parent"))
    return " / ".join(name for name in reversed(names) if name)


def _item(record: Object) -> Object:
    return record if "itemType" in record else object_of(record.get("data"))


def _authors(item: Object) -> list[str]:
    """Return the authors; of an item that has none (a film, a program) those who made it."""
    creators = objects_of(item.get("creators"))
    authors = [c for c in creators if c.get("creatorType") == "author"]
    makers = authors or [c for c in creators if text_of(c.get("creatorType")) not in _NAMES]
    return [name for creator in makers if (name := _name(creator))]


def _name(creator: Object) -> str:
    family, given = line_of(creator.get("lastName")), line_of(creator.get("firstName"))
    return sorted_name(family, given) or line_of(creator.get("name"))


def _tags(value: object) -> list[str]:
    tags = value if isinstance(value, list) else []
    return [found for t in tags if (found := line_of(t.get("tag") if isinstance(t, dict) else t))]


def _reference(item: Object, extra: Mapping[str, str]) -> dict[str, str]:
    found = {name: line_of(first_of(item, *of)) for name, of in _REFERENCE.items()}
    for kind, name in _NAMES.items():
        creators = (c for c in objects_of(item.get("creators")) if c.get("creatorType") == kind)
        found[name] = "; ".join(person for one in creators if (person := _name(one)))
    kind = text_of(item.get("itemType"))
    found["type"] = _TYPES.get(kind, "document")
    found["accessed"] = read_date(text_of(item.get("accessDate")))
    found["citation-key"] = first_of(item, "citationKey", "citekey") or extra.get(
        "citation key", ""
    )
    found["note"] = line_of(item.get("extra"))
    for name, said in (("PMID", "pmid"), ("PMCID", "pmcid"), ("publisher", "publisher"),
                       ("publisher-place", "place")):  # fmt: skip
        found[name] = found[name] or line_of(extra.get(said))
    return {name: value for name, value in found.items() if value}
