"""Whether citations and links within survey.md lead somewhere, and every reference is cited."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from classifier.errors import Fault
from classifier.survey.survey import Survey

_ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
_LINK = re.compile(r"\]\(#([^()\s]+)\)")
_REFERENCES = '<a id="reference-list"></a>'


def citation_faults(survey: str, edition: Survey) -> Iterator[Fault]:
    """Yield links that lead nowhere, references that are missing, twice there or not cited."""
    anchors = Counter(_ANCHOR.findall(survey))
    yield from (
        _fault(f"the anchor '{name}' a second time", "anchors that differ")
        for name, times in sorted(anchors.items())
        if times > 1
    )
    links = set(_LINK.findall(survey))
    yield from (
        _fault(f"a link to '#{name}'", "a heading, a table, a figure or a reference")
        for name in sorted(links - anchors.keys())
    )
    cited = set(_LINK.findall(survey.partition(_REFERENCES)[0]))
    for reference in edition.document.references:
        name = f"ref-{reference.number}"
        if name not in anchors:
            yield _fault(
                f"no reference {reference.number}", f"one for the paper {reference.paper_id}"
            )
        elif name not in cited:
            found = f"the reference {reference.number} ({reference.paper_id}), cited nowhere"
            yield _fault(found, "a table row, a list or a sentence that cites it")


def _fault(found: str, wanted: str) -> Fault:
    return Fault("error", "survey.md", None, found, wanted)
