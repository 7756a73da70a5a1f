"""What was found, as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from classifier.evaluation.findings import Findings
from classifier.evaluation.metrics import Figure
from classifier.evaluation.outcome import CategoryFigures, Evaluation, Setup
from classifier.evaluation.settings import REVIEWED
from classifier.evaluation.tables import (
    confusion_table,
    curve_table,
    reliability_table,
    settings_table,
)
from classifier.evaluation.verdict import verdict_lines
from classifier.evaluation.wording import interval, number, paper_count

_MOST_CONFUSIONS = 8
_MOST_UNMATCHED = 5


def report_text(findings: Findings, *, full: bool = False) -> str:
    """Return the report: three lines that say how it stands, then the tables that were asked for.

    full: also all of one setting: what was scored and how, each category (core first), means, what
    probabilities are worth, where papers are filed wrongly.
    """
    in_full = _evaluation_parts(findings.evaluation) if full else [[_MORE]]
    parts = [
        verdict_lines(findings),
        settings_table(_compared_caption(findings), findings.compared),
        *in_full,
        settings_table(_ABLATION, findings.ablation),
        curve_table(findings.curve),
        _unmatched_lines(findings.evaluation.setup.unmatched),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


_MORE = "Every figure: --full; for programs: --json FILE."
_COMPARED = """\
What each step adds, on the same papers and folds (95 % intervals below the figures).
First day: at most five cues a category, no children, no exemplars, no reviews."""
_ABLATION = """\
Ablation: what the model sees, all else alike, without a prior (95 % intervals below the figures).
Without cues as features, unreviewed papers still teach by the cues' votes."""


def _compared_caption(findings: Findings) -> str:
    if REVIEWED.name in findings.compared:
        return _COMPARED
    return f"{_COMPARED}\nNo row '{REVIEWED.name}': there is no decision to learn from."


def _evaluation_parts(evaluation: Evaluation) -> list[list[str]]:
    return [
        _header(evaluation.setup),
        _category_lines(evaluation),
        _mean_lines(evaluation),
        _calibration_lines(evaluation),
        reliability_table(evaluation.reliability),
        confusion_table(evaluation),
        _confusion_lines(evaluation),
    ]


def _header(setup: Setup) -> list[str]:
    learned = f"{paper_count(setup.trained_on)} with decisions and {setup.unlabelled} without"
    alone = "a first-day taxonomy alone" if setup.first_day else "the taxonomy alone"
    if setup.is_cross_validated:
        repeats = f", {setup.repeats} times over" if setup.repeats > 1 else ""
        how = (
            f"Cross-validated: {setup.folds} folds{repeats}, learned from {learned},\n"
            "each time without the papers of the fold that is scored."
        )
    elif setup.trained_on:
        how = f"Not cross-validated: one fit on {learned}, none of them scored."
    else:
        how = (
            f"Not cross-validated: {alone}, with {setup.unlabelled} unlabelled papers,\n"
            "none of them scored."
        )
    return [f"Scored {paper_count(setup.n)}.", *how.split("\n"), *_prior_lines(setup.in_prior)]


def _prior_lines(known: int | None) -> list[str]:
    if known is None:
        return []
    if not known:
        return ["With a prior that was learned from none of them."]
    return [f"With a prior; {paper_count(known)} that it was learned from are not scored."]


def _category_lines(evaluation: Evaluation) -> list[str]:
    entries = sorted(evaluation.categories.items(), key=lambda entry: not entry[1].core)
    width = max(len("category"), *(len(name) + 2 for name, _ in entries))
    lines = [f"{'category':<{width}}    P     R    F1     n  95 % interval of F1"]
    lines += [_category_line(name, figures, width) for name, figures in entries]
    return [*lines, *_category_notes(evaluation)]


