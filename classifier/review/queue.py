"""The review queue: the order of papers in the sheet, in `review next` and on the review page.

A paper waits if its first facet is undecided and its label is provisional. Waiting papers come
first, ordered by the expected benefit of a review: the uncertainty of their labels times their
similarity to the other undecided papers ("information density"; Settles & Craven, "An analysis of
active learning strategies for sequence labeling tasks", EMNLP 2008). One paper in four among them
is a second look at a decision. Confident papers follow in a random order, as an audit.

`extras/review_page/order.js` orders the papers of the page by the same rules.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.decide import MIN_CHECKED
from classifier.labelling.keywords import keep_readable_keywords
from classifier.labelling.labels import Decisions, FacetLabels, PaperLabels
from classifier.papers.paper import Paper
from classifier.review.sheet import QueuedPaper
from classifier.taxonomy.model import Facet, Taxonomy

if TYPE_CHECKING:  # slow to import
    from scipy.sparse import csr_matrix

    from classifier.labelling.classifier import TaxonomyClassifier
    from classifier.labelling.stated_facet import AnyFacetModel

Array = NDArray[np.float64]

MIN_PROBABILITY = 0.8
"""Minimum probability of another category that makes a decision doubtful."""
FURTHER_FACET_WEIGHT = 0.25
"""Weight of the uncertainty in a further facet; that in the first facet has weight 1."""
SECOND_LOOK_EVERY = 4
"""While papers wait, one paper out of this number is a second look."""
AUDIT_REASON = "a confident label, selected at random"
_MIN_SECOND = 0.2
"""Minimum probability of the second category that is printed next to the first."""


@dataclass(frozen=True, slots=True)
class DoubtfulDecision:
    """A decision that the classifier contradicts."""

    paper_id: str
    facet: str
    decided: str
    """The primary category of the decision."""
    predicted: str
    """The primary category of the classifier, which is not a category of the decision."""
    margin: float
    """Difference between the probabilities of `predicted` and `decided`, 0 to 1."""
    reviewer: str


def review_queue(
    classifier: TaxonomyClassifier,
    papers: Sequence[Paper],
    labels: Sequence[PaperLabels],
    decisions: Decisions,
    *,
    limit: int | None = None,
    outdated: Sequence[tuple[str, str]] = (),
    confirmed: Collection[tuple[str, str]] = (),
) -> list[QueuedPaper]:
    """Return the first `limit` papers to review, in order; all of them for None.

    papers: at least those of `labels`; their order does not matter. outdated: (paper id, reason) of
    decisions that are older than a change of the taxonomy. confirmed: (paper id, facet) of
    decisions that people made twice.
    """
    known = {label.paper_id for label in labels}
    doubtful = doubtful_decisions(classifier.models_, decisions, confirmed)
    facets = classifier.taxonomy.facets
    errors = [(each.paper_id, _disagreement_text(facets[each.facet], each)) for each in doubtful]
    alternating = (each for pair in zip_longest(errors, outdated) for each in pair if each)
    reasons: dict[str, str] = {}
    for paper_id, reason in alternating:
        if paper_id in known:
            reasons.setdefault(paper_id, reason)
    others = [label for label in labels if label.paper_id not in reasons]
    waiting = waiting_papers(classifier, papers, others, decisions)
    second_looks = [QueuedPaper(*each) for each in reasons.items()]
    queue = list(insert_second_looks(waiting, second_looks))
    queue += _papers_to_audit(classifier.taxonomy, others, decisions)
    return queue[:limit]


def _disagreement_text(facet: Facet, doubtful: DoubtfulDecision) -> str:
    reviewer = doubtful.reviewer or "a reviewer"
    predicted, decided = (
        category_name(facet, doubtful.predicted),
        category_name(facet, doubtful.decided),
    )
    return f"the classifier disagrees with {reviewer}: {predicted}, not {decided}"


def category_name(facet: Facet, category_id: str) -> str:
    """Return the name of a category; its id if the facet no longer has it."""
    category = facet.get(category_id)
    return category.name if category else category_id


def insert_second_looks(
    waiting: Iterable[QueuedPaper], second_looks: Sequence[QueuedPaper]
) -> Iterator[QueuedPaper]:
    """Yield waiting papers, with a second look before every three of them."""
    rest = iter(second_looks)
    for number, paper in enumerate(waiting):
        if number % (SECOND_LOOK_EVERY - 1) == 0:
            yield from islice(rest, 1)
        yield paper
    yield from rest


def is_waiting(taxonomy: Taxonomy, labels: PaperLabels, decisions: Decisions) -> bool:
    """Return whether a paper waits: its label in the first facet is provisional and undecided."""
    first = taxonomy.first.id
    is_decided = first in decisions.get(labels.paper_id, {})
    return not is_decided and labels.facets[first].status == "provisional"


def waiting_papers(
    classifier: TaxonomyClassifier,
    papers: Sequence[Paper],
    labels: Sequence[PaperLabels],
    decisions: Decisions,
) -> list[QueuedPaper]:
    """Return the papers that wait, the most useful first.

    If possible, two papers in a row are not of the same category.
    """
    taxonomy = classifier.taxonomy
    chosen = [label for label in labels if is_waiting(taxonomy, label, decisions)]
    chosen.sort(key=lambda label: label.paper_id)
    if not chosen:
        return []
    prepared = keep_readable_keywords(sorted(papers, key=lambda paper: paper.id), taxonomy)
    tfidf = classifier.text_features_.transform(prepared)
    row_of = {paper.id: row for row, paper in enumerate(prepared)}
    first = taxonomy.first.id
    undecided = [
        row_of[label.paper_id] for label in labels if first not in decisions.get(label.paper_id, {})
    ]
    similarity = mean_similarity(tfidf, [row_of[label.paper_id] for label in chosen], undecided)
    uncertain = total_uncertainty(taxonomy, chosen, decisions, taxonomy.facets)
    # Without rounding, the last digits would decide the order of equal papers.
    benefit = np.round(uncertain * similarity, 9)
    ranked = [chosen[row] for row in np.argsort(-benefit, kind="stable").tolist()]
    return [
        QueuedPaper(ranked[rank].paper_id, uncertainty_text(taxonomy, ranked[rank]))
        for rank in alternate_categories([label.facets[first].primary for label in ranked])
    ]


def mean_similarity(tfidf: csr_matrix, chosen: Sequence[int], undecided: Sequence[int]) -> Array:
    """Return (n,) mean similarity of each chosen paper to the undecided papers.

    tfidf: TF-IDF of all papers; chosen, undecided: rows of it.
    """
    centre = np.asarray(tfidf[sorted(undecided)].mean(axis=0)).ravel()
    return np.asarray(tfidf[list(chosen)] @ centre)


def alternate_categories(categories: Sequence[str]) -> Iterator[int]:
    """Yield positions in order, without equal categories in a row if possible.

    >>> list(alternate_categories(["a", "a", "b", "a"]))
    [0, 2, 1, 3]
    """
    left, last = list(enumerate(categories)), ""
    while left:
        index = next((i for i, (_, category) in enumerate(left) if category != last), 0)
        position, last = left.pop(index)
        yield position


def audit_key(paper_id: str) -> bytes:
    """Return the sort key of a random order of papers that never changes."""
    return hashlib.blake2b(f"audit:{paper_id}".encode(), digest_size=16).digest()


def _papers_to_audit(
    taxonomy: Taxonomy, labels: Sequence[PaperLabels], decisions: Decisions
) -> Iterator[QueuedPaper]:
    """Yield the undecided papers with a confident label, in random order."""
    first = taxonomy.first.id
    ids = [
        label.paper_id
        for label in labels
        if first not in decisions.get(label.paper_id, {})
        and not is_waiting(taxonomy, label, decisions)
    ]
    yield from (QueuedPaper(paper_id, AUDIT_REASON) for paper_id in sorted(ids, key=audit_key))


def doubtful_decisions(
    models: Mapping[str, AnyFacetModel],
    decisions: Decisions,
    confirmed: Collection[tuple[str, str]] = (),
) -> list[DoubtfulDecision]:
    """Return the decisions that are worth a second look, the likeliest errors first.

    The probabilities come from cross-fits. The probability of the other category must reach its
    average over the papers that people filed there: the threshold of confident learning (Northcutt,
    Jiang & Chuang, "Confident learning: estimating uncertainty in dataset labels", JAIR 70, 2021).
    It must also reach MIN_PROBABILITY, since that average is low for difficult papers, which are
    reviewed first. Returns [] for fewer than MIN_CHECKED decisions. confirmed: (paper id, facet) of
    decisions that people made twice.
    """
    found = [
        doubtful
        for facet_id, model in models.items()
        for doubtful in _doubtful_in_facet(facet_id, model, decisions)
        if (doubtful.paper_id, facet_id) not in confirmed
    ]
    return sorted(found, key=lambda each: (-each.margin, each.paper_id, each.facet))


def _doubtful_in_facet(
    facet_id: str, model: AnyFacetModel, decisions: Decisions
) -> Iterator[DoubtfulDecision]:
    fit = model.cross_fit_
    if len(fit.paper_ids) < MIN_CHECKED:
        return
    n_filed = fit.filed.sum(axis=0)
    average = (fit.primary * fit.filed).sum(axis=0) / np.maximum(n_filed, 1)
    # No probability reaches 2, the threshold of a category without a decision.
    thresholds = np.where(n_filed > 0, average, 2.0)
    likeliest = fit.primary.argmax(axis=1)
    for row, paper_id in enumerate(fit.paper_ids):
        decision = decisions.get(paper_id, {}).get(facet_id)
        column = int(likeliest[row])
        if decision is None or model.ids[column] in (*decision.values, *decision.unknown):
            continue
        probability = float(fit.primary[row, column])
        if probability >= max(thresholds[column], MIN_PROBABILITY):
            margin = probability - float(fit.primary[row] @ fit.filed[row])
            categories = decision.primary, model.ids[column]
            yield DoubtfulDecision(paper_id, facet_id, *categories, margin, decision.reviewer)


def total_uncertainty(
    taxonomy: Taxonomy,
    labels: Sequence[PaperLabels],
    decisions: Decisions,
    facet_ids: Iterable[str],
) -> Array:
    """Return (n,) uncertainty about each paper, summed over its undecided facets.

    Facets that may be unstated do not count, since they learn nothing from reviews.
    """
    total = np.zeros(len(labels))
    for facet_id in facet_ids:
        facet = taxonomy.facet(facet_id)
        if facet.may_be_unstated:
            continue
        probabilities = np.zeros((len(labels), len(facet.ids)))
        for row, label in enumerate(labels):
            found = label.facets.get(facet_id)
            if found is not None and facet_id not in decisions.get(label.paper_id, {}):
                probabilities[row] = [found.probabilities.get(name, 0.0) for name in facet.ids]
        weight = 1.0 if facet is taxonomy.first else FURTHER_FACET_WEIGHT
        total += weight * uncertainty(probabilities, decided_counts(facet, decisions))
    return total


def decided_counts(facet: Facet, decisions: Decisions) -> Array:
    """Return (k,) number of papers with a decision for each top category."""
    counts = np.zeros(len(facet.ids))
    for decided in decisions.values():
        decision = decided.get(facet.id)
        if decision is not None:
            counts += [name in decision.values for name in facet.ids]
    return counts


def uncertainty(probabilities: Array, counts: Array) -> Array:
    """Return (n,) sum over categories of 4 p (1 - p) / sqrt(1 + decided papers of the category).

    4 p (1 - p) is the scaled variance of whether a category applies (uncertainty sampling; Lewis &
    Gale, "A sequential algorithm for training text classifiers", SIGIR 1994). A category with many
    decisions gains less from another one. probabilities: (n, k); counts: (k,).
    """
    return np.asarray((4 * probabilities * (1 - probabilities)) @ (1 / np.sqrt(1 + counts)))


def uncertainty_text(taxonomy: Taxonomy, labels: PaperLabels) -> str:
    """Return the uncertainty about a paper in its most uncertain facet, in words."""
    variances = {
        facet_id: max((p * (1 - p) for p in found.probabilities.values()), default=0.0)
        * (1.0 if facet_id == taxonomy.first.id else FURTHER_FACET_WEIGHT)
        for facet_id, found in labels.facets.items()
        if not taxonomy.facet(facet_id).may_be_unstated
    }
    facet_id = max(variances, key=lambda name: (variances[name], name == taxonomy.first.id))
    facet = taxonomy.facet(facet_id)
    prefix = "" if facet is taxonomy.first else f"{facet.name}: "
    return prefix + facet_uncertainty_text(facet, labels.facets[facet_id])


def facet_uncertainty_text(facet: Facet, labels: FacetLabels) -> str:
    """Return the uncertainty about the primary category in one facet, in words."""
    probabilities = labels.probabilities
    likeliest = sorted(probabilities, key=lambda name: (-probabilities[name], name))[:2]
    names = [category_name(facet, category_id) for category_id in likeliest]
    if len(likeliest) > 1 and probabilities[likeliest[1]] >= _MIN_SECOND:
        return f"unsure between {names[0]} and {names[1]}"
    primary = category_name(facet, labels.primary)
    if likeliest[:1] == [labels.primary]:
        return f"little evidence for {primary}"
    return f"unsure: is it {names[0] if names else primary}?"
