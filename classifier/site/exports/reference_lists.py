"""The references of selected papers, as one file in each format; with the authors' abstracts."""

from __future__ import annotations

from collections.abc import Iterable

from classifier.site.exports.bibtex import bibtex_entry
from classifier.site.exports.csl import csl_list, csl_text
from classifier.site.exports.ris import ris_record
from classifier.site.exports.selection import Selection
from classifier.site.exports.tags import category_tags
from classifier.survey.edition import Entry


def bibtex_list(selection: Selection, *, abstract: bool = True) -> bytes:
    """Return a .bib of the selected papers."""
    return "\n".join(_bibtex_entries(selection, selection.entries, abstract)).encode()


def ris_list(selection: Selection) -> bytes:
    """Return a .ris of the selected papers."""
    return "\n".join(
        ris_record(entry.paper, _key(selection, entry), category_tags(entry), abstract=True)
        for entry in selection.entries
    ).encode()


def csl_json_list(selection: Selection) -> bytes:
    """Return the selected papers as CSL-JSON."""
    return csl_list(
        csl_text(entry.paper, _key(selection, entry), category_tags(entry), abstract=True)
        for entry in selection.entries
    ).encode()


def _bibtex_entries(
    selection: Selection, entries: Iterable[Entry], abstract: bool
) -> Iterable[str]:
    for entry in entries:
        key, tags = _key(selection, entry), category_tags(entry)
        yield bibtex_entry(entry.paper, key, entry.aliases, tags, abstract=abstract)


def _key(selection: Selection, entry: Entry) -> str:
    return selection.keys[entry.paper.id]
