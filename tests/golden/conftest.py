from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="Write tests/golden/expected/ anew (name the folder: pytest tests/golden …).",
    )
