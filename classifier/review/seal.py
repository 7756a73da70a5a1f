"""The seal of a sheet's row: by it `ok` is known to approve what was shown.

A sheet comes back days later, sorted, cut, re-saved, from a build that is gone. The seal is a short
hash of a row's labels at the end of its `why`: as long as it fits, the labels are those that the
machine wrote for this paper under that taxonomy.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence

from classifier.taxonomy.model import Taxonomy

_DIGITS = 6
_SEAL = re.compile(rf"\s*\[([0-9a-f]{{{_DIGITS}}})\]\s*$")


def label_columns(taxonomy: Taxonomy) -> tuple[str, ...]:
    """Return the columns that hold labels: `primary`, `topics`, and each further facet's own."""
    further = [facet_id for facet_id in taxonomy.facets if facet_id != taxonomy.first.id]
    return ("primary", "topics", *further)


def seal(cells: Mapping[str, str], columns: Sequence[str], taxonomy_digest: str) -> str:
    """Return the seal of a row: six hex digits over its id, its labels and the taxonomy's digest.

    columns: of the labels. Blanks around a cell do not count, since spreadsheets trim.
    """
    parts = [taxonomy_digest, cells.get("id", "").strip()]
    parts += [f"{column}={cells.get(column, '').strip()}" for column in columns]
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=_DIGITS // 2).hexdigest()


def seals(
    ids: Sequence[str], cells: Mapping[str, Sequence[str]], taxonomy_digest: str
) -> list[str]:
    """Return the `seal` of each of n rows.

    ids: (n,); cells: column -> (n,) cells as the machine writes them, in the order of
    `label_columns`.
    """
    begins = [taxonomy_digest, "", *(f"{column}=" for column in cells)]
    begins = [f"\n{begin}" if place else begin for place, begin in enumerate(begins)]
    trimmed = ([cell.strip() for cell in column] for column in (ids, *cells.values()))
    texts = (
        "".join(itertools.chain.from_iterable(zip(begins, ("", *row), strict=True)))
        for row in zip(*trimmed, strict=True)
    )
    size = _DIGITS // 2
    return [hashlib.blake2b(text.encode(), digest_size=size).hexdigest() for text in texts]


def with_seal(why: str, mark: str) -> str:
    """Return the cell `why` with the seal behind it."""
    return f"{why} [{mark}]"


def seal_in(why: str) -> str:
    """Return the seal that a cell `why` ends with, or "" where it has none."""
    found = _SEAL.search(why)
    return found[1] if found else ""


def without_seal(why: str) -> str:
    """Return a cell `why` without its seal."""
    return _SEAL.sub("", why)


def sealed_under(
    cells: Mapping[str, str], columns: Sequence[str], digests: Iterable[str]
) -> str | None:
    """Return the digest of the taxonomy under which a row's labels were shown.

    digests: those that may be meant. None where the row has no seal, or its labels are not as they
    were written.
    """
    mark = seal_in(cells.get("why", ""))
    return next((d for d in digests if mark and seal(cells, columns, d) == mark), None)
