"""What people decided, in place of what the classifier says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from classifier.labelling.labels import (
    IMPORTED,
    TAKEN_OVER,
    Decision,
    Decisions,
    FacetLabels,
    PaperLabels,
    Reason,
)
from classifier.taxonomy.model import NOT_STATED, Facet, Taxonomy


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
        if decision.reviewer == IMPORTED:
            who = TAKEN_OVER
        elif decision.reviewer:
            who = f"decided by {decision.reviewer}"
        else:
            who = "decided by a person"
        children = machine.children if machine else {}
        facets[facet_id] = FacetLabels(
            _ordered(taxonomy.facet(facet_id), decision, children),
            decision.primary,
            1.0,
            "reviewed",
            machine.probabilities if machine else {},
            children,
            (
                Reason(decision.primary or NOT_STATED, who, "human", 0.0),
                *(machine.why if machine else ()),
            ),
        )
    return replace(labels, facets=facets)


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
