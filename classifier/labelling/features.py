"""The design matrix: TF-IDF features of title and text, and cue features.

`SCALES` contains the weight of each kind of column.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

from classifier.labelling.cue_index import Evidence, normalise_votes
from classifier.labelling.prior import SCALES, Block
from classifier.papers.paper import Paper
from classifier.taxonomy.model import CUE_VIEWS
from classifier.text.normalise import tokens

Array = NDArray[np.float64]


class TextFeatures:
    """TF-IDF features in two blocks: of the title, and of title, abstract and keywords.

    Terms are single words and pairs of adjacent words. `fit` learns `blocks_`, and `names_`, the
    names of all columns. `TextFeatures.of` restores features from the blocks of a prior.
    """

    def __init__(
        self,
        stop_words: Sequence[str],
        *,
        min_df: tuple[int, int] = (2, 2),
        max_terms: tuple[int | None, int | None] = (None, None),
    ) -> None:
        self.stop_words = frozenset(stop_words)
        self.min_df = min_df
        self.max_terms = max_terms

    def fit(self, papers: Sequence[Paper]) -> TextFeatures:
        """Learn the terms and their idf. With very few papers, `min_df` is reduced."""
        blocks = []
        for (prefix, texts), min_df, max_terms in zip(
            _block_texts(papers), self.min_df, self.max_terms, strict=True
        ):
            lowered_min_df = min(min_df, max(1, len(papers) // 2))
            vectorizer = self._vectorizer(min_df=lowered_min_df, max_features=max_terms)
            try:
                vectorizer.fit(texts)
            except ValueError:  # no paper, or no term in at least `min_df` papers
                blocks.append(Block(prefix, (), np.zeros(0)))
                continue
            terms = tuple(vectorizer.get_feature_names_out().tolist())
            blocks.append(Block(prefix, terms, vectorizer.idf_))
        return self._set_blocks(blocks)

    @classmethod
    def of(cls, blocks: Sequence[Block], stop_words: Sequence[str]) -> TextFeatures:
        """Restore features whose terms were learned earlier."""
        return cls(stop_words)._set_blocks(blocks)

    def _set_blocks(self, blocks: Sequence[Block]) -> TextFeatures:
        """Set the blocks, and create their vectorizers."""
        self.blocks_ = tuple(blocks)
        self.names_ = tuple(f"{block.prefix}:{term}" for block in blocks for term in block.terms)
        self.vectorizers_: list[TfidfVectorizer | None] = []
        for block in blocks:
            vectorizer = self._vectorizer(vocabulary=block.terms) if block.terms else None
            if vectorizer is not None:
                vectorizer.idf_ = block.idf
            self.vectorizers_.append(vectorizer)
        return self

    def _vectorizer(self, **options: Any) -> TfidfVectorizer:
        """Create a vectorizer that splits texts as `_split_terms` does."""
        analyzer = partial(_split_terms, stop_words=self.stop_words)
        return TfidfVectorizer(analyzer=analyzer, sublinear_tf=True, **options)

    def transform(self, papers: Sequence[Paper]) -> sparse.csr_matrix:
        """Return (n, len(names_)) features; each row of a block is normalised, then scaled."""
        rows = (
            vectorizer.transform(texts) * SCALES[block.prefix]
            if vectorizer is not None and papers
            else sparse.csr_matrix((len(papers), len(block.terms)))
            for vectorizer, block, (_, texts) in zip(
                self.vectorizers_, self.blocks_, _block_texts(papers), strict=True
            )
        )
        return sparse.hstack(list(rows), format="csr")


def _block_texts(papers: Sequence[Paper]) -> tuple[tuple[str, list[str]], ...]:
    """Return the texts of each block, by the prefix of its column names."""
    titles = [paper.title_display for paper in papers]
    return (("title", titles), ("text", [paper.full_text for paper in papers]))


def _split_terms(text: str, stop_words: frozenset[str]) -> list[str]:
    """Return the words and pairs of adjacent words, without stop words and single letters."""
    words = [
        word
        for word in tokens(text)
        if word not in stop_words and (len(word) > 1 or not word.isascii())
    ]
    return [*words, *(f"{one} {other}" for one, other in pairwise(words))]


def cue_features(
    evidence: Evidence,
    category_ids: Sequence[str],
    first_evidence: Evidence | None = None,
    first_ids: Sequence[str] = (),
) -> tuple[tuple[str, ...], Array]:
    """Return the names of m cue features, and their (n, m) values for n papers.

    Each category has the log counts of its lists (`cue:category:list`), its vote (`vote:category`)
    and its share of the paper's strongest vote (`share:category`), because a few matches mean less
    next to a stronger category. Facets after the first also use the votes and shares of the first
    facet (`first-vote:category`, `first-share:category`).

    first_evidence: evidence of the first facet; None if this is the first facet. first_ids: its
    categories.
    """
    names = [f"cue:{category}:{view}" for category in category_ids for view in CUE_VIEWS]
    values = [evidence.log_counts(category_ids) * SCALES["cue"]]
    for prefix, source, ids in (
        ("", evidence, category_ids),
        ("first-", first_evidence, first_ids),
    ):
        if source is None:
            continue
        votes = source.votes(ids)
        names += [f"{prefix}vote:{category}" for category in ids]
        names += [f"{prefix}share:{category}" for category in ids]
        shares = normalise_votes(votes).clip(-0.5, 1.0)
        values += [votes * SCALES[f"{prefix}vote"], shares * SCALES[f"{prefix}share"]]
    return tuple(names), np.hstack(values)
