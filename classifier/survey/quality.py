"""What the survey says of its own labels, from the figures that the build measured."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from classifier.errors import FieldguideError
from classifier.files.reading import read_text
from classifier.survey.entry import SurveyPaper
from classifier.survey.wording import counted, joined, number

_FIGURES = ("facts.json", "metrics.json")


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
        text = "How good the labels are cannot be told before readers have decided some."
        return [*sentences, (text, f"{first_facet}.decided")]
    as_whom = filers(figures).as_they_did
    sentences.append(
        (
            f"Asked about the {_measured(figures)}, each time without having seen that decision, "
            f"the classifier files {_percent(figures['primary_accuracy'])} {as_whom}.",
            f"{first_facet}.measured, {first_facet}.primary_accuracy",
        )
    )
    if figures["confident_accuracy"] is not None:
        text = (
            f"It is confident of {_percent(figures['confident_share'])} of these papers, and "
            f"{_percent(figures['confident_accuracy'])} of those are filed {as_whom}; "
            f"below a confidence of {_percent(figures['confidence_cut'])} a label is marked "
            "provisional."
        )
        keys = ("confident_share", "confident_accuracy", "confidence_cut")
        sentences.append((text, ", ".join(f"{first_facet}.{key}" for key in keys)))
    return sentences


def _measured(figures: Mapping[str, Any]) -> str:
    """Return which papers the classifier is measured on."""
    audited = figures["measured_on"] == "audited papers"
    drawn = "were drawn at random for readers to decide"
    which = drawn if audited else filers(figures).had_filed
    return f"{counted(figures['measured'], 'paper')} that {which}"


_FEW = 20
"""Of fewer papers no share is told."""


def border_line(
    metrics: Mapping[str, Any],
    first_facet: str,
    confident: int = 0,
    before: tuple[int, Mapping[str, Any]] | None = None,
) -> str:
    """Return in one line from where on labels are confident, what that is worth, and how many were
    before; "" where nothing was learned.

    confident: how many labels are now; before: how many were at the last build, and its metrics.
    """
    figures = metrics["facets"].get(first_facet, {})
    if "confidence_cut" not in figures:
        return ""
    moved = _moved(figures, first_facet, confident, before) if before else ""
    if figures["confidence_cut"] is None:
        return f"{_no_border(figures)}{moved}."
    line = f"A label is confident from {figures['confidence_cut']:.2f} on: "
    if not figures["decided"]:
        return f"{line}what that is worth, more decisions will tell."
    asked, as_they_did = _measured(figures), filers(figures).as_they_did
    if figures.get("confident_accuracy") is None:
        line += f"none of the {asked} reaches it"
    else:
        sure = round(figures["confident_share"] * figures["measured"])
        share = figures["confident_accuracy"]
        right = _percent(share) if sure >= _FEW else number(round(share * sure))
        if share in (0, 1):
            right = "all" if share else "none"
        line += (
            f"with the decision hidden, {sure} of {asked} get such a label, and "
            f"{right} of these {'is' if right in ('one', 'none') else 'are'} filed {as_they_did}"
        )
    return f"{line}{moved}."


def _no_border(figures: Mapping[str, Any]) -> str:
    """Return why no label is confident."""
    if missing := figures["checks_missing"]:
        return (
            "No label is confident, because too few decisions check the classifier: decide "
            f"{counted(missing, 'more paper')} drawn at random "
            f"(`fieldguide review audit {missing}`)"
        )
    return (
        f"No label is confident: {counted(figures['confidence_checks'], 'decision')} do not show "
        f"that nine in ten of the surest labels are filed {filers(figures).as_they_did}"
    )


def last_figures(folder: Path) -> tuple[int, Mapping[str, Any]] | None:
    """Return how many labels of the build in a folder are confident, and its metrics."""
    try:
        facts, metrics = (json.loads(read_text(folder / name)) for name in _FIGURES)
        return facts["papers.confident"]["value"], metrics["facets"]
    except (FieldguideError, OSError, ValueError, KeyError, TypeError):
        return None


@dataclass(frozen=True, slots=True)
class Filers:
    """Who filed the papers that the classifier is measured on, in words."""

    who: str
    had_filed: str
    as_they_did: str


_READERS = Filers("readers", "readers decided", "as the reader did")
_FILERS = {
    "papers of the queue": Filers(
        "readers", "readers decided (the hardest first)", "as the reader did"
    ),
    "imported papers": Filers("sources", "their sources had filed", "as the source did"),
    "decided and imported papers": Filers(
        "readers and sources", "readers or their sources had filed", "as they did"
    ),
}


def filers(figures: Mapping[str, Any]) -> Filers:
    """Return who filed the papers on which the figures of a facet were measured."""
    return _FILERS.get(figures.get("measured_on", ""), _READERS)


def _moved(
    figures: Mapping[str, Any], facet: str, confident: int, before: tuple[int, Mapping[str, Any]]
) -> str:
    """Return how many labels were confident before, and from where on; "" if as many are now."""
    earlier = before[1].get(facet, {})
    more = figures["decided"] - earlier.get("decided", 0)
    if before[0] == confident:
        return ""
    cut = earlier.get("confidence_cut")
    since = f" from {cut:.2f} on" if cut else ""
    were = "was" if more == 1 else "were"
    why = f"; since then {counted(more, 'paper')} {were} decided, and the others weighed anew"
    return f". Before, {number(before[0])} labels were confident{since}{why if more > 0 else ''}"


def waiting_line(
    waiting: Sequence[SurveyPaper], metrics: Mapping[str, Any], first_facet: str
) -> str:
    """Return in one line why labels are provisional; "" where none is."""
    border = metrics["facets"].get(first_facet, {}).get("confidence_cut")
    known = [each for each in waiting if each.first.why]
    read = [each for each in known if each.paper.abstract_display]
    cued = [each for each in read if any(reason.place for reason in each.first.why)]
    between = [each for each in cued if len(each.first.candidates) > 1]
    rest = "not checked by decisions" if border is None else "less sure than a confident one"
    counts = {
        "filed without any evidence": len(waiting) - len(known),
        "filed by a title alone": len(known) - len(read),
        "filed without a cue of the category": len(read) - len(cued),
        "between two categories or more": len(between),
        rest: len(cued) - len(between),
    }
    told = [f"{n} {'are' if n > 1 else 'is'} {words}" for words, n in counts.items() if n]
    return f"Of those that wait, {joined(told)}: see `why` in the sheet." if told else ""


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"
