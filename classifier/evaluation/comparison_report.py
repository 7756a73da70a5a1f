"""Two evaluations held against each other, as lines for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.evaluation.comparison import FigureChange, OutcomeChange, QualityComparison
from classifier.evaluation.wording import aligned, number, paper_count
from classifier.text.markdown_escape import escaped

MOST_PAPERS = 20
MOST_CATEGORIES = 10
_LONGEST_TITLE = 90
HEADING = "## Quality"


def comparison_lines(comparison: QualityComparison) -> list[str]:
    """Return the verdict, figure by figure, and the papers that got worse; titles begin no line."""
    if not comparison.figures:
        return [verdict(comparison)]
    shown = _shown_figures(comparison)
    rows = [["", "before", "now", "change", "95 % interval"], *map(_cells, shown)]
    worse = _worse(comparison)
    return [
        verdict(comparison),
        *aligned(rows),
        *(["", f"Worse now: {_papers_in_short(comparison)}"] if worse else []),
        *(f"  {_outcome(each)}" for each in worse[:MOST_PAPERS]),
        *_more(len(worse)),
    ]


def comparison_markdown(comparison: QualityComparison) -> str:
    """Return the same as Markdown; nothing in a title is taken for markup, a mention or a link."""
    parts = [HEADING, "", f"**{escaped(verdict(comparison))}**", ""]
    if comparison.figures:
        parts += ["| figure | before | now | change | 95 % interval |", "|---|---|---|---|---|"]
        parts += [
            f"| {' | '.join(map(escaped, _cells(each)))} |" for each in _shown_figures(comparison)
        ]
    worse = _worse(comparison)
    if worse:
        heading = escaped(f"Worse now: {_papers_in_short(comparison)}")
        parts += ["", f"<details><summary>{heading}</summary>", ""]
        parts += [f"- {escaped(_outcome(each))}" for each in worse[:MOST_PAPERS]]
        parts += [f"- {line.strip()}" for line in _more(len(worse))]
        parts += ["", "</details>"]
    return "\n".join(parts) + "\n"


def verdict(comparison: QualityComparison) -> str:
    """Return in a sentence whether the labels got worse."""
    if not comparison.papers:
        return "Quality cannot be compared: no paper is scored on both sides with the same truth."
    on = f"on the {paper_count(comparison.papers)} scored by both"
    failures = comparison.failures
    if not failures:
        return f"Quality did not drop, {on}{_left_out(comparison)}."
    told = ", ".join(_failure(each, comparison.most_drop) for each in failures)
    return f"Quality dropped, {on}{_left_out(comparison)}: {told}."


def _left_out(comparison: QualityComparison) -> str:
    others = comparison.left_out
    return (
        f" ({others} more {'is' if others == 1 else 'are'} new or decided anew)" if others else ""
    )


def _failure(each: FigureChange, most_drop: float | None) -> str:
    moved = f"{each.label} from {number(each.before, 3)} to {number(each.now, 3)}"
    if each.is_drop:
        return f"{moved} (95 % interval of the change {_interval(each)})"
    return f"{moved} (more than --max-drop {most_drop:g}, though it may be chance)"


def _shown_figures(comparison: QualityComparison) -> Sequence[FigureChange]:
    means = [each for each in comparison.figures if not each.label.startswith("F1 of ")]
    categories = [each for each in comparison.figures if each.label.startswith("F1 of ")]
    return [*means, *categories[:MOST_CATEGORIES]]


def _cells(each: FigureChange) -> list[str]:
    change = f"{each.change.value:+.3f}" if each.change.value else "0"
    return [each.label, number(each.before, 3), number(each.now, 3), change, _interval(each)]


def _interval(each: FigureChange) -> str:
    return f"{each.change.low:+.3f} to {each.change.high:+.3f}"


def _worse(comparison: QualityComparison) -> list[OutcomeChange]:
    return [each for each in comparison.outcomes if each.is_worse]


def _papers_in_short(comparison: QualityComparison) -> str:
    worse = len(_worse(comparison))
    better = len(comparison.outcomes) - worse
    return f"{worse} label{'' if worse == 1 else 's'}; better now: {better}"


def _outcome(each: OutcomeChange) -> str:
    title = " ".join(each.title.split()) or each.paper_id
    short = title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1].rstrip()}…"
    was, now = each.before or "nothing", each.now or "nothing"
    return f"{each.facet}: {was} → {now}, right is {each.truth}: “{short}” ({each.paper_id})"


def _more(papers: int) -> list[str]:
    return [f"  … and {papers - MOST_PAPERS} more"] if papers > MOST_PAPERS else []
