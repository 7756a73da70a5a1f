"""How far reviewers agree, as text for people and as JSON for machines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from classifier.evaluation.agreement import (
    FEW_PAPERS,
    Agreement,
    GroupAgreement,
    PairAgreement,
    PairFigures,
)
from classifier.evaluation.metrics import RESAMPLES, SEED, Figure
from classifier.evaluation.wording import aligned, interval, number, paper_count

_HEAD = ("papers", "same", "kappa", "95 %", "F1")
_LEGEND = (
    "same: share of papers with the same answer. kappa, alpha: 1 is full agreement, 0 is what "
    "chance gives.",
    "F1: of the categories that both give. 95 %: bootstrap over papers.",
)
_DIGITS = 4


def agreement_lines(agreement: Agreement) -> list[str]:
    """Return all figures as lines; how to get any where there are none."""
    who = ", ".join(f"{name} {n}" for name, n in agreement.papers.items())
    head = f"Decided papers: {who}." if who else "Nobody has decided a paper yet."
    if not agreement.pairs:
        return [head, *_how_to_begin(agreement)]
    blocks = [_pair_lines(agreement.pairs)]
    if agreement.groups:
        blocks += [_group_lines(group) for group in agreement.groups]
    else:
        blocks += [_category_lines(pair) for pair in agreement.pairs if pair.categories]
    blocks.append([*_LEGEND, *_notes(agreement)])
    return [head, *(line for block in blocks for line in ("", *block))]


def _how_to_begin(agreement: Agreement) -> list[str]:
    lack = "two reviewers" if len(agreement.papers) < 2 else "a paper that two reviewers decided"
    return [
        f"Agreement needs {lack}. Draw papers with `fieldguide review next 30`,",
        "give a copy of the sheet to each reviewer, and take up one after the other, as in",
        "`fieldguide review apply ada.csv --reviewer ada`.",
    ]


def _pair_lines(pairs: Sequence[PairAgreement]) -> list[str]:
    rows = [["", *_HEAD]]
    for pair in pairs:
        asked = "primary" if pair.listed else "value"
        for question, figures in ((asked, pair.filed), ("all that applies", pair.listed)):
            if figures:
                label = f"{_names(pair)}: {pair.facet}, {question}"
                rows.append([label, *_cells(figures)])
    return aligned(rows)


def _cells(figures: PairFigures) -> list[str]:
    f1 = number(figures.f1.value) if figures.f1 else ""
    kappa = number(figures.kappa.value), _interval(figures.kappa)
    return [str(figures.n), number(figures.same.value), *kappa, f1]


def _interval(value: Figure) -> str:
    """Return an interval, or nothing where no resample differs: then there is nothing to read."""
    return "" if value.low == value.high else interval(value)


def _category_lines(pair: PairAgreement) -> list[str]:
    """Return a line for each category that one of two reviewers gave."""
    rows = [["", *pair.reviewers, *_HEAD]]
    for category, figures in pair.categories.items():
        if any(figures.given):
            rows.append([category, *map(str, figures.given), *_cells(figures)])
    return [
        f"{pair.facet} by category: how many papers each gave it, and agreement",
        *aligned(rows),
    ]


def _group_lines(group: GroupAgreement) -> list[str]:
    """Return Krippendorff's alpha of all reviewers, a line a question."""
    single = group.pooled is None
    questions = {
        "value" if single else "primary": group.filed,
        "all that applies, categories pooled": group.pooled,
        "all that applies, as sets (MASI)": group.lists,
        **group.categories,
    }
    rows = [["", "alpha", "95 %"]]
    for question, alpha in questions.items():
        # A category that nobody gave, or everybody always, has no alpha.
        if alpha and not (question in group.categories and math.isnan(alpha.value)):
            rows.append([question, number(alpha.value), _interval(alpha)])
    caption = f"{group.facet}, all reviewers ({paper_count(group.n)} of two or more): Krippendorff"
    return [f"{caption}'s alpha", *aligned(rows)]


def _notes(agreement: Agreement) -> Iterator[str]:
    """Yield what the figures do not say themselves."""
    few = [f"{_names(pair)}: {pair.facet}" for pair in agreement.pairs if pair.n < FEW_PAPERS]
    if few:
        yield f"Fewer than {FEW_PAPERS} papers, too few to go by: {'; '.join(few)}."
    if any(math.isnan(figures.kappa.value) for pair in agreement.pairs for figures in _all(pair)):
        yield "–: not defined; both gave one and the same answer to every paper."
    if any(f.kappa.low == f.kappa.high for pair in agreement.pairs for f in _all(pair)):
        yield "No interval: no paper differs, or too few to resample."
    if agreement.groups:
        yield "Kappas of each pair by category: --json FILE."


def _all(pair: PairAgreement) -> Iterator[PairFigures]:
    """Yield the figures that are printed."""
    yield from (figures for figures in (pair.filed, pair.listed) if figures)
    yield from (figures for figures in pair.categories.values() if any(figures.given))


def _names(pair: PairAgreement) -> str:
    return " – ".join(pair.reviewers)


def agreement_json(agreement: Agreement) -> dict[str, object]:
    """Return all figures as JSON values; undefined ones are None, all are rounded to 4 digits."""
    return {
        "reviewers": dict(agreement.papers),
        "pairs": [
            {
                "reviewers": list(pair.reviewers),
                "facet": pair.facet,
                "filed": _figures_json(pair.filed),
                "listed": _figures_json(pair.listed),
                "categories": {name: _figures_json(f) for name, f in pair.categories.items()},
            }
            for pair in agreement.pairs
        ],
        "alpha": [
            {
                "facet": group.facet,
                "n": group.n,
                "filed": _json(group.filed),
                "pooled": _json(group.pooled),
                "masi": _json(group.lists),
                "categories": {name: _json(alpha) for name, alpha in group.categories.items()},
            }
            for group in agreement.groups
        ],
        "method": {
            "interval": "95 % percentile bootstrap over papers",
            "resamples": RESAMPLES,
            "seed": SEED,
        },
    }


def _figures_json(figures: PairFigures | None) -> dict[str, object] | None:
    if figures is None:
        return None
    return {
        "n": figures.n,
        "same": _json(figures.same),
        "kappa": _json(figures.kappa),
        "f1": _json(figures.f1),
        "given": list(figures.given) if any(figures.given) else None,
    }


def _json(value: Figure | None) -> dict[str, object] | None:
    if value is None:
        return None
    low_high = [None if math.isnan(end) else round(end, _DIGITS) for end in (value.low, value.high)]
    defined = None if math.isnan(value.value) else round(value.value, _DIGITS)
    return {"value": defined, "interval": low_high}
