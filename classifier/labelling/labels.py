"""Labels of papers: the decisions of people, and the labels of the classifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from classifier.taxonomy.model import NOT_STATED, Facet, Taxonomy

Status = Literal["reviewed", "imported", "confident", "provisional"]
DECIDED: frozenset[str] = frozenset(("reviewed", "imported"))
"""Statuses of labels from the ledger: decided by a reviewer, or imported from a source."""

IMPORTED = "imported"
"""The `reviewer` of a decision that was imported from the place of the paper in a source."""
QUEUE = "queue"
"""`drawn_by` of a decision on a paper from the review queue, which prefers difficult papers."""
TAKEN_OVER = "taken over from where it was filed before"


@dataclass(frozen=True, slots=True)
class Decision:
    """The complete decision on one facet of one paper."""

    values: tuple[str, ...]
    """Category ids, sorted; a child id comes with the id of its parent. () means: not stated."""
    primary: str
    """The primary category; "" if nothing is stated."""
    reviewer: str = ""
    """Name of the reviewer, or IMPORTED."""
    reviewed_on: str = ""
    """ISO date."""
    drawn_by: str = ""
    """How the paper was selected for review: queue, audit, volunteer or imported."""
    taxonomy_digest: str = ""
    """Digest of the taxonomy at the time of the decision."""
    note: str = ""
    unknown: tuple[str, ...] = ()
    """Current categories that did not exist when the decision was made."""


Decisions = Mapping[str, Mapping[str, Decision]]
"""Paper id -> facet id -> current decision."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for or against a label."""

    category: str
    """Id of the category."""
    text: str
    """The cue as written in the taxonomy, or a term in quotes."""
    kind: Literal["cue", "term", "vote", "human", "lock"]
    weight: float
    """Contribution to the logit, or to the sum of votes; positive if it is for the category."""
    place: str = ""
    """The end of `text` with the place of a matching cue, such as `in the title`."""

    @property
    def is_ruling(self) -> bool:
        """Whether the reason alone determines the label: a decision, or the lock."""
        return self.kind in ("human", "lock")

    def __str__(self) -> str:
        unit = " votes" if self.kind == "vote" else ""
        return self.text if self.is_ruling else f"{self.text} {self.weight:+.1f}{unit}"


@dataclass(frozen=True, slots=True)
class FacetLabels:
    """The labels of one paper in one facet."""

    categories: tuple[str, ...]
    """The assigned categories: the primary first, then by probability; a child after its parent.
    Empty if nothing is stated."""
    primary: str
    """The primary category; "" if nothing is stated."""
    confidence: float
    """Probability that `primary` is right, 0 to 1; 1 for a decision."""
    status: Status
    probabilities: Mapping[str, float]
    """Probability that a top category applies, by category id."""
    children: Mapping[str, str] = field(default_factory=dict)
    """Top category -> the child that its cues point to, for every category where one does."""
    why: tuple[Reason, ...] = ()
    candidates: tuple[str, ...] = ()
    """Top categories that include the right primary for nine in ten papers, the likeliest first.
    Empty for a decision, and with too few decisions."""
    likely_children: Mapping[str, str] = field(default_factory=dict)
    """As `children`, for a paper that is filed under the category: less evidence is enough."""

    @property
    def is_decided(self) -> bool:
        """Whether the labels come from the review ledger."""
        return self.status in DECIDED

    @property
    def held(self) -> str:
        """Description of the change that the lock prevents; "" if there is none."""
        return next((reason.text for reason in self.why if reason.kind == "lock"), "")

    @property
    def top_categories(self) -> tuple[str, ...]:
        """The assigned categories without children."""
        return tuple(category for category in self.categories if "/" not in category)


NO_LABELS = FacetLabels((), "", 0.0, "provisional", {})
"""Labels of a facet without any."""


@dataclass(frozen=True, slots=True)
class PaperLabels:
    """The labels of a paper in all facets."""

    paper_id: str
    facets: Mapping[str, FacetLabels]
    """Labels by facet id, without facets that do not apply to the paper."""
    cue_digest: str = ""
    """Digest of the matching cues (`cue_index.cue_digests`); "" if unknown."""


