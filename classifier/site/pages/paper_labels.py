"""The labels of a paper as its page shows them: what, how sure, by whom, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from classifier.labelling.labels import IMPORTED, Decision, FacetLabels, Reason, Status
from classifier.site.listing import Catalogue
from classifier.site.paths import category_page
from classifier.site.wording import percent
from classifier.survey.wording import date_in_words, in_prose
from classifier.taxonomy.model import Facet

_SHOWN_PROBABILITIES = 5
_SHOWN_REASONS, _FURTHER_REASONS = 5, 3
# Shown from above it, as it is printed: categories of which no vote speaks have just this one, but
# for the last digit, in which processors differ.
_UNLIKELY = 0.05
_LIKELY = 0.5
_OTHER_CUES = ("cues of ", "cues against ")
_STATUS_IN_WORDS: Mapping[Status, str] = {
    "reviewed": "A person decided these labels.",
    "imported": "Taken over from where the paper was filed before; nobody decided it here.",
    "confident": "The classifier gave these labels; nobody has reviewed them yet.",
    "provisional": "The classifier is not sure: this is its best guess, for want of a review.",
}
_NONE = "none"
_NO_CUE = "no cue found"


Label = tuple[str, str, str, str]
"""Name, path of its category's page or "", `primary` or `below` (a child), a note."""


@dataclass(frozen=True, slots=True)
class FacetView:
    """The labels of a paper in one facet."""

    name: str
    labels: list[Label]
    is_brief: bool
    """Whether only some papers are asked: then one line says it all."""
    status: Status
    status_in_words: str
    """Who or what gave the labels, when, and how many agreed."""
    confidence: str
    """How sure of what, in words; "" where a person decided."""
    probabilities: list[tuple[str, float, str]]
    """Category, how likely it applies, the same in per cent."""
    why: list[tuple[str, list[tuple[str, str]]]]
    """Category with what spoke for and against it: cue or term, signed weight, which is "" for a
    human decision."""


def _decided(labels: FacetLabels, decision: Decision | None) -> str:
    """Return who decided labels, when and with what note; "" where nobody did."""
    if labels.status != "reviewed" or decision is None or decision.drawn_by == IMPORTED:
        return ""
    on = date_in_words(decision.reviewed_on)
    text = f"Decided by {decision.reviewer or 'a person'}{f' on {on}' if on else ''}"
    return f"{text}: {decision.note.rstrip('.')}." if decision.note else f"{text}."


def facet_view(
    facet: Facet, labels: FacetLabels, decision: Decision | None, catalogue: Catalogue
) -> FacetView:
    """Return the labels of a paper in one facet."""
    return FacetView(
        name=facet.name,
        is_brief=bool(facet.applies_to),
        labels=[_label(facet, labels, category, catalogue) for category in labels.categories]
        or [(_NO_CUE, "", "", "")],
        status=labels.status,
        status_in_words=_decided(labels, decision) or _STATUS_IN_WORDS[labels.status],
        confidence=_confidence(facet, labels),
        probabilities=_probabilities(facet, labels),
        why=_why(facet, labels),
    )


def _confidence(facet: Facet, labels: FacetLabels) -> str:
    if labels.is_decided or facet.may_be_unstated:
        return ""
    sure = f"{percent(labels.confidence)} sure"
    return f"{sure} of the filed {in_prose(facet.name)}" if facet.kind == "multi" else sure


def _label(facet: Facet, labels: FacetLabels, category_id: str, catalogue: Catalogue) -> Label:
    is_first = category_id == labels.primary
    is_primary = is_first and facet.kind == "multi" and not facet.may_be_unstated
    is_paged = facet is catalogue.edition.taxonomy.first and category_id in catalogue.paged_ids
    # The classifier gave it as a further one, and holds it for less likely than not.
    is_doubtful = labels.probabilities.get(category_id, 1) < _LIKELY and not (
        is_first or labels.is_decided
    )
    return (
        _name(facet, category_id),
        category_page(category_id) if is_paged else "",
        "primary" if is_primary else "below" if "/" in category_id else "",
        "filed here" if is_primary else "perhaps" if is_doubtful else "",
    )


def _probabilities(facet: Facet, labels: FacetLabels) -> list[tuple[str, float, str]]:
    if facet.may_be_unstated:
        return []  # nobody checked them
    likely = [item for item in labels.probabilities.items() if round(item[1], 2) > _UNLIKELY]
    likely.sort(key=lambda item: (-item[1], item[0]))
    return [
        (_name(facet, category), probability, percent(probability))
        for category, probability in likely[:_SHOWN_PROBABILITIES]
    ]


def _why(facet: Facet, labels: FacetLabels) -> list[tuple[str, list[tuple[str, str]]]]:
    by_category: dict[str, list[Reason]] = {category: [] for category in labels.categories}
    for reason in labels.why:
        by_category.setdefault(reason.category, []).append(reason)
    return [
        (_name(facet, category), [_reason(facet, reason) for reason in reasons[:most]])
        for category, reasons in by_category.items()
        for most in (_SHOWN_REASONS if category == labels.primary else _FURTHER_REASONS,)
        if reasons
    ]


def _reason(facet: Facet, reason: Reason) -> tuple[str, str]:
    weight = "" if reason.is_ruling else f"{reason.weight:+.1f}".replace("-", "−")
    weight += " votes" if reason.kind == "vote" else ""
    if not reason.text.startswith(_OTHER_CUES):
        return reason.text, weight
    start = next(start for start in _OTHER_CUES if reason.text.startswith(start))
    other = facet.get(reason.text.removeprefix(start))
    return f"{start}‘{other.name}’" if other else reason.text, weight


def _name(facet: Facet, category_id: str) -> str:
    category = facet.get(category_id)
    if category is None and facet.says_unstated(category_id):
        return _NONE
    return category.name if category else category_id
