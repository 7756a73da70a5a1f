"""The report of an evaluation, as `fieldguide evaluate` prints it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from classifier.evaluation.audit import MIN_AUDITED
from classifier.evaluation.crossfit import AUDIT
from classifier.evaluation.outcome import CategoryScores, Evaluation, Findings, Setup
from classifier.evaluation.report import (
    Part,
    Report,
    Table,
    format_interval,
    format_number,
    paper_count,
)

_SELECTION = {
    AUDIT: "selected at random",
    "queue": "selected by a queue, which prefers difficult papers",
    "volunteer": "chosen by reviewers",
    "imported": "filed by their source",
    "": "without a record of their selection",
}
"""`drawn_by` of a decision -> how the paper was selected."""
_MIN_FOR_INTERVAL = 10
"""Minimum number of scored papers for an interval. The bootstrap interval of a single
paper would be 1.00 to 1.00."""
_MIN_SUPPORT = 5
"""Minimum number of scored papers of a category for its F1 to be meaningful."""
_MAX_UNMATCHED = 5
"""Maximum number of titles without a paper that are listed."""
_MORE = "Every figure: --full; for programs: --json FILE."


def quality_report(findings: Findings, *, is_full: bool = False) -> Report:
    """Return three lines with the main metric, the weakest category, and advice.

    is_full: whether to add the setup, all categories (core first), means and the confusion
    matrix.
    """
    evaluation = findings.evaluation
    setup = evaluation.setup
    sections: list[Sequence[Part]] = [[_MORE]]
    if is_full:
        sections = [
            _setup_lines(setup),
            _category_parts(evaluation),
            [_means_table(evaluation)],
            _confusion_tables(evaluation),
        ]
    return Report(tuple(_summary_lines(findings)), (*sections, _unmatched_titles(setup.unmatched)))


def _summary_lines(findings: Findings) -> Iterator[str]:
    evaluation = findings.evaluation
    yield _accuracy_line(findings)
    weakest = weakest_category(evaluation)
    if weakest is None:
        yield "Weakest category: none, because no scored paper has a category in scope."
    else:
        scores = evaluation.categories[weakest]
        yield (
            f"Weakest category: {weakest}, F1 {format_number(scores.f1.value)} (precision "
            f"{format_number(scores.precision)}, recall {format_number(scores.recall)}, "
            f"{paper_count(scores.support)})."
        )
    yield f"What to do: {_next_step(evaluation, findings.drawn, weakest)}"


def _accuracy_line(findings: Findings) -> str:
    accuracy, n = findings.evaluation.primary_accuracy, findings.evaluation.setup.n
    ways = []
    for way, count in sorted(findings.drawn.items(), key=lambda item: (-item[1], item[0])):
        ways.append(f"{'all' if count == n else count} {_SELECTION.get(way, way)}")
    uncertainty = "too few for an interval" if n < _MIN_FOR_INTERVAL else format_interval(accuracy)
    line = f"Filed right: {format_number(accuracy.value)}"
    if uncertainty:
        line += f" ({uncertainty})"
    line += f" of {paper_count(n)} of {findings.provenance['truth']}"
    if ways:
        line += f", {'; '.join(ways)}"
    return f"{line}."


def weakest_category(evaluation: Evaluation) -> str | None:
    """Return the category in scope with the lowest F1; None if no scored paper has one.

    Categories with fewer than five papers count only if all have fewer.
    """
    scope = {
        name: scores
        for name, scores in evaluation.categories.items()
        if scores.support and not scores.out_of_scope
    }
    supported = {name: scores for name, scores in scope.items() if scores.support >= _MIN_SUPPORT}
    candidates = supported or scope
    if not candidates:
        return None
    return min(candidates, key=lambda name: (round(candidates[name].f1.value, 4), name))


def _next_step(evaluation: Evaluation, selection: Mapping[str, int], weakest: str | None) -> str:
    n_audited = selection.get(AUDIT, 0)
    if evaluation.setup.n < MIN_AUDITED or (selection and n_audited < MIN_AUDITED):
        return (
            f"`fieldguide review audit {MIN_AUDITED - n_audited}`: with {MIN_AUDITED} papers "
            "selected at random the figures are valid for all papers."
        )
    if weakest is None:
        return "Review papers that are in scope."
    assigned = evaluation.confusion.get(weakest, {})
    confused = {other: n for other, n in assigned.items() if other != weakest and n > 1}
    scores = evaluation.categories[weakest]
    if confused and scores.recall <= scores.precision:
        other = min(confused, key=lambda name: (-confused[name], name))
        return (
            f"use `includes`, `excludes` and `against` cues to separate {weakest} from {other}, "
            f"which was assigned to {confused[other]} of its papers."
        )
    return f"`fieldguide review next --category {weakest}`, or cues: `fieldguide check --deep`."


def _setup_lines(setup: Setup) -> list[str]:
    learned = f"{paper_count(setup.trained_on)} with decisions and {setup.unlabelled} without"
    lines = [f"Scored {paper_count(setup.n)}."]
    if setup.is_cross_validated:
        repeats = f", {setup.repeats} times over" if setup.repeats > 1 else ""
        lines += [
            f"Cross-validated: {setup.folds} folds{repeats}, learned from {learned},",
            "each time without the papers of the scored fold.",
        ]
    elif setup.trained_on:
        lines.append(f"Not cross-validated: one fit on {learned}, none of them scored.")
    else:
        lines += [
            f"Not cross-validated: the taxonomy alone, with {setup.unlabelled} unlabelled papers,",
            "none of them scored.",
        ]
    if setup.in_prior:
        known = paper_count(setup.in_prior)
        lines.append(f"With a prior; {known} that it learned from are not scored.")
    elif setup.in_prior == 0:
        lines.append("With a prior that learned from none of them.")
    return lines


def _category_parts(evaluation: Evaluation) -> list[Part]:
    core_first = sorted(evaluation.categories.items(), key=lambda item: not item[1].core)
    columns = ("category", "P", "R", "F1", "n", "95 % interval of F1")
    rows = tuple(_category_row(name, scores) for name, scores in core_first)
    parts: list[Part] = [Table(columns, rows, align="lrrrrl")]
    if any(scores.core for _, scores in core_first):
        parts.append("* core category")
    out_of_scope = [name for name, scores in core_first if scores.out_of_scope]
    if out_of_scope:
        parts.append(f"Out of scope, not in the means: {', '.join(out_of_scope)}.")
    left_out = [name for name in evaluation.categories_without_papers if name not in out_of_scope]
    if left_out:
        names = ", ".join(left_out)
        parts.append(f"Not in the means because no scored paper has them: {names}.")
    return parts


def _category_row(name: str, scores: CategoryScores) -> tuple[str, ...]:
    values = (scores.precision, scores.recall, scores.f1.value)
    mark = "*" if scores.core else " "
    return (
        f"{mark} {name}",
        *map(format_number, values),
        str(scores.support),
        format_interval(scores.f1),
    )


def _means_table(evaluation: Evaluation) -> Table:
    counted = [scores for scores in evaluation.categories.values() if scores.support]
    n_core = _category_count(sum(scores.core for scores in counted))
    n_scope = _category_count(sum(not scores.out_of_scope for scores in counted))
    facets = [
        (f"{name} {facet.measure}", facet.estimate, paper_count(facet.n))
        for name, facet in evaluation.facets.items()
    ]
    rows = (
        ("core mean F1", evaluation.core_f1, n_core),
        ("mean F1", evaluation.mean_f1, n_scope),
        ("micro F1", evaluation.micro_f1, n_scope),
        ("mean average precision", evaluation.mean_average_precision, n_scope),
        ("P@1", evaluation.precision_at_1, "the primary category is one of the true topics"),
        ("primary accuracy", evaluation.primary_accuracy, "the primary category is right"),
        *facets,
    )
    cells = [
        (name, format_number(mean.value), format_interval(mean), note) for name, mean, note in rows
    ]
    return Table((), tuple(cells), align="lrl")


def _category_count(n: int) -> str:
    return f"{n} {'category' if n == 1 else 'categories'}"


def _confusion_tables(evaluation: Evaluation) -> list[Part]:
    """Return the confusion matrix.

    Its columns have the numbers of the categories in its rows.
    """
    confusion = evaluation.confusion
    assigned = {name for row in confusion.values() for name in row}
    ids = [name for name in evaluation.categories if name in assigned or name in confusion]
    if not ids:
        return []
    numbers = {name: str(position) for position, name in enumerate(ids, start=1)}
    rows = []
    for name in ids:
        counts = confusion.get(name, {})
        cells = [str(counts[other]) if other in counts else "·" for other in ids]
        rows.append((f"{numbers[name]:>2} {name}", *cells))
    scored = paper_count(sum(sum(row.values()) for row in confusion.values()))
    heading = f"Confusion matrix: rows are true categories, columns assigned ones ({scored})."
    return [Table(("", *numbers.values()), tuple(rows), heading)]


def _unmatched_titles(titles: Sequence[str]) -> list[Part]:
    if not titles:
        return []
    heading = f"Not scored, because no paper has the title: {len(titles)}"
    rows = tuple((title,) for title in titles)
    return [Table((), rows, heading, indent="  ", max_rows=_MAX_UNMATCHED)]
