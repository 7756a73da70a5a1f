from __future__ import annotations

import json

from classifier.evaluation.figures_json import findings_json
from tests.evaluation.findings import ALL_TABLES, FINDINGS


def test_json_is_json_and_undefined_is_null() -> None:
    figures = json.loads(json.dumps(findings_json(FINDINGS), allow_nan=False))
    assert list(figures) == [
        "n", "cross_validated", "folds", "repeats", "trained_on", "unlabelled", "first_day",
        "left_out_in_prior", "categories", "core_f1", "mean_f1", "micro_f1", "precision_at_1",
        "primary_accuracy", "mean_average_precision", "ece", "brier", "facets", "intervals",
        "facet_figures", "abstention", "reliability", "confusion", "left_out", "unmatched",
        "outcomes", "compared", "ablation", "learning_curve", "provenance", "method",
    ]  # fmt: skip
    assert figures["categories"]["soil"] == {
        "precision": 0.75, "recall": 0.6, "f1": 0.6667, "support": 20,
        "interval": [0.5, 0.81], "core": True,
    }  # fmt: skip
    assert figures["categories"]["tools"]["f1"] is None
    assert figures["categories"]["tools"]["interval"] == [None, None]
    assert figures["core_f1"] == 0.6667
    assert figures["intervals"]["core_f1"] == [0.5, 0.81]
    assert (figures["ece"], figures["intervals"]["ece"]) == (0.0321, [0.02, 0.051])
    assert figures["facets"] == {"kind": 0.5}
    assert figures["facet_figures"]["kind"] == {
        "measure": "accuracy", "value": 0.5, "interval": [0.25, 0.75], "n": 12,
    }  # fmt: skip
    assert figures["reliability"][1] == {
        "from": 0.5, "pairs": 0, "mean_probability": None, "share_true": None,
    }  # fmt: skip
    assert figures["abstention"] == {
        "confident": 0.4,
        "confident_interval": [0.3, 0.5],
        "accuracy": 0.95,
        "accuracy_interval": [0.9, 1.0],
        "risk_coverage": [
            {"coverage": 0.5, "accuracy": 0.975},
            {"coverage": 1.0, "accuracy": 0.85},
        ],
    }
    assert figures["confusion"]["soil"] == {"soil": 18, "other": 2}
    assert figures["left_out"] == ["tools"]
    assert figures["unmatched"] == ["Lost", "Mislaid"]


def test_tables_hold_the_figures_of_each_setting_in_full() -> None:
    figures = json.loads(json.dumps(findings_json(ALL_TABLES), allow_nan=False))
    assert list(figures["compared"]) == ["taxonomy alone", "with reviews"]
    assert figures["compared"]["taxonomy alone"]["core_f1"] == 0.5
    assert figures["compared"]["taxonomy alone"]["intervals"]["core_f1"] == [0.41, 0.6]
    assert figures["ablation"]["cues only"]["n"] == 40
    first, last = figures["learning_curve"]
    assert first["flips"] == {"reviews": 20, "share": 0.06, "interval": [0.02, 0.11]}
    assert (last["decided"], last["flips"], last["figures"]["core_f1"]) == (20, None, 0.6667)


def test_a_model_card_finds_what_the_figures_rest_on() -> None:
    figures = json.loads(json.dumps(findings_json(FINDINGS)))
    assert figures["provenance"] == {
        "version": "1.0",
        "survey": "Gardens",
        "taxonomy_digest": "0123456789ab",
        "inputs_digest": "ba9876543210",
        "categories": {"topic": 3, "kind": 2},
        "cues": 12,
        "truth": "gold.csv",
        "learned_from": "none",
        "prior": "none",
        "parameters": {"folds": 5, "features": "both"},
    }
    assert figures["method"]["resamples"] == 1000
