"""What to do about a cell that names no category of its facet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from classifier.review.spelling import Spellings, plain

_MOST_LISTED = 15
_FORMULA_FAULTS = ("#name?", "#value!", "#ref!", "#n/a", "err:")
_CHANGES = "add safety; drop benchmarks"
# What people write between categories where `;` belongs.
_BETWEEN = re.compile(
    r"\s+(?:and|und|et)\s+|\s*[|/&]\s*|\s+(?=[+-]\s*\w)|\s+(?=(?:add|drop|remove)\s)|\s+",
    re.IGNORECASE,
)


def cure_of(
    cell: str,
    unknown: Sequence[str],
    spellings: Spellings,
    others: Mapping[str, Spellings],
) -> str:
    """Return what the writer of `cell` should do about its `unknown` entries.

    others: review column -> the spellings of its facet, of the other facets.
    """
    said = plain(cell).casefold()
    if said.startswith(_FORMULA_FAULTS):
        return f"A spreadsheet took it for a formula; write '{_CHANGES}'."
    cures = dict.fromkeys(_cure(text, spellings, others) for text in unknown)
    return " ".join(filter(None, cures)) or _known(spellings)


def _cure(text: str, spellings: Spellings, others: Mapping[str, Spellings]) -> str:
    if plain(text).casefold() == "ok":
        return "ok goes into verdict."
    if _is_run_together(text, spellings):
        return "Put ; between the categories."
    for column, other in others.items():
        if _are_known(text, other):
            return f"'{text}' goes into {column}."
    return spellings.nearest(text)


def _is_run_together(text: str, spellings: Spellings) -> bool:
    """Say whether an entry is several categories with something else than `;` between them."""
    parts = [part for part in _BETWEEN.split(plain(text)) if part]
    words = [part for part in parts if part.casefold() not in ("add", "drop", "remove", "and")]
    return len(words) > 1 and all(_are_known(word, spellings) for word in words)


def _are_known(text: str, spellings: Spellings) -> bool:
    items = spellings.read(text)
    return bool(items) and all(item.category for item in items)


def _known(spellings: Spellings) -> str:
    """Return the categories that there are, the first of them where they are many."""
    names = spellings.facet.ids
    more = ", …" if len(names) > _MOST_LISTED else ""
    return f"There are: {', '.join(names[:_MOST_LISTED])}{more}."
