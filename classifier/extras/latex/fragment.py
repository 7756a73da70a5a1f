"""One section, table or sentence of the survey, for a paper's chapter on related work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TypeVar

from classifier.errors import UsageError
from classifier.extras.latex.article import links_of
from classifier.extras.latex.markup import Links
from classifier.extras.latex.sections import (
    anchors_of,
    floating_table,
    section_to_latex,
    sentence_to_latex,
)
from classifier.site.exports.labelled import Selection
from classifier.site.exports.reference_files import cited_bibtex
from classifier.site.pages.survey import parts
from classifier.survey.document import Section, Table

Piece = TypeVar("Piece")

MARK = "% Written by `fieldguide export latex`"


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of LaTeX that another text includes, and the references that it cites."""

    tex: str
    bib: bytes
    cited: int


def section_fragment(selection: Selection, section_id: str) -> Fragment:
    """Return a section with its subsections; raises UsageError where there is none of that id."""
    document = selection.edition.document
    found = {section.id: [section] for section in document.sections}
    found |= {part[0].id: part for part in parts(document)}
    chosen = _named(found, section_id, "--section", "section")
    links = _links(selection, chosen)
    # Pictures are files of an article; a text that includes a section has none of them.
    written = [section_to_latex(section, links, (), floating_table) for section in chosen]
    return _fragment(selection, "\n\n".join(written), links, f"section {section_id}")


def table_fragment(selection: Selection, table_id: str) -> Fragment:
    """Return a table; raises UsageError where there is none of that id."""
    tables = {
        block.id.removeprefix("table-"): block
        for section in selection.edition.document.sections
        for block in section.blocks
        if isinstance(block, Table)
    }
    table = _named(tables, table_id.removeprefix("table-"), "--table", "table")
    links = _links(selection, ())
    return _fragment(selection, floating_table(table, links), links, f"table {table_id}")


def sentence_fragment(selection: Selection, sentence_id: str) -> Fragment:
    """Return a sentence; raises UsageError where there is none of that id."""
    sentences = {each.id: each for each in selection.edition.document.sentences}
    sentence = _named(sentences, sentence_id, "--sentence", "sentence")
    links = _links(selection, ())
    text = sentence_to_latex(sentence, links)
    return _fragment(selection, text, links, f"sentence {sentence_id}, {sentence.source}")


FRAGMENTS: dict[str, Callable[[Selection, str], Fragment]] = {
    "section": section_fragment,
    "table": table_fragment,
    "sentence": sentence_fragment,
}
"""Kind of a fragment -> what writes it."""


def _links(selection: Selection, sections: Iterable[Section]) -> Links:
    base_url = selection.edition.taxonomy.survey.base_url
    return links_of(selection, anchors_of(sections, ()), base_url)


def _fragment(selection: Selection, tex: str, links: Links, name: str) -> Fragment:
    entries = tuple(e for e in selection.edition.entries if e.number in links.cited)
    bib = cited_bibtex(replace(selection, entries=entries))
    packages = "natbib, hyperref, array, booktabs; longtable and pdflscape for long tables"
    version = selection.edition.document.version
    head = f"{MARK}: {' '.join(name.split())}, version {version}.\n% Needs {packages}.\n"
    return Fragment(f"{head}{tex}\n", bib, len(entries))


def _named(found: Mapping[str, Piece], wanted: str, option: str, noun: str) -> Piece:
    if wanted in found:
        return found[wanted]
    near = get_close_matches(wanted, found, 5, 0.3) or list(found)[:5]
    raise UsageError(
        f"{option} '{wanted}': the survey has no such {noun}; near: {', '.join(near)}."
    )
