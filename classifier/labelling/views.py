"""A paper as words: its title, and the sentences of its abstract."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from classifier.papers.paper import Paper
from classifier.text.clean import clean_abstract, clean_title
from classifier.text.normalise import tokens
from classifier.text.sentences import split_sentences


@dataclass(frozen=True, slots=True)
class TextViews:
    """A paper as tokens."""

    title: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]
    """Of the abstract or digest."""

    @property
    def whole_text(self) -> str:
        """Title and abstract as blank-separated tokens."""
        return " ".join([*self.title, *(word for sentence in self.sentences for word in sentence)])


def text_views(paper: Paper) -> TextViews:
    """Return a paper as words; without an abstract only the title is there."""
    return _views(paper.title, paper.abstract)


@lru_cache(maxsize=8192)
def _views(title: str, abstract: str) -> TextViews:
    sentences = split_sentences(clean_abstract(abstract))
    return TextViews(
        tuple(tokens(clean_title(title))), tuple(tuple(tokens(span.text)) for span in sentences)
    )
