"""The results of an evaluation, and their report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from classifier.evaluation.audit import MIN_AUDITED
from classifier.evaluation.crossfit import AUDIT
from classifier.evaluation.metrics import CALIBRATION_BINS, METHOD, Figure
from classifier.evaluation.report import (
    Part,
    Report,
    Table,
    interval,
    interval_json,
    json_values,
    number,
    paper_count,
)


@dataclass(frozen=True, slots=True)
class Setup:
    """The papers that were scored, and the papers that the classifier learned from."""

    n: int
    """Scored papers."""
    folds: int
    """Folds of the cross-validation; 1 where one fit labelled all papers."""
    repeats: int
    """Number of times the papers were assigned to new folds."""
    trained_on: int
    """Papers with a decision; in cross-validation including the fold that is scored."""
    unlabelled: int
    """Papers without a decision that the classifier also learned from."""
    unmatched: tuple[str, ...] = ()
    """Titles that have reference labels and are not among the papers."""
    in_prior: int | None = None
    """Number of papers not scored because the prior learned from them; None without a prior."""

    @property
    def is_cross_validated(self) -> bool:
        """Whether the classifier learned from scored papers in other folds."""
        return self.folds > 1


@dataclass(frozen=True, slots=True)
class CategoryFigures:
    """Figures of one top category of the first facet; its children count for it."""

    precision: float
    """nan if the category was never assigned."""
    recall: float
    """nan if no scored paper has the category."""
    f1: Figure
    """nan if no scored paper has the category."""
    support: int
    """Scored papers that have it."""
    core: bool
    out_of_scope: bool


@dataclass(frozen=True, slots=True)
class FacetFigure:
    """Figure of a facet other than the first."""

    measure: str
    """`accuracy` of a single-valued facet, `micro F1` of one with several values."""
    figure: Figure
    n: int
    """Scored papers with a reference label in the facet."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All figures. With repeats, each is the mean over the repeats.

    Bootstrap samples are samples of papers, the same in every repeat, so that an interval is about
    other papers and not about other folds.
    """

    setup: Setup
    categories: Mapping[str, CategoryFigures]
    """Top category id of the first facet -> figures, in the order of the taxonomy."""
    core_f1: Figure
    """Mean F1 of the core categories that some scored paper has."""
    mean_f1: Figure
    """The same over all categories in scope, as are the next two, ECE and Brier."""
    micro_f1: Figure
    mean_average_precision: Figure
    precision_at_1: Figure
    """Share of papers whose primary category is one of the true topics."""
    primary_accuracy: Figure
    """Share of papers with the right primary category."""
    ece: Figure
    """Expected calibration error of the topic probabilities, 15 equal-width bins."""
    brier: Figure
    """Mean squared error of the topic probabilities."""
    facets: Mapping[str, FacetFigure]
    """Each other facet in which some scored paper has a reference label."""
    confident: Figure
    """Share of papers that are `confident`."""
    confident_accuracy: Figure
    """Share of the confident papers with the right primary category."""
    confusion: Mapping[str, Mapping[str, int]]
    """True primary -> assigned primary -> papers in the first repeat; without zeros."""

    @property
    def left_out(self) -> tuple[str, ...]:
        """Categories that no scored paper has: no mean includes them."""
        return tuple(name for name, figures in self.categories.items() if not figures.support)


@dataclass(frozen=True, slots=True)
class Findings:
    """An evaluation and its provenance."""

    evaluation: Evaluation
    provenance: Mapping[str, object]
    """Version, inputs and parameters, as a model card lists them; `truth` is the file with the
    reference labels."""
    drawn: Mapping[str, int] = field(default_factory=dict)
    """`drawn_by` of the scored papers' decisions -> number of papers; {} for a gold file."""


_MEANS = (
    "core_f1", "mean_f1", "micro_f1", "precision_at_1", "primary_accuracy",
    "mean_average_precision", "ece", "brier", "confident", "confident_accuracy",
)  # fmt: skip


