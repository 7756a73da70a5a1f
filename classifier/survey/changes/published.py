"""Reading what was published: an out/ of this version or an older one, or a lock."""

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
from classifier.taxonomy.dump import taxonomy_as_published
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions, read_versions, with_current


def read_publication(path: Path) -> Publication:
    """Read an out/ folder, or a file that is a lock (with the versions.csv beside it).

    What an older version did not write is unknown. The first facet of a lock is not known from the
    file: its labels stand under "". Raises InputError where `path` is neither.
    """
    if path.is_file() and path.suffix == ".csv":
        return published_lock(read_lock(path, ""), read_versions(path.parent / "versions.csv"))
    return read_build(path)


def read_build(folder: Path) -> Publication:
    """Read the out/ of a build; raises InputError where there is none that Fieldguide wrote."""
    if not (folder / "papers.json").exists():
        found = "no papers.json in it" if folder.is_dir() else "no such folder"
        hint = "Name the folder that an earlier build wrote, such as a copy of out/."
        raise InputError([Fault("error", str(folder), None, found, "an earlier out/", hint)])
    taxonomy = taxonomy_as_published(_json_of(folder / "taxonomy.json"))
    excluded = folder / "excluded.csv"
    return Publication(
        "build",
        _papers(folder / "papers.json", taxonomy.digest if taxonomy else ""),
        taxonomy.first.id if taxonomy else "",
        taxonomy,
        with_current(Versions(), taxonomy) if taxonomy else Versions(),
        frozenset(row.cells.get("id", "") for row in read_table(excluded))
        if excluded.is_file()
        else frozenset(),
    )


def _papers(path: Path, digest: str) -> dict[str, PublishedPaper]:
    try:
        papers = json.loads(read_text(path))
        if not isinstance(papers, list):
            raise TypeError
        return {paper["id"]: _paper(paper, digest) for paper in papers}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        expected = "the papers.json of an earlier build"
        raise InputError([Fault("error", str(path), None, "another file", expected)]) from error


def _paper(record: Mapping[str, Any], digest: str) -> PublishedPaper:
    return PublishedPaper(
        record["id"],
        record["title"],
        {
            facet_id: PublishedLabels(
                tuple(labels["categories"]),
                labels["primary"],
                labels["status"],
                labels.get("confidence"),
            )
            for facet_id, labels in record["labels"].items()
        },
        record.get("text_digest", ""),
        record.get("cue_digest", ""),
        digest,
        tuple(record.get("aliases", ())),
        record.get("published", ""),
        History(*(record.get(field.name, "") for field in fields(History))),
    )


def _json_of(path: Path) -> object:
    """Return what a JSON file holds; None where there is no such file, or it is no JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    except (OSError, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class PublishedLabels:
    """The labels of one paper in one facet, as readers saw them."""

    categories: tuple[str, ...]
    """The primary first."""
    primary: str
    status: str = ""
    """reviewed, confident or provisional; "" where unknown."""
    confidence: float | None = None
    """Probability that `primary` is right, to four digits; None where unknown."""


@dataclass(frozen=True, slots=True)
class PublishedPaper:
    """One paper, as it was published."""

    id: str
    title: str
    labels: Mapping[str, PublishedLabels]
    """Facet id -> labels; a facet that was not asked of the paper is absent."""
    text_digest: str = ""
    """`Paper.text_digest`; "" where unknown."""
    cue_digest: str = ""
    """`PaperLabels.cue_digest`; "" where unknown."""
    taxonomy_digest: str = ""
    """Of the taxonomy under which it was labelled; "" where unknown."""
    aliases: tuple[str, ...] = ()
    """Its other ids."""
    published: str = ""
    """Its date of publication, as far as it is known."""
    history: History = NO_HISTORY


@dataclass(frozen=True, slots=True)
class Publication:
    """A build or a lock, reduced to what a comparison needs."""

    kind: Literal["build", "lock"]
    papers: Mapping[str, PublishedPaper]
    """Paper id -> paper."""
    first: str
    """The facet by which the survey is grouped; "" where unknown."""
    taxonomy: Taxonomy | None = None
    """Without cues; None where unknown."""
    versions: Versions = field(default_factory=Versions)
    """The categories behind the papers' taxonomy digests, as far as known."""
    excluded: frozenset[str] = frozenset()
    """Ids of the papers that the editors left out, as far as known."""


def published_build(inputs: Inputs, labels: Sequence[PaperLabels]) -> Publication:
    """Return a build in memory, as its out/ would be read; `labels` as the corpus's papers.

    Papers that the editors exclude are not published.
    """
    taxonomy, corpus = inputs.taxonomy, inputs.corpus
    others = corpus.other_ids
    acts = editorial_acts(inputs.ledger, corpus.aliases)
    papers = {
        paper.id: PublishedPaper(
            paper.id,
            paper.title,
            {
                facet_id: PublishedLabels(
                    of.categories, of.primary, of.status, round(of.confidence, 4)
                )
                for facet_id, of in label.facets.items()
            },
            paper.text_digest,
            label.cue_digest,
            taxonomy.digest,
            others.get(paper.id, ()),
        )
        for paper, label in zip(corpus.papers, labels, strict=True)
        if paper.id not in acts.excluded
    }
    return Publication(
        "build",
        papers,
        taxonomy.first.id,
        taxonomy,
        with_current(Versions(), taxonomy),
        frozenset(acts.excluded),
    )


def published_lock(lock: Lock, versions: Versions | None = None) -> Publication:
    """Return a lock; versions: what is known of the taxonomy digests in it."""
    first = lock.facets[0]
    papers = {
        row.id: PublishedPaper(
            row.id,
            row.title,
            {
                facet_id: PublishedLabels(
                    categories, "".join(categories[:1]), _status(row, facet_id, first)
                )
                for facet_id, categories in row.facets.items()
            },
            row.text_digest,
            row.cue_digest,
            row.taxonomy_digest,
            history=row.history,
        )
        for row in lock.papers
    }
    return Publication("lock", papers, first, versions=versions or Versions())


def _status(row: LockedPaper, facet_id: str, first: str) -> str:
    """Return the status of a facet; of further ones the lock knows only whether people decided."""
    status = row.status if facet_id == first else ""
    return "reviewed" if facet_id in row.reviewed and status not in DECIDED else status
