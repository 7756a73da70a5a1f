"""The columns of the shipped survey, against what a reader found stated."""

from __future__ import annotations

from pathlib import Path

import pytest

from classifier.taxonomy.load import load_taxonomy
from tools.benchmarks.columns import Cell, figures, measured_cells, read_cells

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def cells() -> list[Cell]:
    return measured_cells(ROOT)


def test_what_was_read_is_of_the_taxonomy(cells: list[Cell]) -> None:
    facets = load_taxonomy(ROOT / "taxonomy" / "taxonomy.yaml").taxonomy.facets
    for read in read_cells().values():
        for facet, stated in read.items():
            assert stated <= set(facets[facet].ids)
    assert len({cell.title for cell in cells}) >= 60


def test_what_the_cues_fill_in_is_nearly_always_stated(cells: list[Cell]) -> None:
    _, precision, recall = figures(cells)
    assert precision >= 0.9
    assert recall >= 0.9
