"""The terms of a text as a prior weighs them: without anything learned from a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from scipy import sparse

from classifier.labelling.features import TEXT_VIEWS, terms
from classifier.labelling.views import TextViews


def term_values(names: Sequence[str], papers: Sequence[TextViews]) -> sparse.csr_matrix:
    """Return (n, len(names)) values of the features `view:term`; other names stay 0.

    A term that stands tf times in a view of d different terms has (1 + ln tf) / sqrt(d): about what
    TF-IDF rows of length one have, without their idf, which the weights hold.
    """
    columns: dict[str, dict[str, int]] = {view: {} for view in TEXT_VIEWS}
    for column, name in enumerate(names):
        view, _, term = name.partition(":")
        if view in columns:
            columns[view][term] = column
    rows, places, values = [], [], []
    for row, paper in enumerate(papers):
        for view, known in columns.items():
            for column, value in _view_values(getattr(paper, f"{view}_text"), known):
                rows.append(row)
                places.append(column)
                values.append(value)
    shape = (len(papers), len(names))
    return sparse.csr_matrix((np.array(values, dtype=float), (rows, places)), shape=shape)


def _view_values(text: str, known: Mapping[str, int]) -> list[tuple[int, float]]:
    counts = Counter(terms(text))
    length = float(np.sqrt(max(len(counts), 1)))
    return [
        (known[term], (1 + float(np.log(count))) / length)
        for term, count in counts.items()
        if term in known
    ]
