"""Read RIS in the dialects of many databases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from classifier.files.content import Content
from classifier.papers.clean import plain_text
from classifier.papers.dates import date_of_parts, read_date
from classifier.papers.identifiers import (
    find_doi,
    find_pmid,
    find_url,
    page_range,
    venue_unless_preprint,
)
from classifier.papers.kinds import csl_type
from classifier.papers.names import comma_before_initials, people_in
from classifier.papers.readers.tagged import (
    Entry,
    Read,
    TagForm,
    join_wrapped_sentences,
    read_entries,
    tagged_reader,
)

_TAG = r"[\ufeff \t]*([A-Z][A-Z0-9])"
# Cochrane has a tag of three letters: `DOI - 10.1000/182`.
_WIDE = r"[\ufeff \t]*([A-Z][A-Z0-9](?=[ \t]{2})|DOI(?= -))"
_STANDARD = TagForm(re.compile(_WIDE + r"[ \t]{1,4}-[ \t]?(.*)", re.DOTALL), "TY", "ER")
# With one blank, "AI - a primer" in an abstract would be a tag; so only if `TY` has one blank, too.
_NARROW = TagForm(re.compile(_TAG + r"[ \t]{1,4}-(?:[ \t](.*)|$)", re.DOTALL), "TY", "ER")

_RIS_TYPE = re.compile(r"^[\ufeff \t]*TY([ \t]{1,4})-(?:[ \t]|$|[A-Z]{3,6}$)", re.MULTILINE)
# The start of an entry of BibTeX, or of a table with a column of titles.
_QUOTING = re.compile(
    r"^[ \t]*@[a-z]{2,40}\s{0,9}[{(]|\A\W{0,3}(?:[^\n]{0,999}[,;\t])?\W{0,3}title\W{0,3}[,;\t]",
    re.MULTILINE | re.IGNORECASE,
)
_RIS_TITLE = re.compile(r"^[\ufeff \t]*(?:TI|T1)([ \t]{1,4})- \S", re.MULTILINE)
_RIS_END = re.compile(r"^ER[ \t]{1,4}-[ \t]*$", re.MULTILINE)

# A star marks the main subjects: `*Bread/history`, `Bread/*history`.
_STAR = re.compile(r"(?:^|(?<=/))\*")
_COMMA = re.compile(r"\s*,\s*")
_STATED_DOI = re.compile(r"(?:doi:?\s*)?10\.\d", re.IGNORECASE)
_TIGHT_COMMA = re.compile(r",(?=[^\s\d])")
_MAX_ISSUE = 20
"""Maximum length of the number of an issue, such as `12, Suppl. 3`, in characters."""
_BY_DATABASE = (("AN", r"pubmed|medline|nlm"), ("C2", r"scopus"), ("C5", r"embase|medline"))
"""Tags that contain a PubMed id in the exports of some databases."""


def _first_tag(start: str) -> re.Match[str] | None:
    """Return the first `TY` tag; without one, a title tag that an end tag follows; else None."""
    title = _RIS_TITLE.search(start)
    is_ended = title and _RIS_END.search(start, title.end())
    return _RIS_TYPE.search(start) or (title if is_ended else None)


def _reject_reason(content: Content) -> str:
    """Return why a file is not RIS: it has no tag, or one that BibTeX or a table quotes."""
    first = _first_tag(content.start)
    if first is None:
        return "no line 'TY  - '"
    is_quoted = _QUOTING.search(content.start, 0, first.start())
    return "it only quotes RIS" if is_quoted else ""


def _tag_syntax(content: Content) -> TagForm:
    first = _first_tag(content.start)
    return _NARROW if first and len(first[1]) == 1 else _STANDARD


def ris_entries(content: Content) -> Iterator[Entry]:
    """Yield the entries of a file with all their tags."""
    return read_entries(content.lines(), _tag_syntax(content))


def _is_whole_work(entry: Entry) -> bool:
    return csl_type(entry.first_value("TY")) in ("book", "manuscript")


def _ris_abstract(entry: Entry) -> str:
    """Return the abstract, without the copyright that EBSCO writes into a second `AB`."""
    for tag in ("AB", "N2"):
        texts = dict.fromkeys(entry.values.get(tag, ()))
        own = [text for text in texts if text and not text.startswith("Copyright of ")]
        if own:
            return join_wrapped_sentences(plain_text("\n".join(own)))
    return ""


def _ris_authors(entry: Entry) -> list[str]:
    """Return the authors of `AU` and `A1`, in the order of the tags in the entry.

    `A1` is an older name of `AU`; Web of Science writes the corporate author into `A1`, after `AU`.
    """
    tags = [tag for tag in entry.values if tag in ("AU", "A1")]
    authors = dict.fromkeys(entry.all_values(" ".join(tags)))
    return [comma_before_initials(name) for name in people_in(authors)]


def _ris_date(entry: Entry) -> str:
    """Return the most precise date that agrees with the year of publication."""
    dates = [_parse_date(text) for text in entry.all_values("PY Y1 DA YR")]
    year = next((text[:4] for text in dates if text), "")
    dates += [
        read_date(f"{year} {text}")
        for text in entry.all_values("DA")
        if year and not _parse_date(text)
    ]
    return max((text for text in dates if text.startswith(year)), key=len, default="")


@lru_cache(2**12)
def _parse_date(text: str) -> str:
    """Return the date in `2016/09//Autumn` or in any other form."""
    parts = [*text.split("/"), "", ""]
    return date_of_parts(*parts[:3]) if re.match(r"\d{4}/", text) else read_date(text)


def _ris_issue(entry: Entry) -> str:
    """Return the issue from the tags of issues; `CP` is a conference in Web of Science."""
    issues = [
        *entry.all_values("IS"),
        *filter(_is_issue, entry.all_values("CP")),
        *entry.all_values("NO"),
    ]
    numbers = (text for text in entry.all_values("M1") if text.isdecimal())
    return next(iter(issues), "") or next(numbers, "")


def _is_issue(text: str) -> bool:
    return len(text) <= _MAX_ISSUE and any(map(str.isdigit, text))


def _ris_arxiv_texts(entry: Entry) -> list[str]:
    """Return the texts that may contain an arXiv id; notes count only if they begin with it."""
    tags = "UR L1 L2 DO AN T2 JO JF M1 M3 PB VL"
    places = [re.sub("^abs/", "arXiv:", text) for text in entry.all_values(tags)]
    return places + [note for note in entry.all_values("N1") if note[:5].lower() == "arxiv"]


def _ris_doi(entry: Entry) -> str:
    """Return the DOI from its own tag, else from a tag that may contain it, else from a URL."""
    if doi := find_doi(entry.all_values("DO DI DOI")):
        return doi
    stated = [text for text in entry.all_values("M3 L3 AN") if _STATED_DOI.match(text)]
    return find_doi(stated, entry.all_values("UR L2 L3 N1 ID"))


def _ris_url(entry: Entry) -> str:
    texts = entry.all_values("UR LK L2 L1")
    return find_url(
        *(u for text in texts for u in re.split(r"(?<![;\s])[;\s]+(?=https?://)", text))
    )


def _ris_keywords(entry: Entry) -> list[str]:
    """Return the keywords without asterisks.

    Commas separate keywords if no blank follows them, or if all keywords are on one line. Otherwise
    a comma is part of a subject heading: `Rats, Wistar`.
    """
    items = [_STAR.sub("", text) for text in entry.items("KW K1")]
    comma = _COMMA if len(items) == 1 and items[0].count(", ") > 1 else _TIGHT_COMMA
    return [
        part for item in items for part in (comma.split(item) if item.count(",") > 1 else (item,))
    ]


def _ris_pmid(entry: Entry) -> str:
    databases = " ".join(entry.all_values("DB DP"))
    for tag, database in _BY_DATABASE:
        number = entry.first_value(tag)
        is_id = 4 <= len(number) <= 8 and number.isdecimal()
        if is_id and re.search(database, databases, re.IGNORECASE):
            return number
    return find_pmid(*entry.all_values("U1 N1 AN ID"))


_RIS: Final[Mapping[str, Read]] = {
    # `BT` is the title of the book of a chapter.
    "title": lambda entry: plain_text(
        entry.first_value("TI T1 CT BT TT ST" if _is_whole_work(entry) else "TI T1 CT TT ST")
    ),
    "abstract": _ris_abstract,
    "authors": _ris_authors,
    "published": _ris_date,
    "venue": lambda entry: venue_unless_preprint(
        plain_text(
            entry.first_value(f"JF T2 JO {'' if _is_whole_work(entry) else 'BT'} C3 JA J2 J1")
        )
    ),
    "arxiv_places": _ris_arxiv_texts,
    "doi": _ris_doi,
    "url": _ris_url,
    "keywords": _ris_keywords,
    ":type": lambda entry: csl_type(entry.first_value("TY"), "endnote"),
    ":volume": "VL",
    ":issue": _ris_issue,
    ":event-title": lambda entry: next(
        (text for text in entry.all_values("CP") if not _is_issue(text)), ""
    ),
    ":page": lambda entry: page_range(entry.first_value("SP"), entry.first_value("EP")),
    ":edition": "ET", ":publisher": "PB", ":publisher-place": "CY PP", ":collection-title": "T3",
    ":container-title-short": "J2 JA", ":original-title": "TT", ":language": "LA",
    ":ISSN": "SN BN", ":ISBN": "SN BN",
    ":editor": lambda entry: "; ".join(map(comma_before_initials, entry.all_values("ED A2"))),
    ":citation-key": "ID LB",
    ":PMID": _ris_pmid,
    ":PMCID": "C2 U1 N1 AN",
}  # fmt: skip

RIS: Final = tagged_reader(
    "ris",
    _tag_syntax,
    _RIS,
    _reject_reason,
    "RIS: entries that begin with a line 'TY  - ' and end with 'ER  - '",
    examples=(
        "TY  - JOUR\nTI  - Bees @@\nAU  - @@\nAB  - @@\nUR  - @@\nER  - \n",
        "TY  - JOUR\nTI  - Bees\n@@",
    ),
)
