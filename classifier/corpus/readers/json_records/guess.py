"""Records of a source that nobody knows, by what their keys are called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from classifier.corpus.paper import clean_arxiv_id, clean_doi
from classifier.corpus.readers.dates import read_date
from classifier.corpus.readers.fields import FIELDS, clean_url
from classifier.corpus.readers.json_records.arxiv_snapshot import split_authors, unwrapped
from classifier.corpus.readers.json_records.csl import names_of
from classifier.corpus.readers.json_records.values import (
    Object,
    arxiv_id_in,
    doi_and_url,
    line_of,
    object_of,
    text_of,
    texts_of,
    venue_of,
)
from classifier.corpus.readers.plain import plain_text

# Field -> keys in lower case without separators, the best first.
_KEYS: Final = {
    "title": "title papertitle articletitle documenttitle displaytitle fulltitle titles"
             " publicationtitle headline heading name paper",
    "abstract": "abstract paperabstract abstracttext abstractnote abstracts summary abstr"
                " description contenttext",
    "authors": "authors author authornames authorlist authorslist authorsparsed authorstring"
               " creators creator writers people by",
    "published": "published publicationdate publisheddate publishdate datepublished publishedat"
                 " pubdate date releasedate submitteddate issued year publicationyear"
                 " publishedyear pubyear",
    "venue": "venue journal journaltitle journalname containertitle booktitle conference"
             " conferencename proceedings proceeding publication sourcetitle journalref",
    "arxiv_id": "arxivid arxiv arxivnumber eprint paperarxivid",
    "doi": "doi paperdoi",
    "url": "url link paperurl paperlink absurl urlabs arxivurl articleurl landingpageurl href"
           " sourceurl pdfurl urlpdf pdflink pdf",
    "code_urls": "codeurls codeurl code codelink codelinks github githuburl githubrepo repo"
                 " repourl repository",
    "keywords": "keywords keyword authorkeywords subjects subject keywordlist mesh meshterms"
                " fieldsofstudy concepts",
    "collections": "collections collection categories category topics topic tags tag section"
                   " sections folder folders group groups tasks task area areas track"
                   " primarycategory",
    "organisation": "organisation organization",
    "author_count": "authorcount",
    "comment_count": "commentcount",
    "id": "id", "abstract_kind": "abstractkind", "reference": "reference",
}  # fmt: skip
_REFERENCE: Final = {
    "volume": "volume vol", "issue": "issue", "page": "pages page pagerange",
    "publisher": "publisher", "ISSN": "issn", "ISBN": "isbn", "language": "language lang",
    "PMID": "pmid pubmedid", "PMCID": "pmcid", "citation-key": "citekey bibkey citationkey",
}  # fmt: skip
_RICH = ("abstract", "authors", "doi", "arxiv_id", "published", "venue")


def columns_of(record: Object) -> dict[str, str]:
    """Return field -> the key that it is read from; CSL variables as `reference.volume`.

    >>> columns_of({"paper_title": "Bread", "writers": ["Ann"], "vol": 3, "rank": 1})
    {'title': 'paper_title', 'authors': 'writers', 'reference.volume': 'vol'}
    """
    return dict(_columns(tuple(record)))


def is_record(record: Object) -> bool:
    """Say whether an object names a paper: a key that holds a title, as text."""
    columns = columns_of(record)
    key = columns.get("title", "")
    title = record.get(key)
    if not line_of(title) or (isinstance(title, list) and len(title) > 1):
        return False
    certain = "title" in _folded(key) or key in FIELDS
    return certain or any(field in columns for field in ("abstract", "authors", "arxiv_id", "doi"))


def is_rich(record: Object) -> bool:
    """Say whether an object states so much of a paper that it is no mere list with a title."""
    columns = columns_of(record)
    return any(field in columns and field != "abstract" for field in _RICH) or (
        "abstract" in _folded(columns.get("abstract", "")) or "summary" in record
    )


def fields(record: Object) -> dict[str, object]:
    """Return the fields of a record."""
    columns = columns_of(record)
    values = {field: record.get(key) for field, key in columns.items()}
    links = [text for field in ("url", "id", "doi") for text in texts_of(values.get(field))]
    stated = _with_parts(values.get("arxiv_id"))
    doi, url = doi_and_url(text_of(values.get("doi")), _url(record, values.get("url")))
    found: dict[str, object] = {
        "title": line_of(plain_text(text_of(values.get("title")))),
        "abstract": unwrapped(plain_text(text_of(values.get("abstract")))),
        "authors": authors_of(values.get("authors")),
        "organisation": line_of(values.get("organisation")),
        "published": read_date(text_of(values.get("published"))),
        "venue": venue_of(line_of(_named(values.get("venue")))),
        "arxiv_id": clean_arxiv_id(stated) or arxiv_id_in(links) or _whole_arxiv_id(record),
        "doi": doi or next((d for link in links if (d := clean_doi(link))), ""),
        "url": url,
        "code_urls": [url for text in _words(values.get("code_urls")) if (url := clean_url(text))],
        "keywords": _words(values.get("keywords")),
        "collections": _words(values.get("collections")),
        "reference": _reference(record, columns),
    }
    for field in ("author_count", "comment_count"):
        count = values.get(field)
        found[field] = count if type(count) is int and 0 <= count <= 1_000_000 else None
    if values.get("abstract_kind") in ("abstract", "digest"):
        found["abstract_kind"] = values["abstract_kind"]
    return found


def authors_of(value: object) -> list[str]:
    """Return names from a list of texts or of objects, or from one text that lists them.

    >>> authors_of("Cruz, Ada and Oven, Ann"), authors_of("Ada Cruz, Ann Oven")
    (['Cruz, Ada', 'Oven, Ann'], ['Ada Cruz', 'Ann Oven'])
    """
    if isinstance(value, str):
        return _split(" ".join(value.split()))
    if isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
        return [name for item in value if (name := _author(item))]
    if isinstance(value, list) and any(isinstance(item, list) for item in value):
        parts = ([line_of(part) for part in item] for item in value if isinstance(item, list))
        return [", ".join(part for part in name[:2] if part) for name in parts if any(name)]
    return [" ".join(name.split()) for name in texts_of(value)]


@lru_cache(maxsize=1024)
def _columns(keys: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    folded: dict[str, str] = {}
    for key in keys:
        folded.setdefault(_folded(key), key)
    found: dict[str, str] = {}
    wanted = {**_KEYS, **{f"reference.{name}": names for name, names in _REFERENCE.items()}}
    for field, names in wanted.items():
        key = next((folded[name] for name in names.split() if name in folded), "")
        if key and key not in found.values():
            found[field] = key
    return tuple(found.items())


def _folded(key: str) -> str:
    return re.sub(r"[\s_.:-]+", "", key).lower()


def _split(text: str) -> list[str]:
    if ";" in text:
        return [name for part in text.split(";") if (name := part.strip())]
    people = re.split(r"\s+and\s+", text)
    if len(people) > 1 and all(person.count(",") == 1 for person in people):
        return people
    return split_authors(text)


def _author(item: object) -> str:
    if not isinstance(item, Mapping):
        return line_of(item)
    names = {_folded(str(key)): value for key, value in item.items()}
    inner = object_of(names.get("author"))
    if inner:
        return _author(inner)
    whole = ("name", "fullname", "displayname", "authorname", "author", "text", "literal")
    found = next((line for key in whole if (line := line_of(names.get(key)))), "")
    family = next(
        (names[key] for key in ("family", "lastname", "last", "surname") if key in names), ""
    )
    given = next(
        (names[key] for key in ("given", "firstname", "first", "forename") if key in names), ""
    )
    return found or "".join(names_of({"family": line_of(family), "given": line_of(given)}))


def _named(value: object) -> str:
    """Return a text, or the name that an object holds."""
    inner = object_of(value)
    return text_of(inner.get("name") or inner.get("title")) if inner else text_of(value)


def _with_parts(value: object) -> str:
    return text_of(object_of(value).get("id")) or text_of(value)


def _whole_arxiv_id(record: Object) -> str:
    """Return the arXiv id that an `id` is and nothing else: `2401.10230v1`."""
    identity = text_of(record.get("id") or record.get("paper_id"))
    return clean_arxiv_id(identity) if re.fullmatch(r"\d{4}\.\d{4,5}(v\d+)?", identity) else ""


def _url(record: Object, value: object) -> str:
    found = next((url for text in texts_of(value) if (url := clean_url(text))), "")
    return found or clean_url(text_of(record.get("id")))


def _words(value: object) -> list[str]:
    if isinstance(value, str):
        separator = ";" if ";" in value else ","
        return [word.strip() for word in value.split(separator)]
    items = value if isinstance(value, list) else [value]
    return [word for item in items if (word := line_of(_named(item)))]


def _reference(record: Object, columns: Mapping[str, str]) -> dict[str, str]:
    stated = object_of(record.get(columns.get("reference", "")))
    found = {name: text_of(value) for name, value in stated.items()}
    for field, key in columns.items():
        if field.startswith("reference."):
            found[field.removeprefix("reference.")] = line_of(record.get(key))
    return {name: value for name, value in found.items() if value}
