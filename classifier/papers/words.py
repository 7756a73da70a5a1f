"""Load lists of words for readers from the YAML files next to the modules."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml


@cache
def load_words(path: Path) -> dict[str, Any]:
    """Load the lists of a file; every value is a text, so that `no` and `1` stay words."""
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    return dict(yaml.load(path.read_text(encoding="utf-8"), loader))
