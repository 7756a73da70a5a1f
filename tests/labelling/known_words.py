"""The vocabulary that knows every word of some texts."""

from __future__ import annotations

from collections.abc import Iterable

from classifier.labelling.passages import Vocabulary
from classifier.labelling.views import TextViews


def all_words(papers: Iterable[TextViews]) -> Vocabulary:
    """Return every word of some papers, in alphabetical order."""
    passages = (passage for paper in papers for passage in (paper.heading, *paper.body))
    return Vocabulary(sorted({word for passage in passages for word in passage.words}))
