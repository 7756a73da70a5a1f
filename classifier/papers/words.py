"""Lists of words that readers know, in YAML files next to the modules that use them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml


@cache
def load_words(path: Path) -> dict[str, Any]:
    """Return the lists of a file; every value is a text, so that `no` and `1` stay words."""
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    return dict(yaml.load(path.read_text(encoding="utf-8"), loader))