def columns_of_labels(
    taxonomy: Taxonomy, labels: Sequence[PaperLabels]
) -> dict[str, Sequence[object]]:
    """Return the labels of papers as columns of a table, with the first facet first.

    The value of a facet is () if the facet does not apply to the paper, and ("none",) if no
    category applies.
    """
    first, *further = taxonomy.facets
    topics = [label.facets[first] for label in labels]
    return {
        "primary": [each.primary for each in topics],
        "status": [each.status for each in topics],
        "confidence": [each.confidence for each in topics],
        "topics": [each.categories or (NOT_STATED,) for each in topics],
        **{facet: [_cell_value(label.facets.get(facet)) for label in labels] for facet in further},
    }


def _cell_value(labels: FacetLabels | None) -> tuple[str, ...]:
    """Return the value of a facet for a table cell."""
    if labels is None:
        return ()
    return labels.categories or (NOT_STATED,)


def with_decisions(
    taxonomy: Taxonomy, labels: Sequence[PaperLabels], decisions: Decisions
) -> list[PaperLabels]:
    """Replace the classifier's labels by decisions, where there are any."""
    return [_with_decision(taxonomy, label, decisions.get(label.paper_id, {})) for label in labels]


def _with_decision(
    taxonomy: Taxonomy, labels: PaperLabels, decisions: Mapping[str, Decision]
) -> PaperLabels:
    """Replace a paper's labels by its decisions."""
    if not decisions:
        return labels
    facets = dict(labels.facets)
    for facet_id, decision in decisions.items():
        machine = labels.facets.get(facet_id)
        is_imported = decision.reviewer == IMPORTED
        if is_imported:
            decision, source = _with_most_likely_primary(
                taxonomy.facet(facet_id), decision, machine
            )
        elif decision.reviewer:
            source = f"decided by {decision.reviewer}"
        else:
            source = "decided by a person"
        children: Mapping[str, str] = {}
        if machine:
            likely = machine.likely_children
            children = with_likely_child(machine.children, likely, decision.primary)
        facets[facet_id] = FacetLabels(
            _categories_in_order(taxonomy.facet(facet_id), decision, children),
            decision.primary,
            1.0,
            "imported" if is_imported else "reviewed",
            machine.probabilities if machine else {},
            children,
            (
                Reason(decision.primary or NOT_STATED, source, "human", 0.0),
                *(machine.why if machine else ()),
            ),
        )
    return replace(labels, facets=facets)


def with_likely_child(
    children: Mapping[str, str], likely_children: Mapping[str, str], primary_id: str
) -> Mapping[str, str]:
    """Add the likely child of the primary category to the children, by top category."""
    return (
        {**children, primary_id: likely_children[primary_id]}
        if primary_id in likely_children
        else children
    )


def _with_most_likely_primary(
    facet: Facet, decision: Decision, machine: FacetLabels | None
) -> tuple[Decision, str]:
    """Return an imported decision with its primary, and a description of its source.

    If a source lists a paper under several categories, it does not say which is the primary. Then
    the primary is the one that the classifier considers most likely.
    """
    tops = sorted({facet.top_id_of(value) for value in decision.values})
    if len(tops) < 2 or not decision.primary or not machine or not machine.probabilities:
        return decision, TAKEN_OVER
    likeliest = max(
        tops, key=lambda top: (machine.probabilities.get(top, 0.0), top == decision.primary)
    )
    words = f"{TAKEN_OVER}; of {len(tops)} places the likeliest, as the classifier guesses"
    return replace(decision, primary=likeliest), words


def _categories_in_order(
    facet: Facet, decision: Decision, children: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the decided categories, the primary first.

    If the decision names a category but none of its children, the child that the cues indicate is
    added.
    """
    order = [category.id for category in facet.walk()]
    named = {facet.top_id_of(value) for value in decision.values if "/" in value}
    tops = {facet.top_id_of(value) for value in decision.values}
    placed = {child for top, child in children.items() if top in tops - named}

    def position(category_id: str) -> tuple[bool, int]:
        """Return the position of a category: after the primary, in the taxonomy's order."""
        return facet.top_id_of(category_id) != decision.primary, order.index(category_id)

    return tuple(sorted({*decision.values, *placed}, key=position))
