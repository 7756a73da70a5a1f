"""Every kind of chart: what lies where, and that nothing leaves the picture."""

from __future__ import annotations

import re

import pytest

from classifier.site.figures.charts import CHARTS
from classifier.site.figures.drawing import LETTER, NARROW, WIDE, Drawing, short_name
from classifier.survey.document import Chart, Figure, Point


def point(style: str, number: int = 1) -> tuple[Point, ...]:
    return (Point(style, "Crow, March 2025", "p/crow.html", "Crows bend wire."),) * number


LONG = "Planning, memory, tools & skills"
CASES: dict[Chart, Figure] = {
    "bars": Figure(
        "b", "?", "", "", ("Topic", "There", "Also"), ((LONG, "6", "2"), ("Song", "0", "0"))
    ),
    "panels": Figure(
        "c",
        "?",
        "",
        "",
        ("Quarter", "All papers", LONG, "Soil"),
        (("2024-Q4", "4", "3", "1"), ("2025-Q1", "0", "0", "0"), ("2025-Q2", "7", "7", "0")),
    ),
    "flow": Figure(
        "f",
        "?",
        "",
        "",
        ("", "Step", "Number"),
        (
            ("kept", "records read", "1200"),
            ("set aside", "left out by the editors", "3"),
            ("kept", "papers in the survey", "1197"),
            ("of these", "decided by readers", "9"),
            ("of these", "filed provisionally", "1188"),
        ),
    ),
    "heat-map": Figure(
        "h",
        "?",
        "",
        "",
        ("Filed", *(f"{LONG} {n}" for n in range(14))),
        tuple((f"{LONG} {n}", *(str(n * m) for m in range(14))) for n in range(14)),
    ),
    "sides": Figure(
        "s",
        "?",
        "",
        "",
        ("Claim", "Proposition", "For", "Mixed", "Against"),
        ((LONG, 3 * LONG, "24", "1", "2"), ("Crows plan", "Crows plan", "0", "7", "5")),
        points=(
            (*point("for", 24), *point("mixed", 1), *point("against", 2)),
            (*point("mixed", 7), *point("against", 5)),
        ),
    ),
    "levels": Figure(
        "l",
        "?",
        "",
        "",
        ("Benchmark", "Date", "Level in %", "Parameters in billions", "Paper"),
        (
            ("Worm count", "2024-11", "12.5", "", "Crow"),
            ("Worm count", "2025-03", "64", "7", "Rook"),
            ("Worm count", "2025-03", "99", "671", "Jay"),
            ("Worm count 2", "2025-01", "50", "32", "Jay"),
        ),
        points=(point("level"),) * 4,
    ),
}
BOTH = [
    (chart, width)
    for chart in CHARTS
    for width in (WIDE, NARROW)
    if (chart, width) != ("heat-map", NARROW)
]


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
        length = LETTER * len(label.text) * (0 if label.is_vertical else 1)
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


@pytest.mark.parametrize("chart", ["bars", "panels", "heat-map"])
def test_a_figure_without_rows_can_be_drawn(chart: Chart) -> None:
    figure = Figure("x", "?", "", "", CASES[chart].columns, ())
    assert CHARTS[chart](figure, WIDE).height > 0


def test_bars_stand_end_to_end() -> None:
    drawing = draw("bars")
    _, filed = shapes(drawing, "s1")  # the first is the swatch of the legend
    _, also = shapes(drawing, "s2")
    x, width = (float(n) for n in re.findall(r"M([\d.]+) .*?h([\d.]+)", filed)[0])
    assert float(also[1:].split()[0]) == pytest.approx(x + width, abs=0.2)
    assert {"6 + 2", "0 + 0"} <= set(texts(drawing))


def test_panels_have_their_whole_names_on_a_phone() -> None:
    said = "".join(label.text for label in draw("panels", NARROW).labels)
    assert LONG.replace(" ", "") in said.replace(" ", "")


def test_panels_have_one_scale_and_empty_quarters_keep_their_place() -> None:
    drawing = draw("panels")
    assert len(shapes(drawing, "s1")) == 2 + 2 + 1  # quarters with a paper: all, one, the other
    heights = [float(re.findall(r"v([\d.]+)", shape)[0]) for shape in shapes(drawing, "s1")[2:]]
    assert heights[0] / heights[2] == pytest.approx(3, abs=0.1)
    assert {"11", "10", "1", "’25"} <= set(texts(drawing))


def test_a_heat_map_turns_the_names_of_its_columns() -> None:
    assert sum(label.is_vertical for label in draw("heat-map").labels) == 14


def test_zeros_of_a_heat_map_are_left_empty() -> None:
    cells = sum(len(shapes(draw("heat-map"), f"l{level}")) for level in range(1, 6))
    assert cells == 13 * 13


def test_the_parts_of_a_whole_hang_on_one_arrow() -> None:
    drawing = draw("flow")
    assert len(shapes(drawing, "h")) == 3  # aside, onward, parts
    assert "1,200" in texts(drawing)


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


@pytest.mark.parametrize(("chart", "width"), [("sides", WIDE), ("levels", NARROW)])
def test_every_paper_has_a_mark_within_the_picture(chart: Chart, width: int) -> None:
    drawing = draw(chart, width)
    assert len(drawing.marks) == sum(map(len, CASES[chart].points))
    for mark in drawing.marks:
        assert mark.radius <= mark.x <= width - mark.radius
        assert mark.radius <= mark.y <= drawing.height - mark.radius


def test_evidence_against_a_claim_is_left_of_evidence_for_it() -> None:
    first_row = draw("sides").marks[:27]
    places = {side: [m.x for m in first_row if m.style == side] for side in ("against", "for")}
    assert max(places["against"]) < min(places["for"])


def test_the_area_of_a_mark_is_in_proportion_to_the_size_of_the_model() -> None:
    radii = sorted(mark.radius for mark in draw("levels").marks if mark.style == "sized")
    assert radii[-1] ** 2 / radii[-2] ** 2 == pytest.approx(671 / 32, rel=0.4)
