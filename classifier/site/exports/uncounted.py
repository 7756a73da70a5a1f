"""Find numbers in computed sentences that are not counts, so that verification skips them."""

from __future__ import annotations

import re

from classifier.site.verify import NUMBER
from classifier.survey.wording import escape_cell
from classifier.taxonomy.model import Taxonomy

Span = tuple[int, int]
"""Offsets of the first character and of the character after the last."""
_UNCOUNTED = re.compile(
    # A title in stars, code, a quotation, a citation, the target of a link.
    r'(?<!\\)(\*\*?)(?:\\.|[^*\\])+\1|`[^`]+`|“[^”]*”|\\\[.*?\\\]|\]\([^()\s]*(?: "[^"]*")?\)'
    # An idiom.
    r"|\b(?:(?:more|fewer|less) than one|one another|no (?:one|two)|at least one"
    r"|(?:one|two|three) or more|95% intervals?)\b",
    re.IGNORECASE,
)


class Uncounted:
    """Finds the numbers in citations, quotations, idioms and names of the taxonomy."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        names = {facet.name for facet in taxonomy.facets.values()}
        names |= {
            c.name for facet in taxonomy.facets.values() for c in facet.walk(include_retired=True)
        }
        names |= {name for lexicon in taxonomy.lexicons.values() for name in lexicon}
        numbered = sorted(filter(NUMBER.search, map(escape_cell, names)), key=len, reverse=True)
        pattern = "|".join(map(re.escape, numbered)) or "$."
        self._names = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE)

    def spans(self, text: str) -> list[Span]:
        """Return the spans of the numbers in a sentence that are not counts."""
        parts = [m.span() for form in (_UNCOUNTED, self._names) for m in form.finditer(text)]
        return [
            number.span()
            for number in NUMBER.finditer(text)
            if any(start <= number.start() and number.end() <= end for start, end in parts)
        ]
