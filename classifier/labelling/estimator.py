"""TaxonomyClassifier: a scikit-learn estimator from papers and decisions to labels."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from classifier.corpus.paper import Paper
from classifier.labelling.column_model import ColumnModel
from classifier.labelling.conformal import candidates
from classifier.labelling.decide import child_of, choose_categories
from classifier.labelling.evidence import Evidence, EvidenceCounter, cue_digests
from classifier.labelling.explain import reasons
from classifier.labelling.facet_model import Array, FacetModel
from classifier.labelling.features import CueColumns, Features, TextFeatures, cue_columns
from classifier.labelling.labels import Decision, Decisions, FacetLabels, PaperLabels, Reason
from classifier.labelling.matching import PassageMatcher
from classifier.labelling.passages import Passages, Vocabulary, all_words, passages_of
from classifier.labelling.prior import Prior
from classifier.labelling.prior_scores import PriorScores, score_prior
from classifier.labelling.regression import Settings
from classifier.labelling.scores import FacetView, Scores
from classifier.labelling.targets import Teaching
from classifier.labelling.term_counts import TermCounts
from classifier.labelling.views import text_views
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.text.normalise import title_key

# The matrices are small: more threads are slower, and may add in another order.
_ONE_THREAD = partial(threadpool_limits, limits=1)


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

    Attributes
    ----------
    text_features_ : TextFeatures
        The learned vocabularies, shared by all facets.
    matcher_ : PassageMatcher
        The cues and terms that texts are searched for.
    models_ : dict of str to FacetModel
        The learned model of each facet.
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
    ) -> None:
        self.taxonomy = taxonomy
        self.prior = prior
        self.regularisation = regularisation
        self.seed_weight = seed_weight
        self.folds = folds
        self.accuracy_target = accuracy_target
        self.balance = balance
        self.features = features

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
        the cues decide.
        """
        settings = Settings(
            self.regularisation,
            self.seed_weight,
            self.folds,
            self.accuracy_target,
            self.balance,
            self.features,
        )
        decisions = y or {}
        papers = sorted(X, key=lambda paper: paper.id)
        ids = [paper.id for paper in papers]
        facets = self.taxonomy.facets
        self.learn_terms(papers)
        first = self.taxonomy.first.id
        self.topics_ = {key: told[first].values for key, told in decisions.items() if first in told}
        learned = [name for name, facet in facets.items() if not facet.may_be_unstated]
        seen = self.facet_views(papers, learned)
        self.models_: dict[str, FacetModel] = {}
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

    def learn_terms(self, papers: Sequence[Paper]) -> None:
        """Learn which terms there are, and lay out what is looked for: the first step of `fit`."""
        views = [text_views(paper) for paper in papers]
        vocabulary = Vocabulary(all_words(views))
        self.text_features_ = TextFeatures().fit(passages_of(views, vocabulary), vocabulary)
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
        return passages_of([text_views(paper) for paper in papers], self.matcher_.vocabulary)

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

    def _is_asked(self, facet_id: str, topics: Sequence[str]) -> bool:
        facet = self.taxonomy.facet(facet_id)
        return facet is self.taxonomy.first or facet.is_asked_of(topics)

    def _prior_scores(
        self, facet: Facet, papers: Sequence[Paper], counts: TermCounts, cues: CueColumns
    ) -> PriorScores | None:
        known = self.prior.facets.get(facet.id) if self.prior else None
        if self.prior is None or known is None:
            return None
        return score_prior(facet, known, self.prior.versions(papers), counts, cues)

    def predict_proba(self, X: Sequence[Paper]) -> dict[str, Array]:  # noqa: N803
        """Return facet id -> (n, k) probabilities, columns in the facet's order."""
        return {name: scores.probabilities for name, scores in self.facet_scores(X).items()}

    def facet_scores(self, papers: Sequence[Paper]) -> dict[str, Scores]:
        """Return facet id -> all that its model says of `papers`, and what it saw of them."""
        check_is_fitted(self, "models_")
        with _ONE_THREAD():
            seen = self.facet_views(papers)
            return {name: model.score(seen[name]) for name, model in self.models_.items()}

    def predict(self, X: Sequence[Paper]) -> list[PaperLabels]:  # noqa: N803
        """Return the labels of each paper in all facets, with the reasons for them."""
        check_is_fitted(self, "models_")
        order = sorted(range(len(X)), key=lambda i: (X[i].id, X[i].title, X[i].abstract))
        labels = self._predict_sorted([X[i] for i in order])
        by_position = dict(zip(order, labels, strict=True))
        return [by_position[i] for i in range(len(X))]

    def _predict_sorted(self, papers: Sequence[Paper]) -> list[PaperLabels]:
        """Label papers in one order, so that the last digits do not depend on the input's."""
        if not papers:
            return []
        by_facet = self.facet_scores(papers)
        evidence = {facet_id: scores.seen.evidence for facet_id, scores in by_facet.items()}
        labels: list[dict[str, FacetLabels]] = [{} for _ in papers]
        topics = [self.topics_.get(paper.id, ()) for paper in papers]
        for facet_id, scores in by_facet.items():
            asked = [row for row, told in enumerate(topics) if self._is_asked(facet_id, told)]
            for row, found in _facet_labels(self.models_[facet_id], scores, papers, asked):
                labels[row][facet_id] = found
                if facet_id == self.taxonomy.first.id:
                    topics[row] = topics[row] or found.categories
        return [
            PaperLabels(paper.id, told, digest)
            for paper, told, digest in zip(papers, labels, cue_digests(evidence), strict=True)
        ]


