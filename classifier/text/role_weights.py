"""The weights of the model that reads roles, and how they are applied: sums, without numpy."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

WEIGHTS_FILE = Path(__file__).with_name("role_weights.json")


@dataclass(frozen=True, slots=True)
class RoleWeights:
    """A linear model over features that are there or not.

    Weights are whole hundredths of natural log-odds: their sums are the same in any order.
    """

    columns: tuple[str, ...]
    """The roles, then `main`: the one sentence that best says what a paper does."""
    intercepts: tuple[int, ...]
    """One a column."""
    weights: Mapping[str, tuple[int, ...]]
    """Feature -> a weight a column."""

    def scores(self, features: Iterable[str]) -> tuple[int, ...]:
        """Return a score a column: the intercept and the weights of the features that are known."""
        rows = [self.weights[name] for name in features if name in self.weights]
        return tuple(map(sum, zip(self.intercepts, *rows, strict=True)))


@lru_cache(maxsize=1)
def shipped_weights() -> RoleWeights:
    """Return the weights in `role_weights.json`, read once, when the first text is asked for."""
    return read_weights(WEIGHTS_FILE.read_text(encoding="utf-8"))


def read_weights(text: str) -> RoleWeights:
    """Return the weights that `write_weights` wrote."""
    read = json.loads(text)
    weights = {name: tuple(row) for name, row in read["weights"].items()}
    return RoleWeights(tuple(read["columns"]), tuple(read["intercepts"]), weights)


def write_weights(model: RoleWeights) -> str:
    """Return the weights as JSON, a line a feature, so that a change of them can be read."""
    lines = [
        f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(row, separators=(',', ':'))}"
        for name, row in sorted(model.weights.items())
    ]
    return (
        f'{{"columns": {json.dumps(model.columns)},\n'
        f'"intercepts": {json.dumps(model.intercepts)},\n'
        '"weights": {\n' + ",\n".join(lines) + "\n}}\n"
    )
