"""Small answers of our own words in the shape of each service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from html import escape

from replay_server import Answer, Answering, Asked

_FEED = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title type="html">ArXiv Query: bread</title>
  <id>http://arxiv.org/api/oven</id>
  <updated>2026-01-05T00:00:00-05:00</updated>
  <opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">{total}\
</opensearch:totalResults>
  <opensearch:startIndex xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">{start}\
</opensearch:startIndex>
{entries}
</feed>
"""
_ENTRY = """  <entry>
    <id>http://arxiv.org/abs/{id}v1</id>
    <updated>{date}T08:00:00Z</updated>
    <published>{date}T08:00:00Z</published>
    <title>{title}</title>
    <summary>  {summary}
    </summary>
    <author><name>Ada Baker</name></author>
    <author><name>Ben Miller</name></author>
    <link href="http://arxiv.org/abs/{id}v1" rel="alternate" type="text/html"/>
    <arxiv:primary_category xmlns:arxiv="http://arxiv.org/schemas/atom" term="cs.AI"/>
    <category term="cs.AI" scheme="http://arxiv.org/schemas/atom"/>
  </entry>"""
_ERROR = """  <entry>
    <id>http://arxiv.org/api/errors#incorrect_id_format</id>
    <title>Error</title>
    <summary>{said}</summary>
  </entry>"""

Loaf = Mapping[str, str]
"""A paper: its `id` (arXiv), `title`, `summary` and `date`."""


def loaves(number: int, start: int = 0) -> list[Loaf]:
    return [
        {
            "id": f"2601.{n + 1:05}",
            "title": f"Bread number {n}, baked slowly",
            "summary": f"We bake loaf {n} and weigh it.",
            "date": (date(2026, 1, 1) + timedelta(days=n)).isoformat(),
        }
        for n in range(start, start + number)
    ]


def arxiv_feed(loaves: Sequence[Loaf], total: int, start: int = 0) -> Answer:
    entries = "\n".join(
        _ENTRY.format(**{name: escape(value) for name, value in loaf.items()}) for loaf in loaves
    )
    return Answer(_FEED.format(total=total, start=start, entries=entries).encode())


def arxiv_error(said: str) -> Answer:
    return Answer(_FEED.format(total=1, start=0, entries=_ERROR.format(said=said)).encode())


def arxiv_server(stock: Sequence[Loaf], page: int = 2) -> Answering:
    """Answer as arXiv does, with `page` papers at a time."""

    def answer(asked: Asked) -> Answer:
        start = int(asked.parameters["start"])
        most = min(page, int(asked.parameters["max_results"]))
        return arxiv_feed(stock[start : start + most], len(stock), start)

    return answer


def openalex_work(title: str, doi: str = "", **more: object) -> dict[str, object]:
    return {
        "id": "https://openalex.org/W1",
        "doi": f"https://doi.org/{doi}" if doi else None,
        "title": title,
        "display_name": title,
        "publication_date": "2024-05-03",
        "publication_year": 2024,
        "type": "article",
        "authorships": [{"author": {"display_name": "Ada Baker"}}],
        "primary_location": {
            "landing_page_url": f"https://doi.org/{doi}",
            "source": {"display_name": "Journal of Bread", "type": "journal"},
        },
        "locations": [],
        "abstract_inverted_index": {"We": [0], "bake.": [1]},
        **more,
    }


def openalex_page(works: Sequence[object], count: int, cursor: str | None) -> Answer:
    meta = {"count": count, "per_page": 200, "next_cursor": cursor}
    return Answer.of_json({"meta": meta, "results": works, "group_by": []})


def crossref_work(doi: str, title: str, **more: object) -> dict[str, object]:
    return {
        "DOI": doi,
        "title": [title],
        "author": [{"given": "Ada", "family": "Baker", "sequence": "first"}],
        "container-title": ["Journal of Bread"],
        "issued": {"date-parts": [[2024, 5]]},
        "type": "journal-article",
        "URL": f"https://doi.org/{doi}",
        "abstract": "<jats:p>We bake.</jats:p>",
        **more,
    }


def crossref_list(*works: object) -> Answer:
    return Answer.of_json({"status": "ok", "message": {"items": works}})


def daily_paper(arxiv_id: str, title: str) -> dict[str, object]:
    return {
        "paper": {
            "id": arxiv_id,
            "title": title,
            "summary": "We bake.",
            "authors": [{"name": "Ada Baker", "hidden": False}],
            "publishedAt": "2026-01-02T00:00:00.000Z",
            "upvotes": 3,
        },
        "publishedAt": "2026-01-02T00:00:00.000Z",
        "title": title,
        "numComments": 2,
    }