def _counter(
    progress: Callable[[str, int, int], None] | None, facet: Facet, total: int
) -> Callable[[], None]:
    """Return what reports one more fit of a facet each time it is called."""
    done = itertools.count(1)

    def fitted() -> None:
        if progress:
            progress(f"Learning {facet.name.lower()}", next(done), total)

    return fitted


def _facet_labels(
    model: FacetModel, scores: Scores, papers: Sequence[Paper], rows: Sequence[int]
) -> list[tuple[int, FacetLabels]]:
    """Return (row, labels) of the papers that a facet is asked of."""
    confidence = model.confidence(scores.primary)
    sure = model.is_sure(scores, confidence) & np.array([bool(p.abstract) for p in papers])
    return [
        (row, _label_row(model, scores, row, float(confidence[row]), bool(sure[row])))
        for row in rows
    ]


def _label_row(
    model: FacetModel, scores: Scores, row: int, confidence: float, sure: bool
) -> FacetLabels:
    facet = model.facet
    primary = int(scores.primary[row].argmax())
    chosen = choose_categories(facet, scores.probabilities[row], model.thresholds_, primary)
    children = {
        category_id: child
        for category_id in model.ids
        if (child := child_of(facet, category_id, scores.seen.evidence, row)) is not None
    }
    categories = _with_children([model.ids[column] for column in chosen], children)
    why = [reason for column in chosen for reason in _why(model, scores, row, column)]
    return FacetLabels(
        tuple(categories),
        model.ids[chosen[0]] if chosen else "",
        confidence,
        "confident" if sure else "provisional",
        {
            category_id: float(probability)
            for category_id, probability in zip(model.ids, scores.probabilities[row], strict=True)
        },
        children,
        tuple(why),
        tuple(model.ids[k] for k in candidates(scores.primary[row], model.least_probability_)),
    )


def _with_children(tops: Sequence[str], children: Mapping[str, str]) -> list[str]:
    """Return top categories, each followed by the child that the cues point to."""
    return [name for top in tops for name in (top, children.get(top)) if name]


def _why(model: FacetModel, scores: Scores, row: int, column: int) -> tuple[Reason, ...]:
    parts = model.contributions(scores, row, column)
    hits = scores.seen.evidence.hits[row]
    return reasons(model.ids[column], parts.names, parts.values, hits)


def _teaching(facet: Facet, papers: Sequence[Paper], decisions: Decisions) -> Teaching:
    """Return what people said of papers in a facet; a decision goes before an exemplar."""
    titles = {
        title_key(title): category.id
        for category in facet.categories
        for title in category.exemplars
    }
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
