"""What a text is worth to a prior: its own terms, and no other text's."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from classifier.labelling import prior_terms
from classifier.labelling.features import terms
from classifier.labelling.prior_terms import term_values
from classifier.labelling.views import TextViews, text_views
from classifier.papers.paper import Paper

BREAD = text_views(Paper("Rye bread", abstract="Bread is dry. We bake bread and bread."))


def value(name: str, paper: TextViews = BREAD) -> float:
    return float(term_values([name], [paper])[0, 0])


def test_a_view_of_few_terms_says_each_louder_than_one_of_many() -> None:
    """The title has rye, bread, and the pair; the whole text has many more terms."""
    assert value("title:rye") == 1 / math.sqrt(3)
    assert value("title:rye bread") == value("title:rye")
    assert 0 < value("whole:rye") < value("title:rye")


def test_a_term_that_is_repeated_counts_by_the_logarithm() -> None:
    assert value("contribution:bread") / value("contribution:bake") == 1 + math.log(2)


def test_what_a_text_does_not_say_is_zero() -> None:
    for name in ("title:spelt", "title:dry", "contribution:rye", "vote:bread", "bread", "title:"):
        assert value(name) == 0, name


def test_a_value_does_not_depend_on_the_company() -> None:
    names = ["whole:spelt", "title:bread", "cue:bread:title", "whole:bread"]
    other = text_views(Paper("Spelt"))
    together = term_values(names, [other, BREAD, other]).toarray()
    assert together.shape == (3, 4)
    assert np.array_equal(together[1:2], term_values(names, [BREAD]).toarray())
    assert np.array_equal(together[0], together[2])


def test_no_paper_and_no_name_are_empty_tables() -> None:
    assert term_values(["title:rye"], []).shape == (0, 1)
    assert term_values([], [BREAD]).shape == (1, 0)
    assert value("title:rye", text_views(Paper("???"))) == 0


def test_all_values_by_the_formula() -> None:
    names = ["whole:bread", "vote:bread", "title:rye", "whole:bread is", "contribution:bread"]
    found = term_values(names, [BREAD, text_views(Paper("Spelt"))])
    for column, name in enumerate(names):
        view, _, term = name.partition(":")
        counts = Counter(terms(getattr(BREAD, f"{view}_text", "")))
        wanted = (1 + math.log(counts[term])) / math.sqrt(len(counts)) if counts[term] else 0.0
        assert found[0, column] == wanted, name
    assert found.has_canonical_format
    assert found.nnz == 4


def test_many_papers_are_read_by_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    papers = [BREAD, text_views(Paper("Rye")), text_views(Paper("Spelt")), BREAD]
    together = term_values(["title:rye", "whole:dry"], papers)
    monkeypatch.setattr(prior_terms, "_BATCH", 3)
    assert np.array_equal(
        term_values(["title:rye", "whole:dry"], papers).toarray(), together.toarray()
    )
