r"""What arXiv states of a paper: the feed of its API (Atom), its e-mail, answers of OAI-PMH.

https://info.arxiv.org/help/subscribe.html: a record of an e-mail list, as of an `.abs` file, stands
between lines `\\`: a head of `Name: value` lines, folded by indenting, then `\\`, mostly an
abstract, and `\\` again, with the link where there is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.clean import plain_text, unwrapped
from classifier.papers.code_links import find_code_urls
from classifier.papers.dates import read_date
from classifier.papers.fields import clean_url, read_fields
from classifier.papers.identifiers import arxiv_id_in
from classifier.papers.kinds import csl_kind
from classifier.papers.names import arxiv_authors, sorted_name
from classifier.papers.paper import Source, clean_arxiv_id, clean_doi
from classifier.papers.reader import CountedFaults, Reader, Record, quarantined, unless_found
from classifier.papers.readers.latex import latex_text
from classifier.papers.readers.xml_elements import (
    Element,
    line_of,
    parts_of,
    text_in,
    text_of,
    xml_elements,
    xml_reader,
)

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
        unless_found("no Atom feed", _ATOM)(content)
        or unless_found("an Atom feed without ids of arXiv", _ATOM_ID)(content)
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
    why_not=unless_found("no line 'arXiv:' behind a line '\\\\'", _MAIL),
    read=_read_mail,
    wants="an e-mail list of arXiv (records between lines '\\\\' that begin 'arXiv:')",
    examples=(
        "-" * 78 + "\n\\\\\narXiv:2403.00001\nDate: Fri, 1 Mar 2024 01:02:03 GMT   (10kb)\n\n"
        "Title: Bees @@\nAuthors: Ada One @@\nCategories: cs.CL\n\\\\\n  We bake.\n@@",
    ),
)

# --- OAI-PMH: https://www.openarchives.org/OAI/openarchivesprotocol.html
# ListRecords and GetRecord; the formats `arXiv`, `arXivRaw` and, of any repository, `oai_dc`

_FACE = re.compile(r"<(?:\w+:)?(?:OAI-PMH|ListRecords|GetRecord|record)\b")
_NAMESPACE = "openarchives.org/OAI/"
_DOI = re.compile(r"doi:\s*|https?://(?:dx\.)?doi|10\.\d{4}")
_JOURNAL = re.compile(r"[^\W\d_]{2}.*[ ,].*\d")
"""A reference to a journal among identifiers has words and numbers."""
_ELEMENTS = (
    "title", "creator", "description", "identifier", "date", "source", "subject", "type",
    "publisher", "language",
)  # fmt: skip
_COMMENT = re.compile(r"comments?:\s*", re.IGNORECASE)


def _why_no_oai_pmh(content: Content) -> str:
    start = content.start
    if not start.lstrip().startswith("<") or _NAMESPACE not in start:
        return "no namespace http://www.openarchives.org/OAI/2.0/"
    return "" if _FACE.search(start) else "no element <OAI-PMH>"


def _read_oai_pmh(content: Content) -> Iterator[Record]:
    """Yield the papers of an answer in its order; deleted records are counted in one warning."""
    counted = CountedFaults()
    for element in xml_elements(content, "record"):
        if isinstance(element, Fault):
            yield element
            continue
        line = line_of(element)
        source = Source(content.name, OAI_PMH.name, line)
        header = element.find("{*}header")
        if header is not None and header.get("status") == "deleted":
            found, expected = "a deleted record", "a record with metadata"
            counted.add(Fault("notice", content.name, line, found, expected, "It is left out."))
        elif fields := _oai_pmh_fields(element):
            yield from read_fields(fields, source)
        else:
            name = text_of(element.find("{*}header/{*}identifier")).strip() or "a record"
            expected = "arXiv, arXivRaw or oai_dc"
            yield quarantined(source, name, f"metadata: found no known format; expected {expected}")
    yield from counted.faults()


def _oai_pmh_fields(element: Element) -> dict[str, object]:
    """Return what a `record` element states, as fields of `read_fields`; {} where it is unknown."""
    for form in element.iterfind("{*}metadata/*"):
        name = form.tag.rpartition("}")[2] if isinstance(form.tag, str) else ""
        if read_form := {"arXiv": _arxiv, "arXivRaw": _arxiv, "dc": _dublin_core}.get(name):
            return read_form(form)
    return {}


def _arxiv(form: Element) -> dict[str, object]:
    """Return the fields of arXiv's forms; the raw one has one text of authors, and versions."""
    parts = parts_of(form)
    stated = {name: text_in(parts, name) for name in parts}
    subjects = stated.get("categories", "").split()
    if versions := parts.get("version"):
        stated["created"] = text_in(parts_of(versions[0]), "date")
        return arxiv_fields(stated, *arxiv_authors(stated.get("authors", "")), subjects)
    authors = [parts_of(author) for listed in parts.get("authors", ()) for author in listed]
    names = (
        sorted_name(*(text_in(author, name) for name in ("keyname", "forenames", "suffix")))
        for author in authors
    )
    institutes = (text_in(author, "affiliation") for author in authors)
    return arxiv_fields(stated, filter(None, names), None, subjects, institutes)


def _dublin_core(form: Element) -> dict[str, object]:
    """Return the fields of Dublin Core, whose elements repeat and mean several things."""
    parts = parts_of(form)
    texts = {
        name: [text for part in parts.get(name, ()) if (text := text_of(part).strip())]
        for name in _ELEMENTS
    }
    comments = [text for text in texts["description"] if _COMMENT.match(text)]
    abstracts = [text for text in texts["description"] if text not in comments]
    identifiers = [" ".join(text.split()) for text in texts["identifier"]]
    links = [text for text in identifiers if clean_url(text)]
    dois = [text for text in identifiers if _DOI.match(text)]
    journals = [t for t in identifiers if t not in (*links, *dois) and _JOURNAL.search(t)]
    stated = {
        "id": arxiv_id_in(identifiers),
        "title": "".join(texts["title"][:1]),
        "abstract": max((unwrapped(plain_text(text)) for text in abstracts), key=len, default=""),
        "created": min(filter(None, map(read_date, texts["date"])), default=""),
        "comments": _COMMENT.sub("", comments[0]) if comments else "",
        "journal-ref": next(iter([*journals, *texts["source"]]), ""),
        "doi": next(filter(None, map(clean_doi, dois)), ""),
        "url": next((text for text in links if text not in dois), ""),
    }
    subjects = [" ".join(text.split()) for text in texts["subject"]]
    fields = arxiv_fields(stated, texts["creator"], None, subjects)
    if not fields.get("arxiv_id"):  # of another repository
        # https://guidelines.openaire.eu: `info:eu-repo/semantics/article` and so on.
        kinds = (csl_kind(text.rpartition("/")[2]) for text in texts["type"])
        fields["reference"] = {
            **{name: " ".join(texts[name][:1]) for name in ("publisher", "language")},
            "type": next(filter(None, kinds), ""),
        }
    return fields


OAI_PMH = Reader(
    name="oai-pmh",
    why_not=_why_no_oai_pmh,
    read=_read_oai_pmh,
    wants="an OAI-PMH answer (<OAI-PMH>) in the format arXiv, arXivRaw or oai_dc",
    examples=(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords><record>'
        "<metadata><arXiv xmlns='http://arxiv.org/OAI/arXiv/'><id>2403.00001</id>"
        "<title>Bees @@</title><abstract>@@</abstract></arXiv></metadata></record>@@",
    ),
)
