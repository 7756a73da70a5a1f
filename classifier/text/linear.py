"""A linear model over features that are there or not; its weights stand in a file to be read."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HUNDRED = 100


@dataclass(frozen=True, slots=True)
class LinearModel:
    """Weights are whole hundredths of natural log-odds: their sums are the same in any order."""

    columns: tuple[str, ...]
    """What is scored."""
    intercepts: tuple[int, ...]
    """One a column."""
    weights: Mapping[str, tuple[int, ...]]
    """Feature -> a weight a column."""

    def scores(self, features: Iterable[str]) -> tuple[int, ...]:
        """Return a score a column: the intercept and the weights of the features that are known."""
        rows = filter(None, map(self.weights.get, features))
        return tuple(map(sum, zip(self.intercepts, *rows, strict=True)))


def shares(scores: Sequence[int]) -> list[float]:
    """Return the probability of each of several columns of which one holds (softmax)."""
    highest = max(scores)
    powers = [math.exp((score - highest) / HUNDRED) for score in scores]
    return [power / sum(powers) for power in powers]


def read_model(file: Path) -> LinearModel:
    """Return the model that `model_text` wrote."""
    read = json.loads(file.read_text(encoding="utf-8"))
    weights = {name: tuple(row) for name, row in read["weights"].items()}
    return LinearModel(tuple(read["columns"]), tuple(read["intercepts"]), weights)


def model_text(model: LinearModel) -> str:
    """Return a model as JSON, a line a feature, so that a change of it can be read."""
    lines = [
        f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(row, separators=(',', ':'))}"
        for name, row in sorted(model.weights.items())
    ]
    return (
        f'{{"columns": {json.dumps(model.columns)},\n'
        f'"intercepts": {json.dumps(model.intercepts)},\n'
        '"weights": {\n' + ",\n".join(lines) + "\n}}\n"
    )
