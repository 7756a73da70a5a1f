"""Read formats whose lines begin with a tag, using a table of tags.

A table maps each field to its tags, or to a function of the entry; `:volume` is a CSL variable. The
tables are in `ris`, `pubmed`, `web_of_science` and `endnote`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, cast

from classifier.errors import Fault
from classifier.files.content import Content
from classifier.papers.clean import plain_text
from classifier.papers.dates import read_date
from classifier.papers.fields import read_fields
from classifier.papers.identifiers import (
    PMCID,
    find_arxiv_id,
    find_cite_key,
    find_doi,
    find_isbns,
    find_issns,
    find_url,
    venue_unless_preprint,
)
from classifier.papers.kinds import csl_type_on_arxiv
from classifier.papers.names import comma_before_initials, people_in
from classifier.papers.paper import Source
from classifier.papers.reader import Reader, Record


@dataclass(frozen=True, slots=True)
class TagForm:
    """The syntax of the tags in a format."""

    line: re.Pattern[str]
    """Matches a line that begins with a tag; its groups are the tag and the value."""
    start: str
    """The first tag of an entry."""
    end: str = ""
    """The last tag of an entry; "" if the next entry ends it."""
    ignored: frozenset[str] = frozenset()
    """Tags of the file, not of an entry."""
    blank_ends: bool = False
    """Whether a blank line ends an entry."""


@dataclass(slots=True)
class Entry:
    """The values of an entry by tag, in file order."""

    line: int
    """1-based line of its first tag."""
    values: dict[str, list[str]]
    """Values of each tag; lines without a tag continue the value before them, after `\\n`."""
    is_ended: bool = False
    """Whether the entry has its end tag."""

    def all_values(self, tags: str) -> list[str]:
        """Return the non-empty values of blank-separated tags in order, each on one line."""
        values = (value for tag in tags.split() for value in self.values.get(tag, ()))
        return [line for value in values if (line := _to_one_line(value))]

    def first_value(self, tags: str) -> str:
        r"""Return the first non-empty value of these tags, on one line; "" if there is none.

        >>> Entry(1, {"TI": [""], "T1": ["Rye\nbread"]}).first_value("TI T1")
        'Rye bread'
        """
        return next(iter(self.all_values(tags)), "")

    def items(self, tags: str) -> list[str]:
        """Return the items of lists whose separators are line breaks or semicolons."""
        values = (value for tag in tags.split() for value in self.values.get(tag, ()))
        return [text for value in values for item in re.split(r"[;\n]", value)
                if (text := item.strip())]  # fmt: skip

    def lines(self, tags: str) -> list[str]:
        """Return the lines in the values of these tags."""
        values = (value for tag in tags.split() for value in self.values.get(tag, ()))
        return [line for value in values for line in value.split("\n") if line]


def read_entries(lines: Iterable[str], form: TagForm) -> Iterator[Entry]:
    """Yield the entries in lines of text; text between entries is skipped.

    An entry without a start tag begins with its first tag. An entry without an end tag ends before
    the next start tag.
    """
    first = 0
    lines_of: dict[str, list[list[str]]] = {}
    """Lines of each value by tag; they are joined at the end of the entry."""
    value: list[str] = []

    def finish_entry(is_ended: bool = False) -> Entry:
        values = {tag: ["\n".join(each) for each in of_tag] for tag, of_tag in lines_of.items()}
        return Entry(first, values, is_ended)

    for number, line in enumerate(lines, start=1):
        match = form.line.match(line)
        if match is None:
            if text := line.strip():
                value.append(text)
            elif lines_of and form.blank_ends:
                yield finish_entry()
                lines_of, value = {}, []
            continue
        tag, text = match.groups("")
        if lines_of and (tag == form.end or (tag == form.start and tag in lines_of)):
            yield finish_entry(is_ended=tag == form.end)
            lines_of = {}
        value = [text.strip()]
        if tag != form.end and tag not in form.ignored:
            first = first if lines_of else number
            lines_of.setdefault(tag, []).append(value)
    if lines_of:
        yield finish_entry()


def _to_one_line(text: str) -> str:
    return " ".join(text.split()) if "\n" in text or "  " in text else text


def join_wrapped_sentences(text: str) -> str:
    r"""Return a hard-wrapped text, with line breaks only at the ends of sentences.

    >>> join_wrapped_sentences("Aim: bread.\nMethod: an\noven.")
    'Aim: bread.\nMethod: an oven.'
    """
    return re.sub(r"\n(?<![.!?:…]\n)", " ", text)


Read = str | Callable[[Entry], object]
"""Tags separated by blanks, the best first, or a function of an entry."""


def people_at(entry: Entry, tags: str) -> list[str]:
    """Return the people listed under the first of these tags that is not empty."""
    found = (people_in(entry.lines(tag)) for tag in tags.split())
    return [comma_before_initials(name) for name in next(filter(None, found), [])]


_READ: Final[Mapping[str, Callable[[Entry, str], object]]] = {
    "title": lambda entry, tags: plain_text(entry.first_value(tags)),
    "abstract": lambda entry, tags: plain_text(entry.first_value(tags)),
    "authors": people_at,
    "published": lambda entry, tags: read_date(entry.first_value(tags)),
    "venue": lambda entry, tags: venue_unless_preprint(plain_text(entry.first_value(tags))),
    "arxiv_places": lambda entry, tags: entry.all_values(tags),
    "doi": lambda entry, tags: find_doi(entry.all_values(tags)),
    "url": lambda entry, tags: find_url(*entry.all_values(tags)),
    "keywords": lambda entry, tags: entry.items(tags),
    ":ISSN": lambda entry, tags: find_issns(*entry.all_values(tags)),
    ":ISBN": lambda entry, tags: find_isbns(*entry.all_values(tags)),
    ":PMCID": lambda entry, tags: "".join(PMCID.findall(" ".join(entry.all_values(tags)))[:1]),
    ":citation-key": lambda entry, tags: find_cite_key(*entry.all_values(tags)),
    ":editor": lambda entry, tags: "; ".join(people_at(entry, tags)),
    ":edition": lambda entry, tags: (
        "" if re.search(r"\d{4}|/", entry.first_value(tags)) else entry.first_value(tags)  # a date
    ),
}
"""Field -> reader of the values of tags; other fields are read as one line."""


def fields_of(entry: Entry, table: Mapping[str, Read]) -> dict[str, object]:
    """Return the fields of an entry for `read_fields`, according to the table of its format."""
    found: dict[str, object] = {}
    variables: dict[str, str] = {}
    for name, where in table.items():
        read = _READ.get(name, Entry.first_value)
        value = where(entry) if callable(where) else read(entry, where)
        if name[0] == ":":
            variables[name[1:]] = str(value)
        else:
            found[name] = value
    found["arxiv_id"] = find_arxiv_id(cast(list[str], found.pop("arxiv_places", [])))
    if found["arxiv_id"]:
        variables["type"] = csl_type_on_arxiv(variables["type"], str(found["venue"]))
    if variables["type"] == "thesis":
        variables.pop("editor", "")  # the editors of a thesis are its supervisors
    return {**found, "reference": variables}


_UNTYPED: Final = "It was read without a type."
_CUT: Final = "It was read as far as possible. Export the file again if something is missing."


def tagged_reader(
    name: str,
    form_of: TagForm | Callable[[Content], TagForm],
    table: Mapping[str, Read],
    reject_reason: Callable[[Content], str],
    description: str,
    examples: tuple[str, ...],
) -> Reader:
    """Return the reader of a format whose entries one table describes."""

    def read(content: Content) -> Iterator[Record]:
        form = form_of if isinstance(form_of, TagForm) else form_of(content)
        for entry in read_entries(content.lines(), form):
            place, whole = (content.name, entry.line), "a complete entry"
            if form.end and form.start not in entry.values:
                found = f"an entry without a line '{form.start}'"
                yield Fault("notice", *place, found, whole, _UNTYPED)
            if form.end and not entry.is_ended:
                found = f"an entry without a line '{form.end}'"
                yield Fault("warning", *place, found, whole, _CUT)
            yield from read_fields(fields_of(entry, table), Source(content.name, name, entry.line))

    return Reader(name, reject_reason, read, description, examples)
