"""Any text as part of an id."""

from __future__ import annotations

import re
import unicodedata


def slug(text: str) -> str:
    """Return a text as part of an id; "" where it has no Latin letter or digit.

    >>> slug("Réseaux de neurones (IA)")
    'reseaux-de-neurones-ia'
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall("[a-z0-9]+", plain))
