from __future__ import annotations

import pytest

from classifier.papers.identifiers import (
    cite_key_in,
    doi_in,
    isbns,
    issns,
    page_range,
    pmcid_in,
    pmid_in,
)
from classifier.papers.names import comma_before_initials


def test_serial_numbers() -> None:
    assert issns("0964-6906 (Print)0964-6906", "2234943X (ISSN)") == "0964-6906, 2234-943X"
    assert isbns("978-3-16-148410-0; 3161484100", "0964-6906") == "978-3-16-148410-0, 3161484100"
    assert issns("978-3-16-148410-0", "12345678901") == ""


def test_a_doi_is_taken_from_where_it_is_called_one() -> None:
    assert doi_in(["10.1000/ 182"]) == "10.1000/182"
    assert doi_in([""], ["https://example.org/10.1000/1"]) == ""
    assert doi_in([], ["doi:10.1000/182"]) == "10.1000/182"


def test_numbers_of_pubmed() -> None:
    assert pmid_in("Cited by 5", "PubMed ID: 77") == "77"
    assert pmid_in("PMID") == ""
    assert pmcid_in("NLM: PMC123456") == "PMC123456"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("baker2017rye", "baker2017rye"),
        ("baker-etal-2017-rye", "baker-etal-2017-rye"),
        ("57530", ""),
        ("WOS:000123201700001", ""),
        ("a talk of 2017", ""),
        ("10.1000/2017", ""),
    ],
)
def test_only_what_people_cite_by_is_a_cite_key(text: str, key: str) -> None:
    assert cite_key_in(text) == key


@pytest.mark.parametrize(
    ("first", "last", "pages"),
    [
        ("1", "9", "1-9"),
        ("1535-41", "", "1535-41"),
        ("1535\N{EN DASH}41", "1541", "1535-41"),
        ("e7", "", "e7"),
        ("VII", "+", "VII"),
        ("", "9", ""),
    ],
)
def test_pages(first: str, last: str, pages: str) -> None:
    assert page_range(first, last) == pages


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Baker R.", "Baker, R."),
        ("van der Oven A.-B.", "van der Oven, A.-B."),
        ("Baker RB", "Baker, RB"),
        ("Baker RB 3rd", "Baker, RB 3rd"),
        ("Rye Baker", "Rye Baker"),
        ("R. Baker", "R. Baker"),
        ("Baker, R.", "Baker, R."),
        ("Bakers of Rome Group A", "Bakers of Rome Group A"),
    ],
)
def test_names_with_initials_behind_them(text: str, name: str) -> None:
    assert comma_before_initials(text) == name
