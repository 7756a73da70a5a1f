"""Functions for fields of JSON sources for which a path is not enough (`json_sources`).

They recognise records, unwrap them, and read fields that are spread over several places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from classifier.papers.clean import plain_text
from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.fields import MAX_ABSTRACT
from classifier.papers.identifiers import venue_unless_preprint
from classifier.papers.kinds import CSL_KINDS, csl_type
from classifier.papers.readers.json_paths import (
    Object,
    line_of,
    names_of,
    object_of,
    objects_at,
    objects_of,
    prose_at,
    text_at,
    text_of,
    texts_at,
    texts_of,
)
from classifier.papers.readers.row_fields import split_items

_MAX_DEPTH = 20

# --- Crossref: https://api.crossref.org/swagger-ui/index.html


def crossref_title(record: Object) -> str:
    """Return the title with the subtitle, unless the title has it already."""
    title, subtitle, original = (
        prose_at(record, name) for name in ("title", "subtitle", "original-title")
    )
    if not title or not subtitle or subtitle.lower() in title.lower():
        return title or original
    return f"{title} {subtitle}" if title.endswith((":", "?", "!")) else f"{title}: {subtitle}"


RETRACTIONS = frozenset({"retraction", "removal", "withdrawal"})
"""Types of an update of Crossref that take a paper back."""


def crossref_retraction(record: Object) -> str:
    """Return the source of a retraction and the DOI of its notice, or "".

    Source: https://www.crossref.org/documentation/retrieve-metadata/retraction-watch/
    """
    for notice in objects_at(record, "updated-by"):
        if notice.get("type") in RETRACTIONS:
            return f"Crossref, {notice['DOI']}" if notice.get("DOI") else "Crossref"
    return ""


# --- OpenAlex: https://docs.openalex.org/api-entities/works


def openalex_abstract(record: Object) -> str:
    """Return the abstract, rebuilt from the positions of its words.

    >>> openalex_abstract({"abstract_inverted_index": {"bread": [1, 3], "We": [0], "and": [2]}})
    'We bread and bread'
    """
    words = [
        (place, word)
        for word, found in object_of(record.get("abstract_inverted_index")).items()
        if isinstance(found, list)
        for place in found
        if isinstance(place, int)
    ]
    if len(words) > MAX_ABSTRACT:
        return ""
    return plain_text(" ".join(word for _, word in sorted(words)) or text_at(record, "abstract"))


def openalex_date(record: Object) -> str:
    """Return the date of publication; 1 January means that OpenAlex knows only the year."""
    date = text_at(record, "publication_date")
    if not date or date.endswith("-01-01"):
        return date[:4] or text_at(record, "publication_year")
    return date


def openalex_type(work: Object) -> str:
    """Return the type of a work; the type of an article depends on where it was published."""
    of_crossref = csl_type(text_at(work, "type_crossref"), "crossref")
    kind = of_crossref or csl_type(text_at(work, "type"), "openalex")
    if of_crossref or kind != "article-journal":
        return kind
    carrier = text_at(work, "journal.type")
    return {"conference": "paper-conference", "repository": "article"}.get(carrier, kind)


# --- Semantic Scholar: https://api.semanticscholar.org/api-docs/graph

S2_ARXIV = "externalIds.ArXiv|externalids.ArXiv"
_S2_KINDS = (
    "Conference", "BookSection", "Book", "Dataset", "JournalArticle", "Review", "ClinicalTrial",
    "CaseReport", "MetaAnalysis", "Study", "LettersAndComments", "Editorial",
)  # fmt: skip


def s2_venue(paper: Object) -> str:
    """Return the first venue that is not a preprint server."""
    names = (prose_at(paper, path) for path in ("venue", "journal.name", "publicationVenue.name"))
    return next(filter(None, map(venue_unless_preprint, names)), "")


def s2_type(paper: Object) -> str:
    """Return the type of a paper; a paper with an arXiv id and no venue is a preprint."""
    if text_at(paper, S2_ARXIV) and not s2_venue(paper):
        return "article"
    stated = texts_at(paper, "publicationTypes")
    return csl_type(next((kind for kind in _S2_KINDS if kind in stated), ""), "semantic scholar")


def split_items_at(record: Object, paths: str) -> list[str]:
    """Return the items of a list, or of a single text with separators."""
    texts = texts_at(record, paths)
    return split_items(texts[0]) if len(texts) == 1 else texts


# --- Hugging Face -------------------------------------------------------------------------------

_ONLY_HUGGING_FACE = frozenset(
    ("upvotes", "discussionId", "submittedOnDailyAt", "ai_summary", "numComments")
)


def is_hugging_face(record: Object) -> bool:
    """Return whether an object is an entry of Daily Papers, or a paper of Hugging Face."""
    paper = record.get("paper")
    if isinstance(paper, Mapping):
        return "id" in paper and ("publishedAt" in record or "summary" in paper)
    return "title" in record and not _ONLY_HUGGING_FACE.isdisjoint(record)


# --- Zotero: https://www.zotero.org/support/dev/web_api/v3/types_and_fields ----------------------

_EXTRA = re.compile(r"^(DOI|PMID|PMCID|Publisher|Place|Citation Key):[ \t]*(\S.*)$", re.MULTILINE)
_ZOTERO_ROLES: Final = {
    "editor": "editor", "seriesEditor": "collection-editor", "translator": "translator",
    "bookAuthor": "container-author", "contributor": "contributor",
    "reviewedAuthor": "reviewed-author", "recipient": "recipient",
}  # fmt: skip


def add_extra_fields(record: Object, note: str) -> Object:
    """Add the `name: value` lines of a note to a record, as keys such as `extra doi`."""
    found = {f"extra {name.lower()}": value for name, value in _EXTRA.findall(note)}
    return {**record, **found} if found else record


def zotero_item(record: Object) -> Object:
    """Return an unwrapped item, with its archive and the values in its field `extra`."""
    item = record if "itemType" in record else object_of(record.get("data"))
    place = text_at(item, "archiveID|archiveLocation|reportNumber")
    archived = f"{text_at(item, 'archive|repository')}:{place}"
    return {**add_extra_fields(item, text_of(item.get("extra"))), "archived": archived}


def zotero_authors(item: Object) -> list[str]:
    """Return the authors; for an item without authors (a film, a program), its creators."""
    creators = objects_of(item.get("creators"))
    authors = [one for one in creators if one.get("creatorType") == "author"]
    others = [one for one in creators if text_of(one.get("creatorType")) not in _ZOTERO_ROLES]
    return names_of(authors or others)


def zotero_people(item: Object) -> dict[str, str]:
    """Return the people in other roles than author, by role."""
    creators = objects_of(item.get("creators"))
    return {
        name: "; ".join(names_of([one for one in creators if one.get("creatorType") == role]))
        for role, name in _ZOTERO_ROLES.items()
    }


def library_items(library: Object) -> Iterator[Object] | None:
    """Return a library's items, each with the paths of its collections; None for other objects."""
    items, collections = library.get("items"), library.get("collections")
    if not isinstance(items, list) or not isinstance(collections, Mapping):
        return None
    paths: dict[str, list[str]] = {}
    for key, value in collections.items():
        for item in texts_of(object_of(value).get("items")):
            paths.setdefault(item, []).append(_collection_path(key, collections))
    return (
        {**item, "collections": sorted(paths.get(text_of(item.get("itemID")), []))}
        for item in objects_of(items)
    )


