"""The terms that tell one group of papers from the rest."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from classifier.labelling.features import terms
from classifier.labelling.views import TextViews


def distinctive_terms(
    inside: Sequence[TextViews], outside: Sequence[TextViews], most: int
) -> list[tuple[str, float]]:
    """Return up to `most` terms of the papers `inside` with their scores, best first.

    The score is the log-odds ratio of being in a paper inside or outside, over its standard error
    (half a paper added to each count; Agresti, "Categorical Data Analysis", 2002, section 3.1.1).
    Only terms of two papers inside, and more likely there, are named.
    """
    here, there = _paper_counts(inside), _paper_counts(outside)
    scores = [
        (term, _score(count, len(inside), there[term], len(outside)))
        for term, count in here.items()
        if count > 1
    ]
    return sorted((item for item in scores if item[1] > 0), key=lambda x: (-x[1], x[0]))[:most]


def _paper_counts(papers: Sequence[TextViews]) -> Counter[str]:
    """Return in how many papers each term stands."""
    return Counter(term for paper in papers for term in set(terms(paper.whole_text)))


def _score(inside: int, of_inside: int, outside: int, of_outside: int) -> float:
    cells = [count + 0.5 for count in (inside, of_inside - inside, outside, of_outside - outside)]
    ratio = math.log(cells[0] * cells[3] / (cells[1] * cells[2]))
    return ratio / math.sqrt(sum(1 / cell for cell in cells))
