"""A prior as text: JSON, a line a weight, so that one can read it and see what a change changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classifier.errors import Fault, InputError
from classifier.files.atomic import write_file
from classifier.labelling.prior import FacetPrior, LinearModel, Prior

FORMAT = "fieldguide-prior-1"
_DIGITS = 3
_BROKEN = (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
_CURE = "Make it again with `fieldguide prior`, or go without:"


def write_prior(path: Path, prior: Prior) -> None:
    """Write a prior; raises OutputError where the file cannot be written."""
    write_file(path, prior_bytes(prior))


def prior_bytes(prior: Prior) -> bytes:
    """Return the file: where it comes from, whom it knows, and the weights by size.

    Each weight stands `groups` + 1 times: learned from all papers, and without each group.
    """
    head = {"format": FORMAT, **prior.provenance}
    lines = ["{", *(f"{_text(key)}: {_text(value)}," for key, value in head.items())]
    lines += ['"papers": {', *_comma([f"{_text(k)}: {g}" for k, g in sorted(prior.groups.items())])]
    lines += ["},", '"facets": {']
    facets = [_facet_lines(name, facet) for name, facet in prior.facets.items()]
    lines += _joined(facets)
    return "\n".join([*lines, "}", "}", ""]).encode()


def is_prior(path: Path) -> bool:
    """Return whether a file holds a prior."""
    try:
        read_prior(path, str(path))
    except InputError:
        return False
    return True


def read_prior(path: Path, shown: str, *, named: bool = False) -> Prior:
    """Read a prior; raises InputError where the file is not one.

    named: whether the user named it with --prior, which decides how to go without.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise ValueError(f"no {FORMAT}")
        head = {k: v for k, v in found.items() if k not in ("format", "papers", "facets")}
        groups = {str(key): int(group) for key, group in found["papers"].items()}
        versions = max(groups.values(), default=-1) + 2
        facets = {name: _facet(facet, versions) for name, facet in found["facets"].items()}
    except _BROKEN as error:
        reason = f"no {error}" if isinstance(error, KeyError) else str(error)
        line = getattr(error, "lineno", None)  # of a JSONDecodeError
        what = f"a file that is no prior ({reason or type(error).__name__})"
        cure = f"{_CURE} {'--prior none' if named else f'move {shown} away'}."
        fault = Fault("error", shown, line, what, f"JSON of the format {FORMAT}", cure)
        raise InputError([fault]) from error
    return Prior(head, groups, facets)


def _facet_lines(name: str, facet: FacetPrior) -> list[str]:
    lines = [f"{_text(name)}: {{"]
    categories = []
    for column, (category_id, digest) in enumerate(
        zip(facet.category_ids, facet.meanings, strict=True)
    ):
        parts = [] if facet.applies is None else [_model_lines("applies", facet.applies, column)]
        parts.append(_model_lines("filed", facet.filed, column))
        categories.append(
            [f'{_text(category_id)}: {{"meaning": {_text(digest)},', *_joined(parts), "}"]
        )
    return [*lines, *_joined(categories), "}"]


def _model_lines(name: str, model: LinearModel, column: int) -> list[str]:
    """Return one category of a model: its intercept, then its features, the strongest first."""
    rows = _rounded(model.weights[:, column, :])
    used = [index for index in range(len(model.names)) if rows[:, index].any()]
    used.sort(key=lambda index: (-abs(rows[0, index]), model.names[index]))
    weights = [("intercept", _rounded(model.intercepts[:, column]))]
    weights += [(model.names[index], rows[:, index]) for index in used]
    lines = [f"{_text(key)}: {_numbers(values)}" for key, values in weights]
    return [f"{_text(name)}: {{", *_comma(lines), "}"]


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values as they are written: to three digits, and without a negative zero.

    By Python's round, as np.round overflows and may move a large number a second time.
    """
    rounded = [round(value, _DIGITS) + 0.0 for value in values.ravel().tolist()]
    return np.array(rounded).reshape(values.shape)


def _numbers(values: NDArray[np.float64]) -> str:
    """Return the shortest digits that are read as the same numbers, without an exponent."""
    return f"[{', '.join(np.format_float_positional(value, trim='-') for value in values)}]"


def _facet(found: Mapping[str, Any], versions: int) -> FacetPrior:
    single = any("applies" not in category for category in found.values())
    return FacetPrior(
        tuple(found),
        tuple(str(category["meaning"]) for category in found.values()),
        None if single else _model([c["applies"] for c in found.values()], versions),
        _model([category["filed"] for category in found.values()], versions),
    )


def _model(categories: Sequence[Mapping[str, Sequence[float]]], versions: int) -> LinearModel:
    named = {name for weights in categories for name in weights}
    names = sorted(named - {"intercept"})
    position = {name: index for index, name in enumerate(names)}
    rows = [
        {name: _versions(weights[name], versions) for name in ("intercept", *weights)}
        for weights in categories
    ]  # before anything is made room for: a group may be any number
    values = np.zeros((versions, len(categories), len(names)))
    intercepts = np.zeros((versions, len(categories)))
    for column, row in enumerate(rows):
        intercepts[:, column] = row["intercept"]
        for name in position.keys() & row.keys():
            values[:, column, position[name]] = row[name]
    return LinearModel(tuple(names), values, intercepts)


def _versions(found: Sequence[float], versions: int) -> NDArray[np.float64]:
    values = np.array(found, dtype=np.float64)
    if values.shape != (versions,) or not np.isfinite(values).all():
        raise ValueError(f"{found}, not {versions} numbers")
    return values


def _joined(parts: Sequence[Sequence[str]]) -> list[str]:
    """Return blocks of lines, one after the other, with a comma between two."""
    lines: list[str] = []
    for number, part in enumerate(parts, start=1):
        lines += part[:-1]
        lines.append(part[-1] + ("," if number < len(parts) else ""))
    return lines


def _comma(lines: Sequence[str]) -> Iterator[str]:
    return iter(_joined([[line] for line in lines]))


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
