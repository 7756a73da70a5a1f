"""The terms of a text as a prior weighs them: without anything learned from a corpus."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifier.labelling.passages import Vocabulary, passages_of
from classifier.labelling.term_counts import (
    TermCounts,
    TermIndex,
    feature_terms,
    term_words,
)
from classifier.labelling.views import TextViews

Numbers = NDArray[np.integer]

_BATCH = 1000
"""Papers whose words are held in memory at once."""


def prior_values(names: Sequence[str], counts: TermCounts) -> sparse.csr_matrix:
    """Return (n, len(names)) values of the features `view:term`; other names stay 0.

    A term that stands tf times in a view of d different terms has (1 + ln tf) / sqrt(d): about what
    TF-IDF rows of length one have, without their idf, which the weights hold.
    """
    blocks, places = [], []
    for view, columns in enumerate(counts.index.columns(tuple(names))):
        block, own = counts.logs(view, columns)
        lengths = np.sqrt(np.maximum(counts.different[view], 1))
        block.data /= np.repeat(lengths, np.diff(block.indptr))
        blocks.append(block)
        places.append(own)
    return side_by_side(blocks, places, len(names))


def side_by_side(
    blocks: Sequence[sparse.csr_matrix], columns: Sequence[Numbers], width: int
) -> sparse.csr_matrix:
    """Return (n, width) rows with the columns of some blocks at the places given for each."""
    joined = sparse.hstack(blocks, format="csr")
    indices = np.concatenate(columns).astype(joined.indices.dtype)[joined.indices]
    placed = sparse.csr_matrix(
        (joined.data, indices, joined.indptr), shape=(joined.shape[0], width)
    )
    placed.sort_indices()
    return placed


def term_values(names: Sequence[str], papers: Sequence[TextViews]) -> sparse.csr_matrix:
    """Return `prior_values` of papers whose terms nobody has counted."""
    terms = feature_terms(names)
    vocabulary = Vocabulary(term_words(terms))
    index = TermIndex(terms, vocabulary)
    rows = [
        prior_values(names, index.count(passages_of(papers[start : start + _BATCH], vocabulary)))
        for start in range(0, max(len(papers), 1), _BATCH)
    ]
    return sparse.vstack(rows, format="csr")
