"""Text that stays text in Markdown."""

from __future__ import annotations

import html
import re

_LINKS = re.compile(
    r"(?<=[@#])(?=\w)|(?<=\w:)(?=//)|(?<=\bwww)(?=\.)|(?<=\bGH)(?=-\d)", re.IGNORECASE
)
"""Where a code host begins a mention or a link; whom or what they name is told of it."""


def escaped(text: str) -> str:
    """Return text that shows as it is: no markup, no mention of a person, no link.

    >>> escaped("*new*  by @ada")
    '\\\\*new\\\\* by @<!-- -->ada'
    >>> escaped("GH-7 and https://host/issues/7")
    'GH<!-- -->-7 and https:<!-- -->//host/issues/7'
    """
    plain = html.escape(" ".join(text.split()), quote=False)
    plain = re.sub(r"([\\`*_\[\]|~])", r"\\\1", plain)
    return _LINKS.sub("<!-- -->", plain)