def quality_json(findings: Findings) -> dict[str, object]:
    """Return all results as JSON values, rounded to 4 digits; undefined figures are None."""
    evaluation = findings.evaluation
    setup = evaluation.setup
    means = {name: getattr(evaluation, name) for name in _MEANS}
    return {
        "n": setup.n,
        "cross_validated": setup.is_cross_validated,
        "folds": setup.folds,
        "repeats": setup.repeats,
        "trained_on": setup.trained_on,
        "unlabelled": setup.unlabelled,
        "left_out_in_prior": setup.in_prior,
        "categories": {
            name: {
                "precision": json_values(figures.precision),
                "recall": json_values(figures.recall),
                "f1": json_values(figures.f1.value),
                "support": figures.support,
                "interval": interval_json(figures.f1),
                "core": figures.core,
            }
            for name, figures in evaluation.categories.items()
        },
        **{name: json_values(mean.value) for name, mean in means.items()},
        "facets": {name: json_values(f.figure.value) for name, f in evaluation.facets.items()},
        "intervals": {name: interval_json(mean) for name, mean in means.items()},
        "facet_figures": {
            name: {
                "measure": facet.measure,
                "value": json_values(facet.figure.value),
                "interval": interval_json(facet.figure),
                "n": facet.n,
            }
            for name, facet in evaluation.facets.items()
        },
        "confusion": json_values(evaluation.confusion),
        "left_out": list(evaluation.left_out),
        "unmatched": list(setup.unmatched),
        "provenance": dict(findings.provenance),
        "method": {**METHOD, "calibration_bins": CALIBRATION_BINS},
    }


_SELECTION = {
    AUDIT: "selected at random",
    "queue": "selected by a queue, which prefers difficult papers",
    "volunteer": "chosen by reviewers",
    "imported": "filed by their source",
    "": "without a record of their selection",
}
_MIN_FOR_INTERVAL = 10
"""Scored papers. With fewer, a bootstrap interval is too narrow: one paper gives 1.00 to 1.00."""
_MIN_SUPPORT = 5
"""Scored papers of a category for which its F1 is meaningful."""
_MAX_UNMATCHED = 5
_MORE = "Every figure: --full; for programs: --json FILE."


def quality_report(findings: Findings, *, full: bool = False) -> Report:
    """Return the report: three lines with the main figure, the weakest category, and advice.

    full: also the setup, each category (core first), means, calibration and confusion matrix.
    """
    evaluation = findings.evaluation
    setup = evaluation.setup
    sections: list[Sequence[Part]] = [[_MORE]]
    if full:
        sections = [
            _header(setup),
            _categories(evaluation),
            [_means(evaluation)],
            _calibration(evaluation),
            _confusion(evaluation),
        ]
    return Report(tuple(_verdict(findings)), (*sections, _unmatched(setup.unmatched)))


def _verdict(findings: Findings) -> Iterator[str]:
    """Yield the share of right labels, the weakest category, and the next step."""
    evaluation, selection = findings.evaluation, findings.drawn
    right, n = evaluation.primary_accuracy, evaluation.setup.n
    how = "; ".join(
        f"{'all' if count == n else count} {_SELECTION.get(way, way)}"
        for way, count in sorted(selection.items(), key=lambda item: (-item[1], item[0]))
    )
    range_ = interval(right)
    if n < _MIN_FOR_INTERVAL:
        range_ = "too few for an interval"
    range_ = f" ({range_})" if range_ else ""
    yield (
        f"Filed right: {number(right.value)}{range_} of {paper_count(n)} of "
        f"{findings.provenance['truth']}{f', {how}' if how else ''}."
    )
    weakest = weakest_category(evaluation)
    if weakest is None:
        yield "Weakest category: none, since no scored paper has one that is in scope."
    else:
        figures = evaluation.categories[weakest]
        yield (
            f"Weakest category: {weakest}, F1 {number(figures.f1.value)} (precision "
            f"{number(figures.precision)}, recall {number(figures.recall)}, "
            f"{paper_count(figures.support)})."
        )
    yield f"What to do: {_advice(evaluation, selection, weakest)}"


def weakest_category(evaluation: Evaluation) -> str | None:
    """Return the category in scope with the lowest F1, preferably one with enough papers."""
    scoped = {
        name: figures
        for name, figures in evaluation.categories.items()
        if figures.support and not figures.out_of_scope
    }
    supported = {
        name: figures for name, figures in scoped.items() if figures.support >= _MIN_SUPPORT
    }
    ranked = sorted(
        (round(figures.f1.value, 4), name) for name, figures in (supported or scoped).items()
    )
    return ranked[0][1] if ranked else None


