"""Why a paper has its labels, and where each of its fields came from.

What a facet's model says of a paper is taken apart; which record a field of a merged paper was
taken from is read off the records themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from classifier.labelling.cue_index import Hit
from classifier.labelling.decide import CHILD_LEAD, CHILD_VOTE, is_out_of_scope
from classifier.labelling.explain import Account, account_for
from classifier.labelling.facet_model import Scores
from classifier.labelling.labels import Decision, FacetLabels
from classifier.labelling.stated_facet import AnyFacetModel
from classifier.labelling.training_data import exemplar_categories
from classifier.papers.compare import Comparison
from classifier.papers.identity import Identity
from classifier.papers.match import Evidence, Link, find_links
from classifier.papers.merge import record_order
from classifier.papers.paper import Paper, Source
from classifier.review.acts import Act
from classifier.taxonomy.model import Facet
from classifier.text.normalise import title_key

FIELDS = (
    "title", "abstract", "authors", "author_count", "organisation", "published", "venue",
    "arxiv_id", "doi", "url", "code_urls", "comment_count", "keywords", "collections", "reference",
)  # fmt: skip
"""The fields that a record may state, in the order in which a person reads them."""


@dataclass(frozen=True, slots=True)
class FieldOrigin:
    """Where the value of one field was read."""

    field: str
    """One of FIELDS."""
    sources: tuple[Source, ...]
    """Every record that states this value, the one that gave it first; of a list, those that state
    a part of it."""
    others: tuple[Source, ...]
    """Records that state another value, which was not kept."""


def field_origins(paper: Paper, records: Sequence[Paper]) -> tuple[FieldOrigin, ...]:
    """Return the origin of each field that `paper` has; records: those that it was merged from.

    A value that no record states as it is (a count of the authors that are named) has no sources.
    """
    records = sorted(records, key=record_order)
    origins = []
    for name in FIELDS:
        if _stated(paper, name):
            stating = [record for record in records if _stated(record, name)]
            kept = [record for record in stating if _agrees(record, paper, name)]
            given = tuple(source for record in kept for source in record.sources)
            others = tuple(s for record in stating if record not in kept for s in record.sources)
            origins.append(FieldOrigin(name, given, others))
    return tuple(origins)


@dataclass(frozen=True, slots=True)
class Join:
    """Why a record counts as one of the same paper."""

    source: Source
    other: Source
    """A record before it that it was joined with."""
    evidence: Evidence


def joins(records: Sequence[Paper], identity: Identity) -> tuple[Join, ...]:
    """Return why the records of one paper were merged: the strongest link of each to one before.

    records: those that the paper was merged from, each with one source.
    """
    records = sorted(records, key=record_order)
    reached: dict[int, Link] = {}
    links = find_links(Comparison.of(records), identity)
    # A verdict reaches all records of its ids, also those that would be joined without it.
    for link in sorted(links, key=lambda link: (link.evidence == Evidence.VERDICT, link)):
        reached.setdefault(link.second, link)
    return tuple(
        Join(records[second].sources[0], records[link.first].sources[0], link.evidence)
        for second, link in sorted(reached.items())
    )


def missing_fields(paper: Paper) -> tuple[str, ...]:
    """Return the fields that no record states."""
    return tuple(name for name in FIELDS if not _stated(paper, name))


def _stated(paper: Paper, name: str) -> bool:
    value = paper.published.date if name == "published" else getattr(paper, name)
    return value not in ("", (), None)


def _agrees(record: Paper, paper: Paper, name: str) -> bool:
    value, kept = getattr(record, name), getattr(paper, name)
    if name in ("code_urls", "keywords", "collections"):  # merged from all records
        return bool(set(value) & set(kept))
    if name == "reference":  # of one record, with the cite key of another
        return set(value) <= set(kept)
    return bool(value == kept)


@dataclass(frozen=True, slots=True)
class CategoryAccount:
    """Why the classifier gives a category to a paper, or does not."""

    category: str
    given: bool
    """Whether it is among the labels shown."""
    account: Account
    """The sum that makes its logit."""
    probability: float
    """Sigmoid of the logit; in a single facet scaled, so that all sum to 1."""
    threshold: float | None
    """The probability from which it is given; None in a single facet."""
    needed: float
    """The logit from which it is given; in a single facet that of a tie with the likeliest other,
    to two decimals."""
    held_back: str = ""
    """Why it is not given although its logit reaches what is needed."""

    @property
    def shortfall(self) -> float:
        """By how much the logit falls short; negative where it reaches what is needed."""
        return round(self.needed - self.account.logit, 2)


@dataclass(frozen=True, slots=True)
class ChildAccount:
    """Why a category's child stands beside it, or does not: children are told by votes."""

    category: str
    vote: float
    """What its cues say, in votes; it takes `CHILD_VOTE`."""
    hits: tuple[Hit, ...]
    given: bool = True
    lacks: str = ""
    """Why it is not given."""


