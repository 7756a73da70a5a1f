"""The order in which papers are reviewed: one definition for the sheet, `review next` and the page.

A paper waits if its first facet is undecided and its label is provisional. Waiting papers
come first, by what an answer is expected to settle: the doubt about the paper times its likeness to
the other undecided papers ("information density"; Settles & Craven, "An analysis of active learning
strategies for sequence labeling tasks", EMNLP 2008). Among them, one paper in four is a second look
at a decision. Confident papers follow in a random order, as an audit.

`extras/review_page/order.js` orders the papers of the page by the same rules.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.decide import MIN_CHECKED
from classifier.labelling.keywords import with_read_keywords
from classifier.labelling.labels import Decisions, FacetLabels, PaperLabels
from classifier.papers.paper import Paper
from classifier.review.sheet import Draw
from classifier.taxonomy.model import Facet, Taxonomy

if TYPE_CHECKING:  # slow to import
    from scipy.sparse import csr_matrix

    from classifier.labelling.classifier import TaxonomyClassifier
    from classifier.labelling.stated_facet import AnyFacetModel

Array = NDArray[np.float64]

SURE = 0.8
"""The probability of another category from which a person's decision is worth a second look."""
FURTHER_FACET = 0.25
"""The weight of doubt about a further facet; doubt about the first facet weighs 1."""
SECOND_LOOK_EVERY = 4
"""One paper out of this number is a second look, while papers wait."""
AUDIT = "a confident label, drawn at random"
_EVEN = 0.2
"""The probability from which a second category is named next to the first."""


@dataclass(frozen=True, slots=True)
class DoubtfulDecision:
    """A decision that the classifier contradicts."""

    paper_id: str
    facet: str
    decided: str
    """The category under which a person filed the paper."""
    predicted: str
    """The category of the classifier; the decision does not have it at all."""
    margin: float
    """The difference of the probabilities of `predicted` and `decided`, 0 to 1."""
    reviewer: str


def review_queue(
    classifier: TaxonomyClassifier,
    papers: Sequence[Paper],
    labels: Sequence[PaperLabels],
    decisions: Decisions,
    *,
    limit: int | None = None,
    again: Sequence[tuple[str, str]] = (),
    confirmed: Collection[tuple[str, str]] = (),
) -> list[Draw]:
    """Return the first `most` papers to review, in order; all of them for None.

    papers: those of `labels` at least. again: (paper id, reason) of decisions that a change of the
    taxonomy has overtaken. confirmed: (paper id, facet) of decisions that people looked at twice.
    The order of papers does not matter.
    """
    known = {label.paper_id for label in labels}
    doubts = doubtful_decisions(classifier.models_, decisions, confirmed)
    facets = classifier.taxonomy.facets
    errors = [(doubt.paper_id, _second_look_text(facets[doubt.facet], doubt)) for doubt in doubts]
    alternating = (each for pair in zip_longest(errors, again) for each in pair if each)
    looks: dict[str, str] = {}
    for paper_id, why in alternating:
        if paper_id in known:
            looks.setdefault(paper_id, why)
    others = [label for label in labels if label.paper_id not in looks]
    waiting = waiting_papers(classifier, papers, others, decisions)
    draws = list(interleaved(waiting, [Draw(*look) for look in looks.items()]))
    draws += _audit(classifier.taxonomy, others, decisions)
    return draws[:limit]


def _second_look_text(facet: Facet, doubt: DoubtfulDecision) -> str:
    reviewer = doubt.reviewer or "a reviewer"
    predicted, decided = name_of(facet, doubt.predicted), name_of(facet, doubt.decided)
    return f"the classifier disagrees with {reviewer}: {predicted}, not {decided}"


def name_of(facet: Facet, category_id: str) -> str:
    """Return the name of a category; its id if the facet does not have it any more."""
    category = facet.get(category_id)
    return category.name if category else category_id


def interleaved(waiting: Iterable[Draw], looks: Sequence[Draw]) -> Iterator[Draw]:
    """Yield waiting papers with a second look before every three of them."""
    rest = iter(looks)
    for number, draw in enumerate(waiting):
        if number % (SECOND_LOOK_EVERY - 1) == 0:
            yield from _first(rest)
        yield draw
    yield from rest


