from __future__ import annotations

from xml.etree import ElementTree

import pytest

from classifier.site.figures import matrix_figure, short_name, topics_figure
from classifier.survey.edition import Edition

SVG = "{http://www.w3.org/2000/svg}"


def test_bars_tell_papers_filed_from_papers_also_there(edition: Edition) -> None:
    bars = {bar.name: (bar.filed, bar.also) for bar in topics_figure(edition).bars}
    assert bars == {"Tools & hooks": (1, 0), "Song": (2, 1), "Flight": (0, 0)}


def test_the_matrix_counts_pairs_of_primary_and_further_topic(edition: Edition) -> None:
    rows = matrix_figure(edition).rows
    assert [[cell.count for cell in row.cells] for row in rows] == [[1], [], []]
    assert rows[0].cells[0].level == 5


def test_the_narrow_matrix_fits_a_telephone(edition: Edition) -> None:
    assert matrix_figure(edition, narrow=True).width <= 360


@pytest.mark.parametrize("name", ["topics", "matrix", "matrix-narrow"])
def test_a_figure_is_an_image_with_a_name_in_light_and_dark(
    site: dict[str, bytes], name: str
) -> None:
    picture = site[f"figures/{name}.svg"]
    root = ElementTree.fromstring(picture)
    assert root.find(f"{SVG}title") is not None
    assert root.find(f"{SVG}desc") is not None
    assert b"prefers-color-scheme:dark" in picture
    assert len(picture) < 12_000


def test_the_columns_of_the_wide_matrix_carry_names_those_of_the_narrow_one_numbers(
    edition: Edition, site: dict[str, bytes]
) -> None:
    heads = [column.head for column in matrix_figure(edition).columns]
    assert heads == ["Tools & hooks", "Song", "Flight"]
    assert b'rotate(-60)">1 Tools &amp; hooks</text>' in site["figures/matrix.svg"]
    assert b"rotate" not in site["figures/matrix-narrow.svg"]


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("Benchmarks & evaluation", "Benchmarks & evaluation"),
        ("Planning, memory, tools & skills", "Planning, memory, tools…"),
        ("Coding & software-engineering agents", "Coding & software…"),
        ("Training data, environments & tuning", "Training data…"),
        ("Donaudampfschifffahrtsgesellschaft", "Donaudampfschifffahrtsg…"),
    ],
)
def test_a_column_head_is_cut_between_words(name: str, head: str) -> None:
    assert short_name(name) == head
