"""Results as Markdown and as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence

from classifier.evaluation.metrics import Figure
from tools.benchmarks.comparison import COMPARED, Result

_COLUMNS = (
    "filed right",
    "contribution right",
    "calibration error",
    "abstracts a second of one core",
)


def markdown(results: Sequence[Result]) -> str:
    """Return two tables: the figures of all, and the lead of the first over each of the others."""
    first, *others = results
    figures = _table(["", *COMPARED, *_COLUMNS], [_figures(result) for result in results])
    if not others:
        return figures
    header = [f"{first.peer.name} minus", *COMPARED, "verdict"]
    leads = [_lead(other, first.lead_over(other)) for other in others]
    return f"{figures}\n{_table(header, leads)}"


def verdict(leads: dict[str, Figure]) -> str:
    """Say where a peer is behind or ahead: only where the 95 % interval excludes 0."""
    behind = [column for column, lead in leads.items() if lead.low > 0]
    ahead = [column for column, lead in leads.items() if lead.high < 0]
    said = [f"{word} in {', '.join(columns)}" for word, columns in
            (("behind", behind), ("ahead", ahead)) if columns]  # fmt: skip
    return "; ".join(said) or "level"


def as_json(results: Sequence[Result]) -> list[dict[str, object]]:
    """Return one object a classifier, numbers rounded to four places."""
    return [
        {
            "id": result.peer.id,
            "name": result.peer.name,
            **{column: _triple(getattr(result.evaluation, name)) for column, name in
               COMPARED.items()},
            "primary_accuracy": _triple(result.evaluation.primary_accuracy),
            **{name: _triple(facet.figure) for name, facet in result.evaluation.facets.items()},
            "ece": round(result.evaluation.ece.value, 4),
            "abstracts_a_second": round(result.rate, 1),
            "behind_by": {
                column: _triple(lead) for column, lead in results[0].lead_over(result).items()
            },
        }
        for result in results
    ]  # fmt: skip


def _figures(result: Result) -> list[str]:
    evaluation = result.evaluation
    contribution = evaluation.facets.get("contribution")
    return [
        result.peer.name,
        *(_number(getattr(evaluation, name).value) for name in COMPARED.values()),
        _number(evaluation.primary_accuracy.value),
        _number(contribution.figure.value) if contribution else "",
        _number(evaluation.ece.value, 3),
        _number(result.rate, 0),
    ]


def _lead(other: Result, leads: dict[str, Figure]) -> list[str]:
    return [other.peer.name, *(_signed(lead) for lead in leads.values()), verdict(leads)]


def _signed(lead: Figure) -> str:
    return f"{lead.value:+.2f} ({lead.low:+.2f} to {lead.high:+.2f})".replace("-", "−")


def _number(value: float, digits: int = 2) -> str:
    return "" if math.isnan(value) else f"{value:.{digits}f}"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _triple(figure: Figure) -> list[float]:
    return [round(number, 4) for number in (figure.value, figure.low, figure.high)]
