"""One evaluation with a figure of every kind, for all that print or write it."""

from __future__ import annotations

import math

from classifier.evaluation.metrics import Estimate
from classifier.evaluation.outcome import (
    CategoryScores,
    Evaluation,
    FacetScore,
    Findings,
    Setup,
)

NOTHING = Estimate(math.nan, math.nan, math.nan)
EVALUATION = Evaluation(
    setup=Setup(
        n=40, folds=5, repeats=3, trained_on=50, unlabelled=9, unmatched=("Lost", "Mislaid")
    ),
    categories={
        "tools": CategoryScores(math.nan, math.nan, NOTHING, 0, core=False, out_of_scope=False),
        "soil": CategoryScores(
            0.75, 0.6, Estimate(0.66666, 0.5, 0.81), 20, core=True, out_of_scope=False
        ),
        "other": CategoryScores(1.0, 1.0, Estimate(1, 1, 1), 3, core=False, out_of_scope=True),
    },
    core_f1=Estimate(0.66666, 0.5, 0.81),
    mean_f1=Estimate(0.66666, 0.5, 0.81),
    micro_f1=Estimate(0.7, 0.6, 0.8),
    mean_average_precision=Estimate(0.72, 0.61, 0.83),
    precision_at_1=Estimate(0.9, 0.8, 1.0),
    primary_accuracy=Estimate(0.84996, 0.75, 0.9),
    ece=Estimate(0.0321, 0.02, 0.051),
    brier=Estimate(0.101, 0.08, 0.12),
    facets={"kind": FacetScore("accuracy", Estimate(0.5, 0.25, 0.75), 12)},
    confident=Estimate(0.4, 0.3, 0.5),
    confident_accuracy=Estimate(0.95, 0.9, 1.0),
    confusion={"soil": {"soil": 18, "other": 2}, "other": {"other": 3, "soil": 4}},
)
PROVENANCE: dict[str, object] = {
    "version": "1.0",
    "survey": "Gardens",
    "taxonomy_digest": "0123456789ab",
    "truth": "gold.csv",
}
FINDINGS = Findings(EVALUATION, PROVENANCE)