def _collection_path(key: str, collections: Object) -> str:
    names: list[str] = []
    while key and len(names) < _MAX_DEPTH:  # a collection may be its own parent in a broken file
        collection = object_of(collections.get(key))
        # A slash with a blank on both sides separates levels.
        names.append(re.sub(r"\s*/\s*", "/", line_of(collection.get("name"))))
        key = text_of(collection.get("parent"))
    return " / ".join(name for name in reversed(names) if name)


# --- CSL-JSON: https://github.com/citation-style-language/schema (csl-data.json) -----------------

_CSL_FIELDS = frozenset(
    "DOI URL abstract author arxiv categories citation-key citekey container-title custom id issued"
    " journalAbbreviation keyword shortTitle title type".split()
)
# Names that other sources do not have; `title` and `type` are everywhere.
_ONLY_CSL = frozenset(
    "accessed citation-key container-title event-title issued collection-title publisher-place"
    " title-short".split()
)


def is_csl(record: Object) -> bool:
    """Return whether an object is a CSL item: it has a CSL type and CSL variables."""
    kind = record.get("type")
    if not isinstance(kind, str) or kind not in CSL_KINDS:
        return False
    return "-" in kind or not _ONLY_CSL.isdisjoint(record)


def csl_item(item: Object) -> Object:
    """Return an item with its archive and the values in its note."""
    archived = f"{text_of(item.get('archive'))}:{text_of(item.get('archive_location'))}"
    return {**add_extra_fields(item, text_at(item, "note")), "extra archived": archived}


def csl_date(value: object) -> str:
    """Convert a CSL date to an ISO date; of a range, the start is used.

    >>> csl_date({"date-parts": [["2024", 6, 13]]}), csl_date({"raw": "May 2024"})
    ('2024-06-13', '2024-05')
    """
    if isinstance(value, str | int):
        return read_date(text_of(value))
    date = object_of(value)
    parts = date.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else []
    if isinstance(first, list) and first and (year := text_of(first[0])):
        return date_of_parts(year, *(text_of(part) for part in first[1:3]))
    return read_date(text_at(date, "raw|literal|date-time|string"))


def csl_reference(item: Object) -> dict[str, str]:
    """Return the CSL variables of an item that are not fields: dates, people and texts."""
    found: dict[str, str] = {}
    for name, value in item.items():
        if name not in _CSL_FIELDS and not name.startswith("extra "):
            people = names_of(value) if objects_of(value) else []
            texts = "; ".join(people) or ", ".join(texts_of(value))
            found[name] = csl_date(value) if isinstance(value, Mapping) else texts
    for name in ("PMID", "PMCID"):
        found.setdefault(name, text_at(item, f"extra {name.lower()}"))
    # The id of an item is the user's cite key, unless it is a number or a URL.
    identity = item.get("id")
    key = identity if isinstance(identity, str) else ""
    key = key if re.fullmatch(r"(?!\d+$)[^\s/]{1,200}", key) else ""
    stated = text_at(item, "citation-key|citekey|extra citation key")
    return {**found, "citation-key": stated or key}
