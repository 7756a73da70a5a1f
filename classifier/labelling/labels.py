"""What is said of a paper: by people (Decision) and by the classifier (FacetLabels)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from classifier.taxonomy.model import NOT_STATED, Facet, Taxonomy

Status = Literal["reviewed", "imported", "confident", "provisional"]
DECIDED: frozenset[str] = frozenset(("reviewed", "imported"))
"""Statuses of labels that the ledger holds: by a person, or by where a source filed the paper."""

IMPORTED = "imported"
"""The reviewer of a decision that was taken over from where somebody had filed the paper before."""
QUEUE = "queue"
"""`drawn_by` of a decision on a paper that the review queue drew, the hardest first."""
TAKEN_OVER = "taken over from where it was filed before"


@dataclass(frozen=True, slots=True)
class Decision:
    """The full list that a person gave for one facet of one paper."""

    values: tuple[str, ...]
    """Category ids, sorted; child ids stand beside their parent's. () says: not stated."""
    primary: str
    """The one that the paper is filed under; "" where the facet has no such notion."""
    reviewer: str = ""
    reviewed_on: str = ""
    """ISO date."""
    drawn_by: str = ""
    """How the paper came to be reviewed: queue, audit, volunteer, imported."""
    taxonomy_digest: str = ""
    note: str = ""
    unknown: tuple[str, ...] = ()
    """Categories of today that did not exist when it was made: it says nothing about them."""


Decisions = Mapping[str, Mapping[str, Decision]]
"""Paper id -> facet id -> the decision in force."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that moved a label."""

    category: str
    text: str
    """The cue as written in the taxonomy, or a term in quotes."""
    kind: Literal["cue", "term", "vote", "human", "lock"]
    weight: float
    """Contribution to the logit, or of a cue's votes to their sum; positive speaks for it."""
    place: str = ""
    """The end of `text` that says where a cue fired: `in the title`."""

    @property
    def is_ruling(self) -> bool:
        """Whether it settles the label by itself, with no weight: a decision, or the lock."""
        return self.kind in ("human", "lock")

    def __str__(self) -> str:
        unit = " votes" if self.kind == "vote" else ""
        return self.text if self.is_ruling else f"{self.text} {self.weight:+.1f}{unit}"


@dataclass(frozen=True, slots=True)
class FacetLabels:
    """The labels of one paper in one facet."""

    categories: tuple[str, ...]
    """The labels shown: the primary first, then by probability; a child after its parent. None
    where the facet was asked and nothing is stated."""
    primary: str
    """The category that the paper is filed under; "" where nothing is stated."""
    confidence: float
    """Probability that `primary` is right, 0 to 1; 1 where a person gave it."""
    status: Status
    probabilities: Mapping[str, float]
    """Every top category id -> probability that it applies."""
    children: Mapping[str, str] = field(default_factory=dict)
    """Top category -> the child that its cues point to, for every category where one does."""
    why: tuple[Reason, ...] = ()
    candidates: tuple[str, ...] = ()
    """The top categories of which one is the right primary in nine of ten papers, likeliest first;
    () where a person gave it, and where too few decisions tell."""
    likely_children: Mapping[str, str] = field(default_factory=dict)
    """As `children`, for a paper that is filed under the category: less evidence is enough."""

    @property
    def is_decided(self) -> bool:
        """Whether the ledger holds it."""
        return self.status in DECIDED

    @property
    def held(self) -> str:
        """What the lock overrules, in words; "" where it does not."""
        return next((reason.text for reason in self.why if reason.kind == "lock"), "")

    @property
    def top_categories(self) -> tuple[str, ...]:
        """The labels without children."""
        return tuple(category for category in self.categories if "/" not in category)


NO_LABELS = FacetLabels((), "", 0.0, "provisional", {})
"""Of a facet of which nothing is said."""


@dataclass(frozen=True, slots=True)
class PaperLabels:
    """The labels of one paper in all facets."""

    paper_id: str
    facets: Mapping[str, FacetLabels]
    """Facet id -> labels; a facet that does not apply to the paper is absent."""
    cue_digest: str = ""
    """Digest of the cues that fired in the paper (`cue_index.cue_digests`); "" where unknown."""