def _category_line(name: str, figures: CategoryFigures, width: int) -> str:
    marked = f"{'*' if figures.core else ' '} {name}"
    cells = (figures.precision, figures.recall, figures.f1.value)
    numbers = "".join(f" {number(value):>5}" for value in cells)
    line = f"{marked:<{width}}{numbers[1:]} {figures.support:>5}  {interval(figures.f1)}"
    return line.rstrip()


def _category_notes(evaluation: Evaluation) -> Iterator[str]:
    if any(figures.core for figures in evaluation.categories.values()):
        yield "* core category"
    scope = [name for name, figures in evaluation.categories.items() if figures.out_of_scope]
    if scope:
        yield f"Out of scope, in no mean: {', '.join(scope)}."
    left_out = [name for name in evaluation.left_out if name not in scope]
    if left_out:
        yield f"In no mean, since no scored paper has them: {', '.join(left_out)}."


def _mean_lines(evaluation: Evaluation) -> list[str]:
    core = _counted(evaluation, core_only=True)
    every = _counted(evaluation, core_only=False)
    rows = [
        ("core mean F1", evaluation.core_f1, core),
        ("mean F1", evaluation.mean_f1, every),
        ("micro F1", evaluation.micro_f1, every),
        ("mean average precision", evaluation.mean_average_precision, every),
        ("P@1", evaluation.precision_at_1, "the filed category is one of the true topics"),
        ("primary accuracy", evaluation.primary_accuracy, "filed where it belongs"),
    ]
    rows += [
        (f"{name} {facet.measure}", facet.figure, paper_count(facet.n))
        for name, facet in evaluation.facets.items()
    ]
    return _figure_lines(rows)


def _figure_lines(rows: Sequence[tuple[str, Figure, str]], digits: int = 2) -> list[str]:
    width = max(len(label) for label, _, _ in rows)
    return [
        f"{label:<{width}}  {number(mean.value, digits):>4}  "
        f"{interval(mean, digits):<11}  {note}".rstrip()
        for label, mean, note in rows
    ]


def _calibration_lines(evaluation: Evaluation) -> list[str]:
    abstention = evaluation.abstention
    errors = [
        ("expected calibration error", evaluation.ece, "of topics; resamples overstate it"),
        ("Brier score", evaluation.brier, "of topics"),
    ]
    rows = [
        ("confident papers", abstention.confident, "share of the scored papers"),
        ("primary accuracy of those", abstention.accuracy, ""),
    ]
    coverage = "".join(f" {f'{share:.0%}':>5}" for share, _ in abstention.risk_coverage)
    accuracy = "".join(f" {number(value):>5}" for _, value in abstention.risk_coverage)
    return [
        *_figure_lines(errors, digits=3),
        *_figure_lines(rows),
        f"most confident    {coverage}",
        f"primary accuracy  {accuracy}",
    ]


def _confusion_lines(evaluation: Evaluation) -> list[str]:
    mistakes = [
        (-count, true, given)
        for true, row in evaluation.confusion.items()
        for given, count in row.items()
        if given != true
    ]
    if not mistakes:
        return []
    lines = ["Filed elsewhere most often (true category -> filed under):"]
    for count, true, given in sorted(mistakes)[:_MOST_CONFUSIONS]:
        lines.append(f"{-count:>4}  {true} -> {given}")
    return lines


def _unmatched_lines(titles: Sequence[str]) -> list[str]:
    if not titles:
        return []
    lines = [f"Not scored, since no paper bears the title: {len(titles)}"]
    lines += [f"  {title}" for title in titles[:_MOST_UNMATCHED]]
    if len(titles) > _MOST_UNMATCHED:
        lines.append(f"  and {len(titles) - _MOST_UNMATCHED} more")
    return lines


def _counted(evaluation: Evaluation, *, core_only: bool) -> str:
    n = sum(
        bool(figures.support) and (figures.core if core_only else not figures.out_of_scope)
        for figures in evaluation.categories.values()
    )
    return f"{n} {'category' if n == 1 else 'categories'}"