def _first(draws: Iterator[Draw]) -> Iterator[Draw]:
    for draw in draws:
        yield draw
        return


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
) -> list[Draw]:
    """Return the papers that wait, the most useful first, no category twice in a row."""
    taxonomy = classifier.taxonomy
    chosen = [label for label in labels if is_waiting(taxonomy, label, decisions)]
    chosen.sort(key=lambda label: label.paper_id)
    if not chosen:
        return []
    worth = review_worth(taxonomy, chosen, decisions)
    read = with_read_keywords(sorted(papers, key=lambda paper: paper.id), taxonomy)
    text = classifier.text_features_.transform(read)
    row_of = {paper.id: row for row, paper in enumerate(read)}
    first = taxonomy.first.id
    open_ids = [each.paper_id for each in labels if first not in decisions.get(each.paper_id, {})]
    near = nearness(
        text, [row_of[each.paper_id] for each in chosen], [row_of[each] for each in open_ids]
    )
    worth = np.round(worth * near, 9)
    order = np.argsort(-worth, kind="stable").tolist()  # rounded: the last digits decide nothing
    spread = alternated([(place, chosen[place].facets[first].primary) for place in order])
    return [Draw(chosen[at].paper_id, doubt_text(taxonomy, chosen[at])) for at in spread]


def nearness(text: csr_matrix, chosen: Sequence[int], undecided: Sequence[int]) -> Array:
    """Return (n,) mean likeness of the words of each chosen paper to those of undecided papers.

    text: TF-IDF of all papers; chosen, undecided: rows of it.
    """
    centre = np.asarray(text[sorted(undecided)].mean(axis=0)).ravel()
    return np.asarray(text[list(chosen)] @ centre)


def alternated(ranked: Sequence[tuple[int, str]]) -> Iterator[int]:
    """Yield places in order, but none whose category is that of the place before, where possible.

    >>> list(alternated([(0, "a"), (1, "a"), (2, "b"), (3, "a")]))
    [0, 2, 1, 3]
    """
    left, last = list(ranked), ""
    while left:
        at = next((at for at, (_, category) in enumerate(left) if category != last), 0)
        place, last = left.pop(at)
        yield place


def audit_place(paper_id: str) -> bytes:
    """Return the key by which papers are put into one random order that never changes."""
    return hashlib.blake2b(f"audit:{paper_id}".encode(), digest_size=16).digest()


def _audit(
    taxonomy: Taxonomy, labels: Sequence[PaperLabels], decisions: Decisions
) -> Iterator[Draw]:
    """Yield the undecided papers with a confident label, in random order."""
    first = taxonomy.first.id
    ids = [
        label.paper_id
        for label in labels
        if first not in decisions.get(label.paper_id, {})
        and not is_waiting(taxonomy, label, decisions)
    ]
    yield from (Draw(paper_id, AUDIT) for paper_id in sorted(ids, key=audit_place))


def doubtful_decisions(
    models: Mapping[str, AnyFacetModel],
    decisions: Decisions,
    confirmed: Collection[tuple[str, str]] = (),
) -> list[DoubtfulDecision]:
    """Return the decisions worth a second look, the likeliest errors first.

    The probabilities come from cross-fits. The classifier must be as sure of the other category as
    it is, on average, of the papers that people filed there: the threshold of confident learning
    (Northcutt, Jiang & Chuang, "Confident learning: estimating uncertainty in dataset labels", JAIR
    70, 2021). It must also reach SURE, since that average is low for hard papers, which are
    reviewed first. Returns nothing for fewer than MIN_CHECKED decisions. confirmed: (paper id,
    facet) of decisions that people looked at twice.
    """
    found = [
        doubt
        for facet_id, model in models.items()
        for doubt in _doubts(facet_id, model, decisions)
        if (doubt.paper_id, facet_id) not in confirmed
    ]
    return sorted(found, key=lambda doubt: (-doubt.margin, doubt.paper_id, doubt.facet))


