r"""The lists that arXiv sends by e-mail, and its `.abs` files: records between lines `\\`.

https://info.arxiv.org/help/subscribe.html. A record has a head of `Name: value` lines, folded by
indenting, then `\\`, mostly an abstract, and `\\` again, with the link where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from classifier.files.content import Content
from classifier.papers.fields import MOST_ABSTRACT, read_fields
from classifier.papers.formats.arxiv_fields import arxiv_fields
from classifier.papers.formats.latex import latex_text
from classifier.papers.names import arxiv_authors
from classifier.papers.paper import Source, clean_arxiv_id
from classifier.papers.reader import Reader, Record

_FACE = re.compile(r"^\\\\[ \t]*\n(?:[^\n]*\n){0,3}?(?:arXiv:|Paper: )\S+", re.MULTILINE)
_HEADER = re.compile(r"([A-Za-z][A-Za-z-]{2,20})(?: \([^()]{1,20}\))?:\s*(.*)")
_RULE = re.compile(r"(?:-{20,}|(?:%%--){5,}.*)\s*")
_SEPARATOR = "\\\\"
_REVISED = re.compile(r"Date \(rev|replaced with revised")


@dataclass(slots=True)
class _Entry:
    """One record, gathered line by line."""

    line: int
    head: dict[str, list[str]] = field(default_factory=dict)
    """Name of a header in lower case -> its lines."""
    open_header: list[str] | None = None
    abstract: list[str] = field(default_factory=list)
    is_in_abstract: bool = False
    length: int = 0

    def value(self, name: str) -> str:
        """Return a header as one text."""
        return " ".join(self.head.get(name, ()))


def why_not(content: Content) -> str:
    r"""Say why a file is no such list: no line `arXiv:…` behind a line `\\`."""
    return "" if _FACE.search(content.start) else "no line 'arXiv:' behind a line '\\\\'"


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a list in its order."""
    for entry in _entries(content.lines()):
        source = Source(content.name, ARXIV_MAIL.name, entry.line)
        yield from read_fields(_fields(entry), source)


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
            entry = entry or (_Entry(number) if _begins(line) else None)
            if entry:
                _add(entry, line)
    yield from _whole(entry)


def _begins(line: str) -> bool:
    return line.startswith(("arXiv:", "Paper: "))


def _whole(entry: _Entry | None) -> Iterator[_Entry]:
    if entry and ("title" in entry.head or "arxiv" in entry.head or "paper" in entry.head):
        yield entry


def _add(entry: _Entry, line: str) -> None:
    """Take up a line of a head or an abstract; what is longer than any record is passed over."""
    entry.length += len(line) + 1
    if entry.length > 2 * MOST_ABSTRACT:
        return
    if entry.is_in_abstract:
        entry.abstract.append(line)
    elif line.startswith((" ", "\t")):
        if entry.open_header is not None:
            entry.open_header.append(line.strip())
    else:
        match = _HEADER.match(line)
        if match is None and line and entry.open_header is not None:
            entry.open_header.append(line)  # folded, but the indent was lost on its way
            return
        entry.open_header = None
        if match and not _REVISED.match(line):
            entry.open_header = entry.head.setdefault(match[1].lower(), [])
            # Of a header that comes twice (a date a version) the first counts.
            if entry.open_header:
                entry.open_header = None
            else:
                entry.open_header.append(match[2])


def _fields(entry: _Entry) -> dict[str, object]:
    names, count = arxiv_authors(latex_text(entry.value("authors") or entry.value("author")))
    stated = entry.value("arxiv") or entry.value("paper")
    date = re.match(r"(?:[A-Z][a-z]{2}, )?([^(]*?\d{4}|[^(]*)", entry.value("date"))
    return arxiv_fields(
        arxiv_id=clean_arxiv_id(stated.partition(" ")[0]),
        title=latex_text(entry.value("title")),
        abstract=latex_text("\n".join(entry.abstract)),
        authors=names,
        author_count=count,
        published=date[1] if date else "",
        subjects=(entry.value("categories") or entry.value("subj-class")).split(),
        comment=latex_text(entry.value("comments")),
        journal=latex_text(entry.value("journal-ref")),
        doi=entry.value("doi"),
        report_number=entry.value("report-no"),
        license_url=entry.value("license"),
    )


ARXIV_MAIL = Reader(
    name="arxiv-mail",
    why_not=why_not,
    read=read,
    wants="an e-mail list of arXiv (records between lines '\\\\' that begin 'arXiv:')",
    streams=True,
)
