"""Fetch the papers of a Zotero collection, from the web API or from Zotero on this machine.

Source: https://www.zotero.org/support/dev/web_api/v3/basics. pyzotero is not used, because it
requires bibtexparser 1, and Fieldguide requires bibtexparser 2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from classifier.errors import Fault, FetchError, UsageError, listed
from classifier.extras.fetch.client import Client, Service
from classifier.extras.fetch.papers_file import read_records
from classifier.papers.paper import Paper
from classifier.papers.readers.json_sources import source_by_name

WEB = Service(
    "zotero", "Zotero", "https://api.zotero.org", 0.2, key_variable="ZOTERO_API_KEY",
    key_parameter="key",
)  # fmt: skip
LOCAL = Service("zotero-local", "Zotero", "http://localhost:23119/api", 0.0)
LOCAL_LIBRARY = "local"
_PAGE = 100
_LIBRARY = re.compile(r"(user|group):(\d+)")


def zotero_papers(client: Client, library: str, collection: str) -> list[Paper | Fault]:
    """Return the papers in a collection and its subcollections, with the collections' names.

    library: `user:1234`, `group:1234` or `local`. collection: name of the collection, or "" for all
    papers. Raises UsageError for an unknown library or collection, and FetchError if Zotero does
    not answer.
    """
    service, root = _library(library)
    collections = _pages(client, service, f"{root}/collections")
    paths = collection_paths(collections)
    if collection:
        chosen = [key for key, path in paths.items() if collection in path]
        if not chosen:
            names = listed(sorted({path[-1] for path in paths.values()}))
            raise UsageError(
                f"The library has no collection '{collection}'. Its collections: {names or 'none'}."
            )
        addresses = [f"{root}/collections/{key}/items/top" for key in chosen]
    else:
        addresses = [f"{root}/items/top"]
    reader = source_by_name("zotero")
    items: dict[str, dict[str, Any]] = {}
    for address in addresses:
        for item in _pages(client, service, address):
            if not reader.why_no_paper(item):
                items.setdefault(str(item.get("key")), item)
    records = []
    for item in items.values():
        keys = [key for key in item.get("collections") or () if key in paths]
        filed = sorted(" / ".join(paths[key]) for key in keys)
        records.append({**reader.read({**item, "collections": []}), "collections": filed})
    return list(read_records(records, service))


def collection_paths(collections: Sequence[Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Return the path of names of each collection, by key."""
    by_key = {str(each["key"]): each for each in collections if each.get("key")}
    paths: dict[str, tuple[str, ...]] = {}
    for key in by_key:
        path: list[str] = []
        seen: set[str] = set()
        current = key
        while current in by_key and current not in seen:
            seen.add(current)
            path.insert(0, str(by_key[current].get("name", current)))
            current = str(by_key[current].get("parentCollection") or "")
        paths[key] = tuple(path)
    return paths


def _library(library: str) -> tuple[Service, str]:
    """Return the service and the start of the addresses of a library."""
    if library == LOCAL_LIBRARY:
        return LOCAL, "/users/0"
    match = _LIBRARY.fullmatch(library)
    if not match:
        raise UsageError(f"--library {library}: expected user:NUMBER, group:NUMBER or local.")
    return WEB, f"/{match[1]}s/{match[2]}"


def _pages(client: Client, service: Service, path: str) -> list[dict[str, Any]]:
    """Return the `data` of all objects at an address."""
    found: list[dict[str, Any]] = []
    while True:
        parameters = {"format": "json", "limit": _PAGE, "start": len(found) or ""}
        page = client.get_json(service, path, parameters)
        if not isinstance(page, list):
            raise FetchError(
                f"Zotero: the response at {path} is not a list. Check --library and ZOTERO_API_KEY."
            )
        found += [each["data"] for each in page if isinstance(each, dict) and "data" in each]
        if len(page) < _PAGE:
            return found
