"""The topic model, fitted again and again on the same papers while decisions come in.

Text, cues, seed labels and the scalar products of papers do not depend on decisions: they are made
once. Calibration is left out (it needs cross-fits, six times the work), and the order of papers
within a category does not change by it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from classifier.labelling.regression import Settings, fit_categories
from classifier.labelling.span import fit_span
from classifier.labelling.targets import Teaching, teaching_targets

from classifier.evaluation.held_out import without_exemplars
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.facet_model import FacetModel, FacetView, Scores
from classifier.labelling.features import with_cues
from classifier.labelling.labels import Decisions
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy
from classifier.text.normalise import title_key

# So many folds that no number of decisions is enough for cross-fits.
_UNCALIBRATED = Settings(4.0, 0.25, 10**6, 0.9, 0.5)


class RefittedModel(FacetModel):
    """A facet model whose papers stay while decisions come in."""

    def prepare(
        self, seen: FacetView, names: Sequence[str], papers: Sequence[Paper]
    ) -> RefittedModel:
        """Learn what does not depend on decisions."""
        self.seen, self.papers = seen, papers
        self.names_ = (*names, *seen.cues.names)
        self.votes_alone_ = False
        rows = with_cues(seen.text, seen.cues)
        self.span = fit_span(rows)
        self.seeds = self._spread_seeds(seen)
        return self

    def refit(self, decisions: Decisions, *, filed: bool = True) -> RefittedModel:
        """Learn from decisions, paper id -> facet -> Decision; papers without one are as before.

        filed: learn where papers are filed, too; it takes half of the time, and what applies does
        not depend on it.
        """
        decided = {
            row: decisions[paper.id][self.facet.id]
            for row, paper in enumerate(self.papers)
            if self.facet.id in decisions.get(paper.id, {})
        }
        teaching = Teaching(decided, {})
        targets = teaching_targets(self.facet, self.seeds, teaching, self.settings.seed_weight)
        ids = [paper.id for paper in self.papers]
        unseen = self._unseen(self.span, targets, [], [])
        self._learn_decisions(replace(self.seen, prior=None), targets, ids, unseen)
        if filed or self.facet.kind == "single":
            nothing = np.zeros(0, dtype=np.int64)
            ((self.apply_weights_, self.file_weights_),) = self._train(
                self.span, targets, [nothing], lambda: None
            )
        else:
            every = np.arange(len(self.papers))
            weights = fit_categories(
                self.span, every, targets.applies, targets.weights, self.settings
            )
            self.apply_weights_, self.file_weights_ = weights, np.zeros_like(weights)
        return self


@dataclass(frozen=True)
class Bench:
    """Papers to learn from and, in another fold, papers to score."""

    train: tuple[Paper, ...]
    test: tuple[Paper, ...]
    models: dict[str, RefittedModel]
    """Facet -> its model."""
    tested: dict[str, FacetView]
    """Facet -> what its model sees of `test`."""

    def scores(self, facet_id: str) -> Scores:
        """Return what the model says of `train`."""
        return self.models[facet_id].score(self.models[facet_id].seen)


def bench(
    taxonomy: Taxonomy,
    papers: Sequence[Paper],
    test: Sequence[Paper],
    *,
    never_exemplars: Collection[Paper],
) -> Bench:
    """Return models ready to be told decisions on `papers` that are not in `test`.

    Titles of `never_exemplars` are no exemplars: their labels are to be found out.
    """
    held_out = {paper.id for paper in test}
    train = tuple(sorted((p for p in papers if p.id not in held_out), key=lambda p: p.id))
    keys = frozenset(title_key(paper.title) for paper in never_exemplars)
    classifier = TaxonomyClassifier(without_exemplars(taxonomy, keys))
    classifier.learn_terms(train)
    seen = classifier.facet_views(train)
    names = classifier.text_features_.names_
    models = {
        name: RefittedModel(facet, _UNCALIBRATED).prepare(seen[name], names, train)
        for name, facet in classifier.taxonomy.facets.items()
    }
    return Bench(train, tuple(test), models, classifier.facet_views(test))
