"""One section of the survey, for a paper's chapter on related work."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches

from classifier.errors import UsageError
from classifier.extras.latex.article import links_of
from classifier.extras.latex.sections import (
    anchors_of,
    floating_table,
    section_to_latex,
)
from classifier.site.exports.labelled import Selection
from classifier.site.exports.reference_files import cited_bibtex
from classifier.site.pages.survey import parts

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
    if section_id not in found:
        near = get_close_matches(section_id, found, 5, 0.3) or list(found)[:5]
        raise UsageError(
            f"--section '{section_id}': the survey has no such section; near: {', '.join(near)}."
        )
    chosen = found[section_id]
    base_url = selection.edition.taxonomy.survey.base_url
    links = links_of(selection, anchors_of(chosen, ()), base_url)
    # Pictures are files of an article; a text that includes a section has none of them.
    tex = "\n\n".join(section_to_latex(section, links, (), floating_table) for section in chosen)
    entries = tuple(e for e in selection.edition.entries if e.number in links.cited)
    bib = cited_bibtex(replace(selection, entries=entries))
    packages = "natbib, hyperref, array, booktabs; longtable and pdflscape for long tables"
    name = f"section {section_id}, version {document.version}"
    return Fragment(f"{MARK}: {name}.\n% Needs {packages}.\n{tex}\n", bib, len(entries))
