"""The references of selected papers, as one file in each format; with the authors' abstracts."""

from __future__ import annotations

from classifier.site.exports.bibtex import bibtex_entry
from classifier.site.exports.citable import citable, citable_title
from classifier.site.exports.citation import one_line
from classifier.site.exports.csl import csl_list, csl_text
from classifier.site.exports.ris import ris_record
from classifier.site.exports.selection import Selection
from classifier.site.exports.tags import category_tags
from classifier.survey.entry import Entry
from classifier.survey.paper_names import short_name


def bibtex_list(selection: Selection) -> bytes:
    """Return a .bib of the selected papers, for any tool."""
    return "\n".join(
        bibtex_entry(
            entry.paper,
            _key(selection, entry),
            entry.aliases,
            category_tags(entry),
            abstract=True,
        )
        for entry in selection.entries
    ).encode()


def cited_bibtex(selection: Selection) -> bytes:
    """Return a .bib of the selected papers for a text of ours, which cites them with natbib.

    It holds what is printed: of hundreds of authors the first, and no abstract.
    """
    return "\n".join(
        bibtex_entry(
            citable(entry.paper),
            _key(selection, entry),
            entry.aliases,
            category_tags(entry),
            label=citable_title(short_name(one_line(entry.paper.title_display))),
        )
        for entry in selection.entries
    ).encode()


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


def _key(selection: Selection, entry: Entry) -> str:
    return selection.keys[entry.paper.id]
