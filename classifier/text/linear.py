"""A linear model over binary features, with its weights in a JSON file."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HUNDRED = 100


@dataclass(frozen=True, slots=True)
class LinearModel:
    """A linear model. Weights are integers, in hundredths of natural log-odds.

    With integers, sums do not depend on the order of the features.
    """

    columns: tuple[str, ...]
    """Names of the scores."""
    intercepts: tuple[int, ...]
    """One per column."""
    weights: Mapping[str, tuple[int, ...]]
    """Weights by feature, one per column."""

    def scores(self, features: Iterable[str]) -> tuple[int, ...]:
        """Return one score per column: the intercept plus the weights of the known features."""
        rows = filter(None, map(self.weights.get, features))
        return tuple(map(sum, zip(self.intercepts, *rows, strict=True)))


def column_probabilities(scores: Sequence[int]) -> list[float]:
    """Return the probabilities of mutually exclusive columns (softmax)."""
    highest = max(scores)
    powers = [math.exp((score - highest) / HUNDRED) for score in scores]
    return [power / sum(powers) for power in powers]


def read_model(file: Path) -> LinearModel:
    """Read a model from a file that `model_text` wrote."""
    read = json.loads(file.read_text(encoding="utf-8"))
    weights = {name: tuple(row) for name, row in read["weights"].items()}
    return LinearModel(tuple(read["columns"]), tuple(read["intercepts"]), weights)


def model_text(model: LinearModel) -> str:
    """Return a model as JSON with one line per feature, so that changes are readable."""
    lines = [
        f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(row, separators=(',', ':'))}"
        for name, row in sorted(model.weights.items())
    ]
    return (
        f'{{"columns": {json.dumps(model.columns)},\n'
        f'"intercepts": {json.dumps(model.intercepts)},\n'
        '"weights": {\n' + ",\n".join(lines) + "\n}}\n"
    )
