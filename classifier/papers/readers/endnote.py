"""Read EndNote: tagged text (`.enw`, also from publishers and Google Scholar) and XML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from classifier.papers.clean import plain_text
from classifier.papers.dates import read_date
from classifier.papers.identifiers import find_doi, page_range, venue_unless_preprint
from classifier.papers.kinds import ENDNOTE_NUMBERS, csl_type
from classifier.papers.reader import require_signatures
from classifier.papers.readers.tagged import (
    Entry,
    Read,
    TagForm,
    fields_of,
    join_wrapped_sentences,
    tagged_reader,
)
from classifier.papers.readers.xml_elements import (
    Element,
    child,
    children,
    end_line_of,
    text_of,
    xml_reader,
)

_ENW_FORM = TagForm(re.compile(r"\ufeff?%(\S)(?:[ \t](.*)|$)", re.DOTALL), "0")
_ENW_TYPE = re.compile(r"^\ufeff?%0[ \t]\S", re.MULTILINE)
_ENW_TITLE = re.compile(r"^\ufeff?%T[ \t]\S", re.MULTILINE)
_ENW_OTHER = re.compile(r"^\ufeff?%[0AD][ \t]\S", re.MULTILINE)


def _endnote_venue(entry: Entry) -> str:
    is_paper = csl_type(entry.first_value("0"), "endnote") == "paper-conference"
    return entry.first_value("J B S" if is_paper else "J B")


def _complete_date(year: str, date: str) -> str:
    """Return a date, completed by the year (`Mar 16`), if both agree."""
    whole = read_date(date)
    return whole if whole[:4] == year[:4] or not year else read_date(f"{year} {date}")


_ENDNOTE: Final[Mapping[str, Read]] = {
    "title": "T",
    "abstract": lambda entry: join_wrapped_sentences(
        plain_text("\n".join(entry.values.get("X", ())))
    ),
    "authors": "A",
    "published": lambda entry: _complete_date(entry.first_value("D"), entry.first_value("8")),
    "venue": lambda entry: venue_unless_preprint(plain_text(_endnote_venue(entry))),
    "arxiv_places": lambda entry: [*entry.all_values("U R M"), _endnote_venue(entry)],
    "doi": lambda entry: find_doi(entry.all_values("R"), entry.all_values("U")),
    "url": "U",
    "keywords": lambda entry: [word.replace("*", "") for word in entry.items("K")],
    ":type": lambda entry: csl_type(entry.first_value("0"), "endnote"),
    ":volume": "V", ":issue": "N",
    ":page": lambda entry: page_range(entry.first_value("P")),
    ":edition": "7", ":publisher": "I", ":publisher-place": "C", ":collection-title": "S",
    ":language": "G", ":ISSN": "@", ":ISBN": "@",
    ":editor": "E Y",  # of proceedings the ACL Anthology has them in `%Y`
    ":citation-key": "F",
    ":container-title-short": "J9",  # this and the next three are in XML only
    ":original-title": "TT", ":PMID": "PMID", ":PMCID": "PMC",
}  # fmt: skip

ENDNOTE_TAGGED: Final = tagged_reader(
    "endnote-tagged",
    # Without `%0`, blank lines separate the entries.
    lambda content: replace(_ENW_FORM, blank_ends=not _ENW_TYPE.search(content.start)),
    _ENDNOTE,
    require_signatures("no lines '%0 ' and '%T '", _ENW_TITLE, _ENW_OTHER),
    "EndNote's tagged text, with lines '%0 Journal Article' and '%T TITLE'",
    examples=("%0 Journal Article\n%T Bees @@\n%A @@\n%X @@\n", "%0 Book\n%T Bees\n@@"),
)

_RECORDS = re.compile(r"<records>\s*<record>")
_PARTS = re.compile(r"<(?:ref-type|contributors|titles|source-app|rec-number)\b")
# Tag of `.enw` -> paths of its values.
_ENDNOTE_PLACES: Final = {
    "T": "titles/title", "X": "abstract", "A": "contributors/authors/author", "D": "dates/year",
    "8": "dates/pub-dates/date", "B": "titles/secondary-title", "S": "titles/tertiary-title",
    "J": "periodical/full-title alt-periodical/full-title", "R": "electronic-resource-num",
    "U": "urls/related-urls/url urls/web-urls/url urls/pdf-urls/url", "M": "accession-num",
    "K": "keywords/keyword", "V": "volume", "N": "number issue", "P": "pages", "7": "edition",
    "I": "publisher", "C": "pub-location", "G": "language", "@": "isbn", "F": "label",
    "E": "contributors/secondary-authors/author", "Y": "contributors/tertiary-authors/author",
    "J9": "periodical/abbr-1", "TT": "titles/translated-title", "PMC": "custom2",
    "provider": "remote-database-provider remote-database-name",
}  # fmt: skip


def _endnote_fields(record: Element) -> dict[str, object]:
    tags: dict[str, list[str]] = {}
    for tag, paths in _ENDNOTE_PLACES.items():
        texts = (text_of(found) for path in paths.split() for found in children(record, path))
        # A list may be in one element, with one item per line.
        tags[tag] = ["\n".join(line.strip() for line in re.split(r"[\r\n]+", t)) for t in texts]
    if (kind := child(record, "ref-type")) is not None:
        tags["0"] = [kind.get("name") or ENDNOTE_NUMBERS.get(text_of(kind).strip(), "")]
    if re.search(r"nlm|medline|pubmed", " ".join(tags["provider"]), re.IGNORECASE):
        tags["PMID"] = [n for n in tags["M"] if re.fullmatch(r"\d{4,8}", n, re.ASCII)]
    return fields_of(Entry(end_line_of(record), tags), _ENDNOTE)


ENDNOTE_XML: Final = xml_reader(
    "endnote-xml",
    ("record",),
    _endnote_fields,
    require_signatures("no elements <records><record> of EndNote", _RECORDS, _PARTS),
    "EndNote's XML, with elements <records><record>",
    examples=(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        "<xml><records><record><titles><title><style>Bees @@</style></title></titles>"
        "<abstract>@@</abstract></record>@@",
    ),
)
