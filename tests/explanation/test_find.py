"""A person names a paper in any way that it is known by."""

from __future__ import annotations

import pytest
from inline_snapshot import snapshot

from classifier.commands.explain import find_paper
from classifier.errors import UsageError
from classifier.papers.paper import Paper

PAPERS = [
    Paper("Rye at Night", "arxiv:2401.10230", arxiv_id="2401.10230"),
    Paper("Rye at Noon: Slow Dough", "doi:10.1000/rye", doi="10.1000/rye"),
    Paper("Steam", "p-0123456789", url="https://bread.example/steam/"),
    Paper("Steam and Stone", "p-9876543210"),
]
ALIASES = {"p-aaaaaaaaaa": "arxiv:2401.10230", "doi:10.48550/old": "p-0123456789"}


@pytest.mark.parametrize(
    ("query", "identifier"),
    [
        ("arxiv:2401.10230", "arxiv:2401.10230"),
        ("ArXiv:2401.10230", "arxiv:2401.10230"),
        (" 2401.10230v2 ", "arxiv:2401.10230"),
        ("https://arxiv.org/pdf/2401.10230", "arxiv:2401.10230"),
        ("10.48550/arXiv.2401.10230", "arxiv:2401.10230"),
        ("p-aaaaaaaaaa", "arxiv:2401.10230"),
        ("doi:10.48550/OLD", "p-0123456789"),
        ("https://doi.org/10.1000/RYE", "doi:10.1000/rye"),
        ("https://bread.example/steam", "p-0123456789"),
        ("rye at night", "arxiv:2401.10230"),
        ("slow-dough", "doi:10.1000/rye"),
        ("noon rye", "doi:10.1000/rye"),  # words in any order
        ("Steam", "p-0123456789"),  # a whole title goes before a part of another
        ("stone", "p-9876543210"),
    ],
)
def test_a_paper_is_found(query: str, identifier: str) -> None:
    assert find_paper(query, PAPERS, ALIASES).id == identifier


def test_words_of_several_titles_are_answered_with_a_list() -> None:
    with pytest.raises(UsageError) as raised:
        find_paper("rye", PAPERS, ALIASES)
    assert str(raised.value) == (
        snapshot(
            "'rye' matches 2 papers. Use an id or more words of the title:\n"
            "  arxiv:2401.10230  Rye at Night\n"
            "  doi:10.1000/rye  Rye at Noon: Slow Dough"
        )
    )


def test_of_many_the_first_ten_are_listed() -> None:
    many = [Paper(f"Rye {number}", f"p-{number:010d}") for number in range(12)]
    with pytest.raises(UsageError) as raised:
        find_paper("rye", many, {})
    assert str(raised.value).splitlines()[10:] == ["  p-0000000009  Rye 9", "  … and 2 more"]


def test_an_unknown_paper_is_answered_with_the_likest() -> None:
    with pytest.raises(UsageError) as raised:
        find_paper("Steem and Stine", PAPERS, ALIASES)
    first, likest, *_ = str(raised.value).splitlines()
    assert first == (
        snapshot(
            "No paper matches 'Steem and Stine'; expected an id, an arXiv id, a DOI, an address or words of "
            "a title. Similar papers:"
        )
    )
    assert likest == "  p-9876543210  Steam and Stone"


@pytest.mark.parametrize("query", ["", "  ", "zzzz"])
def test_what_is_like_nothing_has_no_suggestion(query: str) -> None:
    with pytest.raises(UsageError, match=r"words of a title\.$"):
        find_paper(query, PAPERS, ALIASES)
