from __future__ import annotations

import numpy as np
import pytest

from classifier.evaluation.distinctive import distinctive_terms, is_content, log_odds
from classifier.labelling.views import TextViews, text_views
from classifier.papers.paper import Paper


def views(*texts: str) -> list[TextViews]:
    return [text_views(Paper(text)) for text in texts]


BREAD = views(
    "Rye bread rises slowly",
    "Rye breads in a stone oven",
    "Baking rye at home",
    "A stone oven for every village",
)
SOUP = views(
    "Lentil soup rises to fame",
    "Soup at home",
    "A clear soup for every winter",
    "Onion soup in a clay pot",
)


def test_the_strongest_term_comes_first_with_its_counts() -> None:
    first = distinctive_terms(BREAD, SOUP)[0]
    assert (first.term, first.inside, first.outside) == ("rye", 3, 0)
    assert first.score > 0


def test_terms_of_the_rest_and_of_one_paper_alone_are_no_terms_of_the_group() -> None:
    found = {term.term for term in distinctive_terms(BREAD, SOUP)}
    assert found == {"rye", "stone oven"}
    assert {term.term for term in distinctive_terms(SOUP, BREAD)} == {"soup"}


def test_a_term_that_a_stronger_one_holds_is_left_out() -> None:
    web = views("Web agents plan", "A web agent acts", "Web agents and agents", "Agents learn")
    found = [term.term for term in distinctive_terms(web, SOUP)]
    assert len({"agents", "agent", "web agents", "web agent"} & set(found)) == 1


def test_only_as_many_as_asked_for() -> None:
    assert len(distinctive_terms(BREAD, SOUP, most=1)) == 1
    assert distinctive_terms(BREAD, SOUP, most=0) == ()


@pytest.mark.parametrize(("inside", "outside"), [([], []), ([], SOUP), (views("???"), [])])
def test_a_group_without_papers_or_words_has_no_terms(
    inside: list[TextViews], outside: list[TextViews]
) -> None:
    assert distinctive_terms(inside, outside) == ()


def test_the_order_of_the_papers_does_not_matter() -> None:
    assert distinctive_terms(BREAD, SOUP) == distinctive_terms(BREAD[::-1], SOUP[::-1])


def test_more_papers_with_the_same_share_are_stronger_evidence() -> None:
    few = log_odds(np.array([3.0, 3.0]), np.array([1.0, 5.0]), 12)
    many = log_odds(np.array([30.0, 30.0]), np.array([10.0, 50.0]), 120)
    assert many[0] > few[0] > 0 > few[1] > many[1]


def test_function_words_numbers_and_single_letters_are_no_content() -> None:
    assert [is_content(term) for term in ("web agent", "the agent", "2024", "p value")] == [
        True,
        False,
        False,
        False,
    ]
