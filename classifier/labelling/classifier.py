"""TaxonomyClassifier: a scikit-learn estimator from papers and decisions to labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.preprocessing import normalize
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from classifier.errors import UsageError, listed
from classifier.labelling.aligned import aligned_decisions, papers_of
from classifier.labelling.background import Background, LatentSpace, shipped_background
from classifier.labelling.cue_index import CueIndex, Evidence, cue_digests
from classifier.labelling.dead_stems import matched_stems
from classifier.labelling.decide import (
    LIKELY,
    assign_columns,
    candidate_columns,
    find_children,
)
from classifier.labelling.explain import reasons
from classifier.labelling.facet_model import FacetModel
from classifier.labelling.faded_cues import CueKey, contradicted_cues, without_cues
from classifier.labelling.features import TextFeatures, cue_features
from classifier.labelling.keywords import keep_readable_keywords
from classifier.labelling.labels import (
    Decisions,
    FacetLabels,
    PaperLabels,
    Reason,
    with_likely_child,
)
from classifier.labelling.likeness import FURTHER_FACET, Likeness, project_space, query_texts
from classifier.labelling.offset import WordRegression
from classifier.labelling.prior import Prior
from classifier.labelling.regression import check_linear
from classifier.labelling.scores import FacetInput, Scores
from classifier.labelling.stated_facet import AnyFacetModel, StatedFacetModel
from classifier.labelling.training_data import (
    MAX_PAPERS,
    make_targets,
    training_papers,
    weak_labels,
)
from classifier.papers.paper import Paper
from classifier.progress import Progress, report
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.text.normalise import did_you_mean

Array = NDArray[np.float64]

_BATCH_SIZE = 2_000
"""Number of papers that are labelled at once, which limits memory."""

Explain = Literal["all", "primary", "nothing"]
"""Labels for which reasons are computed."""


class TaxonomyClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """TF-IDF and logistic regression over a taxonomy's cues, corrected by decisions.

    Parameters
    ----------
    taxonomy : Taxonomy
        The facets, their categories and cues.
    prior : Prior, optional
        Weights learned in advance from labelled abstracts.
    estimator : linear classifier of scikit-learn, optional
        Learns each category from the decided papers, for example `LinearSVC()`. Default: a logistic
        regression with an offset (`regression.fit_correction`).
    background : Background, optional
        Latent space of the words of all sciences. Default: that of the package.
    folds : int, default 5
        Number of folds of the cross-fits from which calibration, thresholds and the confidence
        cut-off are learned.
    accuracy_target : float, default 0.9
        Required accuracy of the primary category of `confident` papers.
    max_papers : int, default 2000
        Maximum number of papers to learn from, unless more are decided. The others are sampled.
    facet : str, optional
        The facet of `predict`, `predict_proba` and `score`. Default: the first.

    Attributes
    ----------
    classes_ : array of str
        The categories of that facet, sorted: the columns of `predict_proba`. After `fit` with an
        indicator table: its columns.
    text_features_ : TextFeatures
        The terms; with a prior, those of the prior.
    cue_index_ : CueIndex
        The cues of the taxonomy.
    models_ : dict of str to FacetModel
        The learned model of each facet.
    faded_ : dict of str to frozenset
        The cues of each facet, as (category, list, cue), that decisions contradict and that labels
        no longer count.
    stems_ : dict of str to frozenset of str
        Stems of cues of which no form occurs, and the words that they match (`dead_stems`).
    views_ : tuple of (tuple of str, dict of str to FacetInput)
        After `fit_label`: ids of the papers learned from, and what the models see of them.
    topics_ : dict of str to tuple of str
        Paper id -> its decided categories of the first facet, on which other facets may depend.
    """

    def __init__(
        self,
        taxonomy: Taxonomy,
        *,
        prior: Prior | None = None,
        estimator: BaseEstimator | None = None,
        background: Background | None = None,
        folds: int = 5,
        accuracy_target: float = 0.9,
        max_papers: int = MAX_PAPERS,
        facet: str | None = None,
    ) -> None:
        self.taxonomy = taxonomy
        self.prior = prior
        self.estimator = estimator
        self.background = background
        self.folds = folds
        self.accuracy_target = accuracy_target
        self.max_papers = max_papers
        self.facet = facet

    def fit(
        self,
        X: Sequence[Paper | str],  # noqa: N803 - scikit-learn's name
        y: Any = None,
        *,
        progress: Progress | None = None,
    ) -> TaxonomyClassifier:
        """Learn from papers and the decisions on some of them.

        y: one entry per paper (a category, a `Decision`, or None for an undecided paper), an
        indicator DataFrame with one column per category, or decisions by paper id
        (`aligned.aligned_decisions`). Papers without a decision count with the labels that their
        cues vote for. The order of `X` does not matter. Without decisions or papers, the votes of
        the cues decide. Raises UsageError for an invalid parameter or an unknown
        category.
        """
        papers = papers_of(X)
        decisions = self._read_y(y, papers)
        self._fit(self._training_papers(papers, decisions), decisions, progress)
        return self

    def fit_label(
        self,
        X: Sequence[Paper],  # noqa: N803
        y: Any = None,
        *,
        progress: Progress | None = None,
    ) -> list[PaperLabels]:
        """Return `fit(X, y).label(X)`, but compute the features of the papers only once."""
        decisions = self._read_y(y, X)
        papers = self._training_papers(X, decisions)
        inputs = self._fit(papers, decisions, progress)
        self.views_ = tuple(paper.id for paper in papers), inputs
        report(progress, "Labelling", 0, 1)
        trained_on = {paper.id for paper in papers}
        labels = self._labels(papers, inputs, "all")
        labels += self.label([paper for paper in X if paper.id not in trained_on])
        by_id = {each.paper_id: each for each in labels}
        return [by_id[paper.id] for paper in X]

    def predict(self, X: Sequence[Paper | str]) -> NDArray[Any]:  # noqa: N803
        """Return the ids of the primary categories, shape (n,).

        After `fit` with an indicator table: whether each category applies, shape (n, k).
        """
        labels = [each.facets[self.target_.id] for each in self.label(X, explain="nothing")]
        if not self.is_indicator_:
            return np.array([each.primary for each in labels], dtype=object).astype(str)
        rows = [np.isin(self.classes_, each.categories) for each in labels]
        return np.array(rows, dtype=int).reshape(len(rows), len(self.classes_))

    def predict_proba(self, X: Sequence[Paper | str]) -> Array:  # noqa: N803
        """Return probabilities that a category is the primary, shape (n, k); rows sum to 1.

        After `fit` with an indicator table: probabilities that a category applies. The columns are
        those of `classes_`.
        """
        check_is_fitted(self, "text_features_")
        scores = self.facet_scores(papers_of(X))[self.target_.id]
        columns = [self.target_.ids.index(name) for name in self.classes_]
        if self.is_indicator_:
            return np.asarray(scores.probabilities[:, columns])
        filed = scores.primary[:, columns]
        return np.asarray(
            filed / filed.sum(axis=1, keepdims=True)
        )  # normalise again after rounding

    def score(self, X: Sequence[Paper | str], y: Any) -> float:  # noqa: N803
        """Return the share of decided papers whose primary is that of `y`; nan without such papers.

        After `fit` with an indicator table: the share of papers with exactly the categories in `y`.
        """
        papers = papers_of(X)
        if self.is_indicator_:
            return float((self.predict(papers) == np.asarray(y)).all(axis=1).mean())
        # The row is the key, because a paper may be in X twice.
        rows = [paper.with_id(str(row)) for row, paper in enumerate(papers)]
        decisions = aligned_decisions(y, rows, self.taxonomy, self.target_).decisions
        predicted = self.predict(papers)
        is_right = [
            predicted[row] == decisions[paper.id][self.target_.id].primary
            for row, paper in enumerate(rows)
            if self.target_.id in decisions.get(paper.id, {})
        ]
        return float(np.mean(is_right)) if is_right else float("nan")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.no_validation = True
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.target_tags.required = False
        tags.target_tags.multi_output = False
        tags.classifier_tags.multi_label = True
        return tags

    def _read_y(self, y: Any, papers: Sequence[Paper]) -> Decisions:
        """Convert `y` to decisions; set `target_`, `classes_` and `is_indicator_`."""
        facets = self.taxonomy.facets
        if self.facet is not None and self.facet not in facets:
            hint = did_you_mean(self.facet, [*facets])
            message = f"facet: found '{self.facet}'; expected {listed([*facets])}. {hint}"
            raise UsageError(message.rstrip())
        self.target_ = facets[self.facet] if self.facet else self.taxonomy.first
        if self.target_.may_be_unstated:
            raise UsageError(
                f"facet: found '{self.target_.id}', which applies only to some papers; expected "
                "a facet that applies to all papers. Call `label()` for categories of this facet."
            )
        aligned = aligned_decisions(y, papers, self.taxonomy, self.target_)
        self.is_indicator_ = bool(aligned.columns)
        self.classes_ = np.array(aligned.columns or sorted(self.target_.ids))
        return aligned.decisions

    def _training_papers(self, papers: Sequence[Paper], decisions: Decisions | None) -> list[Paper]:
        """Return the papers to learn from; raises UsageError for an invalid parameter."""
        if self.folds < 2:
            raise UsageError(f"folds: found {self.folds}; expected 2 or more.")
        if self.estimator is not None:
            check_linear(self.estimator)
        read = keep_readable_keywords(papers, self.taxonomy)
        return training_papers(read, decisions or {}, self.taxonomy, self.max_papers)

    def _fit(
        self, papers: Sequence[Paper], decisions: Decisions, progress: Progress | None
    ) -> dict[str, FacetInput]:
        """Learn from papers; return the features of the papers by facet id."""
        first = self.taxonomy.first.id
        self.topics_ = {
            paper_id: by_facet[first].values
            for paper_id, by_facet in decisions.items()
            if first in by_facet
        }
        self.stems_ = matched_stems(self.taxonomy, papers)
        self.cue_index_ = CueIndex(self.taxonomy, self.stems_)
        evidence = self.cue_index_.count(papers)
        self.faded_ = self._contradicted_cues(papers, decisions, evidence)
        prior = self.prior
        if prior:
            self.text_features_ = TextFeatures.of(prior.blocks, prior.stop_words)
        else:
            self.text_features_ = TextFeatures(self.taxonomy.stop_words).fit(papers)
        with threadpool_limits(limits=1):
            self._fit_likeness(papers)
            inputs = self._facet_inputs(papers, self._without_faded_cues(evidence))
            needs_words = any(map(self._has_new_category, self.taxonomy.facets.values()))
            text = inputs[self.taxonomy.first.id].text
            words = WordRegression(text) if needs_words else None
        in_prior = np.array(
            [prior is not None and prior.was_learned_from(p) for p in papers], dtype=bool
        )
        self.models_: dict[str, AnyFacetModel] = {}
        # The matrices are small: several threads are slower and may add in another order. Checks of
        # each matrix for NaN, and of the parameters, would take as long as learning.
        with threadpool_limits(limits=1), config_context(assume_finite=True):
            for number, (facet_id, facet) in enumerate(self.taxonomy.facets.items()):
                report(progress, "Learning", number, len(self.taxonomy.facets))
                self.models_[facet_id] = self._fit_facet(
                    facet, papers, decisions, inputs[facet_id], in_prior, words
                )
        return inputs

    def _fit_facet(
        self,
        facet: Facet,
        papers: Sequence[Paper],
        decisions: Decisions,
        inputs: FacetInput,
        in_prior: NDArray[np.bool_],
        words: WordRegression | None,
    ) -> AnyFacetModel:
        """Fit the model of one facet."""
        if facet.may_be_unstated:
            return StatedFacetModel(facet)
        by_row = {
            row: decisions[paper.id][facet.id]
            for row, paper in enumerate(papers)
            if facet.id in decisions.get(paper.id, {})
        }
        titles = [paper.title for paper in papers]
        weak = weak_labels(inputs.evidence.votes(facet.ids), inputs.likeness, facet)
        training_targets = make_targets(facet, titles, by_row, weak)
        model = FacetModel(
            facet,
            self.estimator,
            folds=self.folds,
            accuracy_target=self.accuracy_target,
        )
        prior = self.prior.facets.get(facet.id) if self.prior else None
        ids = [paper.id for paper in papers]
        return model.fit(inputs, training_targets, ids, prior, in_prior, words)

    def evidence(self, papers: Sequence[Paper]) -> dict[str, Evidence]:
        """Return the cue matches in papers, without faded cues, by facet id."""
        read = keep_readable_keywords(papers, self.taxonomy)
        return self._without_faded_cues(self.cue_index_.count(read))

    def _contradicted_cues(
        self, papers: Sequence[Paper], decisions: Decisions, evidence: Mapping[str, Evidence]
    ) -> dict[str, frozenset[CueKey]]:
        """Return the cues that decisions contradict, by facet id.

        Facets with a prior are omitted, because the prior has weights for their cues. Facets that
        papers may leave unstated are also omitted, because they are not learned.
        """
        contradicted = {}
        for facet_id, facet in self.taxonomy.facets.items():
            has_prior = self.prior is not None and facet_id in self.prior.facets
            if has_prior or facet.may_be_unstated:
                continue
            by_row = {
                row: decisions[paper.id][facet_id]
                for row, paper in enumerate(papers)
                if facet_id in decisions.get(paper.id, {})
            }
            contradicted[facet_id] = contradicted_cues(facet, evidence[facet_id], by_row)
        return contradicted

    def _without_faded_cues(self, evidence: Mapping[str, Evidence]) -> dict[str, Evidence]:
        """Remove the matches of faded cues from the evidence."""
        return {
            facet_id: without_cues(found, self.faded_.get(facet_id, frozenset()))
            for facet_id, found in evidence.items()
        }

    def facet_inputs(self, papers: Sequence[Paper]) -> dict[str, FacetInput]:
        """Return the features of papers for the model of each facet, by facet id."""
        check_is_fitted(self, "text_features_")
        papers = keep_readable_keywords(papers, self.taxonomy)
        return self._facet_inputs(papers, self.evidence(papers))

    def _facet_inputs(
        self, papers: Sequence[Paper], evidence: Mapping[str, Evidence]
    ) -> dict[str, FacetInput]:
        """Return the features of papers with these cue matches, by facet id."""
        text = self.text_features_.transform(papers)
        likeness = self._likeness(papers, text)
        has_abstract = np.array([bool(paper.abstract) for paper in papers], dtype=bool)
        first, inputs = self.taxonomy.first, {}
        for name, found in evidence.items():
            facet = self.taxonomy.facet(name)
            if facet.may_be_unstated:
                inputs[name] = FacetInput(
                    text[:, :0], (), 0, found, np.zeros((len(papers), len(facet.ids))), has_abstract
                )
                continue
            first_evidence = None if facet is first else evidence[first.id]
            names, values = cue_features(found, facet.ids, first_evidence, first.ids)
            cues = sparse.csr_matrix(values)
            rows = sparse.hstack([text, cues], format="csr")
            columns = [*self.text_features_.names_, *names]
            inputs[name] = FacetInput(
                rows, columns, text.shape[1], found, likeness[name], has_abstract
            )
        return inputs

    def _fit_likeness(self, papers: Sequence[Paper]) -> None:
        """Learn the latent space of the papers, and their likeness to the categories."""
        self.likeness_: dict[str, Likeness] = {}
        self.own_space_: LatentSpace | None = None
        facets = [facet for facet in self.taxonomy.facets.values() if self._has_new_category(facet)]
        if not facets:
            return
        names = enumerate(self.text_features_.names_)
        self.words_ = [
            column for column, name in names if name.startswith("text:") and " " not in name
        ]
        text = self.text_features_.transform(papers)
        self.own_space_ = project_space(text[:, self.words_])
        vectors = self._vectors(papers, text)
        for facet in facets:
            faded = self.faded_.get(facet.id, frozenset())
            queries = [Paper(title="", abstract=query) for query in query_texts(facet, faded)]
            query_vectors = self._vectors(queries, self.text_features_.transform(queries))
            weight = 1.0 if facet is self.taxonomy.first else FURTHER_FACET
            self.likeness_[facet.id] = Likeness(*query_vectors, weight).fit(*vectors)

    def _has_new_category(self, facet: Facet) -> bool:
        """Return whether the facet is learned and has a category that is not in the prior."""
        prior = self.prior.facets.get(facet.id) if self.prior else None
        return not facet.may_be_unstated and not (prior and prior.known_categories(facet).all())

    def _vectors(
        self, papers: Sequence[Paper], text: sparse.csr_matrix
    ) -> tuple[Array | None, Array]:
        """Return the vectors of papers in the project's space and in the background's space."""
        space = self.own_space_
        own = space.vectors(normalize(text[:, self.words_])) if space else None
        background = self.background or shipped_background()
        return own, background.vectors([paper.full_text for paper in papers])

    def _likeness(self, papers: Sequence[Paper], text: sparse.csr_matrix) -> dict[str, Array]:
        """Return (n, k) likeness of papers to categories, by facet id; 0 if it is not needed."""
        likeness = {
            facet_id: np.zeros((len(papers), len(facet.ids)))
            for facet_id, facet in self.taxonomy.facets.items()
        }
        if self.likeness_:
            vectors = self._vectors(papers, text)
            likeness |= {name: each.transform(*vectors) for name, each in self.likeness_.items()}
        return likeness

    def facet_scores(self, papers: Sequence[Paper]) -> dict[str, Scores]:
        """Return the predicted probabilities and the features of papers, by facet id."""
        return self._scores(self.facet_inputs(papers))

    def _scores(self, inputs: Mapping[str, FacetInput]) -> dict[str, Scores]:
        """Return the scores of each facet for these features."""
        return {name: model.score(inputs[name]) for name, model in self.models_.items()}

    def label(
        self,
        X: Sequence[Paper | str],  # noqa: N803
        *,
        explain: Explain = "all",
    ) -> list[PaperLabels]:
        """Return the labels of each paper in all facets; they do not depend on the other papers.

        explain: "all" for the reasons of all labels, and digests of the matching cues; "primary"
        for the reasons of the first facet's primary; or "nothing".
        """
        papers = papers_of(X)
        labels: list[PaperLabels] = []
        for start in range(0, len(papers), _BATCH_SIZE):
            batch = papers[start : start + _BATCH_SIZE]
            labels += self._labels(batch, self.facet_inputs(batch), explain)
        return labels

    def _labels(
        self, papers: Sequence[Paper], inputs: Mapping[str, FacetInput], explain: Explain
    ) -> list[PaperLabels]:
        """Return the labels of papers with these features."""
        labels: list[dict[str, FacetLabels]] = [{} for _ in papers]
        by_facet = self._scores(inputs)
        first = self.taxonomy.first
        for facet_id, scores in by_facet.items():
            facet = self.taxonomy.facet(facet_id)
            rows = list(range(len(papers)))
            if facet is not first:
                rows = []
                for row, paper in enumerate(papers):
                    topics = self.topics_.get(paper.id) or labels[row][first.id].categories
                    if facet.applies_to_topics(topics):
                        rows.append(row)
            facet_labels = self._facet_labels(facet, scores, rows, explain)
            for row, each in zip(rows, facet_labels, strict=True):
                labels[row][facet_id] = each
        digests = [""] * len(papers)
        if explain == "all":
            digests = cue_digests({name: s.inputs.evidence for name, s in by_facet.items()})
        return [
            PaperLabels(paper.id, facets, digest)
            for paper, facets, digest in zip(papers, labels, digests, strict=True)
        ]

    def _facet_labels(
        self, facet: Facet, scores: Scores, rows: Sequence[int], explain: Explain
    ) -> list[FacetLabels]:
        """Return the labels in one facet of the papers at `rows`, in order."""
        model, evidence = self.models_[facet.id], scores.inputs.evidence
        ids = model.ids
        is_first = facet is self.taxonomy.first
        has_reasons = explain == "all" or (explain == "primary" and is_first)
        columns, confidence, is_confident = model.choose_primary(scores)
        assigned = assign_columns(facet, scores.probabilities, model.thresholds_, columns.tolist())
        clear_children = find_children(facet, evidence)
        likely_children = find_children(facet, evidence, LIKELY)
        possible = candidate_columns(scores.primary, model.candidate_threshold_)
        logits = model.logit_parts(scores.inputs) if has_reasons else None

        def labels(row: int) -> FacetLabels:
            """Return the labels of the paper at `row`."""
            tops = [ids[column] for column in assigned[row]]
            primary = tops[0] if tops else ""
            parts = with_likely_child(clear_children[row], likely_children[row], primary)
            names: list[str] = []
            for top in tops:
                names += [top, parts[top]] if parts.get(top) else [top]
            likely = [ids[column] for column in possible[row]]
            likeliest = ids[int(scores.primary[row].argmax())]
            if likely and primary and likeliest != ids[columns[row]]:
                # The paper stays in scope although out of scope is likelier: name both.
                others = [each for each in likely if each not in (primary, likeliest)]
                likely = [primary, likeliest, *others]
            why: list[Reason] = []
            if logits is not None:
                explained = assigned[row] if explain == "all" else assigned[row][:1]
                for column in explained:
                    parts_of_logit = logits.contributions(row, column)
                    why += reasons(ids[column], parts_of_logit, evidence.hits[row])
            return FacetLabels(
                tuple(names),
                primary,
                float(confidence[row]),
                "confident" if is_confident[row] else "provisional",
                dict(zip(ids, scores.probabilities[row].tolist(), strict=True)),
                parts,
                tuple(why),
                tuple(likely),
                likely_children[row],
            )

        return [labels(row) for row in rows]
