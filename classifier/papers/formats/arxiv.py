r"""What arXiv states of a paper: the feed of its API (Atom), its e-mail.

https://info.arxiv.org/help/subscribe.html: a record of an e-mail list, as of an `.abs` file, stands
between lines `\\`: a head of `Name: value` lines, folded by indenting, then `\\`, mostly an
abstract, and `\\` again, with the link where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from classifier.files.content import Content
from classifier.papers.clean import find_code_urls, unwrapped
from classifier.papers.dates import read_date
from classifier.papers.fields import read_fields
from classifier.papers.formats.latex import latex_text
from classifier.papers.formats.xml_elements import (
    Element,
    parts_of,
    text_in,
    text_of,
    xml_reader,
)
from classifier.papers.names import arxiv_authors
from classifier.papers.paper import Source, clean_arxiv_id
from classifier.papers.reader import Reader, Record

_ATOM = re.compile(r"<(?:\w+:)?(?:feed|entry)\b[^>]*http://www\.w3\.org/2005/Atom")
_ATOM_ID = re.compile(r"<(?:\w+:)?id>\s*https?://(?:export\.)?arxiv\.org/(?:abs|api)/")


def arxiv_fields(
    *,
    arxiv_id: str,
    title: str,
    abstract: str = "",
    authors: Sequence[str] = (),
    author_count: int | None = None,
    published: str = "",
    subjects: Sequence[str] = (),
    comment: str = "",
    journal: str = "",
    doi: str = "",
    url: str = "",
    report_number: str = "",
    license_url: str = "",
) -> dict[str, object]:
    """Return the fields of one record of arXiv; texts may be hard-wrapped.

    `subjects` (`cs.CL`) become keywords, `journal` is the reference to where the paper came out.
    """
    abstract = unwrapped(abstract)
    reference = {
        "type": "article",
        "note": _line(comment),
        "number": _line(report_number),
        "license": license_url.strip(),
    }
    fields: dict[str, object] = {
        "title": _line(title),
        "abstract": abstract,
        "authors": [_line(latex_text(name) if "\\" in name else name) for name in authors],
        "author_count": author_count,
        "published": read_date(published),
        "venue": _line(journal),
        "arxiv_id": arxiv_id,
        "doi": doi.split()[0] if doi.strip() else "",
        "url": url.strip(),
        "code_urls": list(find_code_urls(f"{abstract} {_line(comment)}")),
        "keywords": list(subjects),
        "reference": {name: value for name, value in reference.items() if value},
    }
    return {name: value for name, value in fields.items() if value not in ("", [], None)}


def _line(text: str) -> str:
    return " ".join(text.split())


def entry_fields(element: Element) -> dict[str, object]:
    """Return what an entry of the API states; of its message about a query, an entry too, {}."""
    parts = parts_of(element)
    if "/api/errors" in text_in(parts, "id"):
        return {}
    authors = [part for author in parts.get("author", ()) for part in author]
    links = {
        link.get("title") or link.get("rel"): link.get("href", "") for link in parts.get("link", ())
    }
    fields = arxiv_fields(
        arxiv_id=clean_arxiv_id(text_in(parts, "id")),
        title=text_in(parts, "title"),
        abstract=text_in(parts, "summary"),
        authors=[name for name in _texts(authors, "}name") if name],
        published=text_in(parts, "published"),
        subjects=[term for part in parts.get("category", ()) if (term := part.get("term"))],
        comment=text_in(parts, "comment"),
        journal=text_in(parts, "journal_ref"),
        doi=text_in(parts, "doi") or links.get("doi", ""),
        url=links.get("alternate", ""),
    )
    institutes = set(_texts(authors, "}affiliation")) - {""}
    if len(institutes) == 1:
        fields["organisation"] = institutes.pop()
    return fields


def _texts(elements: list[Element], name: str) -> list[str]:
    """Return the texts of the elements whose tag ends so; comments have no tag that is a text."""
    return [
        text_of(element).strip()
        for element in elements
        if isinstance(element.tag, str) and element.tag.endswith(name)
    ]


ARXIV_ATOM: Final = xml_reader(
    "arxiv-atom",
    ("entry",),
    entry_fields,
    lambda content: (
        "no Atom feed"
        if not _ATOM.search(content.start)
        else ""
        if _ATOM_ID.search(content.start)
        else "an Atom feed without ids of arXiv"
    ),
    "an Atom feed as the arXiv API answers (export.arxiv.org/api/query)",
)

_MAIL = re.compile(r"^\\\\[ \t]*\n(?:[^\n]*\n){0,3}?(?:arXiv:|Paper: )\S+", re.MULTILINE)
_MAIL_HEADER = re.compile(r"([A-Za-z][A-Za-z-]{2,20})(?: \([^()]{1,20}\))?:\s*(.*)")
_RULE = re.compile(r"(?:-{20,}|(?:%%--){5,}.*)\s*")
_SEPARATOR = "\\\\"
_REVISED = re.compile(r"Date \(rev|replaced with revised")


@dataclass(slots=True)
class _Entry:
    """One record, gathered line by line."""

    line: int
    head: list[tuple[str, list[str]]] = field(default_factory=list)
    """Names of headers in lower case with their lines."""
    abstract: list[str] = field(default_factory=list)
    is_in_abstract: bool = False

    def value(self, *names: str) -> str:
        """Return the first header of these names as one text: a date comes once a version."""
        return next((" ".join(lines) for name, lines in self.head if name in names), "")


def _read_mail(content: Content) -> Iterator[Record]:
    for entry in _entries(content.lines()):
        source = Source(content.name, ARXIV_MAIL.name, entry.line)
        yield from read_fields(_mail_fields(entry), source)


def _entries(lines: Iterator[str]) -> Iterator[_Entry]:
    """Yield what looks like a record: a head with an arXiv id or a title."""
    entry: _Entry | None = None
    for number, raw in enumerate(lines, start=1):
        line = raw.rstrip()
        if line.startswith(_SEPARATOR) and line[2:3] in ("", " "):
            if entry is None:
                entry = _Entry(number + 1)
            elif entry.is_in_abstract or len(line) > 2:
                yield from _whole(entry)
                entry = None
            else:
                entry.is_in_abstract = True
        elif _RULE.fullmatch(line):
            yield from _whole(entry)
            entry = None
        else:
            entry = entry or (_Entry(number) if line.startswith(("arXiv:", "Paper: ")) else None)
            if entry:
                _add(entry, line)
    yield from _whole(entry)


def _whole(entry: _Entry | None) -> Iterator[_Entry]:
    if entry and any(name in ("title", "arxiv", "paper") for name, _ in entry.head):
        yield entry


def _add(entry: _Entry, line: str) -> None:
    """Take up a line of a head or an abstract; a header is folded, the indent may be lost."""
    if entry.is_in_abstract:
        entry.abstract.append(line)
    elif match := _MAIL_HEADER.match(line):
        is_revised = _REVISED.match(line)
        entry.head.append(("", []) if is_revised else (match[1].lower(), [match[2]]))
    elif line and entry.head:
        entry.head[-1][1].append(line.strip())


def _mail_fields(entry: _Entry) -> dict[str, object]:
    names, count = arxiv_authors(latex_text(entry.value("authors", "author")))
    date = re.match(r"(?:[A-Z][a-z]{2}, )?([^(]*?\d{4}|[^(]*)", entry.value("date"))
    return arxiv_fields(
        arxiv_id=clean_arxiv_id(entry.value("arxiv", "paper").partition(" ")[0]),
        title=latex_text(entry.value("title")),
        abstract=latex_text("\n".join(entry.abstract)),
        authors=names,
        author_count=count,
        published=date[1] if date else "",
        subjects=entry.value("categories", "subj-class").split(),
        comment=latex_text(entry.value("comments")),
        journal=latex_text(entry.value("journal-ref")),
        doi=entry.value("doi"),
        report_number=entry.value("report-no"),
        license_url=entry.value("license"),
    )


ARXIV_MAIL = Reader(
    name="arxiv-mail",
    why_not=lambda content: (
        "" if _MAIL.search(content.start) else "no line 'arXiv:' behind a line '\\\\'"
    ),
    read=_read_mail,
    wants="an e-mail list of arXiv (records between lines '\\\\' that begin 'arXiv:')",
)
