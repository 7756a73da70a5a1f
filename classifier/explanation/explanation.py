"""Explain the labels of a paper, and find the source of each of its fields.

The score of a label is split into the contributions of cues and words. The source of a field is
found by comparing the merged paper with its records.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.cue_index import Hit
from classifier.labelling.decide import CLEAR, LIKELY, NO_CUT, Clarity, is_out_of_scope
from classifier.labelling.explain import Contributions, LogitSum, logit_sum
from classifier.labelling.labels import Decision, FacetLabels
from classifier.labelling.scores import Scores
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
"""Fields of a record, in the order of the report."""


@dataclass(frozen=True, slots=True)
class FieldOrigin:
    """The sources of one field's value."""

    field: str
    """One of FIELDS."""
    sources: tuple[Source, ...]
    """Records with this value, the one that it was copied from first; for a list, records with at
    least one of its items."""
    others: tuple[Source, ...]
    """Records with another value, which was not kept."""


def field_origins(paper: Paper, records: Sequence[Paper]) -> tuple[FieldOrigin, ...]:
    """Return the origin of each field of `paper`.

    records: the records from which the paper was merged. A computed value, such as the number of
    authors, has no source.
    """
    records = sorted(records, key=record_order)
    origins = []
    for name in FIELDS:
        if _has_value(paper, name):
            candidates = [record for record in records if _has_value(record, name)]
            kept = [record for record in candidates if _agrees(record, paper, name)]
            sources = tuple(source for record in kept for source in record.sources)
            others = tuple(s for record in candidates if record not in kept for s in record.sources)
            origins.append(FieldOrigin(name, sources, others))
    return tuple(origins)


@dataclass(frozen=True, slots=True)
class Join:
    """Evidence that two records describe the same paper."""

    source: Source
    other: Source
    """An earlier record that it was merged with."""
    evidence: Evidence


def joins(records: Sequence[Paper], identity: Identity) -> tuple[Join, ...]:
    """Return the strongest link of each record of a paper to an earlier record.

    records: the records from which the paper was merged, each with one source.
    """
    records = sorted(records, key=record_order)
    reached: dict[int, Link] = {}
    links = find_links(Comparison.from_records(records), identity)
    # A verdict links all records of its ids, even if other evidence links them too.
    for link in sorted(links, key=lambda link: (link.evidence == Evidence.VERDICT, link)):
        reached.setdefault(link.second, link)
    return tuple(
        Join(records[second].sources[0], records[link.first].sources[0], link.evidence)
        for second, link in sorted(reached.items())
    )


def missing_fields(paper: Paper) -> tuple[str, ...]:
    """Return the names of the fields that have no value."""
    return tuple(name for name in FIELDS if not _has_value(paper, name))


def _has_value(paper: Paper, name: str) -> bool:
    """Return whether a paper has a value in a field."""
    value = paper.published.date if name == "published" else getattr(paper, name)
    return value not in ("", (), None)


def _agrees(record: Paper, paper: Paper, name: str) -> bool:
    """Return whether a record has the same value as the merged paper."""
    value, kept = getattr(record, name), getattr(paper, name)
    if name in ("code_urls", "keywords", "collections"):  # merged from all records
        return bool(set(value) & set(kept))
    if name == "reference":  # of one record, with the cite key of another
        return set(value) <= set(kept)
    return bool(value == kept)


@dataclass(frozen=True, slots=True)
class CategoryAccount:
    """Reasons for and against a category."""

    category: str
    given: bool
    """Whether it is one of the published labels."""
    account: LogitSum
    """The contributions whose sum is its logit."""
    probability: float
    """Sigmoid of the logit; in a single facet normalised to sum to 1."""
    threshold: float | None
    """Minimum probability to give it; None in a single facet."""
    needed: float
    """Minimum logit to give it, to two decimals; in a single facet the logit of a tie with the
    likeliest other category."""
    held_back: str = ""
    """Reason why it is not given although its logit is high enough."""

    @property
    def shortfall(self) -> float:
        """The logit that the category lacks to be assigned; negative if there is enough."""
        return round(self.needed - self.account.logit, 2)


