"""Labels held by the lock: a paper that nobody reviewed keeps what was published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from classifier.labelling.labels import Decisions, FacetLabels, PaperLabels, Reason
from classifier.review.lock import LockedLabels
from classifier.taxonomy.model import Taxonomy


def with_locked(
    taxonomy: Taxonomy,
    labels: Sequence[PaperLabels],
    locked: LockedLabels,
    decisions: Decisions,
) -> list[PaperLabels]:
    """Return `labels` with the locked categories in place of what the classifier says.

    A facet that `decisions` decide for a paper is left to the decision.
    """
    return [
        _held(taxonomy, label, locked.get(label.paper_id, {}), decisions.get(label.paper_id, {}))
        for label in labels
    ]


def _held(
    taxonomy: Taxonomy,
    labels: PaperLabels,
    locked: Mapping[str, tuple[str, ...]],
    decided: Mapping[str, object],
) -> PaperLabels:
    facets = dict(labels.facets)
    for facet_id, categories in locked.items():
        if facet_id not in decided:
            facets[facet_id] = held_labels(labels.facets.get(facet_id), categories)
    topics = facets[taxonomy.first.id].categories
    asked = {
        facet_id: facets[facet_id]
        for facet_id, facet in taxonomy.facets.items()
        if facet_id in facets and (facet_id in decided or facet.is_asked_of(topics))
    }
    return labels if asked == labels.facets else replace(labels, facets=asked)


def held_labels(machine: FacetLabels | None, categories: tuple[str, ...]) -> FacetLabels:
    """Return the labels of a facet that keeps `categories`, the primary first.

    machine: what the classifier says now; None where it would not ask the facet of the paper.
    Where it files the paper elsewhere, the held label is provisional: it is shown, and known to be
    in doubt. Its confidence is then the probability that the held primary applies, and at most what
    the classifier's own leaves over.
    """
    primary = categories[0] if categories else ""
    if machine is None:
        why = Reason(primary, "locked; the classifier would not ask", "lock", 0.0)
        return FacetLabels(categories, primary, 0.0, "provisional", {}, {}, (why,))
    agrees = machine.primary == primary
    if agrees and set(machine.categories) == set(categories):
        return machine
    says = f"{', '.join(machine.categories) or 'not stated'} ({machine.confidence:.2f})"
    why = Reason(primary, f"locked; the classifier now says {says}", "lock", 0.0)
    doubted = min(machine.probabilities.get(primary, 0.0), 1 - machine.confidence)
    return replace(
        machine,
        categories=categories,
        primary=primary,
        confidence=machine.confidence if agrees else doubted,
        status=machine.status if agrees else "provisional",
        why=(why, *machine.why),
    )
