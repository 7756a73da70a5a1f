r"""What arXiv states of a paper: the feed of its API (Atom), its e-mail.

https://info.arxiv.org/help/subscribe.html: a record of an e-mail list, as of an `.abs` file, stands
between lines `\\`: a head of `Name: value` lines, folded by indenting, then `\\`, mostly an
abstract, and `\\` again, with the link where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from classifier.files.content import Content
from classifier.papers.clean import find_code_urls, unwrapped
from classifier.papers.dates import read_date
from classifier.papers.fields import read_fields
from classifier.papers.formats.latex import latex_text
from classifier.papers.formats.xml_elements import Element, parts_of, text_in, text_of, xml_reader
from classifier.papers.names import arxiv_authors
from classifier.papers.paper import Source, clean_arxiv_id
from classifier.papers.reader import Reader, Record

_ATOM = re.compile(r"<(?:\w+:)?(?:feed|entry)\b[^>]*http://www\.w3\.org/2005/Atom")
_ATOM_ID = re.compile(r"<(?:\w+:)?id>\s*https?://(?:export\.)?arxiv\.org/(?:abs|api)/")


def arxiv_fields(
    stated: Mapping[str, str],
    authors: Iterable[str],
    author_count: int | None = None,
    subjects: Iterable[str] = (),
    institutes: Iterable[str] = (),
) -> dict[str, object]:
    """Return the fields of one record of arXiv.

    stated: texts, perhaps hard-wrapped, by the names of arXiv's own OAI form (`journal-ref`), and
    `created` and `url`. Subjects (`cs.CL`) become keywords.
    """
    abstract = unwrapped(stated.get("abstract", ""))
    line = {name: " ".join(text.split()) for name, text in stated.items() if name != "abstract"}
    reference = {"type": "article", "note": line.get("comments"), "number": line.get("report-no"),
                 "license": line.get("license")}  # fmt: skip
    places = set(filter(None, institutes))
    fields: dict[str, object] = {
        "title": line.get("title"),
        "abstract": abstract,
        "authors": [
            " ".join((latex_text(name) if "\\" in name else name).split()) for name in authors
        ],
        "author_count": author_count,
        "organisation": places.pop() if len(places) == 1 else "",
        "published": read_date(line.get("created", "")),
        "venue": line.get("journal-ref"),
        "arxiv_id": clean_arxiv_id(line.get("id", "")),
        "doi": line.get("doi", "").partition(" ")[0],
        "url": line.get("url"),
        "code_urls": list(find_code_urls(f"{abstract} {line.get('comments', '')}")),
        "keywords": list(subjects),
        "reference": {name: value for name, value in reference.items() if value},
    }
    return {name: value for name, value in fields.items() if value not in ("", [], None)}


# What the API calls otherwise than the OAI forms do.
_OF_FEED: Final = {
    "abstract": "summary", "created": "published", "comments": "comment",
    "journal-ref": "journal_ref",
}  # fmt: skip


def entry_fields(element: Element) -> dict[str, object]:
    """Return what an entry of the API states; of its message about a query, an entry too, {}."""
    parts = parts_of(element)
    if "/api/errors" in text_in(parts, "id"):
        return {}
    people = [part for author in parts.get("author", ()) for part in author]
    links = {
        link.get("title") or link.get("rel"): link.get("href", "") for link in parts.get("link", ())
    }
    stated = {name: text_in(parts, _OF_FEED.get(name, name)) for name in ("title", *_OF_FEED, "id")}
    stated |= {"doi": text_in(parts, "doi") or links.get("doi", ""),
               "url": links.get("alternate", "")}  # fmt: skip
    return arxiv_fields(
        stated,
        filter(None, _texts(people, "}name")),
        subjects=[term for part in parts.get("category", ()) if (term := part.get("term"))],
        institutes=_texts(people, "}affiliation"),
    )


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
    examples=(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://arxiv.org/api/q"/>'
        "<id>http://arxiv.org/api/x</id><entry><id>http://arxiv.org/abs/2403.00001v1</id>"
        "<title>Bees @@</title><summary>@@</summary></entry></feed>",
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<feed xmlns="http://www.w3.org/2005/Atom"><id>http://arxiv.org/api/x</id>@@',
    ),
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
    stated = {name: latex_text(entry.value(name)) for name in ("title", "comments", "journal-ref")}
    stated |= {name: entry.value(name) for name in ("doi", "report-no", "license")}
    stated |= {
        "abstract": latex_text("\n".join(entry.abstract)),
        "id": entry.value("arxiv", "paper").partition(" ")[0],
        "created": date[1] if date else "",
    }
    return arxiv_fields(stated, names, count, entry.value("categories", "subj-class").split())


ARXIV_MAIL = Reader(
    name="arxiv-mail",
    why_not=lambda content: (
        "" if _MAIL.search(content.start) else "no line 'arXiv:' behind a line '\\\\'"
    ),
    read=_read_mail,
    wants="an e-mail list of arXiv (records between lines '\\\\' that begin 'arXiv:')",
    examples=(
        "-" * 78 + "\n\\\\\narXiv:2403.00001\nDate: Fri, 1 Mar 2024 01:02:03 GMT   (10kb)\n\n"
        "Title: Bees @@\nAuthors: Ada One @@\nCategories: cs.CL\n\\\\\n  We bake.\n@@",
    ),
)