def columns_of_labels(
    taxonomy: Taxonomy, labels: Sequence[PaperLabels]
) -> dict[str, Sequence[object]]:
    """Return the labels of papers as columns of a table: those of the first facet, then the others.

    A paper to which a facet does not apply has (); one for which it states nothing has ("none",).
    """
    first, *further = taxonomy.facets
    topics = [label.facets[first] for label in labels]
    return {
        "primary": [each.primary for each in topics],
        "status": [each.status for each in topics],
        "confidence": [each.confidence for each in topics],
        "topics": [each.categories or (NOT_STATED,) for each in topics],
        **{facet: [_values(label.facets.get(facet)) for label in labels] for facet in further},
    }


def _values(labels: FacetLabels | None) -> tuple[str, ...]:
    if labels is None:
        return ()
    return labels.categories or (NOT_STATED,)


def with_decisions(
    taxonomy: Taxonomy, labels: Sequence[PaperLabels], decisions: Decisions
) -> list[PaperLabels]:
    """Return `labels` with what people decided in place of what the classifier says."""
    return [_reviewed(taxonomy, label, decisions.get(label.paper_id, {})) for label in labels]


def _reviewed(
    taxonomy: Taxonomy, labels: PaperLabels, decided: Mapping[str, Decision]
) -> PaperLabels:
    if not decided:
        return labels
    facets = dict(labels.facets)
    for facet_id, decision in decided.items():
        machine = labels.facets.get(facet_id)
        is_imported = decision.reviewer == IMPORTED
        if is_imported:
            decision, who = _filed_under_likeliest(taxonomy.facet(facet_id), decision, machine)
        elif decision.reviewer:
            who = f"decided by {decision.reviewer}"
        else:
            who = "decided by a person"
        children: Mapping[str, str] = {}
        if machine:
            likely = machine.likely_children
            children = with_likely_child(machine.children, likely, decision.primary)
        facets[facet_id] = FacetLabels(
            _ordered(taxonomy.facet(facet_id), decision, children),
            decision.primary,
            1.0,
            "imported" if is_imported else "reviewed",
            machine.probabilities if machine else {},
            children,
            (
                Reason(decision.primary or NOT_STATED, who, "human", 0.0),
                *(machine.why if machine else ()),
            ),
        )
    return replace(labels, facets=facets)


def with_likely_child(
    children: Mapping[str, str], likely: Mapping[str, str], primary: str
) -> Mapping[str, str]:
    """Return top category -> child, with the likely child of the category of the filing."""
    return {**children, primary: likely[primary]} if primary in likely else children


def _filed_under_likeliest(
    facet: Facet, decision: Decision, machine: FacetLabels | None
) -> tuple[Decision, str]:
    """Return an imported decision, and in words whose it is.

    A source that files a paper in several places does not say which of them is the main one: that
    is the classifier's guess.
    """
    tops = sorted({facet.top_of(value) for value in decision.values})
    if len(tops) < 2 or not decision.primary or not machine or not machine.probabilities:
        return decision, TAKEN_OVER
    likeliest = max(
        tops, key=lambda top: (machine.probabilities.get(top, 0.0), top == decision.primary)
    )
    words = f"{TAKEN_OVER}; of {len(tops)} places the likeliest, as the classifier guesses"
    return replace(decision, primary=likeliest), words


def _ordered(facet: Facet, decision: Decision, children: Mapping[str, str]) -> tuple[str, ...]:
    """Return decided categories, the primary first.

    Where a person named a category but none of its children, the cues say which child it is.
    """
    order = [category.id for category in facet.walk()]
    named = {facet.top_of(value) for value in decision.values if "/" in value}
    tops = {facet.top_of(value) for value in decision.values}
    placed = {child for top, child in children.items() if top in tops - named}

    def position(category_id: str) -> tuple[bool, int]:
        return facet.top_of(category_id) != decision.primary, order.index(category_id)

    return tuple(sorted({*decision.values, *placed}, key=position))
