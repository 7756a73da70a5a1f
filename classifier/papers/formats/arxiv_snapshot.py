"""Records of the arXiv snapshot on Kaggle, and files cut from it or made like it.

https://www.kaggle.com/datasets/Cornell-University/arxiv: one object a line with `id`, `title`,
`abstract`, `categories`, `versions`, `authors_parsed` … Titles and abstracts are hard-wrapped.
"""

from __future__ import annotations

import re

from classifier.papers.code_urls import find_code_urls
from classifier.papers.dates import read_date
from classifier.papers.formats.values import (
    Object,
    arxiv_id_in,
    filled,
    first_of,
    line_of,
    objects_of,
    sorted_name,
    text_of,
    texts_of,
    url_of,
)
from classifier.papers.paper import clean_arxiv_id

_ONLY_ARXIV = ("authors_parsed", "journal-ref", "report-no", "submitter")
_CATEGORY = re.compile(r"[a-z-]{2,8}(?:\.[A-Za-z-]{2,})?")


def is_record(record: Object) -> bool:
    """Say whether an object is a record of the snapshot, whole or cut down."""
    if "title" not in record:
        return False
    if any(name in record for name in _ONLY_ARXIV):
        return True
    return "abstract" in record and "id" in record and _is_classified(record)


def fields(record: Object) -> dict[str, object]:
    """Return the fields of a record."""
    link = url_of(first_of(record, "url", "link", "abs_url", "pdf_url"))
    arxiv_id = clean_arxiv_id(first_of(record, "arxiv_id", "id")) or arxiv_id_in([link])
    abstract = unwrapped(text_of(record.get("abstract")))
    code = find_code_urls(f"{text_of(record.get('comments'))}\n{abstract}")
    return {
        "title": line_of(record.get("title")),
        "abstract": abstract,
        "authors": _authors(record),
        "published": _published(record),
        "venue": line_of(first_of(record, "journal-ref", "journal_ref")),
        "arxiv_id": arxiv_id,
        "doi": text_of(record.get("doi")).partition(" ")[0],
        "url": link,
        "code_urls": list(code),
        "keywords": categories_of(record.get("categories") or record.get("category")),
        "reference": filled(
            type="article",
            number=line_of(record.get("report-no")) if record.get("report-no") else "",
        ),
    }


def unwrapped(abstract: str) -> str:
    """Return a hard-wrapped abstract with a paragraph on a line.

    A paragraph begins where a line is indented, or behind an empty one.

    >>> unwrapped("We bake\\nbread.\\n  It is\\ngood.")
    'We bake bread.\\nIt is good.'
    """
    paragraphs = re.split(r"\n(?=[ \t])|\n[ \t]*\n", abstract.strip())
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def categories_of(value: object) -> list[str]:
    """Return arXiv's categories from a list or from a text such as `cs.AI cs.CL`."""
    return [word for text in texts_of(value) for word in re.split(r"[\s,;]+", text) if word]


def split_authors(text: str) -> list[str]:
    """Return the names in arXiv's line of authors, without their affiliations.

    >>> split_authors("C. Bal\\\\'azs, E. L. Berger (Argonne, IL) and C.-P. Yuan")
    ["C. Bal\\\\'azs", 'E. L. Berger', 'C.-P. Yuan']
    """
    depth, kept = 0, []
    for sign in text:
        depth += sign == "("
        if not depth:
            kept.append(sign)
        depth -= sign == ")" and depth > 0
    names = re.split(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", " ".join("".join(kept).split()))
    return [name for name in names if name]


def _is_classified(record: Object) -> bool:
    found = categories_of(record.get("categories") or record.get("category"))
    return bool(found) and all(_CATEGORY.fullmatch(name) for name in found)


def _authors(record: Object) -> list[str]:
    parsed = record.get("authors_parsed")
    if isinstance(parsed, list) and parsed:
        return [name for parts in parsed if (name := _name(parts))]
    authors = record.get("authors")
    if isinstance(authors, list):
        named = [line_of(item.get("name")) for item in objects_of(authors)]
        return [name for name in (*texts_of(authors), *named) if name]
    return split_authors(text_of(authors))


def _name(parts: object) -> str:
    if isinstance(parts, list):
        family, given, suffix = ([line_of(part) for part in parts[:3]] + ["", "", ""])[:3]
        return sorted_name(family, given, suffix)
    return ""


def _published(record: Object) -> str:
    """Return the date of the first version; `update_date` is that of the last one."""
    versions = objects_of(record.get("versions"))
    first = text_of(versions[0].get("created")) if versions else ""
    return read_date(first or first_of(record, "published", "published_date", "date"))