@dataclass(frozen=True, slots=True)
class FacetExplanation:
    """What made the labels of one facet."""

    facet: Facet
    labels: FacetLabels
    """The labels as the site shows them."""
    decision: Decision | None
    exemplar_of: str
    """The category that the taxonomy names this paper for, of a paper that nobody reviewed."""
    confident_from: float
    """The confidence from which a label is confident."""
    likeliest: tuple[tuple[str, float], ...]
    """The one or two categories under which the classifier most likely files it, and how likely: of
    all categories that sums to 1."""
    accounts: tuple[CategoryAccount, ...]
    """Of the labels shown; or of the one category that was asked for, and none of a child."""
    children: tuple[ChildAccount, ...]
    near_misses: tuple[CategoryAccount, ...]
    """Categories that came nearest to being given, nearest first."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One paper, explained."""

    paper: Paper
    aliases: tuple[str, ...]
    """Other ids by which it is known."""
    origins: tuple[FieldOrigin, ...]
    missing: tuple[str, ...]
    """Fields that no record states."""
    facets: tuple[FacetExplanation, ...]
    not_asked: tuple[str, ...]
    """Ids of facets that do not apply to papers of its categories."""
    acts: Mapping[str, Act] = field(default_factory=dict)
    """What the editors did: `exclude`, `remark`, `key` -> the act in force."""
    joins: tuple[Join, ...] = ()
    """Why its records are taken for one paper; () of a paper of one record."""


Array = NDArray[np.float64]

MOST_REASONS = 8
MOST_NEAR_MISSES = 2
_NEAR = 0.1
"""The probability from which a second category still came near."""
_HELD = "the lock holds other labels"


def explain_facet(
    model: AnyFacetModel,
    scores: Scores,
    paper: Paper,
    labels: FacetLabels,
    decision: Decision | None,
    asked: str = "",
) -> FacetExplanation:
    """Return what made the labels of `paper`.

    scores: of this paper alone; labels: as they are shown, `decision` in force; asked: the
    category, or child, to account for in full, in place of those given.
    """
    told = _Accounts(model, scores, labels)
    named = [asked] if asked else labels.top_categories
    shown = [name for name in named if name in model.ids]
    primary = scores.primary[0]
    return FacetExplanation(
        model.facet,
        labels,
        decision,
        "" if decision else exemplar_categories(model.facet).get(title_key(paper.title), ""),
        model.cut_,
        tuple((model.ids[k], float(primary[k])) for k in np.argsort(-primary, kind="stable")[:2]),
        tuple(told.of(name, None if asked else MOST_REASONS) for name in shown),
        tuple(_children(model, scores, labels, asked)),
        () if asked else told.near_misses(),
    )


