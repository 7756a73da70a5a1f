"""The files of the figures: pictures with a name in light and dark, numbers as CSV."""

from __future__ import annotations

import csv
import io
from xml.etree import ElementTree

from classifier.site.blocks import block_markdown, figure_columns, figure_rows
from classifier.site.context import make_environment
from classifier.site.figures.charts import figure_files, figures_of
from classifier.survey.document import Figure
from classifier.survey.survey import Survey

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '"><script>alert(1)</script> a|b'
FIGURE = Figure(
    "songs",
    f"Crows sing {HOSTILE}",
    "Counted twice.",
    f"Bars {HOSTILE}.",
    ("Bird", "Songs"),
    ((HOSTILE, "3"), ("=Crow", "0")),
)


def test_a_figure_is_two_pictures_and_its_numbers() -> None:
    files = dict(figure_files(FIGURE, make_environment([])))
    assert list(files) == ["figures/songs.svg", "figures/songs-narrow.svg", "figures/songs.csv"]
    for path in list(files)[:2]:
        root = ElementTree.fromstring(files[path])
        title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert title is not None
        assert description is not None
        assert (title.text or "").startswith("Crows sing")
        assert root.get("role") == "img"
        assert not list(root.iter(f"{SVG}script"))
    table = list(csv.reader(io.StringIO(files["figures/songs.csv"])))
    assert table == [["Bird", "Songs"], [HOSTILE, "3"], ["'=Crow", "0"]]


def test_a_page_gets_the_numbers() -> None:
    assert figure_columns(FIGURE) == ["", "n"]
    assert list(figure_rows(FIGURE))[1] == [("=Crow", "", ""), ("0", "", "n")]


def test_survey_md_links_to_the_numbers() -> None:
    assert block_markdown(FIGURE).endswith("[The numbers](figures/songs.csv).")


def test_the_figures_of_a_document_are_all_drawn(survey: Survey, site: dict[str, bytes]) -> None:
    names = [figure.id for figure in figures_of(survey.document)]
    assert names == ["topics", "matrix"]
    assert all(f"figures/{name}.svg" in site for name in names)
