"""What a sentence of an abstract does: state the problem, the contribution, a result, …

Read alike in an abstract ("We introduce X") and in a digest ("Introduces X"). A multinomial
logistic regression weighs cues, place, words and the cues of the sentences around (argumentative
zoning after Teufel & Moens, "Summarizing Scientific Articles", Computational Linguistics 28(4),
2002; Merity, Murphy & Curran, "Accurate Argumentative Zoning with Maximum Entropy models", 2009).
Its weights ship with the package; `python -m tests.benchmarks.roles --learn` makes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from classifier.text.role_cues import tells_of_a_release, tells_of_the_paper
from classifier.text.role_features import features_of
from classifier.text.role_weights import shipped_weights
from classifier.text.sentences import Span, split_sentences

Role = Literal["problem", "contribution", "method", "result", "limit", "release"]
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, slots=True)
class RoledSentence:
    """A sentence with the role that it plays in its abstract."""

    span: Span
    role: Role
    main: bool = False
    """Whether it is the one that best says what the paper does; it is a contribution, then."""


@lru_cache(maxsize=2**13)  # the labels and the survey read the same texts
def roled_sentences(text: str) -> tuple[RoledSentence, ...]:
    """Return the sentences of an abstract or digest with their roles, in order.

    Exactly one sentence of a text is `main`: every abstract contributes something.
    """
    spans = split_sentences(text)
    weights = shipped_weights()
    scores = [weights.scores(features) for features in features_of([span.text for span in spans])]
    main = max(range(len(spans)), key=lambda index: scores[index][-1], default=0)
    return tuple(
        RoledSentence(span, "contribution" if index == main else _likeliest(row), index == main)
        for index, (span, row) in enumerate(zip(spans, scores, strict=True))
    )


def contribution_sentence(sentences: Sequence[RoledSentence]) -> str:
    """Return the sentence that best says what a paper does, or "" for an empty text."""
    return next((item.span.text for item in sentences if item.main), "")


def says_what_the_paper_does(item: RoledSentence) -> bool:
    """Whether a sentence tells what the paper does, be it beside a method, result or limit.

    "We build Crumb and find that it rises" has one role, but does two things.
    """
    if item.role in ("problem", "release"):
        return False
    return item.role == "contribution" or tells_of_the_paper(item.span.text)


@lru_cache(maxsize=2**13)  # facts, tables and pages ask for the same papers
def announces_a_release(item: RoledSentence) -> bool:
    """Whether a sentence says that code, data or another thing of the paper can be had.

    Its role alone is a guess by words such as "open" and "release", which other fields use too.
    """
    return item.role == "release" and tells_of_a_release(item.span.text)


def _likeliest(scores: tuple[int, ...]) -> Role:
    return max(zip(scores, ROLES, strict=False), key=lambda pair: pair[0])[1]