class _Accounts:
    """Accounts of one paper's categories."""

    def __init__(self, model: AnyFacetModel, scores: Scores, labels: FacetLabels) -> None:
        self.model, self.scores, self.labels = model, scores, labels
        self.parts = [model.contributions(scores, 0, k) for k in range(len(model.ids))]
        self.logits = np.array([parts.logit for parts in self.parts])
        if self._has_thresholds:
            self.needed: Array = np.asarray(logit(model.thresholds_))
        else:  # a tie with the likeliest other
            calibrated = expit(self.logits)
            others = [np.delete(calibrated, k).max(initial=0) for k in range(len(calibrated))]
            self.needed = np.asarray(logit(np.clip(others, 1e-9, 1 - 1e-9)))

    def of(self, category_id: str, most: int | None) -> CategoryAccount:
        """Return the account of a top category, with its `most` strongest reasons."""
        column = self.model.ids.index(category_id)
        evidence = self.scores.seen.evidence
        given = category_id in self.labels.categories
        short = self.logits[column] < self.needed[column]
        return CategoryAccount(
            category_id,
            given,
            account_for(category_id, self.parts[column], evidence.hits[0], most=most),
            float(self.scores.probabilities[0, column]),
            float(self.model.thresholds_[column]) if self._has_thresholds else None,
            round(float(self.needed[column]), 2),
            "" if given or short else self._held_back(category_id),
        )

    def near_misses(self) -> tuple[CategoryAccount, ...]:
        """Return the categories that are not given and fall short by least."""
        facet = self.model.facet
        left = [
            k
            for k, name in enumerate(self.model.ids)
            if name not in self.labels.categories and not is_out_of_scope(facet, name)
        ]
        left.sort(key=lambda k: (self.needed[k] - self.logits[k], k))
        told = [self.of(self.model.ids[k], None) for k in left[:MOST_NEAR_MISSES]]
        return (*told[:1], *(miss for miss in told[1:] if miss.probability >= _NEAR))

    @property
    def _has_thresholds(self) -> bool:
        """Whether each category is judged by itself, not as the likeliest of all."""
        return self.model.facet.kind == "multi" or self.model.facet.may_be_unstated

    def _held_back(self, category_id: str) -> str:
        facet = self.model.facet
        if self.labels.is_decided:
            return "a person decided otherwise"
        if self.labels.held:
            return _HELD
        if facet.kind == "single" and facet.may_be_unstated:
            return "one is given, and another is stated more clearly or before it"
        if facet.kind == "single":
            return "a tie: the first of them in the taxonomy is given"
        for alone in (self.labels.primary, category_id):
            if is_out_of_scope(facet, alone):
                return f"{alone} stands alone"
        return f"at most {facet.at_most} are given"


def _children(
    model: AnyFacetModel, scores: Scores, labels: FacetLabels, asked: str
) -> Iterator[ChildAccount]:
    """Yield the children that stand among the labels, or the one asked for, by their cues."""
    evidence = scores.seen.evidence
    for category_id in [asked] if asked else labels.categories:
        if "/" in category_id and category_id in evidence.category_ids:
            vote = float(evidence.votes([category_id])[0, 0])
            hits = tuple(hit for hit in evidence.hits[0] if hit.category == category_id)
            given = category_id in labels.categories
            lacks = "" if given else _lacks(model.facet, labels, category_id, vote)
            yield ChildAccount(category_id, vote, hits, given, lacks)


def _lacks(facet: Facet, labels: FacetLabels, category_id: str, vote: float) -> str:
    """Say why a child does not stand beside its parent."""
    parent = facet.top_of(category_id)
    short = f"it falls short by {CHILD_VOTE - vote:.1f}" if vote < CHILD_VOTE else ""
    if parent not in labels.categories:
        return "; ".join(part for part in (short, f"{parent} is not given") if part)
    if labels.is_decided:
        return "a person decided otherwise"
    if labels.held and not short:
        return _HELD
    if given := labels.children.get(parent):
        return short or f"{given} has more votes"
    return short or f"no child is ahead of the next by {CHILD_LEAD:.1f}"
