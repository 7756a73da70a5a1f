"""Any text as part of an id."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 40
"""Letters of a part that is made of a name: an id of two parts names a file."""
DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])")
"""What Windows takes for a device, whatever stands behind it."""


def slug(text: str) -> str:
    """Return a text as part of an id; "" where it has no Latin letter or digit.

    >>> slug("Réseaux de neurones (IA)")
    'reseaux-de-neurones-ia'
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall("[a-z0-9]+", plain))


def as_file(part: str) -> str:
    """Return a slug as it may name a file: cut behind a word, and no device of Windows.

    >>> as_file("con"), as_file("the-waggle-dance-of-bees-and-of-nobody-else")
    ('con-papers', 'the-waggle-dance-of-bees-and-of-nobody')
    """
    if DEVICE.fullmatch(part):
        return f"{part}-papers"
    if len(part) <= LONGEST:
        return part
    words = part[: part.rfind("-", 0, LONGEST + 1)]
    return words if "-" in part[:LONGEST] else part[:LONGEST]
