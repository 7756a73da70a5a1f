"""All regressions of a facet at once beside scikit-learn's, one category a call, on the same rows.

python -m tools.benchmarks.regressions

Seed labels of 19 areas (tools/benchmarks/learning.yaml) on abstracts of arXiv, in ../shared.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from classifier.labelling.logistic import fit_logistic
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from classifier.labelling.cue_index import EvidenceCounter
from classifier.labelling.features import TextFeatures, cue_columns, with_cues
from classifier.labelling.views import text_views
from classifier.labelling.weak_labels import seed_labels
from classifier.taxonomy.load import load_taxonomy
from tools.benchmarks.learning import as_paper, lines
from tools.benchmarks.quality import SHARED

Array = NDArray[np.float64]

SIZES = (364, 1000, 2000)
REGULARISATION = 4.0
_REPEATS = 3
_NEGLIGIBLE = 0.012  # as in `fit_categories`


def one_by_one(rows: Array, yes: Array, no: Array) -> Array:
    """Return (k, r + 1) weights by scikit-learn; a soft target is two rows."""
    truth = np.repeat([1, 0], len(rows))
    twice = np.vstack([rows, rows])
    found = []
    for sample in np.vstack([yes, no]).T:
        used = sample > 0
        model = LogisticRegression(C=REGULARISATION, solver="newton-cg", max_iter=200)
        model.fit(twice[used], truth[used], sample_weight=sample[used])
        found.append(np.append(model.coef_[0], model.intercept_[0]))
    return np.stack(found)


def task(size: int) -> tuple[Array, Array, Array]:
    """Return the (n, r) coordinates of papers, and the (n, k) weights of their yes and no."""
    facet = load_taxonomy(Path(__file__).with_name("learning.yaml")).taxonomy.first
    views = [
        text_views(as_paper(record))
        for _, record in zip(range(size), lines("arxiv_20k"), strict=False)
    ]
    evidence = EvidenceCounter(facet).count(views)
    text = TextFeatures().fit_transform(views)
    applies, weights = seed_labels(evidence.votes(facet.ids), ())
    rows = with_cues(text, cue_columns(evidence, facet.ids))
    sides = applies * weights[:, None], (1 - applies) * weights[:, None]
    yes, no = (np.where(side > _NEGLIGIBLE, side, 0.0) for side in sides)
    told = yes.any(axis=0) & no.any(axis=0)
    return rows, yes[:, told], no[:, told]


def timed(fit: Callable[[], Array]) -> tuple[float, Array]:
    """Return CPU seconds and what was fitted."""
    start = time.process_time()
    found = fit()
    return time.process_time() - start, found


def row(size: int) -> str:
    """Return one line of the table: the two in turns, the best of each."""
    rows, yes, no = task(size)
    turns = [
        (
            timed(lambda: one_by_one(rows, yes, no)),
            timed(lambda: fit_logistic(rows, yes, no, REGULARISATION)),
        )
        for _ in range(_REPEATS)
    ]
    theirs, ours = (min(turn[side][0] for turn in turns) for side in (0, 1))
    apart = turns[0][0][1] - turns[0][1][1]
    logits = np.abs(rows @ apart[:, :-1].T + apart[:, -1]).max()
    return f"| {size:,} | {theirs:.2f} | {ours:.2f} | {theirs / ours:.1f} | {logits:.0e} |"


def main(sizes: Sequence[int] = SIZES) -> int:
    """Measure and print; return the exit code."""
    if not SHARED.is_dir():
        print(f"{SHARED}: not there. The abstracts belong in it.", file=sys.stderr)
        return 1
    print(
        "| papers | scikit-learn, CPU s | at once, CPU s | ratio | largest difference of a logit |"
    )
    print("|---" * 5 + "|")
    for size in sizes:
        print(row(size), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
