"""Detect from the sentences of a paper which code, models and data it releases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from classifier.text.roles import RoledSentence

CodeStatement = Literal["said to be released", "said to follow", ""]
Artifact = Literal["models", "data"]

# The lookahead excludes "code generation", "tool use" and "a repository of papers".
_CODE = re.compile(
    r"\b(?:code(?:base)?|implementation|software|frameworks?|toolkits?|tools?|library|libraries"
    r"|platform|repository|scripts?|pipelines?|packages?|harness|environments|interfaces"
    r"|ecosystem)\b"
    r"(?=[^\w\s]|$|\s*https?:|\s(?:and|or|for|is|are|was|were|will|has|have|can|to|at|on|in|with"
    r"|as|from|available|publicly|openly|that|which)\b)",
    re.IGNORECASE,
)
# "Open-source models fail" does not state a release.
_RELEASED = re.compile(
    r"\b(?:is|are|be|been|being|was|were|made) (?:\w+ ){0,2}?"
    r"(?:released|open[- ]?sourced?|available|public|provided|linked|published|shared)\b"
    r"|\b(?:we|authors) (?:\w+ ){0,2}?(?:releas|open[- ]?sourc|provid|publish|shar|mak)"
    r"|\bcode (?:\w+ )?available\b|https?://",
    re.IGNORECASE,
)
# Matches "Presents Oven, a lightweight and open-source framework", not "Grounds Oven in Stove, an".
_PRESENTED = (
    r"\b(?:presents?|introduces?|proposes?|describes?|releases?|develops?)\s"
    r"(?:[^;]{0,200}?(?:,|\band|\bwith)\s)?(?:an?|the)\s"
    r"(?:(?:family|series) of )?(?:(?!from|of|on|in|to)[\w-]+\s){0,3}?open[- ]?sourced?\s"
    r"(?:[\w-]+\s){0,3}?"
)
_PRESENTED_CODE = re.compile(
    _PRESENTED + r"(?:code(?:base)?|implementation|software|framework|toolkit|tool|library|platform"
    r"|pipeline|package|system|infrastructure|ecosystem|simulator)\b",
    re.IGNORECASE,
)
_PRESENTED_MODEL = re.compile(_PRESENTED + r"(?:models?|agent)\b(?! system)", re.IGNORECASE)
_FUTURE = re.compile(r"\b(?:will|plan\w*|soon|upon|to be)\b", re.IGNORECASE)


def code_statement(sentences: Iterable[RoledSentence]) -> CodeStatement:
    """Return the statement of a text about the release of its code, or "".

    The statement is a sentence about releases, or a sentence that presents the contribution as open
    source. The release of models or data alone does not count.
    """
    for sentence in sentences:
        words = sentence.words
        if sentence.role == "release" and _CODE.search(words) and _RELEASED.search(words):
            return "said to follow" if _FUTURE.search(words) else "said to be released"
        if sentence.role == "contribution" and _PRESENTED_CODE.search(words):
            return "said to be released"
    return ""


# The lookbehind excludes "the code of the model is available", which releases no model.
_ARTIFACTS: dict[Artifact, re.Pattern[str]] = {
    "models": re.compile(
        r"(?<!for the )(?<!of the )\b(?:models?|weights|checkpoints?)\b"
        r"(?! (?:code|zoo|training))",
        re.IGNORECASE,
    ),
    "data": re.compile(
        r"(?<!for the )(?<!of the )\b(?:data(?:sets?)?|benchmarks?|corpus|corpora|trajectories)\b"
        r"(?! (?:code|collection|generation|pipelines?))",
        re.IGNORECASE,
    ),
}
_LIST_OF_PAPERS = re.compile(r"\b(?:collection|list) of\b.*\bpapers\b")


def released_artifacts(sentences: Sequence[RoledSentence]) -> tuple[Artifact, ...]:
    """Return which of models and data a text releases or announces.

    They are found in sentences about releases; models are also found in a sentence that presents an
    open-source model as the contribution.
    """
    releases = [
        sentence.words
        for sentence in sentences
        if sentence.role == "release"
        and _RELEASED.search(sentence.words)
        and not _LIST_OF_PAPERS.search(sentence.words)
    ]
    found = {
        artifact for artifact, pattern in _ARTIFACTS.items() if any(map(pattern.search, releases))
    }
    if any(s.role == "contribution" and _PRESENTED_MODEL.search(s.words) for s in sentences):
        found.add("models")
    return tuple(artifact for artifact in _ARTIFACTS if artifact in found)
