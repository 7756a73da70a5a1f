"""What the survey says of its own labels, from the figures that the build measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from classifier.survey.changes.compare import Changes
from classifier.survey.wording import counted


def quality_sentences(metrics: Mapping[str, object], first_facet: str) -> list[tuple[str, str]]:
    """Return (sentence, metric id) pairs on how good the labels of the first facet are."""
    facets, known = metrics["facets"], metrics.get("prior_papers")
    assert isinstance(facets, dict)
    figures = facets[first_facet]
    decided = figures["decided"]
    sentences = []
    if known:
        text = (
            f"The classifier starts from weights learned beforehand on {known} labelled abstracts, "
            "and is measured on other papers."
        )
        sentences.append((text, "prior_papers"))
    if not decided:
        text = "How good the labels are cannot be told yet: too few are decided."
        return [*sentences, (text, f"{first_facet}.decided")]
    audited = figures["measured_on"] == "audited papers"
    asked = counted(figures["measured"], "paper")
    which = (
        f"{asked} that were drawn at random for readers to decide"
        if audited
        else f"{asked} that {filers(figures).had_filed}"
    )
    as_whom = filers(figures).as_they_did
    sentences.append(
        (
            f"Asked about the {which}, each time without having seen that decision, the classifier "
            f"files {_percent(figures['primary_accuracy'])} {as_whom}.",
            f"{first_facet}.measured, {first_facet}.primary_accuracy",
        )
    )
    if figures["confident_accuracy"] is not None:
        text = (
            f"It is confident of {_percent(figures['confident_share'])} of them, and "
            f"{_percent(figures['confident_accuracy'])} of those are filed {as_whom}; "
            f"below a confidence of {_percent(figures['confidence_cut'])} a label is marked "
            "provisional."
        )
        keys = ("confident_share", "confident_accuracy", "confidence_cut")
        sentences.append((text, ", ".join(f"{first_facet}.{key}" for key in keys)))
    return sentences


def border_line(
    metrics: Mapping[str, Any], first_facet: str, changes: Changes | None = None
) -> str:
    """Return in one line from where on labels are confident, what that is worth, and why papers
    became confident or provisional; "" where nobody has decided enough to tell.

    changes: since what was published before.
    """
    figures = metrics["facets"].get(first_facet, {})
    if figures.get("confident_accuracy") is None:
        return ""
    sure, by = round(figures["confident_share"] * figures["measured"]), filers(figures)
    line = (
        f"Confident is a label from {figures['confidence_cut']:.2f} on: of {sure} such among "
        f"{counted(figures['measured'], 'paper')} that {by.had_filed} "
        f"{_percent(figures['confident_accuracy'])} are filed {by.as_they_did}, whose decision "
        "was hidden"
    )
    return f"{line}{_moved(changes, first_facet) if changes else ''}."


@dataclass(frozen=True, slots=True)
class Filers:
    """Who filed the papers that the classifier is measured on, in words."""

    who: str
    had_filed: str
    as_they_did: str
    agrees_with: str


_READERS = Filers("readers", "readers decided", "as the reader did", "a reader")
_FILERS = {
    "imported papers": Filers(
        "sources", "their sources had filed", "as the source did", "the sources"
    ),
    "decided and imported papers": Filers(
        "readers and sources", "readers or their sources had filed", "as they did", "them"
    ),
}


def filers(figures: Mapping[str, Any]) -> Filers:
    """Return who filed the papers on which the figures of a facet were measured."""
    return _FILERS.get(figures.get("measured_on", ""), _READERS)


def _moved(changes: Changes, first_facet: str) -> str:
    """Return how many papers became confident or provisional, and how the border moved."""
    to = Counter(move.now for move in changes.statuses)
    told = [
        f"{to[status]} became {status}" for status in ("confident", "provisional") if to[status]
    ]
    moved = {change.figure: change for change in changes.quality if change.facet == first_facet}
    border, decided = moved.get("confidence_cut"), moved.get("decided")
    if border and border.before is not None:
        more = round((decided.now or 0) - (decided.before or 0)) if decided else 0
        why = f", with {counted(more, 'decision')} more" if more > 0 else ""
        told.append(f"the border was {border.before:.2f}{why}")
    return f"; {'; '.join(told)}" if told else ""


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"