def _advice(evaluation: Evaluation, selection: Mapping[str, int], weakest: str | None) -> str:
    if evaluation.setup.n < MIN_AUDITED or (selection and selection.get(AUDIT, 0) < MIN_AUDITED):
        missing = MIN_AUDITED - selection.get(AUDIT, 0)
        return (
            f"`fieldguide review audit {missing}`: with {MIN_AUDITED} papers selected at random "
            "the figures are valid for all papers."
        )
    if weakest is None:
        return "Review papers that are in scope."
    filed = evaluation.confusion.get(weakest, {})
    confused = {other: n for other, n in filed.items() if other != weakest and n > 1}
    figures = evaluation.categories[weakest]
    if confused and figures.recall <= figures.precision:
        other = min(confused, key=lambda name: (-confused[name], name))
        return (
            f"use `includes`, `excludes` and `against` cues to separate {weakest} from {other}, "
            f"which was assigned to {confused[other]} of its papers."
        )
    return f"`fieldguide review next --category {weakest}`, or cues: `fieldguide check --deep`."


def _header(setup: Setup) -> list[str]:
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


def _categories(evaluation: Evaluation) -> list[Part]:
    core_first = sorted(evaluation.categories.items(), key=lambda entry: not entry[1].core)
    rows = [
        (
            f"{'*' if figures.core else ' '} {name}",
            *map(number, (figures.precision, figures.recall, figures.f1.value)),
            str(figures.support),
            interval(figures.f1),
        )
        for name, figures in core_first
    ]
    scope = [name for name, figures in core_first if figures.out_of_scope]
    left_out = [name for name in evaluation.left_out if name not in scope]
    core = any(figures.core for _, figures in core_first)
    columns = ("category", "P", "R", "F1", "n", "95 % interval of F1")
    return [
        Table(columns, tuple(rows), align="lrrrrl"),
        *(["* core category"] if core else []),
        *([f"Out of scope, not in the means: {', '.join(scope)}."] if scope else []),
        *(
            [f"Not in the means because no scored paper has them: {', '.join(left_out)}."]
            * bool(left_out)
        ),
    ]


def _means(evaluation: Evaluation) -> Table:
    counted = [each for each in evaluation.categories.values() if each.support]
    core = _category_count(sum(each.core for each in counted))
    every = _category_count(sum(not each.out_of_scope for each in counted))
    return _figures(
        ("core mean F1", evaluation.core_f1, core),
        ("mean F1", evaluation.mean_f1, every),
        ("micro F1", evaluation.micro_f1, every),
        ("mean average precision", evaluation.mean_average_precision, every),
        ("P@1", evaluation.precision_at_1, "the primary category is one of the true topics"),
        ("primary accuracy", evaluation.primary_accuracy, "the primary category is right"),
        *(
            (f"{name} {facet.measure}", facet.figure, paper_count(facet.n))
            for name, facet in evaluation.facets.items()
        ),
    )


def _category_count(n: int) -> str:
    return f"{n} {'category' if n == 1 else 'categories'}"


def _figures(*rows: tuple[str, Figure, str], digits: int = 2) -> Table:
    cells = [(name, number(f.value, digits), interval(f, digits), note) for name, f, note in rows]
    return Table((), tuple(cells), align="lrl")


def _calibration(evaluation: Evaluation) -> list[Part]:
    return [
        _figures(
            ("expected calibration error", evaluation.ece, "of topics; resamples overstate it"),
            ("Brier score", evaluation.brier, "of topics"),
            digits=3,
        ),
        _figures(
            ("confident papers", evaluation.confident, "share of the scored papers"),
            ("primary accuracy of those", evaluation.confident_accuracy, ""),
        ),
    ]


def _confusion(evaluation: Evaluation) -> list[Part]:
    """Return the confusion matrix; the columns have the numbers of the categories in the rows."""
    assigned = {name for row in evaluation.confusion.values() for name in row}
    ids = [
        name for name in evaluation.categories if name in assigned or name in evaluation.confusion
    ]
    if not ids:
        return []
    numbers = {name: str(position) for position, name in enumerate(ids, start=1)}
    rows = []
    for name in ids:
        filed = evaluation.confusion.get(name, {})
        cells = (str(filed[other]) if other in filed else "·" for other in ids)
        rows.append((f"{numbers[name]:>2} {name}", *cells))
    scored = paper_count(sum(sum(row.values()) for row in evaluation.confusion.values()))
    heading = f"Confusion matrix: rows are true categories, columns assigned ones ({scored})."
    return [Table(("", *numbers.values()), tuple(rows), heading)]


def _unmatched(titles: Sequence[str]) -> list[Part]:
    heading = f"Not scored, since no paper bears the title: {len(titles)}"
    rows = tuple((title,) for title in titles)
    return [Table((), rows, heading, indent="  ", max_rows=_MAX_UNMATCHED)] if titles else []
