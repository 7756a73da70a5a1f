"""Pages of arxiv.org saved as HTML: lists of a day or month, search results, a paper's page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from classifier.files.content import Content
from classifier.papers.dates import read_date
from classifier.papers.fields import read_fields
from classifier.papers.formats.arxiv import arxiv_fields
from classifier.papers.formats.citation_meta import citation_fields
from classifier.papers.formats.html_page import (
    first_of_class,
    html_page,
    is_html,
    line_text,
    of_class,
)
from classifier.papers.formats.xml_elements import Element, line_of
from classifier.papers.paper import Source, clean_arxiv_id, clean_doi
from classifier.papers.reader import Reader, Record

_LIST = re.compile(r"""class=["'](?:list-title|list-identifier|[^"'<>]*arxiv-result)\b""")
_ABSTRACT_PAGE = re.compile(r"""name=["']?citation_arxiv_id["'\s]""")
_ID = re.compile(r"/abs/([\w.-]+(?:/\d{7})?)")
_SUBJECT = re.compile(r"\(([a-z]{2,10}(?:-[a-z]{1,6})*(?:\.[A-Za-z-]{2,20})?)\)")
_SUBMITTED = re.compile(r"\bsubmitted ([^;.]{4,40})", re.IGNORECASE)
_AND_MORE = re.compile(r"\(?(\d{1,5}) (?:additional|more) authors?\b")


def why_not(content: Content) -> str:
    """Say why a file is no such page."""
    if not is_html(content):
        return "no HTML page"
    if "arxiv" in content.start.lower() and (
        _LIST.search(content.start) or _ABSTRACT_PAGE.search(content.start)
    ):
        return ""
    return "no list, search result or abstract of arxiv.org"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a page in its order."""
    page = html_page(content)
    if page is None:
        return
    found = False
    for element, fields in (*_listed(page), *_searched(page)):
        found = True
        yield from read_fields(fields, Source(content.name, ARXIV_PAGES.name, line_of(element)))
    if not found and (fields := _of_one_paper(page)):
        yield from read_fields(fields, Source(content.name, ARXIV_PAGES.name, 1))


def _listed(page: Element) -> Iterator[tuple[Element, dict[str, object]]]:
    """Yield the entries of a list: in `dt` the id, in the `dd` behind it the rest."""
    for entry in page.iter("dd"):
        title = _described(entry, "list-title")
        head = entry.getprevious()
        if not title or head is None or head.tag != "dt":
            continue
        abstracts = [line_text(element) for element in of_class(entry, "mathjax", "p")]
        yield (
            head,
            arxiv_fields(
                arxiv_id=_id_in(head),
                title=title,
                abstract=abstracts[0] if abstracts else "",
                authors=_linked(first_of_class(entry, "list-authors")),
                subjects=_SUBJECT.findall(_described(entry, "list-subjects")),
                comment=_described(entry, "list-comments"),
                journal=_described(entry, "list-journal-ref"),
                doi=clean_doi(_described(entry, "list-doi")),
                report_number=_described(entry, "list-report-no"),
            ),
        )


def _described(entry: Element, name: str) -> str:
    """Return the text of a part without its descriptor, the `Title:` that stands before it."""
    part = first_of_class(entry, name)
    text = line_text(part)
    label = line_text(first_of_class(part, "descriptor")) if part is not None else ""
    return text.removeprefix(label).strip()


def _searched(page: Element) -> Iterator[tuple[Element, dict[str, object]]]:
    """Yield the results of a search."""
    for entry in of_class(page, "arxiv-result", "li"):
        comments = _labelled(entry)
        authors = first_of_class(entry, "authors", "p")
        names = _linked(authors)
        more = _AND_MORE.search(line_text(authors))
        dates = [line_text(element) for element in of_class(entry, "is-size-7", "p")]
        # Of several versions the first is named last.
        submitted = [found for text in dates for found in _SUBMITTED.findall(text)]
        yield (
            entry,
            arxiv_fields(
                arxiv_id=_id_in(entry),
                title=line_text(first_of_class(entry, "title", "p")),
                abstract=_full_abstract(entry),
                authors=names,
                author_count=len(names) + int(more[1]) if more else None,
                published=read_date(submitted[-1]) if submitted else "",
                subjects=[
                    line_text(tag)
                    for tag in of_class(entry, "tag", "span")
                    if tag.get("data-tooltip")
                ],
                comment=comments.get("comments", ""),
                journal=comments.get("journal ref", ""),
                report_number=comments.get("report number", ""),
                doi=_doi_in(entry),
            ),
        )


def _full_abstract(entry: Element) -> str:
    """Return the abstract behind `More`, without the links that fold it."""
    for name in ("abstract-full", "abstract-short", "abstract"):
        element = first_of_class(entry, name)
        if element is not None:
            text = re.sub(r"[△▽▵▿]\s*(?:Less|More)\s*\Z", "", line_text(element))
            return re.sub(r"\AAbstract\s*:\s*", "", text).strip()
    return ""


def _labelled(entry: Element) -> dict[str, str]:
    """Return the parts behind a result's abstract by their label in lower case."""
    found: dict[str, str] = {}
    for element in of_class(entry, "comments", "p"):
        for part in re.split(r"(?=\b(?:Journal ref|Report number|MSC Class):)", line_text(element)):
            label, colon, text = part.partition(":")
            if colon:
                found.setdefault(label.strip().lower(), text.strip())
    return found


def _of_one_paper(page: Element) -> dict[str, object]:
    """Return the fields of a paper's own page: of its tags, and of the table below its abstract."""
    tags = citation_fields(page)
    if not tags:
        return {}
    parts = {
        name: line_text(first_of_class(page, name, "td"))
        for name in ("comments", "subjects", "jref", "report-number")
    }
    stated = arxiv_fields(
        arxiv_id=str(tags.get("arxiv_id", "")),
        title=str(tags["title"]),
        abstract=str(tags.get("abstract", "")),
        subjects=_SUBJECT.findall(parts["subjects"]),
        comment=parts["comments"],
        journal=parts["jref"],
        report_number=parts["report-number"],
    )
    return {**tags, **stated}


def _id_in(element: Element) -> str:
    for link in element.iter("a"):
        if match := _ID.search(link.get("href", "")):
            return clean_arxiv_id(match[1])
    return ""


def _doi_in(element: Element) -> str:
    found = (link.get("href", "") for link in element.iter("a"))
    return next((clean_doi(link) for link in found if "doi.org/10." in link), "")


def _linked(element: Element | None) -> list[str]:
    """Return the names of authors, each a link to a search for it."""
    links = [] if element is None else list(element.iter("a"))
    names = [line_text(link) for link in links if link.get("href", "#")[:1] != "#"]
    return [name for name in names if name]


ARXIV_PAGES = Reader(
    name="arxiv-html",
    why_not=why_not,
    read=read,
    wants="a saved page of arxiv.org: a list, search results, or a paper's abstract",
)
