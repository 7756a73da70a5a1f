"""Read published labels from an out/ folder of any version, from a lock, or from a build."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from classifier.errors import Fault, InputError
from classifier.files.reading import read_text
from classifier.files.table import read_table
from classifier.labelling.labels import DECIDED, PaperLabels
from classifier.review.acts import editorial_acts
from classifier.review.lock import NO_HISTORY, History, Lock, LockedPaper, read_lock
from classifier.survey.inputs import Inputs
from classifier.taxonomy.dump import parse_published_taxonomy
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions, read_versions, with_current


def read_publication(path: Path) -> Publication:
    """Read an out/ folder, or a lock file with the versions.csv next to it.

    Data that an older version did not write is unknown. A lock does not state its first facet; the
    labels in that facet have the facet id "". Raises InputError if `path` is neither.
    """
    if path.is_file() and path.suffix == ".csv":
        return published_lock(read_lock(path, ""), read_versions(path.parent / "versions.csv"))
    return read_build(path)


def read_build(folder: Path) -> Publication:
    """Read an out/ folder; raise InputError if Fieldguide did not write it."""
    if not (folder / "papers.json").exists():
        actual = "no papers.json in it" if folder.is_dir() else "no such folder"
        hint = "Name the folder that an earlier build wrote, such as a copy of out/."
        raise InputError(
            [Fault("error", str(folder), None, actual, "the out/ folder of an earlier build", hint)]
        )
    excluded: frozenset[str] = frozenset()
    excluded_file = folder / "excluded.csv"
    if excluded_file.is_file():
        excluded = frozenset(row.cells.get("id", "") for row in read_table(excluded_file))
    taxonomy = parse_published_taxonomy(_read_json(folder / "taxonomy.json"))
    papers_file = folder / "papers.json"
    if taxonomy is None:
        return Publication("build", _read_papers(papers_file, ""), "", excluded=excluded)
    return Publication(
        "build",
        _read_papers(papers_file, taxonomy.digest),
        taxonomy.first.id,
        taxonomy,
        with_current(Versions(), taxonomy),
        excluded,
    )


def _read_papers(path: Path, digest: str) -> dict[str, PublishedPaper]:
    """Read the papers of a papers.json, by id. digest: digest of its taxonomy."""
    try:
        papers = json.loads(read_text(path))
        if not isinstance(papers, list):
            raise TypeError
        return {paper["id"]: _read_paper(paper, digest) for paper in papers}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        expected = "the papers.json of an earlier build"
        raise InputError([Fault("error", str(path), None, "another file", expected)]) from error


def _read_paper(record: Mapping[str, Any], digest: str) -> PublishedPaper:
    """Read a paper from its record in papers.json. digest: digest of its taxonomy."""
    labels = {
        facet_id: PublishedLabels(
            tuple(each["categories"]), each["primary"], each["status"], each.get("confidence")
        )
        for facet_id, each in record["labels"].items()
    }
    return PublishedPaper(
        record["id"],
        record["title"],
        labels,
        record.get("text_digest", ""),
        record.get("cue_digest", ""),
        digest,
        tuple(record.get("aliases", ())),
        record.get("published", ""),
        History(*(record.get(field.name, "") for field in fields(History))),
    )


def _read_json(path: Path) -> object:
    """Return the content of a JSON file; None if the file is missing or invalid."""
    try:
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    except (OSError, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class PublishedLabels:
    """The published labels of a paper in one facet."""

    categories: tuple[str, ...]
    """Category ids, the primary first."""
    primary: str
    status: str = ""
    """`reviewed`, `imported`, `confident` or `provisional`; "" if unknown."""
    confidence: float | None = None
    """Probability that `primary` is correct, to four digits; None if unknown."""


@dataclass(frozen=True, slots=True)
class PublishedPaper:
    """A published paper with its labels."""

    id: str
    title: str
    labels: Mapping[str, PublishedLabels]
    """Labels by facet id, without facets that do not apply to the paper."""
    text_digest: str = ""
    """`Paper.text_digest`; "" if unknown."""
    cue_digest: str = ""
    """`PaperLabels.cue_digest`; "" if unknown."""
    taxonomy_digest: str = ""
    """Digest of the taxonomy with which it was labelled; "" if unknown."""
    aliases: tuple[str, ...] = ()
    """Other ids of the paper."""
    published: str = ""
    """Date of publication, to the known precision."""
    history: History = NO_HISTORY


@dataclass(frozen=True, slots=True)
class Publication:
    """The published papers of a build or a lock, for comparison."""

    kind: Literal["build", "lock"]
    papers: Mapping[str, PublishedPaper]
    """Papers by id."""
    first: str
    """Id of the first facet; "" if unknown."""
    taxonomy: Taxonomy | None = None
    """The taxonomy without its cues; None if unknown."""
    versions: Versions = field(default_factory=Versions)
    """The known categories of each taxonomy digest."""
    excluded: frozenset[str] = frozenset()
    """Ids of the papers that the editors left out; empty if unknown."""


def published_build(inputs: Inputs, labels: Sequence[PaperLabels]) -> Publication:
    """Return the publication of a build that is not written yet, without excluded papers.

    labels: labels in the order of the corpus.
    """
    taxonomy, corpus = inputs.taxonomy, inputs.corpus
    aliases = corpus.other_ids
    acts = editorial_acts(inputs.ledger, corpus.aliases)
    papers = {}
    for paper, label in zip(corpus.papers, labels, strict=True):
        if paper.id in acts.excluded:
            continue
        published = {
            facet_id: PublishedLabels(
                each.categories, each.primary, each.status, round(each.confidence, 4)
            )
            for facet_id, each in label.facets.items()
        }
        papers[paper.id] = PublishedPaper(
            paper.id,
            paper.title,
            published,
            paper.text_digest,
            label.cue_digest,
            taxonomy.digest,
            aliases.get(paper.id, ()),
        )
    return Publication(
        "build",
        papers,
        taxonomy.first.id,
        taxonomy,
        with_current(Versions(), taxonomy),
        frozenset(acts.excluded),
    )


def published_lock(lock: Lock, versions: Versions | None = None) -> Publication:
    """Return the publication of a lock.

    versions: the categories of the taxonomy digests in the lock.
    """
    first = lock.facets[0]
    papers = {}
    for row in lock.papers:
        labels = {
            facet_id: PublishedLabels(
                categories, "".join(categories[:1]), _status(row, facet_id, first)
            )
            for facet_id, categories in row.facets.items()
        }
        papers[row.id] = PublishedPaper(
            row.id,
            row.title,
            labels,
            row.text_digest,
            row.cue_digest,
            row.taxonomy_digest,
            history=row.history,
        )
    return Publication("lock", papers, first, versions=versions or Versions())


def _status(row: LockedPaper, facet_id: str, first_facet: str) -> str:
    """Return a facet's status in a lock; in facets after the first, only `reviewed` is known."""
    status = row.status if facet_id == first_facet else ""
    if facet_id in row.reviewed and status not in DECIDED:
        return "reviewed"
    return status
