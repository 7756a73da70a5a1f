"""Whether citations and links within survey.md lead somewhere, and every reference is cited."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from classifier.errors import Fault
from classifier.survey.edition import Edition

_ANCHOR = re.compile(r'<a id="([^"]+)"></a>')
_LINK = re.compile(r"\]\(#([^()\s]+)\)")
_PAGE = re.compile(r"\]\(p/([^()\s]+)\.html\)")
_REFERENCES = '<a id="reference-list"></a>'


def citation_faults(survey: str, edition: Edition) -> Iterator[Fault]:
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
    body = survey.partition(_REFERENCES)[0]
    cited, told = set(_LINK.findall(body)), set(_PAGE.findall(body))
    for entry in edition.entries:
        name = f"ref-{entry.number}"
        if name not in anchors:
            yield _fault(f"no reference {entry.number}", f"one for the paper {entry.paper.id}")
        elif name not in cited and entry.slug not in told:
            found = f"the reference {entry.number} ({entry.paper.id}), cited nowhere"
            yield _fault(found, "a table row, a list or a sentence that cites it")


def _fault(found: str, wanted: str) -> Fault:
    return Fault("error", "survey.md", None, found, wanted)
