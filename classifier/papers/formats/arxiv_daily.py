"""Days of the bots that list new papers of arXiv in a README and keep them as JSON.

An object maps arXiv ids to table rows of Markdown:
`|**2024-01-15**|**Title**|Ann Oven et.al.|[2401.10230](http://…)|**[link](https://github.com/…)**|`
(https://github.com/Vincentqyw/cv-arxiv-daily).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from classifier.papers.formats.values import Object
from classifier.papers.paper import clean_arxiv_id

_ADDRESS = re.compile(r"\((https?://[^()\s]+)\)")
_FEWEST_CELLS = 5


def is_day(value: Object) -> bool:
    """Say whether an object maps arXiv ids to table rows."""
    first = next(iter(value.items()), None)
    return bool(
        first
        and clean_arxiv_id(str(first[0]))
        and isinstance(first[1], str)
        and first[1].count("|") >= _FEWEST_CELLS
    )


def rows(value: Object, topic: str) -> Iterator[dict[str, object]]:
    """Yield the papers of a topic as records with the names of our fields."""
    for arxiv_id, row in value.items():
        cells = [cell.strip(" *") for cell in str(row).strip().strip("|").split("|")]
        if len(cells) < _FEWEST_CELLS - 1:
            continue
        address = _ADDRESS.search("|".join(cells[4:]))
        yield {
            "title": cells[1],
            "published": cells[0],
            "authors": [re.sub(r"\s*et\.?\s*al\.?$", "", cells[2]), "et al."],
            "arxiv_id": arxiv_id,
            "code_urls": [address[1]] if address else [],
            "collections": [topic] if topic else [],
        }
