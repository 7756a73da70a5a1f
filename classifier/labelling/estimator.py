"""TaxonomyClassifier: a scikit-learn estimator from papers and decisions to labels."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, get_args

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from classifier.errors import UsageError
from classifier.labelling.bulk_contributions import contribution_names
from classifier.labelling.bulk_labels import BulkFacetLabels, BulkLabels
from classifier.labelling.bulk_reasons import bulk_reasons
from classifier.labelling.column_model import ColumnModel
from classifier.labelling.evidence import Evidence, EvidenceCounter, cue_digests
from classifier.labelling.exemplars import exemplar_categories
from classifier.labelling.facet_labels import asked_papers, facet_labels
from classifier.labelling.facet_model import Array, FacetModel
from classifier.labelling.features import CueColumns, Features, TextFeatures, cue_columns
from classifier.labelling.labels import Decision, Decisions, PaperLabels
from classifier.labelling.matching import PassageMatcher
from classifier.labelling.passage_reader import PassageReader, all_words
from classifier.labelling.passages import Passages
from classifier.labelling.prior import Prior
from classifier.labelling.prior_scores import PriorScores, score_prior
from classifier.labelling.reason_sources import ReasonSources, reason_sources
from classifier.labelling.regression import Settings
from classifier.labelling.sample import MOST_PAPERS, papers_to_learn_from
from classifier.labelling.scores import FacetView, Scores
from classifier.labelling.targets import Teaching
from classifier.labelling.term_counts import TermCounts
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.text.normalise import title_key

# The matrices are small: more threads are slower, and may add in another order.
_ONE_THREAD = partial(threadpool_limits, limits=1)

_AT_ONCE = 2_000
"""Papers that are labelled side by side: more of them take more memory, and no less time."""

Explain = Literal["all", "primary", "nothing"]
"""What labels are explained: see `TaxonomyClassifier.predict_bulk`."""


class TaxonomyClassifier(BaseEstimator):  # type: ignore[misc]
    """TF-IDF and logistic regression over a taxonomy's cues, corrected by decisions.

    Parameters
    ----------
    taxonomy : Taxonomy
        The facets, their categories and the cues that seed them.
    prior : Prior, optional
        What was learned beforehand from labelled abstracts.
    regularisation : float, default 4.0
        Inverse strength C of the L2 penalty.
    seed_weight : float, default 0.25
        Weight of an unreviewed paper's seed labels beside a reviewed paper's 1.
    folds : int, default 5
        Number of cross-fits from which calibration, thresholds and abstention are learned.
    accuracy_target : float, default 0.9
        The accuracy that the filed category of `confident` papers shall have.
    balance : float, default 0.5
        Exponent of the class balance, 0 (none) to 1 (equal classes).
    features : {"both", "cues", "terms", "votes"}, default "both"
        What the regressions see: TF-IDF terms and cue features, or one of the two (unreviewed
        papers teach by their cues all the same); "votes": no regression, the seed labels stand.
    most_papers : int, default 2000
        Papers without a decision are learned from as far as there are no more in all; a sample of
        them (`papers_to_learn_from`) bounds time and memory. The decided ones all count.

    Attributes
    ----------
    text_features_ : TextFeatures
        The learned vocabularies, shared by all facets.
    matcher_ : PassageMatcher
        The cues and terms that texts are searched for.
    models_ : dict of str to FacetModel
        The learned model of each facet.
    sources_ : dict of str to ReasonSources
        What reasons are called, of the facets in which somebody has asked for reasons.
    topics_ : dict of str to tuple of str
        Paper id -> its decided categories of the first facet, which say what else it is asked.
    """

    def __init__(
        self,
        taxonomy: Taxonomy,
        *,
        prior: Prior | None = None,
        regularisation: float = 4.0,
        seed_weight: float = 0.25,
        folds: int = 5,
        accuracy_target: float = 0.9,
        balance: float = 0.5,
        features: Features = "both",
        most_papers: int = MOST_PAPERS,
    ) -> None:
        self.taxonomy = taxonomy
        self.prior = prior
        self.regularisation = regularisation
        self.seed_weight = seed_weight
        self.folds = folds
        self.accuracy_target = accuracy_target
        self.balance = balance
        self.features = features
        self.most_papers = most_papers

    def fit(
        self,
        X: Sequence[Paper],  # noqa: N803 - scikit-learn's name
        y: Decisions | None = None,
        *,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> TaxonomyClassifier:
        """Learn from papers and the decisions on some of them (paper id -> facet -> Decision).

        Papers without a decision count with the labels that their cues vote for. The order of
        `X` does not matter. Works with no decision at all, and with no paper: then the votes of
        the cues decide. Raises UsageError for a parameter that makes no sense.
        """
        self._check_parameters()
        settings = Settings(
            self.regularisation,
            self.seed_weight,
            self.folds,
            self.accuracy_target,
            self.balance,
            self.features,
        )
        decisions = y or {}
        papers = papers_to_learn_from(list(X), decisions, self.taxonomy, self.most_papers)
        ids = [paper.id for paper in papers]
        facets = self.taxonomy.facets
        self.learn_terms(papers)
        first = self.taxonomy.first.id
        self.topics_ = {key: told[first].values for key, told in decisions.items() if first in told}
        learned = [name for name, facet in facets.items() if not facet.may_be_unstated]
        seen = self.facet_views(papers, learned)
        self.models_: dict[str, FacetModel] = {}
        self.sources_: dict[str, ReasonSources] = {}
        for facet_id, facet in facets.items():
            fitted = _counter(progress, facet, self.folds + 1)
            if facet_id not in seen:
                self.models_[facet_id] = ColumnModel(facet, settings)
                fitted()
                continue
            teaching = _teaching(facet, papers, decisions)
            with _ONE_THREAD():
                self.models_[facet_id] = FacetModel(facet, settings).fit(
                    seen[facet_id], self.text_features_.names_, ids, teaching, fitted
                )
        return self

    def _check_parameters(self) -> None:
        kinds = get_args(Features)
        if self.features not in kinds:
            raise UsageError(
                f"features: found {self.features!r}; wanted one of {', '.join(kinds)}."
            )
        if self.folds < 2:
            raise UsageError(f"folds: found {self.folds}; wanted 2 or more.")
        if not self.regularisation > 0:
            raise UsageError(f"regularisation: found {self.regularisation}; wanted more than 0.")

    def learn_terms(self, papers: Sequence[Paper]) -> None:
        """Learn which terms there are, and lay out what is looked for: the first step of `fit`."""
        words = all_words(papers)
        self.text_features_ = TextFeatures().fit(PassageReader(words).read(papers), words)
        counters = {name: EvidenceCounter(each) for name, each in self.taxonomy.facets.items()}
        of_prior = self.prior.feature_names if self.prior else ()
        self.matcher_ = PassageMatcher(counters, [self.text_features_.names_, of_prior])

    def text_rows(self, papers: Sequence[Paper]) -> sparse.csr_matrix:
        """Return the TF-IDF rows of papers; their columns are `text_features_.names_`."""
        return self.text_features_.transform(self.matcher_.terms.count(self._passages(papers)))

    def evidence(self, papers: Sequence[Paper]) -> dict[str, Evidence]:
        """Return facet id -> what its cues say of papers."""
        return self.matcher_.cues.count(self._passages(papers))

    def _passages(self, papers: Sequence[Paper]) -> Passages:
        return self.matcher_.reader.read(papers)

    def facet_views(
        self,
        papers: Sequence[Paper],
        facet_ids: Collection[str] | None = None,
    ) -> dict[str, FacetView]:
        """Return what each facet's model sees of `papers`.

        facet_ids: of the facets that are asked for, which the first one is among; None for all.
        """
        passages = self._passages(papers)
        counts = self.matcher_.terms.count(passages)
        evidence = self.matcher_.cues.count(passages, facet_ids)
        text = self.text_features_.transform(counts)
        first = self.taxonomy.first
        seen: dict[str, FacetView] = {}
        for name in evidence:
            facet = self.taxonomy.facet(name)
            about = None if facet is first else evidence[first.id]
            ids = () if facet.may_be_unstated else facet.ids  # which regressions see
            cues = cue_columns(evidence[name], ids, about, first.ids if ids else ())
            prior = self._prior_scores(facet, papers, counts, cues)
            seen[name] = FacetView(text, evidence[name], cues, prior)
        return seen

    def _prior_scores(
        self, facet: Facet, papers: Sequence[Paper], counts: TermCounts, cues: CueColumns
    ) -> PriorScores | None:
        known = self.prior.facets.get(facet.id) if self.prior else None
        if self.prior is None or known is None or facet.may_be_unstated:
            return None
        return score_prior(facet, known, self.prior.versions(papers), counts, cues)

    def predict_proba(self, X: Sequence[Paper]) -> dict[str, Array]:  # noqa: N803
        """Return facet id -> (n, k) probabilities, columns in the facet's order."""
        return {name: scores.probabilities for name, scores in self.facet_scores([*X]).items()}

    def facet_scores(self, papers: Sequence[Paper]) -> dict[str, Scores]:
        """Return facet id -> all that its model says of `papers`, and what it saw of them."""
        check_is_fitted(self, "models_")
        seen = self.facet_views(papers)
        return {name: model.score(seen[name]) for name, model in self.models_.items()}

    def predict(self, X: Sequence[Paper]) -> list[PaperLabels]:  # noqa: N803
        """Return the labels of each paper in all facets, with the reasons for them."""
        papers = list(X)  # an array of numpy, a column of pandas
        return [
            labels
            for start in range(0, len(papers), _AT_ONCE)
            for labels in self.predict_bulk(papers[start : start + _AT_ONCE]).paper_labels()
        ]

    def predict_bulk(self, papers: Sequence[Paper], *, explain: Explain = "all") -> BulkLabels:
        """Return the labels of papers as columns; a paper's do not depend on the others.

        explain: "all" for the reasons for all labels, and the digests of the cues that fired;
        "primary" for the reasons for the primary of the first facet; or "nothing".
        """
        by_facet = self.facet_scores(papers)
        decided = {row: self.topics_.get(paper.id, ()) for row, paper in enumerate(papers)}
        decided = {row: topics for row, topics in decided.items() if topics}
        has_abstract = np.array([bool(paper.abstract) for paper in papers], dtype=bool)
        asked, found = np.ones(len(papers), dtype=bool), dict[str, BulkFacetLabels]()
        for facet_id, scores in by_facet.items():
            facet = self.taxonomy.facet(facet_id)
            if found:
                asked = asked_papers(facet, found[self.taxonomy.first.id], decided)
            labels = facet_labels(self.models_[facet_id], scores, asked, has_abstract)
            found[facet_id] = self._explained(labels, scores, explain)
        digests = [""] * len(papers)
        if explain == "all":
            evidence = {facet_id: scores.seen.evidence for facet_id, scores in by_facet.items()}
            digests = cue_digests(evidence)
        return BulkLabels(tuple(paper.id for paper in papers), found, digests)

    def __getstate__(self) -> dict[str, object]:
        """Return what is pickled: all but the table of sources, which is quickly made again."""
        state: dict[str, object] = super().__getstate__()
        return {**state, "sources_": {}} if "sources_" in state else state

    def _explained(
        self, labels: BulkFacetLabels, scores: Scores, explain: Explain
    ) -> BulkFacetLabels:
        """Return the labels of a facet with their reasons."""
        is_first = labels.facet is self.taxonomy.first
        if explain == "nothing" or (explain == "primary" and not is_first):
            return labels
        facet_id, model = labels.facet.id, self.models_[labels.facet.id]
        if facet_id not in self.sources_:
            names = contribution_names(model, scores.seen.prior)
            self.sources_[facet_id] = reason_sources(labels.facet, names)
        chosen = labels.chosen if explain == "all" else labels.chosen[:, :1]
        return replace(labels, why=bulk_reasons(model, scores, self.sources_[facet_id], chosen))


def _counter(
    progress: Callable[[str, int, int], None] | None, facet: Facet, total: int
) -> Callable[[], None]:
    """Return what reports one more fit of a facet each time it is called; none is done yet."""
    done = itertools.count()

    def fitted() -> None:
        if progress:
            progress(f"Learning {facet.name.lower()}", next(done), total)

    fitted()
    return fitted


def _teaching(facet: Facet, papers: Sequence[Paper], decisions: Decisions) -> Teaching:
    """Return what people said of papers in a facet; a decision goes before an exemplar."""
    titles = exemplar_categories(facet)
    decided: dict[int, Decision] = {}
    exemplars: dict[int, str] = {}
    for row, paper in enumerate(papers):
        decision = decisions.get(paper.id, {}).get(facet.id)
        category_id = titles.get(title_key(paper.title))
        if decision is not None:
            decided[row] = decision
        if category_id is not None and (decision is None or category_id in decision.unknown):
            exemplars[row] = category_id
    return Teaching(decided, exemplars)
