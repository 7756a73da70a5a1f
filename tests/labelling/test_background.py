"""Terms of the wider field: which are rare, and which go together."""

from __future__ import annotations

import numpy as np

from classifier.labelling.background import VIEW_WEIGHTS, Background
from classifier.labelling.prior_terms import term_values
from classifier.labelling.views import TextViews, text_views
from classifier.papers.paper import Paper


def told(*sentences: str) -> list[TextViews]:
    return [
        text_views(Paper(f"No {number}", abstract=text)) for number, text in enumerate(sentences)
    ]


OWN = told("Rye bread rises.", "Rye bread falls.", "Bread crackles.")
# Levain and sponge stand in one half of the field, kiln and ember in the other.
FIELD = told(*["A levain feeds the sponge."] * 15, *["A kiln holds the ember."] * 15)


def idf(background: Background, term: str) -> float:
    return float(background.idf_[background.vocabulary_.index(term)])


def test_it_takes_in_terms_of_two_papers_or_of_ten_of_the_field() -> None:
    terms = set(Background().fit(FIELD, OWN).vocabulary_)
    assert {"rye", "bread", "rye bread", "levain", "ember"} <= terms
    assert not terms & {"rises", "crackles", "bread falls"}
    assert "levain" not in Background().fit(FIELD[6:], OWN).vocabulary_


def test_a_rare_term_weighs_more() -> None:
    background = Background().fit(FIELD, OWN)
    assert idf(background, "rye") > idf(background, "bread") > idf(background, "levain")


def test_terms_that_go_together_lie_together() -> None:
    """No paper here says both levain and sponge; the field does."""
    background = Background(dimensions=2).fit(FIELD, OWN)
    rows = background.rows(told("Levain.", "Sponge.", "Kiln.")).toarray()
    levain, sponge, kiln = rows[:, 3 * len(background.vocabulary_) :]
    assert levain @ sponge > 20 * abs(levain @ kiln)


def test_without_a_field_there_are_no_dimensions() -> None:
    background = Background().fit([], OWN)
    assert background.components_.shape == (0, 0)
    assert background.rows(OWN).shape == (3, 3 * len(background.vocabulary_))


def test_weights_on_terms_say_what_weights_on_rows_say() -> None:
    background = Background(dimensions=2).fit(FIELD, OWN)
    papers = [*OWN, *FIELD[::10], *told("A sponge of rye bread.")]
    rows = background.rows(papers)
    weights = np.random.default_rng(1).normal(size=(4, rows.shape[1]))
    by_terms = term_values(background.names, papers) @ background.term_weights(weights).T
    assert np.allclose(by_terms, rows @ weights.T)
    assert len(background.names) == 3 * len(background.vocabulary_)
    assert background.names[0].partition(":")[0] == next(iter(VIEW_WEIGHTS))
