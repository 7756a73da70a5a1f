"""Fixtures that any test may need."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every run, and no fault because a machine was busy.
settings.register_profile("fieldguide", derandomize=True, deadline=None, database=None)
settings.load_profile("fieldguide")

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's root: the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder beside the project that holds real abstracts, which the project may not."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs the real abstracts in ../shared, which is not there")
    return folder
