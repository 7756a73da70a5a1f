"""What it costs to think of a category late.

    python -m tools.late_category [--first-day] [--category C] [--json FILE]

The 182 decided papers of the survey in five folds, without a prior. Each category with ten decided
papers or more is taken out of the decisions that a fold learns from, as if it had not existed when
they were made; a paper that was filed there goes to its next topic, or out of scope. Then it is
there, and the twenty decided papers of the fold that most likely belong to it are reviewed again.
Compared is the F1 of the category on the papers under test. `--first-day` leaves the late category
five cues: those of the shipped taxonomy are better than what comes to mind in a hurry.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from statistics import fmean

import numpy as np

from classifier.evaluation import metrics
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decision, Decisions, PaperLabels
from classifier.papers.paper import Paper
from classifier.review.second_look import MOST, likeliest
from classifier.taxonomy.model import Facet, Taxonomy
from tools.first_day import first_day
from tools.labelled import Report, nested, parser_of, read_material, without_exemplars

LEAST_DECIDED = 10
BAR = 0.03
WAYS = {"from the start": None, "masked": 0, f"masked, {MOST} reviewed again": MOST}
"""Name -> how many papers are reviewed again once the category is there; None: it always was."""


class Late:
    """A classifier whose decisions were made before the category was there."""

    def __init__(self, taxonomy: Taxonomy, category: str, reviews: int | None) -> None:
        self.taxonomy, self.category, self.reviews = taxonomy, category, reviews

    def fit(self, X: Sequence[Paper], y: Decisions | None = None) -> Late:  # noqa: N803
        """Learn, review again what most likely belongs, and learn once more."""
        truth, facet = y or {}, self.taxonomy.first
        told = dict(truth)
        if self.reviews is not None:
            for name, said in truth.items():
                told[name] = {facet.id: before(said[facet.id], facet, self.category)}
        if self.reviews:
            decided = [paper for paper in X if paper.id in told]
            labels = TaxonomyClassifier(self.taxonomy).fit(X, told).predict(decided)
            for again in likeliest(facet, self.category, told, labels, most=self.reviews):
                told[again.paper_id] = {facet.id: truth[again.paper_id][facet.id]}
        self.classifier_ = TaxonomyClassifier(self.taxonomy).fit(X, told)
        return self

    def predict(self, X: Sequence[Paper]) -> list[PaperLabels]:  # noqa: N803
        """Return the labels of each paper, in order."""
        return self.classifier_.predict(X, explain="nothing")


def before(decision: Decision, facet: Facet, category: str) -> Decision:
    """Return what would have been decided without the category, of which it then says nothing."""
    unknown = tuple(each.id for each in facet.walk() if facet.top_of(each.id) == category)
    values = tuple(value for value in decision.values if value not in unknown)
    tops = [name for name in facet.ids if name in values]
    nothing = facet.out_of_scope
    assert nothing is not None
    primary = decision.primary if decision.primary != category else (*tops, nothing.id)[0]
    return Decision(values or (nothing.id,), primary, unknown=unknown)


def with_few_cues(taxonomy: Taxonomy, category: str) -> Taxonomy:
    """Return the taxonomy with one category as it is on a first day."""
    facet, short = taxonomy.first, first_day(taxonomy).first
    categories = [short.get(c.id) if c.id == category else c for c in facet.categories]
    fields = {name: getattr(facet, name) for name in type(facet).model_fields}
    cut = type(facet).model_validate({**fields, "categories": categories})
    return Taxonomy(survey=taxonomy.survey, facets={facet.id: cut})


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return 1 where more is lost than expected."""
    parser = parser_of("late_category", __doc__)
    parser.add_argument("--first-day", action="store_true", help="few cues for the late category")
    parser.add_argument("--category", action="append", help="only this one; may be repeated")
    options = parser.parse_args(arguments)
    material, report = read_material(), Report(options)
    whole = without_exemplars(material.taxonomy)
    taxonomy = Taxonomy(survey=whole.survey, facets={whole.first.id: whole.first})
    facet, dev = taxonomy.first, material.dev
    counts = {
        category.id: sum(category.id in said[facet.id].values for said in dev.decisions.values())
        for category in facet.categories
        if not category.out_of_scope
    }
    asked = options.category or [name for name, n in counts.items() if n >= LEAST_DECIDED]
    found: dict[str, list[float]] = {way: [] for way in WAYS}
    for category in asked:
        cut = with_few_cues(taxonomy, category) if options.first_day else taxonomy
        for way, reviews in WAYS.items():
            (said,) = nested(cut, partial(Late, cut, category, reviews), dev, material.seeds)
            once = np.ones((1, len(said.filed)))
            f1 = metrics.tally(said.truth, said.labels, once).f1[0, facet.ids.index(category)]
            found[way].append(float(f1))
            report.say(f"{category} ({counts[category]}), {way}", float(f1), f"{f1:.3f}")
    means = [fmean(each) for each in found.values()]
    for way, mean in zip(WAYS, means, strict=True):
        report.say(f"mean, {way}", mean, f"{mean:.3f}")
    lost = means[0] - means[-1]
    report.say("lost", lost, f"{lost:.3f} (expected: {BAR} at most)")
    report.end()
    return 0 if lost <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
