"""Explain the labels of a paper, and find the source of each of its fields.

The score of a label is split into the contributions of cues and words. The source of a field is
found by comparing the merged paper with its records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from classifier.labelling.cue_index import Hit
from classifier.labelling.decide import CLEAR, LIKELY, NO_CUT, is_out_of_scope
from classifier.labelling.explain import LogitSum, logit_sum
from classifier.labelling.labels import Decision, FacetLabels
from classifier.labelling.scores import Scores
from classifier.labelling.training_data import exemplar_categories
from classifier.papers.identity import Identity
from classifier.papers.match import Evidence, Link, find_links
from classifier.papers.merge import record_order
from classifier.papers.paper import Paper, Source
from classifier.review.acts import Act
from classifier.taxonomy.model import Facet
from classifier.text.normalise import title_key

if TYPE_CHECKING:  # slow to import
    from classifier.labelling.stated_facet import AnyFacetModel
    from classifier.labelling.trained import TrainedFacet

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
    links = find_links(records, identity)
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


@dataclass(frozen=True, slots=True)
class ChildAccount:
    """Votes of the cues of a subcategory, which decide on it."""

    category: str
    given: bool
    vote: float
    hits: tuple[Hit, ...]
    min_vote: float
    """Minimum votes to give it."""


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
    """The likeliest categories that were not given."""


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


MAX_REASONS = 8
MAX_NEAR_MISSES = 2
_MAX_REASONS_OF_NEAR_MISS = 4
_MIN_NEAR_MISS = 0.1
"""Minimum probability of the second near miss."""


def explain_facet(
    model: TrainedFacet | AnyFacetModel,
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
    facet, evidence = model.facet, scores.inputs.evidence
    has_thresholds = facet.kind == "multi" or facet.may_be_unstated
    probabilities, primary = scores.probabilities[0], scores.primary[0]

    def account_of(category: str, max_reasons: int | None) -> CategoryAccount:
        column = model.ids.index(category)
        parts = model.contributions(scores, 0, column)
        return CategoryAccount(
            category,
            category in labels.categories,
            logit_sum(category, parts, evidence.hits[0], max_reasons=max_reasons),
            float(probabilities[column]),
            float(model.thresholds_[column]) if has_thresholds else None,
        )

    def child_of(category: str) -> ChildAccount:
        is_filed = facet.top_id_of(category) == labels.primary
        return ChildAccount(
            category,
            category in labels.categories,
            float(evidence.votes([category])[0, 0]),
            tuple(hit for hit in evidence.hits[0] if hit.category == category),
            (LIKELY if is_filed else CLEAR).min_vote,
        )

    others = [
        category
        for column in np.argsort(-probabilities, kind="stable")
        if (category := model.ids[column]) not in labels.categories
        and not is_out_of_scope(facet, category)
        and not category_id
    ]
    near = [account_of(each, _MAX_REASONS_OF_NEAR_MISS) for each in others[:MAX_NEAR_MISSES]]
    shown = [category_id] if category_id else labels.categories
    return FacetExplanation(
        facet,
        labels,
        decision,
        "" if decision else exemplar_categories(facet).get(title_key(paper.title), ""),
        model.cut_ if model.cut_ < NO_CUT else None,
        tuple((model.ids[k], float(primary[k])) for k in np.argsort(-primary, kind="stable")[:2]),
        tuple(
            account_of(each, None if category_id else MAX_REASONS)
            for each in shown
            if each in model.ids
        ),
        tuple(child_of(each) for each in shown if "/" in each and each in evidence.category_ids),
        tuple(miss for miss in near if miss is near[0] or miss.probability >= _MIN_NEAR_MISS),
    )
