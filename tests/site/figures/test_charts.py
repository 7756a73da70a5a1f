"""Every kind of chart: what lies where, and that nothing leaves the picture."""

from __future__ import annotations

import re

import pytest

from classifier.site.figures.drawing import LETTER, NARROW, WIDE, Drawing
from classifier.site.figures.files import CHARTS
from classifier.site.figures.lettering import short_name
from classifier.site.figures.tree import nodes_of
from classifier.survey.document import Chart, Figure

LONG = "Planning, memory, tools & skills"
CASES: dict[Chart, Figure] = {
    "bars": Figure(
        "b", "?", "", ("Topic", "There", "Also"), ((LONG, "6", "2"), ("Song", "0", "0"))
    ),
    "columns": Figure(
        "c",
        "?",
        "",
        ("Month", "Soil", "Other"),
        (("2024-12", "3", "1"), ("2025-01", "0", "0"), ("2025-02", "7", "0")),
    ),
    "flow": Figure(
        "f",
        "?",
        "",
        ("", "Step", "Number"),
        (
            ("kept", "records read", "1200"),
            ("set aside", "left out by the editors", "3"),
            ("kept", "papers in the survey", "1197"),
            ("of these", "reviewed by a person", "9"),
            ("of these", "filed provisionally", "1188"),
        ),
    ),
    "heat-map": Figure(
        "h",
        "?",
        "",
        ("Filed", *(f"{LONG} {n}" for n in range(14))),
        tuple((f"{LONG} {n}", *(str(n * m) for m in range(14))) for n in range(14)),
    ),
    "tree": Figure(
        "t",
        "?",
        "",
        ("Category", "Part of", "Papers"),
        ((LONG, "", "9"), ("Memory", LONG, "4"), ("Long memory", "Memory", "0"), ("Song", "", "2")),
    ),
}
BOTH = [(chart, width) for chart in CHARTS for width in (WIDE, NARROW)]


def draw(chart: Chart, width: int = WIDE) -> Drawing:
    return CHARTS[chart](CASES[chart], width)


def texts(drawing: Drawing) -> list[str]:
    return [label.text for label in drawing.labels]


def shapes(drawing: Drawing, style: str) -> list[str]:
    """Return the shapes of a style, one a move."""
    data = "".join(path.d for path in drawing.paths if path.style == style)
    return re.findall(r"M[^M]+", data)


@pytest.mark.parametrize(("chart", "width"), BOTH)
def test_no_label_leaves_the_picture(chart: Chart, width: int) -> None:
    drawing = draw(chart, width)
    assert drawing.width == width
    for label in drawing.labels:
        length = LETTER * len(label.text) * (0.5 if label.is_turned else 1)
        before = {"e": 1.0, "m": 0.5}.get(label.style[:1], 0.0)
        assert label.x - before * length >= -2, label
        assert label.x + (1 - before) * length <= width + 2, label
        assert 10 <= label.y <= drawing.height, label


@pytest.mark.parametrize(("chart", "width"), BOTH)
def test_no_shape_starts_outside(chart: Chart, width: int) -> None:
    drawing = draw(chart, width)
    for path in drawing.paths:
        for x, y in re.findall(r"M([-\d.]+) ([-\d.]+)", path.d):
            assert 0 <= float(x) <= width
            assert 0 <= float(y) <= drawing.height


@pytest.mark.parametrize("chart", ["bars", "columns", "heat-map", "tree"])
def test_a_figure_without_rows_can_be_drawn(chart: Chart) -> None:
    figure = Figure("x", "?", "", CASES[chart].columns, ())
    assert CHARTS[chart](figure, WIDE).height > 0


def test_bars_stand_end_to_end() -> None:
    drawing = draw("bars")
    _, filed = shapes(drawing, "s1")  # the first is the swatch of the legend
    _, also = shapes(drawing, "s2")
    x, width = (float(n) for n in re.findall(r"M([\d.]+) .*?h([\d.]+)", filed)[0])
    assert float(also[1:].split()[0]) == pytest.approx(x + width, abs=0.2)
    assert {"6 + 2", "0 + 0"} <= set(texts(drawing))


def test_columns_are_stacked_and_empty_months_keep_their_place() -> None:
    drawing = draw("columns")
    assert len(shapes(drawing, "s1")) == 1 + 2  # the swatch of the legend, two months
    assert len(shapes(drawing, "s2")) == 1 + 1
    assert {"0", "4", "8", "2025"} <= set(texts(drawing))


def test_a_year_that_begins_in_the_last_column_stays_in_the_picture() -> None:
    months = [f"{year}-{month:02}" for year in (2023, 2024) for month in range(1, 13)]
    rows = tuple((month, "1", "0") for month in [*months, "2025-01"])
    for width in (WIDE, NARROW):
        drawing = CHARTS["columns"](Figure("c", "?", "", ("Month", "Soil", "Other"), rows), width)
        (last,) = [label for label in drawing.labels if label.text == "2025"]
        assert (last.x, last.style) == (pytest.approx(width), "e q")


def test_a_heat_map_names_its_columns_wide_and_numbers_them_narrow() -> None:
    wide, narrow = draw("heat-map"), draw("heat-map", NARROW)
    assert sum(label.is_turned for label in wide.labels) == 14
    assert not any(label.is_turned for label in narrow.labels)
    assert f"14 {LONG} 13" in texts(narrow)


def test_zeros_of_a_heat_map_are_left_empty() -> None:
    cells = sum(len(shapes(draw("heat-map"), f"l{level}")) for level in range(1, 6))
    assert cells == 13 * 13


def test_the_parts_of_a_whole_hang_on_one_arrow() -> None:
    drawing = draw("flow")
    assert len(shapes(drawing, "h")) == 3  # aside, onward, parts
    assert "1,200" in texts(drawing)


def test_a_tree_knows_who_is_part_of_whom() -> None:
    nodes = nodes_of(CASES["tree"].rows)
    assert [(node.depth, node.parent) for node in nodes] == [(0, -1), (1, 0), (2, 1), (0, -1)]


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
def test_a_name_is_cut_between_words(name: str, head: str) -> None:
    assert short_name(name, 24) == head
