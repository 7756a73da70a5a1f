"""The three views of a paper that labels are read from: title, contribution, whole text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from classifier.corpus.paper import Paper
from classifier.text.normalise import display, tokens
from classifier.text.roles import roled_sentences


@dataclass(frozen=True, slots=True)
class TextViews:
    """A paper as token lists; a cue never runs across two of them."""

    title: tuple[str, ...]
    """Tokens of the title."""
    contribution: tuple[tuple[str, ...], ...]
    """Tokens of each sentence that states what the paper does."""
    sentences: tuple[tuple[str, ...], ...]
    """Tokens of every sentence of the abstract or digest, the contribution included."""

    @property
    def title_text(self) -> str:
        """The title as blank-separated tokens."""
        return " ".join(self.title)

    @property
    def contribution_text(self) -> str:
        """The contribution sentences as blank-separated tokens."""
        return " ".join(token for sentence in self.contribution for token in sentence)

    @property
    def whole_text(self) -> str:
        """Title and abstract as blank-separated tokens."""
        words = list(self.title)
        for sentence in self.sentences:
            words += sentence
        return " ".join(words)


def text_views(paper: Paper) -> TextViews:
    """Return the views of a paper; without an abstract only the title is there."""
    return _views(paper.title, paper.abstract)


@lru_cache(maxsize=8192)  # a build asks twice for each paper: to learn and to label
def _views(title: str, abstract: str) -> TextViews:
    roled = roled_sentences(display(abstract))
    sentences = [(item.role, tuple(tokens(item.span.text))) for item in roled]
    return TextViews(
        tuple(tokens(display(title))),
        tuple(words for role, words in sentences if role == "contribution"),
        tuple(words for _, words in sentences),
    )
