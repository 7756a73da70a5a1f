"""The last step of the classifier as JSON: arrays in base64, TF-IDF in 16 bits."""

from __future__ import annotations

from base64 import b64encode

import numpy as np
from numpy.typing import NDArray

from classifier.labelling.last_step import LastStep, Question

MAX_VALUE = 65_535


def step_record(step: LastStep) -> dict[str, object]:
    """Return the record that `fit.js` unpacks."""
    rows = step.rows.tocsr()
    scale = float(rows.data.max(initial=0.0)) or 1.0
    slope, offset = step.confidence
    return {
        "papers": rows.shape[0],
        "terms": rows.shape[1],
        "scale": scale,
        "values": _base64(np.round(rows.data * (MAX_VALUE / scale)).astype("<u2")),
        "columns": _base64(rows.indices.astype("<u2" if rows.shape[1] <= MAX_VALUE else "<u4")),
        "starts": _base64(rows.indptr.astype("<u4")),
        "questions": {name: _question_record(each) for name, each in step.questions.items()},
        "inversePenalties": step.inverse_penalties.tolist(),
        "interceptScale": step.intercept_scale,
        "thresholds": step.thresholds.tolist(),
        "confidence": [slope, offset],
        "maxConfidence": step.max_confidence,
        "cut": step.cut,
        "hasVote": _base64(step.has_vote.astype("u1")),
        "isClear": _base64(step.is_clear.astype("u1")),
    }


def _question_record(question: Question) -> dict[str, object]:
    """Return the record of one question."""
    return {
        "offset": _base64(question.offset.astype("<f4")),
        "taught": _base64(question.taught_offset.astype("<f4")),
        "truth": _base64(question.truth),
        "slope": question.slope,
        "shifts": question.shifts.tolist(),
    }


def _base64(values: NDArray[np.generic]) -> str:
    """Return an array in base64."""
    return b64encode(np.ascontiguousarray(values).tobytes()).decode()
