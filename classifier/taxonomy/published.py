"""taxonomy.json: what the categories of an edition are called and mean, for programs and `diff`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from classifier.errors import Fault
from classifier.papers.fields import clean_url
from classifier.taxonomy.document import Node
from classifier.taxonomy.model import PICTURE, Taxonomy
from classifier.taxonomy.names import DEVICE

# What seeds the classifier or is printed elsewhere says nothing of what a label means.
_LEFT_OUT = frozenset({"cues", "exemplars", "claims"})


def published_taxonomy(taxonomy: Taxonomy) -> dict[str, Any]:
    """Return `digest`, `survey` (its title) and `facets` as plain values, without cues."""
    facets = {
        facet_id: facet.model_dump(mode="json") for facet_id, facet in taxonomy.facets.items()
    }
    title = taxonomy.survey.title
    return {"digest": taxonomy.digest, "survey": {"title": title}, "facets": _stripped(facets)}


def taxonomy_as_published(record: object) -> Taxonomy | None:
    """Return the taxonomy behind a taxonomy.json; None where it is of another form."""
    if not isinstance(record, dict):
        return None
    try:
        return Taxonomy.model_validate({"survey": record["survey"], "facets": record["facets"]})
    except (KeyError, ValidationError):
        return None


def _stripped(value: Any) -> Any:
    """Return nested values without the keys that are left out, and without empty ones."""
    if isinstance(value, dict):
        kept = {key: _stripped(inner) for key, inner in value.items() if key not in _LEFT_OUT}
        return {key: inner for key, inner in kept.items() if inner not in (None, "", [], False)}
    return [_stripped(inner) for inner in value] if isinstance(value, list) else value


MOST_ID = 100
"""Letters of a category's id: the names of files hold 255 bytes, paths on some systems 260."""
_WEB = re.compile(r"https?://\S+")


def check_places(document: Node, folder: Path) -> list[Fault]:
    """Return the faults of ids that cannot name a file, of addresses that no reader can use, and
    of a logo that is not in `folder`."""
    faults = [fault for _, facet in document.pairs_of("facets") for fault in _ids(facet)]
    survey = document.at(("survey",))
    for key in ("base_url", "repository", "feedback"):
        node = survey.get(key)
        if node and _WEB.fullmatch(node.text) and not clean_url(node.text):
            found, wanted = f"'{node.shown}' as '{key}'", "a web address that names a host, no user"
            faults.append(Fault("error", node.file, node.line, found, wanted))
    logo = survey.get("logo")
    if logo and re.fullmatch(PICTURE, logo.text) and not (folder / logo.text).is_file():
        found, wanted = f"'{logo.shown}' as 'logo'", f"a picture in {folder.name}/"
        cure = "Put it there, or correct the name."
        faults.append(Fault("error", logo.file, logo.line, found, wanted, cure))
    return faults


def _ids(above: Node) -> Iterator[Fault]:
    """Yield the faults of the ids of a facet's categories, or of a category's children."""
    for category in above.items_of("categories") or above.items_of("children"):
        node = category.get("id")
        if node is not None:
            yield from _id_faults(node)
        yield from _ids(category)


def _id_faults(node: Node) -> Iterator[Fault]:
    if len(node.text) > MOST_ID:
        found = f"an id of {len(node.text)} letters"
        cure = "It names files; the name that readers see may be longer."
        yield Fault("error", node.file, node.line, found, f"at most {MOST_ID}", cure)
    if any(map(DEVICE.fullmatch, node.text.split("/"))):
        found, wanted = f"the id '{node.shown}'", "one that is no device of Windows"
        cure = "It names a file: add a word, as in 'con-games'."
        yield Fault("error", node.file, node.line, found, wanted, cure)
