"""The three views of a paper that labels are read from: title, contribution, whole text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from classifier.papers.paper import Paper
from classifier.text.acronyms import Respelling, Speller, definitions
from classifier.text.negation import negated
from classifier.text.normalise import cased_tokens, display
from classifier.text.roles import roled_sentences, says_what_the_paper_does


@dataclass(frozen=True, slots=True)
class Passage:
    """A title or a sentence, as cues are matched in it; a cue never runs across two of them."""

    words: tuple[str, ...]
    """Its tokens."""
    negated: frozenset[int]
    """Positions of the words that the paper sets itself apart from."""
    respelling: Respelling | None
    """The same with acronyms that the paper defines written out, and long forms as acronyms."""


@dataclass(frozen=True, slots=True)
class TextViews:
    """A paper as passages of tokens."""

    heading: Passage
    """The title."""
    stated: tuple[Passage, ...]
    """Each sentence that states what the paper does."""
    body: tuple[Passage, ...]
    """Every sentence of the abstract or digest, the contribution included."""

    @property
    def title(self) -> tuple[str, ...]:
        """Tokens of the title."""
        return self.heading.words

    @property
    def contribution(self) -> tuple[tuple[str, ...], ...]:
        """Tokens of each sentence that states what the paper does."""
        return tuple(passage.words for passage in self.stated)

    @property
    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """Tokens of every sentence of the abstract or digest, the contribution included."""
        return tuple(passage.words for passage in self.body)

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
    title, abstract = display(title), display(abstract)
    speller = Speller(definitions(f"{title}. {abstract}"))
    body = [
        (says_what_the_paper_does(item), _passage(item.span.text, speller))
        for item in roled_sentences(abstract)
    ]
    return TextViews(
        _passage(title, speller),
        tuple(passage for is_stated, passage in body if is_stated),
        tuple(passage for _, passage in body),
    )


def _passage(text: str, speller: Speller) -> Passage:
    cased = cased_tokens(text)
    return Passage(tuple(word.lower() for word in cased), negated(text), speller.respell(cased))
