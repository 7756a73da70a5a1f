"""What the survey says of its own labels, from the figures that the build measured."""

from __future__ import annotations

from collections.abc import Mapping

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
            f"The classifier starts from weights learned beforehand on {known} labelled abstracts; "
            "none of which is counted below."
        )
        sentences.append((text, "prior_papers"))
    if not decided:
        text = "How good the labels are cannot be told before readers have decided more of them."
        return [*sentences, (text, f"{first_facet}.decided")]
    audited = figures["measured_on"] == "audited papers"
    asked = counted(figures["measured"], "paper")
    which = (
        f"{asked} that were drawn at random for readers to decide"
        if audited
        else (f"{asked} that readers decided")
    )
    sentences.append(
        (
            f"Asked about the {which}, each time without having seen that decision, the classifier "
            f"files {_percent(figures['primary_accuracy'])} as the reader did.",
            f"{first_facet}.measured, {first_facet}.primary_accuracy",
        )
    )
    if figures["confident_accuracy"] is not None:
        text = (
            f"It is confident of {_percent(figures['confident_share'])} of them, and "
            f"{_percent(figures['confident_accuracy'])} of those are filed as the reader did; "
            f"below a confidence of {_percent(figures['confidence_cut'])} a label is marked "
            "provisional."
        )
        keys = ("confident_share", "confident_accuracy", "confidence_cut")
        sentences.append((text, ", ".join(f"{first_facet}.{key}" for key in keys)))
    return sentences


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"
