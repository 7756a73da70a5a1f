"""BibTeX and biblatex, as reference managers, publishers and people write it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.clean import plain_text
from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.fields import read_fields
from classifier.papers.formats.bibtex_entries import (
    Entry,
    Groups,
    read_bibliography,
)
from classifier.papers.formats.latex import latex_address, latex_text, read_names
from classifier.papers.identifiers import doi_of_resolver
from classifier.papers.kinds import csl_kind
from classifier.papers.paper import Source, clean_arxiv_id, clean_doi
from classifier.papers.reader import CountedFaults, Reader, Record, quarantined

_NAME = r"[A-Za-z][\w+.:/-]{0,60}"
_FACE: Final = re.compile(
    rf"""
    ^[ \t]*@(?:
        (?:comment|preamble|string)\s{{0,9}}[{{(]
      | [A-Za-z_]{{2,40}}\s{{0,9}}[{{(]\s{{0,99}}(?:[^,{{}}="\n]{{0,300}},)?
        (?:\s|%[^\n]{{0,300}}\n){{0,99}}{_NAME}\s{{0,99}}=\s{{0,99}}[{{"\w]
    )""",
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
# What stands before the first entry where a file only quotes BibTeX.
_OTHER_FACE: Final = re.compile(
    r"""
    \A\s*[<\[{]                                  # HTML, XML, JSON
    | ^[ \t>]*(?:```|~~~) | \]\(\s*https?://     # Markdown
    | ^\W{0,3}(?:[^\n]{0,999}[,;\t])?\W{0,3}title\W{0,3}[,;\t]   # a header of columns
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)

# Notes in Markdown may hold nothing but BibTeX: then no paper is linked anywhere in them.
_FENCE: Final = re.compile(r"^[ \t>]*(?:```|~~~)\s?bib", re.MULTILINE | re.IGNORECASE)

# The commonest macros that stand for journals in exports of NASA ADS, as `journal = {\\apj}`.
# https://ui.adsabs.harvard.edu/help/actions/journal-macros
_ASTRONOMY_JOURNALS: Final = dict(
    row.split("=") for row in " ".join("""
        aap=Astronomy and Astrophysics|aj=Astronomical Journal|apj=The Astrophysical Journal
        |apjl=The Astrophysical Journal Letters|apjs=The Astrophysical Journal Supplement Series
        |araa=Annual Review of Astronomy and Astrophysics|icarus=Icarus
        |jcap=Journal of Cosmology and Astroparticle Physics
        |mnras=Monthly Notices of the Royal Astronomical Society|nat=Nature
        |pasa=Publications of the Astronomical Society of Australia|pasj=Publications of the
        Astronomical Society of Japan|pasp=Publications of the Astronomical Society of the Pacific
        |prd=Physical Review D|prl=Physical Review Letters|procspie=Proceedings of SPIE
        |solphys=Solar Physics|ssr=Space Science Reviews
    """.split()).replace(" |", "|").split("|")
)  # fmt: skip
_UNMATCHED: Final = "braces, commas or quotes that do not match"
_NUMBERED: Final = frozenset({"report", "patent", "standard", "legislation", "thesis"})

# CSL variables that a field holds as it is; of several fields for one the first that is filled.
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

_ARXIV_ID: Final = r"\d{4}\.\d{4,5}|[a-z][a-z-]{1,20}(?:\.[a-z]{2})?/\d{7}"
_ARXIV: Final = re.compile(
    rf"(?:arxiv|\babs/|huggingface\.co/papers/)[^\d\n]{{0,24}}?({_ARXIV_ID})(?!\d)", re.IGNORECASE
)
_ADDRESSES: Final = ("doi", "url", "journal", "journaltitle", "number", "howpublished", "volume")
_NOTES: Final = ("pages", "publisher", "note", "annote", "comment")
_ADDRESS_AS_JOURNAL: Final = re.compile(r"(?:URL|Online version:)?\s*(https?://)", re.IGNORECASE)
_NO_VENUE: Final = re.compile(r"(?:arxiv|corr\b)", re.IGNORECASE)
_DASHES: Final = re.compile(r"\s*[-‐-―−]+\s*")
_RANGE: Final = re.compile(r"([^/]{4,})/(?:\d{4}.*|\.\.|)", re.DOTALL)
_DAY: Final = re.compile(r"(?<![\d-])(\d{1,2})(?![\d]|\s*[-–])", re.ASCII)
_URL: Final = re.compile(r"https?://[^\s/<>\"\[\]]+[^\s<>\"]*", re.IGNORECASE)
_BLANK_LINE: Final = re.compile(r"\n[ \t]*\n\s*")


def why_not(content: Content) -> str:
    """Say why a file is no BibTeX: no line begins an entry, or one before it has another face."""
    if not content.is_text:
        return "no text"
    first = _FACE.search(content.start)
    if first is None:
        return "no line '@article{key,'"
    if _FENCE.search(content.start, 0, first.start()):
        is_quoted = "](http" in content.start
    else:
        is_quoted = bool(_OTHER_FACE.search(content.start, 0, first.start()))
    return "BibTeX is only quoted in it" if is_quoted else ""


def read(content: Content) -> Iterator[Record]:
    """Yield the papers of BibTeX; an entry without a title is quarantined."""
    entries, groups = read_bibliography(content.text())
    counted = CountedFaults()
    seen: set[str] = set()
    for entry in entries:
        source = Source(content.name, BIBTEX.name, entry.line)
        fields = _fields(entry, groups, counted, is_repeated=entry.key in seen)
        if entry.key:
            seen.add(entry.key)
        if entry.fault and entry.fields:
            found = f"an entry with {_UNMATCHED} ({entry.fault})"
            wanted, cure = "an entry that BibTeX can read", "It is read as far as it goes."
            counted.add(Fault("warning", "", entry.line, found, wanted, cure))
        if "title" in fields:
            yield from read_fields(fields, source)
        else:
            reason = "title: found none; wanted the paper's title"
            if entry.fault:
                reason = f"found {_UNMATCHED} ({entry.fault}); wanted an entry that BibTeX can read"
            yield quarantined(source, _shown(entry), reason)
    yield from (replace(fault, file=content.name) for fault in counted.faults())


def _fields(
    entry: Entry, groups: Groups, counted: CountedFaults, is_repeated: bool
) -> dict[str, object]:
    """Return an entry as fields of `FIELDS`."""
    given = entry.fields
    if is_repeated:
        found = f"an entry with the cite key of another one ({entry.key})"
        cure = "It is read without the key."
        counted.add(Fault("notice", "", entry.line, found, "each key once", cure))
    arxiv_id = _arxiv_id(given)
    venue = _venue(entry)
    if arxiv_id and _NO_VENUE.match(venue):
        venue = ""  # a preprint server is no journal; the id says it
    fields: dict[str, object] = {
        "title": _title(entry),
        "abstract": _abstract(given.get("abstract", "")),
        "authors": read_names(given.get("author", "")),
        "published": _published(given),
        "venue": venue,
        "arxiv_id": arxiv_id,
        "doi": _doi(entry, counted),
        "url": _url(given),
        "keywords": [item for name in _KEYWORDS for item in _items(given.get(name, ""))],
        "collections": _collections(entry, groups),
        "reference": _reference(entry, "" if is_repeated else entry.key, venue, bool(arxiv_id)),
    }
    return {name: value for name, value in fields.items() if value}


def _line(text: str) -> str:
    """Return a LaTeX value as one line of text."""
    return " ".join(_plain(text).split()) if text else ""


def _plain(text: str) -> str:
    text = latex_text(text)
    return plain_text(text) if "&" in text or "<" in text else text


def _abstract(text: str) -> str:
    """Return an abstract, its paragraphs as lines."""
    if "\n" not in text:
        return _plain(text).strip()
    return "\n".join(map(_line, _BLANK_LINE.split(text.strip())))


def _title(entry: Entry) -> str:
    given = entry.fields
    is_whole = csl_kind(entry.type, "bibtex") in ("book", "periodical")
    kinds = ("", "book", "main") if is_whole else ("",)
    titles = (_titled(given, f"{kind}title", f"{kind}subtitle") for kind in kinds)
    return next(filter(None, titles), "")


def _titled(given: dict[str, str], name: str, subname: str) -> str:
    """Return a title with its subtitle behind a colon."""
    title, subtitle = _line(given.get(name, "")), _line(given.get(subname, ""))
    if not (title and subtitle):
        return title
    return f"{title} {subtitle}" if title[-1] in ":?!." else f"{title}: {subtitle}"


def _venue(entry: Entry) -> str:
    given, is_book = entry.fields, csl_kind(entry.type, "bibtex") == "book"
    return (
        _titled(given, "journaltitle", "journalsubtitle")
        or _line(given.get("fjournal", ""))
        or _journal(given.get("journal", ""))
        or ("" if is_book else _titled(given, "booktitle", "booksubtitle"))
        or _line(given.get("shortjournal", ""))
    )


def _journal(text: str) -> str:
    r"""Return a journal; NASA ADS writes the macros of astronomers, as `\apj`."""
    macro = text.strip(" {}")
    if macro.startswith("\\") and (known := _ASTRONOMY_JOURNALS.get(macro[1:])):
        return known
    return "" if _ADDRESS_AS_JOURNAL.match(macro) else _line(text)


def _published(given: dict[str, str]) -> str:
    date = given.get("date", "")
    if date:
        started = _RANGE.fullmatch(date.strip())
        if found := read_date(latex_text(started[1] if started else date)):
            return found
    month = latex_text(given.get("month", "")).strip()
    year = latex_text(given.get("year", "")).strip()
    if month.isdecimal():
        return date_of_parts(year, month, given.get("day", ""))
    word = re.search(r"[^\W\d_]{3,}", month)
    # Days of a conference say when it met, not when the paper came out.
    days = _DAY.findall(month) if not re.search(r"\d\s*[-–]", month) else []
    day = days[0] if len(days) == 1 else given.get("day", "")
    found = date_of_parts(year, word[0] if word else "", day)
    return found if len(found) > 4 else (read_date(year) or found)


def _arxiv_id(given: dict[str, str]) -> str:
    """Return the arXiv id, wherever the producer of the file puts it."""
    kind = given.get("archiveprefix") or given.get("eprinttype") or "arxiv"
    is_corr = given.get("journal", "").lower() == "corr"
    texts = [
        f"arxiv:{given.get('arxivid', '')}",
        f"{kind}:{latex_address(given.get('eprint', ''))}",
        f"arxiv:{given.get('volume', '')}" if is_corr else "",
        *(given.get(name, "") for name in _ADDRESSES),
        # Further into a note stands what other papers are called.
        *(given.get(name, "").strip()[:46] for name in _NOTES),
    ]
    found = (
        match
        for text in texts
        if "xiv" in text.lower() or "/" in text
        if (match := _ARXIV.search(text))
    )
    return next((clean_arxiv_id(match[1]) for match in found), "")


def _doi(entry: Entry, counted: CountedFaults) -> str:
    given = entry.fields.get("doi", "")
    if given:
        if found := clean_doi(plain_text(latex_address(given).replace("$", ""))):
            return found
        if not given.lower().startswith(("http", "arxiv")):
            found, wanted = f"a doi that is none ({given[:40]})", "a DOI such as 10.1000/182"
            counted.add(Fault("notice", "", entry.line, found, wanted, "It is left out."))
    url = entry.fields.get("url", "")
    return doi_of_resolver(latex_address(url))


def _url(given: dict[str, str]) -> str:
    for name in ("url", "howpublished", "ee", "link", "urls"):
        value = given.get(name, "")
        if "http" in value or "www." in value:
            for part in re.split(r"[\s,;]+(?=https?:|\Z)|\s+", latex_address(value)):
                part = f"https://{part}" if part.startswith("www.") else part
                if _URL.fullmatch(part):
                    return part
    # Google Scholar makes a journal of it, with blanks in it: `URL https://bees. org/rye`.
    journal = given.get("journal", "").strip(" {}")
    found = _ADDRESS_AS_JOURNAL.match(journal)
    part = latex_address(journal[found.start(1) :]).replace(". ", ".") if found else ""
    return part if _URL.fullmatch(part) else ""


def _items(text: str) -> list[str]:
    """Return the items of a list joined by semicolons, line breaks or commas."""
    text = _plain(text)
    sign = ";" if ";" in text else "," if "," in text else "\n"
    return [item for item in (" ".join(part.split()) for part in text.split(sign)) if item]


def _collections(entry: Entry, groups: Groups) -> list[str]:
    found = list(groups.by_key.get(entry.key, ())) if entry.key else []
    for name in _items(entry.fields.get("groups", "")):
        found.append(groups.by_name.get(name, name))
    for path in _items(entry.fields.get("mendeley-groups", "")):
        found.append(" / ".join(part.strip() for part in path.split("/")))
    return list(dict.fromkeys(found))


def _reference(entry: Entry, key: str, venue: str, is_on_arxiv: bool) -> dict[str, str]:
    given = entry.fields
    kind = _kind(entry, venue, is_on_arxiv)
    found = {"type": kind, "citation-key": key}
    for name, variable in _VARIABLES:
        if (value := given.get(name)) and not found.get(variable):
            found[variable] = _line(value)
    if is_on_arxiv and "abs/" in found.get("volume", ""):
        del found["volume"]
    if "page" in found:
        found["page"] = _DASHES.sub("-", found["page"])
    number = given.get("number", "")
    if number and not _ARXIV.search(number):
        name = "number" if kind in _NUMBERED else "collection-number" if kind == "book" else "issue"
        found.setdefault(name, _line(number))
    for role in ("editor", "translator"):
        if role in given:
            found[role] = "; ".join(name for name in read_names(given[role]) if name != "others")
    return found


def _kind(entry: Entry, venue: str, is_on_arxiv: bool) -> str:
    """Return the type of CSL."""
    kind = csl_kind(entry.type, "bibtex") or "document"
    if is_on_arxiv and not venue and kind in ("article-journal", "document", "webpage", "report"):
        return "article"
    return kind


def _shown(entry: Entry) -> str:
    """Return what names an entry without a title for a person."""
    names: Iterable[str] = read_names(entry.fields.get("author", "")[:400])
    return " ".join((f"@{entry.type}{{{entry.key}}}", "; ".join(names))).strip()


BIBTEX = Reader(
    name="bibtex",
    why_not=why_not,
    read=read,
    wants="BibTeX: entries such as '@article{key, title = {…}}'",
)