@dataclass(frozen=True, slots=True)
class ChildAccount:
    """Reasons for and against a subcategory; votes of cues decide on subcategories."""

    category: str
    vote: float
    """Votes of its cues."""
    hits: tuple[Hit, ...]
    min_vote: float = CLEAR.min_vote
    """Minimum votes to give it."""
    given: bool = True
    lacks: str = ""
    """Reason why it is not given."""


@dataclass(frozen=True, slots=True)
class FacetExplanation:
    """The explanation of a paper's labels in one facet."""

    facet: Facet
    labels: FacetLabels
    """The published labels."""
    decision: Decision | None
    exemplar_of: str
    """The category of which an unreviewed paper is an exemplar in the taxonomy, else ""."""
    confident_from: float | None
    """Minimum confidence of a confident label; None if no label is confident."""
    likeliest: tuple[tuple[str, float], ...]
    """The one or two likeliest primary categories with their probabilities; those of all categories
    sum to 1."""
    accounts: tuple[CategoryAccount, ...]
    """Accounts of the published labels, or of the one category to explain; top categories only."""
    children: tuple[ChildAccount, ...]
    near_misses: tuple[CategoryAccount, ...]
    """Categories that were almost given, closest first."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of a paper's labels."""

    paper: Paper
    aliases: tuple[str, ...]
    """Other ids of the paper."""
    origins: tuple[FieldOrigin, ...]
    missing: tuple[str, ...]
    """Fields without a value."""
    facets: tuple[FacetExplanation, ...]
    not_asked: tuple[str, ...]
    """Ids of facets that do not apply to its categories."""
    acts: Mapping[str, Act] = field(default_factory=dict)
    """`exclude`, `remark` or `key` -> the editors' current entry."""
    joins: tuple[Join, ...] = ()
    """Evidence for merging its records; () for a paper of one record."""


Array = NDArray[np.float64]


class ExplainableModel(Protocol):
    """Those parts of a facet's model that explanations use; newly trained or saved by a build."""

    @property
    def facet(self) -> Facet:
        """The facet."""

    @property
    def ids(self) -> tuple[str, ...]:
        """Its top categories."""

    @property
    def thresholds_(self) -> Array:
        """(k,) minimum probability of each category, if several may apply."""

    @property
    def cut_(self) -> float:
        """Minimum confidence of a confident label."""

    def contributions(self, scores: Scores, row: int, column: int) -> Contributions:
        """Return the contributions that add up to one paper's calibrated logit of one category."""


MAX_REASONS = 8
MAX_NEAR_MISSES = 2
_MIN_NEAR_MISS = 0.1
"""Minimum probability of the second near miss."""
_LOCKED = "the lock keeps other labels"


def explain_facet(
    model: ExplainableModel,
    scores: Scores,
    paper: Paper,
    labels: FacetLabels,
    decision: Decision | None,
    category_id: str = "",
) -> FacetExplanation:
    """Explain the labels of `paper` in one facet.

    scores: scores of this paper only. labels: the published labels, including the `decision`.
    category_id: the category or subcategory to explain with all reasons, instead of the assigned
    ones.
    """
    accounts = _Accounts(model, scores, labels)
    names = [category_id] if category_id else labels.top_categories
    primary = scores.primary[0]
    return FacetExplanation(
        model.facet,
        labels,
        decision,
        "" if decision else exemplar_categories(model.facet).get(title_key(paper.title), ""),
        model.cut_ if model.cut_ < NO_CUT else None,
        tuple((model.ids[k], float(primary[k])) for k in np.argsort(-primary, kind="stable")[:2]),
        tuple(
            accounts.account_of(name, None if category_id else MAX_REASONS)
            for name in names
            if name in model.ids
        ),
        tuple(_children(model, scores, labels, category_id)),
        () if category_id else accounts.near_misses(),
    )


def _logit(probabilities: Array) -> Array:
    """Return the log-odds of probabilities."""
    return np.asarray(np.log(probabilities / (1 - probabilities)))


