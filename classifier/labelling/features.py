"""The design matrix: TF-IDF of three views beside what the cues say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from classifier.labelling.evidence import VIEWS, Evidence, vote_shares
from classifier.labelling.frequent_terms import frequent_terms
from classifier.labelling.passages import Passages, Vocabulary
from classifier.labelling.term_counts import TermCounts
from classifier.labelling.term_places import TEXT_VIEWS

Features = Literal["both", "cues", "terms", "votes"]
"""What a model sees: TF-IDF terms and cue features, one of the two, or nothing but seed votes."""

# Weights beside TF-IDF rows of length one; under an L2 penalty the scale of a feature is a prior.
EVIDENCE_SCALE = 0.5
VOTE_SCALE = 0.25
SHARE_SCALE = 1.0
FIRST_FACET_SCALE = 0.5


class TextFeatures:
    """Turns views into rows of TF-IDF: title | contribution | whole text.

    Learned by `fit`: `names_`, the name of every column, `view:term`, and `idf_`, its inverse
    document frequency. Terms and rows are those of a TfidfVectorizer a view (word 1-2-grams,
    sublinear).
    """

    def __init__(
        self, *, min_df: int = 2, view_weights: tuple[float, float, float] = (0.5, 0.7, 1.0)
    ) -> None:
        self.min_df = min_df
        self.view_weights = view_weights

    def fit(self, passages: Passages, vocabulary: Vocabulary) -> TextFeatures:
        """Learn the terms of papers. vocabulary: it holds every word of the passages."""
        least = min(self.min_df, max(1, passages.papers // 2))
        names: list[str] = []
        idf = []
        for view, (terms, papers) in zip(
            TEXT_VIEWS, frequent_terms(passages, vocabulary, least), strict=True
        ):
            names += [f"{view}:{term}" for term in terms]
            idf.append(np.log((1 + passages.papers) / (1 + papers)) + 1)
        self.names_ = tuple(names)
        self.idf_ = np.concatenate(idf)
        return self

    def transform(self, counts: TermCounts) -> sparse.csr_matrix:
        """Return (n, len(names_)) rows of the papers whose terms were counted.

        They are what the vectorizers would make of the texts: (1 + ln tf) idf of each term, in
        every view scaled to length one; and then each view by its weight.
        """
        blocks = []
        columns = counts.index.columns(self.names_)
        for view, weight in enumerate(self.view_weights):
            block, own = counts.logs(view, columns[view])
            block.data *= self.idf_[own][block.indices]
            rows = np.repeat(np.arange(counts.papers), np.diff(block.indptr))
            lengths = np.sqrt(np.bincount(rows, block.data * block.data, counts.papers))
            block.data /= lengths[rows]
            block.data *= weight
            blocks.append(block)
        return sparse.hstack(blocks, format="csr")


@dataclass(frozen=True, slots=True)
class CueColumns:
    """What the cues say of n papers, as columns beside TF-IDF rows."""

    names: tuple[str, ...]
    """The m columns: `cue:category:list`, `vote:category`, `share:category`; of the first facet,
    as another facet sees it, `first-vote:category` and `first-share:category`."""
    values: NDArray[np.float64]
    """(n, m), scaled for the L2 penalty."""


def cue_columns(
    evidence: Evidence,
    category_ids: Sequence[str],
    first: Evidence | None = None,
    first_ids: Sequence[str] = (),
) -> CueColumns:
    """Return the evidence of a facet for its categories, and that of the first facet beside it.

    Of every category the log counts of its cues by list; its vote; and its vote as a share of the
    paper's strongest: what else a paper is about tells whether a few hits mean something. What a
    paper is about (`first`, None for the first facet itself) also says what kind of paper it is.
    """
    names = [f"cue:{category}:{view}" for category in category_ids for view in VIEWS]
    blocks = [evidence.logs(category_ids) * EVIDENCE_SCALE]
    for prefix, source, ids, scale in (
        ("", evidence, category_ids, 1.0),
        ("first-", first, first_ids, FIRST_FACET_SCALE),
    ):
        if source is None:
            continue
        votes = source.votes(ids)
        names += [f"{prefix}vote:{category}" for category in ids]
        names += [f"{prefix}share:{category}" for category in ids]
        shares = vote_shares(votes, least=2.0).clip(-0.5, 1.0)
        blocks += [votes * VOTE_SCALE * scale, shares * SHARE_SCALE * scale]
    return CueColumns(tuple(names), np.hstack(blocks))


def with_cues(
    text: sparse.csr_matrix, cues: CueColumns, features: Features = "both"
) -> sparse.csr_matrix:
    """Return text rows with the cue columns behind them.

    What `features` leaves out is 0, so that a column means the same in every setting.
    """
    block = sparse.csr_matrix(cues.values)
    if features == "cues":
        text = sparse.csr_matrix(text.shape)
    if features == "terms":
        block = sparse.csr_matrix(block.shape)
    return sparse.hstack([text, block], format="csr")


@lru_cache(maxsize=2**13)  # advice asks for the same texts, facet by facet
def terms(text: str) -> tuple[str, ...]:
    """Return the words and pairs of neighbours of `text`, without those of function words alone.

    >>> terms("we train the agent")
    ('train', 'agent', 'we train', 'train the', 'the agent')
    """
    words = text.split()
    plain = [word in ENGLISH_STOP_WORDS for word in words]
    single = (word for word, is_plain in zip(words, plain, strict=True) if not is_plain)
    pairs = zip(words, words[1:], plain, plain[1:], strict=False)
    joined = (f"{a} {b}" for a, b, plain_a, plain_b in pairs if not (plain_a and plain_b))
    return (*single, *joined)
