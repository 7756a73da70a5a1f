"""Text that stays text in Markdown."""

from __future__ import annotations

import html
import re


def escaped(text: str) -> str:
    """Return text that shows as it is: no markup, no mention of a person, no link to an issue.

    >>> escaped("*new*  by @ada")
    '\\\\*new\\\\* by @<!-- -->ada'
    """
    plain = html.escape(" ".join(text.split()), quote=False)
    plain = re.sub(r"([\\`*_\[\]|~])", r"\\\1", plain)
    return re.sub(r"([@#])(?=\w)", r"\1<!-- -->", plain)