class _Accounts:
    """The accounts of one paper's categories."""

    def __init__(self, model: ExplainableModel, scores: Scores, labels: FacetLabels) -> None:
        self.model, self.scores, self.labels = model, scores, labels
        self.parts = [model.contributions(scores, 0, k) for k in range(len(model.ids))]
        self.logits = np.array([parts.logit for parts in self.parts])
        if self._has_thresholds:
            self.needed: Array = _logit(model.thresholds_)
        else:  # a tie with the likeliest other
            calibrated = 1 / (1 + np.exp(-self.logits))
            others = [np.delete(calibrated, k).max(initial=0) for k in range(len(calibrated))]
            self.needed = _logit(np.clip(others, 1e-9, 1 - 1e-9))

    def account_of(self, category_id: str, limit: int | None) -> CategoryAccount:
        """Return the account of a top category, with its `limit` strongest reasons."""
        column = self.model.ids.index(category_id)
        evidence = self.scores.inputs.evidence
        given = category_id in self.labels.categories
        is_short = self.logits[column] < self.needed[column]
        return CategoryAccount(
            category_id,
            given,
            logit_sum(category_id, self.parts[column], evidence.hits[0], max_reasons=limit),
            float(self.scores.probabilities[0, column]),
            float(self.model.thresholds_[column]) if self._has_thresholds else None,
            round(float(self.needed[column]), 2),
            "" if given or is_short else self._held_back_reason(category_id),
        )

    def near_misses(self) -> tuple[CategoryAccount, ...]:
        """Return the categories that were almost assigned."""
        facet = self.model.facet
        others = [
            k
            for k, name in enumerate(self.model.ids)
            if name not in self.labels.categories and not is_out_of_scope(facet, name)
        ]
        others.sort(key=lambda k: (self.needed[k] - self.logits[k], k))
        nearest = [self.account_of(self.model.ids[k], None) for k in others[:MAX_NEAR_MISSES]]
        return (*nearest[:1], *(miss for miss in nearest[1:] if miss.probability >= _MIN_NEAR_MISS))

    @property
    def _has_thresholds(self) -> bool:
        """Whether each category has its own threshold; else the likeliest category is assigned."""
        return self.model.facet.kind == "multi" or self.model.facet.may_be_unstated

    def _held_back_reason(self, category_id: str) -> str:
        """Return the reason why a category with a sufficient score is not assigned, or ""."""
        facet = self.model.facet
        if self.labels.is_decided:
            return "a reviewer decided otherwise"
        if self.labels.held:
            return _LOCKED
        if facet.kind == "single" and facet.may_be_unstated:
            return "only one is given, and the text states another more clearly or earlier"
        if facet.kind == "single":
            return "a tie: the first category in the taxonomy is given"
        for alone in (self.labels.primary, category_id):
            if is_out_of_scope(facet, alone):
                return f"{alone} excludes all other categories"
        return f"at most {facet.at_most} are given"


def _children(
    model: ExplainableModel, scores: Scores, labels: FacetLabels, selected_id: str
) -> Iterator[ChildAccount]:
    """Yield accounts of the assigned subcategories, or of the subcategory to explain."""
    evidence = scores.inputs.evidence
    for category_id in [selected_id] if selected_id else labels.categories:
        if "/" in category_id and category_id in evidence.category_ids:
            vote = float(evidence.votes([category_id])[0, 0])
            hits = tuple(hit for hit in evidence.hits[0] if hit.category == category_id)
            given = category_id in labels.categories
            is_filed = model.facet.top_id_of(category_id) == labels.primary
            clarity = LIKELY if is_filed else CLEAR
            lacks = (
                "" if given else _missing_evidence(model.facet, labels, category_id, vote, clarity)
            )
            yield ChildAccount(category_id, vote, hits, clarity.min_vote, given, lacks)


def _missing_evidence(
    facet: Facet, labels: FacetLabels, category_id: str, vote: float, clarity: Clarity
) -> str:
    """Return the reason why a subcategory is not assigned."""
    parent = facet.top_id_of(category_id)
    missing = clarity.min_vote - vote
    shortfall = f"it falls short by {missing:.1f}" if missing > 0 else ""
    if parent not in labels.categories:
        return "; ".join(part for part in (shortfall, f"{parent} is not given") if part)
    if labels.is_decided:
        return "a reviewer decided otherwise"
    if labels.held and not shortfall:
        return _LOCKED
    if given := labels.children.get(parent):
        return shortfall or f"{given} has more votes"
    return shortfall or f"no subcategory leads by {clarity.min_lead:.1f} votes"
