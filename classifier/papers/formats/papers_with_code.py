"""Papers with Code: rows of its leaderboards (also of sota-extractor), papers, links to code.

https://github.com/paperswithcode/paperswithcode-data; tasks hold data sets, subtasks, and data
sets hold further data sets; each leaderboard (`sota`) has rows that name papers.
"""

from __future__ import annotations

from collections.abc import Iterator

from classifier.papers.dates import read_date
from classifier.papers.formats.values import (
    Object,
    arxiv_id_in,
    first_of,
    line_of,
    object_of,
    objects_of,
    text_of,
    texts_of,
    url_of,
    venue_of,
)
from classifier.papers.paper import clean_arxiv_id

_MOST_DEPTH = 20


def is_record(record: Object) -> bool:
    """Say whether an object is a row of a leaderboard, a paper, or a link to code."""
    names = record.keys()
    return {"paper_title", "paper_url"} <= names or {"title", "url_abs", "proceeding"} <= names


def fields(record: Object) -> dict[str, object]:
    """Return the fields of a row, a paper or a link."""
    links = [text_of(record.get(n)) for n in ("url_abs", "paper_url_abs", "paper_url", "url_pdf")]
    code = [text_of(link.get("url")) for link in objects_of(record.get("code_links"))]
    arxiv_id = first_of(record, "arxiv_id", "paper_arxiv_id")
    return {
        "title": line_of(first_of(record, "title", "paper_title")),
        "abstract": text_of(record.get("abstract")),
        "authors": texts_of(record.get("authors")),
        "published": read_date(first_of(record, "date", "paper_date")),
        "venue": venue_of(line_of(first_of(record, "proceeding", "conference"))),
        "arxiv_id": clean_arxiv_id(arxiv_id) or arxiv_id_in(links),
        "doi": next((link for link in links if "doi.org/10." in link), ""),
        "url": url_of(*links),
        "code_urls": [
            u for u in (url_of(c) for c in (*code, text_of(record.get("repo_url")))) if u
        ],
        "keywords": _methods(record),
        "collections": texts_of(record.get("collections")) or texts_of(record.get("tasks")),
    }


def leaderboard_rows(task: Object) -> Iterator[Object] | None:
    """Return the rows of a task that name a paper, each with the task's path; None for others."""
    if "task" in task and ("datasets" in task or "subtasks" in task):
        return _rows_of_task(task, (), 0)
    return None


def _rows_of_task(task: Object, outer: tuple[str, ...], depth: int) -> Iterator[Object]:
    path = (*outer, line_of(task.get("task")))
    if depth < _MOST_DEPTH:
        for data_set in objects_of(task.get("datasets")):
            yield from _rows_of_data_set(data_set, path, depth + 1)
        for subtask in objects_of(task.get("subtasks")):
            yield from _rows_of_task(subtask, path, depth + 1)


def _rows_of_data_set(data_set: Object, outer: tuple[str, ...], depth: int) -> Iterator[Object]:
    path = (*outer, line_of(data_set.get("dataset") or data_set.get("subdataset")))
    heading = " / ".join(name for name in path if name)
    for row in objects_of(object_of(data_set.get("sota")).get("rows")):
        yield {**row, "collections": [heading]}
    if depth < _MOST_DEPTH:
        for inner in objects_of(data_set.get("subdatasets")):
            yield from _rows_of_data_set(inner, path, depth + 1)


def _methods(record: Object) -> list[str]:
    methods = (line_of(method.get("name")) for method in objects_of(record.get("methods")))
    return [name for name in methods if name]
