"""What was published: the form in which two builds, or a build and the lock, are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from classifier.labelling.labels import DECIDED, FacetLabels, PaperLabels
from classifier.papers.load import Corpus
from classifier.review.acts import editorial_acts
from classifier.review.ledger import Ledger
from classifier.review.pins import Lock
from classifier.taxonomy.model import Taxonomy
from classifier.taxonomy.versions import Versions, with_current


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

    def says_the_same(self, other: PublishedLabels) -> bool:
        """Say whether both file the paper alike and give it the same categories, in any order."""
        return self.primary == other.primary and set(self.categories) == set(other.categories)


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
    is_key: bool = False
    """Whether the editors marked it as a key paper."""
    files: tuple[str, ...] = ()
    """The files that it stands in, sorted; () where unknown."""


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
    metrics: Mapping[str, Any] | None = None
    """The content of metrics.json; None where there is none."""
    excluded: Mapping[str, str] | None = None
    """Paper id -> why the editors left it out; None where unknown."""
    unread: Mapping[str, int] | None = None
    """File -> its records that cannot be read; None where unknown."""


def published_build(
    taxonomy: Taxonomy,
    corpus: Corpus,
    ledger: Ledger,
    labels: Sequence[PaperLabels],
    metrics: Mapping[str, Any] | None = None,
) -> Publication:
    """Return a build in memory, as its out/ would be read; `labels` as the corpus's papers.

    Papers that the editors exclude are not published.
    """
    others = corpus.other_ids
    acts = editorial_acts(ledger, corpus.aliases)
    papers = {
        paper.id: PublishedPaper(
            paper.id,
            paper.title,
            {facet_id: _published(facet) for facet_id, facet in label.facets.items()},
            paper.text_digest,
            label.cue_digest,
            taxonomy.digest,
            others.get(paper.id, ()),
            paper.id in acts.keys,
            tuple(sorted({source.file for source in paper.sources})),
        )
        for paper, label in zip(corpus.papers, labels, strict=True)
        if paper.id not in acts.excluded
    }
    left_out = {
        paper.id: acts.excluded[paper.id].text
        for paper in corpus.papers
        if paper.id in acts.excluded
    }
    return Publication(
        "build",
        papers,
        taxonomy.first.id,
        taxonomy,
        with_current(Versions(), taxonomy),
        metrics,
        left_out,
        Counter(record.file for record in corpus.quarantined),
    )


def _published(labels: FacetLabels) -> PublishedLabels:
    return PublishedLabels(
        labels.categories, labels.primary, labels.status, round(labels.confidence, 4)
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
                    categories,
                    "".join(categories[:1]),
                    _status(row.reviewed, facet_id, first, row.status),
                )
                for facet_id, categories in row.facets.items()
            },
            row.text_digest,
            row.cue_digest,
            row.taxonomy_digest,
        )
        for row in lock.papers
    }
    return Publication("lock", papers, first, versions=versions or Versions())


def _status(reviewed: frozenset[str], facet_id: str, first: str, status: str) -> str:
    """Return the status of a facet; of further ones the lock knows only whether people decided."""
    if facet_id in reviewed and not (facet_id == first and status in DECIDED):
        return "reviewed"
    return status if facet_id == first else ""