def _doubts(
    facet_id: str, model: AnyFacetModel, decisions: Decisions
) -> Iterator[DoubtfulDecision]:
    fit = model.cross_fit_
    if len(fit.paper_ids) < MIN_CHECKED:
        return
    filed = fit.filed.sum(axis=0)
    # A category without a decision has no threshold: 2 is never reached.
    usual = np.where(filed > 0, (fit.primary * fit.filed).sum(axis=0) / np.maximum(filed, 1), 2.0)
    likeliest = fit.primary.argmax(axis=1)
    for row, paper_id in enumerate(fit.paper_ids):
        decision = decisions.get(paper_id, {}).get(facet_id)
        column = int(likeliest[row])
        if decision is None or model.ids[column] in (*decision.values, *decision.unknown):
            continue
        probability = float(fit.primary[row, column])
        if probability >= max(usual[column], SURE):
            margin = probability - float(fit.primary[row] @ fit.filed[row])
            names = decision.primary, model.ids[column]
            yield DoubtfulDecision(paper_id, facet_id, *names, margin, decision.reviewer)


def review_worth(taxonomy: Taxonomy, labels: Sequence[PaperLabels], decisions: Decisions) -> Array:
    """Return (n,) doubt about each paper in all undecided facets.

    Facets that may be unstated learn nothing from reviews, so that they do not count.
    """
    return doubt_about(taxonomy, labels, decisions, taxonomy.facets)


def doubt_about(
    taxonomy: Taxonomy,
    labels: Sequence[PaperLabels],
    decisions: Decisions,
    facet_ids: Iterable[str],
) -> Array:
    """Return (n,) doubt about each paper in some facets."""
    worth = np.zeros(len(labels))
    for facet_id in facet_ids:
        facet = taxonomy.facet(facet_id)
        if facet.may_be_unstated:
            continue
        probabilities = np.zeros((len(labels), len(facet.ids)))
        for row, label in enumerate(labels):
            found = label.facets.get(facet_id)
            if found is not None and facet_id not in decisions.get(label.paper_id, {}):
                probabilities[row] = [found.probabilities.get(name, 0.0) for name in facet.ids]
        weight = 1.0 if facet is taxonomy.first else FURTHER_FACET
        worth += weight * uncertainty(probabilities, decided_counts(facet, decisions))
    return worth


def decided_counts(facet: Facet, decisions: Decisions) -> Array:
    """Return (k,) papers that people decided for each top category."""
    counts = np.zeros(len(facet.ids))
    for decided in decisions.values():
        decision = decided.get(facet.id)
        if decision is not None:
            counts += [name in decision.values for name in facet.ids]
    return counts


def uncertainty(probabilities: Array, counts: Array) -> Array:
    """Return (n,) sum over categories of 4 p (1 - p) / sqrt(1 + decided papers of the category).

    The variance of each yes-or-no question (uncertainty sampling; Lewis & Gale, "A sequential
    algorithm for training text classifiers", SIGIR 1994). A category with many decisions needs a
    further example less. probabilities: (n, k); counts: (k,).
    """
    return np.asarray((4 * probabilities * (1 - probabilities)) @ (1 / np.sqrt(1 + counts)))


def doubt_text(taxonomy: Taxonomy, labels: PaperLabels) -> str:
    """Return in words the doubt about a paper in the facet that is most doubtful."""
    doubts = {
        facet_id: max((p * (1 - p) for p in found.probabilities.values()), default=0.0)
        * (1.0 if facet_id == taxonomy.first.id else FURTHER_FACET)
        for facet_id, found in labels.facets.items()
        if not taxonomy.facet(facet_id).may_be_unstated
    }
    facet_id = max(doubts, key=lambda name: (doubts[name], name == taxonomy.first.id))
    facet = taxonomy.facet(facet_id)
    where = "" if facet is taxonomy.first else f"{facet.name}: "
    return where + doubt_of(facet, labels.facets[facet_id])


def doubt_of(facet: Facet, labels: FacetLabels) -> str:
    """Return in words the doubt about the category under which a paper is filed."""
    probabilities = labels.probabilities
    likeliest = sorted(probabilities, key=lambda name: (-probabilities[name], name))[:2]
    names = [name_of(facet, category_id) for category_id in likeliest]
    if len(likeliest) > 1 and probabilities[likeliest[1]] >= _EVEN:
        return f"unsure between {names[0]} and {names[1]}"
    primary = name_of(facet, labels.primary)
    if likeliest[:1] == [labels.primary]:
        return f"little evidence for {primary}"
    return f"unsure: is it {names[0] if names else primary}?"
