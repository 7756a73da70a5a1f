"""Two evaluations held against each other, paper by paper: did the labels get worse?

An absolute bar flaps: with a hundred decided papers a figure moves by 0.05 when five of them are
others. Here the same papers are scored twice, so what is hard is hard for both, and what is left is
the change. Papers that only one side scored, or whose truth changed, tell nothing and are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from classifier.errors import UsageError
from classifier.evaluation.metrics import Figure, difference
from classifier.evaluation.outcome import Evaluation, Outcomes, Setup
from classifier.evaluation.report import Report, Table, number, paper_count
from classifier.evaluation.scoring import score
from classifier.labelling.labels import Decision, PaperLabels
from classifier.taxonomy.model import Taxonomy


@dataclass(frozen=True, slots=True)
class FigureChange:
    """One figure on the papers that both sides scored."""

    name: str
    """As `--fail-under` calls it, or the id of a facet or category."""
    label: str
    before: float
    now: float
    change: Figure
    """`now` minus `before`, -1 to 1, with the paired 95 % interval."""
    is_gated: bool
    """Whether a drop fails the gate; of the others it is only told."""

    @property
    def is_drop(self) -> bool:
        """Whether it fell by more than chance explains: the whole interval lies below 0."""
        return self.change.high < 0


@dataclass(frozen=True, slots=True)
class OutcomeChange:
    """A paper that was filed rightly and is not any more, or the other way round."""

    paper_id: str
    title: str
    """"" where it is not known."""
    facet: str
    before: str
    now: str
    truth: str
    is_worse: bool


@dataclass(frozen=True, slots=True)
class QualityComparison:
    """What changed between two evaluations."""

    papers: int
    """Scored by both, with the same truth."""
    left_out: int
    """Scored now, and not compared: new, or decided otherwise than before."""
    figures: tuple[FigureChange, ...]
    """Means and facets first; then those categories that moved."""
    outcomes: tuple[OutcomeChange, ...]
    """Of the first repeat; the worse first, then by facet and id."""
    most_drop: float | None = None
    """A fall of a gated figure beyond this fails, too, proven or not; None: no such bound."""

    @property
    def failures(self) -> tuple[FigureChange, ...]:
        """The gated figures that fell: provably, or by more than `most_drop`."""
        return tuple(
            each
            for each in self.figures
            if each.is_gated and (each.is_drop or self._is_beyond(each.change.value))
        )

    def _is_beyond(self, change: float) -> bool:
        return self.most_drop is not None and -change > self.most_drop + 1e-9


def compare_quality(
    taxonomy: Taxonomy,
    before: Outcomes,
    now: Outcomes,
    *,
    most_drop: float | None = None,
) -> QualityComparison:
    """Score both sides on the papers that they share, with the measures of every evaluation."""
    truth = {
        paper_id: same
        for paper_id, decisions in sorted(now.truth.items())
        if (same := _same_truth(taxonomy, before.truth.get(paper_id, {}), decisions))
    }
    if not truth:
        return QualityComparison(0, len(now.truth), (), (), most_drop)
    ids = list(truth)
    old, new = (_scored(taxonomy, ids, truth, side) for side in (before, now))
    outcomes = sorted(
        _moved(truth, before, now), key=lambda each: (not each.is_worse, each.facet, each.paper_id)
    )
    figures = tuple(_changes(old, new))
    return QualityComparison(
        len(truth), len(now.truth) - len(truth), figures, tuple(outcomes), most_drop
    )


def _same_truth(
    taxonomy: Taxonomy, before: Mapping[str, Decision], now: Mapping[str, Decision]
) -> dict[str, Decision]:
    """Return the facets of a paper of which both sides hold the same for true.

    What one of them does not know, for lack of the category or of an answer, does not count.
    """
    same = {}
    for facet_id in before.keys() & now.keys():
        facet, one, other = taxonomy.facet(facet_id), before[facet_id], now[facet_id]
        tops = [{facet.top_of(value) for value in side.values} for side in (one, other)]
        filed = [facet.top_of(side.primary) for side in (one, other)]
        if tops[0] == tops[1] and filed[0] == filed[1]:
            unknown = tuple(sorted({*one.unknown, *other.unknown}))
            same[facet_id] = replace(other, unknown=unknown)
    return same


def _scored(
    taxonomy: Taxonomy,
    ids: Sequence[str],
    truth: Mapping[str, Mapping[str, Decision]],
    side: Outcomes,
) -> Evaluation:
    rounds = [[labels.get(key, PaperLabels(key, {})) for key in ids] for labels in side.rounds]
    setup = Setup(len(ids), 1, len(rounds), 0, 0)
    return score(taxonomy, ids, truth, rounds, setup)


def _changes(before: Evaluation, now: Evaluation) -> Iterator[FigureChange]:
    """Yield the means, then the F1 of each category that moved, the one that fell most first."""
    old = _named_figures(before)
    for name, (label, new) in _named_figures(now).items():
        if name != "map" and name in old:  # of what was given earlier no probabilities are kept
            one = old[name][1]
            gated = name in _GATED or name in now.facets
            change = FigureChange(name, label, one.value, new.value, difference(new, one), gated)
            if not math.isnan(change.change.value):
                yield change
    categories = [
        FigureChange(name, f"F1 of {name}", one.value, new.value, difference(new, one), False)
        for name, figures in now.categories.items()
        for one, new in ((before.categories[name].f1, figures.f1),)
        if not math.isnan(one.value) and one.value != new.value
    ]
    yield from sorted(categories, key=lambda each: (each.change.value, each.name))


def _moved(
    truth: Mapping[str, Mapping[str, Decision]], before: Outcomes, now: Outcomes
) -> Iterator[OutcomeChange]:
    for paper_id, decisions in truth.items():
        for facet_id, decision in sorted(decisions.items()):
            was, is_now = (_filed(side, paper_id, facet_id) for side in (before, now))
            right = decision.primary.partition("/")[0]
            known = {was, is_now}.isdisjoint(decision.unknown)
            if known and was != is_now and right in (was, is_now):
                title = now.titles.get(paper_id, "")
                worse = was == right
                yield OutcomeChange(paper_id, title, facet_id, was, is_now, right, worse)


def _filed(side: Outcomes, paper_id: str, facet_id: str) -> str:
    labels = side.rounds[0].get(paper_id)
    facet = labels.facets.get(facet_id) if labels else None
    return facet.primary.partition("/")[0] if facet else ""


MOST_PAPERS = 20
MOST_CATEGORIES = 10
_LONGEST_TITLE = 90
HEADING = "Quality"


def comparison_report(comparison: QualityComparison) -> Report:
    """Return the verdict, figure by figure, and the papers that got worse."""
    if not comparison.figures:
        return Report((verdict(comparison),), title=HEADING)
    means = [each for each in comparison.figures if not each.label.startswith("F1 of ")]
    categories = [each for each in comparison.figures if each.label.startswith("F1 of ")]
    rows = [
        (
            each.label,
            number(each.before, 3),
            number(each.now, 3),
            f"{each.change.value:+.3f}" if each.change.value else "0",
            _interval(each),
        )
        for each in (*means, *categories[:MOST_CATEGORIES])
    ]
    columns = ("figure", "before", "now", "change", "95 % interval")
    worse = [each for each in comparison.outcomes if each.is_worse]
    better = len(comparison.outcomes) - len(worse)
    heading = f"Worse now: {len(worse)} label{'' if len(worse) == 1 else 's'}; better now: {better}"
    papers = tuple((_outcome(each),) for each in worse)
    below = [Table((), papers, heading, indent="  ", most=MOST_PAPERS)] if worse else []
    return Report((verdict(comparison), Table(columns, tuple(rows))), (below,), HEADING)


def verdict(comparison: QualityComparison) -> str:
    """Return in a sentence whether the labels got worse."""
    if not comparison.papers:
        return "Quality cannot be compared: no paper is scored on both sides with the same truth."
    on = f"on the {paper_count(comparison.papers)} scored by both"
    if others := comparison.left_out:
        on += f" ({others} more {'is' if others == 1 else 'are'} new or decided anew)"
    if not comparison.failures:
        return f"Quality did not drop, {on}."
    told = []
    for each in comparison.failures:
        why = f"more than --max-drop {comparison.most_drop or 0:g}, though it may be chance"
        if each.is_drop:
            why = f"95 % interval of the change {_interval(each)}"
        moved = f"{number(each.before, 3)} to {number(each.now, 3)}"
        told.append(f"{each.label} from {moved} ({why})")
    return f"Quality dropped, {on}: {', '.join(told)}."


def _interval(each: FigureChange) -> str:
    return f"{each.change.low:+.3f} to {each.change.high:+.3f}"


def _outcome(each: OutcomeChange) -> str:
    title = " ".join(each.title.split()) or each.paper_id
    short = title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1].rstrip()}…"
    was, now = each.before or "nothing", each.now or "nothing"
    return f"{each.facet}: {was} → {now}, right is {each.truth}: “{short}” ({each.paper_id})"


BAR_NAMES = ("core", "all", "micro", "primary", "p_at_1", "map")
"""The figures that `--fail-under` knows beside the accuracy of each further facet."""
_GATED = ("core", "primary")
"""Those of them whose drop fails `--against`; further facets do, too."""


def check_bars(evaluation: Evaluation, bars: Sequence[str]) -> list[str]:
    """Return, in words, each bar (`core=0.85`) that the evaluation does not reach.

    Names are core, all, micro, primary, p_at_1, map and the ids of further facets. An undefined
    value reaches no bar. Raises UsageError for an unknown name or a value that is not 0 to 1.
    """
    known = _named_figures(evaluation)
    failures: list[str] = []
    for bar in bars:
        name, wanted = parse_bar(bar, list(known))
        label, value = known[name][0], known[name][1].value
        no_core = name == "core" and not any(each.core for each in evaluation.categories.values())
        cure = " Mark categories `core: true` in the taxonomy, or name `all`." if no_core else ""
        if math.isnan(value):
            failures.append(f"{name}: {label} is undefined, wanted at least {wanted:g}.{cure}")
        elif value < wanted:
            # Rounded down, so that a value just below its bar never looks as if it reached it.
            shown = math.floor(value * 1000) / 1000
            failures.append(f"{name}: {label} is {shown:.3f}, wanted at least {wanted:g}.")
    return failures


def _named_figures(evaluation: Evaluation) -> dict[str, tuple[str, Figure]]:
    """Return the name of a figure, as `--fail-under` calls it -> (its name for people, it)."""
    return {
        "core": ("core mean F1", evaluation.core_f1),
        "all": ("mean F1", evaluation.mean_f1),
        "micro": ("micro F1", evaluation.micro_f1),
        "primary": ("primary accuracy", evaluation.primary_accuracy),
        "p_at_1": ("P@1", evaluation.precision_at_1),
        "map": ("mean average precision", evaluation.mean_average_precision),
        **{
            name: (f"{facet.measure} of {name}", facet.figure)
            for name, facet in sorted(evaluation.facets.items())
        },
    }


def parse_bar(bar: str, known: Sequence[str]) -> tuple[str, float]:
    """Return the figure's name and the value it shall reach; UsageError where one is wrong."""
    name, wanted = parse_value(bar)
    if name not in known:
        raise UsageError(f"--fail-under {bar}: no figure '{name}'; one of {', '.join(known)}.")
    return name, wanted


def parse_value(bar: str) -> tuple[str, float]:
    """Return the same without asking for the name, which only the taxonomy knows."""
    name, _, text = bar.partition("=")
    try:
        wanted = float(text)
    except ValueError:
        wanted = math.nan
    if not 0 <= wanted <= 1:
        raise UsageError(f"--fail-under {bar}: '{text}' is no number from 0 to 1.")
    return name.strip(), wanted
