"""Convert Fieldguide's own fields, by name, to a Paper: check types, clean values, report faults.

A value of the wrong type, or a missing title, quarantines the record. An invalid value of the right
type (not a URL, an impossible date) is dropped with a warning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, cast
from urllib.parse import urlsplit

from classifier.errors import Fault, Severity, listed
from classifier.papers.clean import repair_encoding
from classifier.papers.paper import (
    AbstractKind,
    Paper,
    Published,
    Source,
    clean_arxiv_id,
    clean_doi,
    is_retracted_title,
    is_well_formed_id,
)
from classifier.papers.reader import Record, display_value, quarantine_fault, record_name
from classifier.text.normalise import format_for_display, title_key

FIELDS = (
    "id", "title", "abstract", "abstract_kind", "authors", "author_count", "organisation",
    "published", "venue", "arxiv_id", "doi", "url", "code_urls", "comment_count", "keywords",
    "collections", "reference", "retracted",
)  # fmt: skip
# `year` replaces `published` if a source has nothing more precise.
READ = frozenset({*FIELDS, "year"})
# Further keys of exports. Labels come from cues and reviews, never from a file.
KNOWN = READ | {"cite_key", "labels"}
OWN_TAG = "fieldguide:"
"""Prefix of categories that an export wrote into the keywords of a reference."""
DETAILS = (
    "type", "volume", "issue", "page", "edition", "publisher", "publisher-place",
    "collection-title", "editor", "ISSN", "ISBN", "PMID", "PMCID", "language", "citation-key",
)  # fmt: skip
"""The variables of `reference` that have a column in tables."""

# Longer than any title or abstract, but short enough for every text rule to be fast.
MAX_TITLE = 2_000
MAX_ABSTRACT = 200_000
MAX_NAME = 2_000
"""Maximum length of a name, venue, keyword or URL; a browser takes minutes to lay out more."""

# Placeholder for the rest of a list of authors, whose number is then unknown.
_AND_OTHERS = frozenset({"others", "and others", "et al", "et al.", "u. a.", "...", "…", "等"})
# Placeholders for missing authors; a record with authors is better.
_NOBODY = re.compile(
    r"\W*(?:anon|anonymous(?: authors?\(?s?\)?)?|no authors? (?:listed|given))\W*", re.IGNORECASE
)

# Placeholders of databases for a missing abstract.
_NO_ABSTRACT = re.compile(
    r"\W*(?:(?:(?:(?:there is )?no|without) abstract"
    r"(?: (?:is )?(?:available|provided|present|supplied|found))?"
    r"|abstract (?:is )?(?:not (?:available|provided)|unavailable|missing))"
    r"(?: for this (?:article|paper|item|record|publication|document|entry))?"
    r"|not (?:available|applicable)|n/?a|none|null|nan|\[object object\])\W*",
    re.IGNORECASE,
)

_NO_URL = re.compile(r"[\s<>\"\\]")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ].*)?)?)?", re.ASCII)


def read_fields(fields: Mapping[str, object], source: Source) -> Iterator[Record]:
    """Yield the warnings about a record, then its Paper or a quarantine Fault."""
    given = {name: value for name, value in fields.items() if value is not None and name in _TYPES}
    year = fields.get("year")
    if year is not None and "published" not in given:
        given["published"] = str(year) if _is_count(year) else year
    problems = _type_problems(given)
    if not problems:
        # JSON may contain NUL, a sheet or ledger may not.
        given = {
            name: _map_texts(value, lambda text: text.replace("\0", ""))
            for name, value in given.items()
        }
        problems = _text_problems(given)
    if problems:
        yield quarantine_fault(source, record_name(fields), "; ".join(problems))
        return
    faults: list[Fault] = []

    def report_fault(
        severity: Severity, actual: str, expected: str, hint: str = "It was dropped."
    ) -> None:
        faults.append(Fault(severity, source.file, source.line, actual, expected, hint))

    for name in [name for name in FIELDS if name in given]:
        wrong = [text for text in _texts_in(given[name]) if repair_encoding(text) != text]
        if wrong and name in _PROSE:
            found = f"{name} {display_value(wrong[0])} in the wrong encoding"
            report_fault("notice", found, "readable text", "The text was repaired.")
            given[name] = _map_texts(given[name], repair_encoding)
        longest = max(map(len, _texts_in(given[name])), default=0)
        if longest > MAX_NAME and name in _SHORT:
            found, expected = f"{name} of {longest:,} characters", f"at most {MAX_NAME:,}"
            report_fault("warning", found, expected)
            given[name] = _map_texts(given[name], lambda t: t if len(t) <= MAX_NAME else "")
    paper = _make_paper(given, source, report_fault)
    yield from faults
    yield paper


def _map_texts(value: Any, convert: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return convert(value)
    if isinstance(value, int):
        return value
    if isinstance(value, Mapping):
        return {convert(key): convert(text) for key, text in value.items()}
    return [convert(text) for text in value]


LeaveOut = Callable[..., None]
"""Report a fault of the record: severity, actual, expected and, if needed, a hint."""


def has_wrong_types(fields: Mapping[str, object]) -> bool:
    """Return whether any value has the wrong type for its field."""
    return bool(_type_problems({name: fields[name] for name in FIELDS if fields.get(name)}))


def unknown_names_fault(names: Sequence[str], source: Source, noun: str) -> Fault:
    """Return the warning about unknown fields or columns of a file."""
    listing = listed([display_value(name) for name in sorted(names)], 8)
    found = f"unknown {noun}{'s' if len(names) > 1 else ''} {listing}"
    hint = "It is ignored. Rename it if it contains one of these fields."
    return Fault("warning", source.file, source.line, found, ", ".join(FIELDS), hint)


@lru_cache(2**12)  # the papers of a file share few dates
def iso_date(text: str) -> str:
    """Return `text` as an ISO date (year, month or day), or "" if it is not a date.

    >>> iso_date("2025-10-15T08:00:00Z"), iso_date("2025-02-30")
    ('2025-10-15', '')
    """
    match = _DATE.fullmatch(text.strip())
    if not match:
        return ""
    year, month, day = match.groups()
    try:
        date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return ""
    return "-".join(part for part in (year, month, day) if part)


def clean_url(text: str) -> str:
    """Return `text` if it is an http or https URL with a host, else "".

    A URL with a user can imitate another host or reveal a password, so it is invalid. Invisible
    characters, backslashes and quotation marks are not allowed.

    >>> clean_url("https://example.org/a"), clean_url("https://arxiv.org@evil.example/")
    ('https://example.org/a', '')
    """
    text = text.strip()
    try:
        parts = urlsplit(text)
        usable = parts.scheme.lower() in ("http", "https") and bool(
            (parts.hostname or "").strip(".")
        )
        usable = usable and "@" not in parts.netloc and parts.port != 0
    except ValueError:  # a port beyond 65535, half of an address of IPv6
        return ""
    return text if usable and text.isprintable() and not _NO_URL.search(text) else ""


def clean_id(text: str) -> str:
    """Return `text` if it is an id of Fieldguide (without an arXiv version), else ""."""
    text = text.strip()
    if text.startswith("arxiv:"):
        arxiv_id = clean_arxiv_id(text)
        text = f"arxiv:{arxiv_id}" if arxiv_id else text
    return text if is_well_formed_id(text) else ""


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(text, str) for text in value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 1_000_000


_TEXTS = ("a list of strings", _is_list_of_texts)
_COUNT = ("a non-negative whole number", _is_count)
_TYPES: Mapping[str, tuple[str, Callable[[object], bool]]] = {
    **dict.fromkeys(FIELDS, ("a string", lambda value: isinstance(value, str))),
    **dict.fromkeys(("authors", "code_urls", "keywords", "collections"), _TEXTS),
    "reference": (
        "an object of strings",
        lambda value: (
            isinstance(value, Mapping) and _is_list_of_texts([*value.keys(), *value.values()])
        ),
    ),
    **dict.fromkeys(("author_count", "comment_count"), _COUNT),
    "abstract_kind": (
        "abstract, digest or none",
        lambda value: value in ("abstract", "digest", "none"),
    ),
}
# Texts that people wrote; URLs and ids have no letters that could be in a wrong encoding.
_PROSE = frozenset("title abstract authors organisation venue keywords collections".split())
_SHORT = frozenset(
    "authors organisation venue url code_urls keywords collections reference retracted".split()
)


def _type_problems(fields: Mapping[str, object]) -> list[str]:
    wrong = [name for name, value in fields.items() if not _TYPES[name][1](value)]
    return [
        f"{name}: found {display_value(fields[name])}; expected {_TYPES[name][0]}"
        for name in sorted(wrong, key=FIELDS.index)
    ]


def _text_problems(fields: Mapping[str, Any]) -> list[str]:
    """Return a message for each invalid text: a missing title, too long, or half a character."""
    problems: list[str] = []
    title, abstract = fields.get("title", ""), fields.get("abstract", "")
    if len(title) > MAX_TITLE:
        problems.append(f"title: found {len(title):,} characters; expected at most {MAX_TITLE:,}")
    elif not format_for_display(title):
        problems.append("title: found none; expected the paper's title")
    if len(abstract) > MAX_ABSTRACT:
        found = f"{len(abstract):,} characters"
        problems.append(f"abstract: found {found}; expected at most {MAX_ABSTRACT:,}")
    torn = [name for name, value in fields.items() if any(map(_SURROGATE.search, _texts_in(value)))]
    expected = "found half of a surrogate pair; expected complete characters"
    return problems + [f"{name}: {expected}" for name in sorted(torn, key=FIELDS.index)]


def _texts_in(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, (list, tuple)):
        return value
    return () if isinstance(value, int) else (*value, *value.values())


def _make_paper(fields: Mapping[str, Any], source: Source, report_fault: LeaveOut) -> Paper:
    get = fields.get
    clean = {
        name: _clean_value(name, text, report_fault) for name in _CLEANED if (text := get(name))
    }
    identity = clean.get("id", "")
    abstract = get("abstract", "")
    if abstract.isspace() or _is_placeholder(abstract, fields["title"]):
        abstract = ""
    kind = get("abstract_kind", "abstract") if abstract else "none"
    names = [_to_one_line(name) for name in get("authors", ())]
    authors = tuple(name for name in names if name and not _NOBODY.fullmatch(name))
    counted = len(authors) or None
    if authors and authors[-1].lower() in _AND_OTHERS:
        authors, counted = authors[:-1], None
    doi = clean.get("doi") or _remove_prefix(identity, "doi:").lower()
    arxiv_id = clean.get("arxiv_id") or _remove_prefix(identity, "arxiv:")
    reference = ((name.strip(), _to_one_line(text)) for name, text in get("reference", {}).items())
    urls = (_clean_value("code_urls", text, report_fault) for text in get("code_urls", ()))
    keywords = (word for word in get("keywords", ()) if not _to_one_line(word).startswith(OWN_TAG))
    return Paper(
        title=fields["title"],
        id=identity,
        abstract=abstract,
        abstract_kind="abstract" if kind == "none" and abstract else cast(AbstractKind, kind),
        authors=authors,
        author_count=get("author_count", counted),
        organisation=_to_one_line(get("organisation", "")),
        published=Published(clean.get("published", "")),
        venue=_to_one_line(get("venue", "")),
        # An arXiv DOI and an arXiv id are equivalent.
        arxiv_id=arxiv_id or (clean_arxiv_id(doi) if doi.startswith("10.48550/") else ""),
        doi=doi,
        url=clean.get("url", ""),
        code_urls=tuple(dict.fromkeys(filter(None, urls))),
        comment_count=get("comment_count"),
        keywords=_distinct_lines(keywords),
        collections=_distinct_lines(get("collections", ())),
        reference=tuple(sorted(pair for pair in reference if all(pair))),
        retracted=_to_one_line(get("retracted", ""))
        or ("title" if is_retracted_title(fields["title"]) else ""),
        sources=(source,),
    )


_CLEANED: Mapping[str, tuple[Callable[[str], str], str]] = {
    "id": (clean_id, "arxiv:…, doi:10.… or p- and ten hex digits"),
    "arxiv_id": (clean_arxiv_id, "an arXiv id such as 2401.10230"),
    "doi": (clean_doi, "a DOI such as 10.1000/182"),
    "published": (iso_date, "a date such as 2025-10-15 or 2025"),
    "url": (clean_url, "an http or https URL that has a host and no user name"),
}
_CODE_URLS = (clean_url, "http or https URLs that have a host and no user name")


def _is_placeholder(abstract: str, title: str) -> bool:
    """Return whether an abstract is a placeholder or only repeats the title."""
    if len(abstract) < 60 and _NO_ABSTRACT.fullmatch(abstract):
        return True
    return abs(len(abstract) - len(title)) < 20 and title_key(abstract) == title_key(title)


def _distinct_lines(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(_to_one_line, texts))))


def _to_one_line(text: str) -> str:
    """Return a name as one line without control characters.

    >>> _to_one_line("Ada\\nOne ")
    'Ada One'
    """
    return _CONTROLS.sub(" ", text).strip()


def _clean_value(name: str, text: str, report_fault: LeaveOut) -> str:
    """Return the clean value of a field; report an invalid text."""
    clean, expected = _CLEANED.get(name, _CODE_URLS)
    value = clean(text)
    if not value and text.strip():
        report_fault("notice", f"{name} {display_value(text)}", expected)
    return value


def _remove_prefix(text: str, prefix: str) -> str:
    return text[len(prefix) :] if text.startswith(prefix) else ""
