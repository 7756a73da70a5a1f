"""What was found, as JSON for machines and for a model card."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict

from classifier.evaluation.findings import Findings
from classifier.evaluation.learning_curve import STEP, CurvePoint
from classifier.evaluation.metrics import CALIBRATION_BINS, RESAMPLES, SEED, Figure
from classifier.evaluation.outcome import Evaluation
from classifier.evaluation.outcomes import outcomes_json
from classifier.evaluation.reliability import ReliabilityBin

_DIGITS = 4


def findings_json(findings: Findings) -> dict[str, object]:
    """Return everything as JSON values: the figures of the setting in full, then the tables.

    Of each scored paper there is what it was given, for `fieldguide evaluate --against`.

    Undefined figures are None, all are rounded to 4 digits. Tables that were not asked for are
    empty.
    """
    return {
        **evaluation_json(findings.evaluation),
        "outcomes": outcomes_json(findings.outcomes),
        "compared": {name: evaluation_json(e) for name, e in findings.compared.items()},
        "ablation": {name: evaluation_json(e) for name, e in findings.ablation.items()},
        "learning_curve": [_point_json(point) for point in findings.curve],
        "provenance": asdict(findings.provenance),
        "method": {
            "interval": "95 % percentile bootstrap over papers",
            "resamples": RESAMPLES,
            "seed": SEED,
            "calibration_bins": CALIBRATION_BINS,
        },
    }


def evaluation_json(evaluation: Evaluation) -> dict[str, object]:
    """Return the figures of one setting."""
    setup, means = evaluation.setup, _means(evaluation)
    return {
        "n": setup.n,
        "cross_validated": setup.is_cross_validated,
        "folds": setup.folds,
        "repeats": setup.repeats,
        "trained_on": setup.trained_on,
        "unlabelled": setup.unlabelled,
        "first_day": setup.first_day,
        "left_out_in_prior": setup.in_prior,
        "categories": {
            name: {
                "precision": _json(figures.precision),
                "recall": _json(figures.recall),
                "f1": _json(figures.f1.value),
                "support": figures.support,
                "interval": _json_interval(figures.f1),
                "core": figures.core,
            }
            for name, figures in evaluation.categories.items()
        },
        **{key: _json(mean.value) for key, mean in means.items()},
        "facets": {name: _json(facet.figure.value) for name, facet in evaluation.facets.items()},
        "intervals": {key: _json_interval(mean) for key, mean in means.items()},
        "facet_figures": {
            name: {
                "measure": facet.measure,
                "value": _json(facet.figure.value),
                "interval": _json_interval(facet.figure),
                "n": facet.n,
            }
            for name, facet in evaluation.facets.items()
        },
        "abstention": _json_abstention(evaluation),
        "reliability": _json_reliability(evaluation.reliability),
        "confusion": {name: dict(row) for name, row in evaluation.confusion.items()},
        "left_out": list(evaluation.left_out),
        "unmatched": list(setup.unmatched),
    }


def _means(evaluation: Evaluation) -> dict[str, Figure]:
    return {
        "core_f1": evaluation.core_f1,
        "mean_f1": evaluation.mean_f1,
        "micro_f1": evaluation.micro_f1,
        "precision_at_1": evaluation.precision_at_1,
        "primary_accuracy": evaluation.primary_accuracy,
        "mean_average_precision": evaluation.mean_average_precision,
        "ece": evaluation.ece,
        "brier": evaluation.brier,
    }


def _point_json(point: CurvePoint) -> dict[str, object]:
    flips = None
    if point.flips:
        flips = {
            "reviews": STEP,
            "share": _json(point.flips.value),
            "interval": _json_interval(point.flips),
        }
    return {"decided": point.size, "flips": flips, "figures": evaluation_json(point.evaluation)}


def _json_abstention(evaluation: Evaluation) -> dict[str, object]:
    abstention = evaluation.abstention
    return {
        "confident": _json(abstention.confident.value),
        "confident_interval": _json_interval(abstention.confident),
        "accuracy": _json(abstention.accuracy.value),
        "accuracy_interval": _json_interval(abstention.accuracy),
        "risk_coverage": [
            {"coverage": coverage, "accuracy": _json(accuracy)}
            for coverage, accuracy in abstention.risk_coverage
        ],
    }


def _json_reliability(bins: Sequence[ReliabilityBin]) -> list[dict[str, object]]:
    return [
        {
            "from": one.low,
            "pairs": one.n,
            "mean_probability": _json(one.mean_probability),
            "share_true": _json(one.share_true),
        }
        for one in bins
    ]


def _json(value: float) -> float | None:
    return None if math.isnan(value) else round(value, _DIGITS)


def _json_interval(mean: Figure) -> list[float | None]:
    return [_json(mean.low), _json(mean.high)]
