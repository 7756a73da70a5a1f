"""Read BibTeX and biblatex, as written by reference managers, publishers and people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.clean import plain_text
from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.fields import read_fields
from classifier.papers.identifiers import doi_from_url, find_arxiv_id, find_url
from classifier.papers.kinds import csl_type
from classifier.papers.paper import Source, clean_doi
from classifier.papers.reader import Reader, Record, quarantine_fault
from classifier.papers.readers.bibtex_entries import Entry, Groups, read_bibliography
from classifier.papers.readers.latex import latex_address, latex_text, read_names

_SIGNATURE: Final = re.compile(
    r"""
    ^[ \t]*@(?:
        (?:comment|preamble|string)\s{0,9}[{(]
      | [A-Za-z_]{2,40}\s{0,9}[{(]\s{0,99}(?:[^,{}="\n]{0,300},)?
        (?:\s|%[^\n]{0,300}\n){0,99}[A-Za-z][\w+.:/-]{0,60}\s{0,99}=\s{0,99}[{"\w]
    )""",
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
# Text before the first entry of a file that only quotes BibTeX.
_OTHER_SIGNATURE: Final = re.compile(
    r"""
    \A\s*[<\[{]                                  # HTML, XML, JSON
    | ^[ \t>]*(?:```|~~~) | \]\(\s*https?://     # Markdown
    | ^\W{0,3}(?:[^\n]{0,999}[,;\t])?\W{0,3}title\W{0,3}[,;\t]   # a header of columns
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_UNMATCHED: Final = "unmatched braces, commas or quotes"
_NUMBERED: Final = frozenset({"report", "patent", "standard", "legislation", "thesis"})

# (field, CSL variable with the same value); of several fields for one variable the first counts.
_VARIABLES: Final = (
    ("volume", "volume"), ("issue", "issue"), ("pages", "page"), ("page", "page"),
    ("eid", "page"), ("articleno", "page"), ("publisher", "publisher"), ("school", "publisher"),
    ("institution", "publisher"), ("organization", "publisher"), ("address", "publisher-place"),
    ("location", "publisher-place"), ("city", "publisher-place"), ("isbn", "ISBN"),
    ("issn", "ISSN"), ("language", "language"), ("langid", "language"),
    ("series", "collection-title"), ("edition", "edition"), ("version", "version"),
    ("chapter", "chapter-number"), ("type", "genre"), ("shorttitle", "title-short"),
    ("shortjournal", "container-title-short"), ("eventtitle", "event-title"), ("pmid", "PMID"),
    ("pmcid", "PMCID"), ("pmc", "PMCID"),
)  # fmt: skip
_KEYWORDS: Final = (
    "keywords", "keyword", "author_keywords", "mendeley-tags", "keywords-plus", "index_keywords",
)  # fmt: skip

_ADDRESSES: Final = ("doi", "url", "journal", "journaltitle", "number", "howpublished", "volume")
_NOTES: Final = ("pages", "publisher", "note", "annote", "comment")
# Google Scholar writes URLs as journals, with blanks in them: `URL https://bees. org/rye`.
_ADDRESS_AS_JOURNAL: Final = re.compile(r"(?:URL|Online version:)?\s*(https?://)", re.IGNORECASE)
_NO_VENUE: Final = re.compile(r"(?:arxiv|corr\b)", re.IGNORECASE)
# Additions in ids and URLs: braces, a blank after a point, a second colon.
_LOOSE: Final = re.compile(r"[{}]|(?<=\.) (?=org/)|:(?=:)")
_DASHES: Final = re.compile(r"\s*[-‐-―−]+\s*")
_DAY: Final = re.compile(r"(?<![\d-])(\d{1,2})(?![\d]|\s*[-–])", re.ASCII)
_BLANK_LINE: Final = re.compile(r"\n[ \t]*\n\s*")


def reject_reason(content: Content) -> str:
    """Return why a file is not BibTeX: it has no entry, or only quotes some after other text."""
    first = _SIGNATURE.search(content.start)
    if first is None:
        return "no line '@article{key,'"
    is_quoted = _OTHER_SIGNATURE.search(content.start, 0, first.start())
    return "it only quotes BibTeX" if is_quoted else ""


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of a BibTeX file; an entry without a title is quarantined."""
    entries, groups = read_bibliography(content.text())
    faults: list[Fault] = []
    keys: set[str] = set()
    for entry in entries:
        source = Source(content.name, BIBTEX.name, entry.line)
        fields = _fields(entry, groups, faults, is_repeated=entry.key in keys)
        if entry.key:
            keys.add(entry.key)
        if _is_volume(entry):
            found = f"a volume of papers (@{entry.type}{{{entry.key}}})"
            faults.append(Fault("notice", "", entry.line, found, "a paper", "It was dropped."))
            continue
        if entry.fault and entry.fields:
            found = f"an entry with {_UNMATCHED} ({entry.fault})"
            expected, hint = "a valid BibTeX entry", "It was read as far as possible."
            faults.append(Fault("warning", "", entry.line, found, expected, hint))
        if "title" in fields:
            yield from read_fields(fields, source)
        else:
            reason = "title: found none; expected the paper's title"
            if entry.fault:
                reason = f"found {_UNMATCHED} ({entry.fault}); expected a valid BibTeX entry"
            names = "; ".join(read_names(entry.fields.get("author", "")[:400]))
            name = f"@{entry.type}{{{entry.key}}} {names}".strip()
            yield quarantine_fault(source, name, reason)
    yield from (replace(fault, file=content.name) for fault in faults)


def _is_volume(entry: Entry) -> bool:
    """Return whether an entry is proceedings, or a volume to which papers refer.

    `@proceedings` with an author is a paper, because some people use that type for a paper in
    proceedings.
    """
    is_proceedings = entry.type in ("proceedings", "mvproceedings") and "author" not in entry.fields
    return entry.is_parent or is_proceedings


def _fields(
    entry: Entry, groups: Groups, faults: list[Fault], is_repeated: bool
) -> dict[str, object]:
    given = entry.fields
    if is_repeated:
        found = f"an entry with the cite key of another one ({entry.key})"
        hint = "It was read without the key."
        faults.append(Fault("notice", "", entry.line, found, "a unique key", hint))
    arxiv_id = _arxiv_id(given)
    venue = _venue(entry)
    if arxiv_id and _NO_VENUE.match(venue):
        venue = ""  # a preprint server is not a journal
    fields: dict[str, object] = {
        "title": _title(entry),
        "abstract": _abstract(given.get("abstract", "")),
        "authors": read_names(given.get("author", "")),
        "published": _publication_date(given),
        "venue": venue,
        "arxiv_id": arxiv_id,
        "doi": _doi(entry, faults),
        "url": _url(given),
        "keywords": [item for name in _KEYWORDS for item in _split_list(given.get(name, ""))],
        "collections": _collections(entry, groups),
        "reference": _reference(entry, "" if is_repeated else entry.key, venue, bool(arxiv_id)),
    }
    return {name: value for name, value in fields.items() if value}


def _plain_line(text: str) -> str:
    return " ".join(_plain_text(text).split()) if text else ""


def _plain_text(text: str) -> str:
    text = latex_text(text)
    return plain_text(text) if "&" in text or "<" in text else text


def _abstract(text: str) -> str:
    if "\n" not in text:
        return _plain_text(text).strip()
    return "\n".join(map(_plain_line, _BLANK_LINE.split(text.strip())))


def _title(entry: Entry) -> str:
    """Return the title of an entry; for a book, the title of the book if there is no other."""
    given = entry.fields
    is_whole = csl_type(entry.type, "bibtex") in ("book", "periodical")
    kinds = ("", "book", "main") if is_whole else ("",)
    titles = (_join_subtitle(given, f"{kind}title", f"{kind}subtitle") for kind in kinds)
    return next(filter(None, titles), "")


def _join_subtitle(fields: dict[str, str], title_field: str, subtitle_field: str) -> str:
    title, subtitle = (
        _plain_line(fields.get(title_field, "")),
        _plain_line(fields.get(subtitle_field, "")),
    )
    if not (title and subtitle):
        return title
    return f"{title} {subtitle}" if title[-1] in ":?!." else f"{title}: {subtitle}"


def _venue(entry: Entry) -> str:
    given, is_book = entry.fields, csl_type(entry.type, "bibtex") == "book"
    journal = given.get("journal", "")
    return (
        _join_subtitle(given, "journaltitle", "journalsubtitle")
        or _plain_line(given.get("fjournal", ""))
        or ("" if _ADDRESS_AS_JOURNAL.match(journal.strip(" {}")) else _plain_line(journal))
        or ("" if is_book else _join_subtitle(given, "booktitle", "booksubtitle"))
        or _plain_line(given.get("shortjournal", ""))
    )


def _publication_date(fields: dict[str, str]) -> str:
    started = latex_text(fields.get("date", "")).strip().partition("/")[0]
    if found := read_date(started):
        return found
    month, year = (latex_text(fields.get(name, "")).strip() for name in ("month", "year"))
    if month.isdecimal():
        return date_of_parts(year, month, fields.get("day", ""))
    word = re.search(r"[^\W\d_]{3,}", month)
    # A range of days is the date of a conference, not of publication.
    days = _DAY.findall(month) if not re.search(r"\d\s*[-–]", month) else []
    day = days[0] if len(days) == 1 else fields.get("day", "")
    found = date_of_parts(year, word[0] if word else "", day)
    return found if len(found) > 4 else (read_date(year) or found)


def _arxiv_id(fields: dict[str, str]) -> str:
    """Return the arXiv id from any field that may contain it, or ""."""
    kind = fields.get("archiveprefix") or fields.get("eprinttype") or "arxiv"
    journal = fields.get("journal", "") + fields.get("publisher", "")
    volume = fields.get("volume", "") if _NO_VENUE.match(journal) else ""
    texts = (
        f"arxiv:{fields.get('arxivid', '')}",
        f"{kind}:{latex_address(fields.get('eprint', ''))}",
        f"arxiv:{volume.removeprefix('abs/')}",
        *(fields.get(name, "") for name in _ADDRESSES),
        # Notes have ids of other papers after their first words.
        *(fields.get(name, "").strip()[:46] for name in _NOTES),
    )
    return find_arxiv_id(_LOOSE.sub("", text) for text in texts)


def _doi(entry: Entry, faults: list[Fault]) -> str:
    given = entry.fields.get("doi", "")
    if given:
        if found := clean_doi(plain_text(latex_address(given).replace("$", ""))):
            return found
        if not given.lower().startswith(("http", "arxiv")):
            found, expected = f"an invalid DOI ({given[:40]})", "a DOI such as 10.1000/182"
            faults.append(Fault("notice", "", entry.line, found, expected, "It was dropped."))
    return doi_from_url(latex_address(entry.fields.get("url", "")))


def _url(fields: dict[str, str]) -> str:
    values = [latex_address(fields.get(name, "")) for name in ("url", "howpublished", "link")]
    journal = fields.get("journal", "").strip(" {}")
    if _ADDRESS_AS_JOURNAL.match(journal):
        values.append(latex_address(journal).replace(". ", "."))
    return find_url(*(part.rstrip(",;") for value in values for part in value.split()))


def _split_list(text: str) -> list[str]:
    text = _plain_text(text)
    sign = ";" if ";" in text else "," if "," in text else "\n"
    return [item for item in (" ".join(part.split()) for part in text.split(sign)) if item]


def _collections(entry: Entry, groups: Groups) -> list[str]:
    found = list(groups.by_key.get(entry.key, ())) if entry.key else []
    for name in _split_list(entry.fields.get("groups", "")):
        found.append(groups.by_name.get(name, name))
    for path in _split_list(entry.fields.get("mendeley-groups", "")):
        found.append(" / ".join(part.strip() for part in path.split("/")))
    return list(dict.fromkeys(found))


def _reference(entry: Entry, key: str, venue: str, is_on_arxiv: bool) -> dict[str, str]:
    given = entry.fields
    kind = csl_type(entry.type, "bibtex") or "document"
    if is_on_arxiv and not venue and kind in ("article-journal", "document", "webpage", "report"):
        kind = "article"
    found = {"type": kind, "citation-key": key}
    for name, variable in _VARIABLES:
        if (value := given.get(name)) and not found.get(variable):
            found[variable] = _plain_line(value)
    if is_on_arxiv and "abs/" in found.get("volume", ""):
        del found["volume"]
    if "page" in found:
        found["page"] = _DASHES.sub("-", found["page"])
    number = given.get("number", "")
    if number and not find_arxiv_id([_LOOSE.sub("", number)]):
        name = "number" if kind in _NUMBERED else "collection-number" if kind == "book" else "issue"
        found.setdefault(name, _plain_line(number))
    for role in ("editor", "translator"):
        if role in given:
            found[role] = "; ".join(name for name in read_names(given[role]) if name != "others")
    return found


BIBTEX = Reader(
    name="bibtex",
    reject_reason=reject_reason,
    read=read,
    description="BibTeX: entries such as '@article{key, title = {…}}'",
    examples=(
        "@article{bees,\n title = {Bees @@},\n author = {@@},\n abstract = {@@}, url = {@@},\n"
        " year = 2024}\n",
        "@article{bees,\n title = {Bees},\n year = 2024}\n@@",
        "@article{bees,\n title = {Bees},\n note = @@,\n year = 2024}\n",
    ),
)
