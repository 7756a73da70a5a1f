"""What a text says of its code: that it can be had, or that it will be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from classifier.text.roles import RoledSentence

Said = Literal["said to be released", "said to follow", ""]

# "Code generation", "tool use" and "a repository of papers" are other things.
_CODE = re.compile(
    r"\b(?:code(?:base)?|implementation|software|frameworks?|toolkits?|tools?|library|libraries"
    r"|platform|repository|scripts?|pipelines?|packages?|harness|environments|interfaces"
    r"|ecosystem)\b"
    r"(?=[^\w\s]|$|\s*https?:|\s(?:and|or|for|is|are|was|were|will|has|have|can|to|at|on|in|with"
    r"|as|from|available|publicly|openly|that|which)\b)",
    re.IGNORECASE,
)
# "Open-source models fail" hands nothing out.
_RELEASED = re.compile(
    r"\b(?:is|are|be|been|being|was|were|made) (?:\w+ ){0,2}?"
    r"(?:released|open[- ]?sourced?|available|public|provided|linked|published|shared)\b"
    r"|\b(?:we|authors) (?:\w+ ){0,2}?(?:releas|open[- ]?sourc|provid|publish|shar|mak)"
    r"|\bcode (?:\w+ )?available\b|https?://",
    re.IGNORECASE,
)
# "Presents Oven, a lightweight and open-source framework"; not "Grounds Oven in Stove, an …".
_PRESENTED = re.compile(
    r"\b(?:presents?|introduces?|proposes?|describes?|releases?|develops?)\s"
    r"(?:[^;]{0,200}?(?:,|\band|\bwith)\s)?(?:an?|the)\s"
    r"(?:(?!from|of|on|in|to)[\w-]+\s){0,3}?open[- ]?sourced?\s(?:[\w-]+\s){0,3}?"
    r"(?:code(?:base)?|implementation|software|framework|toolkit|tool|library|platform|pipeline"
    r"|package|system|infrastructure|ecosystem|simulator)\b",
    re.IGNORECASE,
)
_TO_COME = re.compile(r"\b(?:will|plan\w*|soon|upon|to be)\b", re.IGNORECASE)


def code_said(sentences: Iterable[RoledSentence]) -> Said:
    """Return what a text says of its code; models and data alone are no code.

    In its sentences on releases, or where it presents what it made as open source.
    """
    for item in sentences:
        words = item.words
        if item.role == "release" and _CODE.search(words) and _RELEASED.search(words):
            return "said to follow" if _TO_COME.search(words) else "said to be released"
        if item.role == "contribution" and _PRESENTED.search(words):
            return "said to be released"
    return ""
