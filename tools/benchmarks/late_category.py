"""What it costs to think of a category late: `python -m tools.benchmarks.late_category`.

The papers of gold/dev.csv, without a prior, 5-fold as in `quality`. Each category with enough
decided papers is taken out of the decisions that a fold learns from, as if it had not existed when
they were made; a paper that was filed there is filed under the next topic, or out of scope. Then
the category is there, and the fold's 20 reviewed papers that most likely belong to it, ranked once,
are reviewed again, told the truth. Compared are, by the F1 of the category on the papers under
test: it was there from the start; old decisions taken for a "no" (naive); masked; masked with 20
reviews.

The cues of the shipped taxonomy are better than those that come to mind with a new category. With
`--first-day` the late category alone is cut to its first five cues, in all ways alike.

Needs the abstracts and labels in ../shared. Takes about twenty minutes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean

from classifier.advice.review_again import MOST, likeliest
from classifier.evaluation.crossval import Experiment
from classifier.evaluation.first_day import first_day as cut_to_first_day
from classifier.evaluation.held_out import LearningMaterial
from classifier.evaluation.settings import REVIEWED, Setting
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decision, Decisions, PaperLabels
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet, Taxonomy
from tools.benchmarks.quality import SHARED, Material, read_material

LEAST_DECIDED = 10
BAR = 0.03


@dataclass(frozen=True, slots=True)
class Way:
    """How older decisions are understood once the category is there."""

    name: str
    late: bool = True
    """Whether decisions were made before the category was there."""
    masked: bool = True
    reviews: int = 0
    """How many papers are reviewed again, the likeliest ones."""
    rounds: int = 1
    """In how many steps, with a fit before each."""


WAYS = (
    Way("from the start", late=False),
    Way("naive", masked=False),
    Way("masked"),
    Way(f"masked, {MOST} reviews", reviews=MOST),
)


class LateCategory:
    """A classifier whose decisions were made before `category` existed; told them as they are.

    first_day: whether the category has the cues of a first day only.
    """

    def __init__(self, taxonomy: Taxonomy, *, category: str, way: Way, first_day: bool) -> None:
        self.taxonomy = with_few_cues(taxonomy, category) if first_day else taxonomy
        self.category, self.way = category, way

    def fit(self, X: Sequence[Paper], y: Decisions | None = None) -> LateCategory:  # noqa: N803
        """Learn, review again what most likely belongs, and learn once more."""
        truth, facet = y or {}, self.taxonomy.first
        if not self.way.late:
            self.classifier_ = TaxonomyClassifier(self.taxonomy).fit(X, truth)
            return self
        told = {
            paper_id: {facet.id: before(decided[facet.id], facet, self.category, self.way.masked)}
            for paper_id, decided in truth.items()
        }
        reviewed = [paper for paper in X if paper.id in told]
        for _ in range(self.way.rounds if self.way.reviews else 0):
            labels = TaxonomyClassifier(self.taxonomy).fit(X, told).predict(reviewed)
            step = self.way.reviews // self.way.rounds
            for revisit in likeliest(facet, self.category, told, labels, most=step):
                told[revisit.paper_id] = {facet.id: truth[revisit.paper_id][facet.id]}
        self.classifier_ = TaxonomyClassifier(self.taxonomy).fit(X, told)
        return self

    def predict(self, X: Sequence[Paper]) -> list[PaperLabels]:  # noqa: N803
        """Return the labels of each paper, in order."""
        return self.classifier_.predict(X)


def with_few_cues(taxonomy: Taxonomy, category: str) -> Taxonomy:
    """Return `taxonomy` with one category as it is on a first day, without exemplars."""
    facet, short = taxonomy.first, cut_to_first_day(taxonomy).first
    categories = [short.get(each.id) if each.id == category else each for each in facet.categories]
    fields = {name: getattr(facet, name) for name in type(facet).model_fields}
    cut = Facet.model_validate({**fields, "categories": categories})
    return Taxonomy(survey=taxonomy.survey, facets={**taxonomy.facets, facet.id: cut})


def before(decision: Decision, facet: Facet, category: str, masked: bool) -> Decision:
    """Return what would have been decided without `category`."""
    unknown = tuple(each.id for each in facet.walk() if facet.top_of(each.id) == category)
    values = tuple(value for value in decision.values if value not in unknown)
    tops = [name for name in facet.ids if name in values]
    nothing = facet.out_of_scope
    assert nothing is not None
    kept = decision.primary if decision.primary != category else (*tops, nothing.id)[0]
    return Decision(values or (nothing.id,), kept, unknown=unknown if masked else ())


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.benchmarks.late_category", description=__doc__
    )
    parser.add_argument("--repeats", type=int, default=1, help="of the cross-validation")
    parser.add_argument("--first-day", action="store_true", help="few cues for the late category")
    parser.add_argument("--category", action="append", help="only this one; may be repeated")
    options = parser.parse_args(arguments)
    if not SHARED.is_dir():
        print(f"{SHARED}: not there. The labelled abstracts belong in it.", file=sys.stderr)
        return 1
    material = read_material()
    experiment = _experiment(material, options.repeats)
    print(f"| category | papers | {' | '.join(way.name for way in WAYS)} |")
    print(f"|---|---|{'---|' * len(WAYS)}")
    rows = []
    for category, papers in _categories(experiment, options.category):
        row = [_f1(experiment, category, setting) for setting in _settings(category, options)]
        rows.append(row)
        print(f"| {category} | {papers} | {' | '.join(f'{f1:.3f}' for f1 in row)} |", flush=True)
    means = [fmean(column) for column in zip(*rows, strict=True)]
    print(f"| **mean** | | {' | '.join(f'**{mean:.3f}**' for mean in means)} |")
    lost = means[0] - means[-1]
    print(f"\n{MOST} reviews lose {lost:.3f} F1 (wanted: at most {BAR}).")
    return 0 if lost <= BAR else 1


def _experiment(material: Material, repeats: int) -> Experiment:
    """Return the split of `quality`, with the first facet alone: the others are as they were."""
    whole = material.taxonomy
    taxonomy = Taxonomy(survey=whole.survey, facets={whole.first.id: whole.first})
    learned = LearningMaterial(material.seeds, material.dev)
    return Experiment(
        taxonomy, material.seeds, material.seeds, material.dev, learned, repeats=repeats
    )


def _categories(experiment: Experiment, named: Sequence[str] | None) -> Iterator[tuple[str, int]]:
    """Yield (category, scored papers that have it) of those with enough papers, or the named."""
    facet = experiment.taxonomy.first
    for category in facet.categories:
        decided = [experiment.truth[paper.id][facet.id] for paper in experiment.papers]
        papers = sum(category.id in decision.values for decision in decided)
        wanted = category.id in named if named else papers >= LEAST_DECIDED
        if wanted and not category.out_of_scope:
            yield category.id, papers


def _settings(category: str, options: argparse.Namespace) -> list[Setting]:
    told = {"category": category, "first_day": options.first_day}
    return [
        replace(
            REVIEWED,
            name=f"{category}: {way.name}",
            make_classifier=partial(LateCategory, way=way, **told),
        )
        for way in WAYS
    ]


def _f1(experiment: Experiment, category: str, setting: Setting) -> float:
    return experiment.evaluate(setting).categories[category].f1.value


if __name__ == "__main__":
    sys.exit(main())
